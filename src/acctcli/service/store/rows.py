"""The rows of a table of a business, in the five ways that plain resources need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Generic

from acctcli.service.store.engine.connection import IntegrityFault
from acctcli.service.store.engine.statements import Query, R, columns, delete, insert, update
from acctcli.service.store.listing import Listing

if TYPE_CHECKING:
    from acctcli.service.store.engine.connection import Connection

Record = dict[str, Any]


class Taken(Exception):
    """Another row of the business has a value that must be unique; the transaction stays usable."""


class Rows(Generic[R]):
    """A table whose rows are named tuples, or mappings with the names of the columns.

    `order` is that of lists, `filters` the clauses they may be narrowed by; `searched` is the column, casefolded, that
    `search` looks into. `has_unique`: writes raise Taken for a value that must be unique and is another row's.
    """

    def __init__(
        self,
        row: type[R],
        table: str,
        order: str = "id",
        filters: Mapping[str, str] | None = None,
        *,
        searched: str = "",
        has_unique: bool = False,
    ) -> None:
        self._table = table
        self._has_unique = has_unique
        of_row = columns(row) if issubclass(row, tuple) else "*"
        this = f"SELECT {of_row} FROM {table} WHERE business_id = :business_id AND id"
        self._one = Query(row, f"{this} = :id")
        self._one_for_update = Query(row, f"{this} = :id FOR UPDATE")
        self._several = Query(row, f"{this} IN (:ids...)")
        search = {"search": rf"{searched} LIKE :search ESCAPE '\'"} if searched else {}
        listing = Listing(row, of_row, table, order, {**search, **(filters or {})})
        self.list_page, self.list_part = listing.page, listing.part

    def get(self, conn: Connection, business_id: int, row_id: int, *, for_update: bool = False) -> R | None:
        """Return a row of the business, or None; `for_update` keeps other writers away until the commit."""
        return (self._one_for_update if for_update else self._one).one(conn, business_id=business_id, id=row_id)

    def several(self, conn: Connection, business_id: int, row_ids: Iterable[int]) -> list[R]:
        """Return the rows of these ids; ids without a row are left out."""
        ids = list(row_ids)
        return self._several.all(conn, business_id=business_id, ids=ids) if ids else []

    def create(self, conn: Connection, business_id: int, values: Mapping[str, Any]) -> int:
        """Insert a row and return its id."""
        with self._unique(conn):
            return insert(conn, self._table, {"business_id": business_id, **values})

    def change(self, conn: Connection, business_id: int, row_id: int, values: Mapping[str, Any]) -> None:
        """Write some columns of a row."""
        with self._unique(conn):
            update(conn, self._table, values, business_id=business_id, id=row_id)

    def remove(self, conn: Connection, business_id: int, row_id: int) -> None:
        """Delete a row that nothing keeps."""
        delete(conn, self._table, business_id=business_id, id=row_id)

    @contextmanager
    def _unique(self, conn: Connection) -> Iterator[None]:
        if not self._has_unique:
            yield
            return
        try:
            with conn.savepoint():
                yield
        except IntegrityFault as fault:
            raise Taken from fault
