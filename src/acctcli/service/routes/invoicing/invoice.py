"""Sales invoices: `/v1/invoicing/{business_slug}/invoice/` (docs/interface.md 7)."""

from __future__ import annotations

from acctcli.models.enums import InvoiceStatus
from acctcli.service.cases.invoices import drafts
from acctcli.service.cases.invoices.view import show_invoices, weigh_invoices
from acctcli.service.problems import Invalid
from acctcli.service.routes.operation import INVOICING, INVOICING_READ, INVOICING_WRITE, Area, keys
from acctcli.service.routes.parameters import SEARCH, Asked, Clauses, Narrow, Parameter, either, elsewhere, moment
from acctcli.service.store.invoicing import invoices

STATUSES = tuple(InvoiceStatus)
AT_ANY_TIME = {"status_changed_at_gte": "0001-01-01", "status_changed_at_lte": "9999-12-32"}


def _bounds(name: str, what: str, narrow: Narrow | None = None) -> tuple[Parameter, Parameter]:
    return (
        Parameter(f"{name}_gte", "date", f"First {what}, inclusive.", narrow=narrow),
        Parameter(f"{name}_lte", "date", f"Last {what}, inclusive.", narrow=narrow),
    )


def _statuses(call: Asked, name: str) -> Clauses:
    found = call.query.listed(name, STATUSES)
    return {"statuses": {"statuses": found}} if found else {}


def _came_to(call: Asked, name: str) -> Clauses:
    """Narrow by a status that invoices came to, at some time or between two days."""
    status = call.query.choice(name, STATUSES)
    between = {**moment(call, "status_changed_at_gte"), **moment(call, "status_changed_at_lte")}
    if status is not None:
        given = {bound: day for values in between.values() for bound, day in values.items()}
        return {"came_to": {name: status, **AT_ANY_TIME, **given}}
    if between:
        raise Invalid.field(name, f"{next(iter(between))} needs the status that was come to.")
    return {}


AREA = Area(
    "invoice",
    f"{INVOICING}invoice/",
    "invoice",
    name="sales invoice",
    read=INVOICING_READ,
    write=INVOICING_WRITE,
    request="invoice:SalesInvoiceRequest",
    response="invoice:SalesInvoice",
)
AREA.list(
    invoices.list_page,
    show_invoices,
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
    weigh=weigh_invoices,
)
AREA.create(drafts.create_invoice)
AREA.get(drafts.get_invoice)
AREA.change(drafts.change_invoice)
AREA.delete(drafts.delete_invoice)
AREA.look(
    "delivery_methods/",
    drafts.list_delivery_methods,
    "List the ways to deliver an invoice.",
    needs=INVOICING_WRITE,
    response="invoice:DeliveryOptions",
)

MESSAGES = Area(
    "messages",
    f"{AREA.path}{AREA.one}status_messages/",
    "status_message",
    one="{message_id}/",
    write=keys("invoicing", "admin"),
    request="invoice:StatusMessageRequest",
    response="invoice:StatusMessage",
)
MESSAGES.create(drafts.add_message, summary="Add what another system says about an invoice.")
MESSAGES.delete(drafts.delete_message, summary="Delete such a message.")
