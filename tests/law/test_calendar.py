"""Tax periods."""

from __future__ import annotations

from datetime import date

import pytest

from acctcli.law.calendar import TaxPeriod, month_after, months_between, tax_period
from acctcli.models.enums import DefaultVatPeriod


@pytest.mark.parametrize(
    ("first", "last", "period", "name"),
    [
        ("2026-03-01", "2026-03-31", TaxPeriod(DefaultVatPeriod.MONTH, 2026, 3), "2026-03"),
        ("2024-02-01", "2024-02-29", TaxPeriod(DefaultVatPeriod.MONTH, 2024, 2), "2024-02"),
        ("2026-10-01", "2026-12-31", TaxPeriod(DefaultVatPeriod.QUARTER, 2026, 4), "2026-Q4"),
        ("2026-01-01", "2026-12-31", TaxPeriod(DefaultVatPeriod.YEAR, 2026, 1), "2026"),
        ("9999-12-01", "9999-12-31", TaxPeriod(DefaultVatPeriod.MONTH, 9999, 12), "9999-12"),
    ],
)
def test_months_quarters_and_years(first: str, last: str, period: TaxPeriod, name: str) -> None:
    found = tax_period(date.fromisoformat(first), date.fromisoformat(last))
    assert found == period
    assert period.name == name


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("2026-03-02", "2026-03-31"),
        ("2026-03-01", "2026-03-30"),
        ("2026-02-01", "2026-04-30"),
        ("2026-07-01", "2027-06-30"),
        ("2026-01-01", "2026-06-30"),
    ],
)
def test_other_ranges_are_no_tax_periods(first: str, last: str) -> None:
    assert tax_period(date.fromisoformat(first), date.fromisoformat(last)) is None


def test_the_months_of_a_range() -> None:
    assert months_between(date(2025, 12, 1), date(2026, 2, 28)) == [
        (date(2025, 12, 1), date(2025, 12, 31)),
        (date(2026, 1, 1), date(2026, 1, 31)),
        (date(2026, 2, 1), date(2026, 2, 28)),
    ]


def test_months_later() -> None:
    assert month_after(date(2026, 11, 30), 2) == date(2027, 1, 1)
