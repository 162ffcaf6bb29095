"""The proof of statements: what they begin with and their lines come to what they end with, and none is missing.

Statements of one account follow each other in a file; files may come in any order (docs/bank.md 2).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from acctcli.banking.statements.model import Foot, Head, Line, Part, ProofFault, StatementFault

_NUMBER = re.compile(r"([0-9]+)(?:/([0-9]+))?")


@dataclass(slots=True)
class Proven:
    """What was read of one statement: whose, how many lines, what they come to, and whether balances prove it."""

    file: str
    head: Head
    lines: int = 0
    left_out: int = 0
    total: Decimal = Decimal("0.00")
    opening: Decimal | None = None
    closing: Decimal | None = None
    first: date | None = None
    last: date | None = None
    # whether it begins where the one before it ended
    goes_on: bool = False
    # the last day that it states, and the first and the last one that it books on
    until: date | None = None
    booked: tuple[date, date] | None = None

    @property
    def outside(self) -> list[date]:
        """The farthest days of booking before and behind those that it states, as its period or by its balances."""
        if self.booked is None:
            return []
        (earliest, latest), since = self.booked, self.head.first
        early = [earliest] if since is not None and earliest < since else []
        return [*early, latest] if self.until is not None and latest > self.until else early

    @property
    def is_proved(self) -> bool:
        """Whether its balances are told; then they were compared."""
        return self.opening is not None and self.closing is not None

    @property
    def name(self) -> str:
        """What it is called in a sentence."""
        number = f" {self.head.number}" if self.head.number else ""
        days = f" of {self.first} to {self.last}" if self.first else ""
        return f"{self.head.kind}{number}{days} ({self.file} line {self.head.line})"


def proved(file: str, parts: Iterable[Part], found: list[Proven]) -> Iterator[tuple[Proven, Line]]:
    """Yield the lines of a file, each with its statement, which comes into `found` where it begins.

    Raise ProofFault where a statement does not add up or does not follow the one before it.
    """
    for part in parts:
        match part:
            case Head():
                found.append(_begun(file, part, found))
            case Line():
                _take(found[-1], part)
                yield found[-1], part
            case Foot():
                _end(found[-1], part)


def _begun(file: str, head: Head, before: list[Proven]) -> Proven:
    if head.currency and not re.fullmatch("[A-Z]{3}", head.currency):
        raise StatementFault(f"{head.currency!r} is not a currency", head.line, "currency")
    made = Proven(file, head, opening=head.opening, first=head.first, last=head.last, until=head.last)
    same = next((one for one in reversed(before) if one.head.account == head.account), None)
    if same is not None and same.file == file and same.head.first and head.first and head.first < same.head.first:
        told = "within a file they stand in the order of their days, and files may come in any order"
        raise ProofFault(f"the statement stands behind a later one, {same.name}: {told}", head.line, "period")
    made.goes_on = same is not None and _goes_on(same, head)
    return made


def _goes_on(before: Proven, head: Head) -> bool:
    """Tell whether a statement begins where another ended, so that nothing of it can stand in both."""
    if head.opening is None or head.opening != before.closing or head.number == before.head.number:
        return False
    return head.first is None or before.last is None or head.first >= before.last


def _take(statement: Proven, line: Line) -> None:
    if line.left_out:
        statement.left_out += 1
        return
    assert line.booked is not None
    statement.lines += 1
    statement.total += line.amount
    statement.first = min(statement.first or line.booked, line.booked)
    statement.last = max(statement.last or line.booked, line.booked)
    earliest, latest = statement.booked or (line.booked, line.booked)
    statement.booked = min(earliest, line.booked), max(latest, line.booked)


def _end(statement: Proven, foot: Foot) -> None:
    opening, closing = foot.opening, foot.closing
    statement.opening, statement.closing = opening, closing
    if foot.last is not None:
        statement.last = max(statement.last or foot.last, foot.last)
        statement.until = statement.until or foot.last
    if opening is not None and closing is not None and opening + statement.total != closing:
        lines = "1 line" if statement.lines == 1 else f"{statement.lines} lines"
        raise ProofFault(
            f"{opening} and {statement.total} of {lines} come to {opening + statement.total}, "
            f"and the statement ends with {closing}: {closing - opening - statement.total} is missing",
            foot.line,
            "closing balance",
        )


class Joint(NamedTuple):
    """Two statements of an account that follow each other, what is to be said of that, and whether something lacks."""

    before: Proven
    after: Proven
    note: str
    is_gap: bool

    @property
    def is_overlap(self) -> bool:
        """Whether both tell of the same days."""
        return not self.is_gap and self.before.closing != self.after.opening


def note_days_outside(found: Iterable[Proven]) -> list[str]:
    """Return notes on statements that book on days outside of those that they state, as some banks do."""
    return [
        f"{one.name} books on {' and '.join(map(str, days))}, and states {one.head.first or '…'} to {one.until or '…'}"
        for one in found
        if (days := one.outside)
    ]


def check_they_follow(found: Iterable[Proven]) -> list[str]:
    """Return notes on statements that overlap; raise ProofFault for a gap between two of one account."""
    notes = []
    for one in joints(found):
        if one.is_gap:
            raise ProofFault(one.note, one.after.head.line, "opening balance")
        notes.append(one.note)
    return notes


def joints(found: Iterable[Proven]) -> Iterator[Joint]:
    """Yield where statements overlap, where numbers are missing, and where something lies between two."""
    by_account: dict[tuple[str, str], list[Proven]] = {}
    for one in found:
        # reports and notifications tell of a part of what statements tell
        if one.is_proved and one.first and one.last:
            by_account.setdefault((one.head.account, one.head.currency), []).append(one)
    for statements in by_account.values():
        for before, after in itertools.pairwise(sorted(statements, key=order)):
            if (joint := _compare(before, after)) is not None:
                yield joint


def order(one: Proven) -> tuple[date, date, tuple[int, int]]:
    """Return what puts statements of an account in order."""
    return one.first or date.min, one.last or date.min, _numbers(one)


def _numbers(one: Proven) -> tuple[int, int]:
    match = _NUMBER.fullmatch(one.head.number)
    return (int(match[1]), int(match[2] or 0)) if match else (0, 0)


def _compare(before: Proven, after: Proven) -> Joint | None:
    """Return what is to be said of two statements; None where the second one goes on with the first."""
    if before.closing == after.opening:
        (number, page), (next_number, next_page) = _numbers(before), _numbers(after)
        is_next = next_number == number + 1 or (next_number == number and next_page in {page, page + 1})
        if number and next_number > number and not is_next:
            told = f"between {before.name} and {after.name} numbers are missing; the balances follow each other"
            return Joint(before, after, told, is_gap=False)
        return None
    assert before.last is not None
    assert after.first is not None
    # several statements of a day are told apart by their numbers
    is_later = _numbers(after) > _numbers(before) > (0, 0)
    if after.first < before.last or (after.first == before.last and not is_later):
        return Joint(
            before, after, f"{before.name} and {after.name} overlap: what both have is taken once", is_gap=False
        )
    told = (
        f"{before.name} ends with {before.closing}, and {after.name} begins with {after.opening}: "
        "what lies between is missing"
    )
    return Joint(before, after, told, is_gap=True)
