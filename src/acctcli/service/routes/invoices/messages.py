"""What other systems say about a sales invoice: `.../invoice/{invoice_id}/status_messages/` (wire facts 1.3)."""

from __future__ import annotations

from typing import Any

from acctcli.service.problems import Missing
from acctcli.service.routes.call import Call
from acctcli.service.routes.invoices.changes import note_change
from acctcli.service.routes.invoices.guard import find
from acctcli.service.store.invoicing import invoice_parts


def create_status_message(call: Call) -> dict[str, Any]:
    """Add a message, whatever the status of the invoice."""
    row = find(call, for_update=True)
    message_id = invoice_parts.add_message(call.conn, call.business.id, row.id, call.body.message)
    note_change(call, row.id)
    return {"id": message_id, "message": call.body.message}


def delete_status_message(call: Call) -> None:
    """Delete a message."""
    row = find(call, for_update=True)
    if not invoice_parts.remove_message(call.conn, call.business.id, row.id, call.ids["message_id"]):
        raise Missing("There is no such message of this invoice.")
    note_change(call, row.id)
