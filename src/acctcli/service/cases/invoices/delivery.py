"""Sending an accepted invoice: what leaves the service, and that it has left (docs/interface.md 7.4).

What an invoice says was fixed when it was accepted (`kept`); where it goes is what the contact says today.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from acctcli.einvoice.filling import Record
from acctcli.einvoice.terms import language_of
from acctcli.models.enums import BY_MAIL, BY_OPERATOR, DeliveryMethod, InDoubt, InvoiceStatus, Language
from acctcli.printing.letters import Said, facts_of, file_stem_of, fill, html, plain, usual_words
from acctcli.service.cases.businesses import show_business
from acctcli.service.cases.contacts import show_contact
from acctcli.service.cases.invoices.drafts import find, name
from acctcli.service.cases.invoices.enclosures import Enclosure, distinct, enclosures
from acctcli.service.cases.invoices.kept import beyond_what_is_kept, keep_what_was_sent, write_einvoice
from acctcli.service.cases.invoices.prints import DECODE, kept_print
from acctcli.service.cases.invoices.view import show_stored
from acctcli.service.cases.work import Work
from acctcli.service.delivery.mail import Attachment, Letter, Person, compose
from acctcli.service.delivery.outbox import Envelope, Parcel
from acctcli.service.problems import Precondition
from acctcli.service.rules.invoices import delivery_options
from acctcli.service.store import contacts
from acctcli.service.store.invoicing import invoice_prints, invoices
from acctcli.service.store.invoicing.invoice_prints import Source
from acctcli.service.store.invoicing.invoices import InvoiceRow

if TYPE_CHECKING:
    from acctcli.models.delivery import SendRequest
    from acctcli.models.invoice import SalesInvoice
    from acctcli.service.store.contents import Contents

PDF, XML = "application/pdf", "application/xml"
# by these ways an e-invoice goes
AS_EINVOICE = BY_OPERATOR | {DeliveryMethod.EMAIL_XRECHNUNG}


class MailText(NamedTuple):
    """What a mail says, without content what the business usually says; and whether nobody asks for it right now."""

    subject: str
    content: str | None
    is_automatic: bool = False


def pack_as_asked(work: Work, invoice_id: int, body: SendRequest, mark: str, seen: str | None) -> Parcel:
    """Return what is to be delivered; `mark` stands for the request.

    `seen` is when the invoice was sent last as far as the sender knows, in quotes, which hold nothing where it never
    was. Precondition where it was sent since: two people would send the same.
    """
    row = find(work, invoice_id)
    if seen is not None and seen.strip('"') != (row.last_delivery_at or ""):
        told = f"{name(row)} was sent at {row.last_delivery_at}, after you looked: look whether it is to go once more."
        raise Precondition(told, fields={"last_delivery_at": [told]})
    if body.in_doubt == InDoubt.ARRIVED:
        ending = "xml" if body.delivery_method in BY_OPERATOR else "eml"
        return Parcel(work.business.slug, mark, _stem(row), ending, lambda _: b"", in_doubt=InDoubt.ARRIVED)
    text = MailText(body.data.email_subject, body.data.email_content) if body.data else None
    return pack(work, row, body.delivery_method, text, mark)._replace(in_doubt=body.in_doubt)


def note_delivery(work: Work, invoice_id: int, method: str) -> SalesInvoice:
    """Write when and how an invoice was delivered, and return it as it is shown."""
    row = find(work, invoice_id, for_update=True)
    values = {"delivery_method": str(method), "last_delivery_at": work.stamp, "updated_at": work.stamp}
    invoices.change(work.conn, work.business.id, row.id, values)
    shown = show_stored(work, row.id)
    if work.sent is not None:
        keep_what_was_sent(work, row, work.sent)
    work.emit("sales_invoice.sent", shown)
    return shown


def pack(work: Work, row: InvoiceRow, method: str, text: MailText | None, mark: str) -> Parcel:
    """Return an invoice ready to be delivered; Precondition when it is not open or cannot reach its receiver so.

    A mail needs its text.
    """
    if row.status != InvoiceStatus.ACCEPTED:
        raise Precondition(f"{name(row)} is {row.status}: only an accepted, open invoice is sent.")
    receiver = show_contact(contacts.of_ids(work.conn, work.business.id, {row.receiver_id})[row.receiver_id])
    _check_way(receiver, method)
    parcel = partial(Parcel, work.business.slug, mark, _stem(row))
    content, source = _paper(work, row)
    paper = partial(kept_print, name=content, source=source)
    if method == DeliveryMethod.PAPER:
        return parcel("pdf", paper)
    einvoice, said = _einvoice(work, row, method) if method in AS_EINVOICE else (b"", None)
    if method in BY_MAIL and text is not None:
        enclosed = enclosures(work, row.id)
        letter = _letter(work, row, receiver, text, source, method)
        envelope = Envelope(letter.sender, letter.recipient, letter.mark)
        weight = sum(one.row.size or 0 for one in enclosed)
        return parcel("eml", partial(_mail, letter, source, paper, einvoice, enclosed), envelope, said, weight)
    of_einvoice = _mark(work.business.slug, row.id, row.created_at, row.last_delivery_at, method)
    return parcel("xml", lambda _: einvoice, said=said, letter=of_einvoice)


def _check_way(receiver: Record, method: str) -> None:
    if not any(option["value"] == method and option["is_available"] for option in delivery_options(receiver)):
        ways = ", ".join(option["value"] for option in delivery_options(receiver) if option["is_available"])
        raise Precondition(
            f"{receiver['name']} cannot be reached by {method}; what is possible: {ways or 'nothing'}.",
            fields={"delivery_method": [f"Not available for {receiver['name']}."]},
        )


def _stem(row: InvoiceRow) -> str:
    kind = "invoice" if row.is_credit_note_for is None else "credit-note"
    return f"{kind}-{row.invoice_number}"


def _paper(work: Work, row: InvoiceRow) -> tuple[str, Source]:
    """Return the name of the content of an invoice on paper, and what that is printed from."""
    found = invoice_prints.files(work.conn, work.business.id, [row.id])[row.id][False].content_name
    source = invoice_prints.source(work.conn, found)
    assert source is not None
    return found, source


def _letter(work: Work, row: InvoiceRow, receiver: Record, text: MailText, source: Source, method: str) -> Letter:
    """Return the mail an invoice goes with, from the address that the business invoices with.

    Without words of its own it says what the business usually says, else what is to be paid, in the buyer's language.
    """
    business = show_business(work)
    if not business["invoicing_email"]:
        wanted = "Mail needs a sender: set invoicing_email of the business."
        raise Precondition(wanted, fields={"invoicing_email": [wanted]})
    subject, said, language = _words(text, business["invoicing_default_email_content"], source)
    content = plain(said)
    sender = Person(business["name"], business["invoicing_email"])
    recipient = Person(receiver["name"], receiver["invoicing_email"])
    which = (work.business.slug, row.id, row.created_at)
    mark = _mark(*which, row.last_delivery_at, *sender, *recipient, subject, content, method)
    return Letter(
        sender,
        recipient,
        subject,
        content,
        mark,
        work.now,
        html=html(said, language),
        thread=_mark(*which),
        is_automatic=text.is_automatic,
    )


def _words(text: MailText, usual: str | None, source: Source) -> tuple[str, Said, Language]:
    """Return subject and words of a mail, and the language of what was kept when the invoice was accepted.

    What is written for all invoices of a business, or of a template, may hold placeholders.
    """
    kept = DECODE(source.json)
    facts, language = facts_of(kept["invoice"], kept["business"]), language_of(kept["invoice"], kept["business"])
    subject = plain(fill(text.subject, facts, language)) if text.is_automatic else text.subject
    if text.content is not None:
        return subject, fill(text.content, facts, language) if text.is_automatic else (text.content,), language
    return subject, fill(usual, facts, language) if usual else usual_words(facts, language), language


def _mark(*facts: object) -> str:
    """Return what stands for an invoice, or for a letter until it is recorded: sent after that, it is another one."""
    return sha256("\0".join(map(str, facts)).encode()).hexdigest()


def _mail(
    letter: Letter,
    source: Source,
    paper: Callable[[Contents], bytes],
    einvoice: bytes,
    enclosed: Sequence[Enclosure],
    contents: Contents,
) -> bytes:
    """Return the mail: the invoice, its e-invoice if one goes along, and its files."""
    facts = DECODE(source.json)
    stem = file_stem_of(facts["invoice"], language_of(facts["invoice"], facts["business"]))
    attached = [Attachment(f"{stem}.pdf", PDF, paper(contents))]
    if einvoice:
        attached.append(Attachment(f"{stem}.xml", XML, einvoice))
    attached += [one.attachment(contents) for one in enclosed]
    names = distinct(one.name for one in attached)
    return compose(letter, [one._replace(name=name) for one, name in zip(attached, names, strict=True)])


def _einvoice(work: Work, row: InvoiceRow, method: str) -> tuple[bytes, str | None]:
    """Return the e-invoice of an invoice, and what is to be kept of it."""
    from acctcli.einvoice.faults import EInvoiceError

    try:
        made = write_einvoice(work, row, method)
    except EInvoiceError as fault:
        raise Precondition(f"{fault.message[0].upper()}{fault.message[1:]}.", fields=fault.fields) from fault
    return made.content, beyond_what_is_kept(work, row, made.said)
