"""Sales invoices: SQL only. Amounts are cents; every statement names the business."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, Connection, bindparam, delete, func, insert, or_, select, text, update
from sqlalchemy.sql import ColumnElement

from acctcli.models.enums import InvoiceStatus
from acctcli.service.store.engine.prepared import Prepared
from acctcli.service.store.listing import Clauses, Listing
from acctcli.service.store.schema.contacts import contact
from acctcli.service.store.schema.invoices import sales_invoice, sales_invoice_transition


class InvoiceRow(NamedTuple):
    """A sales invoice as it is stored; `recurrence_rule` is JSON text, `penalty_interest` hundredths of a percent."""

    id: int
    created_at: str
    updated_at: str
    status: str
    invoice_number: int | None
    receiver_id: int
    contact_person: str | None
    invoicing_date: date
    payment_condition_days: int
    due_date: date
    reference: str | None
    penalty_interest: int
    description: str | None
    is_credit_note_for: int | None
    is_active_recurrence_template: bool
    delivery_method: str | None
    last_delivery_at: str | None
    recurrence_rule: str | None
    recurrence_parent_id: int | None
    recurrence_reference_method: str | None
    recurrence_email_subject: str | None
    recurrence_email_content: str | None
    recurrence_end: date | None
    settlement_date: date | None
    seller_reference: str | None
    buyer_reference: str | None
    payment_date: date | None
    is_automatic_debt_collection_enabled: bool
    total_vat_cents: int
    total_cents: int

    @property
    def is_draft(self) -> bool:
        """Whether it may still be written."""
        return self.status == InvoiceStatus.DRAFT


BUSINESS: BindParameter[int] = bindparam("business_id")
IN_BUSINESS = sales_invoice.c.business_id == BUSINESS
ROW = tuple(sales_invoice.c[name] for name in InvoiceRow._fields)
OF_NAMED_RECEIVER = sales_invoice.c.receiver_id.in_(
    select(contact.c.id).where(
        contact.c.business_id == BUSINESS, contact.c.sort_name.like(bindparam("search"), escape="\\")
    )
)


MOVED = sales_invoice_transition.c
# whatever it is now
CAME_TO = sales_invoice.c.id.in_(
    select(MOVED.invoice_id).where(
        MOVED.business_id == BUSINESS,
        MOVED.status == bindparam("status_changed_to"),
        MOVED.changed_at >= bindparam("status_changed_at_gte"),
        MOVED.changed_at < bindparam("status_changed_at_lte"),
    )
)


def _range(column: ColumnElement[Any], name: str) -> dict[str, ColumnElement[bool]]:
    """Bound a date, both bounds inclusive."""
    return {f"{name}_gte": column >= bindparam(f"{name}_gte"), f"{name}_lte": column <= bindparam(f"{name}_lte")}


def _moments(column: ColumnElement[Any], name: str) -> dict[str, ColumnElement[bool]]:
    """Bound a moment by days: `_lte` is given the day after."""
    return {f"{name}_gte": column >= bindparam(f"{name}_gte"), f"{name}_lte": column < bindparam(f"{name}_lte")}


# the clauses a list may be narrowed by; each takes the parameters named in it
FILTERS: dict[str, ColumnElement[bool]] = {
    "search": or_(sales_invoice.c.search_text.like(bindparam("search"), escape="\\"), OF_NAMED_RECEIVER),
    "statuses": sales_invoice.c.status.in_(bindparam("statuses", expanding=True)),
    "is_credit_note": sales_invoice.c.is_credit_note_for.is_not(None),
    "no_credit_note": sales_invoice.c.is_credit_note_for.is_(None),
    "invoice_number": sales_invoice.c.invoice_number == bindparam("invoice_number"),
    "came_to": CAME_TO,
    **_range(sales_invoice.c.invoicing_date, "invoicing_date"),
    **_range(sales_invoice.c.due_date, "due_date"),
    **_moments(sales_invoice.c.created_at, "created_at"),
    **_moments(sales_invoice.c.updated_at, "updated_at"),
}
LISTING = Listing(sales_invoice, ROW, (sales_invoice.c.id.desc(),), FILTERS)


def list_page(
    conn: Connection, business_id: int, clauses: Clauses, *, limit: int, offset: int
) -> tuple[int, list[InvoiceRow]]:
    """Return how many invoices pass the clauses, and one page of them, the newest first."""
    count, rows = LISTING.page(conn, business_id, clauses, limit=limit, offset=offset)
    return count, [InvoiceRow._make(row) for row in rows]


_ONE = select(*ROW).where(IN_BUSINESS, sales_invoice.c.id == bindparam("invoice_id"))
ONE = Prepared(_ONE)
ONE_FOR_UPDATE = Prepared(_ONE.with_for_update())


def get(conn: Connection, business_id: int, invoice_id: int, *, for_update: bool = False) -> InvoiceRow | None:
    """Return an invoice of the business, or None; `for_update` keeps other writers away until the commit."""
    statement = ONE_FOR_UPDATE if for_update else ONE
    row = statement.one(conn, business_id=business_id, invoice_id=invoice_id)
    return None if row is None else InvoiceRow._make(row)


INSERT = insert(sales_invoice).returning(sales_invoice.c.id)
# an update takes a parameter named like a column for a value to set: hence `of_business`
UPDATE = update(sales_invoice).where(
    sales_invoice.c.business_id == bindparam("of_business"), sales_invoice.c.id == bindparam("of_invoice")
)
DELETE = delete(sales_invoice).where(IN_BUSINESS, sales_invoice.c.id == bindparam("invoice_id"))


def create(conn: Connection, business_id: int, values: Mapping[str, Any]) -> int:
    """Insert an invoice and return its id."""
    return int(conn.execute(INSERT, {"business_id": business_id, **values}).scalar_one())


def change(conn: Connection, business_id: int, invoice_id: int, values: Mapping[str, Any]) -> None:
    """Write some columns of an invoice."""
    conn.execute(UPDATE, {**values, "of_business": business_id, "of_invoice": invoice_id})


def remove(conn: Connection, business_id: int, invoice_id: int) -> None:
    """Delete a draft with everything that hangs on it."""
    conn.execute(DELETE, {"business_id": business_id, "invoice_id": invoice_id})


INSERT_TRANSITION = insert(sales_invoice_transition)


def note_transition(conn: Connection, business_id: int, invoice_id: int, status: str, stamp: str) -> None:
    """Remember when an invoice came to a status."""
    values = {"business_id": business_id, "invoice_id": invoice_id, "status": status, "changed_at": stamp}
    conn.execute(INSERT_TRANSITION, values)


# plain SQL: both databases know this upsert, SQLAlchemy spells it per dialect
NEXT_NUMBER = Prepared(
    text(
        "INSERT INTO sales_invoice_counter (business_id, last) VALUES (:business_id, 1) "
        "ON CONFLICT (business_id) DO UPDATE SET last = sales_invoice_counter.last + 1 RETURNING last"
    )
)


def next_number(conn: Connection, business_id: int) -> int:
    """Take the next number of a business; a rollback gives it back, so numbers have no gaps."""
    row = NEXT_NUMBER.one(conn, business_id=business_id)
    assert row is not None
    return int(row[0])


CREDITED = select(func.coalesce(func.sum(sales_invoice.c.total_cents), 0)).where(
    IN_BUSINESS,
    sales_invoice.c.is_credit_note_for == bindparam("original_id"),
    sales_invoice.c.status != InvoiceStatus.DRAFT,
    sales_invoice.c.id != bindparam("but_invoice"),
)


def credited(conn: Connection, business_id: int, original_id: int, but_invoice: int) -> int:
    """Return what the accepted credit notes of an invoice come to but for one of them, in cents; never positive."""
    values = {"business_id": business_id, "original_id": original_id, "but_invoice": but_invoice}
    return int(conn.execute(CREDITED, values).scalar_one())


NAMING = (
    select(sales_invoice.c.id)
    .where(IN_BUSINESS, sales_invoice.c.receiver_id == bindparam("contact_id"))
    .limit(1)
)  # fmt: skip


def name_contact(conn: Connection, business_id: int, contact_id: int) -> bool:
    """Say whether an invoice or a draft is made out to a contact."""
    return conn.execute(NAMING, {"business_id": business_id, "contact_id": contact_id}).first() is not None
