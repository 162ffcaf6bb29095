"""Reports as lists for spreadsheets: a row a fact, with all that it is about in its own cells; sums are formulas.

Account and document numbers are text: they begin with zeros in some charts, are sorted as charts are, and a filter can
ask what they begin with.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from enum import Enum
from typing import Any, NamedTuple

from acctcli.cli.report.amounts import rounded
from acctcli.cli.report.books import Journal, Ledger, counters_of, day_of, listed_accounts, vat_code
from acctcli.cli.report.checks import Sums
from acctcli.cli.report.labels import Labels
from acctcli.cli.report.shapes import EuSale, EuVatReport, LedgerEntry
from acctcli.cli.report.sheet import clean
from acctcli.cli.report.trial_balance import TrialBalance, figure_titles

_ZERO = Decimal("0.00")


class Holds(Enum):
    """What a field of a list holds; amounts that are `SUMMED` have their sum below."""

    TEXT = "text"
    DAY = "day"
    AMOUNT = "amount"
    SUMMED = "summed"


class Field(NamedTuple):
    """A column and what stands above it."""

    title: str
    holds: Holds = Holds.TEXT


class Computed(NamedTuple):
    """An amount, and the formula that makes it of others; `{row}` in that is the number of its own row."""

    formula: str
    value: Decimal


Fact = tuple[str | Decimal | Computed | None, ...]


class Listed(NamedTuple):
    """A list: its rows are written as they come, days as the wire writes them; `total` stands before the sums."""

    title: str
    fields: tuple[Field, ...]
    rows: Iterable[Fact]
    total: str


def list_journal(journal: Journal, words: Labels) -> Listed:
    """List the journal: a row an entry, behind the number and the day of its document."""
    return Listed(words("Journal"), _fields(words, _JOURNAL), _journal_rows(journal, words), words("Total"))


_BOTH = (("Debit", Holds.SUMMED), ("Credit", Holds.SUMMED))
_JOURNAL: tuple[Any, ...] = (
    *("Number", ("Date", Holds.DAY), "Account", "Name", *_BOTH),
    *("Description", "Contact", "VAT code", "Counter-account"),
)
_LEDGER: tuple[Any, ...] = (
    *("Account", "Name", "Number", ("Date", Holds.DAY), "Description", "Contact", "VAT code", "Counter-account"),
    *(*_BOTH, ("Balance", Holds.AMOUNT)),
)
_ACCOUNTS: tuple[Any, ...] = (
    *("Account", "Name", ("Opening balance", Holds.SUMMED), *_BOTH, ("Closing balance", Holds.SUMMED)),
)
_EU: tuple[Any, ...] = ("EU sales", "Country", "VAT ID", "Name", "Handling", "Document", ("Net amount", Holds.SUMMED))


def _fields(words: Labels, named: Sequence[Any]) -> tuple[Field, ...]:
    pairs = ((one, Holds.TEXT) if isinstance(one, str) else one for one in named)
    return tuple(Field(words(title), holds) for title, holds in pairs)


def _journal_rows(journal: Journal, words: Labels) -> Iterator[Fact]:
    for document in journal:
        head, contact = (clean(document.number), day_of(document.date)), clean(document.contact_name)
        if not document.entries:
            yield (*head, *[None] * 5, contact, None, None)
        for entry, counters in zip(document.entries, counters_of(document), strict=True):
            account = entry.account_number or ""
            texts = (clean(account), clean(words.account(account, entry.account_name or "")))
            more = (clean(entry.description), contact, vat_code(entry.vat_code), clean(counters))
            yield (*head, *texts, entry.debet or None, entry.credit or None, *more)


class LedgerLists:
    """The ledger as two lists: its entries, then its accounts with the sums of theirs."""

    def __init__(self, ledger: Ledger, words: Labels) -> None:
        self._ledger = ledger
        self._words = words
        # each with its opening balance, and the sums of its entries as they are written
        self._accounts: list[tuple[tuple[str, str], Sums]] = []
        self._rows = 0

    def lists(self) -> list[Listed]:
        """Return both; the rows of the second are there when those of the first were handed out."""
        words = self._words
        entries = Listed(words("General ledger"), _fields(words, _LEDGER), self._entries(), words("Total"))
        sums = self._sums(entries.title)
        return [entries, Listed(words("All accounts"), _fields(words, _ACCOUNTS), sums, words("Total"))]

    def _entries(self) -> Iterator[Fact]:
        debit = credit = _ZERO
        for account, _, is_first, is_last in self._ledger:
            head = clean(account.number), clean(self._words.account(account.number, account.name))
            if is_first:
                opening = self._words("Opening balance")
                yield (*head, None, None, opening, *[None] * 5, account.opening_balance)
                debit = credit = _ZERO
            for entry in account.entries:
                sides = rounded(entry.debet), rounded(entry.credit)
                debit += sides[0]
                credit += sides[1]
                yield (*head, *self._texts(entry), *(side or None for side in sides), entry.balance_csum)
            self._rows += is_first + len(account.entries)
            if is_last:
                self._accounts.append((head, Sums(debit, credit, rounded(account.opening_balance))))

    def _texts(self, entry: LedgerEntry) -> Iterator[str]:
        yield clean(entry.number)
        yield day_of(entry.date)
        yield clean(entry.description) if entry.number else self._words(clean(entry.description))
        yield clean(entry.contact_name)
        yield vat_code(entry.vat_code)
        yield clean(listed_accounts(entry.counter_accounts or ()))

    def _sums(self, entries: str) -> Iterator[Fact]:
        numbers = [head[0] for head, _ in self._accounts]
        # SUMIFS takes digits for a number, and `*` for anything
        is_plain = all(map(str.isdecimal, numbers)) and len(set(map(int, numbers))) == len(numbers)
        among = f"'{entries}'!$A$2:$A${self._rows + 1}"
        for head, (debit, credit, opening) in self._accounts:
            sides = [
                Computed(f"SUMIFS({among.replace('$A', letter)},{among},A{{row}})", side) if is_plain else side
                for letter, side in (("I", debit), ("J", credit))
            ]
            yield (*head, opening, *sides, Computed("C{row}+D{row}-E{row}", opening + debit - credit))


def list_trial_balance(balance: TrialBalance, words: Labels) -> Listed:
    """List the accounts: what each closes with is made of the three figures before it."""
    titles = figure_titles(balance, words)
    fields = (*_fields(words, ("Account", "Name")), *(Field(title, Holds.SUMMED) for title in titles))
    return Listed(words("Trial balance"), fields, _trial_rows(balance, words), words("Total"))


def _trial_rows(balance: TrialBalance, words: Labels) -> Iterator[Fact]:
    from xlsxwriter.utility import xl_col_to_name

    for line in balance.lines:
        figures: list[Decimal | Computed] = []
        for opening, debit, credit, closing in line.figures:
            first, second, third = (xl_col_to_name(2 + len(figures) + place) for place in range(3))
            sums = Computed(f"{first}{{row}}+{second}{{row}}-{third}{{row}}", opening + debit - credit)
            figures += [opening, debit, credit, sums if sums.value == closing else closing]
        yield (clean(line.number), clean(words.account(line.number, line.name)), *figures)


def list_eu_sales(report: EuVatReport, words: Labels) -> Listed:
    """List the sales: whether to a business or to a private person stands in front of each."""
    both: tuple[tuple[str, Sequence[EuSale]], ...] = (
        ("Sales to businesses", report.rows),
        ("Sales to private persons", report.private_person_rows or ()),
    )
    rows = ((words(kind), *_sale(sale, words)) for kind, sales in both for sale in sales)
    return Listed(words("EU sales"), _fields(words, _EU), rows, words("Total"))


def _sale(sale: EuSale, words: Labels) -> tuple[str | Decimal, ...]:
    texts = (sale.country_code, sale.vat_id, sale.name, words(sale.vat_handling or ""), sale.document_number)
    return (*map(clean, texts), rounded(sale.net_amount))
