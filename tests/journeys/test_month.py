"""A month of a small company, posted from the tour's file; hledger agrees with every balance."""

from __future__ import annotations

from decimal import Decimal
from importlib.resources import files

import pytest

from tests.hledger import find_faults, read_balances, to_hledger
from tests.journeys.places import Place

MONTH = str(files("acctcli.cli").joinpath("tour_month.jsonl"))
DEBIT_POSITIVE = ("ASS", "EXP")


@pytest.fixture
def posted(place: Place) -> Place:
    """A place where the month is posted."""
    listed = place.run("document", "create", "--file", MONTH, "--account-numbers", "-o", "jsonl")
    assert len(listed.lines()) >= 60
    return place


def test_hledger_accepts_the_journal_and_has_the_same_balances(posted: Place) -> None:
    journal = posted.json("report", "journal", "--period", "2026-03")
    text = to_hledger(journal)
    assert find_faults(text) == ""
    ours = {
        one["number"]: one["balance"] if one["type"].startswith(DEBIT_POSITIVE) else -one["balance"]
        for one in posted.json("account", "balances", "--date", "2026-03-31")
        if one["balance"]
    }
    theirs = {number: amount for number, amount in read_balances(text).items() if amount}
    assert ours == theirs
    assert sum(ours.values()) == Decimal(0)


def test_the_journal_counts_what_the_documents_say(posted: Place) -> None:
    journal = posted.json("report", "journal", "--period", "2026-03")
    documents = posted.json("document", "list", "--all", "--period", "2026-03")
    assert {one["document_id"] for one in journal["documents"]} == {one["id"] for one in documents}
    order = [(one["date"], int(one["number"].partition("-")[2])) for one in journal["documents"]]
    assert order == sorted(order)
    rows = posted.run("report", "journal", "--period", "2026-03", "-o", "csv").lines()
    assert len(rows) == 1 + sum(len(one["entries"]) for one in journal["documents"])


@pytest.mark.everywhere
def test_posting_the_file_again_under_the_same_key_posts_nothing(place: Place) -> None:
    command = ("document", "create", "--file", MONTH, "--account-numbers", "--idempotency-key", "march", "-o", "jsonl")
    first = place.run(*command)
    again = place.run(*command)
    assert again.out == first.out
    assert f"nothing was posted: all {len(first.lines())} lines are there already" in again.err
    assert len(place.json("document", "list", "--all")) == len(first.lines())
