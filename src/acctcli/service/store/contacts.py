"""Contacts: SQL only. A row is a mapping with the names of the columns; `name_aliases` is JSON text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from acctcli.service.store.engine.prepared import Prepared
from acctcli.service.store.id_lists import among, portions
from acctcli.service.store.listing import Clauses, Listing
from acctcli.service.store.schema.books import document
from acctcli.service.store.schema.contacts import CONTACT_TEXTS, contact

TEXTS = tuple(name for name, _ in CONTACT_TEXTS)

OF_BUSINESS = contact.c.business_id == bindparam("business_id")
OF_CONTACT = contact.c.id == bindparam("contact_id")
LISTING = Listing(
    contact,
    tuple(contact.c),
    (contact.c.sort_name, contact.c.id),
    {
        "search": contact.c.search_text.like(bindparam("search"), escape="\\"),
        "exclude_id": contact.c.id != bindparam("exclude_id"),
        "is_invoicing_enabled": contact.c.is_invoicing_enabled == bindparam("is_invoicing_enabled"),
        "name_iexact": contact.c.sort_name == bindparam("name_iexact"),
    },
)
ONE = select(contact).where(OF_BUSINESS, OF_CONTACT)
ONE_FOR_UPDATE = ONE.with_for_update()
INSERT = insert(contact).returning(contact.c.id)
# an update takes a parameter named like a column for a value to set: hence `of_business`
UPDATE = update(contact).where(
    contact.c.business_id == bindparam("of_business"), contact.c.id == bindparam("of_contact")
)
DELETE = delete(contact).where(OF_BUSINESS, OF_CONTACT)
NAMED_BY_DOCUMENTS = (
    select(document.c.id)
    .where(document.c.business_id == bindparam("business_id"), document.c.contact_id == bindparam("contact_id"))
    .limit(1)
)


def list_page(
    conn: Connection, business_id: int, clauses: Clauses, *, limit: int, offset: int
) -> tuple[int, list[dict[str, Any]]]:
    """Return how many contacts pass the clauses, and one page of them by name, then id."""
    count, rows = LISTING.page(conn, business_id, clauses, limit=limit, offset=offset)
    return count, [dict(row._mapping) for row in rows]


def get(conn: Connection, business_id: int, contact_id: int, *, for_update: bool = False) -> dict[str, Any] | None:
    """Return a contact of the business, or None."""
    key = {"business_id": business_id, "contact_id": contact_id}
    row = conn.execute(ONE_FOR_UPDATE if for_update else ONE, key).mappings().one_or_none()
    return None if row is None else dict(row)


@cache
def _of_ids(length: int) -> Prepared:
    return Prepared(select(contact).where(OF_BUSINESS, among(contact.c.id, length)))


def of_ids(conn: Connection, business_id: int, contact_ids: Iterable[int]) -> dict[int, dict[str, Any]]:
    """Return contacts of the business by id; ids without a contact are left out."""
    names, found = contact.columns.keys(), []
    for length, values in portions(contact_ids):
        found += _of_ids(length).all(conn, business_id=business_id, **values)
    rows = (dict(zip(names, row, strict=True)) for row in found)
    return {row["id"]: row for row in rows}


def create(conn: Connection, business_id: int, values: Mapping[str, Any]) -> int:
    """Insert a contact and return its id."""
    return int(conn.execute(INSERT, {"business_id": business_id, **values}).scalar_one())


def change(conn: Connection, business_id: int, contact_id: int, values: Mapping[str, Any]) -> None:
    """Write some columns of a contact."""
    conn.execute(UPDATE, {**values, "of_business": business_id, "of_contact": contact_id})


def remove(conn: Connection, business_id: int, contact_id: int) -> None:
    """Delete a contact that nothing refers to."""
    conn.execute(DELETE, {"business_id": business_id, "contact_id": contact_id})


def is_named_by_documents(conn: Connection, business_id: int, contact_id: int) -> bool:
    """Say whether a document or a draft refers to a contact."""
    key = {"business_id": business_id, "contact_id": contact_id}
    return conn.execute(NAMED_BY_DOCUMENTS, key).first() is not None
