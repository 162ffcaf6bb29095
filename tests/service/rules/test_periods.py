"""Periods: where they begin and end, and what may lie beside them (docs/interface.md 3.4, 9.1, 9.2)."""

from __future__ import annotations

from datetime import date

import pytest

from acctcli import law
from acctcli.law.closed_days import Span
from acctcli.service.rules.periods import (
    PeriodError,
    calendar_year,
    check_accounting_period,
    check_vat_period,
    days_left_out,
    vat_span,
    vat_span_from,
)


def span(text: str) -> Span:
    """Read `2026-01-01 2026-03-31`."""
    start, end = text.split()
    return Span(date.fromisoformat(start), date.fromisoformat(end))


def months(*numbers: int) -> list[Span]:
    """Return months of 2026."""
    return [vat_span(0, date(2026, number, 1)) for number in numbers]


def test_the_calendar_year() -> None:
    assert calendar_year(date(2024, 2, 29)) == span("2024-01-01 2024-12-31")


@pytest.mark.parametrize(
    ("kind", "day", "expected"),
    [
        (0, "2026-01-31", "2026-01-01 2026-01-31"),
        (0, "2024-02-01", "2024-02-01 2024-02-29"),
        (0, "2026-12-05", "2026-12-01 2026-12-31"),
        (1, "2026-03-31", "2026-01-01 2026-03-31"),
        (1, "2026-10-01", "2026-10-01 2026-12-31"),
        (2, "2026-07-15", "2026-01-01 2026-12-31"),
    ],
)
def test_the_vat_period_of_a_day(kind: int, day: str, expected: str) -> None:
    assert vat_span(kind, date.fromisoformat(day)) == span(expected)


@pytest.mark.parametrize(
    ("kind", "start", "expected"),
    [
        (0, "2024-02-01", "2024-02-01 2024-02-29"),
        (1, "2026-11-01", "2026-11-01 2027-01-31"),
        (2, "2026-03-01", "2026-03-01 2027-02-28"),
        (2, "9997-12-01", "9997-12-01 9998-11-30"),
    ],
)
def test_a_vat_period_lasts_whole_months(kind: int, start: str, expected: str) -> None:
    assert vat_span_from(date.fromisoformat(start), kind) == span(expected)


@pytest.mark.parametrize("start", ["2026-01-02", "2026-01-31", "9998-01-01", "9999-12-01"])
def test_a_vat_period_begins_with_a_month(start: str) -> None:
    with pytest.raises(PeriodError) as caught:
        vat_span_from(date.fromisoformat(start), 0)
    assert caught.value.field == "start_date"


# --- accounting periods ---


@pytest.mark.parametrize(
    ("country", "days"),
    [
        ("FI", "2026-01-01 2027-06-30"),  # 18 months
        ("FI", "2025-08-15 2027-02-14"),
        ("FI", "2025-08-31 2027-02-28"),  # no 31 February: the month's last day ends it
        ("FI", "2026-05-05 2026-05-05"),
        ("FI", "9998-07-01 9999-12-31"),
        ("DE", "2026-01-01 2026-12-31"),
        ("DE", "2024-03-01 2025-02-28"),
    ],
)
def test_an_accounting_period_within_the_law(country: str, days: str) -> None:
    check_accounting_period(span(days), [], law.country(country).longest_period_months)


@pytest.mark.parametrize(
    ("country", "days", "text"),
    [
        ("FI", "2026-01-01 2027-07-01", "An accounting period lasts at most 18 months."),
        ("FI", "2025-08-28 2027-02-28", "An accounting period lasts at most 18 months."),
        ("FI", "0001-01-01 9999-12-31", "An accounting period lasts at most 18 months."),
        ("DE", "2026-01-01 2027-01-01", "An accounting period lasts at most 12 months."),
        ("DE", "2026-01-01 2027-06-30", "An accounting period lasts at most 12 months."),
        ("FI", "2026-01-02 2026-01-01", "An accounting period ends on or after its first day."),
    ],
)
def test_an_accounting_period_beyond_the_law(country: str, days: str, text: str) -> None:
    with pytest.raises(PeriodError) as caught:
        check_accounting_period(span(days), [], law.country(country).longest_period_months)
    assert (caught.value.field, str(caught.value)) == ("end_date", text)


@pytest.mark.parametrize("days", ["2025-12-31 2025-12-31", "2026-02-01 2026-02-28", "2026-12-31 2027-01-05"])
def test_accounting_periods_do_not_overlap(days: str) -> None:
    with pytest.raises(PeriodError) as caught:
        check_accounting_period(span(days), [calendar_year(date(2026, 1, 1)), calendar_year(date(2025, 1, 1))], 18)
    assert caught.value.field == "start_date"


def test_gaps_between_accounting_periods_are_filled_step_by_step() -> None:
    apart = [calendar_year(date(year, 1, 1)) for year in (2024, 2028)]
    check_accounting_period(span("2027-01-01 2027-12-31"), apart, 18)
    check_accounting_period(span("2025-01-01 2025-12-31"), apart, 18)
    with pytest.raises(PeriodError) as caught:
        check_accounting_period(span("2030-01-01 2030-12-31"), apart, 18)
    assert str(caught.value) == "No days lie between accounting periods: this one begins on 2029-01-01."
    check_accounting_period(span("2027-06-01 2028-11-30"), apart[:1], 18, apart[1])


@pytest.mark.parametrize(
    ("after", "left_out"),
    [
        ("2026-01-01 2026-12-31", []),
        ("2025-12-01 2027-01-31", []),
        ("2026-02-01 2026-12-31", ["2026-01-01 2026-01-31"]),
        ("2026-01-01 2026-11-30", ["2026-12-01 2026-12-31"]),
        ("2026-02-01 2026-11-30", ["2026-01-01 2026-01-31", "2026-12-01 2026-12-31"]),
        ("2027-01-01 2027-12-31", ["2026-01-01 2026-12-31"]),
    ],
)
def test_what_a_changed_period_no_longer_covers(after: str, left_out: list[str]) -> None:
    assert days_left_out(calendar_year(date(2026, 1, 1)), span(after)) == [span(days) for days in left_out]


# --- VAT periods side by side ---


@pytest.mark.parametrize(
    ("month", "others"),
    [
        (4, []),
        (4, [3]),
        (4, [5]),
        (4, [3, 5]),
        (4, [1, 2, 3, 5, 6]),
        (4, [1, 6]),  # days left open by a deletion
        (4, [1, 5, 6]),
    ],
)
def test_a_vat_period_begins_where_another_ends(month: int, others: list[int]) -> None:
    check_vat_period(months(month)[0], months(*others))


@pytest.mark.parametrize(
    ("month", "others", "text"),
    [
        (4, [4], "2026-04-01 - 2026-04-30 overlaps the period 2026-04-01 - 2026-04-30."),
        (4, [4, 5, 6], "2026-04-01 - 2026-04-30 overlaps the period 2026-04-01 - 2026-04-30."),
        (4, [6], "A VAT period begins where another ends, or ends where another begins."),
        (4, [1, 2], "A VAT period begins where another ends, or ends where another begins."),
    ],
)
def test_vat_periods_neither_overlap_nor_lie_apart(month: int, others: list[int], text: str) -> None:
    with pytest.raises(PeriodError) as caught:
        check_vat_period(months(month)[0], months(*others))
    assert (caught.value.field, str(caught.value)) == ("start_date", text)


def test_a_vat_period_that_moves_leaves_no_gap_behind() -> None:
    february, april = months(2, 4)
    with pytest.raises(PeriodError):
        check_vat_period(april, months(1, 3), february)
    check_vat_period(april, months(3), february)
    check_vat_period(span("2026-02-01 2026-04-30"), months(1, 5), february)
