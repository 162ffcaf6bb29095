"""Accounting and VAT periods: where they begin, end, and fall due (wire facts 4.4, 6.1)."""

from __future__ import annotations

from datetime import date, timedelta
from typing import NamedTuple

from acctcli.models.enums import DefaultVatPeriod

MONTHS = {DefaultVatPeriod.MONTH: 1, DefaultVatPeriod.QUARTER: 3, DefaultVatPeriod.YEAR: 12}


class Span(NamedTuple):
    """A range of days, both inclusive."""

    start: date
    end: date


def add_months(first: date, months: int) -> date:
    """Move the first day of a month by whole months."""
    count = first.year * 12 + first.month - 1 + months
    return date(count // 12, count % 12 + 1, 1)


def calendar_year(day: date) -> Span:
    """Return the year a day is in: the accounting period of a new business."""
    return Span(date(day.year, 1, 1), date(day.year, 12, 31))


def vat_span(kind: int, day: date) -> Span:
    """Return the month, quarter or year a day is in; `kind` is 0, 1 or 2."""
    months = MONTHS[DefaultVatPeriod(kind)]
    start = date(day.year, (day.month - 1) // months * months + 1, 1)
    return Span(start, add_months(start, months) - timedelta(days=1))


def vat_due_date(end: date, kind: int, country: str, *, has_extension: bool = False) -> date:
    """Return when the VAT of a period that ends on `end` must be filed and paid; no weekend is shifted.

    Finland: the 12th of the second month after, for years the last day of February. Germany: the 10th of the next
    month, one month later with a permanent extension of the deadline.
    """
    next_month = add_months(end.replace(day=1), 1)
    if country == "DE":
        return add_months(next_month, 1 if has_extension else 0).replace(day=10)
    if kind == DefaultVatPeriod.YEAR:
        return add_months(next_month, 2) - timedelta(days=1)
    return add_months(next_month, 1).replace(day=12)
