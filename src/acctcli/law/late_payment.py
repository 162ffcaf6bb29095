"""What it costs to pay late: interest by half-year, a lump sum or fees (docs/law.md 7.8), and how reminders follow.

Simple interest on what is open, from the day after the last one to pay in time to a day, both counted, at 365 days a
year: each half-year at its own rate, and rounded to cents by itself, half away from zero.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple

from acctcli.errors import UsageError
from acctcli.models.enums import Language

_CENT = Decimal("0.01")
# days of a year, by a hundred: rates are in percent
_YEAR = 36500
_DAY = timedelta(days=1)
_JULY = 7


class Claim(NamedTuple):
    """What is owed to who is paid late: percentage points above the reference rate, and the section that says so.

    A reminder gives `term` days at least, and the next one waits for them (docs/law.md 7.11).
    """

    points: Decimal
    law: str
    term: int


class Fee(NamedTuple):
    """What a reminder may cost a person: so many euros at most, where the law has a figure, so many days after the due.

    Businesses owe the lump sum for that.
    """

    most: Decimal | None
    after: int
    law: str


class LatePayment(NamedTuple):
    """What a country decides: reference rates in percent by their first day, and what comes on top of them.

    They are known up to `known_until`. Businesses owe `lump_sum` in euros besides, by `lump_law`. Laws whose names are
    words of one language are `cited` in others.
    """

    rates: tuple[tuple[date, Decimal], ...]
    known_until: date
    business: Claim
    consumer: Claim
    lump_sum: Decimal
    lump_law: str
    fee: Fee
    cited: Mapping[str, Mapping[Language, str]] = {}

    def cite(self, section: str, language: Language) -> str:
        """Return a section as it is cited in a language."""
        return self.cited.get(section, {}).get(language, section)

    def reference(self, day: date, told: Mapping[date, Decimal]) -> Decimal:
        """Return the reference rate of a day; of half-years that are not known here, as it is `told` by first days.

        Raises UsageError for what nobody told.
        """
        first = half_year(day)
        if first in told:
            return told[first]
        if day > self.known_until or day < self.rates[0][0]:
            raise UsageError(
                f"the reference rate of the half-year from {first} is not known here",
                hint=f"give it as it was published: --reference-rate {first}=2.5",
            )
        return next(rate for since, rate in reversed(self.rates) if since <= day)


class Accrued(NamedTuple):
    """Interest of some days of a half-year, the first and the last among them, at a rate in percent."""

    first: date
    last: date
    rate: Decimal
    interest: Decimal

    @property
    def days(self) -> int:
        """How many days bear it."""
        return (self.last - self.first).days + 1


def half_year(day: date) -> date:
    """Return the first day of the half-year that a day is in."""
    return date(day.year, _JULY if day.month >= _JULY else 1, 1)


def _next(first: date) -> date:
    return date(first.year, _JULY, 1) if first.month == 1 else date(first.year + 1, 1, 1)


def _halves(first: date, last: date) -> Iterator[tuple[date, date]]:
    while first <= last:
        end = min(last, _next(half_year(first)) - _DAY)
        yield first, end
        first = end + _DAY


def accrue(amount: Decimal, due: date, until: date, rates: Mapping[date, Decimal]) -> list[Accrued]:
    """Return the interest on an amount by half-year; `rates` are those in percent, by the first day of each."""
    found = []
    for first, last in _halves(due + _DAY, until):
        rate = rates[half_year(first)]
        interest = (amount * rate * ((last - first).days + 1) / _YEAR).quantize(_CENT, ROUND_HALF_UP)
        found.append(Accrued(first, last, rate, interest))
    return found


def rates_between(
    law: LatePayment, claim: Claim, due: date, until: date, told: Mapping[date, Decimal]
) -> dict[date, Decimal]:
    """Return the rates of law in percent of all half-years of a delay, by their first day."""
    firsts = (half_year(first) for first, _ in _halves(due + _DAY, until))
    return {first: law.reference(first, told) + claim.points for first in firsts}
