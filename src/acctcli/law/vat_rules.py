"""Which VAT may be charged: the rates of a day, and to whom each VAT code may be invoiced (docs/law.md 1, 7.1)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from acctcli.law.decisions import Country, VatRates
from acctcli.law.vat_codes import (
    CONSTRUCTION,
    EU_GOODS,
    EU_SERVICES,
    GOODS_ABROAD,
    INPUT_VAT,
    NO_VAT,
    OUTPUT_VAT,
    REVERSE_CHARGE,
    SALES,
    SERVICES_ABROAD,
    buyer_vat_id,
)
from acctcli.law.world import COUNTRIES, EU_COUNTRIES, NORTHERN_IRELAND, VAT_FORMS, vat_letters
from acctcli.models.enums import ContactType, VatRateLabel

# codes under which VAT is worked out from a rate
TAXED = REVERSE_CHARGE | {OUTPUT_VAT, INPUT_VAT}
_UNHANDLED = frozenset({0, NO_VAT})


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


def customer_fault(code: int, customer: Mapping[str, Any], seller: Country, exemption: str | None) -> str | None:
    """Say why a VAT code cannot stand on an invoice to a customer; None where it can.

    `customer` is a contact with the names of the wire, `exemption` why the business charges no VAT under code 3.
    """
    place = (customer["invoicing_country"] or "").upper()
    if code in _UNHANDLED:
        return None if (exemption or "").strip() else _NO_REASON
    if code not in SALES:
        return f"VAT code {code} is one of purchases."
    if code in {EU_GOODS, EU_SERVICES} and not _is_eu_business(code, customer, seller):
        return f"VAT code {code} needs a customer with a VAT id of another EU country."
    if code == CONSTRUCTION and (place != seller.code or not _is_business(customer)):
        return f"VAT code {code} needs a business of {COUNTRIES[seller.code]} with a business or VAT id."
    if code in {SERVICES_ABROAD, GOODS_ABROAD} and (place in EU_COUNTRIES or not place):
        return f"VAT code {code} needs a customer outside the EU."
    return None


_NO_REASON = "A row without VAT needs a reason: the business has no invoicing_vat_exemption_reason."


def _is_eu_business(code: int, customer: Mapping[str, Any], seller: Country) -> bool:
    letters = vat_letters(_vat_id(customer)[:2])
    # Northern Ireland is of the EU where goods are concerned, not services
    allowed = VAT_FORMS.keys() - {seller.code} - (set() if code == EU_GOODS else {NORTHERN_IRELAND})
    return customer["type"] != ContactType.PERSON and letters in allowed


def _is_business(customer: Mapping[str, Any]) -> bool:
    return customer["type"] != ContactType.PERSON and bool(_vat_id(customer))


def _vat_id(customer: Mapping[str, Any]) -> str:
    return buyer_vat_id(customer["invoicing_tax_code"], customer["contact_business_id"]).upper()


def _percents(rates: VatRates) -> dict[VatRateLabel, Decimal]:
    return {label: rates.rate(label) for label in VatRateLabel}


def _plain(rate: Decimal) -> str:
    return f"{rate.normalize():f}"
