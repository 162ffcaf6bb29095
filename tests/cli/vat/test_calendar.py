"""What is due when."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from tests.cli.conftest import At, Cli, succeed
from tests.cli.vat.service import FINNISH, GERMAN, SALE, service


def vat_period(number: int, first: str, last: str, due: str, kind: int, **more: Any) -> dict[str, Any]:
    flags = {"is_reported": False, "is_recapitulative_reported": False, "has_eu_sales": False}
    days = {"start_date": first, "end_date": last, "due_date": due}
    return {"id": number, **days, "period": kind, **flags, "filing_tax_to_be_paid": None, **more}


REPORTED = {"is_reported": True, "filing_tax_to_be_paid": 11.56}
JANUARY = vat_period(1, "2020-01-01", "2020-01-31", "2020-03-12", 0, **REPORTED)
FEBRUARY = vat_period(2, "2020-02-01", "2020-02-29", "2020-04-14", 0)
SECOND_QUARTER = vat_period(3, "2020-04-01", "2020-06-30", "2020-08-12", 1, has_eu_sales=True)
NEXT_CENTURY = vat_period(4, "2100-01-01", "2100-01-31", "2100-03-12", 0)


STATED = "EU recapitulative statement"


def rows(text: str) -> list[list[str]]:
    return [line.split(",") for line in text.splitlines()[1:]]


def test_everything_in_a_range_by_due_date(cli: Cli, at: At) -> None:
    with service(vat_periods=[SECOND_QUARTER, FEBRUARY, JANUARY], sales={"2020-05-01": [SALE]}) as server:
        at(server)
        done = succeed(cli("vat", "calendar", "--from", "2020", "--to", "2020", "--output", "csv"))
    assert done.lines()[0] == "due_date,duty,period,status,amount,vat_period_id"
    assert rows(done.out) == [
        ["2020-03-12", "VAT return", "2020-01", "done", "11.56", "1"],
        ["2020-04-14", "VAT return", "2020-02", "overdue", "", "2"],
        ["2020-06-22", "EU recapitulative statement", "2020-05", "overdue", "", "3"],
        ["2020-08-12", "VAT return", "2020-Q2", "overdue", "", "3"],
    ]


def test_by_default_what_is_done_long_ago_is_left_out(cli: Cli, at: At) -> None:
    with service(vat_periods=[NEXT_CENTURY, FEBRUARY, JANUARY]) as server:
        at(server)
        done = succeed(cli("vat", "calendar", "--output", "csv"))
    assert rows(done.out) == [
        ["2020-04-14", "VAT return", "2020-02", "overdue", "", "2"],
        ["2100-03-12", "VAT return", "2100-01", "open", "", "4"],
    ]


def test_sales_are_looked_for_only_where_they_matter(cli: Cli, at: At) -> None:
    monthly = {**FEBRUARY, "has_eu_sales": True}
    with service(vat_periods=[SECOND_QUARTER, monthly]) as server:
        at(server)
        done = succeed(cli("vat", "calendar", "--to", "2020-03-31", "--output", "csv"))
    assert rows(done.out) == [["2020-03-20", "EU recapitulative statement", "2020-02", "overdue", "", "2"]]
    assert [one.path for one in server.sent if "report" in one.path] == []


@pytest.mark.parametrize(
    ("extended", "duties"), [(False, ["VAT return"]), (True, ["Special prepayment", "VAT return"])]
)
def test_german_monthly_filers_prepay(cli: Cli, at: At, extended: bool, duties: list[str]) -> None:
    german = {**GERMAN, "has_dauerfristverlaengerung": extended}
    with service(german, vat_periods=[JANUARY]) as server:
        at(server)
        done = succeed(cli("vat", "calendar", "--from", "2020-01", "--to", "2020-12", "--json"))
    shown = done.json()
    assert [one["duty"] for one in shown] == duties
    if extended:
        assert shown[0] == {
            "due_date": "2020-02-10",
            "duty": "Special prepayment",
            "period": "2020",
            "status": "passed",
            "amount": None,
            "vat_period_id": None,
        }


def test_this_year_is_shown_from_its_first_day(cli: Cli, at: At) -> None:
    year = date.today().year
    due = date(year, 1, 12) if date(year, 1, 12).weekday() < 5 else date(year, 1, 14)
    november = vat_period(9, f"{year - 1}-11-01", f"{year - 1}-11-30", due.isoformat(), 0, is_reported=True)
    with service(FINNISH, vat_periods=[november]) as server:
        at(server)
        done = succeed(cli("vat", "calendar", "--output", "csv"))
    assert [row[3] for row in rows(done.out)] == ["done"]


def test_periods_that_are_yet_to_be_made_are_planned(cli: Cli, at: At) -> None:
    for kind, due in (
        (0, ["2020-04-14", "2020-05-12", "2020-06-12", "2020-07-13", "2020-08-12"]),
        (1, ["2020-04-14", "2020-07-13"]),
        (-1, ["2020-04-14"]),
    ):
        with service({**FINNISH, "default_vat_period": kind}, vat_periods=[JANUARY, FEBRUARY]) as server:
            at(server)
            done = succeed(cli("vat", "calendar", "--from", "2020-04-01", "--to", "2020-08-12", "--output", "csv"))
        planned = [row[0] for row in rows(done.out)]
        assert planned == due
        assert [row[5] for row in rows(done.out)] == ["2", *[""] * (len(planned) - 1)]


@pytest.mark.together
@pytest.mark.parametrize(
    ("kind", "before"),
    [
        (0, ["2020-03-12 2020-01", "2020-04-14 2020-02", "2020-05-12 2020-03"]),
        (1, ["2020-05-12 2020-Q1"]),
        (-1, []),
    ],
)
def test_periods_of_the_books_before_the_first_one_made_are_planned_and_passed(
    cli: Cli, at: At, kind: int, before: list[str]
) -> None:
    year = {"id": 1, "start_date": "2020-01-01", "end_date": "2020-12-31", "is_locked": False}
    made = [SECOND_QUARTER | {"has_eu_sales": False}]
    business, sold = {**FINNISH, "default_vat_period": kind}, {"2020-01-01": [SALE], "2020-03-01": [SALE]}
    with service(business, vat_periods=made, periods=[year], sales=sold) as server:
        at(server)
        done = succeed(cli("vat", "calendar", "--from", "2020-03-01", "--to", "2020-08-12", "--output", "csv"))
    found = {duty: [row for row in rows(done.out) if row[1] == duty] for duty in ("VAT return", STATED)}
    assert [f"{row[0]} {row[2]}" for row in found["VAT return"] if row[3] == "passed"] == before
    assert found["VAT return"][-1] == ["2020-08-12", "VAT return", "2020-Q2", "overdue", "", "3"]
    stated = [] if kind < 0 else [["2020-04-20", STATED, "2020-03", "passed", "", ""]]
    assert found[STATED] == stated


def test_a_business_that_files_and_made_no_period_has_those_of_its_books(cli: Cli, at: At) -> None:
    year = {"id": 1, "start_date": "2020-01-01", "end_date": "2020-12-31", "is_locked": False}
    with service({**FINNISH, "default_vat_period": 2}, vat_periods=[], periods=[year]) as server:
        at(server)
        done = succeed(cli("vat", "calendar", "--from", "2020", "--to", "2022", "--output", "csv"))
    assert [row[:4] for row in rows(done.out)] == [
        ["2021-03-01", "VAT return", "2020", "overdue"],
        ["2022-02-28", "VAT return", "2021", "overdue"],
    ]


def test_a_year_ahead_is_planned(cli: Cli, at: At) -> None:
    with service({**FINNISH, "default_vat_period": 0}, vat_periods=[FEBRUARY]) as server:
        at(server)
        done = succeed(cli("vat", "calendar", "--output", "csv"))
    days = [date.fromisoformat(row[0]) for row in rows(done.out)]
    assert 330 < (days[-1] - date.today()).days <= 365


def test_what_is_due_at_the_end_of_the_calendar_is_refused(cli: Cli, at: At) -> None:
    with service(vat_periods=[FEBRUARY]) as server:
        at(server)
        outcome = cli("vat", "calendar", "--to", "9999-12-31")
    assert (outcome.code, outcome.err) == (2, "error: --to 9999-12-31: what is due is known up to the year 9997\n")


def test_a_business_without_vat_periods_has_nothing_due(cli: Cli, at: At) -> None:
    with service(vat_periods=[]) as server:
        at(server)
        assert succeed(cli("vat", "calendar", "--json")).json() == []
