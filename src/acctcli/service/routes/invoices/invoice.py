"""Sales invoices of a business: `/v1/invoicing/{business_slug}/invoice/` (wire facts 1.3, 2.12, 5)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from acctcli.models.enums import InvoiceStatus
from acctcli.service.routes.call import Call, Page
from acctcli.service.routes.invoices.changes import note_change
from acctcli.service.routes.invoices.content import Content, check, columns, content_of, sent_content
from acctcli.service.routes.invoices.filters import invoice_clauses
from acctcli.service.routes.invoices.guard import find, find_draft
from acctcli.service.routes.invoices.view import show_invoice, show_invoices, show_stored
from acctcli.service.rules.invoices import delivery_options
from acctcli.service.store.invoicing import invoice_parts, invoices
from acctcli.service.store.invoicing.invoices import InvoiceRow


def list_invoices(call: Call) -> Page:
    """List invoices, the newest first, narrowed by the filters of wire facts 1.3."""
    page, clauses = call.page, invoice_clauses(call.query)
    count, rows = invoices.list_page(call.conn, call.business.id, clauses, limit=page.size, offset=page.offset)
    return Page(count, show_invoices(call, rows))


def get_invoice(call: Call) -> dict[str, Any]:
    """Show an invoice."""
    return show_invoice(call, find(call))


def list_delivery_methods(call: Call) -> list[dict[str, Any]]:
    """List every way to deliver, and by which of them the receiver can be reached."""
    receiver = get_invoice(call)["receiver_info"]
    return [option._asdict() for option in delivery_options(receiver)]


def create_invoice(call: Call) -> dict[str, Any]:
    """Create a draft."""
    content = sent_content(call, _all_fields(call), Content())
    check(call, content)
    shown = show_stored(call, insert_draft(call, content))
    call.emit("sales_invoice.created", shown)
    _note_credited(call, content.columns["is_credit_note_for"])
    return shown


def insert_draft(call: Call, content: Content, recurrence_parent_id: int | None = None) -> int:
    """Insert a draft of a content that is checked, and return its id."""
    conn, business_id = call.conn, call.business.id
    born = {"created_at": call.stamp, "updated_at": call.stamp, "status": InvoiceStatus.DRAFT.value}
    values = {**columns(content), **born, "recurrence_parent_id": recurrence_parent_id}
    invoice_id = invoices.create(conn, business_id, values)
    invoice_parts.write_lines(conn, business_id, invoice_id, content.lines)
    invoice_parts.write_links(conn, business_id, invoice_id, content.links)
    invoices.note_transition(conn, business_id, invoice_id, InvoiceStatus.DRAFT, call.stamp)
    return invoice_id


def replace_invoice(call: Call) -> dict[str, Any]:
    """Replace a draft: fields that are not sent return to their defaults."""
    return _change(call, find_draft(call), _all_fields(call))


def update_invoice(call: Call) -> dict[str, Any]:
    """Change the fields of a draft that are sent."""
    return _change(call, find_draft(call), call.body.model_fields_set)


def delete_invoice(call: Call) -> None:
    """Delete a draft; what is accepted stays (423)."""
    row = find_draft(call)
    invoices.remove(call.conn, call.business.id, row.id)
    call.emit("sales_invoice.deleted", {"id": row.id})
    _note_credited(call, row.is_credit_note_for)


def _all_fields(call: Call) -> set[str]:
    return set(type(call.body).model_fields)


def _change(call: Call, row: InvoiceRow, names: Collection[str]) -> dict[str, Any]:
    conn, business_id = call.conn, call.business.id
    before = content_of(call, row)
    content = sent_content(call, names, before)
    check(call, content, row.id)
    invoices.change(conn, business_id, row.id, {**columns(content), "updated_at": call.stamp})
    if "rows" in names:
        invoice_parts.write_lines(conn, business_id, row.id, content.lines)
    invoice_parts.write_links(conn, business_id, row.id, content.links, before.links)
    shown = show_stored(call, row.id)
    call.emit("sales_invoice.updated", shown)
    if content.columns["is_credit_note_for"] != row.is_credit_note_for:
        _note_credited(call, row.is_credit_note_for, content.columns["is_credit_note_for"])
    return shown


def _note_credited(call: Call, *original_ids: int | None) -> None:
    """Note that the credit notes of invoices are not what they were."""
    for original_id in original_ids:
        if original_id is not None:
            note_change(call, original_id)
