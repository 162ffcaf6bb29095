"""The posted entries of a range by VAT code, rate, kind of account and side."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from sqlalchemy import insert

from acctcli.models.enums import AccountType
from acctcli.service.rules.vat_sums import VatMovement
from acctcli.service.store.books import vat_entries
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.schema.books import document_tag
from acctcli.service.store.schema.business import tag
from tests.service.actor import World
from tests.service.routes.books import Books, blueprint, open_books
from tests.sql import execute

OUTPUT, INPUT = AccountType.LIA_VAT, AccountType.ASS_VAT
Movements = set[VatMovement]


@pytest.fixture
def books(service: World) -> Books:
    return open_books(service.user())


def between(service: World, books: Books, start: str, end: str, *tags: int) -> Movements:
    with service.database.read() as conn:
        days = date.fromisoformat(start), date.fromisoformat(end)
        found = vat_entries.movements(conn, books.business_id, *days, tags)
    assert len(set(found)) == len(found)
    return set(found)


def sale(books: Books, day: str, amount: str = "125.50") -> int:
    rows = [books.row("3000", amount, 1, "25.50")]
    number: int = books.create("document/", {"date": day, "blueprint": books.sales("1910", rows)})["id"]
    return number


SOLD = {
    VatMovement(3, 0, None, True, 12550),
    VatMovement(1, 2550, None, False, 10000),
    VatMovement(1, 2550, OUTPUT, False, 2550),
}


def test_entries_are_summed_by_what_they_share(service: World, books: Books) -> None:
    sale(books, "2026-04-01")
    sale(books, "2026-04-30", "251.00")
    sale(books, "2026-04-30", "-125.50")
    rows = [books.row("4000", "62.75", 2, "25.50"), books.row("4450", "100.00", 8, "25.50")]
    books.create("document/", {"date": "2026-04-02", "blueprint": books.purchase("1910", rows)})
    assert between(service, books, "2026-04-01", "2026-04-30") == {
        VatMovement(3, 0, None, True, 37650),
        VatMovement(3, 0, None, False, 12550 + 16275),
        VatMovement(1, 2550, None, False, 30000),
        VatMovement(1, 2550, None, True, 10000),
        VatMovement(1, 2550, OUTPUT, False, 7650),
        VatMovement(1, 2550, OUTPUT, True, 2550),
        VatMovement(2, 2550, None, True, 5000),
        VatMovement(2, 2550, INPUT, True, 1275),
        VatMovement(8, 2550, None, True, 10000),
        VatMovement(8, 2550, INPUT, True, 2550),
        VatMovement(8, 2550, OUTPUT, False, 2550),
    }


def test_other_days_drafts_vat_postings_and_businesses_do_not_count(service: World, books: Books) -> None:
    sale(books, "2026-04-15")
    sale(books, "2026-03-31")
    sale(books, "2026-05-01")
    books.change(f"document/{sale(books, '2026-04-15')}/", is_draft=True)
    rows = [books.row("2939", "25.50")], [books.row("1763", "25.50")]
    posting = blueprint(debet_entries=rows[0], credit_entries=rows[1])
    books.create("document/", {"date": "2026-04-30", "type": 3, "blueprint": posting})
    sale(open_books(service.user()), "2026-04-15")
    assert between(service, books, "2026-04-01", "2026-04-30") == SOLD
    assert between(service, books, "2026-04-16", "2026-04-30") == set()


def test_one_tag_is_enough(service: World, books: Books) -> None:
    first, second, _ = (sale(books, "2026-04-15") for _ in range(3))

    def label(conn: Connection) -> list[int]:
        values = {"business_id": books.business_id, "search_name": "", "created_at": "", "updated_at": ""}
        tags = [execute(conn, insert(tag).values(**values).returning(tag.c.id)).scalar_one() for _ in range(3)]
        for document_id, tag_id in ((first, tags[0]), (first, tags[1]), (second, tags[1])):
            keys = {"business_id": books.business_id, "document_id": document_id, "tag_id": tag_id}
            execute(conn, insert(document_tag).values(**keys))
        return tags

    one, both, none = service.database.write(label)
    april = ("2026-04-01", "2026-04-30")
    assert between(service, books, *april, one) == SOLD
    twice = {movement._replace(cents=2 * movement.cents) for movement in SOLD}
    assert between(service, books, *april, both) == twice
    assert between(service, books, *april, one, both) == twice
    assert between(service, books, *april, none) == set()


def test_sums_may_leave_64_bits(service: World, books: Books) -> None:
    """No account can hold so much; several together can."""
    amount = "87654321098765432.10"
    for debit, credit in (("1910", "3900"), ("1900", "2871")):
        books.create("document/", {"date": "2026-04-15", "blueprint": books.simple(amount, debit, credit)})
    cents = 2 * int(Decimal(amount).scaleb(2))
    assert cents > 2**63
    sums = {VatMovement(3, 0, None, is_debit, cents) for is_debit in (True, False)}
    assert between(service, books, "2026-04-15", "2026-04-15") == sums
