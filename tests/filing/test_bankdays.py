"""Banking days, against the `holidays` package for 2015-2040."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

import holidays
import pytest

from acctcli.filing.bankdays import easter_sunday, is_banking_day, next_banking_day
from acctcli.filing.deadlines import recapitulative_due_date, statutory_vat_due_date, vat_due_date

YEARS = range(2015, 2041)
LANDS = ("BB", "BE", "BW", "BY", "HB", "HE", "HH", "MV", "NI", "NW", "RP", "SH", "SL", "SN", "ST", "TH")


def days() -> Iterator[date]:
    first = date(YEARS.start, 1, 1)
    return (first + timedelta(days=count) for count in range((date(YEARS.stop, 1, 1) - first).days))


def banking_days(country: str, region: str | None) -> list[date]:
    return [day for day in days() if is_banking_day(day, country, region)]


def working_days(known: holidays.HolidayBase) -> list[date]:
    return [day for day in days() if day.weekday() < 5 and day not in known]


def month_ends() -> Iterator[date]:
    return (date(year, month, 1) - timedelta(days=1) for year in YEARS for month in range(1, 13))


def test_finnish_banking_days() -> None:
    assert banking_days("FI", None) == working_days(holidays.country_holidays("FI", years=YEARS))


@pytest.mark.parametrize("land", [None, *LANDS])
def test_german_banking_days(land: str | None) -> None:
    assert banking_days("DE", land) == working_days(holidays.country_holidays("DE", subdiv=land, years=YEARS))


@pytest.mark.parametrize(
    "day",
    # the earliest and the latest there are, the two exceptions of Gauss's formula, and some between
    ["1818-03-22", "2285-03-22", "1943-04-25", "2038-04-25", "1954-04-18", "1981-04-19", "2000-04-23", "2026-04-05"],
)
def test_easter_sunday(day: str) -> None:
    assert easter_sunday(int(day[:4])) == date.fromisoformat(day)


def test_no_due_date_depends_on_the_land() -> None:
    due = [vat_due_date(end, 0, "DE", has_extension=extended) for end in month_ends() for extended in (False, True)]
    due += [recapitulative_due_date(end, "DE") for end in month_ends()]
    assert [day for day in due for land in LANDS if not is_banking_day(day, "DE", land)] == []


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
    assert next_banking_day(date.fromisoformat(day), country) == date.fromisoformat(moved)


def test_a_holiday_of_one_land() -> None:
    corpus_christi = date(2026, 6, 4)
    assert is_banking_day(corpus_christi, "DE")
    assert not is_banking_day(corpus_christi, "DE", "BY")


def test_other_countries_count_as_finland() -> None:
    midsummer_eve = date(2026, 6, 19)
    assert not is_banking_day(midsummer_eve, "EE")
    assert statutory_vat_due_date(date(2026, 1, 31), 0, "EE") == date(2026, 3, 12)
