"""VAT periods (docs/interface.md 9)."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from pydantic import Field

from acctcli.models.base import Date, Money, Name256, Request, Text16, whole
from acctcli.models.reply import Moment, Stored
from acctcli.models.report import Untold

Kind = Annotated[int, Field(ge=0, le=2), whole]


class VatPeriodRequest(Request):
    """What may be written of a VAT period; `period` is 0 month, 1 quarter, 2 year, and null the business's default."""

    start_date: Date | None = None
    period: Kind | None = None


class VatFilingRequest(Request):
    """How the return of a period is filled in: the box that VAT without a code corrects, and what was prepaid."""

    adjustments: Text16 | None = None
    special_prepayment: Money | None = None


class VatReopenRequest(Request):
    """Why a period that was reported is opened again."""

    reason: Name256


class VatPeriod(Stored):
    """A VAT period; the last day follows from the first and the length."""

    start_date: date
    end_date: date
    due_date: date
    period: int | None
    has_began: bool
    has_ended: bool
    has_due_passed: bool
    is_locked: bool
    is_reported: bool
    is_recapitulative_reported: bool
    has_eu_sales: bool
    recapitulative_due_date: date | None
    has_locked_accounting_period: bool
    filing_tax_to_be_paid: Money | None
    filing_accepted_at: Moment | None
    purchase_invoice_id: int | None


class ReportedVatPeriod(VatPeriod, Untold):
    """A VAT period that was reported, with the money that is in no return, missing where there is none."""
