"""`acctcli contact`: what its options say to the service, and what they refuse before it is asked."""

from __future__ import annotations

import re

import pytest

from tests.cli.company import company
from tests.journeys.places import Place

OPTIONS = (
    "--name", "Meyer GmbH", "--type", "business", "--customer-id", "007", "--business-id", "HRB 1",
    "--vat-id", "DE136695976", "--email", "rechnung@example.com", "--phone", "+49 30 1", "--street", "Weg 1",
    "--postal-code", "01067", "--city", "Dresden", "--country", "DE", "--language", "en", "--invoicing",
)  # fmt: skip
BODY = {
    "name": "Meyer GmbH",
    "type": "BUSINESS",
    "customer_id": "007",
    "contact_business_id": "HRB 1",
    "invoicing_tax_code": "DE136695976",
    "invoicing_email": "rechnung@example.com",
    "phone_number": "+49 30 1",
    "invoicing_street": "Weg 1",
    "invoicing_postal_code": "01067",
    "invoicing_city": "Dresden",
    "invoicing_country": "DE",
    "invoicing_language": "en",
    "is_invoicing_enabled": True,
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return company(tmp_path_factory.mktemp("contact"))


@pytest.mark.parametrize(
    ("verb", "method"), [(("create",), "POST"), (("update", "7"), "PATCH"), (("replace", "7"), "PUT")]
)
def test_every_option_is_a_field(place: Place, verb: tuple[str, ...], method: str) -> None:
    plan = place.json("contact", *verb, *OPTIONS, "--dry-run")
    record = "7/" if len(verb) > 1 else ""
    assert (plan["method"], plan["path"], plan["body"]) == (
        method,
        f"/v1/business/company/contacts/{record}",
        BODY,
    )


def test_only_what_is_given_is_sent(place: Place) -> None:
    plan = place.json("contact", "update", "7", "--no-invoicing", "--set", "notes=null", "--dry-run")
    assert plan["body"] == {"is_invoicing_enabled": False, "notes": None}


def test_a_postal_code_keeps_its_zeros(place: Place) -> None:
    made = place.json("contact", "create", "--name", "x", "--postal-code", "00100", "--set", 'name_aliases=["y"]')
    assert (made["invoicing_postal_code"], made["name_aliases"]) == ("00100", ["y"])


@pytest.mark.together
@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--type", "CAT"), "type"),
        (("--email", "nobody"), "invoicing_email"),
        (("--language", "de"), "invoicing_language"),
        (("--language", "de"), "acctcli invoice accept ID --language de"),
        (("--language", "DE"), "acctcli invoice accept ID --language de"),
        (("--set", "invoicing_citi=Turku"), "did you mean invoicing_city?"),
    ],
)
def test_a_wrong_field_costs_no_request(place: Place, options: tuple[str, ...], says: str) -> None:
    done = place.try_run("contact", "create", "--name", "x", *options)
    assert (done.code, done.out) == (2, "")
    assert says in done.err


def test_an_address_that_is_missing_is_named(place: Place) -> None:
    done = place.try_run("contact", "create", "--name", "x", "--invoicing", "--city", "Turku")
    assert (done.code, done.out) == (7, "")
    missing = ("street", "postal-code", "country")
    named = "; ".join(f"invoicing_{name.replace('-', '_')} (--{name}): Invoicing needs this field." for name in missing)
    assert done.err.startswith(f"error: {named} (400)\n")


def test_the_table_shows_who_can_be_invoiced(place: Place) -> None:
    place.run("contact", "create", *OPTIONS)
    header, rule, row = place.run("contact", "list", "--search", "meyer").lines()
    assert re.split(" {3,}", header) == [
        "id", "name", "type", "customer id", "VAT id", "invoicing country", "can be invoiced",
    ]  # fmt: skip
    assert set(rule) == {"─"}
    assert row.split()[1:] == ["Meyer", "GmbH", "BUSINESS", "007", "DE136695976", "DE", "true"]


def test_a_list_is_narrowed(place: Place) -> None:
    address = ("--street", "Katu 1", "--postal-code", "20100", "--city", "Turku", "--country", "FI")
    made = {
        name: str(place.json("contact", "create", "--name", name, *options)["id"])
        for name, options in (("Koivu", ("--invoicing", *address)), ("Koivu Oy", ()), ("koivu", ()))
    }
    tries: tuple[tuple[tuple[str, ...], set[str]], ...] = (
        ((), {"Koivu", "Koivu Oy", "koivu"}),
        (("--name", "KOIVU"), {"Koivu", "koivu"}),
        (("--exclude", made["koivu"]), {"Koivu", "Koivu Oy"}),
        (("--name", "koivu", "--exclude", made["koivu"]), {"Koivu"}),
        (("--invoicing",), {"Koivu"}),
        (("--no-invoicing",), {"Koivu Oy", "koivu"}),
    )
    for options, found in tries:
        listed = place.json("contact", "list", "--search", "koivu", *options)
        assert {one["name"] for one in listed} == found, options


def test_deleting_needs_a_yes(place: Place) -> None:
    done = place.try_run("contact", "delete", "1")
    assert (done.code, done.out) == (2, "")
    assert "Delete contact 1?" in done.err
