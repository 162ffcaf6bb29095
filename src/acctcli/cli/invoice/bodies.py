"""Bodies of invoices: the fields of the options, with customer and rows as people write them."""

from __future__ import annotations

from datetime import date

import msgspec

from acctcli.cli.command.body import check, collect
from acctcli.cli.invoice.customers import find_customer
from acctcli.cli.invoice.rows import read_rows
from acctcli.cli.output.replies import decoded
from acctcli.cli.session.state import State
from acctcli.errors import UsageError
from acctcli.models.invoice import SalesInvoiceRequest


class _PaymentTerms(msgspec.Struct):
    invoicing_default_payment_condition_days: int | None = None


def read_new_invoice(here: State) -> SalesInvoiceRequest:
    """Build the body of a new draft: of today, and due as the business says, where nothing else is said.

    The business is asked last, and only where its answer counts. Raises UsageError when it has none.
    """
    given = collect(here, SalesInvoiceRequest, look_up(here))
    body = check(SalesInvoiceRequest, {"invoicing_date": date.today(), "payment_condition_days": 0, **given})
    if "payment_condition_days" not in given:
        body.payment_condition_days = _usual_days(here)
    return body


def _usual_days(here: State) -> int:
    days = decoded(here.api.businesses.get(here.business()), _PaymentTerms).invoicing_default_payment_condition_days
    if days is None:
        raise UsageError(
            "payment_condition_days: required, since the business names no default", hint="say it with --days"
        )
    return days


def look_up(here: State) -> dict[str, object]:
    """Return customer and rows as the interface has them; nothing is asked for where nothing was named."""
    receiver, rows = here.named.get("receiver"), here.named.get("rows")
    found: dict[str, object] = {}
    if receiver is not None:
        found["receiver"] = find_customer(here, receiver)
    if rows:
        found["rows"] = read_rows(here, rows)
    return found
