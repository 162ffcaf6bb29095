"""Cents and decimals, without loss."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.service.rules.money import LARGEST_CENTS, from_cents, rate_text, to_cents


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("10.10", 1010),
        ("0.00", 0),
        ("-0.01", -1),
        ("12345678901234567.89", 1234567890123456789),
        ("92233720368547758.07", LARGEST_CENTS),
    ],
)
def test_amounts_keep_their_digits(text: str, cents: int) -> None:
    assert to_cents(Decimal(text)) == cents
    assert str(from_cents(cents)) == text


@given(st.integers(-LARGEST_CENTS, LARGEST_CENTS))
def test_cents_survive_the_round_trip(cents: int) -> None:
    assert to_cents(from_cents(cents)) == cents


def test_rates_are_written_with_two_decimals() -> None:
    assert [rate_text(rate) for rate in (0, 5, 2550, 99999)] == ["0.00", "0.05", "25.50", "999.99"]
