"""Journal and ledger: read record by record as they come, checked on the way, laid out for people and machines."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from acctcli.cli.output.replies import decoded
from acctcli.cli.report.checks import check_balances, check_document, check_totals, total
from acctcli.cli.report.labels import Labels
from acctcli.cli.report.shapes import JournalDocument, JournalSums, LedgerAccount, Totals, decode
from acctcli.cli.report.sheet import Column, Kind, Sheet, SheetLine, Style, clean
from acctcli.client.faults import unreadable
from acctcli.client.keys import comes_twice
from acctcli.client.messages import Reply

if TYPE_CHECKING:
    from acctcli.client.stream import StreamedReport

_ZERO = Decimal(0)
_decode_sums = msgspec.json.Decoder(JournalSums).decode


class Records(Protocol):
    """The raw records of a report in pages; `rest` holds its other fields when the last page was handed out."""

    rest: dict[str, msgspec.Raw]

    def __iter__(self) -> Iterator[list[msgspec.Raw]]:
        """Yield the pages."""


class WholeBook:
    """The records of a journal or a ledger that came as one reply; raises ServerFault when that has none."""

    def __init__(self, reply: Reply, array: str) -> None:
        self.rest = decoded(reply, dict[str, msgspec.Raw])
        if array not in self.rest or comes_twice(reply.body, ()):
            raise unreadable(reply, f"something that has no {array}, or a field twice,")
        self._rows = decode(self.rest.pop(array), list[msgspec.Raw])

    def __iter__(self) -> Iterator[list[msgspec.Raw]]:
        """Yield all of them."""
        yield self._rows


class Journal:
    """The documents of a journal; `debit` and `credit` are the sums of those handed out."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self.debit = self.credit = _ZERO

    def __iter__(self) -> Iterator[JournalDocument]:
        """Yield the documents; raise Incomplete when totals are not those of the entries."""
        for raw in _each(self._records):
            document = decode(raw, JournalDocument)
            debit, credit = check_document(document)
            self.debit += debit
            self.credit += credit
            yield document
        check_totals("journal", _totals(self._records), debet=self.debit, credit=self.credit)


class RawJournal:
    """The documents of a journal as they come, byte for byte, added up on the way.

    Iterating raises Incomplete before it hands out a document whose sides or totals are not those of its entries.
    """

    def __init__(self, records: StreamedReport) -> None:
        self._records = records
        self.array = records.array

    @property
    def before(self) -> dict[str, msgspec.Raw] | None:
        """The fields in front of the documents, None when there are no documents."""
        return self._records.before

    @property
    def rest(self) -> dict[str, msgspec.Raw]:
        """All other fields, once the last piece was handed out."""
        return self._records.rest

    def __iter__(self) -> Iterator[list[msgspec.Raw]]:
        """Yield the documents in pieces."""
        debit = credit = _ZERO
        for rows in self._records:
            for sides in map(_added_up, rows):
                debit += sides[0]
                credit += sides[1]
            yield rows
        check_totals("journal", _totals(self._records), debet=debit, credit=credit)


class Ledger:
    """The accounts of a ledger; `debit`, `credit` and `balance` are the sums of those handed out."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self.debit = self.credit = self.balance = _ZERO

    def __iter__(self) -> Iterator[LedgerAccount]:
        """Yield the accounts; raise Incomplete when balances or totals are not those of the entries."""
        for raw in _each(self._records):
            account = decode(raw, LedgerAccount)
            debit, credit, balance = check_balances(account)
            self.debit += debit
            self.credit += credit
            self.balance += balance
            yield account
        sums = {"debet": self.debit, "credit": self.credit, "balance_csum": self.balance}
        check_totals("ledger", _totals(self._records), **sums)


def _added_up(raw: msgspec.Raw) -> tuple[Decimal, Decimal]:
    """Return debit and credit of a document; what is wrong with one is told by who reads all of it."""
    try:
        return check_document(_decode_sums(raw))
    except (msgspec.DecodeError, RecursionError, ArithmeticError):
        return check_document(decode(raw, JournalDocument))


def check_whole(book: Journal | Ledger) -> None:
    """Read all of a book; raise Incomplete when its figures contradict each other."""
    for _ in book:
        pass


def journal_rows(journal: Journal) -> Iterator[dict[str, Any]]:
    """Yield a row an entry: its own fields behind the document's number, date and id."""
    for document in journal:
        head = {"number": document.number, "date": document.date, "document_id": document.document_id}
        for entry in document.entries:
            yield {**head, **msgspec.structs.asdict(entry)}


def ledger_rows(ledger: Ledger) -> Iterator[dict[str, Any]]:
    """Yield a row an entry behind the account's number and name; the opening balance is a row without a date."""
    for account in ledger:
        head = {"account_number": account.number, "account_name": account.name}
        opening = dict.fromkeys(("number", "date", "debet", "credit"))
        yield {**head, **opening, "balance_csum": account.opening_balance, "description": "Opening balance"}
        for entry in account.entries:
            yield {**head, **msgspec.structs.asdict(entry), "date": _day(entry.date)}


def lay_out_journal(journal: Journal, period: str, words: Labels) -> Sheet:
    """Lay the journal out: a line an entry, number and date on a document's first, the totals last."""
    lines = [line for document in journal for line in _document_lines(document)]
    lines.append(SheetLine((words("Total"), None, None, None, journal.debit, journal.credit, None), Style.SUM))
    texts = [Column(words(name)) for name in ("Number", "Date", "Account", "Name")]
    return Sheet(words("Journal"), period, (*texts, *_sides(words), Column(words("Description"))), lines)


def lay_out_ledger(ledger: Ledger, period: str, words: Labels) -> Sheet:
    """Lay the ledger out by account: opening balance, entries with the balance after each, sums."""
    lines = [line for account in ledger for line in _account_lines(account, words)]
    lines.append(SheetLine((words("All accounts"), None, None, ledger.debit, ledger.credit, ledger.balance), Style.SUM))
    texts = [Column(words(name)) for name in ("Number", "Date", "Description")]
    columns = (*texts, *_sides(words), Column(words("Balance"), Kind.AMOUNT))
    return Sheet(words("General ledger"), period, columns, lines)


def _document_lines(document: JournalDocument) -> Iterator[SheetLine]:
    number, day = clean(document.number), _day(document.date)
    if not document.entries:
        yield SheetLine((number, day, None, None, None, None, None))
    for entry in document.entries:
        account = (clean(entry.account_number), clean(entry.account_name))
        yield SheetLine((number, day, *account, entry.debet or None, entry.credit or None, clean(entry.description)))
        number = day = ""


def _account_lines(account: LedgerAccount, words: Labels) -> Iterator[SheetLine]:
    yield SheetLine((clean(f"{account.number} {account.name}"), *[None] * 5), Style.HEADING)
    yield SheetLine(("", "", words("Opening balance"), None, None, account.opening_balance))
    for entry in account.entries:
        texts = (clean(entry.number), _day(entry.date), clean(entry.description))
        yield SheetLine((*texts, entry.debet or None, entry.credit or None, entry.balance_csum))
    debit, credit = total(entry.debet for entry in account.entries), total(entry.credit for entry in account.entries)
    closing = account.opening_balance + debit - credit
    yield SheetLine((words("Total"), None, None, debit, credit, closing), Style.SUM)


def _sides(words: Labels) -> tuple[Column, Column]:
    return Column(words("Debit"), Kind.AMOUNT), Column(words("Credit"), Kind.AMOUNT)


def _day(text: str | None) -> str:
    """Cut a date-time at midnight down to its day (docs/interface.md 10.3)."""
    return clean(text)[:10]


def _each(records: Records) -> Iterator[msgspec.Raw]:
    return (raw for page in records for raw in page)


def _totals(records: Records) -> Totals | None:
    raw = records.rest.get("totals", b"null")
    return None if bytes(raw) == b"null" else decode(raw, Totals)
