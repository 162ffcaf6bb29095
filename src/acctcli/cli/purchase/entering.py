"""Purchase invoices that are entered: none that is there already, and posted at once where that is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from acctcli.cli.document.bodies import Made
from acctcli.cli.document.rehearsal import rehearsed
from acctcli.cli.output.replies import decoded
from acctcli.cli.purchase.known import Known, Sender, find_older, find_same, last_account
from acctcli.cli.purchase.posting import (
    Named,
    Unposted,
    booked_by,
    check_postable,
    document_of,
    let_book,
    send,
)
from acctcli.cli.session.state import State
from acctcli.cli.vat.charged import rates_of_today
from acctcli.client.messages import Reply
from acctcli.errors import AcctcliError, Conflict, UsageError
from acctcli.law.vat_codes import NO_VAT
from acctcli.models.purchase_invoice import PurchaseInvoiceRequest


def enter(here: State, body: PurchaseInvoiceRequest, *, is_double: bool) -> Reply:
    """Enter a purchase invoice; raise UsageError for one that is there already, unless a double is meant."""
    return _enter(here, body, None if is_double else _there(here, body), is_double=is_double)


def enter_and_post(
    here: State, body: PurchaseInvoiceRequest, accounts: Sequence[str], *, is_double: bool
) -> Reply | None:
    """Enter a purchase invoice, post it as `purchase post` does, and return it; None from a rehearsal.

    All that can be known is checked before anything is sent. Without accounts it is the one that the last invoice of
    the sender was posted on. What is entered and cannot be posted stays, and it is said how to go on.
    """
    if body.document is not None:
        raise UsageError("--document books it already: it does not go with --post")
    planned = _unposted(body)
    check_postable(planned)
    found = None if is_double else _there(here, body)
    chosen = list(accounts) or [_last(here, body)]
    made = document_of(here, planned, chosen, body.invoicing_date, None)
    reply = None
    with rehearsed(here, made.preview):
        reply = _enter(here, body, found, is_double=is_double)
        purchase = decoded(reply, Unposted)
        # an earlier run with the same key may have posted it
        if purchase.document is None:
            reply = _post(here, purchase, made, chosen)
    return reply


def _enter(here: State, body: PurchaseInvoiceRequest, found: Known | None, *, is_double: bool) -> Reply:
    """Enter it, unless an earlier run did; where another run did so meanwhile, take it back and raise Conflict."""
    if found is not None:
        return here.api.purchase_invoices.get(found.id)
    reply = here.api.purchase_invoices.create(body, here.options.idempotency_key)
    if is_double:
        return reply
    own = decoded(reply, Unposted).id
    older = find_older(here, Sender(body.sender_name, body.sender_vat), body.invoice_number, own)
    if older is None:
        return reply
    here.api.purchase_invoices.delete(own)
    raise Conflict(
        f"another run entered this invoice meanwhile, as purchase invoice {older.id}: this one's is deleted",
        hint=f"look at it: acctcli purchase get {older.id}",
    )


def _post(here: State, purchase: Unposted, made: Made, accounts: Sequence[str]) -> Reply:
    """Post what was just entered."""
    made.body.description = purchase.title
    try:
        there = booked_by(here, purchase.title)
        posted = None if there.standing else send(here, purchase, made.body, there)
    except AcctcliError as error:
        error.message = f"purchase invoice {purchase.id} is entered, but not posted: {error.message}"
        options = " ".join(f"--account {one}" for one in accounts)
        error.hint = f"do not enter it again; go on with: acctcli purchase post {purchase.id} {options}"
        raise
    return let_book(here, purchase, made.body, posted)


def _there(here: State, body: PurchaseInvoiceRequest) -> Known | None:
    """Return what an earlier run with the same key entered; raise UsageError for any other that is there already."""
    found = find_same(here, Sender(body.sender_name, body.sender_vat), body.invoice_number)
    if found is None:
        return None
    is_it = (found.amount, found.invoicing_date) == (body.amount, body.invoicing_date)
    if is_it and here.options.idempotency_key is not None:
        here.say(f"note: it is there already, as purchase invoice {found.id}")
        return found
    raise UsageError(
        f"number {found.invoice_number} of {found.sender_name or found.sender_vat} is there already: purchase invoice "
        f"{found.id}, of {found.invoicing_date}, {found.amount}",
        hint=f"look at it: acctcli purchase get {found.id}; if both are right, give --duplicate",
        fields={"invoice_number": [f"is that of purchase invoice {found.id}"]},
    )


def _unposted(body: PurchaseInvoiceRequest) -> Unposted:
    """Return what a body is going to be, as far as its document says it."""
    return Unposted(
        id=0,
        invoicing_date=body.invoicing_date,
        amount=body.amount,
        currency=body.currency,
        import_source=body.import_source,
        original_attachment=Named(body.original_attachment.id) if body.original_attachment else None,
        attachments=body.attachments,
        tag_ids=body.tag_ids,
    )


def _last(here: State, body: PurchaseInvoiceRequest) -> str:
    """Return the account of the sender's last invoice with its VAT, as `--account` takes it."""
    last = last_account(here, Sender(body.sender_name, body.sender_vat))
    if len(last.taxed) > 1:
        raise UsageError(
            f"purchase invoice {last.purchase}, the last of this sender, has several rates of VAT",
            hint="say what each part was for: --account NUMBER:AMOUNT@CODE/RATE, once for each",
        )
    here.say(f"note: account {last.account}, as purchase invoice {last.purchase} has it")
    own = (last.account.default_vat_code or NO_VAT, last.account.default_vat_rate or Decimal(0))
    ((code, rate),) = last.taxed or {(last.vat_code, Decimal(0))}
    if (code, rate) == own or (code == own[0] and rate not in rates_of_today(here)):
        return last.account.number
    return f"{last.account.number}:{body.amount}@{code}{f'/{rate.normalize():f}' if rate else ''}"
