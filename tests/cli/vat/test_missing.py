"""`vat period create --from`: all that are missing, once, beside what is there."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tests.cli.company import company
from tests.journeys.places import Place


@pytest.fixture
def place(tmp_path: Path) -> Place:
    made = company(tmp_path)
    for one in made.json("vat", "period", "list"):
        made.run("vat", "period", "delete", str(one["id"]), "--yes")
    return made


def days(place: Place) -> list[tuple[str, str]]:
    listed = place.json("vat", "period", "list", "--all", "--columns", "start_date,end_date")
    return sorted((one["start_date"], one["end_date"]) for one in listed)


def create(place: Place, *options: str) -> list[str]:
    made = place.json("vat", "period", "create", *options)
    return [one["start_date"] for one in (made if isinstance(made, list) else [made])]


def test_months_before_the_first_are_made_back_to_the_day(place: Place) -> None:
    create(place, "--start", "2026-06-01", "--period", "month")
    assert create(place, "--from", "2026-03-15") == ["2026-05-01", "2026-04-01", "2026-03-01"]
    assert days(place)[0] == ("2026-03-01", "2026-03-31")
    assert len(days(place)) == 4
    again = place.run("vat", "period", "create", "--from", "2026-03", "--json")
    assert (again.out.split(), again.err) == (["[]"], "note: no VAT period is missing from 2026-03-01 on\n")
    # quarters are those of the calendar: none ends where a March begins
    refused = place.try_run("vat", "period", "create", "--from", "2025-08-01", "--period", "quarter")
    assert (refused.code, "begins within a quarter: none ends where it begins" in refused.err) == (2, True)
    create(place, "--from", "2026-01")
    assert create(place, "--from", "2025-08-01", "--period", "quarter") == ["2025-10-01", "2025-07-01"]
    assert create(place, "--from", "2023-08-01", "--period", "quarter")[-1] == "2023-07-01"


def test_where_there_are_none_they_go_up_to_today(place: Place) -> None:
    made = create(place, "--from", "2025-01", "--period", "year")
    assert made[0] == "2025-01-01"
    assert days(place)[-1][1] >= str(date.today())
    assert len(made) == len(days(place)) == int(days(place)[-1][1][:4]) - 2024


def test_a_rehearsal_shows_what_would_be_made(place: Place) -> None:
    create(place, "--start", "2026-06-01", "--period", "month")
    plans = place.json("vat", "period", "create", "--from", "2026-04", "--dry-run")
    assert [one["body"] for one in plans] == [
        {"start_date": "2026-05-01", "period": 0}, {"start_date": "2026-04-01", "period": 0},
    ]  # fmt: skip
    assert len(days(place)) == 1


@pytest.mark.together
@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--from", "2026-01", "--start", "2026-01-01"), "it goes with --period alone"),
        (("--from", "2026-01", "--set", "period=0"), "it goes with --period alone"),
        (("--from", "1900-01", "--period", "month"), "VAT periods are missing, which is more than 240"),
        (("--from", "31.1.2026"), "not a range; write 2026-01-31"),
    ],
)
def test_what_makes_no_sense_is_refused(place: Place, options: tuple[str, ...], says: str) -> None:
    refused = place.try_run("vat", "period", "create", *options)
    assert (refused.code, says in refused.err) == (2, True), refused.err
    assert days(place) == []


def test_periods_go_by_their_month_quarter_and_year(place: Place) -> None:
    for start, length in (("2026-04", "quarter"), ("2026-01", "quarter"), ("2025-01", "year"), ("2024-12", "month")):
        create(place, "--start", f"{start}-01", "--period", length)
    create(place, "--start", "2024-09-01", "--period", "quarter")
    names = {"2026-Q2": "2026-04", "2026-q1": "2026-01", "no:2025": "2025-01", "2025": "2025-01", "2024-12": "2024-12"}
    for name, start in names.items():
        assert place.json("vat", "period", "get", name)["start_date"] == f"{start}-01"
    # a quarter that begins in September is none of a calendar
    assert place.try_run("vat", "period", "get", "2024-Q3").code == 6
