"""Ranges cut into months and days, and where results begin."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.law.closed_days import Span
from acctcli.service.rules.reports.spans import Pieces, cut, day_before, result_start, years

DAY = timedelta(days=1)


def day(text: str) -> date:
    return date.fromisoformat(text)


def span(first: str, last: str) -> Span:
    return Span(day(first), day(last))


@pytest.mark.parametrize(
    ("first", "last", "pieces"),
    [
        ("2026-01-01", "2026-12-31", Pieces(("2026-01", "2026-12"), ())),
        ("2024-02-01", "2024-02-29", Pieces(("2024-02", "2024-02"), ())),
        ("2026-01-15", "2026-03-31", Pieces(("2026-02", "2026-03"), (span("2026-01-15", "2026-01-31"),))),
        ("2026-01-01", "2026-03-30", Pieces(("2026-01", "2026-02"), (span("2026-03-01", "2026-03-30"),))),
        ("2026-01-02", "2026-03-30",
         Pieces(("2026-02", "2026-02"), (span("2026-01-02", "2026-01-31"), span("2026-03-01", "2026-03-30")))),
        ("2026-01-15", "2026-02-15", Pieces(None, (span("2026-01-15", "2026-02-15"),))),
        ("2026-01-15", "2026-01-15", Pieces(None, (span("2026-01-15", "2026-01-15"),))),
        ("0001-01-01", "9999-12-31", Pieces(("0001-01", "9999-12"), ())),
        ("9999-12-02", "9999-12-31", Pieces(None, (span("9999-12-02", "9999-12-31"),))),
        (None, "2026-03-31", Pieces(("0000-00", "2026-03"), ())),
        (None, "2026-03-30", Pieces(("0000-00", "2026-02"), (span("2026-03-01", "2026-03-30"),))),
        (None, "0001-01-01", Pieces(("0000-00", "0000-12"), (span("0001-01-01", "0001-01-01"),))),
    ],
)  # fmt: skip
def test_a_range_is_whole_months_and_the_days_beside_them(first: str | None, last: str, pieces: Pieces) -> None:
    assert cut(day(first) if first else None, day(last)) == pieces


days = st.dates(date(2023, 12, 1), date(2025, 3, 1))


@given(days, days)
def test_the_pieces_hold_every_day_once(one: date, other: date) -> None:
    first, last = sorted((one, other))
    pieces = cut(first, last)
    held = [piece.start + DAY * n for piece in pieces.days for n in range((piece.end - piece.start).days + 1)]
    if pieces.months:
        start, end = pieces.months
        held += [moment for n in range(800) if start <= f"{(moment := date(2023, 11, 1) + DAY * n):%Y-%m}" <= end]
    assert sorted(held) == [first + DAY * n for n in range((last - first).days + 1)]


def test_the_day_before() -> None:
    assert (day_before(day("2026-03-01")), day_before(date.min)) == (day("2026-02-28"), None)


def test_years() -> None:
    assert list(years(span("2024-11-05", "2026-01-01"))) == [
        span("2024-11-05", "2024-12-31"),
        span("2025-01-01", "2025-12-31"),
        span("2026-01-01", "2026-01-01"),
    ]


PERIODS = [span("2026-07-01", "2027-06-30"), span("2024-07-01", "2025-06-30")]


@pytest.mark.parametrize(
    ("of", "start"),
    [
        ("2024-07-01", "2024-07-01"),
        ("2025-06-30", "2024-07-01"),
        ("2027-01-01", "2026-07-01"),
        # no period: the calendar year, from where the last one ended
        ("2025-12-31", "2025-07-01"),
        ("2026-06-30", "2026-01-01"),
        ("2027-07-01", "2027-07-01"),
        ("2029-03-01", "2029-01-01"),
        ("2024-06-30", "2024-01-01"),
        ("0001-05-05", "0001-01-01"),
    ],
)
def test_a_result_begins_with_its_accounting_period(of: str, start: str) -> None:
    assert result_start(day(of), PERIODS) == day(start)


def test_of_periods_in_any_order_the_last_one_counts() -> None:
    """Two short ones in a year, the later one first: what follows both begins after the later one."""
    short = [span("2026-04-01", "2026-06-30"), span("2026-01-01", "2026-03-31")]
    assert result_start(day("2026-09-09"), short) == day("2026-07-01")
    assert result_start(day("2026-09-09"), short[::-1]) == day("2026-07-01")


def test_without_any_period_calendar_years_count() -> None:
    assert result_start(day("2026-05-05"), []) == day("2026-01-01")
