"""Rows that stand inside one object: those of a reply, and those of a record's field."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import msgspec

    from acctcli.cli.output.columns import Rows


class Inside(str):
    """The name of a field that holds rows, with the columns that people see of them.

    To csv and tsv it is one cell like any other field; people get a table of its own under that of the record.
    """

    columns: tuple[str, ...]

    def __new__(cls, field: str, *columns: str) -> Inside:
        """Name the field and the columns of its rows."""
        made = super().__new__(cls, field)
        made.columns = columns
        return made


def rows_of(field: str) -> Callable[[bytes, bool], Iterator[Rows]]:
    """Return what takes the rows out of a field, in the form that `show_report` wants."""

    def rows(body: bytes, is_table: bool) -> Iterator[Rows]:
        del is_table
        import msgspec

        shape = msgspec.defstruct("Reply", [(field, list[msgspec.Raw])])
        yield getattr(msgspec.json.decode(body, type=shape), field)

    return rows


def take_apart(columns: Sequence[str], record: msgspec.Raw) -> tuple[list[str], list[tuple[Inside, Rows]]]:
    """Return the columns of a record's own table, and the fields that make one of their own, with their rows.

    A field that the service fills with something else than rows stays in the record; where there are none, none show.
    """
    plain: list[str] = []
    inner: list[tuple[Inside, Rows]] = []
    for name in columns:
        if isinstance(name, Inside) and (rows := _rows_in(record, name)) is not None:
            inner.append((name, rows))
        else:
            plain.append(name)
    return plain, [(name, rows) for name, rows in inner if rows]


def _rows_in(record: msgspec.Raw, field: str) -> Rows | None:
    import msgspec

    from acctcli.cli.output.columns import is_object

    value = msgspec.json.decode(record, type=dict[str, msgspec.Raw]).get(field)
    if value is None or bytes(memoryview(value)[:1]) != b"[":
        return None
    rows = msgspec.json.decode(value, type=list[msgspec.Raw])
    return rows if all(map(is_object, rows)) else None
