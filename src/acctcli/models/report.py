"""Report requests and replies (wire facts 4.2, 4.3). Dates are inclusive."""

from __future__ import annotations

from datetime import date as day
from typing import Annotated

from pydantic import Field, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from acctcli.models.base import Date, Id, Money, Request, Response, Text256


class RangeColumn(Request):
    """One column of a report: the days from `date_from` to `date_to`, both included."""

    name: Text256 | None = None
    date_from: Date
    date_to: Date

    @field_validator("date_to")
    @classmethod
    def _in_order(cls, date_to: day, info: ValidationInfo) -> day:
        date_from = info.data.get("date_from")
        if date_from is not None and date_to < date_from:
            raise PydanticCustomError("date_range", "date_to lies before date_from.")
        return date_to


class RangeReportRequest(Request):
    """A report over date ranges; journal, ledger and VAT reports use the first column only."""

    columns: Annotated[list[RangeColumn], Field(min_length=1)]
    extend_accounts: bool = False
    append_comparison_columns: bool = False
    tag_ids: list[Id] = Field(default_factory=list)


class JournalEntry(Response):
    """A line of a document in the journal; the side it is not on holds zero."""

    account_number: str
    account_name: str
    debet: Money
    credit: Money
    description: str


class Totals(Response):
    """Sums of both sides."""

    debet: Money
    credit: Money


class JournalDocument(Response):
    """A document in the journal."""

    number: str
    date: day
    document_id: int
    entries: list[JournalEntry]
    totals: Totals


class JournalReport(Response):
    """Posted documents of a range in order of date, then number."""

    report_type: str
    date_from: day
    date_to: day
    documents: list[JournalDocument]
    totals: Totals
