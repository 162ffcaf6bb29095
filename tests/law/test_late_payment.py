"""Interest for late payment: rates as published, and days counted as the law counts them (docs/law.md 7.8)."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import ROUND_CEILING, Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli import law
from acctcli.errors import UsageError
from acctcli.law.late_payment import Accrued, Claim, LatePayment, accrue, half_year, rates_between

D = Decimal


def of(country: str) -> LatePayment:
    found = law.country(country).late_payment
    assert found is not None
    return found()


def rate(country: str, kind: str, day: str) -> Decimal:
    late = of(country)
    claim: Claim = getattr(late, kind)
    return late.reference(date.fromisoformat(day), {}) + claim.points


# as Suomen Pankki announced them: the general rate, and that of commercial contracts
@pytest.mark.parametrize(
    ("day", "general", "commercial"),
    [
        ("2022-12-31", "7.0", "8.0"),
        ("2023-01-01", "9.5", "10.5"),
        ("2023-12-31", "11.0", "12.0"),
        ("2024-06-30", "11.5", "12.5"),
        ("2024-12-31", "11.5", "12.5"),
        ("2025-06-30", "10.5", "11.5"),
        ("2025-07-01", "9.5", "10.5"),
        ("2026-01-01", "9.5", "10.5"),
        ("2026-06-30", "9.5", "10.5"),
        ("2026-12-31", "9.5", "10.5"),
    ],
)
def test_finnish_rates_are_those_announced(day: str, general: str, commercial: str) -> None:
    assert (rate("FI", "consumer", day), rate("FI", "business", day)) == (D(general), D(commercial))


# as the Bundesbank announced them
@pytest.mark.parametrize(
    ("day", "base"),
    [
        ("2016-06-30", "-0.83"),
        ("2021-01-01", "-0.88"),
        ("2022-12-31", "-0.88"),
        ("2023-01-01", "1.62"),
        ("2023-07-01", "3.12"),
        ("2024-01-01", "3.62"),
        ("2024-07-01", "3.37"),
        ("2025-01-01", "2.27"),
        ("2025-07-01", "1.27"),
        ("2026-01-01", "1.27"),
        ("2026-07-01", "1.52"),
    ],
)
def test_german_rates_are_those_announced(day: str, base: str) -> None:
    assert (rate("DE", "consumer", day), rate("DE", "business", day)) == (D(base) + 5, D(base) + 9)


# what the European Central Bank took for main refinancing operations on the days before, by its list of key rates
@pytest.mark.parametrize(
    ("day", "main"),
    [
        ("2015-01-01", "0.05"),
        ("2016-07-01", "0.00"),
        ("2023-01-01", "2.50"),
        ("2023-07-01", "4.00"),
        ("2024-01-01", "4.50"),
        ("2024-07-01", "4.25"),
        ("2025-01-01", "3.15"),
        ("2025-07-01", "2.15"),
        ("2026-07-01", "2.40"),
    ],
)
def test_german_rates_lie_as_far_below_that_of_the_central_bank(day: str, main: str) -> None:
    assert of("DE").reference(date.fromisoformat(day), {}) == D(main) - D("0.88")


def test_both_tables_follow_the_same_rate_of_the_central_bank() -> None:
    """The German one lies 0.88 below it since 2016 and before, the Finnish one is it, up to the next half point."""
    day, until = date(2015, 1, 1), of("FI").known_until
    halves = 0
    while day <= until:
        main = of("DE").reference(day, {}) + D("0.88")
        up = (main * 2).to_integral_value(ROUND_CEILING) / 2
        assert of("FI").reference(day, {}) == up, day
        day, halves = half_year(day + timedelta(days=190)), halves + 1
    assert halves == 24


def test_a_delay_over_the_turn_of_a_half_year_has_two_rates() -> None:
    late, due, until = of("FI"), date(2025, 5, 31), date(2025, 8, 14)
    rates = rates_between(late, late.business, due, until, {})
    assert accrue(D("1000.00"), due, until, rates) == [
        Accrued(date(2025, 6, 1), date(2025, 6, 30), D("11.5"), D("9.45")),
        Accrued(date(2025, 7, 1), date(2025, 8, 14), D("10.5"), D("12.95")),
    ]
    assert [one.days for one in accrue(D("1000.00"), due, until, rates)] == [30, 45]


def test_the_due_day_bears_none_and_the_first_day_after_it_does() -> None:
    late, due = of("DE"), date(2025, 3, 31)
    for days, interest in ((0, []), (-3, []), (1, [D("0.31")])):
        until = due + timedelta(days=days)
        rates = rates_between(late, late.business, due, until, {})
        assert [one.interest for one in accrue(D("1000.00"), due, until, rates)] == interest


@given(
    amount=st.decimals("0.01", "1000000", places=2),
    due=st.dates(date(2015, 1, 1), date(2026, 12, 28)),
    days=st.integers(1, 4000),
    country=st.sampled_from(["FI", "DE"]),
    kind=st.sampled_from(["business", "consumer"]),
)
def test_days_are_all_there_once_and_interest_is_that_of_each_day(
    amount: Decimal, due: date, days: int, country: str, kind: str
) -> None:
    late = of(country)
    until = min(due + timedelta(days=days), late.known_until)
    claim: Claim = getattr(late, kind)
    found = accrue(amount, due, until, rates_between(late, claim, due, until, {}))
    assert sum(one.days for one in found) == (until - due).days
    each = [due + timedelta(days=one) for one in range(1, (until - due).days + 1)]
    exact = sum((amount * rate(country, kind, day.isoformat()) / 36500 for day in each), D(0))
    # every half-year is rounded by itself
    assert abs(sum((one.interest for one in found), D(0)) - exact) <= D("0.0051") * len(found)


@pytest.mark.parametrize("country", ["FI", "DE"])
def test_what_is_not_known_is_asked_for_and_never_guessed(country: str) -> None:
    late: Any = of(country)
    due, until = date(2026, 12, 1), date(2027, 3, 1)
    with pytest.raises(UsageError) as asked:
        rates_between(late, late.business, due, until, {})
    assert str(asked.value) == "the reference rate of the half-year from 2027-01-01 is not known here"
    assert asked.value.hint == "give it as it was published: --reference-rate 2027-01-01=2.5"
    told = rates_between(late, late.business, due, until, {date(2027, 1, 1): D("3.1")})
    assert told[date(2027, 1, 1)] == D("3.1") + late.business.points
    with pytest.raises(UsageError, match="from 2014-07-01"):
        late.reference(date(2014, 12, 31), {})
