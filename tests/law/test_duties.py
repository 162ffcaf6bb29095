"""The calendar of a business."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from acctcli import law
from acctcli.law.duties import Duty, Status, VatPeriod, planned_periods, prepayment_duties, return_duty, statement_duty

JANUARY = VatPeriod(
    id=7,
    start_date=date(2026, 1, 1),
    end_date=date(2026, 1, 31),
    due_date=date(2026, 3, 12),
    period=0,
    has_eu_sales=True,
)
FINLAND = law.country("FI")
MONTH = (date(2026, 1, 1), date(2026, 1, 31))


@pytest.mark.parametrize(
    ("today", "status"),
    [
        ("2026-01-31", Status.OPEN),
        ("2026-02-01", Status.DUE),
        ("2026-03-12", Status.DUE),
        ("2026-03-13", Status.OVERDUE),
    ],
)
def test_a_return_is_open_then_due_then_overdue(today: str, status: Status) -> None:
    duty = return_duty(JANUARY, FINLAND, date.fromisoformat(today))
    assert duty == Duty(date(2026, 3, 12), "VAT return", "2026-01", status, None, 7)


def test_a_reported_return_is_done_and_knows_what_is_paid() -> None:
    period = replace(JANUARY, is_reported=True, filing_tax_to_be_paid=Decimal("11.56"))
    duty = return_duty(period, FINLAND, date(2027, 1, 1))
    assert (duty.status, duty.amount) == (Status.DONE, Decimal("11.56"))


def test_a_service_that_does_not_know_banking_days_is_helped() -> None:
    days = {"start_date": date(2025, 1, 1), "end_date": date(2025, 12, 31)}
    changes: dict[str, Any] = {**days, "due_date": date(2026, 2, 28), "period": 2}
    year = replace(JANUARY, **changes)
    assert return_duty(year, FINLAND, date(2026, 3, 1)) == Duty(
        date(2026, 3, 2), "VAT return", "2025", Status.DUE, None, 7
    )


def test_a_period_that_is_no_calendar_period_is_named_by_its_days() -> None:
    odd = replace(JANUARY, end_date=date(2026, 2, 28))
    assert return_duty(odd, FINLAND, date(2026, 1, 1)).period == "2026-01-01 - 2026-02-28"


@pytest.mark.parametrize(("country", "due"), [("FI", date(2026, 2, 20)), ("DE", date(2026, 2, 25))])
def test_eu_sales_are_stated_by_month(country: str, due: date) -> None:
    duty = statement_duty(JANUARY, MONTH, law.country(country), date(2026, 3, 1))
    assert duty == Duty(due, "EU recapitulative statement", "2026-01", Status.OVERDUE, None, 7)
    reported = statement_duty(
        replace(JANUARY, is_recapitulative_reported=True), MONTH, law.country(country), date(2026, 3, 1)
    )
    assert reported.status == Status.DONE


def test_a_quarter_has_three_statements() -> None:
    quarter = replace(JANUARY, end_date=date(2026, 3, 31))
    assert [last for _, last in quarter.months] == [date(2026, 1, 31), date(2026, 2, 28), date(2026, 3, 31)]


def test_monthly_filers_prepay_every_year() -> None:
    december = replace(JANUARY, start_date=date(2025, 12, 1), end_date=date(2025, 12, 31))
    quarter = replace(JANUARY, start_date=date(2024, 10, 1), end_date=date(2024, 12, 31), period=1)
    duties = prepayment_duties([JANUARY, december, quarter], law.country("DE"), date(2026, 2, 10))
    assert list(duties) == [
        Duty(date(2025, 2, 10), "Special prepayment", "2025", Status.PASSED),
        Duty(date(2026, 2, 10), "Special prepayment", "2026", Status.DUE),
    ]


def test_nobody_prepays_in_finland() -> None:
    assert list(prepayment_duties([JANUARY], FINLAND, date(2026, 2, 10))) == []


def planned(kind: int | None, begin: str, until: str, *known: tuple[str, str]) -> list[str]:
    """Return what is planned beside periods that are known, by its first and last day and the day that it is due."""
    days = date.fromisoformat(begin), date.fromisoformat(until)
    made = [replace(JANUARY, start_date=date.fromisoformat(a), end_date=date.fromisoformat(b)) for a, b in known]
    found = planned_periods(made, kind, FINLAND, days, has_extension=False)
    return [
        f"{'before ' if one.is_before else ''}{one.start_date} {one.end_date} {one.due_date}"
        for one in found
        if (one.id, one.period) == (None, kind)
    ]


JANUARY_ALONE = "2026-01-01 2026-01-31 2026-03-12"
# the 12th of April is a Sunday
FEBRUARY = "2026-02-01 2026-02-28 2026-04-13"


@pytest.mark.parametrize(
    ("kind", "begin", "until", "known", "found"),
    [
        (0, "2026-01-01", "2026-04-12", [], [JANUARY_ALONE]),
        (0, "2026-01-20", "2026-04-13", [], [JANUARY_ALONE, FEBRUARY]),
        (
            0,
            "2026-01-20",
            "2026-06-11",
            [("2026-03-01", "2026-03-31")],
            [f"before {JANUARY_ALONE}", f"before {FEBRUARY}"],
        ),
        (
            0,
            "2026-02-01",
            "2026-06-12",
            [("2026-03-01", "2026-03-31"), ("2026-02-01", "2026-02-28")],
            ["2026-04-01 2026-04-30 2026-06-12"],
        ),
        # nothing is planned over a day that a period has
        (0, "2026-01-01", "2026-03-31", [("2026-01-31", "2026-02-28")], []),
        (1, "2026-05-20", "2026-08-12", [], ["2026-04-01 2026-06-30 2026-08-12"]),
        (2, "2026-05-20", "2027-03-01", [], ["2026-01-01 2026-12-31 2027-03-01"]),
        (None, "2026-01-01", "2027-01-01", [], []),
        (5, "2026-01-01", "2027-01-01", [], []),
    ],
)
def test_periods_are_planned_before_and_after_those_that_are_known(
    kind: int | None, begin: str, until: str, known: list[tuple[str, str]], found: list[str]
) -> None:
    assert planned(kind, begin, until, *known) == found
