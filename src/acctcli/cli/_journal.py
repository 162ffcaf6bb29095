"""The journal report as rows: one an entry, and a last one with the totals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec


class _Document(msgspec.Struct):
    entries: list[dict[str, msgspec.Raw]]
    number: msgspec.Raw = msgspec.Raw(b"null")
    date: msgspec.Raw = msgspec.Raw(b"null")
    document_id: msgspec.Raw = msgspec.Raw(b"null")


class _Journal(msgspec.Struct):
    documents: list[_Document]
    totals: dict[str, msgspec.Raw] | None = None


def rows_of_journal(body: bytes, with_totals: bool) -> Iterator[list[msgspec.Raw]]:
    """Yield a page a document: its entries with the document's number, date and id in front.

    With totals, a last row carries the sums of debit and credit, as the service computed them.
    """
    journal = msgspec.json.decode(body, type=_Journal)
    for document in journal.documents:
        head = {"number": document.number, "date": document.date, "document_id": document.document_id}
        yield [_row({**head, **entry}) for entry in document.entries]
    if with_totals and journal.totals:
        empty = dict.fromkeys(("number", "date", "document_id", "account_number", "description"))
        sums = {"debet": journal.totals.get("debet"), "credit": journal.totals.get("credit")}
        yield [_row({**empty, "account_name": "Total", **sums})]


def _row(values: dict[str, Any]) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(values))
