"""Payments that post the sale, in parts and on any day, on both databases (docs/interface.md 7.5)."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from tests.service.actor import Reply
from tests.service.routes.books import Books
from tests.service.routes.reports import read, span
from tests.service.routes.shop import Shop, row

D = Decimal
# 125.50 and 110.00
TWO_RATES = (row("100.00", "1", "25.50"), row("100.00", "1", "10.00", name="Books"))


@pytest.fixture
def shop(books: Books) -> Shop:
    return Shop(books)


def pay(shop: Shop, invoice: Any, **said: object) -> Reply:
    return shop.invoicing.send("POST", f"invoice/{invoice['id']}/actions/paid/", said)


def paid(shop: Shop, invoice: Any, **said: object) -> Any:
    reply = pay(shop, invoice, **said)
    assert reply.status == 200, reply
    return reply.body


def vat(shop: Shop, month: str) -> dict[str, str]:
    """Return the VAT of sales that a month of 30 days reports, by rate."""
    summary = read(shop.books, "vat-report", span(f"2026-{month}-01", f"2026-{month}-28"))["summary"]
    return {rate: str(one["vat"]) for rate, one in summary["domestic_sales"].items()}


def test_each_payment_posts_its_share_of_every_rate(
    shop: Shop, events: Callable[[Books], list[tuple[str, Any]]]
) -> None:
    invoice = shop.accepted(*TWO_RATES, invoicing_date="2026-01-10")
    first = paid(shop, invoice, date="2026-01-20", amount=D("100.00"))
    assert (first["status"], first["payment_date"], first["document"]["date"]) == ("ACCEPTED", None, "2026-01-20")
    assert events(shop.books)[-1] == ("sales_invoice.updated", first)
    second = paid(shop, invoice, date="2026-02-20", amount=D("35.51"), account_id=shop.books.ids["1920"])
    assert [one["related_document_summary"]["balance"] for one in second["document"]["relations"]] == [D("35.51")]
    done = paid(shop, invoice, date="2026-03-20")
    assert (done["status"], done["payment_date"]) == ("PAID", "2026-03-20")
    assert events(shop.books)[-1] == ("sales_invoice.paid", done)
    assert [(day, text, entries[0]) for day, text, entries in shop.documents()] == [
        ("2026-01-20", "Invoice 1", ("D", "1910", "100.00", 3, "0.00")),
        ("2026-02-20", "Invoice 1", ("D", "1920", "35.51", 3, "0.00")),
        ("2026-03-20", "Invoice 1", ("D", "1910", "99.99", 3, "0.00")),
    ]
    assert [shop.books.balance(number) for number in ("2939", "3000", "1910", "1920", "1700")] == [
        "35.50", "200.00", "199.99", "35.51", "0.00",
    ]  # fmt: skip
    assert [vat(shop, month) for month in ("01", "02", "03")] == [
        {"10.00": "4.25", "25.50": "10.83"},
        {"10.00": "1.50", "25.50": "3.84"},
        {"10.00": "4.25", "25.50": "10.83"},
    ]


def test_it_was_paid_on_the_latest_day_whichever_payment_was_entered_last(shop: Shop) -> None:
    invoice = shop.accepted(*TWO_RATES, invoicing_date="2026-03-01")
    paid(shop, invoice, date="2026-03-20", amount=D("100.00"))
    done = paid(shop, invoice, date="2026-03-10")
    assert (done["status"], done["payment_date"]) == ("PAID", "2026-03-20")


def test_unpaid_takes_back_the_latest_payment_and_the_rest_is_what_is_left(shop: Shop) -> None:
    invoice = shop.accepted(*TWO_RATES, invoicing_date="2026-03-01")
    for amount in ("35.50", "100.00"):
        paid(shop, invoice, date="2026-03-02", amount=D(amount))
    assert paid(shop, invoice)["status"] == "PAID"
    for left, status in (("135.50", "ACCEPTED"), ("35.50", "ACCEPTED"), ("0.00", "ACCEPTED")):
        assert shop.act(invoice, "unpaid")["status"] == status
        money = D(shop.books.balance("1910"))
        assert money == D(left)
    whole = paid(shop, invoice, date="2026-03-15")
    assert (whole["status"], whole["payment_date"], shop.books.balance("1910")) == ("PAID", "2026-03-15", "235.50")


def test_what_was_paid_before_a_loss_stays(shop: Shop) -> None:
    invoice = shop.accepted(*TWO_RATES, invoicing_date="2026-03-01")
    paid(shop, invoice, date="2026-03-02", amount=D("35.50"))
    assert shop.act(invoice, "credit_loss")["status"] == "CREDIT_LOSS"
    assert shop.act(invoice, "unpaid")["status"] == "ACCEPTED"
    assert (shop.books.balance("1910"), shop.books.balance("2939")) == ("35.50", "5.35")


def test_a_credit_note_is_paid_back_the_same_way(shop: Shop) -> None:
    invoice = shop.accepted(*TWO_RATES, invoicing_date="2026-03-01")
    paid(shop, invoice, date="2026-03-02")
    rows = (row("100.00", "-1", "25.50"),)
    note = shop.accepted(*rows, is_credit_note_for=invoice["id"], invoicing_date="2026-03-03")
    part = paid(shop, note, date="2026-03-04", amount=D("62.75"))
    assert (part["status"], shop.books.balance("1910"), shop.books.balance("2939")) == ("ACCEPTED", "172.75", "22.75")
    assert paid(shop, note, date="2026-03-05")["status"] == "PAID"
    assert (shop.books.balance("1910"), shop.books.balance("2939")) == ("110.00", "10.00")


@pytest.mark.together
@pytest.mark.parametrize(
    ("said", "field", "told"),
    [
        ({"amount": D("235.51")}, "amount", "Invoice 1 has 235.50 open."),
        ({"amount": D("0.00")}, "amount", "greater than 0"),
        ({"date": "2026-04-03"}, "date", "2026-04-03 is not over: a sale is posted when it is paid."),
        ({"account_id": 0}, "account_id", ""),
    ],
)
def test_what_cannot_be_posted_changes_nothing(shop: Shop, said: dict[str, object], field: str, told: str) -> None:
    invoice = shop.accepted(*TWO_RATES, invoicing_date="2026-03-01")
    reply = pay(shop, invoice, **said)
    assert (reply.status, told in str(reply.body[field])) == (400, True), reply
    wrong = pay(shop, invoice, account_id=shop.books.ids["3000"])
    assert wrong.body["account_id"] == ["It is no account of money, of type ASS_PAY."]
    assert (shop.get(invoice), shop.documents()) == (invoice, [])


def test_closed_days_and_claims_take_no_such_payment(shop: Shop) -> None:
    invoice = shop.accepted(*TWO_RATES, invoicing_date="2026-03-01")
    month = shop.books.create("vat_period/", {"start_date": "2026-03-01"})
    shop.books.act(f"vat_period/{month['id']}/action/lock/")
    assert pay(shop, invoice, date="2026-03-31").status == 423
    shop.keep_accruals()
    claimed = shop.accepted(*TWO_RATES, invoicing_date="2026-04-01")
    reply = pay(shop, claimed, amount=D("10.00"))
    assert (reply.status, "is related to its claim" in reply.body["detail"]) == (412, True)


def test_what_is_paid_in_part_stays_beside_books_that_are_kept_by_claims(shop: Shop) -> None:
    invoice = shop.accepted(*TWO_RATES, invoicing_date="2026-03-01")
    paid(shop, invoice, date="2026-03-02", amount=D("35.50"))
    shop.keep_accruals()
    assert shop.books.balance("1700") == "0.00"
    assert paid(shop, invoice, date="2026-03-03")["status"] == "PAID"
    assert (shop.books.balance("1910"), shop.books.balance("2939")) == ("235.50", "35.50")


def test_a_part_of_what_was_credited_has_no_share_of_what_nobody_pays(shop: Shop) -> None:
    """The row at 25.5 % is credited before anything is paid: what comes then is paid for the other one."""
    invoice = shop.accepted(*TWO_RATES, invoicing_date="2026-01-10")
    note = shop.accepted(row("100.00", "-1", "25.50"), is_credit_note_for=invoice["id"], invoicing_date="2026-01-15")
    refused = pay(shop, invoice, date="2026-01-20", amount=D("110.00"))
    assert (refused.status, f"(id {note['id']})" in refused.body["amount"][0]) == (412, True)
    paid(shop, note, date="2026-01-20")
    assert pay(shop, invoice, date="2026-01-20", amount=D("110.00")).status == 412
    assert paid(shop, invoice, date="2026-01-20")["status"] == "PAID"
    assert vat(shop, "01") == {"25.50": "0.00", "10.00": "10.00"}
    assert (shop.books.balance("1910"), shop.books.balance("2939")) == ("110.00", "10.00")


def test_a_part_of_one_rate_is_paid_beside_a_credit_note_that_is_paid(shop: Shop) -> None:
    invoice = shop.accepted(row("100.00", "2"), invoicing_date="2026-01-10")
    note = shop.accepted(row("100.00", "-1"), is_credit_note_for=invoice["id"], invoicing_date="2026-01-15")
    assert pay(shop, invoice, date="2026-01-20", amount=D("50.20")).status == 412
    paid(shop, note, date="2026-01-20")
    paid(shop, invoice, date="2026-01-20", amount=D("175.70"))
    assert (vat(shop, "01"), shop.books.balance("1910")) == ({"25.50": "10.20"}, "50.20")


def test_a_sale_that_is_posted_in_part_is_credited_where_its_payments_are_posted(shop: Shop) -> None:
    """Books by claims begin in between: a claim of the credit note would give back VAT that was never posted."""
    invoice = shop.accepted(row("100.00", "1"), invoicing_date="2026-01-10")
    paid(shop, invoice, date="2026-02-10", amount=D("25.50"))
    shop.keep_accruals()
    note = shop.accepted(row("100.00", "-0.5"), is_credit_note_for=invoice["id"], invoicing_date="2026-03-10")
    assert (shop.get(note)["document"], shop.books.balance("2939")) == (None, "5.18")
    paid(shop, note, date="2026-04-01")
    paid(shop, invoice, date="2026-04-01")
    assert [shop.books.balance(number) for number in ("2939", "1910", "1700")] == ["12.75", "62.75", "0.00"]
    assert [shop.get(one)["status"] for one in (invoice, note)] == ["PAID", "PAID"]


def test_a_sale_that_is_posted_whole_is_credited_by_a_claim(shop: Shop) -> None:
    invoice = shop.accepted(row("100.00", "1"), invoicing_date="2026-01-10")
    paid(shop, invoice, date="2026-02-10", amount=D("25.50"))
    paid(shop, invoice, date="2026-02-11")
    shop.keep_accruals()
    shop.accepted(row("100.00", "-0.5"), is_credit_note_for=invoice["id"], invoicing_date="2026-03-10")
    assert [shop.books.balance(number) for number in ("2939", "1910", "1700")] == ["12.75", "125.50", "-62.75"]
