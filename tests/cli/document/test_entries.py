"""The entries shown beforehand are the entries the service makes."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acctcli.cli.document.entries import (
    PlannedEntry as Entry,
)
from acctcli.cli.document.entries import (
    Split,
    VatAccounts,
    entries_of,
    gross_sum,
    split,
    units_of,
)
from tests.databases import SqliteFactory, opened
from tests.service.actor import world
from tests.service.routes.books import Books, blueprint, open_books

BANK, SALES, FEES, PURCHASES, RECEIVABLE, PAYABLE = 1, 2, 3, 4, 5, 6
VAT = VatAccounts(receivables=RECEIVABLE, liabilities=PAYABLE)


def row(
    account: int | None, amount: str, code: int = 3, rate: str = "0", method: int = 0, text: str = ""
) -> dict[str, Any]:
    return {
        "account_id": account,
        "amount": Decimal(amount),
        "vat_code": code,
        "vat_rate": Decimal(rate),
        "vat_method": method,
        "description": text or None,
    }


SALE = {"debet_account_id": BANK, "credit_entries": [row(SALES, "125.50", 1, "25.5")]}
EXAMPLES: dict[str, tuple[dict[str, Any], list[Entry]]] = {
    "E1 sale": (
        SALE,
        [
            Entry(BANK, True, 12550),
            Entry(SALES, False, 10000, "", 1, 2550),
            Entry(PAYABLE, False, 2550, "", 1, 2550),
        ],
    ),
    "E4 sale with a fee": (
        {**SALE, "expense_entries": [row(FEES, "12.55", 2, "25.5", text="Fee")]},
        [
            Entry(BANK, True, 11295),
            Entry(FEES, True, 1000, "Fee", 2, 2550),
            Entry(RECEIVABLE, True, 255, "Fee", 2, 2550),
            Entry(SALES, False, 10000, "", 1, 2550),
            Entry(PAYABLE, False, 2550, "", 1, 2550),
        ],
    ),
    "E6 reverse charge": (
        {"credit_account_id": BANK, "debet_entries": [row(PURCHASES, "100.00", 8, "25.5", 1)]},
        [
            Entry(PURCHASES, True, 10000, "", 8, 2550),
            Entry(RECEIVABLE, True, 2550, "", 8, 2550),
            Entry(PAYABLE, False, 2550, "", 8, 2550),
            Entry(BANK, False, 10000),
        ],
    ),
    "a refund turns every line round": (
        {"debet_account_id": BANK, "credit_entries": [row(SALES, "-125.50", 1, "25.5")]},
        [
            Entry(BANK, False, 12550),
            Entry(SALES, True, 10000, "", 1, 2550),
            Entry(PAYABLE, True, 2550, "", 1, 2550),
        ],
    ),
    "a draft's missing account is left out": (
        {"debet_entries": [row(None, "1.00"), row(FEES, "2.00")], "credit_entries": None},
        [Entry(FEES, True, 200)],
    ),
    "nothing": ({}, []),
}


@pytest.mark.parametrize(("given_blueprint", "lines"), EXAMPLES.values(), ids=EXAMPLES.keys())
def test_worked_examples(given_blueprint: dict[str, Any], lines: list[Entry]) -> None:
    assert entries_of(given_blueprint, VAT) == lines


def test_vat_that_has_no_account_is_a_line_without_one() -> None:
    assert entries_of(SALE, VatAccounts(None, None))[-1] == Entry(None, False, 2550, "", 1, 2550)


@pytest.mark.parametrize(
    ("given_row", "parts"),
    [
        (row(SALES, "34.80", 1, "25.5"), Split(2773, 707, 3480)),
        (row(SALES, "0.05", 1, "10", 1), Split(5, 1, 6)),
        (row(SALES, "-0.05", 1, "10", 1), Split(-5, -1, -6)),
        (row(SALES, "100", 6, "25.5"), Split(10000, 0, 10000)),
        ({"account_id": SALES}, Split(0, 0, 0)),
    ],
)
def test_a_row_is_taken_apart(given_row: dict[str, Any], parts: Split) -> None:
    assert split(given_row) == parts


# --- against the service itself ---


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Books]:
    folder: Path = tmp_path_factory.mktemp("books")
    with opened(SqliteFactory(folder).fresh()) as database, world(database) as made:
        yield open_books(made.user())


NUMBERS = st.sampled_from(("1500", "1700", "1763", "1910", "2939", "3000", "4000", "4450", "8500"))
AMOUNTS = st.integers(-(10**9), 10**9).map(units_of)
RATES = st.sampled_from(("0", "10", "13.5", "25.5")).map(Decimal) | st.integers(0, 99_999).map(units_of)
ROWS = st.lists(
    st.fixed_dictionaries(
        {"account_id": NUMBERS},
        optional={
            "amount": AMOUNTS,
            "vat_code": st.integers(0, 15),
            "vat_rate": RATES,
            "vat_method": st.integers(0, 1),
            "description": st.none() | st.text("aä€ <'\"\\\n", max_size=5),
        },
    ),
    max_size=5,
)


@st.composite
def blueprints(draw: st.DrawFn) -> dict[str, Any]:
    """A sale, a purchase, or a posting by hand that balances; accounts by number."""
    match draw(st.sampled_from(("sale", "purchase", "by hand"))):
        case "sale":
            return {"debet_account_id": draw(NUMBERS), "credit_entries": draw(ROWS), "expense_entries": draw(ROWS)}
        case "purchase":
            return {"credit_account_id": draw(NUMBERS), "debet_entries": draw(ROWS)}
    debit, credit = draw(ROWS), draw(ROWS)
    gap = gross_sum(debit) - gross_sum(credit)
    return {"debet_entries": debit, "credit_entries": [*credit, {"account_id": draw(NUMBERS), "amount": units_of(gap)}]}


def with_ids(value: Any, ids: dict[str, int]) -> Any:
    if isinstance(value, list):
        return [with_ids(one, ids) for one in value]
    if isinstance(value, dict):
        return {name: ids[one] if name.endswith("account_id") else with_ids(one, ids) for name, one in value.items()}
    return value


@settings(max_examples=150)
@given(by_number=blueprints())
def test_the_preview_is_what_the_service_posts(books: Books, by_number: dict[str, Any]) -> None:
    given_blueprint = with_ids(by_number, books.ids)
    document = books.create("document/", {"date": "2026-03-02", "blueprint": blueprint(**given_blueprint)})
    listed = books.get(f"document/{document['id']}/entry/", page_size="200").body["results"]
    accounts = VatAccounts(books.ids["1763"], books.ids["2939"])
    assert [
        (
            line.account_id,
            line.is_debit,
            units_of(line.cents),
            line.description,
            line.vat_code,
            str(units_of(line.vat_rate)),
        )
        for line in entries_of(given_blueprint, accounts)
    ] == [
        (one["account"], one["is_debet"], one["amount"], one["description"], one["vat_code"], one["vat_rate"])
        for one in listed
    ]
