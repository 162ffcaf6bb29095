"""The price of a product with and without VAT (docs/interface.md 6.4)."""

from __future__ import annotations

from typing import NamedTuple

from acctcli.service.rules.money import WHOLE, divide_half_away

# a cent in ten-thousandths
CENT = 100


class Price(NamedTuple):
    """A price taken apart, in ten-thousandths: without VAT, the VAT, with it."""

    exclusive: int
    vat: int
    inclusive: int


def split_price(amount: int, rate: int, *, is_inclusive: bool) -> Price:
    """Take a price in ten-thousandths apart; the rate is hundredths of a percent.

    VAT is rounded half away from zero to cents, as the price is; of a price finer than that to ten-thousandths, or
    there would be none on what costs a tenth of a cent.
    """
    unit = 1 if amount % CENT else CENT
    base = WHOLE + rate if is_inclusive else WHOLE
    vat = divide_half_away(amount * rate, base * unit) * unit
    return Price(amount - vat, vat, amount) if is_inclusive else Price(amount, vat, amount + vat)
