"""Sales invoices: SQL only. Amounts are cents; every statement names the business."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from acctcli.models.enums import InvoiceStatus
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement, columns, insert
from acctcli.service.store.rows import Rows


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


LARGEST_NUMBER = 2**31 - 1
NAMED = r"SELECT id FROM contact WHERE business_id = :business_id AND sort_name LIKE :search ESCAPE '\'"
# whatever it is now
CAME_TO = """SELECT invoice_id FROM sales_invoice_transition
    WHERE business_id = :business_id AND status = :status_changed_to
    AND changed_at >= :status_changed_at_gte AND changed_at < :status_changed_at_lte"""

ROWS = Rows(
    InvoiceRow,
    "sales_invoice",
    "id DESC",
    # each takes the parameters named in it; days have both ends inside, moments end before the day after the last
    {
        "search": rf"(search_text LIKE :search ESCAPE '\' OR receiver_id IN ({NAMED}))",
        "statuses": "status IN (:statuses...)",
        "is_credit_note": "is_credit_note_for IS NOT NULL",
        "no_credit_note": "is_credit_note_for IS NULL",
        "invoice_number": "invoice_number = :invoice_number",
        "came_to": f"id IN ({CAME_TO})",
        "invoicing_date_gte": "invoicing_date >= :invoicing_date_gte",
        "invoicing_date_lte": "invoicing_date <= :invoicing_date_lte",
        "due_date_gte": "due_date >= :due_date_gte",
        "due_date_lte": "due_date <= :due_date_lte",
        "created_at_gte": "created_at >= :created_at_gte",
        "created_at_lte": "created_at < :created_at_lte",
        "updated_at_gte": "updated_at >= :updated_at_gte",
        "updated_at_lte": "updated_at < :updated_at_lte",
    },
)
# a draft is removed with everything that hangs on it
list_page, get, create, change, remove = ROWS.list_page, ROWS.get, ROWS.create, ROWS.change, ROWS.remove

NEXT_NUMBER = Statement(
    """INSERT INTO sales_invoice_counter (business_id, last) VALUES (:business_id, 1)
    ON CONFLICT (business_id) DO UPDATE SET last = sales_invoice_counter.last + 1 RETURNING last"""
)
CREDITED = Statement(
    f"""SELECT id FROM sales_invoice WHERE business_id = :business_id
    AND is_credit_note_for = :original_id AND status <> '{InvoiceStatus.DRAFT.value}' AND invoice_number < :before"""
)
OPEN_WITHOUT_CLAIM = Query(
    InvoiceRow,
    f"""SELECT {columns(InvoiceRow)} FROM sales_invoice
    WHERE business_id = :business_id AND status = '{InvoiceStatus.ACCEPTED.value}' AND NOT EXISTS (
        SELECT 1 FROM document WHERE document.business_id = sales_invoice.business_id
        AND document.invoice_id = sales_invoice.id)
    ORDER BY invoice_number""",
)
LOCKED = Query(
    InvoiceRow,
    f"""SELECT {columns(InvoiceRow)} FROM sales_invoice
    WHERE business_id = :business_id AND id IN (:ids...) ORDER BY id FOR UPDATE""",
)
NAMING = Statement(
    "SELECT id FROM sales_invoice WHERE business_id = :business_id AND receiver_id = :contact_id LIMIT 1"
)


def note_transition(conn: Connection, business_id: int, invoice_id: int, status: str, stamp: str) -> None:
    """Remember when an invoice came to a status."""
    row = {"business_id": business_id, "invoice_id": invoice_id, "status": status, "changed_at": stamp}
    insert(conn, "sales_invoice_transition", row)


def next_number(conn: Connection, business_id: int) -> int:
    """Take the next number of a business; a rollback gives it back, so numbers have no gaps."""
    return int(NEXT_NUMBER.value(conn, business_id=business_id))


def credited(conn: Connection, business_id: int, original_id: int, before: int | None = None) -> list[int]:
    """Return the accepted credit notes of an invoice, all of them, or those with a number before one."""
    last = LARGEST_NUMBER if before is None else before
    return CREDITED.values(conn, business_id=business_id, original_id=original_id, before=last)


def lock(conn: Connection, business_id: int, invoice_ids: Iterable[int]) -> list[InvoiceRow]:
    """Return invoices and keep other writers away from them; in one order, so that nobody waits for who waits."""
    return LOCKED.all(conn, business_id=business_id, ids=invoice_ids)


def open_without_claim(conn: Connection, business_id: int) -> list[InvoiceRow]:
    """Return the accepted, open invoices and credit notes that no document books, in the order of their numbers."""
    return OPEN_WITHOUT_CLAIM.all(conn, business_id=business_id)


def name_contact(conn: Connection, business_id: int, contact_id: int) -> bool:
    """Say whether an invoice or a draft is made out to a contact."""
    return NAMING.value(conn, business_id=business_id, contact_id=contact_id) is not None
