"""The worked examples of docs/interface.md 5.5, posted over HTTP on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.service.routes.books import Books, Row, blueprint

Lines = list[tuple[str, str, str, int, str]]
RATE = "25.50"

E1: Lines = [("D", "1910", "125.50", 3, "0.00"), ("C", "3000", "100.00", 1, RATE), ("C", "2939", "25.50", 1, RATE)]

EXAMPLES: dict[str, tuple[Callable[[Books], Row], Lines, str]] = {
    "E1": (lambda b: b.sales("1910", [b.row("3000", "125.50", 1, "25.5")]), E1, "125.50"),
    "E2": (lambda b: b.sales("1910", [b.row("3000", "100.00", 1, "25.5", 1)]), E1, "125.50"),
    "E3": (
        lambda b: b.sales("1910", [b.row("3000", "34.80", 1, "25.5")], [b.row("8500", "2.90")]),
        [
            ("D", "1910", "31.90", 3, "0.00"),
            ("D", "8500", "2.90", 3, "0.00"),
            ("C", "3000", "27.73", 1, RATE),
            ("C", "2939", "7.07", 1, RATE),
        ],
        "31.90",
    ),
    "E4": (
        lambda b: b.sales("1910", [b.row("3000", "125.50", 1, "25.5")], [b.row("8500", "12.55", 2, "25.5")]),
        [
            ("D", "1910", "112.95", 3, "0.00"),
            ("D", "8500", "10.00", 2, RATE),
            ("D", "1763", "2.55", 2, RATE),
            ("C", "3000", "100.00", 1, RATE),
            ("C", "2939", "25.50", 1, RATE),
        ],
        "112.95",
    ),
    "E5": (
        lambda b: b.purchase(
            "1910",
            [b.row("4000", "62.75", 2, "25.5"), b.row("7800", "10.00", 2, "13.5"), b.row("8500", "5.00")],
        ),
        [
            ("D", "4000", "50.00", 2, RATE),
            ("D", "1763", "12.75", 2, RATE),
            ("D", "7800", "8.81", 2, "13.50"),
            ("D", "1763", "1.19", 2, "13.50"),
            ("D", "8500", "5.00", 3, "0.00"),
            ("C", "1910", "77.75", 3, "0.00"),
        ],
        "-77.75",
    ),
    "E6": (
        lambda b: b.purchase("1910", [b.row("4450", "100.00", 8, "25.5")]),
        [
            ("D", "4450", "100.00", 8, RATE),
            ("D", "1763", "25.50", 8, RATE),
            ("C", "2939", "25.50", 8, RATE),
            ("C", "1910", "100.00", 3, "0.00"),
        ],
        "-100.00",
    ),
    "E7": (
        lambda b: b.sales("1700", [b.row("3380", "500.00", 6)]),
        [("D", "1700", "500.00", 3, "0.00"), ("C", "3380", "500.00", 6, "0.00")],
        "0.00",
    ),
    "E8": (
        lambda b: b.sales("1910", [b.row("1700", "251.00")]),
        [("D", "1910", "251.00", 3, "0.00"), ("C", "1700", "251.00", 3, "0.00")],
        "251.00",
    ),
    "E9": (
        lambda b: blueprint(
            debet_entries=[b.row("3000", "27.73", 1), b.row("2939", "7.07")],
            credit_entries=[b.row("1910", "34.80")],
        ),
        [
            ("D", "3000", "27.73", 1, "0.00"),
            ("D", "2939", "7.07", 3, "0.00"),
            ("C", "1910", "34.80", 3, "0.00"),
        ],
        "-34.80",
    ),
    "E10": (
        lambda b: b.sales("1700", [b.row("3000", "251.00", 1, "25.5"), b.row("3000", "68.07", 1, "13.5")]),
        [
            ("D", "1700", "319.07", 3, "0.00"),
            ("C", "3000", "200.00", 1, RATE),
            ("C", "2939", "51.00", 1, RATE),
            ("C", "3000", "59.97", 1, "13.50"),
            ("C", "2939", "8.10", 1, "13.50"),
        ],
        "0.00",
    ),
}


@pytest.mark.together
@pytest.mark.parametrize(("make", "lines", "balance"), EXAMPLES.values(), ids=EXAMPLES.keys())
def test_worked_examples(books: Books, make: Callable[[Books], Row], lines: Lines, balance: str) -> None:
    document = books.create("document/", {"date": "2026-04-02", "blueprint": make(books)})
    assert str(document["balance"]) == balance
    assert document["number"] == "260402-1"
    assert document["blueprint"] == make(books)
    assert books.entries(document["id"]) == lines
    assert books.get(f"document/{document['id']}/").body == document


def test_all_worked_examples_together_give_the_account_balances(books: Books) -> None:
    for make, _, _ in EXAMPLES.values():
        books.create("document/", {"date": "2026-04-02", "blueprint": make(books)})
    balances = {number: books.balance(number) for number in books.ids if books.account(number)["is_used"]}
    assert balances == {
        "1700": "568.07",
        "1763": "41.99",
        "1910": "434.30",
        "2939": "161.10",
        "3000": "559.97",
        "3380": "500.00",
        "4000": "50.00",
        "4450": "100.00",
        "7800": "8.81",
        "8500": "17.90",
    }
