"""What of a period is not finished on paper: drafts, and documents without the receipt that they need."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from acctcli.cli.check.books import EVERY, Books
from acctcli.cli.check.findings import Finding
from acctcli.cli.check.records import check_drafts, check_receipts
from acctcli.cli.close.closing import Closing
from acctcli.cli.document.accruing import TAG
from acctcli.cli.document.moves import Booked
from acctcli.cli.document.reversing import REVERSAL
from acctcli.cli.output.replies import read_all, reader
from acctcli.cli.session.state import State
from acctcli.models.enums import DocumentType

# what only passes between these is proved by the statement of the bank, or by the invoice
_PROVED_ELSEWHERE = {"ASS_PAY", "ASS_DUE", "LIA_DUE", "ASS_VAT", "LIA_VAT"}


class _Document(Booked):
    type: int = DocumentType.NORMAL
    description: str = ""

    @property
    def takes_back(self) -> bool:
        """Whether an accrual, which has the receipt, is taken back by it."""
        return bool(TAG.search(self.description)) and self.description.startswith(REVERSAL)


_read = reader(_Document, "a document")


def check_begun(here: State, closing: Closing) -> Iterator[Finding]:
    """Name the drafts of these days, which are in no figure."""
    yield from _open(check_drafts, here, closing.books)


def check_lacking(here: State, closing: Closing) -> Iterator[Finding]:
    """Name documents without a receipt; payments and what is worked out, such as depreciation, need none."""
    if closing.books.without_receipt:
        needing = _needing(here, closing)
        lacking = [one for one in closing.books.without_receipt if one.id in needing]
        yield from _open(check_receipts, here, replace(closing.books, without_receipt=lacking))


def _open(look: Callable[[State, Books], Iterable[Finding]], here: State, books: Books) -> Iterator[Finding]:
    return (one._replace(is_fault=True) for one in look(here, books))


def _needing(here: State, closing: Closing) -> set[int]:
    """Return the documents without a file, by id, that nothing else proves."""
    first, last = closing.days
    query = {"date_from": first.isoformat(), "date_to": last.isoformat(), "has_attachments": "false"}
    types = {account.number: account.type for account in closing.books.chart.by_id.values()}
    return {
        one.id
        for one in read_all(here.api.documents.list(query, EVERY), _read)
        if one.type == DocumentType.NORMAL
        and not one.takes_back
        and not {types.get(row.account_number) for row in one.entry_ui_rows} <= _PROVED_ELSEWHERE
    }
