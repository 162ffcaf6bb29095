"""Tags and files that hang on records. SQL only."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, delete, insert_many


class LinkTable:
    """What hangs on the records of a table, by `linked`, the column that names it.

    Tags are in the order of their ids; files have a position, and keep the order that was given.
    """

    def __init__(self, table: str, owner: str, linked: str) -> None:
        self._table, self._owner, self._linked = table, owner, linked
        self._has_place = linked == "attachment_id"
        order = "position" if self._has_place else linked
        self._of_these = Query[tuple[int, int]](
            tuple,
            f"""SELECT {owner}, {linked} FROM {table}
            WHERE business_id = :business_id AND {owner} IN (:owners...) ORDER BY {order}""",
        )

    def of(self, conn: Connection, business_id: int, owner_ids: Iterable[int]) -> dict[int, list[int]]:
        """Return the ids that hang on each of these records; a record without any has an empty list."""
        found: dict[int, list[int]] = {owner: [] for owner in owner_ids}
        for owner, linked in self._of_these.all(conn, business_id=business_id, owners=found) if found else ():
            found[owner].append(linked)
        return found

    def write(
        self,
        conn: Connection,
        business_id: int,
        owner_id: int,
        linked_ids: Sequence[int],
        before: Sequence[int] | None = None,
    ) -> None:
        """Make these ids all that hangs on a record; of what is known to hang there before, only a difference."""
        if linked_ids == before:
            return
        this = {"business_id": business_id, self._owner: owner_id}
        if before is None or before:
            delete(conn, self._table, **this)
        rows = [{**this, self._linked: one} for one in linked_ids]
        if self._has_place:
            rows = [{**row, "position": place} for place, row in enumerate(rows)]
        insert_many(conn, self._table, rows)


def unique(ids: Collection[int]) -> list[int]:
    """Return ids without repetition, in their order."""
    return list(dict.fromkeys(ids))
