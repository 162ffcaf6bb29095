"""Journal and ledger: read record by record as they come, checked on the way, laid out for people and machines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec

from acctcli.cli.output.replies import decoded
from acctcli.cli.report import cents
from acctcli.cli.report.checks import Sums, check_balances, check_documents, check_totals
from acctcli.cli.report.labels import Labels
from acctcli.cli.report.shapes import JournalDocument, JournalSums, LedgerAccount, LedgerEntry, Totals, decode
from acctcli.cli.report.sheet import Column, Kind, Sheet, SheetLine, Style, clean, without_empty
from acctcli.client.faults import unreadable
from acctcli.client.keys import comes_twice
from acctcli.client.messages import Reply
from acctcli.law.vat_codes import NO_VAT

if TYPE_CHECKING:
    from acctcli.client.stream import StreamedReport

_ZERO = Decimal(0)
# what not every book has, or not every service tells
_MORE = ("Contact", "VAT code", "Counter-account")
_MOST_NAMED = 20
_NO_ENTRY = dict.fromkeys(LedgerEntry.__struct_fields__)
_decode_sums = msgspec.json.Decoder(JournalSums).decode


class Records(Protocol):
    """The raw records of a report in pages; `rest` holds its other fields when the last page was handed out.

    `goes_on` says that a page is a part of a record, and not the last.
    """

    rest: dict[str, msgspec.Raw]
    goes_on: bool

    def __iter__(self) -> Iterator[list[msgspec.Raw]]:
        """Yield the pages."""


class WholeBook:
    """The records of a journal or a ledger that came as one reply; raises ServerFault when that has none."""

    goes_on = False

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
            debit, credit = check_documents([document])
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
            sides = _added_up(rows)
            debit += sides[0]
            credit += sides[1]
            yield rows
        check_totals("journal", _totals(self._records), debet=debit, credit=credit)


class AccountPart(NamedTuple):
    """An account of the ledger, or some of its entries where they are many; `sums` are those up to the last of them."""

    account: LedgerAccount
    sums: Sums
    is_first: bool
    is_last: bool


def account_parts(records: Records) -> Iterator[tuple[LedgerAccount, bool]]:
    """Yield the accounts of a ledger, long ones in parts, each with whether it goes on."""
    for page in records:
        for raw in page:
            yield decode(raw, LedgerAccount), records.goes_on


class Ledger:
    """The accounts of a ledger; `debit`, `credit` and `balance` are the sums of those handed out."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self.debit = self.credit = self.balance = _ZERO

    def __iter__(self) -> Iterator[AccountPart]:
        """Yield the accounts; raise Incomplete when balances or totals are not those of the entries."""
        before = None
        for account, goes_on in account_parts(self._records):
            sums = check_balances(account, before)
            yield AccountPart(account, sums, is_first=before is None, is_last=not goes_on)
            if not goes_on:
                self.debit += sums.debit
                self.credit += sums.credit
                self.balance += sums.balance
            before = sums if goes_on else None
        totals = {"debet": self.debit, "credit": self.credit, "balance_csum": self.balance}
        check_totals("ledger", _totals(self._records), **totals)


def _added_up(rows: Sequence[msgspec.Raw]) -> tuple[Decimal, Decimal]:
    """Return debit and credit of documents; what is wrong with one is told by who reads all of it."""
    try:
        return cents.added_up(rows) or check_documents(map(_decode_sums, rows))
    except (msgspec.DecodeError, RecursionError, ArithmeticError):
        return check_documents(decode(raw, JournalDocument) for raw in rows)


def check_whole(book: Journal | Ledger) -> None:
    """Read all of a book; raise Incomplete when its figures contradict each other."""
    for _ in book:
        pass


def journal_rows(journal: Journal) -> Iterator[dict[str, Any]]:
    """Yield a row an entry: its own fields behind the document's number, date and id."""
    for document in journal:
        for entry, counters in zip(document.entries, counters_of(document), strict=True):
            yield {
                "number": document.number,
                "date": document.date,
                "document_id": document.document_id,
                **msgspec.structs.asdict(entry),
                "contact_name": document.contact_name,
                "counter_accounts": counters,
            }


def ledger_rows(ledger: Ledger) -> Iterator[dict[str, Any]]:
    """Yield a row an entry behind the account's number and name; the opening balance is a row without a date."""
    for account, _, is_first, _ in ledger:
        head = {"account_number": account.number, "account_name": account.name}
        opening = {"balance_csum": account.opening_balance, "description": "Opening balance"}
        if is_first:
            yield {**head, **_NO_ENTRY, **opening}
        for entry in account.entries:
            row = {**head, **msgspec.structs.asdict(entry)}
            row["date"] = day_of(entry.date)
            row["counter_accounts"] = listed_accounts(entry.counter_accounts or ())
            yield row


def lay_out_journal(journal: Journal, period: str, words: Labels) -> Sheet:
    """Lay the journal out: a line an entry, number and date on a document's first, the totals last.

    What an entry is about stands on the first of those that are about the same.
    """
    lines = [line for document in journal for line in _document_lines(document, words)]
    sums = (words("Total"), *[None] * 3, journal.debit, journal.credit, *[None] * 4)
    lines.append(SheetLine(sums, Style.SUM))
    texts = [Column(words(name)) for name in ("Number", "Date", "Account", "Name")]
    more = [Column(words(name)) for name in ("Description", *_MORE)]
    sheet = Sheet(words("Journal"), period, (*texts, *_sides(words), *more), lines, once=2)
    return without_empty(sheet, *map(words, _MORE))


def lay_out_ledger(ledger: Ledger, period: str, words: Labels) -> Sheet:
    """Lay the ledger out by account: opening balance, entries with the balance after each, sums."""
    lines = [line for part in ledger for line in account_lines(part, words)]
    sums = (words("All accounts"), *[None] * 5, ledger.debit, ledger.credit, ledger.balance)
    return account_sheet(words("General ledger"), period, [*lines, SheetLine(sums, Style.SUM)], words)


def account_sheet(title: str, period: str, lines: Sequence[SheetLine], words: Labels) -> Sheet:
    """Return lines of accounts below the columns that they have."""
    texts = [Column(words(name)) for name in ("Number", "Date", "Description", *_MORE)]
    columns = (*texts, *_sides(words), Column(words("Balance"), Kind.AMOUNT))
    carried = ("", "", words("Brought forward"), *[None] * 6)
    return without_empty(Sheet(title, period, columns, lines, carried), *map(words, _MORE))


def _document_lines(document: JournalDocument, words: Labels) -> Iterator[SheetLine]:
    number, day, contact = clean(document.number), day_of(document.date), clean(document.contact_name)
    if not document.entries:
        yield SheetLine((number, day, *[None] * 5, contact, None, None))
    before = ""
    for entry, counters in zip(document.entries, counters_of(document), strict=True):
        account, about = entry.account_number or "", clean(entry.description)
        texts = (clean(account), clean(words.account(account, entry.account_name or "")))
        more = ("" if about == before else about, contact, vat_code(entry.vat_code), clean(counters))
        yield SheetLine((number, day, *texts, entry.debet or None, entry.credit or None, *more))
        number = day = contact = ""
        before = about


def counters_of(document: JournalDocument) -> Iterator[str]:
    """Yield for each entry the accounts on the other side of its document."""
    sides: tuple[dict[str, None], dict[str, None]] = ({}, {})
    for entry in document.entries:
        sides[not entry.debet][entry.account_number or ""] = None
    texts = [listed_accounts(sorted(side)) for side in sides]
    return (texts[bool(entry.debet)] for entry in document.entries)


def listed_accounts(numbers: Sequence[str]) -> str:
    """Name accounts; the first twenty, where there are more: each entry of a long document would name them all."""
    return ", ".join(numbers if len(numbers) <= _MOST_NAMED else [*numbers[:_MOST_NAMED], "…"])


def vat_code(code: int | None) -> str:
    """A VAT code as people read it: nothing where there is no VAT to handle."""
    return "" if code in {None, 0, NO_VAT} else str(code)


def account_lines(part: AccountPart, words: Labels) -> Iterator[SheetLine]:
    """Yield the lines of an account, or of a part of it: its name and opening balance, its entries, its sums."""
    account, sums, is_first, is_last = part
    if is_first:
        name = words.account(account.number, account.name)
        yield SheetLine((clean(f"{account.number} {name}".strip()), *[None] * 8), Style.HEADING)
        yield SheetLine(("", "", words("Opening balance"), *[None] * 5, account.opening_balance))
    for entry in account.entries:
        about = clean(entry.description) if entry.number else words(clean(entry.description))
        texts = (clean(entry.number), day_of(entry.date), about)
        counters = clean(listed_accounts(entry.counter_accounts or ()))
        more = (clean(entry.contact_name), vat_code(entry.vat_code), counters)
        yield SheetLine((*texts, *more, entry.debet or None, entry.credit or None, entry.balance_csum))
    if is_last:
        yield SheetLine((words("Total"), *[None] * 5, *sums), Style.SUM)


def _sides(words: Labels) -> tuple[Column, Column]:
    return Column(words("Debit"), Kind.AMOUNT), Column(words("Credit"), Kind.AMOUNT)


def day_of(text: str | None) -> str:
    """Cut a date-time at midnight down to its day (docs/interface.md 10.3)."""
    return clean(text)[:10]


def _each(records: Records) -> Iterator[msgspec.Raw]:
    return (raw for page in records for raw in page)


def _totals(records: Records) -> Totals | None:
    raw = records.rest.get("totals", b"null")
    return None if bytes(raw) == b"null" else decode(raw, Totals)
