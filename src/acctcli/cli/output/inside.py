"""Rows that stand inside a reply of one object."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from acctcli.cli.output.writers import Rows


def rows_of(field: str) -> Callable[[bytes, bool], Iterator[Rows]]:
    """Return what takes the rows out of a field, in the form that `show_report` wants."""

    def rows(body: bytes, is_table: bool) -> Iterator[Rows]:
        del is_table
        import msgspec

        shape = msgspec.defstruct("Reply", [(field, list[msgspec.Raw])])
        yield getattr(msgspec.json.decode(body, type=shape), field)

    return rows
