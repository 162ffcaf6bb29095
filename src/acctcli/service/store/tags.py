"""Tags: SQL only. A row is a mapping with the names of the columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from acctcli.service.store.listing import Clauses, Listing
from acctcli.service.store.schema.tags import tag

KEY = (tag.c.business_id == bindparam("business_id"), tag.c.id == bindparam("tag_id"))
LISTING = Listing(tag, tuple(tag.c), (tag.c.id,), {"search": tag.c.search_name.like(bindparam("search"), escape="\\")})
ONE = select(tag).where(*KEY)
ONE_FOR_UPDATE = ONE.with_for_update()
INSERT = insert(tag).returning(tag.c.id)
UPDATE = update(tag).where(tag.c.business_id == bindparam("of_business"), tag.c.id == bindparam("of_tag"))
DELETE = delete(tag).where(*KEY)


class NameTaken(Exception):
    """Another tag of the business has this name."""


def list_page(
    conn: Connection, business_id: int, clauses: Clauses, *, limit: int, offset: int
) -> tuple[int, list[dict[str, Any]]]:
    """Return how many tags pass the clauses, and one page of them by id."""
    count, rows = LISTING.page(conn, business_id, clauses, limit=limit, offset=offset)
    return count, [dict(row._mapping) for row in rows]


def get(conn: Connection, business_id: int, tag_id: int, *, for_update: bool = False) -> dict[str, Any] | None:
    """Return a tag of the business, or None."""
    key = {"business_id": business_id, "tag_id": tag_id}
    row = conn.execute(ONE_FOR_UPDATE if for_update else ONE, key).mappings().one_or_none()
    return None if row is None else dict(row)


def create(conn: Connection, business_id: int, values: Mapping[str, Any]) -> int:
    """Insert a tag and return its id; NameTaken leaves the transaction usable."""
    try:
        with conn.begin_nested():
            return int(conn.execute(INSERT, {"business_id": business_id, **values}).scalar_one())
    except IntegrityError as fault:
        raise NameTaken from fault


def change(conn: Connection, business_id: int, tag_id: int, values: Mapping[str, Any]) -> None:
    """Write some columns of a tag; NameTaken leaves the transaction usable."""
    try:
        with conn.begin_nested():
            conn.execute(UPDATE, {**values, "of_business": business_id, "of_tag": tag_id})
    except IntegrityError as fault:
        raise NameTaken from fault


def remove(conn: Connection, business_id: int, tag_id: int) -> None:
    """Delete a tag; it comes off the documents that carry it."""
    conn.execute(DELETE, {"business_id": business_id, "tag_id": tag_id})
