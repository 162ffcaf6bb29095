"""Which days are closed, by which periods, and how these are opened (docs/interface.md 3.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

import msgspec

from acctcli.cli.output.replies import read_all, reader
from acctcli.cli.output.stderr import how_many_are
from acctcli.cli.session.state import State
from acctcli.client.messages import Extent
from acctcli.errors import Conflict, Forbidden
from acctcli.law.closed_days import Closing, Span, closing_of, outside

# so many periods are named that close a day
_NAMED = 3
_EVERY = Extent(limit=None)


class Period(msgspec.Struct):
    """An accounting or VAT period, and whether it is closed: by a lock, or as its VAT is reported."""

    id: int
    start_date: date
    end_date: date
    is_locked: bool = False
    is_reported: bool = False


read_period = reader(Period, "a period")


class _Closing(NamedTuple):
    """A period that closes its days and all before; why, and the command that opens it."""

    last: date
    why: str
    opened: str


class ClosedDays:
    """The days that periods close; `last` is the last of them, None while all days are open."""

    def __init__(self, closing: Sequence[_Closing]) -> None:
        self._closing = closing
        self.last = max((one.last for one in closing), default=None)

    def has(self, day: date) -> bool:
        """Whether a day is closed."""
        return self.last is not None and day <= self.last

    def why(self, day: date) -> str:
        """Return what closes a day, in a sentence."""
        return ", ".join(_named([one.why for one in self._closing if one.last >= day]))

    def opened(self, day: date) -> str:
        """Return the commands that open a day."""
        return ", ".join(_named([one.opened for one in self._closing if one.last >= day]))

    def refusal(self, days: Sequence[date], noun: str, instead: str = "") -> Conflict:
        """Return the refusal of what falls on some closed days; `instead` is what else can be done."""
        first, last = min(days), max(days)
        span = f"on closed days, {first} to {last}" if first != last else f"on {first}, which is closed"
        return Conflict(
            f"{how_many_are(len(days), noun)} {span}, and nothing is posted: {self.why(first)}",
            hint=f"open these days: {self.opened(first)}{instead}",
        )


def closed_days(here: State) -> ClosedDays:
    """Ask which days are closed; raises Forbidden where the periods may not be seen."""
    return ClosedDays(list(_closing(here)))


def known_closed_days(here: State) -> ClosedDays:
    """Ask likewise, of whoever may not see the periods, too: to them none is known to be closed."""
    try:
        return closed_days(here)
    except Forbidden:
        return ClosedDays([])


def known_periods(here: State) -> list[Period]:
    """Return the accounting periods; to whoever may not see them none is known."""
    try:
        return list(_periods(here))
    except Forbidden:
        return []


class PostingDays(NamedTuple):
    """What is closed, and the accounting periods that postings lie in."""

    closings: Sequence[Closing]
    periods: Sequence[Span]

    def refusal(self, day: date) -> str | None:
        """Say what keeps a posting from a day, in the words of the service; None where nothing does."""
        if closing := closing_of(day, self.closings):
            return closing.why(day)
        return None if any(one.start <= day <= one.end for one in self.periods) else outside(day, self.periods)


def posting_days(here: State) -> PostingDays:
    """Ask which days take postings; raises Forbidden where the periods may not be seen."""
    periods = list(_periods(here))
    closings = [Closing(one.start_date, one.end_date, False, False) for one in periods if one.is_locked]
    for one in read_all(here.api.vat_periods.list({}, _EVERY), read_period):
        if one.is_locked or one.is_reported:
            closings.append(Closing(one.start_date, one.end_date, True, one.is_reported))
    return PostingDays(closings, [Span(one.start_date, one.end_date) for one in periods])


def _periods(here: State) -> Iterator[Period]:
    return read_all(here.api.periods.list({}, _EVERY), read_period)


def _closing(here: State) -> Iterator[_Closing]:
    for one in _periods(here):
        if one.is_locked:
            why = f"the accounting period {one.start_date} to {one.end_date} is locked"
            yield _Closing(one.end_date, why, f"acctcli period unlock {one.id}")
    for one in read_all(here.api.vat_periods.list({}, _EVERY), read_period):
        days = f"{one.start_date} to {one.end_date}"
        if one.is_reported:
            opened = f"acctcli vat period reopen {one.id} --reason TEXT"
            yield _Closing(one.end_date, f"the VAT of {days} has been reported", opened)
        elif one.is_locked:
            yield _Closing(one.end_date, f"the VAT period {days} is locked", f"acctcli vat period unlock {one.id}")


def _named(texts: Sequence[str]) -> list[str]:
    return [*texts[:_NAMED], *([f"{len(texts) - _NAMED} more"] if texts[_NAMED:] else [])]
