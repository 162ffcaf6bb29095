"""Prices with and without VAT (docs/interface.md 6.4)."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.service.rules.products import Price, split_price

AMOUNTS = st.integers(-(10**15), 10**15)
RATES = st.integers(0, 10_000)


@pytest.mark.parametrize(
    ("amount", "rate", "is_inclusive", "price"),
    [
        (1_000_000, 2550, False, (1_000_000, 255_000, 1_255_000)),
        (1_255_000, 2550, True, (1_000_000, 255_000, 1_255_000)),
        (199_900, 1350, False, (199_900, 27_000, 226_900)),  # 2.69865 -> 2.70
        (100, 5000, False, (100, 100, 200)),  # half a cent -> a cent
        (-100, 5000, False, (-100, -100, -200)),
        (125, 2550, False, (125, 32, 157)),  # 0.0125: VAT of 0.0032, and not of 0.00
        (157, 2550, True, (125, 32, 157)),
        (500_000, 0, True, (500_000, 0, 500_000)),
    ],
)
def test_prices(amount: int, rate: int, is_inclusive: bool, price: tuple[int, int, int]) -> None:
    assert split_price(amount, rate, is_inclusive=is_inclusive) == Price(*price)


@given(AMOUNTS, RATES, st.booleans())
def test_the_parts_make_the_whole_and_the_vat_is_rounded_once(amount: int, rate: int, is_inclusive: bool) -> None:
    price = split_price(amount, rate, is_inclusive=is_inclusive)
    assert price.exclusive + price.vat == price.inclusive
    assert (price.inclusive if is_inclusive else price.exclusive) == amount
    base = 10_000 + rate if is_inclusive else 10_000
    places = Decimal("0.0001") if amount % 100 else Decimal("0.01")
    exact = Decimal(amount) * rate / base / 10_000
    assert Decimal(price.vat) / 10_000 == exact.quantize(places, ROUND_HALF_UP)
