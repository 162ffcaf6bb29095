"""The life of a sales invoice: `.../invoice/{invoice_id}/actions/` and `.../send/` (wire facts 5.1, 5.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from acctcli.service.cases.invoices import steps
from acctcli.service.routes.call import Call
from acctcli.service.routes.operation import INVOICING, INVOICING_WRITE, Area

if TYPE_CHECKING:
    from acctcli.models.invoice import SalesInvoice
    from acctcli.service.delivery.outbox import Parcel

INVOICE = "invoice:SalesInvoice"
ACTIONS = Area("actions", f"{INVOICING}invoice/{{invoice_id}}/actions/", write=INVOICING_WRITE, response=INVOICE)
DELIVERY = Area("delivery", f"{INVOICING}invoice/{{invoice_id}}/", write=INVOICING_WRITE, response=INVOICE)


@ACTIONS.post("accept/")
def accept_invoice(call: Call) -> SalesInvoice:
    """Accept a draft: it is numbered, booked and printed."""
    return steps.accept_invoice(call, call.ids["invoice_id"])


@ACTIONS.post("paid/")
def pay_invoice(call: Call) -> SalesInvoice:
    """Note that an invoice is paid."""
    return steps.pay_invoice(call, call.ids["invoice_id"])


@ACTIONS.post("unpaid/")
def reopen_invoice(call: Call) -> SalesInvoice:
    """Take back that an invoice was paid or lost."""
    return steps.reopen_invoice(call, call.ids["invoice_id"])


@ACTIONS.post("credit_loss/")
def lose_invoice(call: Call) -> SalesInvoice:
    """Give up an invoice that nobody pays."""
    return steps.lose_invoice(call, call.ids["invoice_id"])


@ACTIONS.post("disable_recurrence/")
def disable_recurrence(call: Call) -> SalesInvoice:
    """Stop making invoices of a template."""
    return steps.disable_recurrence(call, call.ids["invoice_id"])


def _pack(call: Call, mark: str) -> Parcel:
    from acctcli.service.cases.invoices.delivery import pack_as_asked

    return pack_as_asked(call, call.ids["invoice_id"], call.body, mark)


@DELIVERY.post("send/", request="delivery:SendRequest", sends=_pack)
def record_delivery(call: Call) -> SalesInvoice:
    """Send an accepted invoice to its receiver."""
    from acctcli.service.cases.invoices.delivery import note_delivery

    return note_delivery(call, call.ids["invoice_id"], call.body.delivery_method)
