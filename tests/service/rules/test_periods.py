"""Periods (wire facts 4.4, 6.1)."""

from __future__ import annotations

from datetime import date

import pytest

from acctcli.service.rules.periods import Span, calendar_year, vat_due_date, vat_span


def test_the_calendar_year() -> None:
    assert calendar_year(date(2024, 2, 29)) == Span(date(2024, 1, 1), date(2024, 12, 31))


@pytest.mark.parametrize(
    ("kind", "day", "start", "end"),
    [
        (0, "2026-01-31", "2026-01-01", "2026-01-31"),
        (0, "2024-02-01", "2024-02-01", "2024-02-29"),
        (0, "2026-12-05", "2026-12-01", "2026-12-31"),
        (1, "2026-03-31", "2026-01-01", "2026-03-31"),
        (1, "2026-10-01", "2026-10-01", "2026-12-31"),
        (2, "2026-07-15", "2026-01-01", "2026-12-31"),
    ],
)
def test_the_vat_period_of_a_day(kind: int, day: str, start: str, end: str) -> None:
    assert vat_span(kind, date.fromisoformat(day)) == Span(date.fromisoformat(start), date.fromisoformat(end))


@pytest.mark.parametrize(
    ("end", "kind", "country", "extended", "due"),
    [
        ("2026-01-31", 0, "FI", False, "2026-03-12"),
        ("2026-03-31", 1, "FI", False, "2026-05-12"),
        ("2025-12-31", 2, "FI", False, "2026-02-28"),
        ("2027-12-31", 2, "FI", False, "2028-02-29"),
        ("2026-11-30", 0, "FI", False, "2027-01-12"),
        ("2026-01-31", 0, "DE", False, "2026-02-10"),
        ("2026-01-31", 0, "DE", True, "2026-03-10"),
        ("2026-12-31", 1, "DE", True, "2027-02-10"),
    ],
)
def test_due_dates(end: str, kind: int, country: str, extended: bool, due: str) -> None:
    found = vat_due_date(date.fromisoformat(end), kind, country, has_extension=extended)
    assert found == date.fromisoformat(due)
