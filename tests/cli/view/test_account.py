"""The window through which an account is seen: any page of any account, and no more of it at once than a page."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import accumulate
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.cli.report.books import AccountPart
from acctcli.cli.report.checks import check_balances
from acctcli.cli.report.shapes import LedgerAccount, LedgerEntry
from acctcli.cli.view import account as page_of
from acctcli.cli.view import days
from acctcli.cli.view.account import Window
from tests.cli.company import company as company_of
from tests.cli.view.looking import every_page, looking
from tests.journeys.places import Place

D = Decimal
amounts = st.integers(-10_000, 10_000).map(lambda cents: D(cents).scaleb(-2))


def parts(opening: Decimal, moved: Sequence[Decimal], size: int) -> Iterator[AccountPart]:
    """An account as the ledger hands it out, some entries at a time."""
    balances = list(accumulate(moved, initial=opening))[1:]
    entries = [
        LedgerEntry(debet=one, credit=D(0), balance_csum=after) for one, after in zip(moved, balances, strict=True)
    ]
    before = None
    places = range(0, len(entries), size) or [0]
    for place in places:
        account = LedgerAccount("1910", "Bank", opening, entries[place : place + size])
        before = check_balances(account, before)
        yield AccountPart(account, before, is_first=place == 0, is_last=place == places[-1])


@given(amounts, st.lists(amounts, max_size=40), st.integers(1, 9), st.integers(1, 9))
def test_pages_are_the_whole_account(opening: Decimal, moved: list[Decimal], piece: int, size: int) -> None:
    pages = max(1, -(-len(moved) // size))
    seen, balance = list[LedgerEntry](), opening
    for number in range(1, pages + 2):
        window = Window(number, size)
        for part in parts(opening, moved, piece):
            window.take(part)
        assert (window.count, window.pages, window.opening) == (len(moved), pages, opening)
        assert window.sums.balance == opening + sum(moved)
        if number <= pages:
            assert window.before == balance
            seen += window.entries
            balance = window.entries[-1].balance_csum if window.entries else balance
    assert [one.debet for one in seen] == moved


def test_a_long_account_is_not_held_in_memory() -> None:
    def long() -> Iterator[AccountPart]:
        balance = D(0)
        for number in range(200):
            rows = [LedgerEntry(debet=D(1), credit=D(0), balance_csum=balance + one) for one in range(1, 1001)]
            account = LedgerAccount("1910", "Bank", D(0), rows)
            balance += 1000
            sums = check_balances(account, None) if number == 0 else window.sums._replace(balance=balance)
            yield AccountPart(account, sums, is_first=number == 0, is_last=number == 199)

    window = Window(1_000, 100)
    tracemalloc.start()
    for part in long():
        window.take(part)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (window.count, len(window.entries), window.before) == (200_000, 100, D(99_900))
    assert peak < 4 * 2**20


BOTH_YEARS = "from=2025-02-01&to=2026-12-31"


@pytest.fixture(scope="module")
def years(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """Two years with a result each, days with several documents, and one that is numbered before an earlier one."""
    place = company_of(tmp_path_factory.mktemp("years"))
    place.run("period", "create", "--start", "2025-01-01", "--end", "2025-12-31")
    days = ("2025-01-10", "2025-03-02", "2025-03-02", "2025-03-02", "2025-11-30", "2026-01-01", "2026-02-01")
    for cents, day in enumerate((*days, "2026-02-01", "2026-02-01", "2026-02-01", "2026-05-31"), 101):
        place.run("document", "create", "--date", day, "--debit", "1910", "--credit", f"3000:{cents}.00")
    place.run("document", "create", "--date", "2026-02-01", "--debit", "1500", "--credit", "1910:7")
    return place


@pytest.mark.parametrize("at_once", [0, 1000])
@pytest.mark.parametrize("size", [1, 2, 3, 50])
@pytest.mark.parametrize("number", ["1910", "3000", "2251", "1700"])
def test_an_account_of_large_books_is_the_ledgers(
    years: Place, monkeypatch: pytest.MonkeyPatch, number: str, size: int, at_once: int
) -> None:
    for name, value in (("_BUSY", size), ("_QUIET", size), ("_AT_ONCE", at_once)):
        monkeypatch.setattr(days, name, value)
    monkeypatch.setattr(page_of, "_AT_ONCE", 0)
    ledgers = years.json("report", "ledger", "--from", "2025-02-01", "--to", "2026-12-31")["accounts"]
    nothing: dict[str, Any] = {"entries": [], "opening_balance": D("0.00"), "totals": {"balance_csum": D("0.00")}}
    ledger = next((one for one in ledgers if one["number"] == number), nothing)
    with looking(years) as pages:
        found, balance = [], ledger["opening_balance"]
        for read in every_page(pages, f"account/{number}?{BOTH_YEARS}"):
            ends = [D(one.given["amount"] or "") for one in read.all("dd")]
            assert ends == [ledger["opening_balance"], ledger["totals"]["balance_csum"]]
            first, *rows = [row for row in read.rows if read.amounts(row)]
            assert read.amounts(first)[-1] == balance
            if rows and rows[-1][0].text == "Closing balance":
                assert read.amounts(rows.pop()) == [None, None, ends[1]]
            found += [(row[0].text, *read.amounts(row)) for row in rows]
            # what is carried from one year to the next has no document
            assert all(("href" in row[0].given) == bool(row[0].text) for row in rows)
            balance = found[-1][-1] if found else balance
    assert found == [
        (one["number"], one["debet"] or None, one["credit"] or None, one["balance_csum"]) for one in ledger["entries"]
    ]
    assert balance == ledger["totals"]["balance_csum"]


def test_what_no_list_tells_of_is_read_with_the_days_around_it(years: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_of, "_AT_ONCE", 0)
    monkeypatch.setattr(days, "_AT_ONCE", 0)
    monkeypatch.setattr("acctcli.cli.view.asked.Asked.periods", [])
    with looking(years) as pages:
        read = pages.read(f"account/2251?{BOTH_YEARS}")
    assert "Result carried to profit of previous periods" in read.source
