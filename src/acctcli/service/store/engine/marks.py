"""Rows that pages of lists began with, so that a page deep in a list is not counted up to from its beginning.

What is remembered holds for one state of the list: triggers change the number of its state with every row that comes,
goes or moves, to one that no other state has.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from operator import itemgetter
from threading import Lock
from typing import Any, NamedTuple

Key = tuple[Any, ...]

# rows from one remembered row to the next, and how many lists are remembered at once
STRIDE, MOST_LISTS = 100, 64


class Mark(NamedTuple):
    """A row of a list: how many rows come before it, and the columns that its place follows from."""

    place: int
    key: Key


class Marks:
    """What the connections of a database remember of its lists; a list is a table of a business."""

    def __init__(self) -> None:
        self._lists: dict[tuple[str, int], tuple[int, list[Mark]]] = {}
        self._lock = Lock()

    def before(self, of: tuple[str, int], state: int, place: int) -> Mark | None:
        """Return the last row remembered that is not after a place; None when there is none."""
        with self._lock:
            marks = self._of(of, state)
            found = bisect_right(marks, place, key=itemgetter(0))
            return marks[found - 1] if found else None

    def remember(self, of: tuple[str, int], state: int, mark: Mark) -> None:
        """Remember a row, unless one nearby is known."""
        with self._lock:
            marks = self._of(of, state)
            after = bisect_right(marks, mark.place, key=itemgetter(0))
            if all(abs(near.place - mark.place) >= STRIDE for near in marks[max(after - 1, 0) : after + 1]):
                insort(marks, mark)

    def _of(self, of: tuple[str, int], state: int) -> list[Mark]:
        known, marks = self._lists.get(of, (None, []))
        if known != state:
            if len(self._lists) >= MOST_LISTS:
                self._lists.clear()
            marks = []
            self._lists[of] = state, marks
        return marks
