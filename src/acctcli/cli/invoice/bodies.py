"""Bodies of invoices: the fields of the options, with customer and rows as people write them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from typing import Any

import msgspec

from acctcli.cli.command.body import check, collect, read_body, read_changes
from acctcli.cli.invoice.customers import find_customer
from acctcli.cli.invoice.rows import read_rows
from acctcli.cli.output.replies import decoded
from acctcli.cli.session.state import State
from acctcli.errors import Conflict, UsageError
from acctcli.models.invoice import SalesInvoiceRequest

_LOCKED = 423


class _Business(msgspec.Struct):
    invoicing_default_payment_condition_days: int | None = None


def read_new_invoice(here: State, receiver: str | None, rows: Sequence[str] | None) -> SalesInvoiceRequest:
    """Build the body of a new draft: of today, and due as the business says, where nothing else is said.

    The business is asked last, and only where its answer counts. Raises UsageError when it has none.
    """
    given = collect(here, SalesInvoiceRequest, _named(here, receiver, rows))
    body = check(SalesInvoiceRequest, {"invoicing_date": date.today(), "payment_condition_days": 0, **given})
    if "payment_condition_days" not in given:
        body.payment_condition_days = _usual_days(here)
    return body


def _usual_days(here: State) -> int:
    days = decoded(here.api.businesses.get(here.business()), _Business).invoicing_default_payment_condition_days
    if days is None:
        raise UsageError(
            "payment_condition_days: required, since the business names no default", hint="say it with --days"
        )
    return days


def read_invoice(here: State, receiver: str | None, rows: Sequence[str] | None) -> SalesInvoiceRequest:
    """Build the whole body that replaces a draft; nothing is filled in, for it might undo what the draft says."""
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
