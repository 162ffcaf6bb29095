"""Statements against books: what stands in one of them only, and how both stand day by day (docs/bank.md 9).

All amounts are cents, debit less credit: positive for money that came.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from datetime import date
from typing import NamedTuple


class Told(NamedTuple):
    """A line of a statement: the file and its line, who or what, its tag, day and amount."""

    file: str
    number: int
    name: str
    tag: str
    day: date
    cents: int


class Booked(NamedTuple):
    """What a posted document moves on the account, under the tags of the lines that it stands for."""

    document: int
    title: str
    day: date
    cents: int
    tags: frozenset[str] = frozenset()
    is_taken_back: bool = False


class Difference(NamedTuple):
    """By how much statements move more on a day than books do, and what stands for it on either side, of any day."""

    day: date
    cents: int
    lines: tuple[Told, ...] = ()
    documents: tuple[Booked, ...] = ()


class Day(NamedTuple):
    """How an account stands at the end of a day, and what moved it; without a balance of the bank that is None."""

    day: date
    told: int
    booked: int
    bank: int | None
    books: int

    @property
    def difference(self) -> int | None:
        """What the bank has more than the books."""
        return None if self.bank is None else self.bank - self.books


class Comparison:
    """What lines and documents move on one account, compared by tag as they come; documents come first.

    A line and a document that are alike leave nothing behind but their sums.
    """

    def __init__(self) -> None:
        self._told = Counter[date]()
        self._booked = Counter[date]()
        self._seen: set[str] = set()
        self._documents: defaultdict[str, list[Booked]] = defaultdict(list)
        self._lines: defaultdict[str, list[Told]] = defaultdict(list)
        self._untagged: list[Booked] = []
        self._gaps: list[Difference] = []

    def book(self, one: Booked) -> None:
        """Take what a document moves."""
        self._booked[one.day] += one.cents
        if not one.tags:
            self._untagged.append(one)
        for tag in {_batch(tag) for tag in one.tags}:
            self._documents[tag].append(one)

    def leave_out(self, day: date, cents: int) -> None:
        """Take what statements that are missing moved before a day."""
        self._told[day] += cents
        self._gaps.append(Difference(day, cents))

    def tell(self, one: Told) -> None:
        """Take a line; one that several statements have counts once."""
        if one.tag in self._seen:
            return
        self._seen.add(one.tag)
        self._told[one.day] += one.cents
        tag = _batch(one.tag)
        match self._documents.get(tag):
            case [Booked(day=one.day, cents=one.cents, tags=tags)] if len(tags) == 1 and tag not in self._lines:
                del self._documents[tag]
            case _:
                self._lines[tag].append(one)

    def days(self, first: date, last: date, bank: int | None, books: int) -> Iterator[Day]:
        """Yield the first and the last day and those between on which anything moved; balances are those before."""
        between = {day for day in (*self._told, *self._booked) if first <= day <= last}
        for day in sorted({first, last} | between):
            bank = None if bank is None else bank + self._told[day]
            books += self._booked[day]
            yield Day(day, self._told[day], self._booked[day], bank, books)

    def told_before(self, day: date) -> int:
        """What lines before a day come to."""
        return sum(cents for one, cents in self._told.items() if one < day)

    def booked_between(self, first: date, last: date) -> int:
        """What documents of some days come to, both included."""
        return sum(cents for one, cents in self._booked.items() if first <= one <= last)

    def differences(self, first: date, last: date) -> list[Difference]:
        """Return what stands on one side only, by day: on each they come to what the sides differ by."""
        found = self._gaps + [Difference(one.day, -one.cents, (), (one,)) for one in self._untagged]
        for lines, documents in self._groups():
            net = Counter[date]()
            for line in lines:
                net[line.day] += line.cents
            for one in documents:
                net[one.day] -= one.cents
            found += [Difference(day, cents, lines, documents) for day, cents in net.items() if cents]
        return sorted((one for one in found if first <= one.day <= last), key=_place)

    def _groups(self) -> Iterator[tuple[tuple[Told, ...], tuple[Booked, ...]]]:
        """Yield lines and documents that are left, with all that belongs to them by any tag."""
        left = {*self._documents, *self._lines}
        while left:
            tags, found = set[str](), {left.pop()}
            while found:
                tags.add(tag := found.pop())
                others = {_batch(other) for one in self._documents.get(tag, ()) for other in one.tags}
                found |= others - tags
            left -= tags
            documents = {one for tag in tags for one in self._documents.get(tag, ())}
            yield tuple(sorted(_each(self._lines, tags))), tuple(sorted(documents, key=lambda one: one.document))


def _place(one: Difference) -> tuple[date, tuple[Told, ...], list[int]]:
    return one.day, one.lines, [document.document for document in one.documents]


def _each(lines: dict[str, list[Told]], tags: Iterable[str]) -> Iterator[Told]:
    return (line for tag in tags for line in lines.get(tag, ()))


def _batch(tag: str) -> str:
    """Return what parts of a batch have in common with the whole."""
    return tag.partition(".")[0]
