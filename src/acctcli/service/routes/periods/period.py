"""Accounting periods: `/v1/business/{business_slug}/period/` (wire facts 1.1, 2.14, 4.4)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from acctcli import law
from acctcli.service.problems import Invalid, Missing, Precondition
from acctcli.service.routes.call import Call, Page
from acctcli.service.rules.periods import PeriodError, Span, check_accounting_period, days_left_out
from acctcli.service.store.books import periods
from acctcli.service.store.books.periods import PeriodRow


def list_periods(call: Call) -> Page:
    """List the accounting periods, the latest first."""
    page = call.page
    count, rows = periods.list_page(call.conn, call.business.id, limit=page.size, offset=page.offset)
    return Page(count, [_period(call, row) for row in rows])


def create_period(call: Call) -> dict[str, Any]:
    """Create an accounting period; it may not overlap another."""
    span = Span(call.body.start_date, call.body.end_date)
    _check(call, span, periods.spans(call.conn, call.business.id))
    payload = _period(call, periods.create(call.conn, call.business.id, span, call.stamp))
    call.emit("period.created", payload)
    return payload


def get_period(call: Call) -> dict[str, Any]:
    """Show an accounting period."""
    return _period(call, _find(call))


def replace_period(call: Call) -> dict[str, Any]:
    """Give an accounting period other days."""
    return _change(call, _find_open(call), Span(call.body.start_date, call.body.end_date))


def update_period(call: Call) -> dict[str, Any]:
    """Change the days that are sent."""
    row, sent = _find_open(call), call.body.model_fields_set
    start = call.body.start_date if "start_date" in sent else row.start_date
    end = call.body.end_date if "end_date" in sent else row.end_date
    return _change(call, row, Span(start, end))


def delete_period(call: Call) -> None:
    """Delete an accounting period without posted documents."""
    row = _find_open(call)
    _keep_posted(call, [row.span])
    periods.remove(call.conn, call.business.id, row.id)
    call.emit("period.deleted", {"id": row.id})


def lock_period(call: Call) -> dict[str, Any]:
    """Close an accounting period: nothing is posted, changed or deleted inside until it is unlocked."""
    return _set_lock(call, True)


def unlock_period(call: Call) -> dict[str, Any]:
    """Open an accounting period again."""
    return _set_lock(call, False)


def _set_lock(call: Call, is_locked: bool) -> dict[str, Any]:
    row = _find(call, for_update=True)
    if row.is_locked == is_locked:
        return _period(call, row)
    return _write(call, row, "period.locked" if is_locked else "period.unlocked", is_locked=is_locked)


def _change(call: Call, row: PeriodRow, span: Span) -> dict[str, Any]:
    _check(call, span, periods.spans(call.conn, call.business.id, but=row.id))
    _keep_posted(call, days_left_out(row.span, span))
    return _write(call, row, "period.updated", start_date=span.start, end_date=span.end)


def _write(call: Call, row: PeriodRow, event: str, **values: Any) -> dict[str, Any]:
    changed = periods.change(call.conn, call.business.id, row, updated_at=call.stamp, **values)
    payload = _period(call, changed)
    call.emit(event, payload)
    return payload


def _find(call: Call, *, for_update: bool = False) -> PeriodRow:
    row = periods.get(call.conn, call.business.id, call.ids["period_id"], for_update=for_update)
    if row is None:
        raise Missing("There is no such accounting period.")
    return row


def _find_open(call: Call) -> PeriodRow:
    row = _find(call, for_update=True)
    if row.is_locked:
        raise Precondition(f"The accounting period {row.span} is locked.")
    return row


def _check(call: Call, span: Span, others: Iterable[Span]) -> None:
    try:
        check_accounting_period(span, others, law.country(call.business.country).longest_period_months)
    except PeriodError as fault:
        raise Invalid.field(fault.field, str(fault)) from None


def _keep_posted(call: Call, left_out: Iterable[Span]) -> None:
    """Refuse to leave posted documents outside of every period."""
    for span in left_out:
        if periods.has_posted(call.conn, call.business.id, span):
            raise Precondition(f"There are posted documents between {span.start} and {span.end}.")


def _period(call: Call, row: PeriodRow) -> dict[str, Any]:
    """Return an accounting period as it is shown; what only the service's closing of a year sets is not kept here."""
    return {
        "id": row.id,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
        "start_date": row.start_date,
        "end_date": row.end_date,
        "has_began": row.start_date <= call.today,
        "has_ended": row.end_date < call.today,
        "is_ensured": False,
        "is_depreciations_recorded": False,
        "is_depreciations_ensured": False,
        "is_deferrals_recorded": False,
        "is_taxed": False,
        "is_deducted": False,
        "is_locked": row.is_locked,
        "is_reported": False,
    }
