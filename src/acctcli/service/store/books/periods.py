"""Accounting periods: SQL only. Days are inclusive; every statement names the business."""

from __future__ import annotations

from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from acctcli.service.rules.periods import Span
from acctcli.service.store.engine.prepared import Prepared
from acctcli.service.store.schema.books import document
from acctcli.service.store.schema.periods import period


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


IN_BUSINESS = period.c.business_id == bindparam("business_id")
ROW = tuple(period.c[name] for name in PeriodRow._fields)
COUNT = select(func.count()).select_from(period).where(IN_BUSINESS)
PAGE = (
    select(*ROW)
    .where(IN_BUSINESS)
    .order_by(period.c.start_date.desc())
    .limit(bindparam("limit"))
    .offset(bindparam("offset"))
)


def list_page(conn: Connection, business_id: int, *, limit: int, offset: int) -> tuple[int, list[PeriodRow]]:
    """Return how many accounting periods there are, and one page of them, the latest first."""
    count = conn.execute(COUNT, {"business_id": business_id}).scalar_one()
    rows = conn.execute(PAGE, {"business_id": business_id, "limit": limit, "offset": offset})
    return count, [PeriodRow._make(row) for row in rows]


ONE = select(*ROW).where(IN_BUSINESS, period.c.id == bindparam("period_id"))
ONE_FOR_UPDATE = ONE.with_for_update()
SPANS = Prepared(select(period.c.id, period.c.start_date, period.c.end_date).where(IN_BUSINESS))
POSTED = select(
    select(1)
    .where(
        document.c.business_id == bindparam("business_id"),
        document.c.date.between(bindparam("start"), bindparam("end")),
        document.c.is_draft.is_(False),
    )
    .exists()
)


def get(conn: Connection, business_id: int, period_id: int, *, for_update: bool = False) -> PeriodRow | None:
    """Return an accounting period of the business, or None."""
    statement = ONE_FOR_UPDATE if for_update else ONE
    row = conn.execute(statement, {"business_id": business_id, "period_id": period_id}).one_or_none()
    return None if row is None else PeriodRow._make(row)


def spans(conn: Connection, business_id: int, *, but: int | None = None) -> list[Span]:
    """Return the days of every accounting period, but for the one of this id."""
    rows = SPANS.all(conn, business_id=business_id)
    return [Span(start, end) for period_id, start, end in rows if period_id != but]


def has_posted(conn: Connection, business_id: int, span: Span) -> bool:
    """Say whether a posted document is dated inside."""
    values = {"business_id": business_id, "start": span.start, "end": span.end}
    return bool(conn.execute(POSTED, values).scalar_one())


INSERT = insert(period).returning(period.c.id)
THIS = (period.c.business_id == bindparam("of_business"), period.c.id == bindparam("of_period"))
UPDATE = update(period).where(*THIS)
DELETE = delete(period).where(*THIS)


def create(conn: Connection, business_id: int, span: Span, stamp: str) -> PeriodRow:
    """Insert an open accounting period."""
    stamps = {"created_at": stamp, "updated_at": stamp}
    values: dict[str, Any] = {"start_date": span.start, "end_date": span.end, "is_locked": False, **stamps}
    period_id = conn.execute(INSERT, {"business_id": business_id, **values}).scalar_one()
    return PeriodRow(id=period_id, **values)


def change(conn: Connection, business_id: int, row: PeriodRow, **values: Any) -> PeriodRow:
    """Write some columns of an accounting period and return it as it is then."""
    conn.execute(UPDATE, {**values, "of_business": business_id, "of_period": row.id})
    return row._replace(**values)


def remove(conn: Connection, business_id: int, period_id: int) -> None:
    """Delete an accounting period."""
    conn.execute(DELETE, {"of_business": business_id, "of_period": period_id})
