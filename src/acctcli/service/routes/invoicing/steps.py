"""The life of a sales invoice: `.../invoice/{invoice_id}/actions/` and `.../send/` (docs/interface.md 7.1, 7.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from acctcli.service.cases.invoices import steps
from acctcli.service.routes.call import Call
from acctcli.service.routes.operation import INVOICING, INVOICING_READ, INVOICING_WRITE, Area

if TYPE_CHECKING:
    from acctcli.models.delivery import SendRequest
    from acctcli.models.invoice import KeptInvoice, SalesInvoice
    from acctcli.service.cases.work import Work
    from acctcli.service.delivery.outbox import Parcel


def _pack(call: Call, mark: str) -> Parcel:
    from acctcli.service.cases.invoices.delivery import pack_as_asked

    return pack_as_asked(call, call.ids["invoice_id"], call.body, mark, call.seen)


def record_delivery(work: Work, invoice_id: int, body: SendRequest) -> SalesInvoice:
    """Note that an invoice was delivered."""
    from acctcli.service.cases.invoices.delivery import note_delivery

    return note_delivery(work, invoice_id, body.delivery_method)


PATH, REPLY = f"{INVOICING}invoice/", "invoice:SalesInvoice"


def _show_kept(work: Work, invoice_id: int) -> KeptInvoice:
    from acctcli.service.cases.invoices.kept import show_kept_invoice

    return show_kept_invoice(work, invoice_id)


ACTIONS = Area("actions", PATH, "invoice", write=INVOICING_WRITE, response=REPLY)
ACTIONS.act(
    "actions/accept/",
    steps.accept_invoice,
    "Accept a draft: it is numbered, booked and printed.",
    request="invoice:InvoiceAcceptRequest",
)
ACTIONS.act(
    "actions/paid/",
    steps.pay_invoice,
    "Note that an invoice is paid, or what of it was.",
    request="invoice:InvoicePaymentRequest",
)
ACTIONS.act("actions/unpaid/", steps.reopen_invoice, "Take back that an invoice was paid or lost.")
ACTIONS.act(
    "actions/credit_loss/",
    steps.lose_invoice,
    "Give up an invoice that nobody pays.",
    request="invoice:InvoiceLossRequest",
)
ACTIONS.act("actions/disable_recurrence/", steps.disable_recurrence, "Stop making invoices of a template.")

DELIVERY = Area("delivery", PATH, "invoice", write=INVOICING_WRITE, response=REPLY)
DELIVERY.look(
    "kept/",
    _show_kept,
    "Show what an accepted invoice says, as it was kept.",
    name="show_kept_invoice",
    needs=INVOICING_READ,
    response="invoice:KeptInvoice",
    local=True,
)
DELIVERY.act(
    "send/",
    record_delivery,
    "Send an accepted invoice to its receiver.",
    request="delivery:SendRequest",
    sends=_pack,
)
