"""`acctcli business`: slugs that are shown, and what one may do, as rows and as the document."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.company import company
from tests.cli.conftest import At, Cli, succeed
from tests.cli.recorder import TOKEN, Answer, Sent, recorder, said
from tests.journeys.places import Place
from tests.serving import free_port

GRANTED = {
    "business_slug": "demo",
    "granted_permission_ids": ["contact_read", "salary"],
    "granted_permissions": [
        {"id": "contact_read", "name": "Contacts: read", "explanation": "Sees contacts."},
        {"id": "salary", "name": "Salaries", "explanation": "Sees salaries."},
    ],
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return company(tmp_path_factory.mktemp("business"))


def test_an_administrator_has_one_permission(place: Place) -> None:
    assert place.json("business", "permissions") == {
        "business_slug": "company",
        "granted_permission_ids": ["admin"],
        "granted_permissions": [
            {"id": "admin", "name": "Administrator", "explanation": "May do everything in the business."}
        ],
    }


def test_slugs_that_are_listed_are_completed(place: Place) -> None:
    seen = place.folder / "cache" / "businesses-local.json"
    seen.unlink(missing_ok=True)
    place.run("business", "list")
    assert json.loads(seen.read_text()) == ["company"]


def test_a_business_is_deleted_by_its_slug(place: Place) -> None:
    place.run("business", "create", "--name", "Gone", "--form", "FI_OY", "--slug", "gone")
    assert "Delete business gone with all its books?" in place.try_run("business", "delete", "gone").err
    assert place.json("business", "delete", "gone", "--yes") == {"slug": "gone", "deleted": True}


def test_permissions_are_rows(cli: Cli, at: At) -> None:
    def answer(sent: Sent) -> Answer:
        assert sent.path == "/v1/business/demo/me/permissions/"
        return said(GRANTED)

    with recorder(answer) as server:
        at(server)
        outcome = succeed(cli("business", "permissions", "-o", "csv"))
    assert outcome.lines() == [
        "id,name,explanation",
        "contact_read,Contacts: read,Sees contacts.",
        "salary,Salaries,Sees salaries.",
    ]


@pytest.mark.parametrize("words", [("update", "first"), ("replace", "first", "--name", "First", "--form", "FI_OY")])
def test_the_business_in_use_stays_in_use_when_its_slug_changes(tmp_path: Path, words: tuple[str, ...]) -> None:
    place = company(tmp_path)
    place.environ.pop("ACCTCLI_BUSINESS", None)
    for slug in ("first", "other"):
        place.run("business", "create", "--name", slug, "--form", "FI_OY", "--slug", slug)
    place.run("business", "use", "first")
    told = place.run("business", *words, "--set", "slug=second", "--json")
    assert told.err == "Commands in environment local now work in business second.\n"
    assert place.json("env", "show")["business"] == "second"
    assert place.run("business", "update", "other", "--set", "slug=another", "--json").err == ""
    assert place.json("env", "show")["business"] == "second"
    place.environ["ACCTCLI_BUSINESS"] = "second"
    told = place.run("business", "update", "second", "--set", "slug=third", "--json")
    assert told.err == "note: ACCTCLI_BUSINESS names second, which is third now\n"


def test_what_is_said_of_no_business_is_said_of_the_one_in_use(place: Place) -> None:
    place.run("business", "create", "--name", "Other", "--form", "FI_OY", "--slug", "other")
    address = ("--street", "Satama 1", "--postal-code", "00100", "--city", "Helsinki", "--country", "FI")
    place.run("business", "update", "--iban", "FI2112345600000785", *address, "--days", "30", "--vat-period", "quarter")
    place.run("business", "update", "--vat-basis", "fi-cash-basis", "--books-payments")
    told = place.json("business", "get")
    assert told == place.json("business", "get", "company")
    names = ("invoicing_iban", "invoicing_street", "invoicing_postal_code", "invoicing_city", "invoicing_country")
    assert [told[name] for name in names] == ["FI2112345600000785", "Satama 1", "00100", "Helsinki", "FI"]
    assert (told["invoicing_default_payment_condition_days"], told["default_vat_period"]) == (30, 1)
    assert told["vat_reporting_method"] == "FI_CASH_BASIS"
    assert told["has_accrual_based_entries_for_invoicing"] is False
    assert [one["slug"] for one in place.json("business", "get", "other", "company")] == ["other", "company"]
    # nothing goes that is not named
    assert place.try_run("business", "delete", "--yes").code == 2
    place.environ.pop("ACCTCLI_BUSINESS")
    refused = place.try_run("business", "update", "--days", "3")
    assert (refused.code, "No business is chosen" in refused.err) == (2, True)
    assert "--vat-period 'week': write none, month" in place.try_run("business", "update", "--vat-period", "week").err


@pytest.mark.parametrize(
    ("slug", "hint"),
    [("compny", "did you mean company?"), ("zzz", "see: acctcli business list")],
)
def test_a_business_that_is_not_there_is_not_used(tmp_path: Path, slug: str, hint: str) -> None:
    place = company(tmp_path)
    place.environ.pop("ACCTCLI_BUSINESS")
    place.run("business", "use", "company")
    refused = place.try_run("business", "use", slug)
    assert (refused.code, refused.out, refused.err) == (
        6, "", f"error: there is no business {slug} in environment local\nhint: {hint}\n",
    )  # fmt: skip
    assert place.json("env", "show")["business"] == "company"


def test_before_the_first_business_there_is_none_to_use(cli: Cli) -> None:
    assert cli("business", "use", "company").err.splitlines()[1] == "hint: make one with: acctcli business create"


def test_a_business_is_used_where_nobody_can_be_asked(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCTCLI_TESTING_BASE_URL", f"http://127.0.0.1:{free_port()}")
    monkeypatch.setenv("ACCTCLI_TOKEN", TOKEN)
    used = succeed(cli("business", "use", "acme", "--env", "testing", "--timeout", "0.5"))
    assert used.err.startswith("note: nobody could be asked whether there is a business acme: GET http://127.0.0.1:")
    assert succeed(cli("env", "show", "testing", "--json")).json()["business"] == "acme"


MAKE = ("business", "create", "--name", "Werk", "--form", "DE_UG", "--chart")


def test_a_business_is_made_with_a_chart(place: Place) -> None:
    made = place.json(*MAKE, "skr03", "--slug", "werk")
    assert made["country_config"]["chart"] == "SKR03"
    assert place.json("account", "get", "1200", "--business", "werk")["type"] == "ASS_PAY"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((*MAKE, "skr49"), "--chart skr49: Write SKR04 or SKR03."),
        ((*MAKE, "skr03", "--form", "FI_OY"), "--chart skr03: Businesses of this country have one chart."),
        (("business", "update", "--set", "country_config.chart=SKR03"), "country_config.chart: no such field"),
    ],
)
def test_a_chart_that_cannot_be_is_refused_before_anything_is_sent(
    place: Place, words: tuple[str, ...], told: str
) -> None:
    refused = place.try_run(*words)
    assert (refused.code, refused.out, told in refused.err) == (2, "", True), refused.err


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ({"currency": "EUR"}, "does not say which chart it has"),
        ({"chart": "SKR04"}, "has the chart SKR04"),
        (["SKR03"], "does not say which chart it has"),
        (None, "does not say which chart it has"),
    ],
)
def test_a_service_that_does_not_take_a_chart_is_told_of(cli: Cli, at: At, config: object, told: str) -> None:
    made = {"id": 7, "slug": "werk", "country": "DE", "country_config": config}
    with recorder(lambda sent: said(made)) as server:
        at(server)
        done = cli(*MAKE, "SKR03", "--json")
        usual = cli(*MAKE[:-1], "--json")
    assert json.loads(server.writes[0].body) == {
        "name": "Werk", "form": "DE_UG", "country_config": {"chart": "SKR03"},
    }  # fmt: skip
    # what was made is shown, and is to be found again
    assert (done.code, json.loads(done.out)["slug"]) == (10, "werk")
    assert f"business werk was made, and {told}: SKR03 was asked for" in done.err
    assert "acctcli business delete werk" in done.err
    # who asks for none takes what there is
    assert (usual.code, "country_config" in json.loads(server.writes[1].body)) == (0, False)
