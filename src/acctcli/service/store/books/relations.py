"""Relations between documents, as they are seen from one of the two. SQL only."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import (
    Connection,
    Select,
    and_,
    bindparam,
    delete,
    insert,
    literal_column,
    select,
    union_all,
    update,
)
from sqlalchemy.sql import ColumnElement

from acctcli.service.rules.relations import Pair
from acctcli.service.store.engine.prepared import Prepared
from acctcli.service.store.id_lists import among, portions
from acctcli.service.store.schema.books import document, relation
from acctcli.service.store.schema.contacts import contact


class RelationRow(NamedTuple):
    """A relation seen from `document_id`: its role, and the other document as far as it is shown."""

    id: int
    document_id: int
    is_accrual: bool
    type: str
    created_at: str
    updated_at: str
    related_id: int
    number: str | None
    date: date
    description: str
    balance_cents: int
    is_draft: bool
    contact_name: str | None


def _seen_from(
    own: ColumnElement[int], other: ColumnElement[int], is_accrual: ColumnElement[bool], length: int
) -> Select[Any]:
    related = document.c
    return (
        select(
            relation.c.id.label("id"),
            own,
            is_accrual,
            relation.c.type,
            relation.c.created_at,
            relation.c.updated_at,
            related.id,
            related.number,
            related.date,
            related.description,
            related.balance_cents,
            related.is_draft,
            contact.c.name,
        )
        .join(document, and_(related.business_id == relation.c.business_id, related.id == other))
        .outerjoin(contact, and_(contact.c.business_id == related.business_id, contact.c.id == related.contact_id))
        .where(relation.c.business_id == bindparam("business_id"), among(own, length))
    )


@cache
def _of_documents(length: int) -> Prepared:
    """Relations from either side; a union, because each side has an index of its own."""
    low = _seen_from(relation.c.low_id, relation.c.high_id, relation.c.accrual_is_low, length)
    high = _seen_from(relation.c.high_id, relation.c.low_id, ~relation.c.accrual_is_low, length)
    return Prepared(union_all(low, high).order_by(literal_column("id")))


def of_documents(conn: Connection, business_id: int, document_ids: Iterable[int]) -> dict[int, list[RelationRow]]:
    """Return the relations of documents by document, in the order they were made; without any it is left out."""
    found: dict[int, list[RelationRow]] = {}
    for length, values in portions(document_ids):
        for row in _of_documents(length).all(conn, business_id=business_id, **values):
            seen = RelationRow._make(row)
            found.setdefault(seen.document_id, []).append(seen)
    return found


def of_document(conn: Connection, business_id: int, document_id: int) -> list[RelationRow]:
    """Return the relations of one document."""
    return of_documents(conn, business_id, [document_id]).get(document_id, [])


INSERT = insert(relation).returning(relation.c.id)
THIS = (relation.c.business_id == bindparam("of_business"), relation.c.id == bindparam("of_relation"))
UPDATE = update(relation).where(*THIS)
DELETE = delete(relation).where(*THIS)


def create(conn: Connection, business_id: int, pair: Pair, type_: str, stamp: str) -> int:
    """Insert a relation and return its id."""
    values = {"business_id": business_id, "created_at": stamp, "updated_at": stamp, "type": type_, **pair._asdict()}
    return int(conn.execute(INSERT, values).scalar_one())


def change(conn: Connection, business_id: int, relation_id: int, pair: Pair, type_: str, stamp: str) -> None:
    """Write a relation anew."""
    values = {"updated_at": stamp, "type": type_, **pair._asdict()}
    conn.execute(UPDATE, {**values, "of_business": business_id, "of_relation": relation_id})


def remove(conn: Connection, business_id: int, relation_id: int) -> None:
    """Delete a relation; both documents stay."""
    conn.execute(DELETE, {"of_business": business_id, "of_relation": relation_id})
