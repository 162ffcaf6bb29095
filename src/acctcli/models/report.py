"""Report requests and replies (docs/interface.md 10). Dates are inclusive."""

from __future__ import annotations

from datetime import date as day
from typing import Annotated, NotRequired

from pydantic import Field, ValidationInfo, field_validator, model_validator
from pydantic_core import PydanticCustomError
from typing_extensions import TypedDict

from acctcli.models.base import Date, Id, Money, Request, Text256
from acctcli.models.reply import ABSENT, shown_as

# ten years by the month; every column is a few queries
MAX_COLUMNS = 120
MAX_TAGS = 1000


class RangeColumn(Request):
    """One column of a report: the days from `date_from` to `date_to`, both included."""

    name: Text256 | None = None
    date_from: Date
    date_to: Date

    @field_validator("date_to")
    @classmethod
    def _in_order(cls, date_to: day, info: ValidationInfo) -> day:
        _check_order(info.data.get("date_from"), date_to)
        return date_to


class PointColumn(Request):
    """One column of a report: how things stand at the end of `date_at`."""

    name: Text256 | None = None
    date_at: Date


class EquityColumn(Request):
    """One column of a report: a range, or a day, which means from the start of its accounting period to that day."""

    name: Text256 | None = None
    date_from: Date | None = None
    date_to: Date | None = None
    date_at: Date | None = None

    @model_validator(mode="after")
    def _range_or_day(self) -> EquityColumn:
        bounds = (self.date_from, self.date_to)
        if bounds == (None, None) if self.date_at is None else bounds != (None, None):
            raise PydanticCustomError("date_range", "Give either date_from and date_to, or date_at.")
        if self.date_at is None and None in bounds:
            raise PydanticCustomError("date_range", "date_from and date_to go together.")
        if self.date_to is not None:
            _check_order(self.date_from, self.date_to)
        return self


def _check_order(date_from: day | None, date_to: day) -> None:
    if date_from is not None and date_to < date_from:
        raise PydanticCustomError("date_range", "date_to lies before date_from.")


class _ReportRequest(Request):
    """What every report may be asked for."""

    extend_accounts: bool = False
    append_comparison_columns: bool = False
    tag_ids: Annotated[list[Id], Field(default_factory=list, max_length=MAX_TAGS)]


class RangeReportRequest(_ReportRequest):
    """A report over date ranges; journal, ledger and VAT reports use the first column only."""

    columns: Annotated[list[RangeColumn], Field(min_length=1, max_length=MAX_COLUMNS)]


class PointReportRequest(_ReportRequest):
    """A report on the ends of days."""

    columns: Annotated[list[PointColumn], Field(min_length=1, max_length=MAX_COLUMNS)]


class EquityReportRequest(_ReportRequest):
    """A report over date ranges, where a day stands for the range from the start of its accounting period."""

    columns: Annotated[list[EquityColumn], Field(min_length=1, max_length=MAX_COLUMNS)]


class RangeReport(TypedDict):
    """What every report over a range begins with; both days belong to it."""

    report_type: str
    date_from: day
    date_to: day


class ReportAccount(TypedDict):
    """An account behind a row of a statement; `values` align with the labels of the report."""

    number: str
    name: str
    values: list[Money]


class ReportRow(TypedDict):
    """A row of a statement; `values` align with the labels of the report, those of a heading are zero."""

    name: str
    level: int
    is_sum_row: bool
    values: list[Money]
    accounts: list[ReportAccount]


class Statement(TypedDict):
    """The rows of a statement under the labels of their columns."""

    labels: list[str]
    rows: list[ReportRow]


class AccountingReport(TypedDict):
    """A balance sheet, an income statement, or the changes of equity."""

    report_type: str
    date_from: day | None
    date_to: day | None
    labels: list[str]
    rows: list[ReportRow]


class Totals(TypedDict):
    """Sums of both sides."""

    debet: Money
    credit: Money


class JournalEntry(TypedDict):
    """A line of a document in the journal; the side it is not on holds zero.

    `description` is that of the document, with the text of its own row behind it, where it has one.
    """

    account_number: str
    account_name: str
    debet: Money
    credit: Money
    description: str
    vat_code: int
    vat_rate: str


class JournalDocument(TypedDict):
    """A document in the journal."""

    number: str
    date: day
    document_id: int
    contact_name: str | None
    entries: list[JournalEntry]
    totals: Totals


class JournalReport(RangeReport):
    """Posted documents of a range in order of date, then number."""

    documents: list[JournalDocument]
    totals: Totals


class LedgerTotals(Totals):
    """Sums of both sides, and the balance at the end."""

    balance_csum: Money


class LedgerEntry(TypedDict):
    """A line of an account; `balance_csum` is the balance after it, debit minus credit.

    `description` is as in the journal. A result that is carried to the next accounting period has no number.
    """

    number: str
    date: day
    debet: Money
    credit: Money
    balance_csum: Money
    description: str
    contact_name: str | None
    vat_code: int
    counter_accounts: list[str]


class LedgerAccount(TypedDict):
    """An account in the ledger; `opening_balance` is that before `date_from`, debit minus credit."""

    number: str
    name: str
    opening_balance: Money
    entries: list[LedgerEntry]
    totals: LedgerTotals


class LedgerReport(RangeReport):
    """Accounts that opened with something or moved in a range, by number."""

    accounts: list[LedgerAccount]
    totals: LedgerTotals


class VatGroup(TypedDict):
    """What was sold or bought, and the VAT on it."""

    base: Money
    vat: Money


ByRate = dict[str, VatGroup]
PartByRate = Annotated[ByRate, shown_as(ByRate | None), ABSENT]


class VatByRate(TypedDict):
    """What a group is made of; missing where there is nothing in it."""

    non_eu_service_purchases_by_rate: NotRequired[PartByRate]


class VatSummary(TypedDict):
    """The groups of the Finnish VAT report; `domestic_sales` by rate, such as "25.50".

    `non_eu_service_purchases_by_rate` is what the group of that name is made of; missing where there is nothing in it.
    """

    domestic_sales: ByRate
    zero_rated_sales: Money
    eu_goods_sales: Money
    eu_service_sales: Money
    non_eu_sales: Money
    construction_sales: Money
    eu_goods_purchases: VatGroup
    eu_service_purchases: VatGroup
    import_goods: VatGroup
    non_eu_service_purchases: VatGroup
    non_eu_service_purchases_by_rate: NotRequired[PartByRate]
    construction_purchases: VatGroup
    adjustments: Money
    deductible_vat: Money
    vat_payable: Money


class MoneyOfDocument(TypedDict):
    """A document of money that is in no return, and how much of it."""

    document_id: int
    number: str
    date: day
    amount: Money


MoneyLeftOut = Annotated[list[MoneyOfDocument], shown_as(list[MoneyOfDocument] | None), ABSENT]


class Untold(TypedDict):
    """Money that is in no return: what came in and no claim takes, and what went back and nothing tells of what."""

    unclaimed_money: NotRequired[MoneyLeftOut]
    returned_money: NotRequired[MoneyLeftOut]


class VatFigures(Untold):
    """What the tax form of a country asks for: `summary` in Finland; `totals` and `mapping` in Germany.

    `foreign_vat` is what no box takes, because the country did not have its rate: by VAT code and rate, such as
    "2/19.00"; missing where there is none. So is money in no return, which is told where VAT follows payments.
    """

    summary: NotRequired[Annotated[VatSummary, shown_as(VatSummary | None), ABSENT]]
    totals: NotRequired[Annotated[dict[str, Money], shown_as(dict[str, Money] | None), ABSENT]]
    mapping: NotRequired[Annotated[dict[str, Money], shown_as(dict[str, Money] | None), ABSENT]]
    foreign_vat: NotRequired[PartByRate]


class VatReport(RangeReport, VatFigures):
    """VAT of a range: `summary` in Finland; in Germany `totals` by name and `mapping` by field of the tax form."""


class EuVatRow(TypedDict):
    """What one document sold to another EU country, goods or services."""

    country_code: str
    vat_id: str
    name: str
    vat_handling: str
    net_amount: Money
    vat_id_missing: bool
    contact_missing: bool
    document_id: int
    document_number: str


class EuSales(TypedDict):
    """Sales to other EU countries, those to businesses and those to private persons apart."""

    rows: list[EuVatRow]
    private_person_rows: list[EuVatRow]


class EuVatReport(RangeReport):
    """Sales to other EU countries, to businesses and to private persons."""

    business_vat_id: str
    rows: list[EuVatRow]
    private_person_rows: list[EuVatRow]
