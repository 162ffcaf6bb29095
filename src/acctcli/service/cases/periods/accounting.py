"""Accounting periods: made, moved, closed (docs/interface.md 3.4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from acctcli.law.closed_days import Span
from acctcli.service.cases.closed import refuse_spans
from acctcli.service.cases.periods import fingerprints
from acctcli.service.cases.work import Work, found
from acctcli.service.problems import Invalid, Precondition
from acctcli.service.rules.periods import (
    PeriodError,
    check_accounting_period,
    days_left_out,
    next_start,
    refuse_gap,
    year_end,
)
from acctcli.service.store.books import periods
from acctcli.service.store.books.periods import PeriodRow

if TYPE_CHECKING:
    from acctcli.models.period import Period, PeriodRequest


def get_period(work: Work, period_id: int) -> Period:
    """Show an accounting period."""
    return show_period(work, _find(work, period_id))


def create_period(work: Work, body: PeriodRequest) -> Period:
    """Create an accounting period that overlaps no other; without days it is the year after the latest one."""
    known = periods.spans(work.conn, work.business.id)
    start = body.start_date or next_start(known, work.today)
    span = Span(start, body.end_date or year_end(start))
    _check(work, span, known, None)
    refuse_spans(work, known, [*known, span])
    payload = show_period(work, periods.create(work.conn, work.business.id, span, work.stamp))
    work.emit("period.created", payload)
    return payload


def change_period(work: Work, period_id: int, body: PeriodRequest) -> Period:
    """Change the days that are sent; no posted document may be left outside."""
    row = _find_open(work, period_id)
    span = Span(body.start_date or row.start_date, body.end_date or row.end_date)
    others = periods.spans(work.conn, work.business.id, but=row.id)
    _check(work, span, others, row.span)
    _keep_posted(work, days_left_out(row.span, span))
    refuse_spans(work, [*others, row.span], [*others, span])
    return _write(work, row, "period.updated", start_date=span.start, end_date=span.end)


def delete_period(work: Work, period_id: int) -> None:
    """Delete an accounting period without posted documents that does not lie between others."""
    row = _find_open(work, period_id)
    _keep_posted(work, [row.span])
    others = periods.spans(work.conn, work.business.id, but=row.id)
    try:
        refuse_gap(row.span, others)
    except PeriodError as fault:
        raise Precondition(str(fault)) from None
    refuse_spans(work, [*others, row.span], others)
    periods.remove(work.conn, work.business.id, row.id)
    work.emit("period.deleted", {"id": row.id})


def set_lock(work: Work, period_id: int, *, is_locked: bool) -> Period:
    """Close a period: nothing is posted, changed or deleted inside until it is unlocked; or open it again."""
    row = _find(work, period_id, for_update=True)
    if row.is_locked == is_locked:
        return show_period(work, row)
    if is_locked:
        taken = fingerprints.take(work, "period", row.id, row.span)
        return _write(work, row, "period.locked", taken, is_locked=True)
    fingerprints.drop(work, "period", row.id)
    return _write(work, row, "period.unlocked", is_locked=False)


def _find(work: Work, period_id: int, *, for_update: bool = False) -> PeriodRow:
    return found(periods.get(work.conn, work.business.id, period_id, for_update=for_update), "accounting period")


def _find_open(work: Work, period_id: int) -> PeriodRow:
    row = _find(work, period_id, for_update=True)
    if row.is_locked:
        raise Precondition(f"The accounting period {row.span} is locked.")
    return row


def _write(work: Work, row: PeriodRow, event: str, more: Mapping[str, object] | None = None, **values: Any) -> Period:
    changed = periods.change(work.conn, work.business.id, row, updated_at=work.stamp, **values)
    payload = show_period(work, changed)
    work.emit(event, {**payload, **(more or {})})
    return payload


def _check(work: Work, span: Span, others: Sequence[Span], before: Span | None) -> None:
    try:
        check_accounting_period(span, others, work.law.longest_period_months, before)
    except PeriodError as fault:
        raise Invalid.field(fault.field, str(fault)) from None


def _keep_posted(work: Work, left_out: Iterable[Span]) -> None:
    """Refuse to leave posted documents outside of every period."""
    for span in left_out:
        if periods.has_posted(work.conn, work.business.id, span):
            raise Precondition(f"There are posted documents between {span.start} and {span.end}.")


def show_periods(work: Work, rows: Iterable[PeriodRow]) -> list[Period]:
    """Return accounting periods as they are shown."""
    return [show_period(work, row) for row in rows]


def show_period(work: Work, row: PeriodRow) -> Period:
    """Return an accounting period as it is shown; what only the service's closing of a year sets is not kept here."""
    return {
        "id": row.id,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
        "start_date": row.start_date,
        "end_date": row.end_date,
        "has_began": row.start_date <= work.today,
        "has_ended": row.end_date < work.today,
        "is_ensured": False,
        "is_depreciations_recorded": False,
        "is_depreciations_ensured": False,
        "is_deferrals_recorded": False,
        "is_taxed": False,
        "is_deducted": False,
        "is_locked": row.is_locked,
        "is_reported": False,
    }
