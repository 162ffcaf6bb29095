"""Finding a sales invoice, and what keeps it from being written."""

from __future__ import annotations

from acctcli.service.problems import Locked, Missing, Precondition
from acctcli.service.routes.call import Call
from acctcli.service.rules.invoices import TRANSITIONS, friendly_name
from acctcli.service.store.invoicing import invoices
from acctcli.service.store.invoicing.invoices import InvoiceRow


def find(call: Call, *, for_update: bool = False) -> InvoiceRow:
    """Return the invoice of the address."""
    row = invoices.get(call.conn, call.business.id, call.ids["invoice_id"], for_update=for_update)
    if row is None:
        raise Missing("There is no such invoice.")
    return row


def find_draft(call: Call) -> InvoiceRow:
    """Return the invoice of the address to write it; what is accepted stays as it was sent (wire facts 5.1)."""
    row = find(call, for_update=True)
    if not row.is_draft:
        instead = "invoice it anew" if row.is_credit_note_for is not None else "write a credit note for it instead"
        raise Locked(f"{name(row)} is {row.status} and no longer a draft: {instead}.")
    return row


def refuse_step(row: InvoiceRow, action: str) -> Precondition:
    """Return the refusal of an action the invoice is in the wrong status for."""
    return Precondition(f"{name(row)} is {row.status}: {TRANSITIONS[action].otherwise}.")


def name(row: InvoiceRow) -> str:
    """Return what people call an invoice; a draft by its id."""
    if row.invoice_number is None:
        return f"Draft {row.id}"
    return friendly_name(row.invoice_number, is_credit_note=row.is_credit_note_for is not None)
