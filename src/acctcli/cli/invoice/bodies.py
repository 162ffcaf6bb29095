"""Bodies of invoices: the fields of the options, with customer and rows as people write them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import msgspec

from acctcli.cli.command.body import check, collect
from acctcli.cli.command.plain import Name
from acctcli.cli.invoice.customers import find_customer
from acctcli.cli.invoice.rows import read_rows
from acctcli.cli.output.replies import decoded
from acctcli.cli.session.state import State
from acctcli.cli.vat.charged import Charged, checker, is_meant, rates_of_today
from acctcli.errors import UsageError
from acctcli.models.invoice import InvoiceAcceptRequest, InvoiceLossRequest, SalesInvoiceRequest


class _PaymentTerms(msgspec.Struct):
    invoicing_default_payment_condition_days: int | None = None


def read_new_invoice(here: State) -> SalesInvoiceRequest:
    """Build the body of a new draft: of today, and due as the business says, where nothing else is said.

    The business is asked last, and only where its answer counts. Raises UsageError when it has none.
    """
    refuse = refuse_rates(here)
    given = collect(here, SalesInvoiceRequest, look_up(here))
    if "invoicing_date" not in given:
        given["invoicing_date"] = here.day("--date")
    body = check(SalesInvoiceRequest, {"payment_condition_days": 0, **given})
    if "payment_condition_days" not in given:
        body.payment_condition_days = _usual_days(here)
    refuse(body, None)
    return body


def read_language(here: State) -> InvoiceAcceptRequest | None:
    """Return the language that an invoice is to be in; raise UsageError where the service has its own."""
    if not here.named:
        return None
    here.require_local()
    return check(InvoiceAcceptRequest, here.named)


def read_loss(here: State) -> InvoiceLossRequest | None:
    """Return the day that a loss is posted on; raise UsageError where the service has no other than today."""
    if not here.named:
        return None
    if not here.is_local_service:
        raise UsageError(
            f"--date: the service of {here.environment.name} posts a loss today",
            hint="leave --date out; or post it by hand: acctcli document create, and acctcli document relation create",
        )
    return check(InvoiceLossRequest, here.named)


class _Days(msgspec.Struct):
    invoicing_date: date
    settlement_date: date | None = None


def refuse_rates(here: State) -> Callable[[SalesInvoiceRequest, Name | None], None]:
    """Return what refuses rates of VAT that the country does not have on the day, unless they are meant."""
    meant = is_meant(here)

    def refuse(body: SalesInvoiceRequest, invoice: Name | None) -> None:
        rows = body.rows if "rows" in body.model_fields_set else ()
        charged = [
            Charged(f"row {place} ({row.name})", row.vat_code, row.vat_rate, row.amount * row.product_count < 0)
            for place, row in enumerate(rows, start=1)
        ]
        known = rates_of_today(here)
        if all(one.rate in known for one in charged) and not body.model_fields_set & {*_Days.__struct_fields__}:
            return  # the draft itself would have to be asked for its day
        if charged and not meant:
            checker(here, known)(charged, lambda: _day(here, body, invoice))

    return refuse


def _day(here: State, body: SalesInvoiceRequest, invoice: Name | None) -> date:
    """Return the day whose rates an invoice has: of delivery, else its own."""
    said = body.model_fields_set
    if invoice is None or said >= {"settlement_date", "invoicing_date"}:
        return body.settlement_date or body.invoicing_date
    kept = decoded(here.api.invoices.get(invoice), _Days)
    delivered = body.settlement_date if "settlement_date" in said else kept.settlement_date
    return delivered or (body.invoicing_date if "invoicing_date" in said else kept.invoicing_date)


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
