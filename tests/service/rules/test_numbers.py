"""Numbers of documents and accounts."""

from __future__ import annotations

from datetime import date

import pytest

from acctcli.service.rules.numbers import document_number, numbering_day, padded_number, serial_order


def test_document_numbers_are_day_and_serial() -> None:
    assert document_number(date(2026, 4, 2), 1) == "260402-1"
    assert document_number(date(2025, 1, 10), 12) == "250110-12"


@pytest.mark.parametrize(
    ("number", "padded"),
    [("999", 9990000), ("1540", 1540000), ("1", 1000000), ("0", 0), ("1234567", 1234567)],
)
def test_account_numbers_are_filled_on_the_right(number: str, padded: int) -> None:
    assert padded_number(number) == padded


@pytest.mark.parametrize(
    ("day", "counted"),
    [
        (date(2026, 4, 2), date(2026, 4, 2)),
        (date(1926, 4, 2), date(2026, 4, 2)),
        (date(1904, 2, 29), date(2004, 2, 29)),
        (date(2400, 2, 29), date(2000, 2, 29)),
        (date(9999, 12, 31), date(2099, 12, 31)),
    ],
)
def test_days_that_look_the_same_share_their_serials(day: date, counted: date) -> None:
    assert numbering_day(day) == counted
    assert document_number(day, 1) == document_number(counted, 1)


def test_serials_are_ordered_as_numbers() -> None:
    numbers = ["260402-10", "260401-3", "260402-2"]
    assert sorted(numbers, key=serial_order) == ["260401-3", "260402-2", "260402-10"]
