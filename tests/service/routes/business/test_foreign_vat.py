"""VAT at rates that the country did not have stands in no box and is not filed (docs/law.md 1), on both databases."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from acctcli.models.report import VatReport
from tests.replies import check_reply
from tests.service.actor import Actor
from tests.service.routes.books import Books, open_books
from tests.service.routes.reports import read, span

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


@pytest.mark.parametrize(
    ("country", "code", "rate", "day"),
    [
        ("FI", 2, "19", "2026-03-02"),
        ("FI", 1, "24", "2026-03-02"),
        ("FI", 2, "24", "2026-03-02"),
        ("FI", 7, "19", "2026-03-02"),
        ("FI", 1, "14", "2026-03-02"),
        ("FI", 1, "25.5", "2024-08-02"),
        ("DE", 2, "20", "2026-03-02"),
        ("DE", 1, "20", "2026-03-02"),
        ("DE", 1, "16", "2026-03-02"),
        ("DE", 7, "16", "2026-03-02"),
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
