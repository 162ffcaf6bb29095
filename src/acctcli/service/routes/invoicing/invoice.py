"""Sales invoices: `/v1/invoicing/{business_slug}/invoice/` (wire facts 1.3, 2.12, 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from acctcli.models.enums import InvoiceStatus
from acctcli.service.cases.invoices import drafts
from acctcli.service.cases.invoices.view import show_invoice, show_invoices
from acctcli.service.problems import Invalid
from acctcli.service.routes.call import Call, Page
from acctcli.service.routes.operation import INVOICING, INVOICING_READ, INVOICING_WRITE, Area, keys
from acctcli.service.routes.parameters import SEARCH, Clauses, Narrow, Parameter, either, elsewhere, moment
from acctcli.service.rules.invoices import delivery_options
from acctcli.service.store.invoicing import invoices

if TYPE_CHECKING:
    from acctcli.models.invoice import DeliveryOption, SalesInvoice, StatusMessage

STATUSES = tuple(InvoiceStatus)
AT_ANY_TIME = {"status_changed_at_gte": "0001-01-01", "status_changed_at_lte": "9999-12-32"}

AREA = Area(
    "invoice",
    f"{INVOICING}invoice/",
    read=INVOICING_READ,
    write=INVOICING_WRITE,
    request="invoice:SalesInvoiceRequest",
    response="invoice:SalesInvoice",
    one="{invoice_id}/",
)
MESSAGES = Area("messages", f"{AREA.path}{AREA.one}status_messages/", write=keys("invoicing", "admin"))


def _bounds(name: str, what: str, narrow: Narrow | None = None) -> tuple[Parameter, Parameter]:
    return (
        Parameter(f"{name}_gte", "date", f"First {what}, inclusive.", narrow=narrow),
        Parameter(f"{name}_lte", "date", f"Last {what}, inclusive.", narrow=narrow),
    )


def _statuses(call: Call, name: str) -> Clauses:
    found = call.query.listed(name, STATUSES)
    return {"statuses": {"statuses": found}} if found else {}


def _came_to(call: Call, name: str) -> Clauses:
    """Narrow by a status that invoices came to, at some time or between two days."""
    status = call.query.choice(name, STATUSES)
    between = {**moment(call, "status_changed_at_gte"), **moment(call, "status_changed_at_lte")}
    if status is not None:
        given = {bound: day for values in between.values() for bound, day in values.items()}
        return {"came_to": {name: status, **AT_ANY_TIME, **given}}
    if between:
        raise Invalid.field(name, f"{next(iter(between))} needs the status that was come to.")
    return {}


@AREA.page(
    SEARCH._replace(description="Number, reference, description or name of the receiver."),
    Parameter("status", "string", "Status; several may be given, with commas or again.", STATUSES, True, _statuses),
    Parameter(
        "status_changed_to", "string", "A status the invoice came to, whatever it is now.", STATUSES, narrow=_came_to
    ),
    *_bounds("status_changed_at", "day it came to that status", elsewhere),
    Parameter("is_credit_note", "boolean", "Credit notes.", narrow=either("is_credit_note", "no_credit_note")),
    Parameter("invoice_number", "integer", "The number it was accepted under."),
    *_bounds("created_at", "day of creation", moment),
    *_bounds("updated_at", "day of the last change", moment),
    *_bounds("invoicing_date", "invoicing date"),
    *_bounds("due_date", "due date"),
)
def list_invoices(call: Call) -> Page:
    """List sales invoices."""
    return call.listed(invoices.list_page, call.clauses, show=lambda rows: show_invoices(call, rows))


@AREA.create()
def create_invoice(call: Call) -> SalesInvoice:
    """Create a sales invoice."""
    return drafts.create_invoice(call, call.body)


@AREA.get()
def get_invoice(call: Call) -> SalesInvoice:
    """Show a sales invoice."""
    return show_invoice(call, drafts.find(call, call.ids["invoice_id"]))


@AREA.replace()
def replace_invoice(call: Call) -> SalesInvoice:
    """Replace a sales invoice."""
    return drafts.replace_invoice(call, call.ids["invoice_id"], call.body)


@AREA.update()
def update_invoice(call: Call) -> SalesInvoice:
    """Change a sales invoice."""
    return drafts.update_invoice(call, call.ids["invoice_id"], call.body)


@AREA.delete()
def delete_invoice(call: Call) -> None:
    """Delete a sales invoice."""
    drafts.delete_invoice(call, call.ids["invoice_id"])


@AREA.get("delivery_methods/", needs=INVOICING_WRITE, response="invoice:DeliveryOptions")
def list_delivery_methods(call: Call) -> list[DeliveryOption]:
    """List the ways to deliver an invoice."""
    receiver = get_invoice(call)["receiver_info"]
    return delivery_options(receiver)


@MESSAGES.create(request="invoice:StatusMessageRequest", response="invoice:StatusMessage")
def create_status_message(call: Call) -> StatusMessage:
    """Add what another system says about an invoice."""
    return drafts.add_message(call, call.ids["invoice_id"], call.body.message)


@MESSAGES.delete("{message_id}/")
def delete_status_message(call: Call) -> None:
    """Delete such a message."""
    drafts.delete_message(call, call.ids["invoice_id"], call.ids["message_id"])
