"""Statements as a law lays them out: lines by account ranges of a chart (docs/law.md 9).

A line holds the accounts in its ranges and all deeper lines below it; a total holds all lines above it. An account has
its place by a header that is called like a line, else by its number and type: in the deepest line that holds them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from enum import Enum
from functools import cache, cached_property
from typing import NamedTuple

_DIGITS = 4
_WHOLE = re.compile(r"[0-9]{5}")
_TENS = ("", "X", "XX", "XXX")
_ONES = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
# the figure of a balance sheet whose equity is below nothing: it stands on both sides
DEFICIT = "deficit"


class Size(Enum):
    """For whom a law lays statements out: everyone, small companies, the smallest ones."""

    FULL = "statutory"
    SMALL = "small"
    MICRO = "micro"


class Term(NamedTuple):
    """What a line is called in four languages."""

    fi: str
    sv: str
    en: str
    de: str


class Line(NamedTuple):
    """A line of a statement.

    `takes` are ranges of account numbers, the first four digits, such as `1000-1099`, of some types if a type stands in
    front, such as `LIA_DEB:2370-2379,2390`; of whole numbers, such as `10000-69999`, which go before others; or a type
    alone, or in brackets a figure that no account holds. A `memo` tells a part of the line above it once more.
    Ranges of types of the other side of a balance sheet are of accounts whose balance is below nothing.
    `is_kept` is shown in short statements, however deep it lies. `is_bare` has no number in the law. `by_sign` is what
    the line is called where it is above nothing, and where it is below.
    """

    level: int
    takes: str
    term: Term
    is_total: bool = False
    is_memo: bool = False
    is_kept: bool = False
    is_bare: bool = False
    by_sign: tuple[Term, Term] | None = None

    @property
    def computed(self) -> frozenset[str]:
        """The figures that no account holds."""
        return frozenset(word[1:-1] for word in self.takes.split() if word.startswith("["))

    def holds(self, number: str, kind: str) -> bool:
        """Whether an account is of these ranges."""
        return any(one.holds(number) for one in _ranges(self.takes, kind))

    def holds_whole(self, number: str, kind: str) -> bool:
        """Whether an account is of ranges of whole numbers."""
        return any(one.is_whole and one.holds(number) for one in _ranges(self.takes, kind))


class _Range(NamedTuple):
    """Account numbers from the first to the last one; all there are where both are empty."""

    first: str = ""
    last: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether it is of whole numbers, not of their first digits."""
        return len(self.first) > _DIGITS

    def holds(self, number: str) -> bool:
        """Whether an account is one of them."""
        if self.is_whole:
            return len(number) == len(self.first) and self.first <= number <= self.last
        return not self.first or self.first <= number.ljust(_DIGITS, "0")[:_DIGITS] <= self.last


@cache
def _ranges(takes: str, kind: str) -> tuple[_Range, ...]:
    """Return what a line takes of the accounts of a type, read once for all of them."""
    found = []
    for word in takes.split():
        wanted, colon, numbers = word.rpartition(":")
        if not colon and not numbers[0].isdigit():
            found += [_Range()] if kind.startswith(numbers) else []
        elif kind.startswith(wanted):
            ends = (one.partition("-") for one in numbers.split(","))
            found += [_Range(first, last or first) for first, _, last in ends]
    return tuple(found)


class Numbering(NamedTuple):
    """How a law numbers the lines of a statement: the form of each level, such as `A.`, `I.`, `1.`; "" for none.

    Where lines that are left out leave no gap, those that are shown are counted (`is_running`).
    """

    forms: tuple[str, ...] = ()
    is_running: bool = False

    def form(self, level: int) -> str:
        """Return the form of a level."""
        return self.forms[level] if level < len(self.forms) else ""


NO_NUMBERS = Numbering()


class Sign(NamedTuple):
    """What stands before a line: its own number, those of the lines it is part of, and how many lines these are."""

    own: str = ""
    path: tuple[str, ...] = ()
    depth: int = 0

    def __str__(self) -> str:
        return " ".join(self.path) if self.own else ""


NO_SIGN = Sign()


class Scheme:
    """The lines of a statement, as far as they are shown: those of a depth."""

    def __init__(self, lines: Iterable[Line], depth: int = 9, numbering: Numbering = NO_NUMBERS) -> None:
        self.lines = tuple(lines)
        self._depth = depth
        self._numbering = numbering

    def is_shown(self, line: Line) -> bool:
        """Whether the line is one of this statement, and not of a longer one."""
        return line.is_kept or line.level <= self._depth

    def signs(self, shown: Container[int]) -> dict[int, Sign]:
        """Return what stands before each line, by its position; `shown` are those that the statement shows."""
        found = {-1: NO_SIGN}
        above, counted = [-1], Counter[int]()
        for position, line in enumerate(self.lines):
            while above[-1] >= 0 and self.lines[above[-1]].level >= line.level:
                above.pop()
            parent, form = above[-1], self._numbering.form(line.level)
            path, own = found[parent].path, ""
            is_numbered = form and not (line.is_bare or line.is_memo)
            if is_numbered and (position in shown or not self._numbering.is_running):
                counted[parent] += 1
                own = _numbered(form, counted[parent], path)
                path = (*path, own)
            found[position] = Sign(own, path, len(above) - 1)
            if not line.is_memo:
                above.append(position)
        return found

    def place(self, number: str, kind: str, headers: Sequence[str] = ()) -> int | None:
        """Return which line an account belongs to, by its headers, the nearest first, or its number; None for none.

        Lines of the other side of a balance sheet are not asked: both sides would be wrong by twice the balance.
        """
        side = self._side(kind)
        for header in headers:
            named = [position for position in self._named.get(header.casefold().strip(), []) if position in side]
            if len(named) == 1:
                return named[0]
        whole = next((one for one in self._of_whole_numbers if one in side and self._holds(one, number, kind)), None)
        if whole is not None:
            return whole
        found: int | None = None
        for position in side:
            is_deeper = found is None or self.lines[position].level > self.lines[found].level
            if is_deeper and self._holds(position, number, kind):
                found = position
        return found

    def tells(self, memo: int, of: int, number: str, kind: str) -> bool:
        """Whether a memo tells of an account of a line; of one that its whole number put there, by that alone."""
        if self.lines[of].holds_whole(number, kind):
            return self.lines[memo].holds_whole(number, kind)
        return self.lines[memo].holds(number, kind)

    def place_below(self, number: str, kind: str) -> int | None:
        """Return the line of the other side that an account belongs to while it is below nothing; None for none."""
        if self.lines[-1].is_total:
            return None
        side = self._side(kind)
        return next((one for one in range(len(self.lines)) if one not in side and self._holds(one, number, kind)), None)

    def _holds(self, position: int, number: str, kind: str) -> bool:
        line = self.lines[position]
        return not line.is_memo and line.holds(number, kind)

    @cached_property
    def _of_whole_numbers(self) -> list[int]:
        return [position for position, line in enumerate(self.lines) if _WHOLE.search(line.takes)]

    def _side(self, kind: str) -> range:
        """The lines that accounts of a type may stand on: all of an income statement, which ends with a total."""
        every = range(len(self.lines))
        if self.lines[-1].is_total:
            return every
        second = max(position for position in every if self.lines[position].level == 0)
        return every[:second] if kind.startswith("ASS") else every[second:]

    @cached_property
    def _named(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for position, line in enumerate(self.lines):
            if not (line.is_memo or line.is_total or DEFICIT in line.computed):
                for name in {name.casefold() for term in (line.term, *(line.by_sign or ())) for name in term}:
                    found.setdefault(name, []).append(position)
        return found


def _numbered(form: str, count: int, path: Sequence[str]) -> str:
    """Write a number in the form of its level, such as `I.`; `aa)` goes on from the letter above it."""
    kind, end = form.rstrip(".)"), form[len(form.rstrip(".)")) :]
    written = {
        "A": chr(ord("A") + count - 1),
        "I": _TENS[count // 10 % 4] + _ONES[count % 10],
        "1": str(count),
        "a": chr(ord("a") + count - 1),
        "aa": "".join(path[-1:]).rstrip(".)") + chr(ord("a") + count - 1),
    }
    return written[kind] + end


class Statements(NamedTuple):
    """How a country lays statements out, by size; `day` is how it writes a day, as `str.format` reads it."""

    balance: dict[Size, Scheme]
    income: dict[Size, Scheme]
    day: str
