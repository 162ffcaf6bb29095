"""Headers: SQL only. A line is a header with those above it, the root first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, insert, literal_column, select

from acctcli.service.store.listing import Clauses, Listing
from acctcli.service.store.schema.chart import header


class HeaderRow(NamedTuple):
    """A header as it is stored; `name_translations` is JSON text."""

    id: int
    name: str
    name_translations: str
    type: str
    parent_id: int | None


class Step(NamedTuple):
    """A header on the way from a root."""

    id: int
    name: str


Lines = dict[int, list[Step]]

OF_BUSINESS = header.c.business_id == bindparam("business_id")
ROW = tuple(header.c[name] for name in HeaderRow._fields)
LISTING = Listing(header, ROW, (header.c.id,), {"search": header.c.search_name.like(bindparam("search"), escape="\\")})
ONE = select(*ROW).where(OF_BUSINESS, header.c.id == bindparam("header_id"))
INSERT = insert(header).returning(header.c.id)

# from each header asked for (`of`) upwards, `above` steps
_START = select(
    header.c.id.label("of"), header.c.id, header.c.name, header.c.parent_id, literal_column("0").label("above")
).where(OF_BUSINESS, header.c.id.in_(bindparam("ids", expanding=True)))
_LINE = _START.cte("line", recursive=True)
_UPWARDS = _LINE.union_all(
    select(_LINE.c.of, header.c.id, header.c.name, header.c.parent_id, _LINE.c.above + 1).where(
        OF_BUSINESS, header.c.id == _LINE.c.parent_id
    )
)
LINES = select(_UPWARDS.c.of, _UPWARDS.c.id, _UPWARDS.c.name).order_by(_UPWARDS.c.of, _UPWARDS.c.above.desc())


def list_page(
    conn: Connection, business_id: int, clauses: Clauses, *, limit: int, offset: int
) -> tuple[int, list[HeaderRow]]:
    """Return how many headers pass the clauses, and one page of them by id."""
    count, rows = LISTING.page(conn, business_id, clauses, limit=limit, offset=offset)
    return count, [HeaderRow._make(row) for row in rows]


def get(conn: Connection, business_id: int, header_id: int) -> HeaderRow | None:
    """Return a header of the business, or None."""
    row = conn.execute(ONE, {"business_id": business_id, "header_id": header_id}).one_or_none()
    return None if row is None else HeaderRow._make(row)


def create(conn: Connection, business_id: int, values: Mapping[str, Any]) -> int:
    """Insert a header and return its id."""
    return int(conn.execute(INSERT, {"business_id": business_id, **values}).scalar_one())


def lines(conn: Connection, business_id: int, header_ids: Iterable[int]) -> Lines:
    """Return the lines of headers, from the root down to the header itself; unknown ids are left out."""
    ids = sorted(set(header_ids))
    found: Lines = {}
    if ids:
        for of, header_id, name in conn.execute(LINES, {"business_id": business_id, "ids": ids}):
            found.setdefault(of, []).append(Step(header_id, name))
    return found
