"""What changes of a sales invoice without anybody writing it: exports by time of change take it along."""

from __future__ import annotations

from acctcli.service.routes.call import Call
from acctcli.service.routes.invoices.view import show_stored
from acctcli.service.store.invoicing import invoices


def note_change(call: Call, invoice_id: int) -> None:
    """Note that something that an invoice shows has changed."""
    invoices.change(call.conn, call.business.id, invoice_id, {"updated_at": call.stamp})
    call.emit("sales_invoice.updated", show_stored(call, invoice_id))
