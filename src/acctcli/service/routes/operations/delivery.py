"""Sending sales invoices."""

from __future__ import annotations

from acctcli.service.routes.operations.invoice import ONE_INVOICE
from acctcli.service.routes.route import INVOICING_WRITE, MODELS, ROUTES, Route

DELIVERY = (
    Route(
        "POST",
        f"{ONE_INVOICE}send/",
        f"{ROUTES}.invoices.delivery:record_delivery",
        "Send an accepted invoice to its receiver.",
        needs=INVOICING_WRITE,
        request=f"{MODELS}.delivery:SendRequest",
        response=f"{MODELS}.invoice:SalesInvoice",
        sends=f"{ROUTES}.invoices.delivery:pack_invoice",
    ),
)
