"""Deliver an invoice: how, and with which words; a second time only when that is agreed to (docs/interface.md 7.4)."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from acctcli.cli.command.body import check
from acctcli.cli.command.options import wire_name
from acctcli.cli.output.replies import decoded
from acctcli.cli.session.state import State
from acctcli.client.messages import Reply
from acctcli.errors import NetworkError, ServiceError, UsageError
from acctcli.models.delivery import LONGEST_SUBJECT, SendRequest
from acctcli.models.enums import BY_MAIL, BY_OPERATOR, InDoubt, Language

if TYPE_CHECKING:
    from acctcli.printing.letters import Facts


class _Receiver(msgspec.Struct):
    name: str = ""
    invoicing_language: str | None = None


class _Deliverable(msgspec.Struct):
    id: int
    friendly_name: str
    invoice_number: int | None = None
    is_credit_note_for: int | None = None
    receiver_info: _Receiver | None = None
    delivery_method: str | None = None
    last_delivery_at: str | None = None
    attachments: list[int] = []
    total_amount: Decimal | None = None
    currency: str | None = None
    due_date: date | None = None
    reference: str | None = None


class _File(msgspec.Struct):
    name: str
    size: int | None = None


class _Kept(msgspec.Struct):
    files: list[_File] = []


class _Way(msgspec.Struct):
    value: str
    is_available: bool


class _MailDefaults(msgspec.Struct):
    name: str
    country: str | None = None
    invoicing_default_email_subject: str | None = None
    invoicing_iban: str | None = None


class Asked(NamedTuple):
    """What a command says of a delivery: how, the words of a mail, and what became of one that may have left."""

    method: str | None
    subject: str | None
    content: str | None
    doubt: str | None


def send_invoice(here: State, invoice: int, asked: Asked) -> Reply:
    """Send an invoice; raise UsageError when it was sent before and nobody agrees, or when there is no way."""
    method, subject, content, doubt = asked
    if doubt is not None:
        here.require_local()
    found = decoded(here.api.invoices.get(invoice), _Deliverable)
    way = wire_name(method) if method is not None else found.delivery_method or _first_way(here, invoice)
    if way not in BY_MAIL and (subject is not None or content is not None):
        raise UsageError("--subject and --text are of e-mails", hint=f"this invoice goes by {way}")
    body: dict[str, object] = {"delivery_method": way}
    if way in BY_MAIL:
        subject = subject if subject is not None else _subject(here, found)
        # null: the text that the business has set for its invoices
        body["data"] = {"email_subject": subject, "email_content": content}
    if doubt is not None:
        body["in_doubt"] = wire_name(doubt)
    request = check(SendRequest, body)
    if found.last_delivery_at is not None:
        here.confirm(f"Invoice {invoice} was sent at {found.last_delivery_at}. Send it again?")
    reply = here.api.send_invoice(invoice, request, here.options.idempotency_key, seen(here, found.last_delivery_at))
    if request.in_doubt != InDoubt.ARRIVED:
        _say_where(here, found, way)
    if found.attachments and not here.options.dry_run and here.is_local_service:
        _tell_files(here, invoice, way)
    return reply


def seen(here: State, last_delivery_at: str | None) -> str | None:
    """Return what the local service is told of when an invoice was sent last, so that two people do not send it."""
    return (last_delivery_at or "") if here.is_local_service else None


def _say_where(here: State, invoice: _Deliverable, way: str) -> None:
    """Say where lies what a service in this process delivered: a mail, a paper, an e-invoice or its receipt."""
    if way in BY_MAIL:
        here.say_where_mail_lies("what was sent")
        return
    if here.options.dry_run or not here.environment.in_process:
        return
    from acctcli.settings import outbox_dir

    folder = outbox_dir(here.environ) / here.business()
    stem = f"{'invoice' if invoice.is_credit_note_for is None else 'credit-note'}-{invoice.invoice_number}-*"
    by_client = way in BY_OPERATOR and here.environ.get("ACCTCLI_EINVOICE_COMMAND")
    pattern = f"sent/{stem}.receipt.json" if by_client else f"{stem}.{'xml' if way in BY_OPERATOR else 'pdf'}"
    latest = max(folder.glob(pattern), key=lambda path: path.stat().st_mtime, default=None)
    if latest is None:
        return
    if by_client:
        here.say(f"Your operator's client took it; what it said lies in {latest}.")
    elif way in BY_OPERATOR:
        here.say(f"note: no operator's client is set (ACCTCLI_EINVOICE_COMMAND): the e-invoice lies in {latest}")
    else:
        here.say(f"The paper lies in {latest}.")


def _tell_files(here: State, invoice: int, way: str) -> None:
    """Say which files went with an invoice, or that they did not."""
    try:
        files = decoded(here.api.kept_invoice(invoice), _Kept).files
    except (NetworkError, ServiceError):
        return  # it was sent all the same
    if way in BY_MAIL:
        told = ", ".join(f"{one.name} ({one.size:,} bytes)" if one.size else one.name for one in files)
        here.say(f"Files that went with it: {told}.")
    else:
        here.say(f"note: files go with mail only, not by {way}: {', '.join(one.name for one in files)}")


def _first_way(here: State, invoice: int) -> str:
    ways = decoded(here.api.delivery_methods(invoice), list[_Way])
    for way in ways:
        if way.is_available:
            return way.value
    raise UsageError(
        f"there is no way to deliver invoice {invoice}",
        hint="give the customer an e-mail or e-invoice address: acctcli contact update",
    )


def _subject(here: State, invoice: _Deliverable) -> str:
    """Return the subject that the business has set, else what it is and from whom, as its reader says it.

    It says what was kept when the invoice was accepted, as the mail does; what is too long for a subject is cut off.
    """
    from acctcli.cli.invoice.papers import kept_facts
    from acctcli.printing.letters import fill, plain, subject_of

    business = decoded(here.api.businesses.get(here.business()), _MailDefaults)
    kept = None if invoice.invoice_number is None else kept_facts(here, invoice.id)
    facts, language = kept or _today(invoice, business)
    if business.invoicing_default_email_subject:
        return plain(fill(business.invoicing_default_email_subject, facts, language))[:LONGEST_SUBJECT]
    if facts.number is None or invoice.receiver_info is None or business.country is None:
        return f"{invoice.friendly_name}, {business.name}"
    return subject_of(facts.number, facts.seller, language, is_credit_note=facts.is_credit_note)


def _today(invoice: _Deliverable, business: _MailDefaults) -> tuple[Facts, Language]:
    """Return what a service that keeps no record shows of an invoice, and the language that is usual for it."""
    from acctcli.einvoice.terms import language_for
    from acctcli.printing.letters import Facts

    receiver = invoice.receiver_info or _Receiver()
    facts = Facts(
        invoice.invoice_number,
        invoice.is_credit_note_for is not None,
        invoice.total_amount,
        invoice.currency,
        invoice.due_date,
        invoice.reference,
        receiver.name,
        business.name,
        business.invoicing_iban,
    )
    return facts, language_for(business.country, receiver.invoicing_language) if business.country else Language.EN
