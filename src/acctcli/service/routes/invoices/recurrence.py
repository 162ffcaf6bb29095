"""Making invoices of a template, and mailing them (wire facts 5.6)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from hashlib import sha256
from typing import Any

from acctcli.models.enums import DeliveryMethod, RecurrenceReferenceMethod
from acctcli.service.delivery.outbox import Parcel
from acctcli.service.routes.call import Call
from acctcli.service.routes.invoices.actions import accept
from acctcli.service.routes.invoices.content import content_of
from acctcli.service.routes.invoices.delivery import Words, note_delivery, pack
from acctcli.service.routes.invoices.guard import find
from acctcli.service.routes.invoices.invoice import insert_draft
from acctcli.service.routes.invoices.view import show_stored
from acctcli.service.store.invoicing import invoices, recurrences
from acctcli.service.store.invoicing.invoices import InvoiceRow

# a child is no template
RULE = ("recurrence_rule", "recurrence_reference_method", "recurrence_end")
MAIL = ("recurrence_email_subject", "recurrence_email_content")


def make_child(call: Call, day: date) -> dict[str, Any] | None:
    """Make the invoice of a day of the template in the address, accepted; None when it is not due any more."""
    template = find(call, for_update=True)
    if not template.is_active_recurrence_template or day in recurrences.days(call.conn, call.business.id, template.id):
        return None
    content = content_of(call, template)
    child = content._replace(columns={**content.columns, **_own_columns(template, day)})
    child_id = insert_draft(call, child, template.id)
    call.emit("sales_invoice.created", show_stored(call, child_id))
    draft = invoices.get(call.conn, call.business.id, child_id, for_update=True)
    assert draft is not None
    return accept(call, draft)


def _own_columns(template: InvoiceRow, day: date) -> Mapping[str, Any]:
    """Return what differs from the template: its days, its reference unless kept, and that nothing recurs of it."""
    keeps = template.recurrence_reference_method == RecurrenceReferenceMethod.KEEP
    is_mailed = template.delivery_method == DeliveryMethod.EMAIL
    return {
        "invoicing_date": day,
        "settlement_date": _moved(template.settlement_date, template.invoicing_date, day),
        "reference": template.reference if keeps else None,
        "is_active_recurrence_template": False,
        **dict.fromkeys(RULE),
        **{name: getattr(template, name) if is_mailed else None for name in MAIL},
    }


def _moved(settled: date | None, before: date, day: date) -> date | None:
    """Return a day as far from `day` as it was from the template's; the calendar ends with the year 9999."""
    if settled is None:
        return None
    moved = settled.toordinal() + day.toordinal() - before.toordinal()
    return date.fromordinal(min(max(moved, 1), date.max.toordinal()))


def pack_child(call: Call) -> Parcel:
    """Return the mail an invoice made of a template goes with; it is the same mail whenever it is tried."""
    row = find(call)
    words = Words(row.recurrence_email_subject or "", row.recurrence_email_content)
    mark = sha256(f"recurrence\0{call.business.slug}\0{row.id}\0{row.created_at}".encode()).hexdigest()
    return pack(call, row, DeliveryMethod.EMAIL, words, mark)


def note_child_mailed(call: Call) -> None:
    """Note that an invoice made of a template was mailed."""
    note_delivery(call, find(call, for_update=True), DeliveryMethod.EMAIL)
