"""Lists of a business: narrowed, counted, ordered, cut into pages; each combination of clauses is written once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from operator import attrgetter, itemgetter
from typing import Any, Generic

from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.marks import Key, Mark
from acctcli.service.store.engine.statements import Query, R, Statement

# names of clauses that are wanted, each with the parameters it takes
Clauses = Mapping[str, Mapping[str, Any]]

ALL: Clauses = {}
# how many rows there are, kept by triggers, and a number for the state of their order
TALLY = Query[tuple[int, int]](
    tuple, "SELECT count, state FROM tally WHERE business_id = :business_id AND kind = :kind"
)


class Listing(Generic[R]):
    """The rows of a table that triggers count, in one order.

    `order` are columns, all of them upwards or all downwards; `filters` names the clauses a list may be narrowed by, a
    clause takes its parameters by name.
    """

    def __init__(self, row: type[R], columns: str, table: str, order: str, filters: Mapping[str, str]) -> None:
        self._row = row
        self._table = table
        self._filters = filters
        self._columns = columns
        self._order = order
        self._built: dict[frozenset[str], tuple[Statement, Query[R]]] = {}

    def page(
        self, conn: Connection, business_id: int, clauses: Clauses = ALL, *, limit: int, offset: int
    ) -> tuple[int, list[R]]:
        """Return how many rows pass the clauses, and one page of them."""
        if not clauses:
            return self._whole(conn, business_id, limit, offset)
        count, rows = self._statements(frozenset(clauses))
        values: dict[str, Any] = {"business_id": business_id}
        for parameters in clauses.values():
            values |= parameters
        return count.value(conn, **values), rows.all(conn, **values, limit=limit, offset=offset)

    def _whole(self, conn: Connection, business_id: int, limit: int, offset: int) -> tuple[int, list[R]]:
        """Return a page of all rows: nothing is counted, and what comes before a row that is remembered is left out."""
        count, state = tally(conn, business_id, self._table)
        return count, self._read((self._table, business_id), state, None, conn, limit, offset)

    def part(self, conn: Connection, business_id: int, name: str, mark: Mark, *, limit: int, offset: int) -> list[R]:
        """Return a page of the rows from one on, which `name` tells from other parts of the list.

        `mark` is a row that is not after the page, or a place between two, its own place being counted in the part.
        """
        _, state = tally(conn, business_id, self._table)
        return self._read((f"{self._table} {name}", business_id), state, mark, conn, limit, offset)

    def _read(
        self, this: tuple[str, int], state: int, mark: Mark | None, conn: Connection, limit: int, offset: int
    ) -> list[R]:
        """Read a page from the nearest row on that is known, and remember the first of it."""
        marks, (_, business_id) = conn.marks, this
        known = marks.before(this, state, offset) if offset else None
        mark = max((one for one in (mark, known) if one is not None), key=itemgetter(0), default=None)
        if mark is None:
            rows = self._first.all(conn, business_id=business_id, limit=limit, offset=offset)
        else:
            key = {f"key_{place}": value for place, value in enumerate(mark.key)}
            rows = self._from.all(conn, business_id=business_id, **key, limit=limit, offset=offset - mark.place)
        if rows and offset:
            marks.remember(this, state, Mark(offset, self._key(rows[0])))
        return rows

    def _key(self, row: R) -> Key:
        names = self._order.replace(" DESC", "").split(", ")
        get = itemgetter(*names) if self._row is dict else attrgetter(*names)
        return get(row) if len(names) > 1 else (get(row),)

    @cached_property
    def _first(self) -> Query[R]:
        return self._rows("business_id = :business_id")

    @cached_property
    def _from(self) -> Query[R]:
        names = self._order.replace(" DESC", "")
        key = ", ".join(f":key_{place}" for place in range(names.count(",") + 1))
        beyond = "<=" if "DESC" in self._order else ">="
        return self._rows(f"business_id = :business_id AND ({names}) {beyond} ({key})")

    def _statements(self, wanted: frozenset[str]) -> tuple[Statement, Query[R]]:
        if wanted not in self._built:
            where = " AND ".join(("business_id = :business_id", *(self._filters[name] for name in sorted(wanted))))
            self._built[wanted] = Statement(f"SELECT count(*) FROM {self._table} WHERE {where}"), self._rows(where)
        return self._built[wanted]

    def _rows(self, where: str) -> Query[R]:
        return Query(
            self._row,
            f"SELECT {self._columns} FROM {self._table} WHERE {where} "
            f"ORDER BY {self._order} LIMIT :limit OFFSET :offset",
        )


class Pages(Generic[R]):
    """The rows of a table of which there are few, counted each time; `where` says of what, beside the business."""

    def __init__(self, row: type[R], columns: str, table: str, order: str, where: str = "true") -> None:
        of = f"FROM {table} WHERE business_id = :business_id AND {where}"
        self._count = Statement(f"SELECT count(*) {of}")
        self.rows = Query(row, f"SELECT {columns} {of} ORDER BY {order} LIMIT :limit OFFSET :offset")

    def page(self, conn: Connection, business_id: int, *, limit: int, offset: int, **of: Any) -> tuple[int, list[R]]:
        """Return how many rows there are, and one page of them."""
        rows = self.rows.all(conn, business_id=business_id, **of, limit=limit, offset=offset)
        return self._count.value(conn, business_id=business_id, **of), rows


def tally(conn: Connection, business_id: int, table: str) -> tuple[int, int]:
    """Return how many rows a business has in a table that triggers count, and a number for the state of their order."""
    return TALLY.one(conn, business_id=business_id, kind=table) or (0, 0)
