"""The window through which an account is seen: any page of any account, and no more of it at once than a page."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from acctcli.cli.report.books import AccountPart
from acctcli.cli.report.checks import check_balances
from acctcli.cli.report.shapes import LedgerAccount, LedgerEntry
from acctcli.cli.view.account import Window

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
