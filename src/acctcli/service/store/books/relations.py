"""Relations between documents, as they are seen from one of the two. SQL only."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from acctcli.service.rules.relations import Pair
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query
from acctcli.service.store.rows import Record, Rows


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
    invoice_id: int | None
    contact_name: str | None


def _seen_from(own: str, other: str, is_accrual: str) -> str:
    return f"""SELECT relation.id, relation.{own}, {is_accrual} AS "is_accrual [boolean]", relation.type,
    relation.created_at, relation.updated_at, related.id, related.number, related.date, related.description,
    related.balance_cents, related.is_draft, related.invoice_id, contact.name
    FROM relation JOIN document AS related
    ON related.business_id = relation.business_id AND related.id = relation.{other}
    LEFT JOIN contact ON contact.business_id = related.business_id AND contact.id = related.contact_id
    WHERE relation.business_id = :business_id AND relation.{own} IN (:ids...)"""


# From either side: a union, because each side has an index of its own
FROM_LOW = _seen_from("low_id", "high_id", "relation.accrual_is_low")
FROM_HIGH = _seen_from("high_id", "low_id", "NOT relation.accrual_is_low")
OF_DOCUMENTS = Query(RelationRow, f"{FROM_LOW} UNION ALL {FROM_HIGH} ORDER BY 1")


def of_documents(conn: Connection, business_id: int, document_ids: Iterable[int]) -> dict[int, list[RelationRow]]:
    """Return the relations of documents by document, in the order they were made; without any it is left out."""
    found: dict[int, list[RelationRow]] = {}
    for row in OF_DOCUMENTS.all(conn, business_id=business_id, ids=document_ids):
        found.setdefault(row.document_id, []).append(row)
    return found


def of_document(conn: Connection, business_id: int, document_id: int) -> list[RelationRow]:
    """Return the relations of one document."""
    return of_documents(conn, business_id, [document_id]).get(document_id, [])


ROWS = Rows[Record](dict, "relation")
# both documents stay
remove = ROWS.remove


def create(conn: Connection, business_id: int, pair: Pair, type_: str, stamp: str) -> int:
    """Insert a relation and return its id."""
    values = {"created_at": stamp, "updated_at": stamp, "type": type_, **pair._asdict()}
    return ROWS.create(conn, business_id, values)


def change(conn: Connection, business_id: int, relation_id: int, pair: Pair, type_: str, stamp: str) -> None:
    """Write a relation anew."""
    ROWS.change(conn, business_id, relation_id, {"updated_at": stamp, "type": type_, **pair._asdict()})
