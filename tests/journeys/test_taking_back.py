"""What was paid or lost is taken back by documents, and what comes of it: nothing counts twice (5.10, 7.5)."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest

from tests.journeys.places import Place
from tests.journeys.test_invoices import accepted, receivable, seller
from tests.journeys.test_life import refused
from tests.journeys.test_settlement import WORK, balance, stands
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
