"""Businesses, accounts and documents from their first day to their last, and every refusal on the way."""

from __future__ import annotations

import pytest

from tests.journeys.places import Place

SALE = {
    "debet_account_id": 1910,
    "credit_entries": [{"account_id": 3000, "amount": 125, "vat_code": 1, "vat_rate": 25.5}],
}


@pytest.fixture
def sale(place: Place) -> int:
    """The id of a posted sale."""
    body = place.write("sale.json", {"date": "2026-03-02", "description": "Sale", "blueprint": SALE})
    number: int = place.json("document", "create", "--file", body, "--account-numbers")["id"]
    return number


def refused(place: Place, code: int, *argv: str) -> str:
    """The one line that a refused command says; it exits with this code and prints nothing else."""
    done = place.try_run(*argv)
    assert (done.code, done.out) == (code, ""), done.err
    first, *hints = done.err.splitlines()
    assert first.startswith("error: ")
    assert all(hint.startswith("hint: ") for hint in hints)
    return first


def test_a_business_lives(place: Place) -> None:
    slug = place.environ["ACCTCLI_BUSINESS"] + "x"
    made = place.json("business", "create", "--name", "Uusi Oy", "--slug", slug, "--set", "invoicing_postal_code=00100")
    assert (made["slug"], made["form"], made["country"]) == (slug, "FI_OY", "FI")
    assert made["invoicing_postal_code"] == "00100"
    changed = place.json("business", "update", slug, "--name", "Vanha Oy", "--set", "invoicing_city=Turku")
    assert (changed["name"], changed["invoicing_city"], changed["invoicing_postal_code"]) == (
        "Vanha Oy",
        "Turku",
        "00100",
    )
    replaced = place.json("business", "replace", slug, "--name", "Kolmas Oy")
    assert (replaced["name"], replaced["invoicing_city"], replaced["slug"]) == ("Kolmas Oy", None, slug)
    assert [one["slug"] for one in place.json("business", "list", "--search", "kolmas oy") if one["slug"] == slug] == [
        slug
    ]
    assert "cannot be taken back" in refused(place, 2, "business", "delete", slug)
    place.run("business", "delete", slug, "--yes")
    refused(place, 6, "business", "get", slug)


def test_identifiers_are_listed(place: Place) -> None:
    slug = place.environ["ACCTCLI_BUSINESS"]
    place.run("business", "update", slug, "--business-id", "0112038-9")
    listed = place.json("business", "identifier", "list")
    assert [(one["type"], one["value"]) for one in listed] == [("y_tunnus", "0112038-9")]
    assert "business_id" in refused(place, 7, "business", "update", slug, "--business-id", "0112038-8")


def test_an_identifier_lives(place: Place) -> None:
    group = ("business", "identifier")
    made = place.json(*group, "create", "--type", "vat_code", "--value", "FI01120389")
    number = str(made["id"])
    assert made == {"id": made["id"], "type": "vat_code", "value": "FI01120389"}
    assert place.json(*group, "get", number) == made
    assert place.json(*group, "update", number, "--value", "FI15728600")["value"] == "FI15728600"
    replaced = place.json(*group, "replace", number, "--type", "vat_code", "--value", "FI20774740")
    assert replaced == {**made, "value": "FI20774740"}
    assert "value" in refused(place, 7, *group, "update", number, "--value", "FI20774741")
    place.run(*group, "delete", number, "--yes")
    refused(place, 6, *group, "get", number)


def test_an_account_lives(place: Place) -> None:
    made = place.json("account", "create", "--number", "1930", "--name", "Savings", "--type", "ASS_PAY")
    assert (made["number"], made["name"], made["padded_number"]) == ("1930", "Savings", 1930000)
    assert "number" in refused(place, 7, "account", "create", "--number", "1930", "--name", "Twice")
    assert place.json("account", "update", "1930", "--name", "Deposits")["name"] == "Deposits"
    assert place.json("account", "hide", "1930")["is_shown"] is False
    assert [one["number"] for one in place.json("account", "list", "--hidden")] == ["1930"]
    assert place.json("account", "show", "1930")["is_shown"] is True
    listed = place.json("account", "list", "--number-gte", "1900", "--number-lte", "1930", "--type", "ASS_PAY")
    assert [one["number"] for one in listed] == ["1900", "1910", "1920", "1930"]
    place.run("account", "delete", "1930", "--yes")
    assert "no account 1930" in refused(place, 6, "account", "get", "1930")
    refused(place, 6, "account", "get", f"id:{made['id']}")


def test_an_account_in_use_stays(place: Place, sale: int) -> None:
    refused(place, 8, "account", "delete", "1910", "--yes")
    found = place.json("account", "get", "1910")
    assert (str(found["balance"]), found["is_used"]) == ("125.00", True)


@pytest.mark.everywhere
def test_a_document_lives(place: Place, sale: int) -> None:
    number = str(sale)
    assert place.json("document", "get", number)["number"] == "260302-1"
    changed = place.json("document", "update", number, "--description", "Counter sale")
    assert (changed["description"], changed["number"], str(changed["balance"])) == (
        "Counter sale",
        "260302-1",
        "125.00",
    )
    assert place.json("document", "flag", number)["is_flagged"] is True
    assert [one["id"] for one in place.json("document", "list", "--flagged")] == [sale]
    assert place.json("document", "unflag", number)["is_flagged"] is False
    copy = place.json("document", "copy", number, "--date", "2026-03-05")
    assert (copy["number"], copy["description"], str(copy["balance"])) == ("260305-1", "Counter sale", "125.00")
    assert [one["id"] for one in place.json("document", "list", "--period", "2026-03")] == [copy["id"], sale]
    draft = place.json("document", "create", "--draft", "--description", "Later")
    assert (draft["number"], draft["is_draft"]) == (None, True)
    place.run("document", "delete", str(draft["id"]), "--yes")
    refused(place, 6, "document", "get", str(draft["id"]))


def test_a_locked_document_does_not_change(place: Place, sale: int) -> None:
    number = str(sale)
    place.run("document", "lock", number)
    before = place.json("document", "get", number)
    for command in (
        ("update", number, "--description", "x"),
        ("replace", number, "--description", "x"),
        ("delete", number, "--yes"),
    ):
        assert "lock" in refused(place, 8, "document", *command).lower()
    assert place.json("document", "get", number) == before
    place.run("document", "unlock", number)
    assert place.json("document", "update", number, "--description", "x")["description"] == "x"


def test_what_does_not_balance_is_not_posted(place: Place) -> None:
    rows = {
        "debet_entries": [{"account_id": 1910, "amount": 10}],
        "credit_entries": [{"account_id": 3000, "amount": 9}],
    }
    body = place.write("odd.json", {"date": "2026-03-02", "blueprint": rows})
    assert "blueprint" in refused(place, 7, "document", "create", "--file", body, "--account-numbers")
    assert place.json("document", "list") == []


def test_an_unknown_account_is_named(place: Place) -> None:
    body = place.write("odd.json", {"blueprint": {**SALE, "debet_account_id": 123456789}})
    assert "blueprint" in refused(place, 7, "document", "create", "--file", body)
    assert "no account 4321" in refused(
        place, 2, "document", "create", "--account-numbers", "--set", "blueprint.debet_account_id=4321"
    )


def test_unknown_things_are_not_found(place: Place) -> None:
    refused(place, 6, "document", "get", "999999")
    refused(place, 6, "account", "get", "id:999999")
    refused(place, 6, "account", "list", "--business", "nobody-here")
    refused(place, 6, "api", "GET", "/v1/nothing/")


def test_a_wrong_filter_is_rejected_by_name(place: Place) -> None:
    assert "type" in refused(place, 7, "account", "list", "--type", "NOPE")
    assert "--period" in refused(place, 2, "document", "list", "--period", "soon")


def test_the_user_changes_his_own_profile(place: Place) -> None:
    changed = place.json("user", "update", "--set", "first_name=Aino", "--set", "language=fi")
    assert (changed["first_name"], changed["language"]) == ("Aino", "fi")
    assert place.json("user", "get")["first_name"] == "Aino"
    assert place.json("user", "replace", "--set", "last_name=Lehto")["last_name"] == "Lehto"
    assert "language" in refused(place, 2, "user", "update", "--set", "language=xx")


def test_any_request_can_be_sent(place: Place) -> None:
    found = place.run("api", "GET", "/v1/business/{business}/account/", "--field", "number=1910").out
    assert '"number": "1910"' in found
    rows = place.run("api", "GET", "/v1/business/{business}/account/", "--paginate", "--page-size", "10", "-o", "jsonl")
    assert len(rows.lines()) == 51
    made = place.json("api", "POST", "/v1/business/{business}/document/", "--field", "description=by hand")
    assert made["description"] == "by hand"
    place.run("api", "DELETE", f"/v1/business/{{business}}/document/{made['id']}/", "--yes")
    refused(place, 6, "document", "get", str(made["id"]))


def test_a_dry_run_changes_nothing(place: Place, sale: int) -> None:
    before = place.json("document", "get", str(sale))
    plan = place.json("document", "update", str(sale), "--description", "x", "--dry-run")
    assert (plan["method"], plan["body"]) == ("PATCH", {"description": "x"})
    assert plan["path"].endswith(f"/document/{sale}/")
    place.run("document", "delete", str(sale), "--dry-run")
    assert place.json("document", "get", str(sale)) == before
