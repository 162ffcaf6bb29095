"""VAT periods: SQL only. Days are inclusive, amounts are cents; every statement names the business."""

from __future__ import annotations

from datetime import date
from typing import Any, NamedTuple

from acctcli.law.closed_days import Span
from acctcli.law.vat_codes import EU_SALES
from acctcli.service.store.books import blocks
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement, columns, delete, insert, update
from acctcli.service.store.listing import Pages


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
    netting_document_id: int | None
    has_eu_sales: bool
    has_locked_accounting_period: bool

    @property
    def span(self) -> Span:
        """The days of it."""
        return Span(self.start_date, self.end_date)


# the codes stand in the statement itself, where an index of just these entries is found by them
CODES = ", ".join(str(code) for code in sorted(EU_SALES))
STORED = columns(VatPeriodRow).removesuffix(", has_eu_sales, has_locked_accounting_period")
SHOWN = f"""{STORED},
    EXISTS (SELECT 1 FROM entry WHERE entry.business_id = vat_period.business_id AND entry.vat_code IN ({CODES})
        AND entry.date BETWEEN vat_period.start_date AND vat_period.end_date) AS "has_eu_sales [boolean]",
    EXISTS (SELECT 1 FROM period WHERE period.business_id = vat_period.business_id AND period.is_locked
        AND period.start_date <= vat_period.end_date AND period.end_date >= vat_period.start_date)
        AS "has_locked_accounting_period [boolean]"
    """
PAGES = Pages(VatPeriodRow, SHOWN, "vat_period", "start_date DESC")
list_page = PAGES.page
ONE = Query(VatPeriodRow, f"SELECT {SHOWN} FROM vat_period WHERE business_id = :business_id AND id = :id")
ONE_FOR_UPDATE = Query(VatPeriodRow, f"{ONE.text} FOR UPDATE")
UNREPORTED = Query(
    VatPeriodRow,
    f"""SELECT {SHOWN} FROM vat_period WHERE business_id = :business_id AND NOT is_reported
    ORDER BY start_date FOR UPDATE""",
)
SPANS = Query[tuple[int, date, date]](
    tuple, "SELECT id, start_date, end_date FROM vat_period WHERE business_id = :business_id ORDER BY start_date"
)


def get(conn: Connection, business_id: int, vat_period_id: int, *, for_update: bool = False) -> VatPeriodRow | None:
    """Return a VAT period of the business, or None."""
    return (ONE_FOR_UPDATE if for_update else ONE).one(conn, business_id=business_id, id=vat_period_id)


def spans(conn: Connection, business_id: int, *, but: int | None = None) -> list[Span]:
    """Return the days of every VAT period in their order, but for the one of this id."""
    rows = SPANS.all(conn, business_id=business_id)
    return [Span(start, end) for vat_period_id, start, end in rows if vat_period_id != but]


def unreported(conn: Connection, business_id: int) -> list[VatPeriodRow]:
    """Return the VAT periods whose VAT has not been reported, in their order, and keep other writers away."""
    return UNREPORTED.all(conn, business_id=business_id)


OPEN = {"is_locked": False, "is_reported": False, "is_recapitulative_reported": False}


def create(conn: Connection, business_id: int, values: dict[str, Any], stamp: str) -> int:
    """Insert an open VAT period and return its id."""
    stamps = {"created_at": stamp, "updated_at": stamp}
    return insert(conn, "vat_period", {"business_id": business_id, **OPEN, **values, **stamps})


def change(conn: Connection, business_id: int, vat_period_id: int, values: dict[str, Any]) -> None:
    """Write some columns of a VAT period."""
    update(conn, "vat_period", values, business_id=business_id, id=vat_period_id)


def remove(conn: Connection, business_id: int, vat_period_id: int) -> None:
    """Delete a VAT period."""
    delete(conn, "vat_period", business_id=business_id, id=vat_period_id)


INSIDE = "business_id = :business_id AND date BETWEEN :start AND :end"
LOCK_DOCUMENTS = Statement(
    f"UPDATE document SET is_locked = true, locked_by = :id, updated_at = :stamp WHERE {INSIDE} AND NOT is_locked"
)
RELEASE_DOCUMENTS = Statement(
    f"UPDATE document SET is_locked = false, locked_by = NULL, updated_at = :stamp WHERE {INSIDE} AND locked_by = :id"
)


def lock_documents(conn: Connection, business_id: int, row: VatPeriodRow, stamp: str) -> None:
    """Lock every document dated inside that is not locked by itself, and note who did it."""
    LOCK_DOCUMENTS.run(conn, **_inside(business_id, row, stamp))
    blocks.fold_many_changed(conn, business_id)


def release_documents(conn: Connection, business_id: int, row: VatPeriodRow, stamp: str) -> None:
    """Unlock the documents that the VAT period locked, and no others."""
    RELEASE_DOCUMENTS.run(conn, **_inside(business_id, row, stamp))
    blocks.fold_many_changed(conn, business_id)


def _inside(business_id: int, row: VatPeriodRow, stamp: str) -> dict[str, Any]:
    return {"business_id": business_id, "id": row.id, "stamp": stamp, "start": row.start_date, "end": row.end_date}
