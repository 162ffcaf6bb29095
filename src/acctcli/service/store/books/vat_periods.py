"""VAT periods: SQL only. Days are inclusive, amounts are cents; every statement names the business."""

from __future__ import annotations

from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, delete, func, insert, literal_column, select, update

from acctcli.law.vat_codes import EU_SALES
from acctcli.service.rules.periods import Span
from acctcli.service.store.schema.books import document, entry
from acctcli.service.store.schema.periods import period, vat_period


class VatPeriodRow(NamedTuple):
    """A VAT period as it is stored, with what follows from the books at the moment it is read."""

    id: int
    created_at: str
    updated_at: str
    start_date: date
    end_date: date
    due_date: date
    period: int | None
    is_locked: bool
    is_reported: bool
    is_recapitulative_reported: bool
    filing_tax_cents: int | None
    filing_accepted_at: str | None
    purchase_invoice_id: int | None
    has_eu_sales: bool
    has_locked_accounting_period: bool

    @property
    def span(self) -> Span:
        """The days of it."""
        return Span(self.start_date, self.end_date)


IN_BUSINESS = vat_period.c.business_id == bindparam("business_id")
STORED = tuple(column for column in vat_period.columns if column.name in VatPeriodRow._fields)
# the codes stand in the statement itself, where an index of just these entries is found by them
HAS_EU_SALES = (
    select(1)
    .where(
        entry.c.business_id == vat_period.c.business_id,
        entry.c.date.between(vat_period.c.start_date, vat_period.c.end_date),
        entry.c.vat_code.in_([literal_column(str(code)) for code in sorted(EU_SALES)]),
    )
    .exists()
)
HAS_LOCKED_ACCOUNTING_PERIOD = (
    select(1)
    .where(
        period.c.business_id == vat_period.c.business_id,
        period.c.is_locked,
        period.c.start_date <= vat_period.c.end_date,
        period.c.end_date >= vat_period.c.start_date,
    )
    .exists()
)
ROW = (*STORED, HAS_EU_SALES, HAS_LOCKED_ACCOUNTING_PERIOD)
COUNT = select(func.count()).select_from(vat_period).where(IN_BUSINESS)
PAGE = (
    select(*ROW)
    .where(IN_BUSINESS)
    .order_by(vat_period.c.start_date.desc())
    .limit(bindparam("limit"))
    .offset(bindparam("offset"))
)


def list_page(conn: Connection, business_id: int, *, limit: int, offset: int) -> tuple[int, list[VatPeriodRow]]:
    """Return how many VAT periods there are, and one page of them, the latest first."""
    count = conn.execute(COUNT, {"business_id": business_id}).scalar_one()
    rows = conn.execute(PAGE, {"business_id": business_id, "limit": limit, "offset": offset})
    return count, [VatPeriodRow._make(row) for row in rows]


ONE = select(*ROW).where(IN_BUSINESS, vat_period.c.id == bindparam("vat_period_id"))
ONE_FOR_UPDATE = ONE.with_for_update()
SPANS = (
    select(vat_period.c.id, vat_period.c.start_date, vat_period.c.end_date)
    .where(IN_BUSINESS)
    .order_by(vat_period.c.start_date)
)


def get(conn: Connection, business_id: int, vat_period_id: int, *, for_update: bool = False) -> VatPeriodRow | None:
    """Return a VAT period of the business, or None."""
    statement = ONE_FOR_UPDATE if for_update else ONE
    row = conn.execute(statement, {"business_id": business_id, "vat_period_id": vat_period_id}).one_or_none()
    return None if row is None else VatPeriodRow._make(row)


def spans(conn: Connection, business_id: int, *, but: int | None = None) -> list[Span]:
    """Return the days of every VAT period in their order, but for the one of this id."""
    rows = conn.execute(SPANS, {"business_id": business_id})
    return [Span(start, end) for vat_period_id, start, end in rows if vat_period_id != but]


INSERT = insert(vat_period).returning(vat_period.c.id)
THIS = (vat_period.c.business_id == bindparam("of_business"), vat_period.c.id == bindparam("of_period"))
UPDATE = update(vat_period).where(*THIS)
DELETE = delete(vat_period).where(*THIS)
OPEN = {"is_locked": False, "is_reported": False, "is_recapitulative_reported": False}


def create(conn: Connection, business_id: int, values: dict[str, Any], stamp: str) -> int:
    """Insert an open VAT period and return its id."""
    stamps = {"created_at": stamp, "updated_at": stamp}
    return int(conn.execute(INSERT, {"business_id": business_id, **OPEN, **values, **stamps}).scalar_one())


def change(conn: Connection, business_id: int, vat_period_id: int, values: dict[str, Any]) -> None:
    """Write some columns of a VAT period."""
    conn.execute(UPDATE, {**values, "of_business": business_id, "of_period": vat_period_id})


def remove(conn: Connection, business_id: int, vat_period_id: int) -> None:
    """Delete a VAT period."""
    conn.execute(DELETE, {"of_business": business_id, "of_period": vat_period_id})


INSIDE = (
    document.c.business_id == bindparam("of_business"),
    document.c.date.between(bindparam("start"), bindparam("end")),
)
LOCK_DOCUMENTS = (
    update(document)
    .where(*INSIDE, document.c.is_locked.is_(False))
    .values(is_locked=True, locked_by=bindparam("of_period"), updated_at=bindparam("updated_at"))
)
RELEASE_DOCUMENTS = (
    update(document)
    .where(*INSIDE, document.c.locked_by == bindparam("of_period"))
    .values(is_locked=False, locked_by=None, updated_at=bindparam("updated_at"))
)


def lock_documents(conn: Connection, business_id: int, row: VatPeriodRow, stamp: str) -> None:
    """Lock every document dated inside that is not locked by itself, and note who did it."""
    conn.execute(LOCK_DOCUMENTS, _inside(business_id, row, stamp))


def release_documents(conn: Connection, business_id: int, row: VatPeriodRow, stamp: str) -> None:
    """Unlock the documents that the VAT period locked, and no others."""
    conn.execute(RELEASE_DOCUMENTS, _inside(business_id, row, stamp))


def _inside(business_id: int, row: VatPeriodRow, stamp: str) -> dict[str, Any]:
    days = {"start": row.start_date, "end": row.end_date}
    return {"of_business": business_id, "of_period": row.id, "updated_at": stamp, **days}
