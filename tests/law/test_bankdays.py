"""Banking days, against the `holidays` package for 2015-2040."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

import holidays
import pytest
from dateutil.easter import easter

from acctcli import law
from acctcli.law.calendar import easter_sunday

YEARS = range(2015, 2041)
LANDS = ("BB", "BE", "BW", "BY", "HB", "HE", "HH", "MV", "NI", "NW", "RP", "SH", "SL", "SN", "ST", "TH")


def days() -> Iterator[date]:
    first = date(YEARS.start, 1, 1)
    return (first + timedelta(days=count) for count in range((date(YEARS.stop, 1, 1) - first).days))


def banking_days(country: str) -> list[date]:
    return [day for day in days() if law.country(country).is_banking_day(day)]


def working_days(known: holidays.HolidayBase) -> list[date]:
    return [day for day in days() if day.weekday() < 5 and day not in known]


def month_ends() -> Iterator[date]:
    return (date(year, month, 1) - timedelta(days=1) for year in YEARS for month in range(1, 13))


def test_finnish_banking_days() -> None:
    assert banking_days("FI") == working_days(holidays.country_holidays("FI", years=YEARS))


def test_german_banking_days() -> None:
    assert banking_days("DE") == working_days(holidays.country_holidays("DE", years=YEARS))


@pytest.mark.parametrize(
    "day",
    # the earliest and the latest there are, the two exceptions of Gauss's formula, and some between
    ["1818-03-22", "2285-03-22", "1943-04-25", "2038-04-25", "1954-04-18", "1981-04-19", "2000-04-23", "2026-04-05"],
)
def test_easter_sunday(day: str) -> None:
    assert easter_sunday(int(day[:4])) == date.fromisoformat(day)


def test_easter_sunday_is_that_of_another_program_in_every_year() -> None:
    assert [easter_sunday(year) for year in range(1583, 4100)] == [easter(year) for year in range(1583, 4100)]


def test_no_due_date_depends_on_the_land() -> None:
    german = law.country("DE")
    due = [german.vat_due_date(end, 0, has_extension=extended) for end in month_ends() for extended in (False, True)]
    due += [german.recapitulative_due_date(end) for end in month_ends()]
    due += [day for year in YEARS if (day := german.prepayment_due_date(year))]
    known = [holidays.country_holidays("DE", subdiv=land, years=range(2015, 2042)) for land in LANDS]
    assert [day for day in due for land in known if day in land] == []


@pytest.mark.parametrize(
    ("day", "country", "moved"),
    [
        ("2026-03-12", "FI", "2026-03-12"),
        ("2026-04-03", "FI", "2026-04-07"),  # Good Friday to Easter Monday
        ("2026-05-14", "FI", "2026-05-15"),  # Ascension
        ("2026-06-19", "FI", "2026-06-22"),  # Midsummer Eve
        ("2026-12-24", "FI", "2026-12-28"),
        ("2026-12-24", "DE", "2026-12-24"),
        ("2026-12-31", "DE", "2026-12-31"),
        ("2026-10-03", "DE", "2026-10-05"),
        ("2026-12-06", "FI", "2026-12-07"),
    ],
)
def test_the_next_banking_day(day: str, country: str, moved: str) -> None:
    assert law.country(country).next_banking_day(date.fromisoformat(day)) == date.fromisoformat(moved)
