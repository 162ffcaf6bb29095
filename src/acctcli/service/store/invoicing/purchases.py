"""Purchase invoices: SQL only. A row is a mapping with the names of the columns; amounts are cents."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import Connection, and_, bindparam, delete, func, insert, select, update

from acctcli.service.store.links import LinkTable
from acctcli.service.store.listing import Clauses, Listing
from acctcli.service.store.schema.purchases import (
    PURCHASE_TEXTS,
    purchase_invoice,
    purchase_invoice_attachment,
    purchase_invoice_tag,
)

TEXTS = tuple(name for name, _ in PURCHASE_TEXTS)
SEARCHED = ("invoice_number", "sender_name", "reference")
ATTACHMENTS = LinkTable(purchase_invoice_attachment, "purchase_invoice_id", "attachment_id")
TAGS = LinkTable(purchase_invoice_tag, "purchase_invoice_id", "tag_id")

COLUMNS = purchase_invoice.c
KEY = (COLUMNS.business_id == bindparam("business_id"), COLUMNS.id == bindparam("invoice_id"))
PAST_DUE = and_(~COLUMNS.is_paid, func.coalesce(COLUMNS.due_date < bindparam("today"), False))
# days have both ends inside their range; moments are text, and end before the day after their last
DAYS = tuple(COLUMNS[name] for name in ("invoicing_date", "due_date", "payment_date"))
MOMENTS = (COLUMNS.created_at, COLUMNS.updated_at)
FILTERS = {
    "search": COLUMNS.search_text.like(bindparam("search"), escape="\\"),
    "invoice_number": COLUMNS.invoice_number == bindparam("invoice_number"),
    "import_source": COLUMNS.import_source == bindparam("import_source"),
    "is_paid": COLUMNS.is_paid == bindparam("is_paid"),
    "is_past_due": PAST_DUE,
    "is_not_past_due": ~PAST_DUE,
    **{f"{one.name}_gte": one >= bindparam(f"{one.name}_gte") for one in (*DAYS, *MOMENTS)},
    **{f"{one.name}_lte": one <= bindparam(f"{one.name}_lte") for one in DAYS},
    **{f"{one.name}_lte": one < bindparam(f"{one.name}_lte") for one in MOMENTS},
}
LISTING = Listing(purchase_invoice, tuple(COLUMNS), (COLUMNS.id.desc(),), FILTERS)
ONE = select(purchase_invoice).where(*KEY)
ONE_FOR_UPDATE = ONE.with_for_update()
INSERT = insert(purchase_invoice).returning(COLUMNS.id)
UPDATE = update(purchase_invoice).where(
    COLUMNS.business_id == bindparam("of_business"), COLUMNS.id == bindparam("of_invoice")
)
DELETE = delete(purchase_invoice).where(*KEY)


class VatDebt(NamedTuple):
    """What a reported VAT period makes the business owe, and to whom it is paid where that is known."""

    invoicing_date: date
    due_date: date
    amount_cents: int
    message: str
    sender_name: str | None
    sender_bank_account: str | None
    receiver_name: str


def list_page(
    conn: Connection, business_id: int, clauses: Clauses, *, limit: int, offset: int
) -> tuple[int, list[dict[str, Any]]]:
    """Return how many invoices pass the clauses, and one page of them, the newest first."""
    count, rows = LISTING.page(conn, business_id, clauses, limit=limit, offset=offset)
    return count, [dict(row._mapping) for row in rows]


def get(conn: Connection, business_id: int, invoice_id: int, *, for_update: bool = False) -> dict[str, Any] | None:
    """Return a purchase invoice of the business, or None."""
    key = {"business_id": business_id, "invoice_id": invoice_id}
    row = conn.execute(ONE_FOR_UPDATE if for_update else ONE, key).mappings().one_or_none()
    return None if row is None else dict(row)


def create(conn: Connection, business_id: int, values: Mapping[str, Any]) -> int:
    """Insert a purchase invoice and return its id."""
    searched = {"search_text": search_text(values)}
    return int(conn.execute(INSERT, {"business_id": business_id, **values, **searched}).scalar_one())


def create_vat_debt(conn: Connection, business_id: int, debt: VatDebt, stamp: str) -> int:
    """Insert the unpaid invoice of a reported VAT period and return its id (wire facts 6.3)."""
    values = debt._asdict() | {"currency": "EUR", "import_source": "VAT_PURCHASE_INVOICE", "is_paid": False}
    return create(conn, business_id, values | {"created_at": stamp, "updated_at": stamp})


def change(conn: Connection, business_id: int, invoice_id: int, values: Mapping[str, Any]) -> None:
    """Write a purchase invoice, all its texts among the values."""
    these = {"of_business": business_id, "of_invoice": invoice_id}
    conn.execute(UPDATE, {**values, "search_text": search_text(values), **these})


def remove(conn: Connection, business_id: int, invoice_id: int) -> None:
    """Delete a purchase invoice that no VAT period owes."""
    conn.execute(DELETE, {"business_id": business_id, "invoice_id": invoice_id})


def search_text(values: Mapping[str, Any]) -> str:
    """Return what a search looks into."""
    return "\n".join(values.get(name) or "" for name in SEARCHED).casefold()
