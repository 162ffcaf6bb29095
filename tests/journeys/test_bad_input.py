"""Bad input through the command line: the exit code of the README, the field by name, and nothing changed.

In process on SQLite: what is refused is the same everywhere, and `tests/service` proves that on both databases.
"""

from __future__ import annotations

import itertools
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_terminal import on_terminal
from tests.journeys.places import Place, fresh

ADDRESS = ("--street", "Tie 1", "--postal-code", "00100", "--city", "Helsinki", "--country", "FI")
WORK = "name=Work,unit=h,count=2,amount=100,vat=25.5"
TERMS = ("--to", "C-12", "--date", "2026-03-01", "--days", "14")
SOLD = (*TERMS, "--row", WORK)
BILL = ("--date", "2026-03-01", "--amount", "100.20", "--source", "UPLOAD")
SETTINGS = (
    "invoicing_iban=FI4950009420028730",
    "invoicing_email=sales@example.com",
    "has_accrual_based_entries_for_invoicing=true",
    "invoicing_street=Satama 1",
    "invoicing_postal_code=00100",
    "invoicing_city=Helsinki",
)
_numbers = itertools.count(1)


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return fresh("sqlite", tmp_path_factory.mktemp("bad-input"))


@pytest.fixture
def shop(office: Place, tmp_path: Path) -> Place:
    """A business that can invoice, and a customer of it."""
    slug = f"shop-{next(_numbers)}"
    own = Place(office.name, tmp_path, {**office.environ, "ACCTCLI_BUSINESS": slug})
    given = [word for setting in SETTINGS for word in ("--set", setting)]
    own.run("business", "create", "--name", "Shop Oy", "--slug", slug, "--business-id", "0112038-9", *given)
    contact = ("--name", "Meyer Oy", "--customer-id", "C-12", "--email", "m@example.com", "--invoicing")
    own.run("contact", "create", *contact, "--business-id", "1572860-0", "--vat-id", "FI15728600", *ADDRESS)
    return own


def told(shop: Place) -> tuple[str, list[Path]]:
    """All that there is, to see that nothing has changed: every row of the database, and the messages sent."""
    data = Path(shop.environ["ACCTCLI_DATA_DIR"])
    [database] = data.rglob("books.sqlite3")
    with closing(sqlite3.connect(database)) as connection:
        return "\n".join(connection.iterdump()), sorted(data.rglob("*.eml"))


def refused(shop: Place, code: int, status: int | None, *argv: str) -> dict[str, Any]:
    """The error of a refused command, as JSON; it prints nothing else, and nothing has changed."""
    before = told(shop)
    done = shop.try_run(*argv, "--json")
    assert (done.code, done.out) == (code, ""), done.err
    error: dict[str, Any] = json.loads(done.err)["error"]
    assert (error["exit_code"], error.get("status")) == (code, status), error
    assert told(shop) == before
    return error


# the options that are called otherwise than their fields
OPTIONS = {
    "contact_business_id": "--business-id",
    "invoicing_tax_code": "--vat-id",
    "sender_bank_account": "--iban",
    "invoicing_iban": "--iban",
}


def wrong(shop: Place, field: str, says: str, *argv: str) -> None:
    """Run what the service answers with 400: exit 7, this field and no other, and what would be right."""
    error = refused(shop, 7, 400, *argv)
    assert list(error["fields"]) == [field], error
    option = OPTIONS.get(field)
    assert error["message"].startswith(f"{field} ({option}): " if option else f"{field}: "), error
    assert says in error["message"]


def draft(shop: Place, *rows: str) -> str:
    given = [word for row in rows or (WORK,) for word in ("--row", row)]
    return str(shop.json("invoice", "create", *TERMS, *given)["id"])


def accepted(shop: Place, *rows: str) -> str:
    number = draft(shop, *rows)
    shop.run("invoice", "accept", number)
    return number


def buyer(shop: Place) -> str:
    return str(shop.json("contact", "list")[0]["id"])


# --- what is no draft ---


@pytest.mark.together
@pytest.mark.parametrize("way", [(), ("paid",), ("credit-loss",)])
def test_what_is_no_draft_is_neither_edited_nor_deleted(shop: Place, way: tuple[str, ...]) -> None:
    number = accepted(shop)
    for step in way:
        shop.run("invoice", step, number)
    edits = (
        ("update", number, "--days", "3"),
        ("update", number, "--row", WORK),
        ("replace", number, *SOLD),
        ("delete", number, "--yes"),
    )
    for edit in edits:
        error = refused(shop, 8, 423, "invoice", *edit)
        assert error["code"] == "locked"
        assert "credit note" in error["message"], error


# --- accepting ---


def test_an_invoice_without_rows_is_not_accepted(shop: Place) -> None:
    number = str(shop.json("invoice", "create", *TERMS)["id"])
    error = refused(shop, 8, 412, "invoice", "accept", number)
    assert (error["fields"], error["message"]) == (
        {"rows": ["An invoice needs a row: it says what was sold (AVL 209 e §)."]},
        "rows: An invoice needs a row: it says what was sold (AVL 209 e §). (412)",
    )


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("--no-invoicing",), "Invoicing is not enabled for Meyer Oy: set is_invoicing_enabled to true."),
        (
            ("--no-invoicing", "--set", "invoicing_city="),
            "Meyer Oy cannot be invoiced without invoicing_city: an invoice names the buyer's address (AVL 209 e §).",
        ),
    ],
)
def test_nobody_is_invoiced_who_cannot_be(shop: Place, change: tuple[str, ...], says: str) -> None:
    number = draft(shop)
    shop.run("contact", "update", buyer(shop), *change)
    error = refused(shop, 8, 412, "invoice", "accept", number)
    assert (error["fields"], error["message"]) == ({"receiver": [says]}, f"receiver: {says} (412)")


# --- numbers ---


@pytest.mark.together
@pytest.mark.parametrize(
    ("reference", "says"),
    [
        ("10017", "The last digit of the reference does not check the others."),
        ("RF1110016", "The check digits after RF do not fit the reference."),
        ("123", "4 to 20 digits"),
        ("A-77", "4 to 20 digits, or an RF reference"),
    ],
)
def test_a_bad_reference(shop: Place, reference: str, says: str) -> None:
    number = draft(shop)
    for argv in (("create", *SOLD), ("update", number), ("replace", number, *SOLD)):
        wrong(shop, "reference", says, "invoice", *argv, "--reference", reference)


@pytest.mark.parametrize(
    ("iban", "says"),
    [
        ("FI49 5000 9420 0287 31", "the check digits of the IBAN do not fit the account"),
        ("FI49 5000 9420 0287", "an IBAN of FI has 18 characters, and this has 16"),
    ],
)
def test_a_bad_iban(shop: Place, iban: str, says: str) -> None:
    slug = shop.environ["ACCTCLI_BUSINESS"]
    bill = str(shop.json("purchase", "create", *BILL)["id"])
    for argv in (("create", "--name", "x"), ("update", slug), ("replace", slug, "--name", "x")):
        for field in ("invoicing_iban", "finanzkasse_iban"):
            wrong(shop, field, says, "business", *argv, "--set", f"{field}={iban}")
    for bought in (("create", *BILL), ("update", bill), ("replace", bill, *BILL)):
        wrong(shop, "sender_bank_account", says, "purchase", *bought, "--iban", iban)


@pytest.mark.parametrize(
    ("number", "says"),
    [("0112038-8", "the last digit checks the others"), ("FI01120389", "7 digits, a hyphen and a check digit")],
)
def test_a_bad_business_id(shop: Place, number: str, says: str) -> None:
    slug, contact = shop.environ["ACCTCLI_BUSINESS"], buyer(shop)
    for argv in (("create", "--name", "x"), ("update", slug), ("replace", slug, "--name", "x")):
        wrong(shop, "business_id", says, "business", *argv, "--set", f"business_id={number}")
    new = ("--name", "x", "--country", "FI")
    for met in (("create", *new), ("update", contact), ("replace", contact, *new)):
        wrong(shop, "contact_business_id", says, "contact", *met, "--business-id", number)
    given = ("--type", "y_tunnus", "--value", number)
    wrong(shop, "value", says, "business", "identifier", "create", *given)


@pytest.mark.together
@pytest.mark.parametrize(
    ("number", "says"),
    [
        ("FI01120388", "after FI come 8 digits that check each other"),
        ("DE13669597", "after DE come 9 digits"),
        ("01120389", "the 2 letters of an EU country, then its number"),
    ],
)
def test_a_bad_vat_id(shop: Place, number: str, says: str) -> None:
    contact, new = buyer(shop), ("--name", "x", "--country", "FI")
    for argv in (("create", *new), ("update", contact), ("replace", contact, *new)):
        wrong(shop, "invoicing_tax_code", says, "contact", *argv, "--vat-id", number)
    given = ("--type", "vat_code", "--value", number)
    wrong(shop, "value", says, "business", "identifier", "create", *given)


def test_numbers_of_other_countries_are_kept_as_they_are_written(shop: Place) -> None:
    american = ("--country", "US", "--business-id", "C1234567", "--vat-id", "12-3456789")
    made = shop.json("contact", "create", "--name", "Smith Inc", *american)
    assert (made["contact_business_id"], made["invoicing_tax_code"]) == ("C1234567", "12-3456789")
    bill = shop.json("purchase", "create", *BILL, "--iban", "021000021 123456789")
    assert bill["sender_bank_account"] == "021000021 123456789"


# --- days, credit, sending ---


def test_nobody_pays_before_he_is_invoiced(shop: Place) -> None:
    number, slug = draft(shop), shop.environ["ACCTCLI_BUSINESS"]
    commands = (("create", *TERMS[:-2], "--row", WORK), ("update", number), ("replace", number, *TERMS[:-2]))
    for argv in commands:
        assert "--days" in refused(shop, 2, None, "invoice", *argv, "--days", "-1")["message"]
    told_by_field = refused(shop, 2, None, "invoice", "update", number, "--set", "payment_condition_days=-1")
    assert list(told_by_field["fields"]) == ["payment_condition_days"]
    usual = "invoicing_default_payment_condition_days"
    assert list(refused(shop, 2, None, "business", "update", slug, "--set", f"{usual}=-1")["fields"]) == [usual]
    # what another client sends, the service refuses
    path = f"/v1/invoicing/{slug}/invoice/{number}/"
    says = "greater than or equal to 0"
    wrong(shop, "payment_condition_days", says, "api", "PATCH", path, "--field", "payment_condition_days=-1")


def test_no_more_is_credited_than_was_invoiced(shop: Place) -> None:
    number = accepted(shop)
    more = WORK.replace("count=2", "count=2.01")
    says = "Of invoice 1 no more than 200.00 without VAT is left to credit at 25.5 % and VAT code 1."
    error = refused(shop, 8, 412, "invoice", "credit-note", number, "--row", more)
    assert (error["fields"], error["message"]) == ({"rows": [says]}, f"rows (--row): {says} (412)")
    assert "--part" in refused(shop, 2, None, "invoice", "credit-note", number, "--part", "1:3")["message"]
    first, second = (str(shop.json("invoice", "credit-note", number, "--row", WORK)["id"]) for _ in range(2))
    taken = WORK.replace("count=2", "count=-2.01")
    assert "rows" in refused(shop, 8, 412, "invoice", "update", second, "--row", taken)["fields"]
    shop.run("invoice", "accept", first)
    left = "Of invoice 1 no more than 0.00 without VAT is left to credit at 25.5 % and VAT code 1."
    assert refused(shop, 8, 412, "invoice", "accept", second)["fields"] == {"rows": [left]}


def test_sending_twice_asks(shop: Place) -> None:
    number = accepted(shop)
    first = shop.json("invoice", "send", number)
    error = refused(shop, 2, None, "invoice", "send", number)
    asked = f"Invoice {number} was sent at {first['last_delivery_at']}. Send it again?"
    assert (error["message"], error["hint"]) == (f"{asked} This cannot be taken back", "confirm with --yes")
    before = told(shop)
    screen = on_terminal(shop.environ, "invoice", "send", number, typed=b"n\n")
    assert (screen.code, told(shop)) == (2, before)
    assert asked in " ".join(screen.seen.split())
    assert "not confirmed; nothing was done" in screen.seen
    again = on_terminal(shop.environ, "invoice", "send", number, typed=b"y\n")
    assert again.code == 0, again.seen
    assert len(told(shop)[1]) == len(before[1]) + 1
