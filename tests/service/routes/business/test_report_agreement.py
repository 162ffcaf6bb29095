"""Every total on two paths: reports against an independent sum of what was posted, and against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from acctcli.service.store.reports.movements import movements
from tests.service.actor import World
from tests.service.routes.books import Books, open_books
from tests.service.routes.conftest import NOW
from tests.service.routes.reports import Report, at, read, span

D = Decimal
ACCOUNTS = ("1160", "1700", "1910", "2000", "2251", "2620", "2939", "3000", "3900", "4000", "6800", "9900")
BALANCE_SHEET = tuple(number for number in ACCOUNTS if number < "3000")
TAGS = ("Project", "Campaign")


class Posting(NamedTuple):
    """A document of two entries."""

    day: date
    debit: str
    credit: str
    cents: int
    tags: frozenset[str]


# three calendar years, with many postings on the edges of months
edges = st.sampled_from([date(2024, 2, 29), date(2024, 12, 31), date(2025, 1, 1), date(2025, 6, 30), date(2026, 1, 1)])
days = edges | st.dates(date(2024, 1, 1), date(2026, 12, 31))
account = st.sampled_from(ACCOUNTS)
postings = st.builds(Posting, days, account, account, st.integers(1, 10**9), st.frozensets(st.sampled_from(TAGS)))
ranges = st.tuples(days, days).map(lambda pair: (min(pair), max(pair)))
wanted_tags = st.frozensets(st.sampled_from(TAGS))

quick = settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])


class Postings:
    """A new company with these postings, and their sums made here."""

    def __init__(self, shared: World, made: Iterable[Posting]) -> None:
        shared.clock.now = NOW
        self.books: Books = open_books(shared.user())
        self.tag_ids = {name: self.books.tag(name) for name in TAGS}
        self.books.keep_books(2024)
        self.made = list(made)
        for one in self.made:
            amount = str(D(one.cents).scaleb(-2))
            blueprint = self.books.simple(amount, one.debit, one.credit)
            tags = [self.tag_ids[name] for name in one.tags]
            self.books.create("document/", {"date": one.day.isoformat(), "blueprint": blueprint, "tag_ids": tags})

    def net(self, first: date, last: date, tags: frozenset[str] = frozenset()) -> dict[str, int]:
        """Debit less credit of the accounts that moved, in cents."""
        found: Counter[str] = Counter()
        for one in self.made:
            if first <= one.day <= last and (not tags or tags & one.tags):
                found[one.debit] += one.cents
                found[one.credit] -= one.cents
        return {number: cents for number, cents in found.items() if cents}

    def wanted(self, tags: frozenset[str]) -> list[int]:
        """The ids of tags."""
        return [self.tag_ids[name] for name in sorted(tags)]


@quick
@given(st.lists(postings, max_size=12), st.lists(ranges, min_size=1, max_size=8), wanted_tags)
def test_months_and_days_make_up_every_range(
    shared: World, made: list[Posting], spans: list[tuple[date, date]], tags: frozenset[str]
) -> None:
    company = Postings(shared, made)
    books, numbers = company.books, {account_id: number for number, account_id in company.books.ids.items()}
    with shared.database.read() as conn:
        for first, last in spans:
            for narrowed in (frozenset[str](), tags):
                for start in (first, None):
                    moved = movements(conn, books.business_id, start, last, company.wanted(narrowed))
                    found = {numbers[account_id]: cents for account_id, cents in moved.items() if cents}
                    assert found == company.net(start or date.min, last, narrowed)


def cents_of(report: Report) -> dict[str, int]:
    """Cents by account behind the rows of a statement."""
    accounts = (account for row in report["rows"] for account in row["accounts"])
    return {account["number"]: int(account["values"][0].scaleb(2)) for account in accounts}


def natural(net: dict[str, int], *more: str) -> dict[str, int]:
    """Debit less credit of accounts of the balance sheet as it shows them, but for zeros."""
    numbers = {*BALANCE_SHEET, *more}
    found = {number: cents if number < "2000" else -cents for number, cents in net.items() if number in numbers}
    return {number: cents for number, cents in found.items() if cents}


def column_of(day: date) -> dict[str, str]:
    """A column on one day."""
    return span(day.isoformat(), day.isoformat())


def row(report: Report, name: str) -> Decimal:
    return next((D(row["values"][0]) for row in report["rows"] if row["name"] == name), D(0))


@quick
@given(st.lists(postings, max_size=12), ranges, wanted_tags)
def test_reports_agree(shared: World, made: list[Posting], days: tuple[date, date], tags: frozenset[str]) -> None:
    company = Postings(shared, made)
    books, (first, last) = company.books, days
    options = {"tag_ids": company.wanted(tags), "extend_accounts": True}
    column, until = span(first.isoformat(), last.isoformat()), span("0001-01-01", last.isoformat())

    sheet = read(books, "balance-sheet", at(last.isoformat()), **options)
    assert cents_of(sheet) == natural(company.net(date.min, last, tags))
    assert row(sheet, "Total assets") == row(sheet, "Total equity and liabilities")

    income = read(books, "income-statement", column, **options)
    moved = company.net(first, last, tags)
    assert cents_of(income) == {number: -cents for number, cents in moved.items() if number not in BALANCE_SHEET}
    short = read(books, "income-statement-short", column, **options)
    assert cents_of(short) == cents_of(income)
    equity = read(books, "equity-changes", column, **options)
    assert row(equity, "Result of the period") == row(income, "Result of the period") == row(short, "Result")
    profit = row(sheet, "Profit of previous periods") + row(sheet, "Profit of the period")
    assert row(equity, "Total equity") == row(sheet, "Equity") + profit

    journal, ledger = read(books, "journal", column, **options), read(books, "ledger", column, **options)
    sides = {"debet": journal["totals"]["debet"], "credit": journal["totals"]["credit"]}
    carried = [entry for account in ledger["accounts"] for entry in account["entries"] if not entry["number"]]
    assert sides == {side: ledger["totals"][side] - sum(one[side] for one in carried) for side in sides}
    net: Counter[str] = Counter()
    for document in journal["documents"]:
        for entry in document["entries"]:
            net[entry["account_number"]] += int((entry["debet"] - entry["credit"]).scaleb(2))
    assert {number: cents for number, cents in net.items() if cents} == moved
    changes = {
        account["number"]: sum(
            int((entry["debet"] - entry["credit"]).scaleb(2)) for entry in account["entries"] if entry["number"]
        )
        for account in ledger["accounts"]
    }
    assert {number: cents for number, cents in changes.items() if cents} == moved

    # whatever the first day asked for, accounts close as they stand on the last one, and all of them at 0
    shown = {**cents_of(sheet), "2251": int(row(sheet, "Profit of previous periods").scaleb(2))}
    for report in (ledger, read(books, "ledger", until, **options), read(books, "ledger", column_of(last), **options)):
        closing = {one["number"]: int(one["totals"]["balance_csum"].scaleb(2)) for one in report["accounts"]}
        assert natural(closing, "2251") == {number: cents for number, cents in shown.items() if cents}
        results = sum(cents for number, cents in closing.items() if number >= "3000")
        assert -results == int(row(sheet, "Profit of the period").scaleb(2))
        assert report["totals"]["balance_csum"] == 0


@quick
@given(st.lists(postings, max_size=12))
def test_the_last_balance_sheet_shows_the_balances_of_the_accounts(shared: World, made: list[Posting]) -> None:
    books = Postings(shared, made).books
    books.change(f"account/{books.ids['1910']}/", opening_balance=D("123.45"))
    sheet = read(books, "balance-sheet", at("9999-12-31"), extend_accounts=True)
    shown = cents_of(sheet)
    balances = {number: int(books.account(number)["balance"].scaleb(2)) for number in BALANCE_SHEET}
    assert shown == {number: cents for number, cents in balances.items() if cents}
    assert row(sheet, "Opening balance difference") == D("123.45")
