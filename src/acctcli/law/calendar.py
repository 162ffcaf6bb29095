"""Calendar months and tax periods, and the feasts that holidays move with."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta
from typing import NamedTuple

from acctcli.models.enums import DefaultVatPeriod

# what follows from a VAT period, its due date for one, must still be a day of the calendar
LAST_VAT_YEAR = 9997
MONTHS = {DefaultVatPeriod.MONTH: 1, DefaultVatPeriod.QUARTER: 3, DefaultVatPeriod.YEAR: 12}
# in days from Easter Sunday
GOOD_FRIDAY, EASTER_MONDAY, ASCENSION, WHIT_MONDAY = -2, 1, 39, 50


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
    for kind, months in MONTHS.items():
        number, rest = divmod(first.month - 1, months)
        if rest == 0 and first.day == 1 and last == last_day(first, months):
            return TaxPeriod(kind, first.year, number + 1)
    return None


def months_between(first: date, last: date) -> list[tuple[date, date]]:
    """Return the first and the last day of every month that begins between two days, the first of which begins one."""
    count = (last.year - first.year) * 12 + last.month - first.month + 1
    starts = [month_after(first, months) for months in range(count)]
    return [(start, last_day(start, 1)) for start in starts]


def month_after(day: date, months: int) -> date:
    """Return the first day of the month that many months later."""
    count = day.year * 12 + day.month - 1 + months
    return date(count // 12, count % 12 + 1, 1)


def last_day(first: date, months: int) -> date:
    """Return the last day of so many months, the first of which is that of a day."""
    month = month_after(first, months - 1)
    return month.replace(day=monthrange(month.year, month.month)[1])


def holidays_of(year: int, fixed: tuple[tuple[int, int], ...], from_easter: tuple[int, ...]) -> set[date]:
    """Return the holidays of a year: those on a (month, day), and those so many days from Easter Sunday."""
    easter = easter_sunday(year)
    return {date(year, *day) for day in fixed} | {easter + timedelta(days=days) for days in from_easter}


def easter_sunday(year: int) -> date:
    """Return Easter Sunday of the Gregorian calendar (the anonymous algorithm of 1876)."""
    golden, century, rest = year % 19, year // 100, year % 100
    epact = (19 * golden + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (rest // 4) - epact - rest % 4) % 7
    shift = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * shift + 114, 31)
    return date(year, month, day + 1)
