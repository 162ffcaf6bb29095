"""VAT periods: made, moved, locked, reported (docs/interface.md 9)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from acctcli.law.closed_days import Span
from acctcli.models.enums import DefaultVatPeriod
from acctcli.service.cases.periods import fingerprints
from acctcli.service.cases.periods.vat_filing import file_vat, unfile_vat
from acctcli.service.cases.work import Work, found
from acctcli.service.problems import Invalid, Precondition
from acctcli.service.rules.money import from_cents
from acctcli.service.rules.periods import DAY, PeriodError, check_vat_period, vat_span, vat_span_from
from acctcli.service.store import businesses
from acctcli.service.store.books import vat_periods
from acctcli.service.store.books.vat_periods import VatPeriodRow

if TYPE_CHECKING:
    from datetime import date

    from acctcli.models.report import Untold
    from acctcli.models.vat_period import (
        ReportedVatPeriod,
        VatFilingRequest,
        VatPeriod,
        VatPeriodRequest,
        VatReopenRequest,
    )

REOPENED = {"is_locked": False, "is_reported": False}


def create_vat_period(work: Work, body: VatPeriodRequest) -> VatPeriod:
    """Create a VAT period; without a body the one that follows the latest (docs/interface.md 9.2)."""
    known = vat_periods.spans(work.conn, work.business.id)
    kind = _kind(work, body.period)
    start = body.start_date or _next_start(work, known, kind)
    values = _columns(work, start, kind, known)
    created = vat_periods.create(work.conn, work.business.id, values, work.stamp)
    return _told(work, created, "vat_period.created")


def get_vat_period(work: Work, vat_period_id: int) -> VatPeriod:
    """Show a VAT period."""
    return show_vat_period(work, _find(work, vat_period_id))


def replace_vat_period(work: Work, vat_period_id: int, body: VatPeriodRequest) -> VatPeriod:
    """Replace a VAT period: the length returns to the business's default unless it is sent, the first day stays."""
    row = _find_open(work, vat_period_id)
    return _change(work, row, body.start_date or row.start_date, _kind(work, body.period))


def update_vat_period(work: Work, vat_period_id: int, body: VatPeriodRequest) -> VatPeriod:
    """Change what is sent; the last day and the due dates follow."""
    row = _find_open(work, vat_period_id)
    kind = row.period if "period" not in body.model_fields_set else body.period
    return _change(work, row, body.start_date or row.start_date, _kind(work, kind))


def delete_vat_period(work: Work, vat_period_id: int) -> None:
    """Delete a VAT period that is neither locked nor reported, and never was filed: what was paid of it stays known."""
    row = _find_open(work, vat_period_id)
    _refuse_filed(row, "deleted")
    vat_periods.remove(work.conn, work.business.id, row.id)
    work.emit("vat_period.deleted", {"id": row.id})


def lock_vat_period(work: Work, vat_period_id: int) -> VatPeriod:
    """Lock a VAT period and every document dated inside: nothing is written there until it is unlocked."""
    row = _find(work, vat_period_id, for_update=True)
    if row.is_locked:
        return show_vat_period(work, row)
    vat_periods.lock_documents(work.conn, work.business.id, row, work.stamp)
    taken = fingerprints.take(work, "vat_period", row.id, row.span)
    return _write(work, row, "vat_period.locked", {"is_locked": True}, taken)


def unlock_vat_period(work: Work, vat_period_id: int) -> VatPeriod:
    """Unlock a VAT period and the documents it had locked; what was reported stays locked (412)."""
    row = _find(work, vat_period_id, for_update=True)
    if row.is_reported:
        raise Precondition(f"The VAT of {row.span} has been reported.")
    if not row.is_locked:
        return show_vat_period(work, row)
    vat_periods.release_documents(work.conn, work.business.id, row, work.stamp)
    fingerprints.drop(work, "vat_period", row.id)
    return _write(work, row, "vat_period.unlocked", {"is_locked": False})


def report_vat_period(work: Work, vat_period_id: int, body: VatFilingRequest) -> ReportedVatPeriod:
    """Report the VAT of a period that has ended; one that has been reported stays as it is (docs/interface.md 9.3)."""
    row = _find(work, vat_period_id, for_update=True)
    if row.is_reported:
        nothing: Untold = {}
        return {**show_vat_period(work, row), **nothing}
    if not _has_ended(work, row):
        raise Precondition(f"The VAT period {row.span} has not ended.")
    filed, untold = file_vat(work, row, body)
    vat_periods.lock_documents(work.conn, work.business.id, row, work.stamp)
    taken = fingerprints.take(work, "vat_period", row.id, row.span)
    flags = {"is_locked": True, "is_reported": True, "filing_accepted_at": work.stamp}
    reported = _write(work, row, "vat_period.reported", filed | flags, taken)
    return {**reported, **untold}


def reopen_vat_period(work: Work, vat_period_id: int, body: VatReopenRequest) -> VatPeriod:
    """Open a reported VAT period and take back what reporting it made; the event keeps the reason."""
    row = _find(work, vat_period_id, for_update=True)
    if not row.is_reported:
        raise Precondition(f"The VAT of {row.span} has not been reported.")
    vat_periods.release_documents(work.conn, work.business.id, row, work.stamp)
    fingerprints.drop(work, "vat_period", row.id)
    vat_periods.change(work.conn, work.business.id, row.id, {**REOPENED, "filing_accepted_at": None})
    values = unfile_vat(work, row)
    return _write(work, row, "vat_period.reopened", values, {"reason": body.reason})


def move_due_dates(work: Work) -> None:
    """Let the open VAT periods be due when the law says of the business as it is now; what was reported stays."""
    settings = businesses.get(work.conn, work.business.id, work.today)
    for row in vat_periods.unreported(work.conn, work.business.id):
        due = _due_date(work, settings, row.end_date, _kind(work, row.period))
        if due != row.due_date:
            _write(work, row, "vat_period.updated", {"due_date": due})


# --- what is asked for ---


def _kind(work: Work, kind: int | None) -> int:
    """Return the length asked for, else the business's own; one that is not liable reports by month."""
    if kind is None:
        kind = businesses.get(work.conn, work.business.id, work.today)["default_vat_period"]
    return DefaultVatPeriod.MONTH if kind == DefaultVatPeriod.NONE else kind


def _next_start(work: Work, known: list[Span], kind: int) -> date:
    """Return the day after the latest period; the first period begins with today's month, quarter or year."""
    return known[-1].end + DAY if known else vat_span(kind, work.today).start


def _columns(work: Work, start: date, kind: int, others: list[Span], before: Span | None = None) -> dict[str, Any]:
    """Return the columns behind first day and length; the due date is what the law says of them today."""
    try:
        span = vat_span_from(start, kind)
        check_vat_period(span, others, before)
    except PeriodError as fault:
        raise Invalid.field(fault.field, str(fault)) from None
    settings = businesses.get(work.conn, work.business.id, work.today)
    due = _due_date(work, settings, span.end, kind)
    return {"start_date": span.start, "end_date": span.end, "period": kind, "due_date": due}


def _due_date(work: Work, settings: Mapping[str, Any], end: date, kind: int) -> date:
    return work.law.vat_due_date(end, kind, has_extension=settings["has_dauerfristverlaengerung"])


# --- finding and writing ---


def _find(work: Work, vat_period_id: int, *, for_update: bool = False) -> VatPeriodRow:
    return found(vat_periods.get(work.conn, work.business.id, vat_period_id, for_update=for_update), "VAT period")


def _find_open(work: Work, vat_period_id: int) -> VatPeriodRow:
    row = _find(work, vat_period_id, for_update=True)
    if row.is_reported or row.is_locked:
        raise Precondition(f"The VAT period {row.span} {'has been reported' if row.is_reported else 'is locked'}.")
    return row


def _change(work: Work, row: VatPeriodRow, start: date, kind: int) -> VatPeriod:
    others = vat_periods.spans(work.conn, work.business.id, but=row.id)
    columns = _columns(work, start, kind, others, row.span)
    if (columns["start_date"], columns["end_date"]) != row.span:
        _refuse_filed(row, "moved")
    return _write(work, row, "vat_period.updated", columns)


def _refuse_filed(row: VatPeriodRow, done: str) -> None:
    """Refuse to take a return that was filed away from its days: they would owe anew what has been paid of them."""
    if row.filing_tax_cents is not None:
        raise Precondition(
            f"The VAT of {row.span} was filed before it was reopened, so the period cannot be {done}:"
            " correct the books and report it again."
        )


def _write(
    work: Work, row: VatPeriodRow, event: str, values: dict[str, Any], more: Mapping[str, object] | None = None
) -> VatPeriod:
    vat_periods.change(work.conn, work.business.id, row.id, values | {"updated_at": work.stamp})
    return _told(work, row.id, event, more)


def _told(work: Work, vat_period_id: int, event: str, more: Mapping[str, object] | None = None) -> VatPeriod:
    """Return a VAT period as it is after a change, and record the change with `more` that is known of it."""
    payload = show_vat_period(work, _find(work, vat_period_id))
    work.emit(event, {**payload, **(more or {})})
    return payload


# --- showing ---


def _has_ended(work: Work, row: VatPeriodRow) -> bool:
    return row.end_date < work.today


def show_vat_periods(work: Work, rows: Iterable[VatPeriodRow]) -> list[VatPeriod]:
    """Return VAT periods as they are shown."""
    return [show_vat_period(work, row) for row in rows]


def show_vat_period(work: Work, row: VatPeriodRow) -> VatPeriod:
    """Return a VAT period as it is shown."""
    stated = work.law.recapitulative_due_date(row.end_date)
    return {
        "id": row.id,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
        "start_date": row.start_date,
        "end_date": row.end_date,
        "due_date": row.due_date,
        "period": row.period,
        "has_began": row.start_date <= work.today,
        "has_ended": _has_ended(work, row),
        "has_due_passed": row.due_date < work.today,
        "is_locked": row.is_locked,
        "is_reported": row.is_reported,
        "is_recapitulative_reported": row.is_recapitulative_reported,
        "has_eu_sales": row.has_eu_sales,
        "recapitulative_due_date": stated if row.has_eu_sales else None,
        "has_locked_accounting_period": row.has_locked_accounting_period,
        "filing_tax_to_be_paid": None if row.filing_tax_cents is None else from_cents(row.filing_tax_cents),
        "filing_accepted_at": row.filing_accepted_at,
        "purchase_invoice_id": row.purchase_invoice_id,
    }
