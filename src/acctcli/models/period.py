"""Accounting periods (docs/interface.md 3.4)."""

from __future__ import annotations

from datetime import date

from acctcli.models.base import Date, Request
from acctcli.models.reply import Json, Stored


class PeriodRequest(Request):
    """What may be written of an accounting period; both days belong to it."""

    start_date: Date
    end_date: Date


class Period(Stored):
    """An accounting period."""

    start_date: date
    end_date: date
    has_began: bool
    has_ended: bool
    is_ensured: bool
    is_depreciations_recorded: bool
    is_depreciations_ensured: bool
    is_deferrals_recorded: bool
    is_taxed: bool
    is_deducted: bool
    is_locked: bool
    is_reported: bool


class Fingerprint(Stored):
    """What the reports of a closed period showed: a SHA-256 of each; `kind` is period or vat_period."""

    kind: str
    period_id: int
    start_date: date
    end_date: date
    version: int
    author: str
    journal: str
    ledger: str
    vat_report: str
    balance_sheet: str
    income_statement: str


class CheckedFingerprint(Fingerprint):
    """A fingerprint taken again: `found` now, and the reports that are `differing` from what was kept.

    `recorded` is what the trail says of when the period was closed, `replaced` what was kept and is not that.
    """

    found: dict[str, str]
    is_comparable: bool
    differing: list[str]
    recorded: dict[str, Json]
    replaced: list[str]
