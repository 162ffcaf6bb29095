"""The journal: every posted document of a range by date, then number, each with its entries.

See docs/interface.md 10.3.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from itertools import chain, groupby
from operator import itemgetter
from typing import NamedTuple

from acctcli.law.closed_days import Span
from acctcli.service.rules.money import rate_text
from acctcli.service.rules.numbers import serial_order
from acctcli.service.rules.reports.statement import Account
from acctcli.service.rules.reports.texts import BETWEEN, DECIMALS, InOrder, Place, amount, described, quote

# document id, its number, its date as text, its description, name of its contact
DocumentRow = tuple[int, str, str, str, str | None]
# document id, kind, cents and description of an entry; None where it is that of the document. A kind is what few of
# them differ in: the account id twice, and one more of debit, times KIND; the VAT code times TAX; and the rate. A value
# less in each row is a fiftieth of the time
EntryRow = tuple[int, int, int, str | None]


class Posted(NamedTuple):
    """Documents by date and id, and beside them the entries of them all in the same order, in theirs within each."""

    documents: Generator[DocumentRow, None, None]
    entries: Generator[EntryRow, None, None]


TAX = 100_000
KIND = 1_000 * TAX
# letters of a day that are held to be put in order
MOST_HELD = 2**20

# date of a document, its place among those of that day, its text
Written = tuple[str, Place, str]

_date, _place = itemgetter(0), itemgetter(1)
# behind the last entry: no document has this id
_END: EntryRow = (0, 0, 0, None)


class _Kinds(dict[int, tuple[str, str, str, int]]):
    """How entries of a kind are written: what stands before the amount, the description and the end; 1 for debit."""

    def __init__(self, accounts: Iterable[Account]) -> None:
        super().__init__()
        self._heads = {
            one.id: f'{{"account_number":"{one.number}","account_name":{quote(one.name)},"debet":' for one in accounts
        }

    def __missing__(self, kind: int) -> tuple[str, str, str, int]:
        side, tax = divmod(kind, KIND)
        account_id, is_debit = divmod(side, 2)
        code, rate = divmod(tax, TAX)
        before, behind = ("", ',"credit":0.00') if is_debit else ('0.00,"credit":', "")
        end = f',"vat_code":{code},"vat_rate":"{rate_text(rate)}"}}'
        self[kind] = made = (self._heads[account_id] + before, f'{behind},"description":', end, is_debit)
        return made


class Journal:
    """Writes a journal; `debit` and `credit` are the sums of what has been written, in cents.

    `in_order` sorts what a full day has.
    """

    def __init__(self, span: Span, accounts: Iterable[Account], in_order: InOrder) -> None:
        self._span = span
        self._in_order = in_order
        self._kinds = _Kinds(accounts)
        self.debit = self.credit = 0

    def write(self, rows: Posted) -> Generator[str, None, None]:
        """Yield the report from its rows, and close them at the end."""
        first, last = self._span
        yield f'{{"report_type":"journal","date_from":"{first}","date_to":"{last}","documents":['
        with closing(rows.documents), closing(rows.entries):
            days = groupby(self._documents(*rows), key=_date)
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

    def _documents(self, documents: Iterator[DocumentRow], entries: Iterator[EntryRow]) -> Iterator[Written]:
        """Write each document; every entry passes here, so that nothing is done for it that its document can share.

        Each side is added up by itself: were a document ever out of balance, the journal must show it.
        """
        kinds = self._kinds
        entry = next(entries, _END)
        for document_id, number, day, text, contact in documents:
            plain = quote(text)
            written: list[str] = []
            debit = credit = 0
            while entry[0] == document_id:
                _, kind, cents, own = entry
                head, middle, end, is_debit = kinds[kind]
                if is_debit:
                    debit += cents
                else:
                    credit += cents
                shown = quote(described(text, own)) if own else plain
                written.append(f"{head}{cents // 100}{DECIMALS[cents % 100]}{middle}{shown}{end}")
                entry = next(entries, _END)
            self.debit += debit
            self.credit += credit
            name = "null" if contact is None else quote(contact)
            about = f'{{"number":"{number}","date":"{day}","document_id":{document_id},"contact_name":{name}'
            whole = f'{about},"entries":[{",".join(written)}],"totals":{_totals(debit, credit)}}}'
            yield day, serial_order(number), whole
        assert entry is _END, "entries of no document"


def _totals(debit: int, credit: int) -> str:
    written = amount(debit)
    return f'{{"debet":{written},"credit":{written if credit == debit else amount(credit)}}}'
