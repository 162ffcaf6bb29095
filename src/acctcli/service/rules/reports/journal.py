"""The journal: every posted document of a range by date, then number, each with its entries.

See docs/interface.md 10.3.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from itertools import chain, groupby
from operator import itemgetter

from acctcli.service.rules.money import rate_text
from acctcli.service.rules.numbers import serial_order
from acctcli.service.rules.periods import Span
from acctcli.service.rules.reports.statement import Account
from acctcli.service.rules.reports.texts import BETWEEN, InOrder, Place, amount, described, quote

# document id, its number, its date as text; side, cents, description and tax of the entry; description of the document
# and name of its contact. A side is the account id twice, and one more of debit; a tax is the VAT code times TAX, and
# the rate: a value less in each row is a fiftieth of the time. A document without entries is one row without a side;
# a description that is that of the document is empty
JournalRow = tuple[int, str, str, int | None, int, str, int, str, str | None]
JournalRows = Generator[JournalRow, None, None]

TAX = 100_000
# letters of a day that are held to be put in order
MOST_HELD = 2**20

# date of a document, its place among those of that day, its text
Written = tuple[str, Place, str]

_document = itemgetter(0)
_date, _place = itemgetter(0), itemgetter(1)


class _Ends(dict[int, str]):
    """How the end of an entry is written, by its tax: there are few."""

    def __missing__(self, tax: int) -> str:
        code, rate = divmod(tax, TAX)
        self[tax] = written = f',"vat_code":{code},"vat_rate":"{rate_text(rate)}"}}'
        return written


class Journal:
    """Writes a journal; `debit` and `credit` are the sums of what has been written, in cents.

    `in_order` sorts what a full day has.
    """

    def __init__(self, span: Span, accounts: Iterable[Account], in_order: InOrder) -> None:
        self._span = span
        self._in_order = in_order
        self._heads: dict[int, str] = {}  # by side
        for one in accounts:
            head = f'{{"account_number":"{one.number}","account_name":{quote(one.name)},"debet":'
            self._heads |= {one.id * 2 + 1: head, one.id * 2: f'{head}0.00,"credit":'}
        self.debit = self.credit = 0

    def write(self, rows: JournalRows) -> Generator[str, None, None]:
        """Yield the report from its rows by date and document, entries in their order; close the rows at the end."""
        first, last = self._span
        yield f'{{"report_type":"journal","date_from":"{first}","date_to":"{last}","documents":['
        with closing(rows):
            days = groupby(self._documents(rows), key=_date)
            before: list[str] = []
            for texts in chain.from_iterable(self._of_day(documents) for _, documents in days):
                yield BETWEEN.join(before + texts)
                before = [""]
        yield f'],"totals":{_totals(self.debit, self.credit)}}}'

    def _of_day(self, documents: Iterator[Written]) -> Iterator[list[str]]:
        """Yield the documents of a day by number, in parts; they come by id, which a late posting upsets.

        Those of a full day are laid aside meanwhile.
        """
        held: list[Written] = []
        size = 0
        for document in documents:
            held.append(document)
            size += len(document[2])
            if size > MOST_HELD:
                every = chain(held, documents)
                yield from ([one.decode()] for one in self._in_order((at, text.encode()) for _, at, text in every))
                return
        held.sort(key=_place)
        yield [text for _, _, text in held]

    def _documents(self, rows: JournalRows) -> Iterator[Written]:
        """Write each document; every row passes here, so that nothing is done for it that its document can share.

        Each side is added up by itself: were a document ever out of balance, the journal must show it.
        """
        heads, ends = self._heads, _Ends()
        for document_id, lines in groupby(rows, key=_document):
            entries: list[str] = []
            debit = credit = 0
            plain = ""
            for _, number, day, side, cents, own, tax, text, contact in lines:  # noqa: B007
                if side is None:
                    continue
                if not plain:
                    plain = quote(text)
                about = quote(described(text, own)) if own else plain
                if side & 1:
                    debit += cents
                    entries.append(f'{heads[side]}{amount(cents)},"credit":0.00,"description":{about}{ends[tax]}')
                else:
                    credit += cents
                    entries.append(f'{heads[side]}{amount(cents)},"description":{about}{ends[tax]}')
            self.debit += debit
            self.credit += credit
            name = "null" if contact is None else quote(contact)
            about = f'{{"number":"{number}","date":"{day}","document_id":{document_id},"contact_name":{name}'
            written = f'{about},"entries":[{",".join(entries)}],"totals":{_totals(debit, credit)}}}'
            yield day, serial_order(number), written


def _totals(debit: int, credit: int) -> str:
    written = amount(debit)
    return f'{{"debet":{written},"credit":{written if credit == debit else amount(credit)}}}'
