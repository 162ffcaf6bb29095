"""The reports of the interface as far as they are shown here (docs/interface.md 10); unknown fields pass by."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import ClassVar, TypeVar

import msgspec

from acctcli.cli.report.amounts import is_amount
from acctcli.errors import ServerFault

Shape = TypeVar("Shape")

# numbers and groups of numbers, two deep: domestic_sales -> "25.50" -> base
Number = Decimal | None
Group = dict[str, Number | dict[str, Number]]
# the annotations of fields with amounts, as they are written
_AMOUNT = re.compile(r"\b(Decimal|Number|Group)\b")


class Amounts(msgspec.Struct, gc=False):
    """What holds amounts; it is refused where one of them can be none, and the field is named."""

    _amounts: ClassVar[tuple[str, ...]]

    def __init_subclass__(cls) -> None:
        """Note the fields that may hold amounts: each of a million entries looks at them."""
        cls._amounts = tuple(name for name, kind in cls.__annotations__.items() if _AMOUNT.search(kind))

    def __post_init__(self) -> None:
        for name in self._amounts:
            value = getattr(self, name)
            if value.__class__ is not Decimal or not is_amount(value):
                _check(name, value)


def _check(name: str, value: object) -> None:
    if isinstance(value, Decimal):
        if not is_amount(value):
            raise ValueError(f"{name} is no amount")
    elif isinstance(value, dict):
        for inner, one in value.items():
            _check(f"{name}.{inner}", one)
    elif isinstance(value, list) and value and isinstance(value[0], Decimal):
        for one in value:
            _check(name, one)


class AccountValues(Amounts, gc=False):
    """An account behind a row of a statement."""

    number: str
    name: str
    values: list[Decimal]


class StatementRow(Amounts, gc=True):
    """A row of a statement; `values` align with the statement's labels."""

    name: str
    values: list[Decimal]
    level: int = 0
    is_sum_row: bool = False
    accounts: list[AccountValues] | None = None


class Statement(msgspec.Struct):
    """A balance sheet, an income statement, or the changes of equity."""

    labels: list[str]
    rows: list[StatementRow]
    date_from: str | None = None
    date_to: str | None = None


class Totals(Amounts, gc=False):
    """Totals as the service states them, of a document, a journal, an account or a ledger."""

    debet: Number = None
    credit: Number = None
    balance_csum: Number = None


class JournalEntry(Amounts, gc=False):
    """A line of a document; the side it is not on holds zero."""

    account_number: str | None = None
    account_name: str | None = None
    debet: Number = None
    credit: Number = None
    description: str | None = None
    vat_code: int | None = None
    vat_rate: str | None = None


class JournalDocument(msgspec.Struct):
    """A document of the journal."""

    entries: list[JournalEntry]
    number: str | None = None
    date: str | None = None
    document_id: int | None = None
    contact_name: str | None = None
    totals: Totals | None = None


class Sides(msgspec.Struct, gc=False):
    """Both sides of a line or of a document."""

    debet: Number = None
    credit: Number = None


class JournalSums(msgspec.Struct, gc=False):
    """What of a document of the journal is added up, and no more."""

    entries: list[Sides]
    number: str | None = None
    totals: Sides | None = None


class LedgerEntry(Amounts, gc=False, kw_only=True):
    """A line of an account; `balance_csum` is the balance after it, debit minus credit (docs/interface.md 4.3)."""

    number: str | None = None
    date: str | None = None
    debet: Decimal
    credit: Decimal
    balance_csum: Decimal
    description: str | None = None
    contact_name: str | None = None
    vat_code: int | None = None
    counter_accounts: list[str] | None = None


class LedgerAccount(Amounts, gc=True):
    """An account of the ledger."""

    number: str
    name: str
    opening_balance: Decimal
    entries: list[LedgerEntry]
    totals: Totals | None = None

    @property
    def sides(self) -> tuple[Decimal, Decimal]:
        """Debit and credit of its entries."""
        debit, credit = (sum(amounts, Decimal("0.00")) for amounts in self._columns)
        return debit, credit

    @property
    def _columns(self) -> tuple[list[Decimal], list[Decimal]]:
        return [entry.debet for entry in self.entries], [entry.credit for entry in self.entries]


class MoneyOfDocument(Amounts, gc=False):
    """A document of money that is in no return."""

    document_id: int
    number: str
    amount: Decimal


class Untold(Amounts, gc=True):
    """What is in no return: money that came in and no claim takes, and money that went back, of what nobody knows."""

    unclaimed_money: list[MoneyOfDocument] | None = None
    returned_money: list[MoneyOfDocument] | None = None


class VatReport(Untold, gc=True):
    """A VAT report: `summary` in Finland, `totals` and `mapping` (form field -> amount) in Germany."""

    summary: dict[str, Number | Group] | None = None
    totals: Group | None = None
    mapping: Group | None = None
    foreign_vat: Group | None = None
    date_from: str | None = None
    date_to: str | None = None


class EuSale(Amounts, gc=False, kw_only=True):
    """Sales to one buyer by one document."""

    country_code: str | None = None
    vat_id: str | None = None
    name: str | None = None
    vat_handling: str | None = None
    net_amount: Decimal
    document_number: str | None = None
    document_id: int | None = None
    vat_id_missing: bool | None = None
    contact_missing: bool | None = None


class EuVatReport(msgspec.Struct):
    """Sales to other EU countries, to businesses and to private persons."""

    rows: list[EuSale]
    private_person_rows: list[EuSale] | None = None
    business_vat_id: str | None = None
    date_from: str | None = None
    date_to: str | None = None


def decode(body: bytes | msgspec.Raw, shape: type[Shape]) -> Shape:
    """Read a report or a part of it; raise ServerFault when it is not of that shape."""
    try:
        return msgspec.json.decode(body, type=shape)
    except (msgspec.DecodeError, RecursionError) as problem:
        raise ServerFault(
            f"the report is not what the interface promises: {problem}", code="unreadable_reply"
        ) from problem
