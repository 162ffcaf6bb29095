"""The calendar of a business: what is to be filed or paid for VAT, by when, and how far it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

from acctcli.law.calendar import MONTHS, last_day, months_between, tax_period
from acctcli.law.decisions import Country
from acctcli.models.enums import DefaultVatPeriod

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class VatPeriod:
    """A VAT period as far as duties follow from it (docs/interface.md 9); without an id it is yet to be made.

    `is_before`: nobody made it, and later ones were, so that nothing tells whether its duties were done.
    """

    id: int | None
    start_date: date
    end_date: date
    due_date: date
    period: int | None = None
    is_reported: bool = False
    is_recapitulative_reported: bool = False
    has_eu_sales: bool = False
    filing_tax_to_be_paid: Decimal | None = None
    is_before: bool = False

    @property
    def months(self) -> list[tuple[date, date]]:
        """The months of it: EU sales are stated by month, whatever the length of the period is."""
        return months_between(self.start_date, self.end_date)


class Status(StrEnum):
    """How far a duty is: `open` until its period is over, then `due`, after its day `overdue`, or `done`.

    `passed` is a day gone by of which nothing tells whether the duty was done.
    """

    OPEN = "open"
    DUE = "due"
    OVERDUE = "overdue"
    DONE = "done"
    PASSED = "passed"


class Duty(NamedTuple):
    """Something to file or to pay; `amount` is what is paid, in currency units, None where it is not known."""

    due_date: date
    duty: str
    period: str
    status: Status
    amount: Decimal | None = None
    vat_period_id: int | None = None


def planned_periods(
    known: Sequence[VatPeriod], kind: int | None, country: Country, days: tuple[date, date], *, has_extension: bool
) -> Iterator[VatPeriod]:
    """Yield the periods of a length that nobody made, in their order.

    From the first of the days, on which the books begin, to the first one known; then those that follow the latest one
    known, as long as they are due by the last of the days.
    """
    if kind not in set(MONTHS):
        return
    length, (begin, until) = DefaultVatPeriod(kind), days
    start = begin.replace(month=(begin.month - 1) // MONTHS[length] * MONTHS[length] + 1, day=1)
    first = min((one.start_date for one in known), default=start)

    def planned(start: date, *, is_before: bool) -> VatPeriod:
        end = last_day(start, MONTHS[length])
        due = country.vat_due_date(end, length, has_extension=has_extension)
        return VatPeriod(None, start, end, due, length, is_before=is_before)

    while (one := planned(start, is_before=True)).end_date < first:
        yield one
        start = one.end_date + _DAY
    start = max((one.end_date + _DAY for one in known), default=start)
    while (one := planned(start, is_before=False)).due_date <= until:
        yield one
        start = one.end_date + _DAY


def return_duty(period: VatPeriod, country: Country, today: date) -> Duty:
    """Return the duty to file and pay a VAT period (docs/law.md 4.2)."""
    due = country.next_banking_day(period.due_date)
    status = _status(due, period, period.end_date, today, is_done=period.is_reported)
    name = _name(period.start_date, period.end_date)
    return Duty(due, "VAT return", name, status, period.filing_tax_to_be_paid, period.id)


def statement_duty(period: VatPeriod, month: tuple[date, date], country: Country, today: date) -> Duty:
    """Return the duty to state the EU sales of a month in a VAT period."""
    due = country.recapitulative_due_date(month[1])
    status = _status(due, period, month[1], today, is_done=period.is_recapitulative_reported)
    return Duty(due, "EU recapitulative statement", _name(*month), status, vat_period_id=period.id)


def prepayment_duties(periods: Iterable[VatPeriod], country: Country, today: date) -> Iterator[Duty]:
    """Yield what businesses with an extension prepay every year with monthly periods; quarterly filers owe nothing."""
    for year in sorted({one.start_date.year for one in periods if one.period == DefaultVatPeriod.MONTH}):
        due = country.prepayment_due_date(year)
        if due is not None:
            yield Duty(due, "Special prepayment", str(year), Status.PASSED if due < today else Status.DUE)


def _name(first: date, last: date) -> str:
    period = tax_period(first, last)
    return period.name if period else f"{first} - {last}"


def _status(due: date, period: VatPeriod, end: date, today: date, *, is_done: bool) -> Status:
    if is_done:
        return Status.DONE
    if due < today:
        return Status.PASSED if period.is_before else Status.OVERDUE
    return Status.DUE if end < today else Status.OPEN
