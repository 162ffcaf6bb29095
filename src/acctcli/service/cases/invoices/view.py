"""How sales invoices are shown (docs/interface.md 7.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from acctcli.models.enums import InvoiceStatus
from acctcli.service.cases.contacts import show_contact
from acctcli.service.cases.documents.view import embed_documents
from acctcli.service.cases.invoices.prints import Prints, show_prints
from acctcli.service.cases.invoices.standings import network
from acctcli.service.cases.work import Work
from acctcli.service.rules.invoices import collection_date, friendly_name
from acctcli.service.rules.money import from_cents, from_e4
from acctcli.service.rules.recurrence import next_dates
from acctcli.service.store import contacts
from acctcli.service.store.books import documents
from acctcli.service.store.books.document_links import NOTHING, Links
from acctcli.service.store.books.documents import DocumentRow
from acctcli.service.store.invoicing import invoice_parts, invoices
from acctcli.service.store.invoicing.invoice_parts import InvoiceLine, Message
from acctcli.service.store.invoicing.invoices import InvoiceRow

if TYPE_CHECKING:
    from acctcli.models.contact import Contact
    from acctcli.models.document import EmbeddedDocument
    from acctcli.models.invoice import (
        InvoiceContent,
        InvoiceRecurrence,
        InvoiceStanding,
        InvoiceTerms,
        OriginalInvoiceCollection,
        SalesInvoice,
        SalesInvoiceRow,
    )

MOST_RECURRENCES = 5
# nothing is collected here: fields without behaviour (docs/interface.md 7.2)
NOT_COLLECTED = "NOT_STARTED"


class InvoiceContext(NamedTuple):
    """What one invoice is shown with, besides itself."""

    receiver: Mapping[str, Any]
    lines: Sequence[InvoiceLine]
    links: Links
    messages: Sequence[Message]
    credit_notes: Sequence[int]
    has_children: bool
    prints: Prints
    document: EmbeddedDocument | None
    is_past_due: bool


def weigh_invoices(work: Work, rows: Sequence[InvoiceRow]) -> list[int]:
    """Say of each invoice how many rows it has."""
    counts = invoice_parts.line_counts(work.conn, work.business.id, [row.id for row in rows])
    return [counts.get(row.id, 0) for row in rows]


def show_invoices(work: Work, rows: Sequence[InvoiceRow]) -> list[SalesInvoice]:
    """Return invoices as they are shown; what they refer to is looked up for all of them at once."""
    conn, business_id, ids = work.conn, work.business.id, [row.id for row in rows]
    receivers = contacts.of_ids(conn, business_id, {row.receiver_id for row in rows})
    lines = invoice_parts.lines(conn, business_id, ids)
    links = invoice_parts.links(conn, business_id, ids)
    messages = invoice_parts.messages(conn, business_id, ids)
    credit_notes = invoice_parts.credit_notes(conn, business_id, ids)
    children = invoice_parts.children(conn, business_id, ids)
    prints = show_prints(work, ids)
    booked = _documents(work, ids)
    past_due = _past_due(work, rows, booked)
    return [
        render_invoice(
            work,
            row,
            InvoiceContext(
                receiver=receivers[row.receiver_id],
                lines=lines.get(row.id, ()),
                links=links.get(row.id, NOTHING),
                messages=messages.get(row.id, ()),
                credit_notes=credit_notes.get(row.id, ()),
                has_children=row.id in children,
                prints=prints.get(row.id, Prints()),
                document=booked.get(row.id),
                is_past_due=row.id in past_due,
            ),
        )
        for row in rows
    ]


def show_invoice(work: Work, row: InvoiceRow) -> SalesInvoice:
    """Return one invoice as it is shown."""
    return show_invoices(work, [row])[0]


def show_stored(work: Work, invoice_id: int) -> SalesInvoice:
    """Return an invoice as it is shown, read anew."""
    row = invoices.get(work.conn, work.business.id, invoice_id)
    assert row is not None
    return show_invoice(work, row)


def _documents(work: Work, ids: Iterable[int]) -> dict[int | None, EmbeddedDocument]:
    """Return the document each invoice is booked by: that of its claim, else that of its payment."""
    booked: dict[int | None, DocumentRow] = {}
    for row in documents.of_invoices(work.conn, work.business.id, ids):
        booked.setdefault(row.invoice_id, row)  # the oldest first: a claim comes before its payment
    return dict(zip(booked, embed_documents(work, booked.values()), strict=True))


def _past_due(work: Work, rows: Sequence[InvoiceRow], booked: Mapping[int | None, EmbeddedDocument]) -> set[int]:
    """Return the invoices of which the customer owes something that was due before today."""
    late = [row for row in rows if row.status == InvoiceStatus.ACCEPTED and row.due_date < work.today]
    owed = {row.id: row.total_cents for row in late}
    # what nothing is related to is open as it stands, or less by credit notes, but never below nothing
    settled = [document["id"] for row in late if (document := booked.get(row.id)) and document["relations"]]
    standings = network(work, settled).standings() if settled else {}
    owed |= {invoice_id: standing.open for invoice_id, standing in standings.items() if invoice_id in owed}
    return {invoice_id for invoice_id, cents in owed.items() if cents > 0}


def render_invoice(work: Work, row: InvoiceRow, setting: InvoiceContext) -> SalesInvoice:
    """Return an invoice as it is shown, everything about it being known."""
    receiver = show_contact(setting.receiver)
    return {
        **_terms(work, row, receiver),
        **_content(row, setting),
        **_standing(work, row, setting, is_sendable=not row.is_draft and receiver["can_be_invoiced"]),
        **_recurrence(work, row),
        "is_registered_to_collector": False,
        "earliest_debt_collection_date": collection_date(row.due_date),
        "attachments": setting.links.attachment_ids,
        "settlement_date": row.settlement_date,
        "seller_reference": row.seller_reference,
        "buyer_reference": row.buyer_reference,
        "bank_transaction": None,
        "payment_date": row.payment_date,
        "document": setting.document,
        "is_automatic_debt_collection_enabled": row.is_automatic_debt_collection_enabled,
        "automatic_debt_collection_status": NOT_COLLECTED,
        "external_status_messages": [{"id": one.id, "message": one.message} for one in setting.messages],
        "tag_ids": setting.links.tag_ids,
    }


def _terms(work: Work, row: InvoiceRow, receiver: Contact) -> InvoiceTerms:
    return {
        "id": row.id,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
        "friendly_name": friendly_name(row.invoice_number, is_credit_note=row.is_credit_note_for is not None),
        "receiver": row.receiver_id,
        "receiver_info": receiver,
        "contact_person": row.contact_person,
        "invoice_number": row.invoice_number,
        "invoicing_date": row.invoicing_date,
        "payment_condition_days": row.payment_condition_days,
        "due_date": row.due_date,
        "reference": row.reference,
        "penalty_interest": from_cents(row.penalty_interest),
        "currency": "EUR",
        "vat_country": work.business.country,
        "description": row.description,
    }


def _content(row: InvoiceRow, setting: InvoiceContext) -> InvoiceContent:
    return {
        "is_credit_note_for": row.is_credit_note_for,
        "original_invoice_collection": _collection(row.is_credit_note_for),
        "credit_notes": setting.credit_notes,
        "pdf": setting.prints.pdf,
        "xrechnung_ubl_xml": setting.prints.xml,
        "rows": [_render_line(line) for line in setting.lines],
    }


def _standing(work: Work, row: InvoiceRow, setting: InvoiceContext, *, is_sendable: bool) -> InvoiceStanding:
    is_over = None if row.recurrence_end is None else row.recurrence_end < work.today
    return {
        "status": row.status,
        "total_vat_amount": from_cents(row.total_vat_cents),
        "total_amount": from_cents(row.total_cents),
        "is_editable": row.is_draft,
        "is_deletable": row.is_draft and not setting.credit_notes,
        "is_active_recurrence_template": row.is_active_recurrence_template,
        "is_recurrence_active": row.is_active_recurrence_template and not row.is_draft and not is_over,
        "is_recurrence_end_exceeded": is_over,
        "is_recurrence_applied": row.recurrence_parent_id is not None or setting.has_children,
        "is_past_due": setting.is_past_due,
        "delivery_method": row.delivery_method,
        "is_sendable": is_sendable,
        "last_delivery_at": row.last_delivery_at,
    }


def _recurrence(work: Work, row: InvoiceRow) -> InvoiceRecurrence:
    return {
        "recurrence_rule": None if row.recurrence_rule is None else msgspec.Raw(row.recurrence_rule.encode()),
        "recurrence_parent_id": row.recurrence_parent_id,
        "recurrence_reference_method": row.recurrence_reference_method,
        "recurrence_email_subject": row.recurrence_email_subject,
        "recurrence_email_content": row.recurrence_email_content,
        "recurrence_end": row.recurrence_end,
        "next_recurrences": _next_recurrences(row, work.today),
    }


def _collection(original_id: int | None) -> OriginalInvoiceCollection | None:
    if original_id is None:
        return None
    return {
        "invoice_id": original_id,
        "is_registered_to_collector": False,
        "collector_invoice_status": "",
        "automatic_debt_collection_status": NOT_COLLECTED,
    }


def _next_recurrences(row: InvoiceRow, today: date) -> list[date]:
    if row.recurrence_rule is None or not row.is_active_recurrence_template:
        return []
    rule = msgspec.json.decode(row.recurrence_rule)
    return next_dates(rule, row.invoicing_date, after=today, until=row.recurrence_end, count=MOST_RECURRENCES)


def _render_line(line: InvoiceLine) -> SalesInvoiceRow:
    return {
        "id": line.id,
        "code": line.code,
        "name": line.name,
        "unit": line.unit,
        "amount": from_e4(line.amount_e4),
        "vat_rate": from_cents(line.vat_rate),
        "vat_code": line.vat_code,
        "product": line.product_id,
        "product_count": from_e4(line.count_e4),
        "description": line.description,
        "total_vat_amount": from_cents(line.total_vat_cents),
        "total_amount": from_cents(line.total_cents),
        "account_id": line.account_id,
    }
