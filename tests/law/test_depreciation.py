"""Plans of depreciation: exact cents, by fractions and by examples worked out by hand."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.law.depreciation import Asset, Method, Portion, plan

STRAIGHT, DECLINING, RESIDUE = Method.STRAIGHT_LINE, Method.DECLINING_BALANCE, Method.RESIDUE


def told(asset: Asset) -> list[tuple[str, int, int]]:
    return [(portion.name, portion.amount, portion.closing) for portion in plan(asset)]


def test_straight_line_is_the_same_each_month_and_the_year_has_its_months() -> None:
    # 10,000 in 36 months from July: 277.7777.. a month
    asset = Asset(1_200_000, 200_000, date(2025, 7, 14), STRAIGHT, 36)
    assert told(asset) == [
        ("2025", 166_667, 1_033_333),
        ("2026", 333_333, 700_000),
        ("2027", 333_333, 366_667),
        ("2028", 166_667, 200_000),
    ]
    monthly = told(asset._replace(is_monthly=True))
    assert monthly[:3] == [
        ("2025-07", 27_778, 1_172_222),
        ("2025-08", 27_778, 1_144_444),
        ("2025-09", 27_778, 1_116_666),
    ]
    assert (len(monthly), monthly[-1][0], monthly[-1][2]) == (36, "2028-06", 200_000)


def test_declining_balance_goes_over_to_equal_parts() -> None:
    # 25 % of 10,000; of 7,500; then 5,625 in three years is 1,875 a year, more than 1,406.25
    assert told(Asset(1_000_000, 0, date(2025, 1, 1), DECLINING, 60, 2_500)) == [
        ("2025", 250_000, 750_000),
        ("2026", 187_500, 562_500),
        ("2027", 187_500, 375_000),
        ("2028", 187_500, 187_500),
        ("2029", 187_500, 0),
    ]
    # three months of the first year
    assert told(Asset(1_000_000, 0, date(2025, 10, 1), DECLINING, 24, 6_000))[0] == ("2025", 150_000, 850_000)


def test_residue_takes_a_quarter_of_what_is_left_in_the_first_year_too_until_the_last_cent() -> None:
    found = told(Asset(1_000_000, 0, date(2025, 12, 31), RESIDUE, rate=2_500))
    assert found[:4] == [
        ("2025", 250_000, 750_000),
        ("2026", 187_500, 562_500),
        ("2027", 140_625, 421_875),
        ("2028", 105_469, 316_406),
    ]
    assert found[-1][2] == 0


def test_a_financial_year_that_ends_in_june_is_called_by_its_end() -> None:
    found = plan(Asset(1_200, 0, date(2025, 5, 1), STRAIGHT, 12, year_ends=6))
    assert found == [
        Portion(date(2025, 5, 1), date(2025, 6, 30), 1_200, 200, False),
        Portion(date(2025, 7, 1), date(2026, 6, 30), 1_000, 1_000, False),
    ]
    assert [one.name for one in found] == ["2025", "2026"]


ASSETS = st.builds(
    lambda price, share, months, rate, **given: Asset(
        price,
        price * share // 100,
        months=months,
        rate=min(rate, 2_500) if given["method"] == RESIDUE else rate,
        **given,
    ),
    price=st.integers(1, 10**12),
    share=st.integers(0, 99),
    months=st.integers(1, 600),
    rate=st.integers(500, 10_000),
    start=st.dates(date(1990, 1, 1), date(2100, 1, 1)),
    method=st.sampled_from(list(Method)),
    is_monthly=st.booleans(),
    year_ends=st.integers(1, 12),
)


@given(ASSETS)
def test_portions_come_to_the_price_less_the_residual_value_by_two_paths(asset: Asset) -> None:
    found = plan(asset)
    assert sum(one.amount for one in found) == asset.price - asset.residual
    assert [one.opening for one in found] == [asset.price, *(one.closing for one in found[:-1])]
    assert found[-1].closing == asset.residual
    assert all(one.amount > 0 for one in found)
    days = [day for one in found for day in (one.first, one.last)]
    assert days == sorted(days)
    assert len({one.name for one in found}) == len(found)
    assert asset.is_monthly or {one.last.month for one in found} == {asset.year_ends}


@given(ASSETS)
def test_each_year_is_what_fractions_say_within_a_cent(asset: Asset) -> None:
    years = plan(asset._replace(is_monthly=False))
    left, used = asset.total, 0
    for one in years:
        months = (one.last.year - one.first.year) * 12 + one.last.month - one.first.month + 1
        if asset.method != RESIDUE:
            months = min(months, asset.months - used)
        of_rest = Fraction((left + asset.residual) * asset.rate, 10_000)
        if asset.method == STRAIGHT:
            wanted = Fraction(asset.total * months, asset.months)
        elif asset.method == DECLINING:
            wanted = min(Fraction(left), max(of_rest * months / 12, Fraction(left * months, asset.months - used)))
        else:
            wanted = min(Fraction(left), of_rest)
        assert abs(one.amount - wanted) <= 1
        left, used = left - one.amount, used + months
    assert left == 0


@given(ASSETS)
def test_months_come_to_their_years(asset: Asset) -> None:
    def by_year(found: list[Portion]) -> dict[int, int]:
        sums: dict[int, int] = {}
        for one in found:
            year = one.last.year + (one.last.month > asset.year_ends)
            sums[year] = sums.get(year, 0) + one.amount
        return sums

    assert by_year(plan(asset._replace(is_monthly=True))) == by_year(plan(asset._replace(is_monthly=False)))


@pytest.mark.parametrize("method", Method)
def test_what_is_a_cent_is_taken_off_at_once(method: Method) -> None:
    found = told(Asset(1, 0, date(2025, 1, 1), method, 12, 2_500))
    assert [amount for _, amount, _ in found] == [1]
