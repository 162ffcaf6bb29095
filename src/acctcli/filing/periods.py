"""Tax periods: the months, quarters and years that returns are filed for."""

from __future__ import annotations

import calendar
from datetime import date
from typing import NamedTuple

from acctcli.models.enums import DefaultVatPeriod

_MONTHS = {DefaultVatPeriod.MONTH: 1, DefaultVatPeriod.QUARTER: 3, DefaultVatPeriod.YEAR: 12}


class TaxPeriod(NamedTuple):
    """A calendar month, quarter or year; `number` is the month, the quarter, or 1."""

    kind: DefaultVatPeriod
    year: int
    number: int

    @property
    def name(self) -> str:
        """The period as people type it: 2026-03, 2026-Q1 or 2026."""
        match self.kind:
            case DefaultVatPeriod.MONTH:
                return f"{self.year}-{self.number:02}"
            case DefaultVatPeriod.QUARTER:
                return f"{self.year}-Q{self.number}"
            case _:
                return f"{self.year}"


def tax_period(first: date, last: date) -> TaxPeriod | None:
    """Return the calendar month, quarter or year that two days enclose; None where they enclose something else."""
    for kind, months in _MONTHS.items():
        number, rest = divmod(first.month - 1, months)
        if rest == 0 and first.day == 1 and last == _month_end(first.year, first.month + months - 1):
            return TaxPeriod(kind, first.year, number + 1)
    return None


def months_between(first: date, last: date) -> list[tuple[date, date]]:
    """Return the first and the last day of every month that begins between two days, the first of which begins one."""
    count = (last.year - first.year) * 12 + last.month - first.month + 1
    starts = [month_after(first, months) for months in range(count)]
    return [(start, _month_end(start.year, start.month)) for start in starts]


def month_after(day: date, months: int) -> date:
    """Return the first day of the month that many months later."""
    count = day.year * 12 + day.month - 1 + months
    return date(count // 12, count % 12 + 1, 1)


def _month_end(year: int, month: int) -> date:
    return date(year, month, calendar.monthrange(year, month)[1])
