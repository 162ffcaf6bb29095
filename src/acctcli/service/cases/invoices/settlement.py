"""The status of invoices after what the books say is open of them (docs/interface.md 7.1, 7.5)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from acctcli.banking.settlement import Standing
from acctcli.models.enums import InvoiceStatus
from acctcli.service.cases.invoices.payments import standing_of_sale
from acctcli.service.cases.invoices.standings import network
from acctcli.service.cases.invoices.view import show_invoice
from acctcli.service.cases.work import Work
from acctcli.service.store.invoicing import invoices
from acctcli.service.store.invoicing.invoices import InvoiceRow


def follow(work: Work, document_ids: Iterable[int]) -> None:
    """Let the invoices that documents have to do with come to the status that the books say."""
    named = list(document_ids)
    invoice_ids = network(work, named).invoice_ids
    if not invoice_ids:
        return
    rows = invoices.lock(work.conn, work.business.id, invoice_ids)
    # with what others have written meanwhile
    now = network(work, named)
    standings = now.standings()
    for row in rows:
        if row.id in standings:
            _follow(work, row, standings[row.id], is_lost=now.is_lost(row.id))
        elif row.id in now.invoice_ids and row.status != InvoiceStatus.CREDIT_LOSS:
            _follow(work, row, standing_of_sale(work, row), is_lost=False)


def _follow(work: Work, row: InvoiceRow, found: Standing, *, is_lost: bool) -> None:
    paid, accepted, lost = InvoiceStatus.PAID, InvoiceStatus.ACCEPTED, InvoiceStatus.CREDIT_LOSS
    if row.status == accepted and found.settled_on is not None:
        moved = move(work, row, lost) if is_lost else move(work, row, paid, payment_date=found.settled_on)
        work.emit(f"sales_invoice.{'credit_loss' if is_lost else 'paid'}", show_invoice(work, moved))
    elif row.status in {paid, lost} and found.open:
        moved = move(work, row, accepted, payment_date=None)
        work.emit("sales_invoice.unpaid", show_invoice(work, moved))
    elif row.status == paid and found.settled_on not in {None, row.payment_date}:
        invoices.change(
            work.conn, work.business.id, row.id, {"payment_date": found.settled_on, "updated_at": work.stamp}
        )
        moved = row._replace(payment_date=found.settled_on, updated_at=work.stamp)
        work.emit("sales_invoice.updated", show_invoice(work, moved))


def move(work: Work, row: InvoiceRow, status: InvoiceStatus, **changes: Any) -> InvoiceRow:
    """Write that an invoice came to a status, and return it as it is now."""
    values: dict[str, Any] = {"status": status.value, "updated_at": work.stamp, **changes}
    invoices.change(work.conn, work.business.id, row.id, values)
    invoices.note_transition(work.conn, work.business.id, row.id, status, work.stamp)
    return row._replace(**{name: value for name, value in values.items() if name in InvoiceRow._fields})
