"""One account: what it opened with, what moved it with the balance after each, and what it closed with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from acctcli.cli.account.chart import Account, find_account
from acctcli.cli.report.asking import Ask
from acctcli.cli.report.books import AccountPart, Ledger, account_lines, account_sheet
from acctcli.cli.report.checks import Sums
from acctcli.cli.report.shapes import LedgerAccount, LedgerEntry
from acctcli.cli.report.sheet import SheetLine, Style, clean
from acctcli.cli.report.spans import Span, range_columns
from acctcli.cli.view.asked import Asked
from acctcli.cli.view.days import Seen, count_documents, see_days
from acctcli.cli.view.document import NUMBERED
from acctcli.cli.view.page import Page, paging, range_form, sheet
from acctcli.cli.view.tags import Html, joined, tag
from acctcli.errors import NotFound

SIZE = 100
# of so many documents in its days an account is shown from the ledger of all of them
_AT_ONCE = 5000
_NOTHING = Decimal("0.00")


class Window:
    """The entries of one page of an account, kept while all of them pass by: as many are held as a page has."""

    def __init__(self, page: int, size: int) -> None:
        self._first, self._size = (page - 1) * size, size
        self.opening = self.before = _NOTHING
        self.sums = Sums(_NOTHING, _NOTHING, _NOTHING)
        self.entries: list[LedgerEntry] = []
        self.count = 0

    def take(self, part: AccountPart) -> None:
        """Take a part of the account."""
        account = part.account
        if part.is_first:
            self.opening = self.before = account.opening_balance
        start = min(max(self._first - self.count, 0), len(account.entries))
        if start:
            self.before = account.entries[start - 1].balance_csum
        self.entries += account.entries[start : start + self._size - len(self.entries)]
        self.count += len(account.entries)
        self.sums = part.sums

    @property
    def pages(self) -> int:
        """How many pages there are, one of an account that did not move."""
        return max(1, -(-self.count // self._size))


def page(asked: Asked) -> Page:
    """Show one page of an account."""
    account, span = find_account(asked.here, asked.record), asked.span()
    is_large = count_documents(asked.here, span) > _AT_ONCE
    seen = see_days(asked, account, span) if is_large else _see(asked, account, span)
    title = f"{account.number} {clean(asked.account_words.account(account.number, account.name))}"
    return Page(title, _body(asked, account, span, seen), span)


def _see(asked: Asked, account: Account, span: Span) -> Seen:
    """Return one page of an account, of all its entries; what does not add up is no account."""
    window = Window(asked.page, SIZE)
    for part in Ledger(Ask(asked.here).stream("ledger", range_columns([span], None), "accounts")):
        if part.account.number == account.number:
            window.take(part)
    if asked.page > window.pages:
        raise NotFound(f"there is no page {asked.page}: the account has {window.pages}")
    return Seen(window.opening, window.sums.balance, window.sums, window.before, window.entries, window.pages)


def _body(asked: Asked, account: Account, span: Span, seen: Seen) -> Iterator[Html]:
    words = asked.words
    yield range_form(asked, span)
    sides = (("Debit", seen.sums.debit), ("Credit", seen.sums.credit)) if seen.sums else ()
    figures = (("Opening balance", seen.opening), *sides, ("Closing balance", seen.closing))
    shown = (tag("div", tag("dt", words(title)), tag("dd", asked.amount(amount))) for title, amount in figures)
    yield tag("dl", *shown, class_="figures")
    lines = _lines(asked, account, seen)

    def link(position: int, place: int) -> str | None:
        line = lines[position]
        is_entry = place == 0 and line.style is Style.PLAIN and line.cells[0]
        return asked.link("document", f"{NUMBERED}{line.cells[0]}") if is_entry else None

    found = account_sheet(str(account), asked.days(span), lines, words)
    yield sheet(asked, found, link)
    yield joined([paging(asked, asked.page, seen.pages)])
    yield tag("p", words("Balances are debit minus credit."), class_="quiet")


def _lines(asked: Asked, account: Account, seen: Seen) -> Sequence[SheetLine]:
    words = asked.words
    name = "Opening balance" if asked.page == 1 else "Brought forward"
    first = SheetLine(("", "", words(name), *[None] * 5, seen.before), Style.DETAIL)
    shown = LedgerAccount(account.number, account.name, seen.opening, seen.entries)
    sums = seen.sums or Sums(_NOTHING, _NOTHING, seen.closing)
    entries = account_lines(AccountPart(shown, sums, is_first=False, is_last=False), words)
    sides = seen.sums[:2] if seen.sums else (None, None)
    last = SheetLine((words("Closing balance"), *[None] * 5, *sides, seen.closing), Style.SUM)
    return [first, *entries, *([last] if asked.page == seen.pages else [])]
