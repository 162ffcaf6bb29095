"""Headers: SQL only. A line is a header with those above it, the root first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query
from acctcli.service.store.rows import Rows


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

ROWS = Rows(HeaderRow, "header", searched="search_name")
list_page, get, create = ROWS.list_page, ROWS.get, ROWS.create

# from each header asked for (`of`) upwards, `above` steps
LINES = Query[tuple[int, int, str]](
    tuple,
    """WITH RECURSIVE line(of, id, name, parent_id, above) AS (
        SELECT id, id, name, parent_id, 0 FROM header WHERE business_id = :business_id AND id IN (:ids...)
        UNION ALL
        SELECT line.of, header.id, header.name, header.parent_id, line.above + 1
        FROM line JOIN header ON header.business_id = :business_id AND header.id = line.parent_id)
    SELECT of, id, name FROM line ORDER BY of, above DESC""",
)


def lines(conn: Connection, business_id: int, header_ids: Iterable[int]) -> Lines:
    """Return the lines of headers, from the root down to the header itself; unknown ids are left out."""
    ids = sorted(set(header_ids))
    found: Lines = {}
    for of, header_id, name in LINES.all(conn, business_id=business_id, ids=ids) if ids else ():
        found.setdefault(of, []).append(Step(header_id, name))
    return found
