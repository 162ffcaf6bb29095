"""Accounting periods: SQL only. Days are inclusive; every statement names the business."""

from __future__ import annotations

from datetime import date
from typing import Any, NamedTuple

from acctcli.law.closed_days import Span
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement, columns
from acctcli.service.store.listing import Pages
from acctcli.service.store.rows import Rows


class PeriodRow(NamedTuple):
    """An accounting period as it is stored."""

    id: int
    created_at: str
    updated_at: str
    start_date: date
    end_date: date
    is_locked: bool

    @property
    def span(self) -> Span:
        """The days of it."""
        return Span(self.start_date, self.end_date)


ROWS = Rows(PeriodRow, "period")
get, remove = ROWS.get, ROWS.remove
list_page = Pages(PeriodRow, columns(PeriodRow), "period", "start_date DESC").page
SPANS = Query[tuple[int, date, date]](
    tuple, "SELECT id, start_date, end_date FROM period WHERE business_id = :business_id"
)
POSTED = Statement(
    """SELECT 1 FROM document
    WHERE business_id = :business_id AND date BETWEEN :start AND :end AND NOT is_draft LIMIT 1"""
)


def spans(conn: Connection, business_id: int, *, but: int | None = None) -> list[Span]:
    """Return the days of every accounting period, but for the one of this id."""
    rows = SPANS.all(conn, business_id=business_id)
    return [Span(start, end) for period_id, start, end in rows if period_id != but]


def has_posted(conn: Connection, business_id: int, span: Span) -> bool:
    """Say whether a posted document is dated inside."""
    return POSTED.value(conn, business_id=business_id, start=span.start, end=span.end) is not None


def create(conn: Connection, business_id: int, span: Span, stamp: str) -> PeriodRow:
    """Insert an open accounting period."""
    stamps = {"created_at": stamp, "updated_at": stamp}
    values: dict[str, Any] = {"start_date": span.start, "end_date": span.end, "is_locked": False, **stamps}
    return PeriodRow(id=ROWS.create(conn, business_id, values), **values)


def change(conn: Connection, business_id: int, row: PeriodRow, **values: Any) -> PeriodRow:
    """Write some columns of an accounting period and return it as it is then."""
    ROWS.change(conn, business_id, row.id, values)
    return row._replace(**values)
