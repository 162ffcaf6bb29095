"""Which VAT may be charged: the rates of a day (docs/law.md 1)."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from acctcli.law.decisions import Country, VatRates
from acctcli.law.vat_codes import INPUT_VAT, OUTPUT_VAT, REVERSE_CHARGE
from acctcli.law.world import COUNTRIES
from acctcli.models.enums import VatRateLabel

# codes under which VAT is worked out from a rate
TAXED = REVERSE_CHARGE | {OUTPUT_VAT, INPUT_VAT}


def rate_fault(country: Country, rate: Decimal, day: date) -> str | None:
    """Say that a rate in percent is none of a country on a day, and which is right.

    None for one of its rates, and for any on a day before the first one that is known.
    """
    rates = country.rates_at(day)
    if rate in _percents(rates).values() or day < country.rates[0].effective_from:
        return None
    told = f"{_plain(rate)} % is no VAT rate of {COUNTRIES[country.code]} on {day}"
    label = next((label for other in country.rates for label, one in _percents(other).items() if one == rate), None)
    if label is not None:
        return f"{told}: the rate is {_plain(rates.rate(label))} % on that day"
    *others, last = (_plain(one) for one in dict.fromkeys(_percents(rates).values()) if one)
    return f"{told}: the rates are {', '.join(others)} and {last} %"


def last_day_of_rate(country: Country, rate: Decimal, last: date) -> date | None:
    """Return the latest day up to `last` on which a country had a rate of VAT; None where it had not had it by then.

    Nothing is said against rates of zero, and of days before the first one that is known.
    """
    if not rate or last < country.rates[0].effective_from:
        return last
    ends = (*(later.effective_from - timedelta(days=1) for later in country.rates[1:]), date.max)
    known = [(one, end) for one, end in zip(country.rates, ends, strict=True) if one.effective_from <= last]
    return max((min(end, last) for one, end in known if rate in _percents(one).values()), default=None)


def rate_in_force(country: Country, rate: Decimal, before: date, day: date) -> Decimal:
    """Return the rate of the same kind on another day; the rate itself where it was none of its own day."""
    label = next((label for label, one in _percents(country.rates_at(before)).items() if one == rate), None)
    return rate if label is None else country.rates_at(day).rate(label)


def _percents(rates: VatRates) -> dict[VatRateLabel, Decimal]:
    return {label: rates.rate(label) for label in VatRateLabel}


def _plain(rate: Decimal) -> str:
    return f"{rate.normalize():f}"
