"""Columns: what periods are called, and what lies before them."""

from __future__ import annotations

from datetime import date

import pytest

from acctcli.cli.report.spans import Span, choose_spans, point_columns, range_columns, twelve_months
from acctcli.errors import UsageError

TODAY = date(2026, 4, 2)


def today() -> date:
    return TODAY


def span(first: str, last: str) -> Span:
    return Span(date.fromisoformat(first), date.fromisoformat(last))


@pytest.mark.parametrize(
    ("first", "last", "name"),
    [
        ("2026-01-01", "2026-12-31", "2026"),
        ("2026-04-01", "2026-06-30", "2026-Q2"),
        ("2026-10-01", "2026-12-31", "2026-Q4"),
        ("2024-02-01", "2024-02-29", "2024-02"),
        ("2026-03-14", "2026-03-14", "2026-03-14"),
        ("2026-02-01", "2026-04-30", None),
        ("2025-07-01", "2026-06-30", None),
        ("2026-01-01", "2026-12-30", None),
        ("9999-12-01", "9999-12-31", "9999-12"),
        ("9999-01-01", "9999-12-31", "9999"),
    ],
)
def test_calendar_spans_have_names(first: str, last: str, name: str | None) -> None:
    assert span(first, last).name == name


@pytest.mark.parametrize(
    ("first", "last", "year_before", "period_before"),
    [
        ("2026-01-01", "2026-12-31", ("2025-01-01", "2025-12-31"), ("2025-01-01", "2025-12-31")),
        ("2026-01-01", "2026-03-31", ("2025-01-01", "2025-03-31"), ("2025-10-01", "2025-12-31")),
        ("2025-02-01", "2025-02-28", ("2024-02-01", "2024-02-29"), ("2025-01-01", "2025-01-31")),
        ("2024-02-29", "2024-02-29", ("2023-02-28", "2023-02-28"), ("2024-02-28", "2024-02-28")),
        ("2026-03-10", "2026-03-19", ("2025-03-10", "2025-03-19"), ("2026-02-28", "2026-03-09")),
        ("2025-07-01", "2026-06-30", ("2024-07-01", "2025-06-30"), ("2024-07-01", "2025-06-30")),
    ],
)
def test_what_lies_before(first: str, last: str, year_before: tuple[str, str], period_before: tuple[str, str]) -> None:
    own = span(first, last)
    assert (own.previous("previous-year"), own.previous("previous-period")) == (
        span(*year_before),
        span(*period_before),
    )


def test_ranges_become_columns_with_the_compared_one_behind() -> None:
    assert range_columns(choose_spans(["2026-Q1", "2026-Q2"], None, None, today), None) == [
        {"name": "2026-Q1", "date_from": "2026-01-01", "date_to": "2026-03-31"},
        {"name": "2026-Q2", "date_from": "2026-04-01", "date_to": "2026-06-30"},
    ]
    assert range_columns(choose_spans(None, "2026-02", "2026-04-15", today), "previous-year") == [
        {"date_from": "2026-02-01", "date_to": "2026-04-15"},
        {"date_from": "2025-02-01", "date_to": "2025-04-15"},
    ]
    assert choose_spans(None, None, None, today) == [span("2026-01-01", "2026-12-31")]


def test_days_become_columns() -> None:
    assert point_columns(None, None, None, today) == [{"date_at": "2026-04-02"}]
    assert point_columns(None, ["2026-03-31", "today"], None, today) == [
        {"date_at": "2026-03-31"},
        {"date_at": "2026-04-02"},
    ]
    assert point_columns(["2026-Q1"], None, "previous-period", today) == [
        {"date_at": "2026-03-31"},
        {"date_at": "2025-12-31"},
    ]
    assert point_columns(None, ["2025-02-28"], "previous-year", today) == [
        {"date_at": "2025-02-28"},
        {"date_at": "2024-02-29"},
    ]


@pytest.mark.parametrize(
    ("periods", "first", "last", "told"),
    [
        (["2026"], "2026-01", None, "does not go with"),
        (["2026", "2026"], None, None, "2026 comes twice"),
        (None, "2026-01", None, "give both"),
        (None, None, "2026-01", "give both"),
        (None, "2026-02", "2026-01", "is after"),
        (["2026-13"], None, None, "not a range"),
    ],
)
def test_ranges_that_make_no_sense(periods: list[str] | None, first: str | None, last: str | None, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        choose_spans(periods, first, last, today)


@pytest.mark.parametrize(
    ("periods", "days", "compare", "told"),
    [
        (["2026"], ["2026-01-01"], None, "does not go with"),
        (None, ["2026-03-31", "2026-03-31"], None, "comes twice"),
        (["2026-Q4", "2026"], None, None, "2026-12-31 comes twice"),
        (None, ["2026-03-31"], "previous-period", "no period before"),
        (["2026", "2025"], None, "previous-year", "give one period"),
        (["0001"], None, "previous-year", "nothing before"),
        (["0001-01-01"], None, "previous-period", "nothing before"),
    ],
)
def test_days_that_make_no_sense(
    periods: list[str] | None, days: list[str] | None, compare: str | None, told: str
) -> None:
    with pytest.raises(UsageError, match=told):
        point_columns(periods, days, compare, today)


def test_twelve_months_end_with_that_of_the_day() -> None:
    months = twelve_months(date(2024, 2, 10))
    assert (months[0], months[-2], months[-1], len(months)) == (
        span("2023-03-01", "2023-03-31"),
        span("2024-01-01", "2024-01-31"),
        span("2024-02-01", "2024-02-29"),
        12,
    )
