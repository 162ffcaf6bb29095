"""Numbers of documents and accounts."""

from __future__ import annotations

from datetime import date

import pytest

from acctcli.service.rules.numbers import document_number, padded_number


def test_document_numbers_are_day_and_serial() -> None:
    assert document_number(date(2026, 4, 2), 1) == "260402-1"
    assert document_number(date(2025, 1, 10), 12) == "250110-12"


@pytest.mark.parametrize(
    ("number", "padded"),
    [("999", 9990000), ("1540", 1540000), ("1", 1000000), ("0", 0), ("1234567", 1234567)],
)
def test_account_numbers_are_filled_on_the_right(number: str, padded: int) -> None:
    assert padded_number(number) == padded
