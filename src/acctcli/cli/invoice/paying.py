"""Payments of invoices: a document and its relations, on any day, account and amount (docs/interface.md 7.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from http import HTTPStatus
from typing import Any

from acctcli.cli.account.chart import account_id
from acctcli.cli.command.body import check
from acctcli.cli.document.moves import Booked
from acctcli.cli.document.settling import (
    Posted,
    Related,
    key_of_moment,
    money_account,
    post_once,
    refuse_others,
    relate,
    settled_by,
)
from acctcli.cli.invoice.reminded import reminders_in
from acctcli.cli.invoice.standing import LOST, Invoice, open_of
from acctcli.cli.output.replies import decoded
from acctcli.cli.session.state import State
from acctcli.errors import Conflict, Incomplete, Rejected, UsageError
from acctcli.law.vat_codes import NO_VAT
from acctcli.models.document import DocumentRequest
from acctcli.models.invoice import InvoicePaymentRequest
from acctcli.models.relation import RelationRequest


def pay(
    here: State, ids: Sequence[int], day: date, account: str | None, amount: Decimal | None, *, back: bool = False
) -> None:
    """Post one payment of invoices, or `back` what they have too much, and relate it to what each claims.

    What is open is paid unless an amount is given: the oldest first, what is over with the latest, as the books settle
    them. Raises UsageError where nothing is open, and where an invoice is not in the books.
    """
    found = _read(here, ids)
    if unbooked := [one for one in found if one.is_paid_by_sale]:
        if len(found) > 1:
            raise UsageError(
                f"{unbooked[0].title} is not in the books: what posts a sale pays one invoice",
                hint=f"acctcli invoice pay {unbooked[0].id} --date {day}",
            )
        _pay_sale(here, unbooked[0], day, account, amount, back=back)
        return
    related_to = {claim.id: settled_by(here, claim.id) for claim in map(_claim, found)}
    # a payment since the invoices were read would be known as one, and they as open
    claimed = [(_claim(one), one) for one in _read(here, ids)]
    claimed.sort(key=lambda pair: (pair[0].date, pair[0].id))
    claims, invoices = [claim for claim, _ in claimed], [one for _, one in claimed]
    title = f"{'Refund' if back else 'Payment'}: {', '.join(one.friendly_name for one in invoices)}"[:256]
    before = {one.related_document for some in related_to.values() for one in some}
    base = key_of_moment(here, f"payment of claims {sorted(related_to)}", before)
    done = _begun(here, related_to, title, day)
    if done is None:
        shares = _shares(here, invoices, amount, back=back)
        money = money_account(here, account)
        _refuse_own(claims, money, account)
        body = _document(invoices, claims, shares, title, day, money, back=back)
        done = post_once(here, body, base, before), set[int]()
    posted, related = done
    for claim, one in claimed:
        _note_early(here, one, day, claim.date)
    missing = [(one, claim) for one, claim in zip(invoices, claims, strict=True) if claim.id not in related]
    for place, (_, claim) in enumerate(missing):
        relate(here, posted, claim.id, base, ", ".join(one.friendly_name for one, _ in missing[place:]))
    here.say(f"Document {posted} is posted, and related to {title.partition(': ')[2]}.")
    if here.options.idempotency_key is None:
        refuse_others(here, related_to, before)


def _read(here: State, ids: Sequence[int]) -> list[Invoice]:
    return [decoded(here.api.invoices.get(one), Invoice) for one in dict.fromkeys(ids)]


def _refuse_own(claims: Sequence[Booked], money: int, written: str | None) -> None:
    """Raise UsageError for the account that a claim stands on: the two sides of the payment would be one."""
    if any(claim.blueprint.debet_account_id == money for claim in claims):
        raise UsageError(
            f"--account {written}: the invoice itself stands on it, so nothing would be paid",
            hint="name the account that the money came to, such as --account 1910",
        )


def set_off(here: State, note: int, invoice: int) -> None:
    """Relate what a credit note claims to what an invoice does, so that each settles the other."""
    given, owing = (decoded(here.api.invoices.get(one), Invoice) for one in (note, invoice))
    if given.receiver != owing.receiver:
        raise UsageError(
            f"{given.title} is for {given.receiver_info.name} and {owing.title} for {owing.receiver_info.name}: "
            "what one customer is owed does not pay for another",
            hint=f"acctcli invoice refund {note} and acctcli invoice pay {invoice}, each with its customer",
        )
    claim, other = (_claim(one) for one in (given, owing))
    opens = open_of(here, [given, owing])
    if opens[given.id] >= 0 or opens[owing.id] <= 0:
        raise UsageError(
            f"{given.title} has {-opens[given.id]} to give and {owing.title} {opens[owing.id]} open: "
            "there is nothing to set off",
            hint="name what is owed to the customer first, then what the customer owes",
        )
    if claim.stands_on != other.stands_on:
        raise UsageError(
            f"{given.title} stands on account {claim.stands_on} and {owing.title} on {other.stands_on}: "
            "a relation would settle neither",
            hint=f"acctcli invoice refund {note} and acctcli invoice pay {invoice}, both on one account of money",
        )
    # they settle each other on the day of the later one: as long as that is open, its relations may change
    if other.date > claim.date:
        address, body = other, {"related_document": claim.id, "role": "ACCRUAL"}
    else:
        address, body = claim, {"related_document": other.id, "role": "SETTLEMENT"}
    try:
        here.api.relations(address.id).create(check(RelationRequest, body), here.options.idempotency_key)
    except Conflict as error:
        if error.status == HTTPStatus.LOCKED:
            error.hint = (
                f"on an open day: acctcli invoice refund {note} and acctcli invoice pay {invoice}, with the same "
                "--amount and --account, settle both"
            )
        raise


def _claim(invoice: Invoice) -> Booked:
    """Return the document of what an invoice claims; raise UsageError where it has none."""
    if invoice.status == "DRAFT":
        raise UsageError(
            f"invoice {invoice.id} is a draft: nobody owes it yet", hint=f"acctcli invoice accept {invoice.id}"
        )
    if invoice.claim is None:
        raise UsageError(
            f"{invoice.title} is settled: {_settled_by(invoice)}", hint=f"acctcli invoice get {invoice.id}"
        )
    return invoice.claim


def _settled_by(invoice: Invoice) -> str:
    if invoice.document is None:
        return f"it is {invoice.status}, and nothing in the books claims it"
    return f"document {invoice.document.id} posted the sale with its payment"


def _note_early(here: State, invoice: Invoice, day: date, claimed: date) -> None:
    if day < claimed:
        here.say(f"note: {day} is before {invoice.title}, which is of {claimed}")


def _pay_sale(
    here: State, invoice: Invoice, day: date, account: str | None, amount: Decimal | None, *, back: bool
) -> None:
    """Post the sale by what was paid of it: on payment basis nothing was in the books before.

    Other services than local post it whole, on their own day.
    """
    left = invoice.left(date.max)
    due = -left if back else left
    if due <= 0:
        raise UsageError(_settled(invoice, due, back=back), hint=_instead(invoice, due, back=back))
    if amount is not None and amount > due:
        raise UsageError(
            f"{invoice.title} has {due} open, and on payment basis no more than that is posted",
            hint=f"post what is over as what it is: acctcli document create --date {day}",
        )
    said: dict[str, object] = {} if amount in {None, due} else {"amount": amount}
    if day != here.today():
        said["date"] = day
    else:
        here.settled.pop("--date", None)  # its day is left to the service, which knows the request by its key
    if account is not None:
        said["account_id"] = account_id(here, account, "--account")
    if said and not here.is_local_service:
        raise UsageError(
            f"{invoice.title} is not in the books: on payment basis {here.environment.name} posts the sale whole, with "
            "its payment, today",
            hint=f"acctcli invoice paid {invoice.id}; other days and parts need books by claims: "
            f"acctcli business update {here.business()} --set has_accrual_based_entries_for_invoicing=true",
        )
    if invoice.invoicing_date is not None:
        _note_early(here, invoice, day, invoice.invoicing_date)
    _send_sale(here, invoice, day, check(InvoicePaymentRequest, said) if said else None)
    paid = due if amount is None else amount
    here.say(f"{paid} of {invoice.title} is paid, and posted with its sale.")
    if paid < due and here.options.idempotency_key is None:
        _refuse_other_sale(here, invoice.id, due - paid, back=back)


def _refuse_other_sale(here: State, number: int, rest: Decimal, *, back: bool) -> None:
    """Raise Incomplete where less than the rest is left of a sale: another user paid it at the same moment, too."""
    invoice = decoded(here.api.invoices.get(number), Invoice)
    left = invoice.left(date.max)
    if (-left if back else left) < rest:
        raise Incomplete(
            f"{invoice.title} has {abs(left)} open, and {rest} is left by this payment: another was posted at the same "
            "moment",
            hint=f"acctcli invoice get {number}; of two that are one payment reverse the wrong one: acctcli document "
            "reverse ID",
        )


def _send_sale(here: State, invoice: Invoice, day: date, body: InvoicePaymentRequest | None) -> None:
    """Pay a sale once: who does so at the same moment knows the invoice as it was changed last, too."""
    key, changed = here.options.idempotency_key, invoice.updated_at
    moment = key if changed is None else key_of_moment(here, f"sale {invoice.id} {changed}", ())
    try:
        here.api.invoices.act(invoice.id, "actions/paid/", body, moment)
    except Rejected as error:
        if error.status == HTTPStatus.UNPROCESSABLE_ENTITY and key is None:
            raise Conflict(
                f"{invoice.title} was paid meanwhile, with another day, account or amount",
                hint=f"acctcli invoice get {invoice.id}; what was paid besides: the same command again",
            ) from error
        raise
    except Conflict as error:
        is_part = body is not None and body.amount is not None
        if error.status == HTTPStatus.PRECONDITION_FAILED and is_part and invoice.credit_notes:
            error.hint = _whole(here, invoice, day)
        raise


def _whole(here: State, invoice: Invoice, day: date) -> str:
    """Return how an invoice is paid that was credited, so that no part of it is: with what its credit notes give."""
    noted = (decoded(here.api.invoices.get(one), Invoice) for one in invoice.credit_notes)
    given = [f"acctcli invoice refund {note.id} --date {day}" for note in noted if note.is_paid_by_sale]
    steps = "; ".join([*given, f"acctcli invoice pay {invoice.id} --date {day}"])
    return f"once what is left of it came: {steps}, which post it whole with what was credited"


def _begun(
    here: State, related_to: Mapping[int, Sequence[Related]], title: str, day: date
) -> tuple[Posted, set[int]] | None:
    """Return the payment that an earlier run posted and related to some of the claims, not to all, and to which."""
    found: dict[int, set[int]] = {}
    for claim, some in related_to.items():
        for one in some:
            if (one.related_document_summary.description, one.related_document_summary.date) == (title, day):
                found.setdefault(one.related_document, set()).add(claim)
    for document_id, related in found.items():
        if len(related) < len(related_to):
            posted = decoded(here.api.documents.get(document_id), Posted)
            here.say(f"note: document {posted} was posted by a run that was cut off; nothing more is posted")
            return posted, related
    return None


def _shares(here: State, invoices: Sequence[Invoice], amount: Decimal | None, *, back: bool) -> list[Decimal]:
    """Return what of a payment each invoice takes, above zero."""
    opens = open_of(here, invoices)
    owed = [-opens[one.id] if back else opens[one.id] for one in invoices]
    for one, due in zip(invoices, owed, strict=True):
        if due <= 0:
            raise UsageError(_settled(one, due, back=back), hint=_instead(one, due, back=back))
    if amount is None:
        return owed
    if not back:
        _refuse_charges(invoices, amount - sum(owed))
    rest, shares = amount, []
    for due in owed:
        shares.append(min(due, rest))
        rest -= shares[-1]
    shares[-1] += rest
    if rest:
        again, over = ("pay", "gave back") if back else ("refund", "paid")
        here.say(
            f"note: this is {rest} more than was open, so {'you' if back else 'the customer'} {over} too much; "
            f"what makes up for it: acctcli invoice {again} {invoices[-1].id}"
        )
    return shares


def _refuse_charges(invoices: Sequence[Invoice], over: Decimal) -> None:
    """Raise UsageError where what is over is what a reminder asked for: that is income, and pays no invoice.

    A letter may have been of several of the invoices: those of a day are one.
    """
    had = [one for invoice in invoices for one in reminders_in(invoice.external_status_messages)]
    letters = [[one for one in had if one.day == day] for day in {one.day for one in had}]
    for asked in [*([one] for one in had), *letters]:
        interest, charges = sum(one.interest for one in asked), sum(one.charges for one in asked)
        if over > 0 and over == interest + charges:
            raise UsageError(
                f"this is {over} more than is open, which {asked[0].stage} of {asked[0].day} asked for: "
                f"{interest} interest, {charges} fees or lump sum",
                hint="pay what is open, and post the rest as income without VAT: acctcli document create; of one "
                "invoice bank import does both where its rules name accounts for that",
            )


def _settled(invoice: Invoice, due: Decimal, *, back: bool) -> str:
    if not due and invoice.status == LOST:
        return f"{invoice.title} was given up as a credit loss: nothing is open"
    if not due:
        return f"{invoice.title} is settled: nothing is open"
    if back:
        return f"{invoice.title} has {-due} open, which the customer owes: there is nothing to give back"
    return f"{invoice.title} has {-due} to give back to the customer: it cannot be paid"


def _instead(invoice: Invoice, due: Decimal, *, back: bool) -> str | None:
    if not due and invoice.status == LOST:
        return (
            f"who pays after all: acctcli invoice unpaid {invoice.id} takes the loss back, or acctcli document reverse "
            "of its document where its day is closed; then pay it"
        )
    if not due:
        return f"acctcli invoice get {invoice.id}"
    return f"acctcli invoice {'credit-note' if back else 'refund'} {invoice.id}"


def _document(
    invoices: Sequence[Invoice],
    claims: Sequence[Booked],
    shares: Sequence[Decimal],
    title: str,
    day: date,
    money: int,
    *,
    back: bool,
) -> DocumentRequest:
    rows = [
        {
            "account_id": claim.blueprint.debet_account_id,
            "description": invoice.friendly_name,
            "vat_code": NO_VAT,
            "amount": share,
        }
        for invoice, claim, share in zip(invoices, claims, shares, strict=True)
        if share
    ]
    blueprint: dict[str, Any] = (
        {"credit_account_id": money, "debet_entries": rows}
        if back
        else {"debet_account_id": money, "credit_entries": rows}
    )
    contacts = {one.receiver for one in invoices}
    values = {"date": day, "description": title, "blueprint": blueprint}
    if len(contacts) == 1:
        values["contact_id"] = contacts.pop()
    return check(DocumentRequest, values)
