"""Sales invoices and what is done to them."""

from __future__ import annotations

from acctcli.models.enums import InvoiceStatus
from acctcli.service.routes.route import (
    INVOICING,
    INVOICING_READ,
    INVOICING_WRITE,
    MODELS,
    PAGING,
    ROUTES,
    Parameter,
    Route,
    area,
    resource,
)

INVOICE_PATH = f"{INVOICING}invoice/"
ONE_INVOICE = f"{INVOICE_PATH}{{invoice_id}}/"
MESSAGES = f"{ONE_INVOICE}status_messages/"
INVOICING_ADMIN = area("invoicing", "admin")
STATUSES = tuple(InvoiceStatus)


def _bounds(name: str, what: str) -> tuple[Parameter, Parameter]:
    return (
        Parameter(f"{name}_gte", "date", f"First {what}, inclusive."),
        Parameter(f"{name}_lte", "date", f"Last {what}, inclusive."),
    )


INVOICE_FILTERS = (
    *PAGING,
    Parameter("search", "string", "Number, reference, description or name of the receiver."),
    Parameter("status", "string", "Status; several may be given, with commas or again.", STATUSES, repeatable=True),
    Parameter("status_changed_to", "string", "A status the invoice came to, whatever it is now.", STATUSES),
    *_bounds("status_changed_at", "day it came to that status"),
    Parameter("is_credit_note", "boolean", "Credit notes."),
    Parameter("invoice_number", "integer", "The number it was accepted under."),
    *_bounds("created_at", "day of creation"),
    *_bounds("updated_at", "day of the last change"),
    *_bounds("invoicing_date", "invoicing date"),
    *_bounds("due_date", "due date"),
)


def _action(action: str, verb: str, summary: str) -> Route:
    return Route(
        "POST",
        f"{ONE_INVOICE}actions/{action}/",
        f"{ROUTES}.invoices.actions:{verb}",
        summary,
        needs=INVOICING_WRITE,
        response=f"{MODELS}.invoice:SalesInvoice",
    )


INVOICES = (
    *resource(
        "invoices.invoice",
        "invoice",
        INVOICE_PATH,
        "sales invoice",
        models=("invoice:SalesInvoiceRequest", "invoice:SalesInvoice"),
        read=INVOICING_READ,
        write=INVOICING_WRITE,
        filters=INVOICE_FILTERS,
    ),
    _action("accept", "accept_invoice", "Accept a draft: it is numbered, booked and printed."),
    _action("paid", "pay_invoice", "Note that an invoice is paid."),
    _action("unpaid", "reopen_invoice", "Take back that an invoice was paid or lost."),
    _action("credit_loss", "lose_invoice", "Give up an invoice that nobody pays."),
    _action("disable_recurrence", "disable_recurrence", "Stop making invoices of a template."),
    Route(
        "GET",
        f"{ONE_INVOICE}delivery_methods/",
        f"{ROUTES}.invoices.invoice:list_delivery_methods",
        "List the ways to deliver an invoice.",
        needs=INVOICING_WRITE,
        response=f"{MODELS}.invoice:DeliveryOptions",
    ),
    Route(
        "POST",
        MESSAGES,
        f"{ROUTES}.invoices.messages:create_status_message",
        "Add what another system says about an invoice.",
        needs=INVOICING_ADMIN,
        request=f"{MODELS}.invoice:StatusMessageRequest",
        response=f"{MODELS}.invoice:StatusMessage",
        status=201,
    ),
    Route(
        "DELETE",
        f"{MESSAGES}{{message_id}}/",
        f"{ROUTES}.invoices.messages:delete_status_message",
        "Delete such a message.",
        needs=INVOICING_ADMIN,
        shape="none",
        status=204,
    ),
)
