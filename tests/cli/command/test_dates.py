from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.cli.command.dates import choose_range, parse_day, parse_range
from acctcli.errors import UsageError

TODAY = date(2026, 3, 1)


def today() -> date:
    return TODAY


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2026", date(2026, 1, 1), date(2026, 12, 31)),
        ("2026-Q1", date(2026, 1, 1), date(2026, 3, 31)),
        ("2026-Q4", date(2026, 10, 1), date(2026, 12, 31)),
        ("2024-02", date(2024, 2, 1), date(2024, 2, 29)),
        ("2026-12", date(2026, 12, 1), date(2026, 12, 31)),
        ("2026-03-14", date(2026, 3, 14), date(2026, 3, 14)),
        ("today", TODAY, TODAY),
        ("Today", TODAY, TODAY),
        ("yesterday", date(2026, 2, 28), date(2026, 2, 28)),
        ("0001", date(1, 1, 1), date(1, 12, 31)),
        ("9999", date(9999, 1, 1), date(9999, 12, 31)),
    ],
)
def test_ranges(text: str, first: date, last: date) -> None:
    assert parse_range(text, "--period", today) == (first, last)


@pytest.mark.parametrize(
    "text", ["2026-13", "2026-00", "2026-Q5", "2026-Q0", "0000", "26-01", "2026-02-30", "", "now", "2026-3", "２０２６"]
)
def test_what_is_no_range_is_refused_by_name(text: str) -> None:
    with pytest.raises(UsageError, match="--period"):
        parse_range(text, "--period", today)


@pytest.mark.parametrize("text", ["2026-02-29", "2026-1-1", "20260101", "2026-Q1", "1.3.2026", "tomorrow"])
def test_what_is_no_day_is_refused_by_name(text: str) -> None:
    with pytest.raises(UsageError, match="--date"):
        parse_day(text, "--date", today)


@given(year=st.integers(1, 9998), quarter=st.integers(1, 4))
def test_a_quarter_is_its_three_months_without_a_gap(year: int, quarter: int) -> None:
    first, last = parse_range(f"{year:04d}-Q{quarter}", "--period", today)
    months = [
        parse_range(f"{year:04d}-{month:02d}", "--period", today) for month in range(3 * quarter - 2, 3 * quarter + 1)
    ]
    assert (months[0][0], months[-1][1]) == (first, last)
    assert all(one[1] + timedelta(days=1) == two[0] for one, two in pairwise(months))


def test_from_and_to_take_ranges_too() -> None:
    assert choose_range(None, "2026-02", "2026-Q2", today) == (date(2026, 2, 1), date(2026, 6, 30))
    assert choose_range(None, None, "2026-01-15", today) == (None, date(2026, 1, 15))
    assert choose_range(None, "2026-01-15", "2026-01-15", today) == (date(2026, 1, 15), date(2026, 1, 15))


@pytest.mark.parametrize(
    "given", [("2026", "2026-01-01", None), ("2026", None, "2026-12-31"), (None, "2026-02-01", "2026-01-31")]
)
def test_contradictions_are_refused(given: tuple[str | None, str | None, str | None]) -> None:
    with pytest.raises(UsageError):
        choose_range(*given, today)
