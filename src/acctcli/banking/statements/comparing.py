"""Statements against books: what stands in one of them only, and how both stand day by day (docs/bank.md 9).

All amounts are cents, debit less credit: positive for money that came.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from datetime import date
from heapq import nsmallest
from typing import NamedTuple

from acctcli.banking.statements.identity import batch_of

# of an account; what differs besides is counted, so that a wrong statement of any length takes no more memory
MOST_NAMED = 1_000


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
    tags: Collection[str] = ()
    is_taken_back: bool = False


class Difference(NamedTuple):
    """By how much statements move more on a day than books do, and what stands for it on either side, of any day.

    It `is_even` where all of it comes to nothing on the days that are looked at. `others` are counted, and not named:
    lines where they are `is_told`, else documents.
    """

    day: date
    cents: int
    lines: tuple[Told, ...] = ()
    documents: tuple[Booked, ...] = ()
    is_even: bool = False
    others: int = 0
    is_told: bool = True

    @property
    def is_fault(self) -> bool:
        """Whether it is left: neither made up for on another day nor taken back by another document."""
        return not (self.is_even or (not self.lines and any(one.is_taken_back for one in self.documents)))


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


class _Others:
    """How many differ and by how much, by day, by side, and by whether they are faults."""

    def __init__(self) -> None:
        self._numbers = Counter[tuple[date, bool, bool]]()
        self._cents = Counter[tuple[date, bool, bool]]()

    def note(self, one: Difference, number: int = 1) -> None:
        """Count what differs; once more with -1, it is named."""
        key = one.day, bool(one.lines), one.is_fault
        self._numbers[key] += number
        self._cents[key] += number * one.cents

    def within(self, first: date, last: date) -> _Others:
        """Return those of some days, to be counted on."""
        found = _Others()
        for mine, own in ((found._numbers, self._numbers), (found._cents, self._cents)):
            mine.update({key: value for key, value in own.items() if first <= key[0] <= last})
        return found

    def __iter__(self) -> Iterator[Difference]:
        for (day, is_told, is_fault), number in self._numbers.items():
            if number:
                cents = self._cents[day, is_told, is_fault]
                yield Difference(day, cents, is_even=not is_fault, others=number, is_told=is_told)


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
        self._others = _Others()
        self._lone = 0
        self._looked_at = (date.min, date.max)

    def look_at(self, first: date, last: date) -> None:
        """Name lines of these days only."""
        self._looked_at = first, last

    def book(self, one: Booked) -> None:
        """Take what a document moves."""
        self._booked[one.day] += one.cents
        if not one.tags:
            self._untagged.append(one)
        for tag in {batch_of(tag) for tag in one.tags}:
            self._documents[tag].append(one)

    def has(self, tag: str) -> bool:
        """Whether a document stands for a line that was not told yet."""
        return batch_of(tag) in self._documents

    def is_told(self, tag: str) -> bool:
        """Whether a line was told."""
        return tag in self._seen

    def leave_out(self, day: date, cents: int) -> None:
        """Take what statements that are missing moved before a day."""
        self._told[day] += cents
        self._gaps.append(Difference(day, cents, is_even=not cents))

    def tell(self, one: Told) -> None:
        """Take a line; one that several statements have counts once."""
        if one.tag in self._seen:
            return
        self._seen.add(one.tag)
        self._told[one.day] += one.cents
        tag = batch_of(one.tag)
        match self._documents.get(tag):
            case [Booked(day=one.day, cents=one.cents, tags=tags)] if len(tags) == 1 and tag not in self._lines:
                del self._documents[tag]
            case None:
                self._tell_lone(tag, one)
            case _:
                self._lines[tag].append(one)

    def _tell_lone(self, tag: str, one: Told) -> None:
        """Take a line that no document has."""
        if not self._looked_at[0] <= one.day <= self._looked_at[1]:
            return
        if self._lone < MOST_NAMED:
            self._lone += 1
            self._lines[tag].append(one)
        else:
            self._others.note(Difference(one.day, one.cents, (one,)))

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
        """Return what stands on one side only, by day: on each they come to what the sides differ by.

        Gaps and the first `MOST_NAMED` are named, of all others the number and the sum of each day.
        """
        others = self._others.within(first, last)
        named = nsmallest(MOST_NAMED, self._each_noted(first, last, others), key=_place)
        for one in named:
            others.note(one, -1)
        gaps = (one for one in self._gaps if first <= one.day <= last)
        return sorted([*gaps, *named, *others], key=_place)

    def _each_noted(self, first: date, last: date, others: _Others) -> Iterator[Difference]:
        for lines, documents in (*(((), (one,)) for one in self._untagged), *self._groups()):
            net = Counter[date]()
            for line in lines:
                net[line.day] += line.cents
            for one in documents:
                net[one.day] -= one.cents
            some = {day: cents for day, cents in net.items() if cents and first <= day <= last}
            for day, cents in some.items():
                found = Difference(day, cents, lines, documents, is_even=not sum(some.values()))
                others.note(found)
                yield found

    def _groups(self) -> Iterator[tuple[tuple[Told, ...], tuple[Booked, ...]]]:
        """Yield lines and documents that are left, with all that belongs to them by any tag."""
        left = {*self._documents, *self._lines}
        while left:
            tags, found = set[str](), {left.pop()}
            while found:
                tags.add(tag := found.pop())
                others = {batch_of(other) for one in self._documents.get(tag, ()) for other in one.tags}
                found |= others - tags
            left -= tags
            documents = {one for tag in tags for one in self._documents.get(tag, ())}
            yield tuple(sorted(_each(self._lines, tags))), tuple(sorted(documents, key=lambda one: one.document))


def _place(one: Difference) -> tuple[date, bool, tuple[Told, ...], list[int]]:
    return one.day, bool(one.others), one.lines, [document.document for document in one.documents]


def _each(lines: dict[str, list[Told]], tags: Iterable[str]) -> Iterator[Told]:
    return (line for tag in tags for line in lines.get(tag, ()))
