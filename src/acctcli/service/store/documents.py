"""Documents: SQL only. A document is a draft while its entries change; posting seals it (store/schema)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import (
    Connection,
    Select,
    bindparam,
    delete,
    false,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.sql import ColumnElement

from acctcli.service.store import tallies
from acctcli.service.store.prepared import Prepared
from acctcli.service.store.schema import account, document, entry


class DocumentRow(NamedTuple):
    """A document as it is stored; `blueprint` is the JSON text that goes to the wire."""

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


def _any_entry(*clauses: ColumnElement[bool], typed: bool = False) -> ColumnElement[bool]:
    """Say that an entry of the document satisfies the clauses; `typed` brings its account in.

    The documents are collected once: asked for each document, SQLite would walk all entries of the account each time.
    """
    found = select(entry.c.document_id).where(entry.c.business_id == bindparam("business_id"), *clauses)
    if typed:
        found = found.where(account.c.business_id == entry.c.business_id, account.c.id == entry.c.account_id)
    return document.c.id.in_(found)


INCOME = _any_entry(account.c.type.startswith("REV"), typed=True)
EXPENSE = _any_entry(account.c.type.startswith("EXP"), typed=True)
IN_BUSINESS = document.c.business_id == bindparam("business_id")
ROW = tuple(document.c[name] for name in DocumentRow._fields)

# the clauses a list may be narrowed by; each takes the parameters named in it, if any
FILTERS: dict[str, ColumnElement[bool]] = {
    "search": document.c.search_text.like(bindparam("search"), escape="\\"),
    "account": _any_entry(entry.c.account_id == bindparam("account")),
    "account_types": _any_entry(account.c.type.in_(bindparam("account_types", expanding=True)), typed=True),
    "contact": document.c.contact_id == bindparam("contact"),
    "date_from": document.c.date >= bindparam("date_from"),
    "date_to": document.c.date <= bindparam("date_to"),
    "income": INCOME,
    "no_income": ~INCOME,
    "expense": EXPENSE,
    "no_expense": ~EXPENSE,
    "is_draft": document.c.is_draft == bindparam("is_draft"),
    "is_flagged": document.c.is_flagged == bindparam("is_flagged"),
    "is_locked": document.c.is_locked == bindparam("is_locked"),
    "number": document.c.number == bindparam("number"),
    "vat_code": _any_entry(entry.c.vat_code == bindparam("vat_code")),
    "vat_rate": _any_entry(entry.c.vat_rate == bindparam("vat_rate")),
    "nothing": false(),
}


@cache
def _page(active: frozenset[str]) -> Select[Any]:
    clauses = (FILTERS[name] for name in sorted(active))
    page = select(*ROW).where(IN_BUSINESS, *clauses).order_by(document.c.date.desc(), document.c.id.desc())
    return page.limit(bindparam("limit")).offset(bindparam("offset"))


@cache
def _count(active: frozenset[str]) -> Select[int]:
    clauses = (FILTERS[name] for name in sorted(active))
    return select(func.count()).select_from(document).where(IN_BUSINESS, *clauses)


def list_page(
    conn: Connection,
    business_id: int,
    filters: Mapping[str, Mapping[str, Any]],
    *,
    limit: int,
    offset: int,
) -> tuple[int, list[DocumentRow]]:
    """Return how many documents pass the filters, and one page of them, newest date and id first.

    `filters` maps a name in FILTERS to the parameters of its clause. Without filters nothing is counted.
    """
    active = frozenset(filters)
    values: dict[str, Any] = {"business_id": business_id}
    for parameters in filters.values():
        values |= parameters
    if active:
        count = conn.execute(_count(active), values).scalar_one()
    else:
        count = tallies.count(conn, business_id, document.name)
    rows = conn.execute(_page(active), {**values, "limit": limit, "offset": offset})
    return count, [DocumentRow._make(row) for row in rows]


_ONE = select(*ROW).where(IN_BUSINESS, document.c.id == bindparam("document_id"))
ONE = Prepared(_ONE)
ONE_FOR_UPDATE = Prepared(_ONE.with_for_update())


def get(conn: Connection, business_id: int, document_id: int, *, for_update: bool = False) -> DocumentRow | None:
    """Return a document of the business, or None; `for_update` keeps other writers away until the commit."""
    statement = ONE_FOR_UPDATE if for_update else ONE
    row = statement.one(conn, business_id=business_id, document_id=document_id)
    return None if row is None else DocumentRow._make(row)


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
SEAL = Prepared(update(document).where(*THIS).values(is_draft=False))
SET_FLAG = update(document).where(*THIS).values(is_flagged=bindparam("is_flagged"), updated_at=bindparam("updated_at"))
SET_LOCK = update(document).where(*THIS).values(is_locked=bindparam("is_locked"), updated_at=bindparam("updated_at"))
DELETE = delete(document).where(*THIS)


def create(conn: Connection, values: Mapping[str, Any]) -> int:
    """Insert an unsealed document and return its id."""
    row = INSERT.one(conn, **{"locked_by": None, **values, "is_draft": True})
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


def remove(conn: Connection, business_id: int, document_id: int) -> None:
    """Delete a document; its entries leave the books with it."""
    conn.execute(DELETE, {"of_business": business_id, "of_document": document_id})
