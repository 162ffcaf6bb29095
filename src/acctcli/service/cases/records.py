"""Plain records: found, made, changed and deleted in the usual way; what differs between them are hooks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from acctcli.service.cases.work import Work, found
from acctcli.service.problems import Invalid
from acctcli.service.store.rows import Record, Rows, Taken

if TYPE_CHECKING:
    from pydantic import BaseModel


W_contra = TypeVar("W_contra", bound=Work, contravariant=True)
Shown = TypeVar("Shown")
T = TypeVar("T")
# columns of a record by name
Columns = Mapping[str, Any]


@dataclass(frozen=True)
class Records(Generic[W_contra, Shown]):
    """The records of a table.

    `noun` is their word in events. `columns` makes columns of the fields that were sent, given the row they change
    ({} for a new one), and raises Invalid. `taken`: the field of a value that must be unique, and what is said when
    another record has it. `is_quiet`: a change that changes nothing leaves no trace.
    """

    noun: str
    rows: Rows[Record]
    columns: Callable[[W_contra, dict[str, Any], Columns], dict[str, Any]]
    show: Callable[[Columns], Shown]
    refuse_deletion: Callable[[W_contra, Columns], None] = lambda work, row: None
    taken: tuple[str, str] | None = None
    is_quiet: bool = False

    @property
    def name(self) -> str:
        """What people call one of them."""
        return self.noun.replace("_", " ")

    def find(self, work: W_contra, record_id: int, *, for_update: bool = False) -> Columns:
        """Return the row of a record."""
        return found(self.rows.get(work.conn, work.business.id, record_id, for_update=for_update), self.name)

    def get(self, work: W_contra, record_id: int) -> Shown:
        """Show a record."""
        return self.show(self.find(work, record_id))

    def create(self, work: W_contra, body: BaseModel, **more: Any) -> Shown:
        """Make a record; `more` are columns that no caller writes."""
        columns = {**self.columns(work, _sent(body, type(body).model_fields), {}), **work.born, **more}
        record_id = self._unique(lambda: self.rows.create(work.conn, work.business.id, columns))
        return self._told(work, "created", {**columns, "id": record_id})

    def change(self, work: W_contra, record_id: int, body: BaseModel, names: Iterable[str]) -> Shown:
        """Write the fields of these names."""
        row = self.find(work, record_id, for_update=True)
        columns = self.columns(work, _sent(body, names), row)
        if self.is_quiet and columns.items() <= row.items():
            return self.show(row)
        columns["updated_at"] = work.stamp
        self._unique(lambda: self.rows.change(work.conn, work.business.id, record_id, columns))
        return self._told(work, "updated", {**row, **columns})

    def delete(self, work: W_contra, record_id: int) -> None:
        """Delete a record that nothing stands in the way of."""
        row = self.find(work, record_id, for_update=True)
        self.refuse_deletion(work, row)
        self.rows.remove(work.conn, work.business.id, record_id)
        work.emit(f"{self.noun}.deleted", {"id": record_id})

    def _unique(self, write: Callable[[], T]) -> T:
        try:
            return write()
        except Taken:
            assert self.taken is not None
            raise Invalid.field(*self.taken) from None

    def _told(self, work: W_contra, verb: str, row: Columns) -> Shown:
        shown = self.show(row)
        work.emit(f"{self.noun}.{verb}", shown)
        return shown


def _sent(body: BaseModel, names: Iterable[str]) -> dict[str, Any]:
    return {name: getattr(body, name) for name in names}
