"""Documents: SQL only. A document is a draft while its entries change; posting seals it (store/schema)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import (
    Connection,
    Table,
    bindparam,
    delete,
    false,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.sql import ColumnElement

from acctcli.service.store.engine.prepared import Prepared
from acctcli.service.store.id_lists import among, portions
from acctcli.service.store.listing import Clauses, Listing
from acctcli.service.store.schema.books import document, document_attachment, document_tag, entry
from acctcli.service.store.schema.chart import account
from acctcli.service.store.schema.contacts import contact


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


def _any_entry(*clauses: ColumnElement[bool], typed: bool = False) -> ColumnElement[bool]:
    """Say that an entry of the document satisfies the clauses; `typed` brings its account in.

    The documents are collected once: asked for each document, SQLite would walk all entries of the account each time.
    """
    found = select(entry.c.document_id).where(entry.c.business_id == bindparam("business_id"), *clauses)
    if typed:
        found = found.where(account.c.business_id == entry.c.business_id, account.c.id == entry.c.account_id)
    return document.c.id.in_(found)


def _linked(table: Table, *clauses: ColumnElement[bool]) -> ColumnElement[bool]:
    """Say that the document is linked with a tag or file that satisfies the clauses; collected once as well."""
    found = select(table.c.document_id).where(table.c.business_id == bindparam("business_id"), *clauses)
    return document.c.id.in_(found)


INCOME = _any_entry(account.c.type.startswith("REV"), typed=True)
EXPENSE = _any_entry(account.c.type.startswith("EXP"), typed=True)
HAS_FILES = _linked(document_attachment)
OF_NAMED_CONTACT = document.c.contact_id.in_(
    select(contact.c.id).where(
        contact.c.business_id == bindparam("business_id"),
        contact.c.sort_name.like(bindparam("search"), escape="\\"),
    )
)
IN_BUSINESS = document.c.business_id == bindparam("business_id")
ROW = tuple(document.c[name] for name in DocumentRow._fields)

# the clauses a list may be narrowed by; each takes the parameters named in it, if any
FILTERS: dict[str, ColumnElement[bool]] = {
    "search": or_(document.c.search_text.like(bindparam("search"), escape="\\"), OF_NAMED_CONTACT),
    "account": _any_entry(entry.c.account_id == bindparam("account")),
    "account_types": _any_entry(account.c.type.in_(bindparam("account_types", expanding=True)), typed=True),
    "contact": document.c.contact_id == bindparam("contact"),
    "date_from": document.c.date >= bindparam("date_from"),
    "date_to": document.c.date <= bindparam("date_to"),
    "income": INCOME,
    "no_income": ~INCOME,
    "expense": EXPENSE,
    "no_expense": ~EXPENSE,
    "file": _linked(document_attachment, document_attachment.c.attachment_id == bindparam("file")),
    "tags": _linked(document_tag, document_tag.c.tag_id == bindparam("tags")),
    "has_attachments": HAS_FILES,
    "no_attachments": ~HAS_FILES,
    "is_draft": document.c.is_draft == bindparam("is_draft"),
    "is_flagged": document.c.is_flagged == bindparam("is_flagged"),
    "is_locked": document.c.is_locked == bindparam("is_locked"),
    "number": document.c.number == bindparam("number"),
    "vat_code": _any_entry(entry.c.vat_code == bindparam("vat_code")),
    "vat_rate": _any_entry(entry.c.vat_rate == bindparam("vat_rate")),
    "nothing": false(),
}
LISTING = Listing(document, ROW, (document.c.date.desc(), document.c.id.desc()), FILTERS)


def list_page(
    conn: Connection, business_id: int, clauses: Clauses, *, limit: int, offset: int
) -> tuple[int, list[DocumentRow]]:
    """Return how many documents pass the clauses, and one page of them, newest date and id first."""
    count, rows = LISTING.page(conn, business_id, clauses, limit=limit, offset=offset)
    return count, [DocumentRow._make(row) for row in rows]


_ONE = select(*ROW).where(IN_BUSINESS, document.c.id == bindparam("document_id"))
ONE = Prepared(_ONE)
ONE_FOR_UPDATE = Prepared(_ONE.with_for_update())


def get(conn: Connection, business_id: int, document_id: int, *, for_update: bool = False) -> DocumentRow | None:
    """Return a document of the business, or None; `for_update` keeps other writers away until the commit."""
    statement = ONE_FOR_UPDATE if for_update else ONE
    row = statement.one(conn, business_id=business_id, document_id=document_id)
    return None if row is None else DocumentRow._make(row)


@cache
def _several(length: int) -> Prepared:
    return Prepared(select(*ROW).where(IN_BUSINESS, among(document.c.id, length)))


def several(conn: Connection, business_id: int, document_ids: Iterable[int]) -> list[DocumentRow]:
    """Return the documents of these ids."""
    lists = portions(document_ids)
    return [
        DocumentRow._make(row)
        for length, values in lists
        for row in _several(length).all(conn, business_id=business_id, **values)
    ]


@cache
def _of_invoices(length: int) -> Prepared:
    these = (IN_BUSINESS, among(document.c.invoice_id, length))
    return Prepared(select(*ROW).where(*these).order_by(document.c.id))


def of_invoices(conn: Connection, business_id: int, invoice_ids: Iterable[int]) -> list[DocumentRow]:
    """Return the documents that sales invoices are booked by."""
    lists = portions(invoice_ids)
    return [
        DocumentRow._make(row)
        for length, values in lists
        for row in _of_invoices(length).all(conn, business_id=business_id, **values)
    ]


THIS = (document.c.business_id == bindparam("of_business"), document.c.id == bindparam("of_document"))
INSERT = Prepared(
    insert(document).returning(document.c.id),
    *(column.name for column in document.columns if not column.primary_key),
)
UNSEAL = (
    update(document)
    .where(*THIS)
    .values(
        is_draft=True,
        **{
            name: bindparam(name)
            for name in (
                "updated_at",
                "number",
                "is_flagged",
                "date",
                "description",
                "search_text",
                "contact_id",
                "type",
                "blueprint",
                "blueprint_type",
                "balance_cents",
                "total_cents",
            )
        },
    )
)
# what a document is that nothing but its own writers keeps
FREE = {"locked_by": None, "invoice_id": None, "invoice_role": None}
SEAL = Prepared(update(document).where(*THIS).values(is_draft=False))
SET_FLAG = update(document).where(*THIS).values(is_flagged=bindparam("is_flagged"), updated_at=bindparam("updated_at"))
# whoever locks or unlocks by hand takes the lock over from the VAT period
SET_LOCK = (
    update(document)
    .where(*THIS)
    .values(is_locked=bindparam("is_locked"), locked_by=None, updated_at=bindparam("updated_at"))
)
TOUCH = update(document).where(*THIS).values(updated_at=bindparam("updated_at"))
DELETE = delete(document).where(*THIS)


def create(conn: Connection, values: Mapping[str, Any]) -> int:
    """Insert an unsealed document and return its id."""
    row = INSERT.one(conn, **{**FREE, **values, "is_draft": True})
    assert row is not None
    return int(row[0])


def unseal(conn: Connection, business_id: int, document_id: int, values: Mapping[str, Any]) -> None:
    """Write the new values of a document and make it a draft, so that its entries may be replaced."""
    conn.execute(UNSEAL, {**values, "of_business": business_id, "of_document": document_id})


def seal(conn: Connection, business_id: int, document_id: int) -> None:
    """Post a document: its entries enter the books, and the database refuses it unless they balance."""
    SEAL.run(conn, of_business=business_id, of_document=document_id)


def set_flag(conn: Connection, business_id: int, document_id: int, is_flagged: bool, stamp: str) -> None:
    """Flag a document or take the flag off."""
    values = {"is_flagged": is_flagged, "updated_at": stamp}
    conn.execute(SET_FLAG, {**values, "of_business": business_id, "of_document": document_id})


def set_lock(conn: Connection, business_id: int, document_id: int, is_locked: bool, stamp: str) -> None:
    """Lock or unlock a document."""
    values = {"is_locked": is_locked, "updated_at": stamp}
    conn.execute(SET_LOCK, {**values, "of_business": business_id, "of_document": document_id})


def touch(conn: Connection, business_id: int, document_id: int, stamp: str) -> None:
    """Note that something that belongs to a document changed."""
    conn.execute(TOUCH, {"updated_at": stamp, "of_business": business_id, "of_document": document_id})


def remove(conn: Connection, business_id: int, document_id: int) -> None:
    """Delete a document; its entries leave the books with it."""
    conn.execute(DELETE, {"of_business": business_id, "of_document": document_id})
