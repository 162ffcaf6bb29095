"""VAT at rates that the country never had stands in no box and is not filed (docs/law.md 1), on both databases."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from acctcli.models.report import VatReport
from tests.replies import check_reply
from tests.service.actor import Actor
from tests.service.routes.books import Books, open_books
from tests.service.routes.reports import read, span
from tests.service.routes.shop import Shop, row

FORMS = {"FI": "FI_OY", "DE": "DE_UG"}
ACCOUNTS = {"FI": ("1910", "3000", "4000"), "DE": ("1800", "4400", "5400")}


def opened(bookkeeper: Actor, country: str, year: int) -> Books:
    books = open_books(bookkeeper, form=FORMS[country])
    if year != 2026:
        for period in books.get("period/").body["results"]:
            assert books.send("DELETE", f"period/{period['id']}/").status == 204
        books.create("period/", {"start_date": f"{year}-01-01", "end_date": f"{year}-12-31"})
    for one in books.get("vat_period/").body["results"]:
        assert books.send("DELETE", f"vat_period/{one['id']}/").status == 204
    return books


def post(books: Books, country: str, code: int, rate: str, amount: str, day: str) -> None:
    bank, revenue, cost = ACCOUNTS[country]
    row = books.row(revenue if code == 1 else cost, amount, code, rate)
    made = books.sales(bank, [row]) if code == 1 else books.purchase(bank, [row])
    books.create("document/", {"date": day, "blueprint": made})


def report(books: Books, first: str) -> Any:
    period = books.create("vat_period/", {"start_date": first, "period": 0})
    told = read(books, "vat-report", span(period["start_date"], period["end_date"]))
    check_reply(VatReport, told)
    return told, books.send("POST", f"vat_period/{period['id']}/action/report/")


@pytest.mark.together
@pytest.mark.parametrize(
    ("country", "code", "rate", "day"),
    [
        ("FI", 2, "19", "2026-03-02"),
        ("FI", 7, "19", "2026-03-02"),
        ("FI", 1, "19", "2026-03-02"),
        ("FI", 1, "25.5", "2024-08-02"),
        ("FI", 2, "25.5", "2024-08-02"),
        ("DE", 2, "20", "2026-03-02"),
        ("DE", 1, "20", "2026-03-02"),
    ],
)
def test_a_rate_of_no_day_is_in_no_box(bookkeeper: Actor, country: str, code: int, rate: str, day: str) -> None:
    books = opened(bookkeeper, country, int(day[:4]))
    post(books, country, code, rate, "119.00", day)
    told, reply = report(books, f"{day[:7]}-01")
    assert list(told["foreign_vat"]) == [f"{code}/{Decimal(rate):.2f}"]
    assert told["foreign_vat"][f"{code}/{Decimal(rate):.2f}"]["vat"] > 0
    if country == "FI":
        assert (told["summary"]["domestic_sales"], told["summary"]["deductible_vat"]) == ({}, 0)
        assert told["summary"]["adjustments"] == 0
    else:
        assert told["mapping"] == {"83": 0}
    assert reply.status == 412
    assert f"no box takes tax at {rate} %" in str(reply.body)


def test_what_adds_up_to_nothing_is_not_filed_either(bookkeeper: Actor) -> None:
    books = opened(bookkeeper, "DE", 2026)
    post(books, "DE", 1, "20", "120.00", "2026-03-02")
    post(books, "DE", 2, "20", "120.00", "2026-03-02")
    _, reply = report(books, "2026-03-01")
    assert (reply.status, "20 % 20.00, tax at 20 % under VAT code 2 20.00" in str(reply.body)) == (412, True)


@pytest.mark.together
@pytest.mark.parametrize(
    ("country", "code", "rate", "amount", "day"),
    [
        ("FI", 1, "24", "124.00", "2024-08-02"),
        ("FI", 2, "14", "114.00", "2025-12-31"),
        ("FI", 1, "25.5", "125.50", "2024-09-02"),
        # credit notes and mirrors of what was right on its day
        ("FI", 1, "24", "-124.00", "2026-03-02"),
        ("FI", 2, "24", "-124.00", "2026-03-02"),
        ("DE", 1, "16", "116.00", "2020-08-02"),
        ("DE", 7, "16", "116.00", "2020-08-02"),
        ("DE", 1, "16", "-116.00", "2026-03-02"),
        ("DE", 2, "5", "-105.00", "2026-03-02"),
    ],
)
def test_a_rate_of_its_day_is_filed_and_corrected(
    bookkeeper: Actor, country: str, code: int, rate: str, amount: str, day: str
) -> None:
    books = opened(bookkeeper, country, int(day[:4]))
    post(books, country, code, rate, amount, day)
    told, reply = report(books, f"{day[:7]}-01")
    assert "foreign_vat" not in told
    assert reply.status == 200, reply
    assert reply.body["filing_tax_to_be_paid"] != 0 or code == 7


def test_a_period_that_a_rate_ends_in_has_both(bookkeeper: Actor) -> None:
    books = opened(bookkeeper, "FI", 2024)
    post(books, "FI", 1, "24", "124.00", "2024-08-31")
    post(books, "FI", 1, "25.5", "125.50", "2024-09-01")
    told = read(books, "vat-report", span("2024-07-01", "2024-09-30"))
    assert list(told["summary"]["domestic_sales"]) == ["24.00", "25.50"]


# --- earlier rates that are right: of what was delivered, or posted, while they were in force ---


def by_claims(bookkeeper: Actor, country: str, first: int, last: int, **settings: object) -> Books:
    """Open books of some years, kept by claims, without VAT periods."""
    books = open_books(bookkeeper, form=FORMS[country], has_accrual_based_entries_for_invoicing=True, **settings)
    for one in books.get("vat_period/").body["results"]:
        assert books.send("DELETE", f"vat_period/{one['id']}/").status == 204
    books.keep_books(first, last)
    return books


@pytest.mark.parametrize("is_claimed", [True, False])
def test_an_invoice_has_the_rate_of_its_day_of_delivery(bookkeeper: Actor, is_claimed: bool) -> None:
    books = by_claims(bookkeeper, "FI", 2025, 2026)
    books.change("", has_accrual_based_entries_for_invoicing=is_claimed)
    shop = Shop(books)
    sold = row("100.00", "1", "14.00")
    invoice = shop.accepted(sold, settlement_date="2025-12-20", invoicing_date="2026-01-10")
    if not is_claimed:
        for body in ({"date": "2026-01-15", "amount": Decimal("57.00")}, {"date": "2026-01-16"}):
            shop.invoicing.act(f"invoice/{invoice['id']}/actions/paid/", body)
    told, reply = report(books, "2026-01-01")
    assert ("foreign_vat" in told, told["summary"]["domestic_sales"]) == (
        False,
        {"14.00": {"base": Decimal("100.00"), "vat": Decimal("14.00")}},
    )
    assert (reply.status, reply.body["filing_tax_to_be_paid"]) == (200, Decimal("14.00"))


@pytest.mark.together
@pytest.mark.parametrize(
    ("country", "code", "rate", "amount", "told"),
    [
        ("FI", 1, "24", "124.00", {"domestic_sales": {"24.00": {"base": 100, "vat": 24}}}),
        ("FI", 1, "14", "114.00", {"domestic_sales": {"14.00": {"base": 100, "vat": 14}}}),
        ("FI", 2, "14", "1140.00", {"deductible_vat": 140}),
        ("DE", 1, "16", "116.00", {"35": 100, "36": 16, "83": 16}),
        ("DE", 2, "16", "116.00", {"66": 16, "83": -16}),
        ("DE", 7, "16", "100.00", {"95": 100, "98": 16, "61": 16, "83": 0}),
    ],
)
def test_what_was_delivered_at_a_rate_that_ended_is_in_the_box_of_its_kind(
    bookkeeper: Actor, country: str, code: int, rate: str, amount: str, told: dict[str, Any]
) -> None:
    books = opened(bookkeeper, country, 2026)
    post(books, country, code, rate, amount, "2026-03-02")
    found, reply = report(books, "2026-03-01")
    figures = found["summary" if country == "FI" else "mapping"]
    assert ({name: figures[name] for name in told}, "foreign_vat" in found) == (told, False)
    assert reply.status == 200, reply


# country, what claims it, its rate of then, when it was posted and when it is paid
CLAIMS = [
    ("FI", 1, "14", "2025-12-10", "2026-02-10"),
    ("FI", 2, "14", "2025-12-10", "2026-02-10"),
    ("DE", 1, "16", "2020-12-10", "2021-02-10"),
]
BETWEEN = {("FI", 1): "1700", ("FI", 2): "2871", ("DE", 1): "1200"}


def pay_claim(books: Books, country: str, code: int, rate: str, claimed: str, paid: str) -> None:
    """Post a claim, or a debt, of 100.00 and its VAT, and its payment, related."""
    bank, revenue, cost = ACCOUNTS[country]
    between, gross = BETWEEN[country, code], str(100 + Decimal(rate))
    taxed = books.row(revenue if code == 1 else cost, "100.00", code, rate, 1)
    made = books.sales(between, [taxed]) if code == 1 else books.purchase(between, [taxed])
    money = [books.row(between, gross)]
    settled = books.sales(bank, money) if code == 1 else books.purchase(bank, money)
    claim, payment = (
        books.create("document/", {"date": day, "blueprint": one})["id"]
        for day, one in ((claimed, made), (paid, settled))
    )
    books.create(f"document/{payment}/relation/", {"related_document": claim, "role": "SETTLEMENT"})


@pytest.mark.together
@pytest.mark.parametrize(("country", "code", "rate", "claimed", "paid"), CLAIMS)
def test_what_is_paid_now_has_the_rate_it_was_posted_at(
    bookkeeper: Actor, country: str, code: int, rate: str, claimed: str, paid: str
) -> None:
    years = int(claimed[:4]), 2026
    books = by_claims(bookkeeper, country, *years, vat_reporting_method=f"{country}_CASH_BASIS")
    pay_claim(books, country, code, rate, claimed, paid)
    told, reply = report(books, f"{paid[:7]}-01")
    assert "foreign_vat" not in told
    due = Decimal(rate) if code == 1 else -Decimal(rate)
    assert (reply.status, reply.body["filing_tax_to_be_paid"]) == (200, due)


@pytest.mark.together
@pytest.mark.parametrize(("country", "code", "rate", "claimed", "paid"), CLAIMS)
def test_what_was_posted_after_a_rate_had_ended_keeps_it_when_it_is_paid(
    bookkeeper: Actor, country: str, code: int, rate: str, claimed: str, paid: str
) -> None:
    books = by_claims(bookkeeper, country, int(claimed[:4]), 2026, vat_reporting_method=f"{country}_CASH_BASIS")
    pay_claim(books, country, code, rate, f"{paid[:4]}-01-10", paid)
    told, reply = report(books, f"{paid[:7]}-01")
    due = Decimal(rate) if code == 1 else -Decimal(rate)
    assert ("foreign_vat" in told, reply.status, reply.body["filing_tax_to_be_paid"]) == (False, 200, due)
