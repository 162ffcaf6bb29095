"""What is opened again where books are kept by claims by then, on both databases (docs/interface.md 7.5)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.service.routes.books import Books
from tests.service.routes.shop import Shop, row


@pytest.fixture
def shop(books: Books) -> Shop:
    return Shop(books)


def ended(shop: Shop, end: str, **fields: object) -> Any:
    """Return an invoice that was paid, or lost, before the books were kept by claims."""
    invoice = shop.accepted(invoicing_date="2026-03-01", **fields)
    shop.act(invoice, end)
    shop.keep_accruals()
    return invoice


def lock_march(shop: Shop) -> None:
    month = shop.books.create("vat_period/", {"start_date": "2026-03-01"})
    shop.books.act(f"vat_period/{month['id']}/action/lock/")


@pytest.mark.parametrize("end", ["credit_loss", "paid"])
def test_its_claim_is_posted_on_its_own_day(shop: Shop, events: Any, end: str) -> None:
    invoice = ended(shop, end)
    opened = shop.act(invoice, "unpaid")
    assert (opened["status"], opened["document"]["date"]) == ("ACCEPTED", "2026-03-01")
    assert [day for day, _, _ in shop.documents()] == ["2026-03-01"]
    assert [shop.books.balance(number) for number in ("1700", "2939", "1910")] == ["251.00", "51.00", "0.00"]
    assert events(shop.books)[-1] == ("sales_invoice.unpaid", opened)
    assert shop.act(invoice, "paid")["status"] == "PAID"
    assert shop.books.balance("1700") == "0.00"


@pytest.mark.parametrize("end", ["credit_loss", "paid"])
def test_a_closed_day_keeps_it_as_it_is_and_says_why(shop: Shop, end: str) -> None:
    invoice = ended(shop, end)
    lock_march(shop)
    before = shop.get(invoice), shop.documents()
    reply = shop.try_act(invoice, "unpaid")
    assert reply.status == 412
    assert "Invoice 1 cannot be posted on 2026-03-01: " in reply.body["detail"]
    assert "Unlock what is locked, or add the period that is missing" in reply.body["detail"]
    assert (shop.get(invoice), shop.documents()) == before


def test_its_credit_notes_are_posted_with_it(shop: Shop) -> None:
    invoice = shop.accepted(invoicing_date="2026-03-01")
    note = shop.accepted(row(count="-2"), is_credit_note_for=invoice["id"])
    shop.act(invoice, "paid")
    shop.keep_accruals()
    shop.act(invoice, "unpaid")
    assert [shop.books.balance(number) for number in ("1700", "2939")] == ["0.00", "0.00"]
    assert [shop.get(one)["status"] for one in (invoice, note)] == ["PAID", "PAID"]
    assert len(shop.documents()) == 2


def test_a_claim_that_was_seen_is_unseen_when_it_is_paid_and_when_that_is_taken_back(shop: Shop) -> None:
    shop.keep_accruals()
    invoice = shop.accepted(invoicing_date="2026-03-01")
    claim = invoice["document"]["id"]
    for end in ("paid", "unpaid"):
        shop.books.act(f"document/{claim}/action/mark_seen/")
        assert claim not in [one["id"] for one in shop.books.get("audit/unseen/").body["results"]]
        shop.act(invoice, end)
        assert claim in [one["id"] for one in shop.books.get("audit/unseen/").body["results"]]


def test_books_by_payments_claim_nothing(shop: Shop) -> None:
    invoice = shop.accepted(invoicing_date="2026-03-01")
    for end in ("credit_loss", "paid"):
        shop.act(invoice, end)
        assert (shop.act(invoice, "unpaid")["status"], shop.documents()) == ("ACCEPTED", [])
