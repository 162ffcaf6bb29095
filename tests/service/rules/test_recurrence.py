"""Recurrence: which days a series has (docs/interface.md 7.6)."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.service.rules.recurrence import STEPS, next_dates

Rule = dict[str, Any]


def rule(frequency: str, interval: int = 1) -> Rule:
    return {"frequency": frequency, "interval": interval}


def listed(of: Rule, start: str, *, after: str | None = None, until: str | None = None, count: int = 5) -> list[str]:
    first = date.fromisoformat(start)
    days = next_dates(
        of,
        first,
        after=date.fromisoformat(after) if after else first,
        until=date.fromisoformat(until) if until else None,
        count=count,
    )
    return [day.isoformat() for day in days]


@pytest.mark.parametrize(
    ("of", "start", "expected"),
    [
        (rule("DAILY"), "2026-12-30", ["2026-12-31", "2027-01-01", "2027-01-02"]),
        (rule("DAILY", 10), "2028-02-20", ["2028-03-01", "2028-03-11", "2028-03-21"]),
        (rule("WEEKLY", 2), "2026-12-24", ["2027-01-07", "2027-01-21", "2027-02-04"]),
        (rule("MONTHLY"), "2027-01-31", ["2027-02-28", "2027-03-31", "2027-04-30"]),
        (rule("MONTHLY"), "2028-01-31", ["2028-02-29", "2028-03-31", "2028-04-30"]),
        (rule("MONTHLY", 3), "2026-11-30", ["2027-02-28", "2027-05-30", "2027-08-30"]),
        (rule("YEARLY"), "2028-02-29", ["2029-02-28", "2030-02-28", "2031-02-28"]),
        (rule("YEARLY", 4), "2028-02-29", ["2032-02-29", "2036-02-29", "2040-02-29"]),
    ],
)
def test_days_are_counted_from_the_first_and_month_ends_clamped(of: Rule, start: str, expected: list[str]) -> None:
    assert listed(of, start, count=3) == expected


def test_only_days_after_one_and_up_to_another() -> None:
    monthly = rule("MONTHLY")
    assert listed(monthly, "2026-01-31", after="2026-04-30", count=2) == ["2026-05-31", "2026-06-30"]
    assert listed(monthly, "2026-01-31", after="2026-04-29", count=1) == ["2026-04-30"]
    assert listed(monthly, "2026-01-31", until="2026-03-30") == ["2026-02-28"]
    assert listed(monthly, "2026-01-31", until="2026-03-31") == ["2026-02-28", "2026-03-31"]
    assert listed(monthly, "2026-01-31", after="2025-01-01", count=1) == ["2026-02-28"]
    assert listed(monthly, "2026-01-31", after="2027-01-01", until="2026-12-31") == []


def test_no_month_is_left_out_after_years() -> None:
    assert listed(rule("MONTHLY"), "2026-01-15", after="2032-01-14", count=2) == ["2032-01-15", "2032-02-15"]
    assert listed(rule("MONTHLY", 2), "2026-01-31", after="2036-01-30", count=2) == ["2036-01-31", "2036-03-31"]


@pytest.mark.parametrize("frequency", STEPS)
def test_the_calendar_ends(frequency: str) -> None:
    assert listed(rule(frequency, 999), "9999-12-31") == []


def walk(of: Rule, start: date) -> Iterator[date]:
    """Every day of a series, by the calendar alone."""
    for number in count(1):
        distance = number * of["interval"]
        match of["frequency"]:
            case "DAILY":
                yield start + timedelta(distance)
            case "WEEKLY":
                yield start + timedelta(7 * distance)
            case frequency:
                month = start.year * 12 + start.month - 1 + distance * (12 if frequency == "YEARLY" else 1)
                first = date(month // 12, month % 12 + 1, 1)
                yield first.replace(day=min(start.day, monthrange(first.year, first.month)[1]))


DAYS = st.dates(date(2000, 1, 1), date(2040, 12, 31))
RULES = st.builds(rule, st.sampled_from(sorted(STEPS)), st.integers(1, 40))


@given(of=RULES, start=DAYS, after=DAYS, until=st.none() | DAYS, wanted=st.integers(1, 6))
def test_it_agrees_with_a_walk_through_the_calendar(
    of: Rule, start: date, after: date, until: date | None, wanted: int
) -> None:
    expected: list[date] = []
    for day in walk(of, start):
        if len(expected) == wanted or (until is not None and day > until):
            break
        if day > after:
            expected.append(day)
    assert next_dates(of, start, after=after, until=until, count=wanted) == expected
