"""Sales invoices found, drafted, changed and deleted, and what other systems say about them (docs/interface.md 7)."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from acctcli.models.enums import InvoiceStatus
from acctcli.service.cases.invoices.content import InvoiceContent, check, columns, content_of, sent_content
from acctcli.service.cases.invoices.view import show_invoice, show_stored
from acctcli.service.cases.work import Work, found
from acctcli.service.problems import Locked, Missing, Precondition
from acctcli.service.rules.invoices import TRANSITIONS, delivery_options, friendly_name
from acctcli.service.store.invoicing import invoice_parts, invoices
from acctcli.service.store.invoicing.invoices import InvoiceRow

if TYPE_CHECKING:
    from acctcli.models.invoice import (
        DeliveryOption,
        SalesInvoice,
        SalesInvoiceRequest,
        StatusMessage,
        StatusMessageRequest,
    )


def find(work: Work, invoice_id: int, *, for_update: bool = False) -> InvoiceRow:
    """Return an invoice."""
    return found(invoices.get(work.conn, work.business.id, invoice_id, for_update=for_update), "invoice")


def find_draft(work: Work, invoice_id: int) -> InvoiceRow:
    """Return an invoice to write it; what is accepted stays as it was sent (docs/interface.md 7.1)."""
    row = find(work, invoice_id, for_update=True)
    if not row.is_draft:
        instead = "invoice it anew" if row.is_credit_note_for is not None else "write a credit note for it instead"
        raise Locked(f"{name(row)} is {row.status} and no longer a draft: {instead}.")
    return row


def refuse_step(row: InvoiceRow, action: str) -> Precondition:
    """Return the refusal of an action the invoice is in the wrong status for."""
    return Precondition(f"{name(row)} is {row.status}: {TRANSITIONS[action].otherwise}.")


def name(row: InvoiceRow) -> str:
    """Return what people call an invoice; a draft by its id."""
    if row.invoice_number is None:
        return f"Draft {row.id}"
    return friendly_name(row.invoice_number, is_credit_note=row.is_credit_note_for is not None)


# --- writing ---


def create_invoice(work: Work, body: SalesInvoiceRequest) -> SalesInvoice:
    """Create a draft."""
    content = sent_content(work, body, type(body).model_fields, InvoiceContent())
    check(work, content)
    shown = show_stored(work, insert_draft(work, content))
    work.emit("sales_invoice.created", shown)
    _note_credited(work, content.columns["is_credit_note_for"])
    return shown


def insert_draft(work: Work, content: InvoiceContent, recurrence_parent_id: int | None = None) -> int:
    """Insert a draft of a content that is checked, and return its id."""
    conn, business_id = work.conn, work.business.id
    values = {**columns(content), **work.born, "status": InvoiceStatus.DRAFT.value}
    invoice_id = invoices.create(conn, business_id, {**values, "recurrence_parent_id": recurrence_parent_id})
    invoice_parts.write_lines(conn, business_id, invoice_id, content.lines)
    invoice_parts.write_links(conn, business_id, invoice_id, content.links)
    invoices.note_transition(conn, business_id, invoice_id, InvoiceStatus.DRAFT, work.stamp)
    return invoice_id


def get_invoice(work: Work, invoice_id: int) -> SalesInvoice:
    """Show an invoice."""
    return show_invoice(work, find(work, invoice_id))


def list_delivery_methods(work: Work, invoice_id: int) -> list[DeliveryOption]:
    """List every way to deliver, and by which of them the receiver can be reached."""
    return delivery_options(get_invoice(work, invoice_id)["receiver_info"])


def delete_invoice(work: Work, invoice_id: int) -> None:
    """Delete a draft; what is accepted stays (423)."""
    row = find_draft(work, invoice_id)
    invoices.remove(work.conn, work.business.id, row.id)
    work.emit("sales_invoice.deleted", {"id": row.id})
    _note_credited(work, row.is_credit_note_for)


def change_invoice(work: Work, invoice_id: int, body: SalesInvoiceRequest, names: Collection[str]) -> SalesInvoice:
    """Write the fields of these names into a draft."""
    conn, business_id, row = work.conn, work.business.id, find_draft(work, invoice_id)
    before = content_of(work, row)
    content = sent_content(work, body, names, before)
    check(work, content)
    invoices.change(conn, business_id, row.id, {**columns(content), "updated_at": work.stamp})
    if "rows" in names:
        invoice_parts.write_lines(conn, business_id, row.id, content.lines)
    invoice_parts.write_links(conn, business_id, row.id, content.links, before.links)
    shown = show_stored(work, row.id)
    work.emit("sales_invoice.updated", shown)
    if content.columns["is_credit_note_for"] != row.is_credit_note_for:
        _note_credited(work, row.is_credit_note_for, content.columns["is_credit_note_for"])
    return shown


def _note_credited(work: Work, *original_ids: int | None) -> None:
    """Note that the credit notes of invoices are not what they were."""
    for original_id in original_ids:
        if original_id is not None:
            _note_change(work, original_id)


def _note_change(work: Work, invoice_id: int) -> None:
    """Note that what an invoice shows changed without anybody writing it: exports by time of change take it along."""
    invoices.change(work.conn, work.business.id, invoice_id, {"updated_at": work.stamp})
    work.emit("sales_invoice.updated", show_stored(work, invoice_id))


# --- messages of other systems ---


def add_message(work: Work, invoice_id: int, body: StatusMessageRequest) -> StatusMessage:
    """Add what another system says about an invoice, whatever its status."""
    row = find(work, invoice_id, for_update=True)
    message_id = invoice_parts.add_message(work.conn, work.business.id, row.id, body.message)
    _note_change(work, row.id)
    return {"id": message_id, "message": body.message}


def delete_message(work: Work, invoice_id: int, message_id: int) -> None:
    """Delete such a message."""
    row = find(work, invoice_id, for_update=True)
    if not invoice_parts.remove_message(work.conn, work.business.id, row.id, message_id):
        raise Missing("There is no such message of this invoice.")
    _note_change(work, row.id)
