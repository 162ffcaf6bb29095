"""Reports: `/v1/business/{business_slug}/report/` (wire facts 4.2, 4.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from acctcli.service.call import Call
from acctcli.service.problems import Invalid
from acctcli.service.rules.money import from_cents
from acctcli.service.rules.numbers import serial_order
from acctcli.service.store import journal as books
from acctcli.service.store.journal import JournalDocument, JournalLine

if TYPE_CHECKING:
    from acctcli.models.report import RangeReportRequest

ENCODE = msgspec.json.Encoder(decimal_format="number").encode
NOTHING = from_cents(0)


class Sums(NamedTuple):
    """Both sides of a document or a journal, in cents."""

    debit: int
    credit: int


def journal(call: Call) -> dict[str, Any]:
    """Report posted documents of the first column's days by date, then number, each with entries and totals.

    Drafts are left out. Totals are currency units, debit and credit, per document and over all.
    """
    body: RangeReportRequest = call.body
    if body.tag_ids:
        raise Invalid.field("tag_ids", f"Unknown tag id {body.tag_ids[0]}.")
    column = body.columns[0]
    accounts = books.used_accounts(call.conn, call.business.id)
    documents: list[msgspec.Raw] = []
    total = Sums(0, 0)
    posted = books.posted(call.conn, call.business.id, column.date_from, column.date_to)
    for document in _by_number(posted):
        sums = _sums(document.lines)
        total = Sums(total.debit + sums.debit, total.credit + sums.credit)
        # a year of books is large as objects and small as bytes: encode each document as it comes
        documents.append(msgspec.Raw(ENCODE(_document(document, accounts, sums))))
    return {
        "report_type": "journal",
        "date_from": column.date_from,
        "date_to": column.date_to,
        "documents": documents,
        "totals": _totals(total),
    }


def _by_number(documents: Iterable[JournalDocument]) -> Iterator[JournalDocument]:
    """Order the documents of each day by number; the store yields them by id, which a late posting upsets."""
    for _, of_day in groupby(documents, key=lambda document: document.date):
        yield from sorted(of_day, key=lambda document: serial_order(document.number))


def _document(document: JournalDocument, accounts: dict[int, tuple[str, str]], sums: Sums) -> dict[str, Any]:
    return {
        "number": document.number,
        "date": document.date,
        "document_id": document.id,
        "entries": [_entry(line, *accounts[line.account_id]) for line in document.lines],
        "totals": _totals(sums),
    }


def _entry(line: JournalLine, number: str, name: str) -> dict[str, Any]:
    amount = from_cents(line.amount)
    return {
        "account_number": number,
        "account_name": name,
        "debet": amount if line.is_debit else NOTHING,
        "credit": NOTHING if line.is_debit else amount,
        "description": line.description,
    }


def _sums(lines: Iterable[JournalLine]) -> Sums:
    """Add up each side by itself: were the books ever out of balance, the journal must show it."""
    debit = credit = 0
    for line in lines:
        if line.is_debit:
            debit += line.amount
        else:
            credit += line.amount
    return Sums(debit, credit)


def _totals(sums: Sums) -> dict[str, Any]:
    return {"debet": from_cents(sums.debit), "credit": from_cents(sums.credit)}
