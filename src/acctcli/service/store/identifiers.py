"""Official identifiers of a business, at most one of each type."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Integer, bindparam, case, delete, func, insert, select, update

from acctcli import law
from acctcli.service.store.schema.business import business, identifier

# the one that the business is known by in its country, beside a statement about `business`
OFFICIAL_ID = (
    select(identifier.c.value)
    .where(
        identifier.c.business_id == business.c.id,
        identifier.c.type
        == case({one.code: one.official_id.type for one in law.countries()}, value=business.c.country),
    )
    .scalar_subquery()
)
OF_BUSINESS = identifier.c.business_id == bindparam("business")
ONE = select(identifier).where(OF_BUSINESS, identifier.c.id == bindparam("identifier"))
BY_TYPE = select(identifier).where(OF_BUSINESS, identifier.c.type == bindparam("kind"))
COUNT = select(func.count()).select_from(identifier).where(OF_BUSINESS)
PAGE = (
    select(identifier)
    .where(OF_BUSINESS)
    .order_by(identifier.c.id)
    .limit(bindparam("limit", type_=Integer))
    .offset(bindparam("offset", type_=Integer))
)
INSERT = insert(identifier).returning(identifier.c.id)
UPDATE = update(identifier).where(OF_BUSINESS, identifier.c.id == bindparam("identifier"))
DELETE = delete(identifier).where(OF_BUSINESS, identifier.c.id == bindparam("identifier"))


def find(conn: Connection, business_id: int, identifier_id: int) -> dict[str, Any] | None:
    """Return an identifier of a business."""
    key = {"business": business_id, "identifier": identifier_id}
    row = conn.execute(ONE, key).mappings().first()
    return None if row is None else dict(row)


def find_type(conn: Connection, business_id: int, kind: str) -> dict[str, Any] | None:
    """Return the identifier of a type."""
    row = conn.execute(BY_TYPE, {"business": business_id, "kind": kind}).mappings().first()
    return None if row is None else dict(row)


def page(conn: Connection, business_id: int, limit: int, offset: int) -> tuple[int, list[dict[str, Any]]]:
    """Return how many identifiers there are, and one page of them, by id."""
    count = conn.execute(COUNT, {"business": business_id}).scalar_one()
    rows = conn.execute(PAGE, {"business": business_id, "limit": limit, "offset": offset})
    return count, [dict(row) for row in rows.mappings()]


def create(conn: Connection, business_id: int, kind: str, value: str, stamp: str) -> int:
    """Insert an identifier and return its id."""
    row: dict[str, Any] = {"business_id": business_id, "type": kind, "value": value}
    return int(conn.execute(INSERT, row | {"created_at": stamp, "updated_at": stamp}).scalar_one())


def change(conn: Connection, business_id: int, identifier_id: int, kind: str, value: str, stamp: str) -> None:
    """Set type and value of an identifier."""
    conn.execute(
        UPDATE.values(type=kind, value=value, updated_at=stamp),
        {"business": business_id, "identifier": identifier_id},
    )


def remove(conn: Connection, business_id: int, identifier_id: int) -> None:
    """Delete an identifier."""
    conn.execute(DELETE, {"business": business_id, "identifier": identifier_id})
