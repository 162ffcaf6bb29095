"""Wrong account numbers, business ids and VAT ids over HTTP: refused by field, nothing changed, old records left be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import update

from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.schema.business import business, contact
from acctcli.service.store.schema.invoicing import purchase_invoice
from tests.service.actor import World
from tests.service.routes.books import Books
from tests.sql import execute

BILL = {"invoicing_date": "2026-03-01", "amount": 1, "import_source": "UPLOAD"}
IBAN = "An IBAN is needed, such as FI49 5000 9420 0287 30: the check digits of the IBAN do not fit the account."
VAT_ID = "A VAT id is needed, such as FI01120389: after DE come 9 digits that check each other, and these do not."
Y_TUNNUS = "A Y-tunnus is needed, such as 0112038-9: the last digit checks the others, and this one does not."

# the right number, the wrong one, and what is said of it, by record and field
CONTACT = {
    "contact_business_id": ("0112038-9", "0112038-8", Y_TUNNUS),
    "invoicing_tax_code": ("DE136695976", "DE136695977", VAT_ID),
    "invoicing_einvoice_address": (
        "003701120389",
        "003701120388",
        "An OVT code is needed, such as 003701120389: 0037 and the digits of a Y-tunnus.",
    ),
}
BUSINESS = {
    "invoicing_iban": ("FI49 5000 9420 0287 30", "FI49 5000 9420 0287 31", IBAN),
    "finanzkasse_iban": ("DE89370400440532013000", "DE89370400440532013001", IBAN),
}
PURCHASE = {"sender_bank_account": ("fi49 5000 9420 0287 30", "FI49 5000 9420 0287 31", IBAN)}


def refused(books: Books, method: str, path: str, body: dict[str, Any], faults: dict[str, str]) -> None:
    """Send what is refused with exactly these texts."""
    reply = books.send(method, path, body)
    first = next(iter(faults.items()))
    told = {"code": "validation_error", "detail": ": ".join(first)} | {name: [text] for name, text in faults.items()}
    assert (reply.status, reply.body) == (400, told)


@pytest.mark.together
@pytest.mark.parametrize("field", CONTACT)
def test_a_number_of_a_contact(books: Books, field: str) -> None:
    right, wrong, text = CONTACT[field]
    made = books.create("contacts/", {"name": "x", field: right})
    assert made[field] == right
    path = f"contacts/{made['id']}/"
    refused(books, "POST", "contacts/", {"name": "x", field: wrong}, {field: text})
    for method in ("PUT", "PATCH"):
        refused(books, method, path, {"name": "y", field: wrong}, {field: text})
    assert books.get("contacts/").body["results"] == [made]


def test_every_wrong_number_of_a_contact_is_named(books: Books) -> None:
    body = {"name": "x", **{field: wrong for field, (_, wrong, _) in CONTACT.items()}}
    refused(books, "POST", "contacts/", body, {field: text for field, (_, _, text) in CONTACT.items()})


def test_a_country_makes_a_number_wrong(books: Books) -> None:
    made = books.create("contacts/", {"name": "x", "invoicing_tax_code": "12-3456789", "contact_business_id": "HRB 1"})
    path = f"contacts/{made['id']}/"
    text = "A VAT id is needed, such as FI01120389: the 2 letters of an EU country, then its number."
    refused(books, "PATCH", path, {"invoicing_country": "DE"}, {"invoicing_tax_code": text})
    assert books.get(path).body == made
    assert books.change(path, invoicing_country="US")["invoicing_tax_code"] == "12-3456789"
    assert (
        books.change(path, invoicing_country="DE", invoicing_tax_code="DE136695976")["contact_business_id"] == "HRB 1"
    )


@pytest.mark.parametrize("field", BUSINESS)
def test_an_account_of_a_business(books: Books, field: str) -> None:
    right, wrong, text = BUSINESS[field]
    made = books.change("", **{field: right})
    assert made[field] == right
    for method in ("PUT", "PATCH"):
        refused(books, method, "", {"name": "y", field: wrong}, {field: text})
    assert books.get("").body == made
    assert books.change("", **{field: ""})[field] is None


def test_with_a_wrong_account_nothing_else_is_written(books: Books) -> None:
    before = books.get("identifiers/").body
    reply = books.send("PUT", "", {"name": "y", "invoicing_iban": "x", "business_id": "0112038-9"})
    assert (reply.status, reply.faults) == (400, ["invoicing_iban"])
    assert books.get("identifiers/").body == before


@pytest.mark.parametrize("field", PURCHASE)
def test_an_account_to_pay_to(invoicing: Books, field: str) -> None:
    right, wrong, text = PURCHASE[field]
    made = invoicing.create("purchase_invoice/", BILL | {field: right})
    assert made[field] == right
    path = f"purchase_invoice/{made['id']}/"
    refused(invoicing, "POST", "purchase_invoice/", BILL | {field: wrong}, {field: text})
    for method in ("PUT", "PATCH"):
        refused(invoicing, method, path, BILL | {field: wrong}, {field: text})
    assert invoicing.get("purchase_invoice/").body["results"] == [made]


# --- what was let in before ---


@pytest.fixture
def spoil(shared: World) -> Callable[..., None]:
    """Write into a table what the service would refuse."""

    def write(table: Any, record_id: int, **values: str) -> None:
        def work(conn: Connection) -> None:
            execute(conn, update(table).where(table.c.id == record_id).values(**values))

        shared.database.write(work)

    return write


@pytest.mark.everywhere
def test_an_old_contact_can_be_changed(books: Books, spoil: Callable[..., None]) -> None:
    made = books.create("contacts/", {"name": "x"})
    path = f"contacts/{made['id']}/"
    numbers = {field: wrong for field, (_, wrong, _) in CONTACT.items()}
    spoil(contact, made["id"], **numbers)
    old = books.get(path).body
    assert books.change(path, name="y", invoicing_country="FI") == old | {"name": "y", "invoicing_country": "FI"}
    assert books.send("PUT", path, {"name": "z", **numbers}).status == 200
    assert books.send("PATCH", path, {"invoicing_tax_code": "DE136695978"}).faults == ["invoicing_tax_code"]
    assert books.change(path, invoicing_tax_code="DE136695976", contact_business_id=None)["name"] == "z"


@pytest.mark.everywhere
def test_an_old_business_can_be_changed(books: Books, spoil: Callable[..., None]) -> None:
    spoil(business, books.business_id, invoicing_iban="x")
    assert books.change("", invoicing_city="Oulu")["invoicing_iban"] == "x"
    assert books.send("PATCH", "", {"invoicing_iban": "y"}).faults == ["invoicing_iban"]
    assert books.change("", invoicing_iban=None)["invoicing_iban"] is None


@pytest.mark.everywhere
def test_an_old_purchase_invoice_can_be_paid(invoicing: Books, spoil: Callable[..., None]) -> None:
    made = invoicing.create("purchase_invoice/", BILL)
    spoil(purchase_invoice, made["id"], sender_bank_account="FI49 5000 9420 0287 31")
    assert invoicing.change(f"purchase_invoice/{made['id']}/", is_paid=True)["is_paid"] is True
