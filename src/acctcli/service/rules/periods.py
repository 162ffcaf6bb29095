"""Accounting and VAT periods: where they begin and end, and what may lie beside them.

See docs/interface.md 3.4, 9.1, 9.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from itertools import pairwise

from acctcli.law.calendar import LAST_VAT_YEAR, MONTHS, last_day
from acctcli.law.closed_days import Span, neighbours
from acctcli.models.enums import DefaultVatPeriod

DAY = timedelta(days=1)
YEAR = 12  # months


class PeriodError(ValueError):
    """The days break a rule; `field` is the one at fault, the text says why."""

    def __init__(self, field: str, text: str) -> None:
        super().__init__(text)
        self.field = field


def calendar_year(day: date) -> Span:
    """Return the year a day is in: the accounting period of a new business."""
    return Span(date(day.year, 1, 1), date(day.year, 12, 31))


def next_start(others: Iterable[Span], today: date) -> date:
    """Return the day after the latest accounting period, or the first of this year; the calendar ends with 9999."""
    latest = max((span.end for span in others), default=None)
    return calendar_year(today).start if latest is None else min(latest, date.max - DAY) + DAY


def year_end(start: date) -> date:
    """Return the last day of the 12 months that begin with that of a day; the calendar ends with the year 9999."""
    return date.max if start.year == date.max.year else last_day(start, 12)


def check_accounting_period(
    span: Span, others: Sequence[Span], longest_months: int, before: Span | None = None
) -> None:
    """Raise PeriodError unless the period ends after it begins, in time, overlaps no other and leaves no gap to one.

    More than a year last only the first one and one that changes the financial year, never two in a row. `before` is
    where the period lay until now.
    """
    if span.end < span.start:
        raise PeriodError("end_date", "An accounting period ends on or after its first day.")
    if _is_longer(span, longest_months):
        raise PeriodError("end_date", f"An accounting period lasts at most {longest_months} months.")
    _refuse_overlap(span, others)
    if _open_days([*others, span]) > _open_days(others if before is None else [*others, before]):
        raise PeriodError("start_date", _no_gap(span, others))
    beside = [other for other in neighbours(span.start, others) if other is not None]
    if _is_longer(span, YEAR) and any(_is_longer(other, YEAR) for other in beside):
        raise PeriodError("end_date", f"An accounting period lasts at most {YEAR} months beside a longer one.")


def _no_gap(span: Span, others: Iterable[Span]) -> str:
    """Say where a period would have to begin, or to end, to follow another one or to come before it."""
    before, after = neighbours(span.start, others)
    ways = [f"begins on {before.end + DAY}"] if before else []
    ways += [f"ends on {after.start - DAY}"] if after else []
    return f"No days lie between accounting periods: this one {', or '.join(ways)}."


def refuse_gap(span: Span, others: Sequence[Span]) -> None:
    """Raise PeriodError when there is a period before and one after this one: without it days between lie in none."""
    if None not in neighbours(span.start, others):
        raise PeriodError("start_date", f"{span} lies between other accounting periods.")


def _is_longer(span: Span, months: int) -> bool:
    count = (span.end.year - span.start.year) * 12 + span.end.month - span.start.month
    return count > months or (count == months and span.end.day >= span.start.day)


def days_left_out(before: Span, after: Span) -> list[Span]:
    """Return what a changed period no longer covers: a part before it, one after it, or all of it."""
    if not before.overlaps(after):
        return [before]
    head = [Span(before.start, after.start - DAY)] if before.start < after.start else []
    tail = [Span(after.end + DAY, before.end)] if after.end < before.end else []
    return head + tail


def vat_span(kind: int, day: date) -> Span:
    """Return the calendar month, quarter or year a day is in; `kind` is 0, 1 or 2."""
    months = MONTHS[DefaultVatPeriod(kind)]
    return vat_span_from(date(day.year, (day.month - 1) // months * months + 1, 1), kind)


def vat_span_from(start: date, kind: int) -> Span:
    """Return the VAT period of 1, 3 or 12 months that begins on a day; PeriodError when it may not begin there."""
    if start.day != 1 or start.year > LAST_VAT_YEAR:
        raise PeriodError("start_date", f"A VAT period begins on the first day of a month, in {LAST_VAT_YEAR} at last.")
    return Span(start, last_day(start, MONTHS[DefaultVatPeriod(kind)]))


def check_vat_period(span: Span, others: Sequence[Span], before: Span | None = None) -> None:
    """Raise PeriodError when a VAT period overlaps another or leaves days between them that no period covers.

    `before` is where the period lay until now. Days left open earlier, by a deletion, may be filled step by step.
    """
    _refuse_overlap(span, others)
    known = others if before is None else [*others, before]
    if _open_days([*others, span]) > _open_days(known):
        raise PeriodError("start_date", "A VAT period begins where another ends, or ends where another begins.")


def _refuse_overlap(span: Span, others: Iterable[Span]) -> None:
    for other in others:
        if span.overlaps(other):
            raise PeriodError("start_date", f"{span} overlaps the period {other}.")


def _open_days(spans: Iterable[Span]) -> int:
    """Count the days between the first and the last period that lie in none; periods do not overlap."""
    return sum((after.start - before.end).days - 1 for before, after in pairwise(sorted(spans)))
