"""Lines of statements on days that a locked period closes: named before anything is posted, or left out when asked."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from tests.journeys.places import Place
from tests.journeys.test_bank import documents
from tests.journeys.test_bank_matching import MOVE, TO_BANK, bring, statement
from tests.journeys.test_filing import file_march
from tests.journeys.test_settlement import balance

CLOSED = "the VAT period 2026-03-01 to 2026-03-31 is locked"
APRIL = replace(MOVE, reference="A1", cents=-450, day=date(2026, 4, 2), name="Kahvila")


@pytest.fixture
def march(place: Place) -> str:
    """The id of the VAT period of March, which is locked."""
    file_march(place)
    (made,) = place.json("vat", "period", "list")
    place.run("vat", "period", "lock", str(made["id"]))
    return str(made["id"])


def both_months(place: Place) -> str:
    """A statement with two lines of March, one of them on its last day, and one of April."""
    last = replace(MOVE, reference="M2", day=date(2026, 3, 31))
    return statement(place, MOVE, last, APRIL)


def test_nothing_is_posted_where_lines_fall_on_closed_days(place: Place, march: str) -> None:
    path = both_months(place)
    for more in (("--yes",), ("--dry-run",), ("--contra", "4000", "--yes"), ("--no-match", "--yes")):
        done = place.try_run("bank", "import", path, "--account", "1910", *more)
        assert (done.code, done.out) == (8, "")
        assert f"2 lines are on closed days, 2026-03-20 to 2026-03-31, and nothing is posted: {CLOSED}" in done.err
        assert f"acctcli vat period unlock {march}; or leave these lines out with --open-days" in done.err
    assert (documents(place), place.json("file", "list")) == ([], [])


def test_lines_of_open_days_are_posted_when_asked_and_the_rest_once_its_period_is_open(
    place: Place, march: str
) -> None:
    path = both_months(place)
    done = place.try_run("bank", "import", path, *TO_BANK, "--open-days", "--contra", "4000", "--json")
    assert (done.code, "2 lines are left out on closed days" in done.err) == (10, True)
    assert [one["date"] for one in documents(place)] == ["2026-04-02"]
    place.run("vat", "period", "unlock", march)
    rows = bring(place, path, *TO_BANK, "--contra", "4000")
    assert [row["status"] for row in rows] == ["posted", "posted", "already there"]
    assert balance(place, "1910") == Decimal("246.50")
    place.run("vat", "period", "lock", march)
    # what is there already keeps nobody from going on
    assert [row["status"] for row in bring(place, path, *TO_BANK)] == ["already there"] * 3


def test_what_somebody_posted_on_a_closed_day_keeps_nothing_back(place: Place, march: str) -> None:
    place.run("vat", "period", "unlock", march)
    place.run("document", "create", "--date", "2026-03-20", "--debit", "1910:125.50", "--credit", "3990", "--contact",
              contact(place), "--description", "Meyer Oy")  # fmt: skip
    place.run("vat", "period", "lock", march)
    rows = bring(place, statement(place, MOVE, APRIL), *TO_BANK)
    assert [row["status"] for row in rows] == ["left out", "posted"]
    assert "document" in rows[0]["reason"]
    assert rows[0]["reason"].endswith(f"; to let it: acctcli vat period unlock {march}")


def contact(place: Place) -> str:
    return str(place.json("contact", "create", "--name", "Meyer Oy")["id"])


def test_drafts_of_closed_days_are_left_and_the_others_become_what_they_are(place: Place, march: str) -> None:
    place.run("vat", "period", "unlock", march)
    bring(place, both_months(place), *TO_BANK)
    place.run("vat", "period", "lock", march)
    path = place.folder / "bank-rules.toml"
    path.write_text('[[rules]]\ntext = "Kahvila"\naccount = "7950"\n[[rules]]\ntext = "Meyer"\naccount = "3990"\n')
    rows = place.json("bank", "match", "--rules", str(path), "--yes")
    assert [row["status"] for row in rows] == ["left", "left", "matched"]
    assert "is locked" in rows[0]["reason"]


def test_a_plan_for_drafts_of_closed_days_is_refused_whole(place: Place, march: str) -> None:
    place.run("vat", "period", "unlock", march)
    bring(place, both_months(place), *TO_BANK)
    rows = [json.loads(line) for line in place.run("bank", "review", "--output", "jsonl").lines()]
    chosen = [{**row, "choice": {"legs": ["3990"]}} for row in rows]
    place.run("vat", "period", "lock", march)
    before = documents(place)
    done = place.try_run("bank", "review", "--apply", place.write_lines("plan.jsonl", chosen), "--yes")
    assert (done.code, done.out, documents(place)) == (8, "", before)
    assert "2 drafts are on closed days, 2026-03-20 to 2026-03-31, and nothing is posted" in done.err
    only_april = [*rows[:2], chosen[2]]
    place.run("bank", "review", "--apply", place.write_lines("plan.jsonl", only_april), "--yes")
    assert [one["is_draft"] for one in documents(place)].count(False) == 1


def test_a_refusal_for_a_lock_says_what_opens_it(place: Place, march: str) -> None:
    made = ("document", "create", "--debit", "1910:1", "--credit", "3990")
    done = place.try_run(*made, "--date", "2026-03-20")
    assert (done.code, "acctcli vat period unlock ID" in done.err) == (8, True)
    draft = str(place.json(*made, "--date", "2026-04-20")["id"])
    place.run("document", "lock", draft)
    done = place.try_run("document", "update", draft, "--description", "x")
    assert (done.code, "acctcli document unlock ID" in done.err) == (8, True)
    place.run("vat", "period", "unlock", march)
    (year,) = [one for one in place.json("period", "list") if one["start_date"] == "2026-01-01"]
    place.run("period", "lock", str(year["id"]))
    done = place.try_run(*made, "--date", "2026-03-20")
    assert (done.code, "acctcli period unlock ID" in done.err) == (8, True)
