"""The journal: every posted document of a range by date, then number, each with its entries.

See docs/interface.md 10.3.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from itertools import chain, groupby
from operator import itemgetter

from acctcli.service.rules.numbers import serial_order
from acctcli.service.rules.periods import Span
from acctcli.service.rules.reports.statement import Account
from acctcli.service.rules.reports.texts import BETWEEN, InOrder, Place, amount, described, quote, separated

# document id, its number, its date as text; account id, whether it is debit, cents, description and VAT code of the
# entry; description of the document and name of its contact. A document without entries is one row without an account
JournalRow = tuple[int, str, str, int | None, bool, int, str, int, str, str | None]
JournalRows = Generator[JournalRow, None, None]

# letters of a day that are held to be put in order
MOST_HELD = 2**20

_document = itemgetter(0, 1)
_date = itemgetter(2)


class Journal:
    """Writes a journal; `debit` and `credit` are the sums of what has been written, in cents.

    `in_order` sorts what a full day has.
    """

    def __init__(self, span: Span, accounts: Iterable[Account], in_order: InOrder) -> None:
        self._span = span
        self._in_order = in_order
        heads = {
            one.id: f'{{"account_number":"{one.number}","account_name":{quote(one.name)},"debet":' for one in accounts
        }
        self._debit_heads = heads
        self._credit_heads = {account_id: f'{head}0.00,"credit":' for account_id, head in heads.items()}
        self.debit = self.credit = 0

    def write(self, rows: JournalRows) -> Generator[str, None, None]:
        """Yield the report from its rows by date and document, entries in their order; close the rows at the end."""
        first, last = self._span
        yield f'{{"report_type":"journal","date_from":"{first}","date_to":"{last}","documents":['
        with closing(rows):
            days = groupby(rows, key=_date)
            yield from separated(chain.from_iterable(self._of_day(day, of_day) for day, of_day in days))
        yield f'],"totals":{_totals(self.debit, self.credit)}}}'

    def _of_day(self, day: str, rows: Iterable[JournalRow]) -> Iterator[str]:
        """Yield the documents of a day by number; they come by id, which a late posting upsets.

        Those of a full day are laid aside meanwhile.
        """
        held: list[tuple[Place, str]] = []
        size = 0
        documents = self._documents(day, rows)
        for place, text in documents:
            held.append((place, text))
            size += len(text)
            if size > MOST_HELD:
                every = chain(held, documents)
                yield from (one.decode() for one in self._in_order((at, text.encode()) for at, text in every))
                return
        held.sort()
        yield BETWEEN.join(text for _, text in held)

    def _documents(self, day: str, rows: Iterable[JournalRow]) -> Iterator[tuple[Place, str]]:
        for (document_id, number), lines in groupby(rows, key=_document):
            head = f'{{"number":"{number}","date":"{day}","document_id":{document_id}'
            yield serial_order(number), f"{head},{self._entries(lines)}}}"

    def _entries(self, rows: Iterable[JournalRow]) -> str:
        """Write the contact of a document, its entries and its totals.

        Each side is added up by itself: were a document ever out of balance, the journal must show it.
        """
        entries: list[str] = []
        debit = credit = 0
        plain, contact = "", None
        for _, _, _, account_id, is_debit, cents, own, vat_code, text, contact in rows:  # noqa: B007
            if account_id is None:
                continue
            if not entries:
                plain = quote(text)
            if is_debit:
                debit += cents
                sides = f'{self._debit_heads[account_id]}{amount(cents)},"credit":0.00'
            else:
                credit += cents
                sides = f"{self._credit_heads[account_id]}{amount(cents)}"
            description = quote(described(text, own)) if own else plain
            entries.append(f'{sides},"description":{description},"vat_code":{vat_code}}}')
        self.debit += debit
        self.credit += credit
        name = "null" if contact is None else quote(contact)
        return f'"contact_name":{name},"entries":[{",".join(entries)}],"totals":{_totals(debit, credit)}'


def _totals(debit: int, credit: int) -> str:
    written = amount(debit)
    return f'{{"debet":{written},"credit":{written if credit == debit else amount(credit)}}}'
