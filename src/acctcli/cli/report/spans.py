"""Which columns a report is asked for: periods, days, and those to compare with."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from acctcli.cli.command.dates import Today, choose_range, parse_day, parse_range
from acctcli.errors import UsageError
from acctcli.law.calendar import last_day

PREVIOUS_YEAR = "previous-year"
PREVIOUS_PERIOD = "previous-period"


class Span(NamedTuple):
    """Days from `first` to `last`, both included."""

    first: date
    last: date

    @property
    def name(self) -> str | None:
        """What a calendar year, quarter, month or day is called; None for other spans."""
        if self.first == self.last:
            return self.first.isoformat()
        months = self.months
        start = self.first
        if months == 12 and start.month == 1:
            return f"{start.year:04}"
        if months == 3 and start.month % 3 == 1:
            return f"{start.year:04}-Q{start.month // 3 + 1}"
        return f"{start.year:04}-{start.month:02}" if months == 1 else None

    @property
    def months(self) -> int:
        """How many whole calendar months it is; 0 when it is not."""
        if self.first.day != 1 or not is_month_end(self.last):
            return 0
        return (self.last.year - self.first.year) * 12 + self.last.month - self.first.month + 1

    def previous(self, compare: str) -> Span:
        """Return the span a year before, or the one as long that ends the day before this one."""
        if compare == PREVIOUS_YEAR:
            return Span(shift_months(self.first, -12), year_before(self.last))
        if self.months:
            return Span(shift_months(self.first, -self.months), self.first - timedelta(days=1))
        length = self.last - self.first + timedelta(days=1)
        if self.first - date.min < length:
            raise UsageError(f"there is nothing before {self.first}")
        return Span(self.first - length, self.first - timedelta(days=1))


def choose_spans(periods: Sequence[str] | None, first: str | None, last: str | None, today: Today) -> list[Span]:
    """Return the spans of --period, or the one of --from and --to, or the current calendar year."""
    if periods and (first is not None or last is not None):
        raise UsageError("--period does not go with --from or --to")
    if periods:
        return _distinct([Span(*parse_range(text, "--period", today)) for text in periods], "--period")
    start, end = choose_range(None, first, last, today)
    if (start is None) != (end is None):
        raise UsageError("give both --from and --to, or --period")
    if start is None or end is None:
        year = today().year
        return [Span(date(year, 1, 1), date(year, 12, 31))]
    return [Span(start, end)]


def range_columns(spans: Sequence[Span], compare: str | None) -> list[dict[str, Any]]:
    """Return the columns of a report over ranges, with the one to compare with behind."""
    return [
        {
            **({"name": span.name} if span.name else {}),
            "date_from": span.first.isoformat(),
            "date_to": span.last.isoformat(),
        }
        for span in _compared(spans, compare)
    ]


def point_columns(
    periods: Sequence[str] | None, days: Sequence[str] | None, compare: str | None, today: Today
) -> list[dict[str, Any]]:
    """Return the columns of a balance sheet: days as they are given, periods by their last day, else today."""
    if periods and days:
        raise UsageError("--period does not go with --date")
    if periods:
        spans = [Span(*parse_range(text, "--period", today)) for text in periods]
        last_days = [span.last for span in _compared(spans, compare)]
    else:
        given = [parse_day(text, "--date", today) for text in days or ["today"]]
        if compare == PREVIOUS_PERIOD:
            raise UsageError("a day has no period before it", hint="name a --period, or compare with previous-year")
        last_days = [span.last for span in _compared([Span(day, day) for day in given], compare)]
    distinct = _distinct([Span(day, day) for day in last_days], "the last day of a column")
    return [{"date_at": span.last.isoformat()} for span in distinct]


def twelve_months(last: date) -> list[Span]:
    """Return the twelve calendar months up to that of `last`."""
    start = last.replace(day=1)
    firsts = [shift_months(start, -back) for back in range(11, -1, -1)]
    return [Span(first, last_day(first, 1)) for first in firsts]


def _compared(spans: Sequence[Span], compare: str | None) -> list[Span]:
    if compare is None:
        return list(spans)
    if len(spans) != 1:
        raise UsageError("--compare adds a column to one: give one period")
    return [spans[0], spans[0].previous(compare)]


def _distinct(spans: list[Span], name: str) -> list[Span]:
    if len(set(spans)) != len(spans):
        twice = next(span for span in spans if spans.count(span) > 1)
        raise UsageError(f"{name} {twice.name or twice.first} comes twice")
    return spans


def is_month_end(day: date) -> bool:
    """Whether it is the last day of its month."""
    return day == last_day(day, 1)


def year_before(day: date) -> date:
    """Return the day a year before; the end of a month stays one: 2025-02-28 -> 2024-02-29."""
    shifted = shift_months(day, -12)
    return last_day(shifted, 1) if is_month_end(day) else shifted


def shift_months(day: date, months: int) -> date:
    """Return the day so many months later, cut to the length of that month."""
    years, month = divmod(day.month - 1 + months, 12)
    year = day.year + years
    if year < date.min.year:
        raise UsageError(f"there is nothing before {day}")
    return date(year, month + 1, min(day.day, last_day(date(year, month + 1, 1), 1).day))
