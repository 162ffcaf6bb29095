"""Lists of a business: narrowed, counted, ordered, cut into pages; each combination of clauses is written once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Generic

from acctcli.service.store import tallies
from acctcli.service.store.engine.statements import Query, R, Statement

if TYPE_CHECKING:
    from acctcli.service.store.engine.connection import Connection

# names of clauses that are wanted, each with the parameters it takes
Clauses = Mapping[str, Mapping[str, Any]]

ALL: Clauses = {}


class Listing(Generic[R]):
    """The rows of a table that triggers count, in one order.

    `filters` names the clauses a list may be narrowed by; a clause takes its parameters by name. The page is cut out
    of an index before its rows are read: rows of earlier pages are never looked at.
    """

    def __init__(self, row: type[R], columns: str, table: str, order: str, filters: Mapping[str, str]) -> None:
        self._row = row
        self._table = table
        self._filters = filters
        self._text = (
            f"SELECT {columns} FROM {table} WHERE id IN (SELECT id FROM {table} WHERE {{where}} ORDER BY {order}"
        )
        self._text += f" LIMIT :limit OFFSET :offset) ORDER BY {order}"
        self._built: dict[frozenset[str], tuple[Statement, Query[R]]] = {}

    def page(
        self, conn: Connection, business_id: int, clauses: Clauses = ALL, *, limit: int, offset: int
    ) -> tuple[int, list[R]]:
        """Return how many rows pass the clauses, and one page of them.

        Without clauses nothing is counted: the number of rows is kept beside them.
        """
        count, rows = self._statements(frozenset(clauses))
        values: dict[str, Any] = {"business_id": business_id}
        for parameters in clauses.values():
            values |= parameters
        number = count.value(conn, **values) if clauses else tallies.count(conn, business_id, self._table)
        return number, rows.all(conn, **values, limit=limit, offset=offset)

    def _statements(self, wanted: frozenset[str]) -> tuple[Statement, Query[R]]:
        if wanted not in self._built:
            where = " AND ".join(("business_id = :business_id", *(self._filters[name] for name in sorted(wanted))))
            count = Statement(f"SELECT count(*) FROM {self._table} WHERE {where}")
            self._built[wanted] = count, Query(self._row, self._text.format(where=where))
        return self._built[wanted]
