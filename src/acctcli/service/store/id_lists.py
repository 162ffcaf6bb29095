"""Many ids in one statement.

Ids are looked up in lists of a few fixed lengths: a list that grows with its values is compiled at every use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import bindparam
from sqlalchemy.sql import ColumnElement

from acctcli.service.store.schema.columns import Id

LENGTHS = (4, 16, 64, 256, 1024)
LONGEST = LENGTHS[-1]
NOBODY = 0


def among(column: ColumnElement[Any], length: int) -> ColumnElement[bool]:
    """Say that a column is one of a list of ids; every list of a statement holds the same ids."""
    return column.in_([bindparam(f"id_{place}", type_=Id) for place in range(length)])


def padded(ids: Sequence[int]) -> tuple[int, dict[str, int]]:
    """Return the length of the list to use, and its values filled up with an id that nobody has."""
    length = next(length for length in LENGTHS if len(ids) <= length)
    values = {f"id_{place}": NOBODY for place in range(length)}
    values.update((f"id_{place}", one) for place, one in enumerate(ids))
    return length, values


def portions(ids: Iterable[int]) -> Iterator[tuple[int, dict[str, int]]]:
    """Yield length and values of as many lists as the ids fill; of no ids nothing."""
    listed = list(ids)
    for start in range(0, len(listed), LONGEST):
        yield padded(listed[start : start + LONGEST])
