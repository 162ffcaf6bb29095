"""VAT codes and rates (wire facts 3.1, 3.3, 3.4)."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import NamedTuple

from acctcli.models.enums import VatRateLabel


class VatCode(NamedTuple):
    """What a VAT code means; `tags` say side, region, kind and mechanism in the words of wire facts 3.3."""

    value: int
    label: str
    tags: tuple[str, ...]

    @property
    def is_sale(self) -> bool:
        """Whether the code belongs to the selling side."""
        return "sale" in self.tags

    @property
    def is_purchase(self) -> bool:
        """Whether the code belongs to the buying side."""
        return "purchase" in self.tags

    @property
    def is_reverse_charge(self) -> bool:
        """Whether the buyer owes and deducts the VAT."""
        return "reverse_charge" in self.tags


OUTPUT_VAT = 1
INPUT_VAT = 2
NO_VAT = 3

VAT_CODES: tuple[VatCode, ...] = (
    VatCode(1, "Domestic taxable sale", ("sale", "domestic")),
    VatCode(2, "Domestic taxable purchase", ("purchase", "domestic")),
    VatCode(3, "No VAT handling", ("none",)),
    VatCode(4, "Zero-rated sale", ("sale", "zero")),
    VatCode(5, "Goods sold to other EU countries", ("sale", "eu", "goods")),
    VatCode(6, "Services sold to other EU countries", ("sale", "eu", "services")),
    VatCode(7, "Goods bought from other EU countries", ("purchase", "eu", "goods", "reverse_charge")),
    VatCode(8, "Services bought from other EU countries", ("purchase", "eu", "services", "reverse_charge")),
    VatCode(9, "Goods imported from outside the EU", ("purchase", "non_eu", "goods", "reverse_charge")),
    VatCode(10, "Construction services sold", ("sale", "domestic", "construction")),
    VatCode(11, "Construction services bought", ("purchase", "domestic", "construction", "reverse_charge")),
    VatCode(12, "Services sold outside the EU", ("sale", "non_eu", "services")),
    VatCode(13, "Goods sold outside the EU", ("sale", "non_eu", "goods")),
    VatCode(14, "Services bought from outside the EU", ("purchase", "non_eu", "services", "reverse_charge")),
    VatCode(15, "Goods imported from outside the EU", ("purchase", "non_eu", "goods", "reverse_charge")),
)

REVERSE_CHARGE: frozenset[int] = frozenset(code.value for code in VAT_CODES if code.is_reverse_charge)
EU_SALES: frozenset[int] = frozenset(code.value for code in VAT_CODES if code.is_sale and "eu" in code.tags)


class VatRates(NamedTuple):
    """The rates of a country from a day on, in hundredths of a percent, by label."""

    effective_from: date
    standard: int
    reduced_a: int
    reduced_b: int
    zero: int = 0


class RateOption(NamedTuple):
    """A rate one may choose: its label and the rate in percent with 2 decimals."""

    label: VatRateLabel
    rate: Decimal


RATES: dict[str, tuple[VatRates, ...]] = {
    "FI": (
        VatRates(date(2013, 1, 1), 2400, 1400, 1000),
        VatRates(date(2024, 9, 1), 2550, 1400, 1000),
        VatRates(date(2026, 1, 1), 2550, 1350, 1000),
    ),
    "DE": (
        VatRates(date(2007, 1, 1), 1900, 700, 0),
        VatRates(date(2020, 7, 1), 1600, 500, 0),
        VatRates(date(2021, 1, 1), 1900, 700, 0),
    ),
}


def rates_at(country: str, day: date) -> VatRates:
    """Return the rates in force; before the first known day the first ones, elsewhere Finland's.

    Demo businesses behave as Finnish ones, and no other country has rates here (wire facts 2.3, 3.4).
    """
    table = RATES.get(country, RATES["FI"])
    return next((rates for rates in reversed(table) if rates.effective_from <= day), table[0])


def rate_options(country: str, day: date) -> tuple[RateOption, ...]:
    """Return the rates to choose from on a day, in percent (wire facts 3.4)."""
    rates = rates_at(country, day)
    return tuple(RateOption(label, Decimal(getattr(rates, label)).scaleb(-2)) for label in VatRateLabel)


def resolve_rate(label: str, country: str, day: date) -> Decimal:
    """Return the rate behind a label on a day, in percent with 2 decimals; ValueError for no such label."""
    return Decimal(getattr(rates_at(country, day), VatRateLabel(label))).scaleb(-2)
