"""Bodies of invoices: the fields of the options, with customer and rows as people write them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from acctcli.cli.command.body import read_body, read_changes
from acctcli.cli.invoices.customers import find_customer
from acctcli.cli.invoices.rows import read_rows
from acctcli.cli.session.state import State
from acctcli.errors import Conflict
from acctcli.models.invoice import SalesInvoiceRequest

_LOCKED = 423


def read_invoice(here: State, receiver: str | None, rows: Sequence[str] | None) -> SalesInvoiceRequest:
    """Build a whole invoice body: a new draft, or what replaces one."""
    return read_body(here, SalesInvoiceRequest, _named(here, receiver, rows))


def read_invoice_changes(here: State, receiver: str | None, rows: Sequence[str] | None) -> SalesInvoiceRequest:
    """Build a partial invoice body."""
    return read_changes(here, SalesInvoiceRequest, _named(here, receiver, rows))


def _named(here: State, receiver: str | None, rows: Sequence[str] | None) -> dict[str, Any]:
    """Look up what was named; nothing is asked for where nothing was."""
    return {
        "receiver": find_customer(here, receiver) if receiver is not None else None,
        "rows": read_rows(here, rows) if rows else None,
    }


@contextmanager
def editing(invoice: int) -> Iterator[None]:
    """Say what to do where the service has locked an invoice that it accepted."""
    try:
        yield
    except Conflict as error:
        if error.status == _LOCKED:
            error.hint = (
                "an accepted invoice stays as it is; make a credit note for what was wrong: "
                f"acctcli invoice credit-note {invoice}"
            )
        raise
