"""What was paid or lost is taken back by documents, and what comes of it: nothing counts twice (5.10, 7.5)."""

from __future__ import annotations

import json
from decimal import Decimal
from functools import partial

import pytest

from acctcli.cli.document import reversing
from tests.journeys.places import Place
from tests.journeys.test_invoices import accepted, receivable, seller
from tests.journeys.test_life import refused
from tests.journeys.test_settlement import WORK, balance, before_posting, stands
from tests.journeys.test_settlement_days import open_of

D = Decimal
# no VAT, for a reason that the business names
FREE = {"name": "Course", "unit": "h", "amount": 100, "vat_rate": "0", "vat_code": 3, "product_count": 1}


def latest(place: Place) -> str:
    return str(max(one["id"] for one in place.json("document", "list", "--all")))


def check(place: Place) -> None:
    """See that nothing is wrong with receivables, and that they are what is open."""
    assert [one for one in json.loads(place.try_run("check", "--json").out) if one["part"] == "receivables"] == []


@pytest.mark.parametrize("step", ["paid", "credit-loss"])
def test_what_a_mirror_took_back_is_not_taken_back_by_a_word_as_well(place: Place, step: str) -> None:
    """Deleting what the mirror takes back would leave the mirror: the customer would owe it all twice."""
    seller(place)
    number = accepted(place, WORK)
    place.run("invoice", step, number)
    settling = latest(place)
    place.run("document", "reverse", settling)
    assert (stands(place, number), receivable(place)) == ([("ACCEPTED", None)], D("125.50"))
    assert "this was done already" in refused(place, 8, "invoice", "unpaid", number)
    assert (receivable(place), balance(place, "1910"), balance(place, "8600")) == (D("125.50"), D("0.00"), D("0.00"))
    # what is open again is settled again, and that is taken back by a word
    place.run("invoice", step, number)
    place.run("invoice", "unpaid", number)
    assert (stands(place, number), receivable(place)) == ([("ACCEPTED", None)], D("125.50"))
    check(place)


def test_a_payment_that_was_corrected_is_not_taken_back_by_a_word(place: Place) -> None:
    seller(place)
    number = accepted(place, WORK)
    place.run("invoice", "paid", number)
    place.run("document", "correct", latest(place), "--date", "2026-03-05", "--debit", "1920")
    refused(place, 8, "invoice", "unpaid", number)
    assert (balance(place, "1910"), balance(place, "1920"), receivable(place)) == (D("0.00"), D("125.50"), D("0.00"))
    place.run("document", "reverse", latest(place), "--date", "2026-03-06")
    assert (stands(place, number), balance(place, "1920")) == ([("ACCEPTED", None)], D("0.00"))


def test_a_payment_of_many_that_is_taken_back_leaves_each_open_as_it_was(place: Place) -> None:
    seller(place)
    ids = [accepted(place, WORK) for _ in range(3)]
    place.run("invoice", "pay", ids[0], "--date", "2026-03-02", "--amount", "50")
    place.run("invoice", "pay", *ids, "--date", "2026-03-05")
    payment = latest(place)
    place.run("document", "correct", payment, "--date", "2026-03-09", "--debit", "1920")
    assert stands(place, *ids) == [("PAID", "2026-03-09")] * 3
    place.run("document", "reverse", latest(place), "--date", "2026-03-12")
    assert stands(place, *ids) == [("ACCEPTED", None)] * 3
    assert [open_of(place, one) for one in ids] == [D("75.50"), D("125.50"), D("125.50")]
    days = ("2026-03-04", "2026-03-05", "2026-03-09", "2026-03-12")
    totals = [place.json("invoice", "aging", "--date", day)["totals"]["total"] for day in days]
    assert totals == [D("326.50"), D("0.00"), D("0.00"), D("326.50")]
    check(place)


@pytest.mark.parametrize("row", [WORK, None])
def test_a_loss_that_a_mirror_took_back_is_none(place: Place, row: str | None) -> None:
    """It is credited whole, with its VAT or without any, and is paid by that, not lost."""
    seller(place)
    if row is None:
        rows = json.dumps([FREE])
        number = str(
            place.json("invoice", "create", "--to", "C-12", "--date", "2026-03-01", "--set", f"rows={rows}")["id"]
        )
        place.run("invoice", "accept", number)
    else:
        number = accepted(place, row)
    place.run("invoice", "credit-loss", number)
    place.run("document", "reverse", latest(place))
    note = str(place.json("invoice", "credit-note", number)["id"])
    place.run("invoice", "accept", note)
    assert [status for status, _ in stands(place, number, note)] == ["PAID", "PAID"]
    assert [balance(place, account) for account in ("1700", "2939", "8600")] == [D("0.00")] * 3


def test_a_credit_note_is_posted_where_the_claim_of_its_invoice_stands(place: Place) -> None:
    """Whichever account the business has set by now: else neither would settle the other."""
    seller(place)
    number, other = accepted(place, WORK), accepted(place, WORK)
    place.run("invoice", "pay", other, "--date", "2026-03-02")
    account = place.json("account", "create", "--number", "1705", "--name", "Receivables", "--type", "ASS_DUE")["id"]
    slug = place.environ["ACCTCLI_BUSINESS"]
    place.run("business", "update", slug, "--set", f"account_trade_receivables={account}")
    notes = [str(place.json("invoice", "credit-note", one, "--date", "2026-03-04")["id"]) for one in (number, other)]
    place.run("invoice", "accept", *notes)
    assert stands(place, number, notes[0]) == [("PAID", "2026-03-04")] * 2
    assert (balance(place, "1700"), balance(place, "1705")) == (D("-125.50"), D("0.00"))
    new = accepted(place, WORK)
    assert "stands on account 1700" in refused(place, 2, "invoice", "set-off", notes[1], new)
    check(place)


def rent(place: Place) -> str:
    said = ("--date", "2026-03-31", "--debit", "7160:40@3", "--credit", "2960", "--description", "Rent")
    return str(place.json("document", "create", *said)["id"])


THEIRS = ("--idempotency-key", "of another user")
ON = ("--date", "2026-04-01")


def test_of_two_who_take_a_document_back_the_first_is_heard(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys are of one user: that of another is as good as another key."""
    reverse = ("document", "reverse", rent(place), *ON)
    before_posting(monkeypatch, lambda: place.run(*reverse, *THEIRS), reversing, "_mirrors")
    assert "posted a moment later, is deleted" in place.run(*reverse).err
    assert balance(place, "7160") == D(0)
    for key in (THEIRS, ()):
        number = rent(place)
        theirs = ("document", "reverse", number, *ON, *key)
        before_posting(monkeypatch, partial(place.run, *theirs), reversing, "_mirrors")
        done = place.try_run("document", "reverse", number, "--date", "2026-04-02")
        assert (done.code, "was reversed meanwhile, by 260401-" in done.err) == (8, True), done.err
        assert balance(place, "7160") == D(0)
    # what was posted by a run that was cut off is gone on with, also on another day
    number = rent(place)
    mirror = place.json("document", "reverse", number, *ON)
    for pair in mirror["relations"]:
        place.run("document", "relation", "delete", str(mirror["id"]), str(pair["id"]), "--yes")
    assert place.try_run("document", "reverse", number, "--date", "2026-04-02").code == 8
    assert balance(place, "7160") == D(0)


def test_of_two_who_correct_a_document_the_first_is_heard(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    for key in (THEIRS, ()):
        before = balance(place, "7160")
        correct = ("document", "correct", rent(place), "--credit", "2960", "--debit")
        theirs = (*correct, "7160:42@3", *key)
        before_posting(monkeypatch, partial(place.run, *theirs), reversing, "_mirrors")
        done = place.try_run(*correct, "7160:43@3")
        assert (done.code, "was corrected meanwhile" in done.err) == (8, True), done.err
        assert balance(place, "7160") - before == D("42.00")
        again = ("document", "correct", rent(place), "--credit", "2960", "--debit", "7160:44@3")
        before_posting(monkeypatch, partial(place.run, *again, *key), reversing, "_mirrors")
        place.run(*again)
        assert balance(place, "7160") - before == D("86.00")


@pytest.mark.everywhere
def test_users_who_take_a_document_back_at_the_same_moment_do_so_once(place: Place) -> None:
    for number in range(2):
        reverse = ("document", "reverse", rent(place), *ON, "--idempotency-key")
        ends = place.at_once((*reverse, f"one {number}"), (*reverse, f"two {number}"))
        assert [one.code for one in ends] == [0, 0], ends
        assert balance(place, "7160") == D(0)
