"""Tags and files that hang on records other than documents. SQL only."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache
from typing import Any

from sqlalchemy import BindParameter, Connection, Select, Table, bindparam, delete, insert, select

from acctcli.service.store.id_lists import among, portions

BUSINESS: BindParameter[int] = bindparam("business_id")


class LinkTable:
    """What hangs on the records of a table, by `linked`, the column that names it.

    A table with a position keeps the order that was given; of others the order is that of the ids.
    """

    def __init__(self, table: Table, owner: str, linked: str) -> None:
        self._table, self._owner, self._linked = table, owner, linked
        self._delete = delete(table).where(table.c.business_id == BUSINESS, table.c[owner] == bindparam("owner_id"))
        self._insert = insert(table)
        self._found: Callable[[int], Select[Any]] = cache(self._of_these)

    def _of_these(self, length: int) -> Select[Any]:
        columns, owner = self._table.c, self._table.c[self._owner]
        these = (columns.business_id == BUSINESS, among(owner, length))
        return (
            select(owner, columns[self._linked]).where(*these).order_by(columns.get("position", columns[self._linked]))
        )

    def of(self, conn: Connection, business_id: int, owner_ids: Iterable[int]) -> dict[int, list[int]]:
        """Return the ids that hang on each of these records; a record without any has an empty list."""
        owners = list(owner_ids)
        found: dict[int, list[int]] = {owner: [] for owner in owners}
        for length, values in portions(owners):
            for owner, linked in conn.execute(self._found(length), {"business_id": business_id, **values}):
                found[owner].append(linked)
        return found

    def write(self, conn: Connection, business_id: int, owner_id: int, linked_ids: Sequence[int]) -> None:
        """Make these ids all that hangs on a record."""
        conn.execute(self._delete, {"business_id": business_id, "owner_id": owner_id})
        row = {"business_id": business_id, self._owner: owner_id}
        rows = [{**row, self._linked: one, **self._place(place)} for place, one in enumerate(linked_ids)]
        if rows:
            conn.execute(self._insert, rows)

    def _place(self, place: int) -> dict[str, int]:
        return {"position": place} if "position" in self._table.c else {}


def unique(ids: Collection[int]) -> list[int]:
    """Return ids without repetition, in their order."""
    return list(dict.fromkeys(ids))
