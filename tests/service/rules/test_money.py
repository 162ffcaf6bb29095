"""Cents and decimals, without loss."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.service.rules.money import LARGEST_CENTS, from_cents, from_e4, rate_text, to_cents, to_e4


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


@pytest.mark.parametrize(
    ("written", "ten_thousandths", "shown"),
    [
        ("99.9900", 999900, "99.99"),
        ("2", 20000, "2.00"),
        ("0", 0, "0.00"),
        ("7.5", 75000, "7.50"),
        ("0.125", 1250, "0.125"),
        ("-0.0001", -1, "-0.0001"),
        ("-1.1000", -11000, "-1.10"),
        ("99999999999999.9999", 999999999999999999, "99999999999999.9999"),
    ],
)
def test_prices_and_counts_have_two_decimals_or_as_many_as_they_take(
    written: str, ten_thousandths: int, shown: str
) -> None:
    assert to_e4(Decimal(written)) == ten_thousandths
    assert str(from_e4(ten_thousandths)) == shown


@given(st.integers(-LARGEST_CENTS, LARGEST_CENTS))
def test_ten_thousandths_survive_the_round_trip(number: int) -> None:
    assert to_e4(from_e4(number)) == number


@given(st.integers(-LARGEST_CENTS, LARGEST_CENTS))
def test_cents_survive_the_round_trip(cents: int) -> None:
    assert to_cents(from_cents(cents)) == cents


def test_rates_are_written_with_two_decimals() -> None:
    assert [rate_text(rate) for rate in (0, 5, 2550, 99999)] == ["0.00", "0.05", "25.50", "999.99"]
