"""Journal and ledger (docs/interface.md 10.3). Both may be long, so both are JSON texts, made piece by piece."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from acctcli.service.cases.reports.columns import carried_results, first_span, read_tags, start_of_result
from acctcli.service.cases.work import Work
from acctcli.service.rules.reports.journal import EntryRow, Journal
from acctcli.service.rules.reports.ledger import Ledger, carryings, openings
from acctcli.service.rules.reports.spans import day_before
from acctcli.service.rules.reports.statement import profit_account
from acctcli.service.rules.reports.texts import Place
from acctcli.service.store.reports import ground
from acctcli.service.store.reports.journal import posted
from acctcli.service.store.reports.ledger import AccountEntries
from acctcli.service.store.reports.movements import movements
from acctcli.service.store.shelf import in_order

if TYPE_CHECKING:
    from acctcli.models.report import RangeReportRequest

# entries of a document
LARGE_PART = 1000
# bytes of a document as it is laid aside
LARGE_DOCUMENT = 2**19


def journal(work: Work, asked: RangeReportRequest) -> Generator[str, None, None]:
    """Report posted documents of the first column's days by date, then number, each with entries and totals.

    Drafts are left out. Totals are currency units, debit and credit, per document and over all.
    """
    span, tag_ids = first_span(asked), read_tags(work, asked)
    accounts = ground.accounts(work.conn, work.business.id)

    def look(rows: Sequence[EntryRow]) -> None:
        """Take a turn for a document that fills a part of the rows."""
        if len(rows) > LARGE_PART and rows[0][0] == rows[-1][0]:
            work.take_turn()

    rows = posted(work.conn, work.business.id, span, tag_ids, look)
    return Journal(span, accounts, partial(_in_order, work)).write(rows)


def _in_order(work: Work, pieces: Iterable[tuple[Place, bytes]]) -> Iterator[bytes]:
    """Put what a full day has in order; a document with thousands of entries is written in turn."""

    def in_turn() -> Iterator[tuple[Place, bytes]]:
        for place, data in pieces:
            if len(data) > LARGE_DOCUMENT:
                work.take_turn()
            yield place, data

    return in_order(in_turn())


def ledger(work: Work, asked: RangeReportRequest) -> Generator[str, None, None]:
    """Report the first column's days account by account, each with its balance before them and after every entry."""
    span, tag_ids = first_span(asked), read_tags(work, asked)
    accounts = ground.accounts(work.conn, work.business.id)
    profit = profit_account(accounts, ground.previous_profit(work.conn, work.business.id))
    last = day_before(span.start)
    opening = openings(
        accounts,
        profit,
        movements(work.conn, work.business.id, None, last, tag_ids),
        movements(work.conn, work.business.id, start_of_result(work, span.start), last, tag_ids),
        has_openings=not tag_ids,
    )
    entries = AccountEntries(work.conn, work.business.id, span, tag_ids)
    carried = carryings(carried_results(work, span, tag_ids), accounts, profit)
    return Ledger(span, opening, carried, entries, partial(_in_order, work)).write(accounts)
