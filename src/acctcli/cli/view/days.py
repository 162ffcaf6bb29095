"""An account of large books, by days: the list of its documents says which days are its, and their ledgers the rest.

The ledger has no way to ask for one account, and that of a year may have a million entries. A page consists of whole
days, so that in which order documents of a day stand decides nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from acctcli.cli.account.chart import Account
from acctcli.cli.report.asking import Ask
from acctcli.cli.report.books import Ledger
from acctcli.cli.report.checks import Sums
from acctcli.cli.report.shapes import LedgerEntry
from acctcli.cli.report.spans import Span, range_columns
from acctcli.cli.session.state import State
from acctcli.cli.view.asked import Asked
from acctcli.cli.view.journal import read_row
from acctcli.client.workers import Workers
from acctcli.errors import NotFound

# documents of a page: of an account that moves every day, and of any other one, whose days are asked for one by one
_BUSY, _QUIET = 200, 50
# a ledger of so many documents is read at once
_AT_ONCE, _WORKERS = 1000, 4
_NOTHING = Decimal("0.00")
_DAY = timedelta(days=1)


class Seen(NamedTuple):
    """What a page shows of an account: `before` is the balance before its entries.

    `sums` are those of all entries, None where not all were read.
    """

    opening: Decimal
    closing: Decimal
    sums: Sums | None
    before: Decimal
    entries: list[LedgerEntry]
    pages: int


class _Part(NamedTuple):
    """The account in some days."""

    opening: Decimal
    closing: Decimal
    entries: list[LedgerEntry]


def count_documents(here: State, span: Span, **more: int) -> int:
    """Return how many documents are posted in some days."""
    return here.api.documents.page(_query(span, **more), 1, 1)[1]


def see_days(asked: Asked, account: Account, span: Span) -> Seen:
    """Return one page of an account; raise NotFound where there is no such page."""
    here, number = asked.here, asked.page
    count = count_documents(here, span, account=account.id)
    size = _BUSY if count > (span.last - span.first).days else _QUIET
    pages = max(1, -(-count // size))
    if number > pages:
        raise NotFound(f"there is no page {number}: the account has {pages}")

    def days_of(page: int) -> list[date]:
        """Return the days of a page of the list, which begins with the latest, as the last page here ends."""
        rows, _ = here.api.documents.page(_query(span, account=account.id), pages - page + 1, size)
        return [read_row(row).date for row in rows]

    own = days_of(number)
    first = span.first if number == 1 else days_of(number - 1)[0] + _DAY
    last = span.last if number == pages else own[0]
    opening, closing = (_read(here, account, Span(day, day)) for day in span)
    if first > last:  # all of these days stand on the page before
        before = _read(here, account, Span(last, last)).closing
        return Seen(opening.opening, closing.closing, None, before, [], pages)
    starts = (one.first for one in asked.periods)
    days = sorted({first, last, *(day for day in (*own, *starts) if first <= day <= last)})
    parts = _together(here, account, days)
    entries = [entry for part in parts for entry in part.entries]
    return Seen(opening.opening, closing.closing, None, parts[0].opening, entries, pages)


def _together(here: State, account: Account, days: Sequence[date]) -> Sequence[_Part]:
    """Return an account from the first of some days to the last, between which nothing moves it."""
    whole = Span(days[0], days[-1])
    if count_documents(here, whole) > _AT_ONCE:
        with Workers(_WORKERS, partial(_read, here, account)) as workers:
            waiting = [workers.submit(Span(day, day)) for day in days]
            parts = [one.result() for one in waiting]
        if all(one.closing == after.opening for one, after in pairwise(parts)):
            return parts
    # few documents, or something moves it that no list tells of, such as a period that begins unseen
    return [_read(here, account, whole)]


def _read(here: State, account: Account, span: Span) -> _Part:
    """Return what the ledger of some days says of an account."""
    opening, closing, entries = _NOTHING, _NOTHING, list[LedgerEntry]()
    for part in Ledger(Ask(here).stream("ledger", range_columns([span], None), "accounts")):
        if part.account.number == account.number:
            opening = part.account.opening_balance if part.is_first else opening
            closing = part.sums.balance
            entries += part.account.entries
    return _Part(opening, closing, entries)


def _query(span: Span, **more: int) -> dict[str, str | int]:
    return {"is_draft": "false", "date_from": span.first.isoformat(), "date_to": span.last.isoformat(), **more}
