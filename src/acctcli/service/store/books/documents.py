"""Documents: SQL only. A document is a draft while its entries change; posting seals it (store/schema)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, NamedTuple

from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement, columns, insert, update
from acctcli.service.store.listing import ALL, Clauses, tally
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
get, several, remove = ROWS.get, ROWS.several, ROWS.remove

# A single filter needs no walk through all documents: what posted ones are found by is kept, and how many there are.
# CROSS JOIN keeps SQLite from walking through them all the same.
THIS = "business_id = :business_id"
PAGE = "ORDER BY date DESC, id DESC LIMIT :limit OFFSET :offset"
KEYED = f"{THIS} AND kind = :kind AND key = :key"
COUNT_KEYED = Statement(f"SELECT count FROM document_key_count WHERE {KEYED}")
BY_KEY = Query(
    DocumentRow,
    f"""SELECT {columns(DocumentRow, "document")} FROM (
        SELECT document_id FROM document_key WHERE {KEYED}
        ORDER BY date DESC, document_id DESC LIMIT :limit OFFSET :offset) AS found
    CROSS JOIN document WHERE document.business_id = :business_id AND document.id = found.document_id
    ORDER BY document.date DESC, document.id DESC""",
)
NOT_BY_KEY = Query(
    DocumentRow,
    f"""SELECT {columns(DocumentRow)} FROM document WHERE {THIS} AND NOT EXISTS (
        SELECT 1 FROM document_key WHERE document_key.business_id = document.business_id
        AND kind = :kind AND key = :key AND document_key.date = document.date AND document_id = document.id) {PAGE}""",
)
LINKED = {
    name: (
        Statement(f"SELECT count(*) FROM {table} WHERE {THIS} AND {column} = :{name}"),
        Query(
            DocumentRow,
            f"""SELECT {columns(DocumentRow, "document")} FROM {table}
            CROSS JOIN document WHERE document.business_id = {table}.business_id AND document.id = {table}.document_id
            AND {table}.business_id = :business_id AND {column} = :{name} {PAGE}""",
        ),
    )
    for name, table, column in (("tags", "document_tag", "tag_id"), ("file", "document_attachment", "attachment_id"))
}
# of more a page is found sooner by walking through all documents than by sorting these
FEW = 2000
# as their indexes say it: those of drafts and flags have no other documents
FLAGS = {
    "is_draft": {True: "is_draft", False: "NOT is_draft"},
    "is_flagged": {True: "is_flagged", False: "NOT is_flagged"},
    "is_locked": {True: "is_locked = true", False: "is_locked = false"},
}
FLAGGED = {
    flag: (
        Statement(f"SELECT count(*) FROM document WHERE {THIS} AND {said[True]}"),
        {
            is_set: Query(DocumentRow, f"SELECT {columns(DocumentRow)} FROM document WHERE {THIS} AND {where} {PAGE}")
            for is_set, where in said.items()
        },
    )
    for flag, said in FLAGS.items()
}


def list_page(
    conn: Connection, business_id: int, clauses: Clauses = ALL, *, limit: int, offset: int
) -> tuple[int, list[DocumentRow]]:
    """Return how many documents pass the clauses, and one page of them, the latest first."""
    part = {"business_id": business_id, "limit": limit, "offset": offset}
    if len(clauses) == 1:
        ((name, values),) = clauses.items()
        if name in FLAGGED:
            counting, rows = FLAGGED[name]
            count, is_set = counting.value(conn, business_id=business_id), values[name]
            return count if is_set else _all(conn, business_id) - count, rows[is_set].all(conn, **part)
        if name in LINKED:
            counting, linked = LINKED[name]
            if (count := counting.value(conn, business_id=business_id, **values)) <= FEW:
                return count, linked.all(conn, **part, **values)
        if (key := _key(name.removeprefix("no_"), values)) is not None:
            count = COUNT_KEYED.value(conn, business_id=business_id, **key) or 0
            if name.startswith("no_"):
                return _all(conn, business_id) - count, NOT_BY_KEY.all(conn, **part, **key)
            return count, BY_KEY.all(conn, **part, **key)
    return ROWS.list_page(conn, business_id, clauses, limit=limit, offset=offset)


def _all(conn: Connection, business_id: int) -> int:
    return tally(conn, business_id, "document")[0]


def _key(name: str, values: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return what documents are found by for a filter; None when there is no one key for it."""
    if name in ("account", "vat_code", "vat_rate"):
        return {"kind": name, "key": values[name]}
    if name in ("income", "expense"):
        return {"kind": name, "key": 0}
    if name == "account_types" and len(values[name]) == 1:
        return {"kind": values[name][0], "key": 0}
    return None


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
