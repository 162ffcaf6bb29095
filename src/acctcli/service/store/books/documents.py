"""Documents: SQL only. A document is a draft while its entries change; posting seals it (store/schema)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, NamedTuple

from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, columns, insert, update
from acctcli.service.store.rows import Rows


class DocumentRow(NamedTuple):
    """A document as it is stored; `blueprint` is the JSON text that goes to the wire.

    `locked_by` is the VAT period whose lock locked it, null when it was locked by itself; `total_cents` the debit sum.
    `invoice_id` is the sales invoice whose actions write and delete it, `invoice_role` its part in the invoice's life.
    """

    id: int
    created_at: str
    updated_at: str
    number: str | None
    is_flagged: bool
    is_locked: bool
    is_draft: bool
    date: date
    description: str
    contact_id: int | None
    type: int
    blueprint: str
    blueprint_type: str
    balance_cents: int
    total_cents: int
    locked_by: int | None
    invoice_id: int | None
    invoice_role: str | None


# The documents with such an entry are collected once: asked for each document, SQLite would walk all entries of the
# account each time
ENTRY = "SELECT document_id FROM entry WHERE business_id = :business_id"
TYPED = """SELECT entry.document_id FROM entry
    JOIN account ON account.business_id = entry.business_id AND account.id = entry.account_id
    WHERE entry.business_id = :business_id"""
INCOME = f"id IN ({TYPED} AND account.type LIKE 'REV%')"
EXPENSE = f"id IN ({TYPED} AND account.type LIKE 'EXP%')"
FILED = "SELECT document_id FROM document_attachment WHERE business_id = :business_id"
CALLED = r"SELECT id FROM contact WHERE business_id = :business_id AND sort_name LIKE :search ESCAPE '\'"

ROWS = Rows(
    DocumentRow,
    "document",
    "date DESC, id DESC",
    # each takes the parameters named in it, if any
    {
        "search": rf"(search_text LIKE :search ESCAPE '\' OR contact_id IN ({CALLED}))",
        "account": f"id IN ({ENTRY} AND account_id = :account)",
        "account_types": f"id IN ({TYPED} AND account.type IN (:account_types...))",
        "contact": "contact_id = :contact",
        "date_from": "date >= :date_from",
        "date_to": "date <= :date_to",
        "income": INCOME,
        "no_income": f"NOT {INCOME}",
        "expense": EXPENSE,
        "no_expense": f"NOT {EXPENSE}",
        "file": f"id IN ({FILED} AND attachment_id = :file)",
        "tags": "id IN (SELECT document_id FROM document_tag WHERE business_id = :business_id AND tag_id = :tags)",
        "has_attachments": f"id IN ({FILED})",
        "no_attachments": f"NOT id IN ({FILED})",
        "is_draft": "is_draft = :is_draft",
        "is_flagged": "is_flagged = :is_flagged",
        "is_locked": "is_locked = :is_locked",
        "number": "number = :number",
        "vat_code": f"id IN ({ENTRY} AND vat_code = :vat_code)",
        "vat_rate": f"id IN ({ENTRY} AND vat_rate = :vat_rate)",
        "nothing": "false",
    },
)
# `get` with `for_update` keeps other writers away until the commit; entries leave the books with a document removed
list_page, get, several, remove = ROWS.list_page, ROWS.get, ROWS.several, ROWS.remove

# what a document is that nothing but its own writers keeps
FREE = {"locked_by": None, "invoice_id": None, "invoice_role": None}

OF_INVOICES = Query(
    DocumentRow,
    f"""SELECT {columns(DocumentRow)} FROM document
    WHERE business_id = :business_id AND invoice_id IN (:ids...) ORDER BY id""",
)


def of_invoices(conn: Connection, business_id: int, invoice_ids: Iterable[int]) -> list[DocumentRow]:
    """Return the documents that sales invoices are booked by."""
    return OF_INVOICES.all(conn, business_id=business_id, ids=invoice_ids)


def create(conn: Connection, values: Mapping[str, Any]) -> int:
    """Insert an unsealed document and return its id."""
    return insert(conn, "document", {**FREE, **values, "is_draft": True})


def unseal(conn: Connection, business_id: int, document_id: int, values: Mapping[str, Any]) -> None:
    """Write the new values of a document and make it a draft, so that its entries may be replaced."""
    update(conn, "document", {**values, "is_draft": True}, business_id=business_id, id=document_id)


def seal(conn: Connection, business_id: int, document_id: int) -> None:
    """Post a document: its entries enter the books, and the database refuses it unless they balance."""
    update(conn, "document", {"is_draft": False}, business_id=business_id, id=document_id)


def set_flag(conn: Connection, business_id: int, document_id: int, is_flagged: bool, stamp: str) -> None:
    """Flag a document or take the flag off."""
    ROWS.change(conn, business_id, document_id, {"is_flagged": is_flagged, "updated_at": stamp})


def set_lock(conn: Connection, business_id: int, document_id: int, is_locked: bool, stamp: str) -> None:
    """Lock or unlock a document: whoever does so by hand takes the lock over from the VAT period."""
    ROWS.change(conn, business_id, document_id, {"is_locked": is_locked, "locked_by": None, "updated_at": stamp})


def touch(conn: Connection, business_id: int, document_id: int, stamp: str) -> None:
    """Note that something that belongs to a document changed."""
    ROWS.change(conn, business_id, document_id, {"updated_at": stamp})
