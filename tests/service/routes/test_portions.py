"""Pages of heavy records are shown portion by portion, and say the same as when they are shown at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from acctcli.service.routes import call
from tests.service.actor import World
from tests.service.routes.books import Books, open_books
from tests.service.routes.invoicing.test_purchase_invoice import BILL

ROWS = 40


def heavy_documents(books: Books) -> str:
    """Three documents of many rows each."""
    for day in ("2026-03-01", "2026-03-02", "2026-03-03"):
        rows = [books.row("3900", "1.00") | {"description": f"Row {number}"} for number in range(ROWS)]
        books.create("document/", {"date": day, "blueprint": books.sales("1910", rows)})
    return f"{books.path}document/"


def heavy_purchases(books: Books) -> str:
    """Three purchase invoices, each booked by a document of many rows."""
    listed = books.actor.send("GET", heavy_documents(books)).body["results"]
    for document in listed:
        books.invoicing.create("purchase_invoice/", {**BILL, "document": {"id": document["id"]}})
    return f"{books.invoicing.path}purchase_invoice/"


@pytest.mark.everywhere
@pytest.mark.parametrize("make", [heavy_documents, heavy_purchases])
def test_heavy_records_are_shown_a_portion_at_a_time(shared: World, monkeypatch: pytest.MonkeyPatch, make: Any) -> None:
    books = open_books(shared.user())
    path = make(books)
    whole = books.actor.send("GET", path)
    parts: list[int] = []
    portions = call.portions

    def counted(rows: Sequence[Any], weights: Sequence[int]) -> Iterator[list[Any]]:
        assert all(weight >= ROWS for weight in weights), weights
        for part in portions(rows, weights):
            parts.append(len(part))
            yield part

    monkeypatch.setattr(call, "portions", counted)
    assert (books.actor.send("GET", path).body, parts) == (whole.body, [])
    monkeypatch.setattr(call, "PORTION", ROWS)
    assert (books.actor.send("GET", path).body, parts) == (whole.body, [1, 1, 1])


def test_a_portion_is_filled_and_no_fuller_but_for_a_single_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call, "PORTION", 10)
    weights = (4, 6, 1, 12, 3, 8, 10)
    assert list(call.portions(weights, weights)) == [[4, 6], [1], [12], [3], [8], [10]]
