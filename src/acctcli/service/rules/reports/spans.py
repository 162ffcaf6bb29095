"""The days a report is about: cut into whole months and the days beside them, and where a result begins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import NamedTuple

from acctcli.law.calendar import last_day
from acctcli.law.closed_days import Span
from acctcli.service.rules.periods import DAY, calendar_year

BEFORE_ALL = "0000-00"


class Pieces(NamedTuple):
    """A range as what is summed up in the books already, whole months `YYYY-MM` from the first to the last, and the
    days before and after them.
    """

    months: tuple[str, str] | None
    days: tuple[Span, ...]


def cut(first: date | None, last: date) -> Pieces:
    """Cut a range, both days included, into whole months and the days left at its edges; None: from before any day."""
    from_month = 0 if first is None else _month(first) + (first.day > 1)
    to_month = _month(last) - (last < last_day(last, 1))
    if first is not None and from_month > to_month:
        return Pieces(None, (Span(first, last),))
    head = () if first is None or first.day == 1 else (Span(first, last_day(first, 1)),)
    tail = () if _month(last) == to_month else (Span(last.replace(day=1), last),)
    return Pieces((BEFORE_ALL if first is None else _text(from_month), _text(to_month)), head + tail)


def years(span: Span) -> Iterator[Span]:
    """Cut a range into the calendar years it touches: what is sorted for one is not held for the next."""
    for year in range(span.start.year, span.end.year + 1):
        yield Span(max(span.start, date(year, 1, 1)), min(span.end, date(year, 12, 31)))


def day_before(day: date) -> date | None:
    """Return the day before; None before the first day of the calendar, when there is none."""
    return None if day == date.min else day - DAY


def result_start(day: date, periods: Iterable[Span]) -> date:
    """Return the first day whose result belongs to that of `day`: the start of its accounting period.

    See docs/interface.md 4.3.

    A day that no period covers belongs to its calendar year, as far as no earlier period reaches into that.
    """
    start = calendar_year(day).start
    for period in periods:
        if period.start <= day <= period.end:
            return period.start
        if period.end < day:
            start = max(start, period.end + DAY)
    return start


def turns(span: Span, periods: Sequence[Span], moved: Span) -> list[date]:
    """Return the days of a range, but its first, on which results begin anew, as far as `moved`, the days with entries,
    makes that matter.
    """
    days = {date(year, 1, 1) for year in range(moved.start.year, min(moved.end.year + 1, date.max.year) + 1)}
    days |= {period.start for period in periods}
    days |= {period.end + DAY for period in periods if period.end < date.max}
    return sorted(day for day in days if span.start < day <= span.end and result_start(day, periods) == day)


def shifted(before: Sequence[Span], after: Sequence[Span], last: date) -> date | None:
    """Return a day up to `last` whose result begins on another day by other periods; None when there is none."""
    edges = {day for span in (*before, *after) for day in (span.start, min(span.end, date.max - DAY) + DAY)}
    days = sorted({*(day for day in edges if day <= last), last})
    return next((day for day in days if result_start(day, before) != result_start(day, after)), None)


def _month(day: date) -> int:
    return day.year * 12 + day.month - 1


def _text(month: int) -> str:
    return f"{month // 12:04}-{month % 12 + 1:02}"
