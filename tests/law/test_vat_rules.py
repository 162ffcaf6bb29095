"""Which VAT may be charged, and when (docs/law.md 1)."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from acctcli import law
from acctcli.law.vat_rules import last_day_of_rate, rate_fault, rate_in_force


@pytest.mark.parametrize(
    ("country", "day", "rates"),
    [
        ("FI", "2013-01-01", "24 14 10 0"),
        ("FI", "2024-08-31", "24 14 10 0"),
        ("FI", "2024-09-01", "25.5 14 10 0"),
        ("FI", "2026-01-01", "25.5 13.5 10 0"),
        ("DE", "2007-01-01", "19 7 0"),
        ("DE", "2020-08-01", "16 5 0"),
        ("DE", "2026-01-01", "19 7 0"),
    ],
)
def test_a_day_has_its_rates_and_no_others(country: str, day: str, rates: str) -> None:
    tried = [Decimal(one) for one in ("25.5", "24", "19", "16", "14", "13.5", "10", "7", "5", "0", "99", "0.01")]
    found = [one for one in tried if rate_fault(law.country(country), one, date.fromisoformat(day)) is None]
    assert found == [Decimal(one) for one in rates.split()]


@pytest.mark.parametrize(
    ("rate", "told"),
    [
        ("24", "24 % is no VAT rate of Finland on 2026-03-01: the rate is 25.5 % on that day"),
        ("14.00", "14 % is no VAT rate of Finland on 2026-03-01: the rate is 13.5 % on that day"),
        ("99", "99 % is no VAT rate of Finland on 2026-03-01: the rates are 25.5, 13.5 and 10 %"),
    ],
)
def test_the_right_rate_is_named(rate: str, told: str) -> None:
    assert rate_fault(law.country("FI"), Decimal(rate), date(2026, 3, 1)) == told


def test_nothing_is_known_of_days_before_the_first() -> None:
    assert rate_fault(law.country("FI"), Decimal(22), date(2012, 12, 31)) is None


@pytest.mark.parametrize(("before", "after"), [("24", "25.5"), ("14", "13.5"), ("10", "10"), ("0", "0"), ("99", "99")])
def test_a_rate_goes_on_as_the_one_of_its_kind(before: str, after: str) -> None:
    found = rate_in_force(law.country("FI"), Decimal(before), date(2024, 8, 31), date(2026, 1, 1))
    assert found == Decimal(after)


@pytest.mark.parametrize(
    ("rate", "last", "ended"),
    [
        ("24", "2026-03-01", "2024-08-31"),
        ("24", "2024-08-30", "2024-08-30"),
        ("14", "2026-03-01", "2025-12-31"),
        ("10", "2026-03-01", "2026-03-01"),
        ("0", "2026-03-01", "2026-03-01"),
        ("25.5", "2024-09-01", "2024-09-01"),
        ("25.5", "2024-08-31", None),
        ("22", "2013-01-01", None),
        ("22", "2012-12-31", "2012-12-31"),
    ],
)
def test_a_rate_ends_on_the_day_before_the_next(rate: str, last: str, ended: str | None) -> None:
    found = last_day_of_rate(law.country("FI"), Decimal(rate), date.fromisoformat(last))
    assert found == (None if ended is None else date.fromisoformat(ended))
