"""What the database refuses, whoever asks."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from datetime import date, timedelta
from typing import Any, NamedTuple

import pytest
from sqlalchemy import delete, insert, select, text, update

from acctcli.service.problems import Invalid, Precondition
from acctcli.service.store.businesses import erase_some, give_up
from acctcli.service.store.engine.connection import Connection, DatabaseFault, IntegrityFault, explain
from acctcli.service.store.engine.database import Database
from acctcli.service.store.listing import tally
from acctcli.service.store.schema.books import (
    account,
    account_month,
    account_total,
    document,
    entry,
    period,
    vat_period,
)
from acctcli.service.store.schema.business import business
from acctcli.service.store.schema.business import tally as tally_table
from acctcli.service.store.schema.triggers import BORN, CLOSED, FROZEN, OTHER_DATE, REDATED, UNBALANCED
from tests.sql import execute

STAMPS = {"created_at": "2026-01-01T00:00:00.000000Z", "updated_at": "2026-01-01T00:00:00.000000Z"}
DAY = date(2026, 3, 5)
LARGE = 2**62


class Accounts(NamedTuple):
    """A business with a bank and a sales account."""

    database: Database
    business: int
    bank: int
    sales: int

    def do(self, *statements: Any) -> None:
        """Run statements in one transaction."""

        def work(conn: Connection) -> None:
            for statement in statements:
                execute(conn, statement)

        self.database.write(work)

    def refuses(self, message: str, *statements: Any) -> None:
        """Run statements that must be refused, and find that nothing has changed."""
        before = self.totals()
        with pytest.raises(IntegrityFault, match=message):
            self.do(*statements)
        assert self.totals() == before

    def draft(self, *amounts: tuple[int, bool, int], day: date = DAY, business_id: int | None = None) -> int:
        """Insert a draft with entries (account, is_debit, cents)."""
        owner = business_id or self.business

        def work(conn: Connection) -> int:
            number = execute(
                conn, insert(document).values(**_document(owner, day)).returning(document.c.id)
            ).scalar_one()
            for position, (account_id, is_debit, cents) in enumerate(amounts):
                execute(conn, insert(entry).values(**_entry(owner, number, position, account_id, is_debit, cents, day)))
            return int(number)

        return self.database.write(work)

    def balanced(self, cents: int = 100) -> int:
        """Insert a draft that balances."""
        return self.draft((self.bank, True, cents), (self.sales, False, cents))

    def post(self, document_id: int) -> Any:
        """The statement that posts a document."""
        return update(document).where(document.c.id == document_id).values(is_draft=False, number=f"N-{document_id}")

    def unpost(self, document_id: int) -> Any:
        """The statement that makes a draft of it again."""
        return update(document).where(document.c.id == document_id).values(is_draft=True)

    def lock(self, table: Any, start: date = DAY, end: date = DAY) -> Any:
        """The statement that inserts a locked period, of this day unless told otherwise."""
        return insert(table).values(business_id=self.business, **_period(table, start, end), **STAMPS)

    def totals(self) -> tuple[Any, Any]:
        """Return what moved, all time and by month."""
        with self.database.read() as conn:
            total = select(
                account_total.c.account_id,
                account_total.c.debit_cents,
                account_total.c.credit_cents,
                account_total.c.entry_count,
            )
            month = select(
                account_month.c.account_id,
                account_month.c.month,
                account_month.c.debit_cents,
                account_month.c.credit_cents,
            )
            return (
                execute(conn, total.order_by(account_total.c.account_id)).all(),
                [
                    tuple(row)
                    for row in execute(conn, month.order_by(account_month.c.account_id, account_month.c.month))
                ],
            )


def _document(business_id: int, day: date) -> dict[str, Any]:
    flags = {"is_draft": True, "is_locked": False, "is_flagged": False}
    texts = {"description": "", "search_text": "", "blueprint": "{}", "blueprint_type": "MANUAL"}
    cents = {"balance_cents": 0, "total_cents": 0, "type": 0}
    return {"business_id": business_id, "date": day, **flags, **texts, **cents, **STAMPS}


def _entry(
    business_id: int, document_id: int, position: int, account_id: int, is_debit: bool, cents: int, day: date
) -> dict[str, Any]:
    keys = {"business_id": business_id, "document_id": document_id, "account_id": account_id, "position": position}
    vat = {"vat_code": 3, "vat_rate": 0, "description": ""}
    return {**keys, "date": day, "is_debit": is_debit, "amount_cents": cents, **vat, **STAMPS}


def _period(table: Any, start: date, end: date) -> dict[str, Any]:
    days = {"start_date": start, "end_date": end, "is_locked": True}
    return (
        days if table is period else days | {"due_date": end, "is_reported": False, "is_recapitulative_reported": False}
    )


def _business(conn: Connection, slug: str) -> int:
    fields: dict[str, Any] = {column.name: False for column in business.c if not column.nullable}
    fields |= {"name": slug, "slug": slug, "search_text": slug, "country": "FI", "form": "FI_OY", **STAMPS}
    fields |= {"vat_posting_method": "NET", "vat_reporting_method": "DEFAULT", "default_vat_period": 0}
    fields |= {"invoicing_default_penalty_interest": "0", "invoicing_default_payment_condition_days": 14}
    del fields["id"]
    return int(execute(conn, insert(business).values(**fields).returning(business.c.id)).scalar_one())


def _account(conn: Connection, business_id: int, number: str) -> int:
    fields = {"name": number, "search_name": number, "name_translations": "[]", "type": "ASS", "is_shown": True}
    vat = {"default_vat_code": 3, "default_vat_rate_label": "zero", "opening_cents": 0}
    row = {"business_id": business_id, "number": number, "padded_number": int(number), **fields, **vat, **STAMPS}
    return int(execute(conn, insert(account).values(**row).returning(account.c.id)).scalar_one())


@pytest.fixture
def books(database: Database) -> Accounts:
    def work(conn: Connection) -> Accounts:
        owner = _business(conn, "one")
        return Accounts(database, owner, _account(conn, owner, "1910"), _account(conn, owner, "3000"))

    return database.write(work)


def test_posting_moves_totals_and_unposting_moves_them_back(books: Accounts) -> None:
    first, second = (
        books.balanced(100),
        books.draft((books.bank, False, 30), (books.sales, True, 30), day=date(2025, 12, 31)),
    )
    assert books.totals() == ([], [])
    books.do(books.post(first), books.post(second))
    assert books.totals() == (
        [(books.bank, 100, 30, 2), (books.sales, 30, 100, 2)],
        [
            (books.bank, "2025-12", 0, 30),
            (books.bank, "2026-03", 100, 0),
            (books.sales, "2025-12", 30, 0),
            (books.sales, "2026-03", 0, 100),
        ],
    )
    books.do(books.unpost(first))
    books.do(delete(document).where(document.c.id == second))
    assert [row[1:] for row in books.totals()[0]] == [(0, 0, 0), (0, 0, 0)]
    assert all(row[2:] == (0, 0) for row in books.totals()[1])


def test_a_document_is_born_a_draft(books: Accounts) -> None:
    books.refuses(BORN, insert(document).values(**{**_document(books.business, DAY), "is_draft": False, "number": "1"}))


def test_an_unbalanced_document_is_not_posted(books: Accounts) -> None:
    books.refuses(UNBALANCED, books.post(books.draft((books.bank, True, 100), (books.sales, False, 99))))
    books.refuses(UNBALANCED, books.post(books.draft((books.bank, True, 100))))


def test_a_document_without_entries_is_balanced(books: Accounts) -> None:
    books.do(books.post(books.draft()))


def test_a_posted_document_has_a_number(books: Accounts) -> None:
    document_id = books.balanced()
    books.refuses("posted_has_number", update(document).where(document.c.id == document_id).values(is_draft=False))


def test_entries_have_the_date_of_their_document(books: Accounts) -> None:
    document_id = books.balanced()
    other = update(document).where(document.c.id == document_id).values(date=date(2026, 3, 6))
    books.refuses(OTHER_DATE, other, books.post(document_id))


@pytest.mark.together
@pytest.mark.parametrize(
    ("message", "change"),
    [
        (REDATED, lambda books, number: update(document).where(document.c.id == number).values(date=date(2026, 4, 1))),
        (FROZEN, lambda books, number: delete(entry).where(entry.c.document_id == number)),
        (FROZEN, lambda books, number: update(entry).where(entry.c.document_id == number).values(amount_cents=1)),
        (FROZEN, lambda books, number: update(entry).where(entry.c.document_id == number).values(description="x")),
        (
            FROZEN,
            lambda books, number: insert(entry).values(**_entry(books.business, number, 9, books.bank, True, 0, DAY)),
        ),
    ],
    ids=["date", "delete", "amount", "description", "insert"],
)
def test_a_posted_document_does_not_change(
    books: Accounts, message: str, change: Callable[[Accounts, int], Any]
) -> None:
    document_id = books.balanced()
    books.do(books.post(document_id))
    books.refuses(message, change(books, document_id))


def test_entries_do_not_move_into_a_posted_document(books: Accounts) -> None:
    posted, draft = books.balanced(), books.draft((books.bank, True, 100))
    books.do(books.post(posted))
    books.refuses(FROZEN, update(entry).where(entry.c.document_id == draft).values(document_id=posted, position=9))


@pytest.mark.together
@pytest.mark.parametrize("table", [period, vat_period])
def test_nothing_enters_or_leaves_a_locked_period(books: Accounts, table: Any) -> None:
    posted, draft = books.balanced(), books.balanced()
    before = books.draft(day=DAY - timedelta(days=1))
    after = books.draft(day=DAY + timedelta(days=1))
    books.do(books.post(posted), books.lock(table))
    books.refuses(CLOSED, books.post(draft))
    books.refuses(CLOSED, books.unpost(posted))
    books.refuses(CLOSED, delete(document).where(document.c.id == posted))
    books.do(books.post(before), books.post(after), delete(document).where(document.c.id == draft))
    books.do(update(table).values(is_locked=False))
    books.do(books.unpost(posted), delete(document).where(document.c.id == posted))


def test_a_locked_period_of_another_business_locks_nothing_here(books: Accounts) -> None:
    def foreign(conn: Connection) -> Accounts:
        return books._replace(business=_business(conn, "two"))

    books.do(books.database.write(foreign).lock(period))
    books.do(books.post(books.balanced()))


@pytest.mark.parametrize("table", [period, vat_period])
def test_a_business_goes_with_its_locked_periods(books: Accounts, table: Any) -> None:
    books.do(books.post(books.balanced()), books.lock(table))
    books.database.write(lambda conn: give_up(conn, books.business))
    while books.database.write(lambda conn: erase_some(conn, books.business, 2))[0]:
        pass
    with books.database.read() as conn:
        assert [execute(conn, select(one.c.business_id)).all() for one in (document, table, account)] == [[], [], []]


@pytest.mark.parametrize(("table", "column"), [(document, "number"), (account, "number")])
def test_numbers_are_unique_in_a_business_only(books: Accounts, table: Any, column: str) -> None:
    if table is document:
        first, second = books.balanced(), books.balanced()
        books.do(books.post(first))
        taken = books.post(second).values(number=f"N-{first}")
    else:
        taken = update(account).where(account.c.id == books.sales).values(**{column: "1910"})
    with pytest.raises(IntegrityFault) as caught:
        books.do(taken)
    assert isinstance(explain(caught.value), Precondition)
    books.database.write(lambda conn: _account(conn, _business(conn, "two"), "1910"))


def test_rows_of_another_business_cannot_be_referenced(books: Accounts) -> None:
    def foreign(conn: Connection) -> int:
        return _account(conn, _business(conn, "two"), "1910")

    stranger = books.database.write(foreign)
    with pytest.raises(IntegrityFault) as caught:
        books.draft((stranger, True, 1))
    assert isinstance(explain(caught.value), Precondition)


def test_an_account_with_entries_cannot_be_deleted(books: Accounts) -> None:
    books.balanced()
    with pytest.raises(IntegrityFault) as caught:
        books.do(delete(account).where(account.c.id == books.bank))
    assert isinstance(explain(caught.value), Precondition)


def test_cents_are_not_negative(books: Accounts) -> None:
    with pytest.raises(IntegrityFault):
        books.draft((books.bank, True, -1))


@pytest.mark.together
@pytest.mark.parametrize("cents", [1.5, "x"])
def test_cents_are_whole(books: Accounts, cents: Any) -> None:
    statement = f"UPDATE account SET opening_cents = {cents!r}"
    with pytest.raises(DatabaseFault) if books.database.dialect == "sqlite" or cents == "x" else nullcontext():
        books.do(text(statement))
    with books.database.read() as conn:
        assert all(isinstance(value, int) for value in execute(conn, select(account.c.opening_cents)).scalars())


def test_sums_beyond_64_bits_are_refused_and_nothing_wraps(books: Accounts) -> None:
    books.do(books.post(books.balanced(LARGE)))
    before = books.totals()
    with pytest.raises(DatabaseFault) as caught:
        books.do(books.post(books.balanced(LARGE)))
    assert isinstance(explain(caught.value), Invalid)
    large = books.draft(*[(books.bank, True, LARGE), (books.bank, True, LARGE), (books.sales, False, LARGE)])
    with pytest.raises(DatabaseFault):
        books.do(books.post(large))
    even = books.draft(*[(books.bank, True, LARGE)] * 2, *[(books.sales, False, LARGE)] * 2)
    with pytest.raises(DatabaseFault) as caught:
        books.do(books.post(even))
    assert isinstance(explain(caught.value), Invalid)
    assert books.totals() == before


def test_tallies_follow_the_rows(books: Accounts) -> None:
    first = books.balanced()
    books.balanced()
    books.do(books.post(first))
    books.do(delete(document).where(document.c.id == first))
    with books.database.read() as conn:
        assert tally(conn, books.business, "document")[0] == 1
        assert tally(conn, books.business, "account")[0] == 2
        assert tally(conn, books.business + 1, "account") == (0, 0)
        assert {row.kind for row in execute(conn, select(tally_table))} == {"account", "document"}


def test_ids_are_not_used_twice(books: Accounts) -> None:
    first = books.balanced()
    books.do(delete(document).where(document.c.id == first))
    assert books.balanced() > first
