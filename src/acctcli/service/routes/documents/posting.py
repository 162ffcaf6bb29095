"""How a document enters the books: its number, its sums, its entries (wire facts 2.7, 3.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from acctcli.service.routes.call import Call
from acctcli.service.rules.numbers import document_number, numbering_day
from acctcli.service.rules.posting import EntryLine, document_balance
from acctcli.service.store.books import documents, postings
from acctcli.service.store.books.postings import AccountFacts


def next_number(call: Call, day: date) -> str:
    """Take the next number of a day."""
    return document_number(day, postings.next_serial(call.conn, call.business.id, numbering_day(day)))


def entry_sums(lines: Sequence[EntryLine], accounts: Mapping[int, AccountFacts]) -> dict[str, int]:
    """Return the columns that follow from a document's entries: its effect on money and its debit sum, in cents."""
    types = {account_id: facts.type for account_id, facts in accounts.items()}
    total = sum(line.amount for line in lines if line.is_debit)
    return {"balance_cents": document_balance(lines, types), "total_cents": total}


def enter(call: Call, document_id: int, day: date, lines: Sequence[EntryLine]) -> None:
    """Put the entries into the books and seal the document."""
    postings.add_entries(call.conn, call.business.id, document_id, day, lines, stamp=call.stamp)
    documents.seal(call.conn, call.business.id, document_id)
