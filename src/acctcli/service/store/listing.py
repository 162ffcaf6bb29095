"""Lists of a business: narrowed, counted, ordered, cut into pages; each combination of clauses is built once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, Select, Table, bindparam, func, select
from sqlalchemy.sql import ColumnElement

from acctcli.service.store import tallies

# names of clauses that are wanted, each with the parameters it takes
Clauses = Mapping[str, Mapping[str, Any]]


class Listing:
    """The rows of a table that `schema.COUNTED` counts, in one order.

    `filters` names the clauses a list may be narrowed by; a clause takes its parameters by name.
    """

    def __init__(
        self,
        table: Table,
        columns: Sequence[ColumnElement[Any]],
        order: Sequence[ColumnElement[Any]],
        filters: Mapping[str, ColumnElement[bool]],
    ) -> None:
        self._table = table
        self._filters = filters
        self._rows = select(*columns).order_by(*order).limit(bindparam("limit")).offset(bindparam("offset"))
        self._number = select(func.count()).select_from(table)
        self._built: dict[frozenset[str], tuple[Select[Any], Select[Any]]] = {}

    def page(
        self, conn: Connection, business_id: int, clauses: Clauses, *, limit: int, offset: int
    ) -> tuple[int, Sequence[Row[Any]]]:
        """Return how many rows pass the clauses, and one page of them.

        Without clauses nothing is counted: the number of rows is kept beside them.
        """
        count, rows = self._statements(frozenset(clauses))
        values: dict[str, Any] = {"business_id": business_id}
        for parameters in clauses.values():
            values |= parameters
        if clauses:
            number = conn.execute(count, values).scalar_one()
        else:
            number = tallies.count(conn, business_id, self._table.name)
        return number, conn.execute(rows, {**values, "limit": limit, "offset": offset}).all()

    def _statements(self, wanted: frozenset[str]) -> tuple[Select[Any], Select[Any]]:
        if wanted not in self._built:
            inside = self._table.c.business_id == bindparam("business_id")
            where = (inside, *(self._filters[name] for name in sorted(wanted)))
            self._built[wanted] = self._number.where(*where), self._rows.where(*where)
        return self._built[wanted]
