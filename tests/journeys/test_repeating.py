"""An invoice that repeats, accepted when some of its days are over: whoever does so is told, and can look first."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from tests.journeys.places import Place
from tests.journeys.test_invoices import draft, seller


def told(place: Place, day: str, every: str, *more: str) -> str:
    """Return what accepting an invoice of a day says, one that repeats."""
    number = draft(place, day=day)
    place.run("invoice", "update", number, "--recurring", "--repeat", every, *more)
    return place.run("invoice", "accept", number).err


@pytest.mark.parametrize(
    ("day", "every", "first"),
    [
        ("2026-01-31", "month", "2026-02-28"),
        ("2026-01-31", "3 months", "2026-04-30"),
        ("2026-03-02", "week", "2026-03-09"),
        ("2026-03-02", "10 days", "2026-03-12"),
    ],
)
def test_days_that_are_over_are_named_and_previewed(place: Place, day: str, every: str, first: str) -> None:
    seller(place)
    err = told(place, day, every, "--repeat-until", "2026-05-01")
    assert f"note: it repeats from {first} on: acctcli local tick --dry-run shows the invoices of days" in err
    due = place.json("local", "tick", "--to", "2026-05-01", "--dry-run")
    rows = [row for row in due if row["business"] == place.environ["ACCTCLI_BUSINESS"]]
    assert rows[0]["date"] == first
    assert {row["action"] for row in rows} == {"due"}


@pytest.mark.parametrize("subject", [None, "Invoice {number}"])
def test_repetitions_that_are_to_go_by_mail_without_a_subject_are_told(place: Place, subject: str | None) -> None:
    seller(place)
    number, mailed = draft(place), "to go by mail"
    given = ("--recurring", "--repeat", "month", "--repeat-until", "2026-05-01", "--delivery", "EMAIL")
    subjects = () if subject is None else ("--set", f"recurrence_email_subject={subject}")
    done = [place.run("invoice", "update", number, *given, *subjects), place.run("invoice", "accept", number)]
    tick = ("local", "tick", "--to", "2026-05-01")
    done += [place.try_run(*tick, *more) for more in (("--dry-run",), ())]
    assert [mailed in one.err for one in done] == [subject is None] * 4, done
    if subject is None:
        assert f"acctcli invoice update {number} --set 'recurrence_email_subject=Invoice {{number}}'" in done[0].err


def test_nothing_is_said_where_no_day_is_over(place: Place) -> None:
    seller(place)
    yesterday = str(date.today() - timedelta(days=1))
    assert "it repeats" not in told(place, yesterday, "month")
    assert "it repeats" not in told(place, "2026-03-02", "month", "--repeat-until", "2026-03-20")
    assert "it repeats" not in place.run("invoice", "accept", draft(place)).err
