"""VAT periods: `/v1/business/{business_slug}/vat_period/` (interface: VAT period; wire facts 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from acctcli import law
from acctcli.models.enums import DefaultVatPeriod
from acctcli.service.problems import Invalid, Missing, Precondition
from acctcli.service.routes.call import Call, Page
from acctcli.service.routes.periods.vat_filing import file_vat
from acctcli.service.rules.money import from_cents
from acctcli.service.rules.periods import DAY, PeriodError, Span, check_vat_period, vat_span, vat_span_from
from acctcli.service.store import businesses
from acctcli.service.store.books import vat_periods
from acctcli.service.store.books.vat_periods import VatPeriodRow

if TYPE_CHECKING:
    from datetime import date

    from acctcli.models.vat_period import VatPeriodRequest


def list_vat_periods(call: Call) -> Page:
    """List the VAT periods, the latest first."""
    page = call.page
    count, rows = vat_periods.list_page(call.conn, call.business.id, limit=page.size, offset=page.offset)
    return Page(count, [_vat_period(call, row) for row in rows])


def create_vat_period(call: Call) -> dict[str, Any]:
    """Create a VAT period; without a body the one that follows the latest (wire facts 6.2)."""
    body: VatPeriodRequest = call.body
    known = vat_periods.spans(call.conn, call.business.id)
    kind = _kind(call, body.period)
    start = body.start_date or _next_start(call, known, kind)
    values = _columns(call, start, kind, known)
    created = vat_periods.create(call.conn, call.business.id, values, call.stamp)
    return _told(call, created, "vat_period.created")


def get_vat_period(call: Call) -> dict[str, Any]:
    """Show a VAT period."""
    return _vat_period(call, _find(call, call.ids["vat_period_id"]))


def replace_vat_period(call: Call) -> dict[str, Any]:
    """Replace a VAT period: the length returns to the business's default unless it is sent, the first day stays."""
    row, body = _find_open(call), call.body
    return _change(call, row, body.start_date or row.start_date, _kind(call, body.period))


def update_vat_period(call: Call) -> dict[str, Any]:
    """Change what is sent; the last day and the due dates follow."""
    row, body = _find_open(call), call.body
    kind = row.period if "period" not in body.model_fields_set else body.period
    return _change(call, row, body.start_date or row.start_date, _kind(call, kind))


def delete_vat_period(call: Call) -> None:
    """Delete a VAT period that is neither locked nor reported."""
    row = _find_open(call)
    vat_periods.remove(call.conn, call.business.id, row.id)
    call.emit("vat_period.deleted", {"id": row.id})


def lock_vat_period(call: Call) -> dict[str, Any]:
    """Lock a VAT period and every document dated inside: nothing is written there until it is unlocked."""
    row = _find_to_write(call)
    if row.is_locked:
        return _vat_period(call, row)
    vat_periods.lock_documents(call.conn, call.business.id, row, call.stamp)
    return _write(call, row, "vat_period.locked", {"is_locked": True})


def unlock_vat_period(call: Call) -> dict[str, Any]:
    """Unlock a VAT period and the documents it had locked; what was reported stays locked (412)."""
    row = _find_to_write(call)
    if row.is_reported:
        raise Precondition(f"The VAT of {row.span} has been reported.")
    if not row.is_locked:
        return _vat_period(call, row)
    vat_periods.release_documents(call.conn, call.business.id, row, call.stamp)
    return _write(call, row, "vat_period.unlocked", {"is_locked": False})


def report_vat_period(call: Call) -> dict[str, Any]:
    """Report the VAT of a period that has ended; one that has been reported stays as it is (wire facts 6.3)."""
    row = _find_to_write(call)
    if row.is_reported:
        return _vat_period(call, row)
    if not _has_ended(call, row):
        raise Precondition(f"The VAT period {row.span} has not ended.")
    filed = file_vat(call, row)
    vat_periods.lock_documents(call.conn, call.business.id, row, call.stamp)
    flags = {"is_locked": True, "is_reported": True, "filing_accepted_at": call.stamp}
    return _write(call, row, "vat_period.reported", filed | flags)


# --- what is asked for ---


def _kind(call: Call, kind: int | None) -> int:
    """Return the length asked for, else the business's own; one that is not liable reports by month."""
    if kind is None:
        kind = businesses.get(call.conn, call.business.id, call.today)["default_vat_period"]
    return DefaultVatPeriod.MONTH if kind == DefaultVatPeriod.NONE else kind


def _next_start(call: Call, known: list[Span], kind: int) -> date:
    """Return the day after the latest period; the first period begins with today's month, quarter or year."""
    return known[-1].end + DAY if known else vat_span(kind, call.today).start


def _columns(call: Call, start: date, kind: int, others: list[Span], before: Span | None = None) -> dict[str, Any]:
    """Return the columns behind first day and length; the due date is what the law says of them today."""
    try:
        span = vat_span_from(start, kind)
        check_vat_period(span, others, before)
    except PeriodError as fault:
        raise Invalid.field(fault.field, str(fault)) from None
    settings = businesses.get(call.conn, call.business.id, call.today)
    due = law.country(call.business.country).vat_due_date(
        span.end, kind, has_extension=settings["has_dauerfristverlaengerung"]
    )
    return {"start_date": span.start, "end_date": span.end, "period": kind, "due_date": due}


# --- finding and writing ---


def _find(call: Call, vat_period_id: int, *, for_update: bool = False) -> VatPeriodRow:
    row = vat_periods.get(call.conn, call.business.id, vat_period_id, for_update=for_update)
    if row is None:
        raise Missing("There is no such VAT period.")
    return row


def _find_to_write(call: Call) -> VatPeriodRow:
    return _find(call, call.ids["vat_period_id"], for_update=True)


def _find_open(call: Call) -> VatPeriodRow:
    row = _find_to_write(call)
    if row.is_reported or row.is_locked:
        raise Precondition(f"The VAT period {row.span} {'has been reported' if row.is_reported else 'is locked'}.")
    return row


def _change(call: Call, row: VatPeriodRow, start: date, kind: int) -> dict[str, Any]:
    others = vat_periods.spans(call.conn, call.business.id, but=row.id)
    return _write(call, row, "vat_period.updated", _columns(call, start, kind, others, row.span))


def _write(call: Call, row: VatPeriodRow, event: str, values: dict[str, Any]) -> dict[str, Any]:
    vat_periods.change(call.conn, call.business.id, row.id, values | {"updated_at": call.stamp})
    return _told(call, row.id, event)


def _told(call: Call, vat_period_id: int, event: str) -> dict[str, Any]:
    """Return a VAT period as it is after a change, and record the change."""
    payload = _vat_period(call, _find(call, vat_period_id))
    call.emit(event, payload)
    return payload


# --- showing ---


def _has_ended(call: Call, row: VatPeriodRow) -> bool:
    return row.end_date < call.today


def _vat_period(call: Call, row: VatPeriodRow) -> dict[str, Any]:
    """Return a VAT period as it is shown."""
    stated = law.country(call.business.country).recapitulative_due_date(row.end_date)
    return {
        "id": row.id,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
        "start_date": row.start_date,
        "end_date": row.end_date,
        "due_date": row.due_date,
        "period": row.period,
        "has_began": row.start_date <= call.today,
        "has_ended": _has_ended(call, row),
        "has_due_passed": row.due_date < call.today,
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
