"""Sales that their payments post, by commands: what is taken back, corrected and paid anew (docs/interface.md 7.5)."""

from __future__ import annotations

import json
from decimal import Decimal
from random import Random
from typing import Any

import pytest

from acctcli.cli.invoice import paying
from tests.journeys.places import Done, Place
from tests.journeys.test_basis import credit, keep, owed, status_of
from tests.journeys.test_invoices import TOOL, accepted, seller
from tests.journeys.test_settlement import WORK, balance, stands
from tests.sizes import is_full

D = Decimal
TOTAL = D("125.50")
SEEDS, STEPS = (range(8), 25) if is_full() else (range(2), 9)


def sold(place: Place, *rows: str) -> str:
    """Sell on payment basis, and return the id of the invoice."""
    seller(place)
    keep(place, by_claims=False)
    return accepted(place, *(rows or (WORK,)))


def document_of(place: Place, invoice: str) -> dict[str, Any]:
    found: dict[str, Any] = place.json("invoice", "get", invoice)["document"]
    return found


def reverse(place: Place, document: object, day: str = "2026-03-20") -> str:
    return str(place.json("document", "reverse", str(document), "--date", day)["id"])


def test_two_who_pay_a_part_of_a_sale_at_once_pay_it_once(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    invoice = sold(place)
    looked, others = paying._note_early, list[tuple[str, ...]]()

    def before_another(*given: Any) -> None:
        looked(*given)
        if others:
            pay(*others.pop())

    def pay(*words: str) -> Done:
        return place.try_run("invoice", "pay", invoice, "--date", "2026-03-09", "--amount", *words)

    monkeypatch.setattr(paying, "_note_early", before_another)
    others.append(("50",))
    assert (pay("50").code, balance(place, "1910")) == (0, D("50.00"))
    others.append(("10",))
    done = pay("20")
    assert (done.code, "was paid meanwhile, with another day, account or amount" in done.err) == (8, True)
    # what was taken back is paid anew, also the same
    place.run("invoice", "unpaid", invoice)
    assert (pay("10").code, balance(place, "1910")) == (0, D("60.00"))
    # keys are of one user: that of another is as good as another key
    others.append(("5", "--idempotency-key", "of another user"))
    done = pay("15")
    assert (done.code, "has 45.50 open, and 50.50 is left by this payment" in done.err) == (10, True)


def test_a_payment_that_was_taken_back_leaves_the_sale_open_and_it_is_paid_anew(place: Place) -> None:
    invoice = sold(place)
    place.run("invoice", "pay", invoice, "--date", "2026-03-09")
    first = document_of(place, invoice)["id"]
    mirror = reverse(place, first)
    assert stands(place, invoice) == [("ACCEPTED", None)]
    assert (owed(place), balance(place, "1910"), balance(place, "2939")) == (TOTAL, D("0.00"), D("0.00"))
    # on days between it was paid
    days = ("2026-03-08", "2026-03-09", "2026-03-19", "2026-03-20")
    found = [place.json("invoice", "aging", "--date", day)["totals"]["total"] for day in days]
    assert found == [TOTAL, D("0.00"), D("0.00"), TOTAL]
    # nothing is left that the action could take back
    place.run("invoice", "unpaid", invoice)
    place.run("invoice", "pay", invoice, "--date", "2026-04-01", "--amount", "25.5")
    assert (status_of(place, invoice), owed(place)) == ("ACCEPTED", D("100.00"))
    place.run("invoice", "pay", invoice, "--date", "2026-04-02")
    assert stands(place, invoice) == [("PAID", "2026-04-02")]
    assert (balance(place, "1910"), balance(place, "2939")) == (TOTAL, D("25.50"))
    # what takes the first back is taken back itself: that is paid twice, and stays paid
    reverse(place, mirror, "2026-04-03")
    assert (status_of(place, invoice), balance(place, "1910")) == ("PAID", 2 * TOTAL)


def test_a_corrected_payment_counts_as_what_it_was_corrected_to(place: Place) -> None:
    invoice = sold(place)
    place.run("invoice", "pay", invoice, "--date", "2026-03-09")
    first = str(document_of(place, invoice)["id"])
    right = place.json("document", "correct", first, "--date", "2026-03-12", "--description", "Sale of spring")
    assert stands(place, invoice) == [("PAID", "2026-03-12")]
    refused = place.try_run("invoice", "unpaid", invoice)
    assert refused.code == 8
    assert f"document reverse {right['id']}" in refused.err
    reverse(place, right["id"])
    assert stands(place, invoice) == [("ACCEPTED", None)]
    assert (owed(place), balance(place, "1910"), balance(place, "2939")) == (TOTAL, D("0.00"), D("0.00"))


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_open_is_the_sale_less_what_the_bank_has_of_it(place: Place, seed: int) -> None:
    """Two ways, whatever is paid, taken back and brought back: the invoice by what is related, and the account."""
    dice = Random(seed)
    invoice = sold(place, WORK, TOOL)
    total = place.json("invoice", "get", invoice)["total_amount"]
    for _ in range(STEPS):
        shown = place.json("invoice", "get", invoice)
        document = shown["document"]
        there = (
            [] if document is None else [document["id"], *(one["related_document"] for one in document["relations"])]
        )
        if there and dice.random() < 0.5:
            place.try_run("document", "reverse", str(dice.choice(there)), "--date", "2026-04-02")
        elif shown["status"] == "PAID":
            place.try_run("invoice", "unpaid", invoice)
        else:
            part = ("--amount", f"{dice.randrange(1, 60)}.13") if dice.random() < 0.7 else ()
            place.try_run("invoice", "pay", invoice, "--date", "2026-03-15", *part)
        left = total - balance(place, "1910")
        status = status_of(place, invoice)
        assert (status, owed(place)) == (("ACCEPTED", left) if left > 0 else ("PAID", D("0.00")))
    assert [one for one in json.loads(place.try_run("check", "--json").out) if one["part"] == "receivables"] == []


def test_what_was_taken_back_is_in_no_book_where_claims_are_kept_later(place: Place) -> None:
    """Its credit note has no sale to take back; what is left of it is posted by its payment."""
    invoice = sold(place)
    place.run("invoice", "pay", invoice, "--date", "2026-03-09")
    reverse(place, document_of(place, invoice)["id"])
    keep(place, by_claims=True)
    note = credit(place, invoice, "--part", "1:0.4")
    assert place.json("invoice", "get", note)["document"] is None
    place.run("invoice", "refund", note, "--date", "2026-04-03")
    place.run("invoice", "pay", invoice, "--date", "2026-04-04")
    assert [status_of(place, one) for one in (invoice, note)] == ["PAID", "PAID"]
    assert (balance(place, "1910"), balance(place, "2939"), owed(place)) == (D("75.30"), D("15.30"), D("0.00"))
