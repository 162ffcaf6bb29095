"""Due dates: every example of docs/law.md 4.2."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli import law

ENDS = st.dates(date(2015, 1, 1), date(2040, 12, 31))


@pytest.mark.parametrize(
    ("end", "kind", "country", "extended", "due"),
    [
        ("2026-08-31", 0, "FI", False, "2026-10-12"),
        ("2026-09-30", 0, "FI", False, "2026-11-12"),
        ("2026-09-30", 1, "FI", False, "2026-11-12"),
        ("2026-10-31", 0, "FI", False, "2026-12-14"),
        ("2025-12-31", 2, "FI", False, "2026-03-02"),
        ("2026-12-31", 2, "FI", False, "2027-03-01"),
        ("2025-11-30", 0, "DE", False, "2025-12-10"),
        ("2025-11-30", 0, "DE", True, "2026-01-12"),
    ],
)
def test_vat_falls_due_on_a_banking_day(end: str, kind: int, country: str, extended: bool, due: str) -> None:
    found = law.country(country).vat_due_date(date.fromisoformat(end), kind, has_extension=extended)
    assert found == date.fromisoformat(due)


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
def test_the_day_the_law_names(end: str, kind: int, country: str, extended: bool, due: str) -> None:
    found = law.country(country).statutory_vat_due_date(date.fromisoformat(end), kind, extended)
    assert found == date.fromisoformat(due)


@pytest.mark.parametrize(
    ("end", "country", "due"),
    [
        ("2026-01-31", "FI", "2026-02-20"),
        ("2026-08-31", "FI", "2026-09-21"),
        ("2025-11-30", "DE", "2025-12-29"),
        ("2025-12-31", "DE", "2026-01-26"),
    ],
)
def test_the_statement_of_eu_sales(end: str, country: str, due: str) -> None:
    assert law.country(country).recapitulative_due_date(date.fromisoformat(end)) == date.fromisoformat(due)


@pytest.mark.parametrize(("year", "due"), [(2026, "2026-02-10"), (2024, "2024-02-12"), (2029, "2029-02-12")])
def test_the_special_prepayment(year: int, due: str) -> None:
    assert law.country("DE").prepayment_due_date(year) == date.fromisoformat(due)
    assert law.country("FI").prepayment_due_date(year) is None


@given(ENDS, st.sampled_from([0, 1, 2]), st.sampled_from(["FI", "DE"]), st.booleans())
def test_a_deadline_moves_only_over_days_without_banks(end: date, kind: int, country: str, extended: bool) -> None:
    of = law.country(country)
    statutory, due = of.statutory_vat_due_date(end, kind, extended), of.vat_due_date(end, kind, has_extension=extended)
    skipped = [date.fromordinal(day) for day in range(statutory.toordinal(), due.toordinal())]
    assert of.is_banking_day(due)
    assert [day for day in skipped if of.is_banking_day(day)] == []
