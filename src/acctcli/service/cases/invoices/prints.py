"""The prints of accepted invoices: the PDF, and the XRechnung of those that need one (docs/interface.md 7.7).

What an invoice is printed from is kept when it is accepted; the files are written when they are first asked for, so
that nobody waits for a printer inside the transaction that gives out numbers. The same source makes the same bytes: it
does not matter who asks first, nor whether two do at once.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from decimal import Decimal
from threading import get_ident
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from acctcli import law
from acctcli.models.enums import EInvoiceFormat
from acctcli.service.cases.files import new_file, show_file
from acctcli.service.cases.work import Work
from acctcli.service.identity.signatures import content_address
from acctcli.service.problems import FileUnusable
from acctcli.service.rules.contacts import takes_xrechnung
from acctcli.service.store import attachments, logos
from acctcli.service.store.contents import DRAFT
from acctcli.service.store.invoicing import invoice_prints

if TYPE_CHECKING:
    from acctcli.models.enums import Language
    from acctcli.models.file import Attachment
    from acctcli.service.store.contents import Contents
    from acctcli.service.store.engine.database import Database
    from acctcli.service.store.invoicing.invoice_prints import Source

ENCODE = msgspec.json.Encoder(decimal_format="number").encode
DECODE = msgspec.json.Decoder(float_hook=Decimal).decode
NAME_BYTES = 16
PDF, XML = "application/pdf", "application/xml"
# what changes after an invoice is accepted is not printed on it
NOT_PRINTED = ("pdf", "xrechnung_ubl_xml", "document")


class Prints(NamedTuple):
    """The prints of an invoice as they are shown: a file, and the address of another one."""

    pdf: Attachment | None = None
    xml: str | None = None


def show_prints(work: Work, invoice_ids: Iterable[int]) -> dict[int, Prints]:
    """Return the prints of invoices, by invoice; drafts have none."""
    found = invoice_prints.files(work.conn, work.business.id, invoice_ids)
    return {invoice_id: _prints(work, files) for invoice_id, files in found.items()}


def _prints(work: Work, files: Mapping[bool, attachments.AttachmentRow]) -> Prints:
    xml = files.get(True)
    address = None if xml is None else content_address(work.origin, xml.content_name, xml.content_secret, work.now)
    return Prints(show_file(work, files[False], is_used=True), address)


def print_invoice(
    work: Work,
    shown: Mapping[str, Any],
    business: Mapping[str, Any],
    original: Mapping[str, Any] | None,
    language: Language | None = None,
) -> Prints:
    """Keep what an invoice that was just accepted is printed from; `original` is what a credit note credits.

    In which language it is stands there where somebody asked for one, of it or of what it credits or repeats.
    """
    invoice = {name: value for name, value in shown.items() if name not in NOT_PRINTED}
    if asked := language or _asked_before(work, shown):
        invoice["language"] = asked
    # an address of the logo is good for an hour: what is kept is which file it is
    source = ENCODE({"invoice": invoice, "business": {**business, "logo": None}, "original": original})
    stem = "credit-note" if shown["is_credit_note_for"] else "invoice"
    name = f"{stem}-{shown['invoice_number']}"
    pdf_id = _new_print(work, f"{name}.pdf", PDF)
    xml_id = _new_print(work, f"{name}.xml", XML) if _makes_xrechnung(source) else None
    invoice_prints.keep(work.conn, work.business.id, shown["id"], source.decode(), pdf_id, xml_id)
    logos.keep(work.conn, work.business.id, shown["id"])
    return show_prints(work, [shown["id"]])[shown["id"]]


def kept_language(work: Work, invoice_id: int) -> Language:
    """Return the language that an accepted invoice is in."""
    from acctcli.einvoice.terms import language_of

    source = invoice_prints.said(work.conn, work.business.id, invoice_id)
    assert source is not None
    facts = DECODE(source)
    return language_of(facts["invoice"], facts["business"])


def _asked_before(work: Work, shown: Mapping[str, Any]) -> Language | None:
    """Return the language that was asked for of the invoice that one credits or repeats."""
    before = shown["is_credit_note_for"] or shown["recurrence_parent_id"]
    source = None if before is None else invoice_prints.said(work.conn, work.business.id, before)
    return None if source is None else DECODE(source)["invoice"].get("language")


def _new_print(work: Work, name: str, media_type: str) -> int:
    values = new_file(work, name, media_type, work.random(NAME_BYTES).hex())
    return attachments.create(work.conn, work.business.id, {**values, "size": None, "sha256": None})


def _makes_xrechnung(source: bytes) -> bool:
    """Say whether an XRechnung is wanted of an invoice, and all that it needs is there."""
    from acctcli.einvoice.faults import EInvoiceError
    from acctcli.einvoice.ubl import xrechnung

    facts = DECODE(source)
    if not _wants_xrechnung(facts["business"], facts["invoice"]["receiver_info"]):
        return False
    try:
        xrechnung(facts["invoice"], facts["business"], facts["original"])
    except EInvoiceError:
        return False
    return True


def _wants_xrechnung(business: Mapping[str, Any], receiver: Mapping[str, Any]) -> bool:
    """Say whether the business writes them anyway, or the receiver says where one goes."""
    is_usual = law.country(business["country"]).einvoice_format == EInvoiceFormat.XRECHNUNG
    return is_usual or takes_xrechnung(receiver)


def write_print(database: Database, contents: Contents, name: str) -> None:
    """Write the content of a print; raises FileNotFoundError when the name is not that of one."""
    with database.read() as conn:
        source = invoice_prints.source(conn, name)
    if source is None:
        raise FileNotFoundError(name)
    _keep(contents, name, source)


def kept_print(contents: Contents, name: str, source: Source) -> bytes:
    """Return the content of a print: as it was written first, by whatever version of the program, or written now."""
    try:
        with contents.open(name) as stream:
            return stream.read()
    except FileNotFoundError:
        return _keep(contents, name, source)


def _keep(contents: Contents, name: str, source: Source) -> bytes:
    content = _printed(source, contents)
    contents.keep(name, [content], f".{os.getpid()}-{get_ident()}{DRAFT}")
    return content


def _printed(source: Source, contents: Contents) -> bytes:
    """Return an invoice on paper, or as XRechnung; FileUnusable where the logo is gone that it has."""
    facts = DECODE(source.json)
    invoice, business, original = facts["invoice"], facts["business"], facts["original"]
    if source.is_xml:
        from acctcli.einvoice.ubl import xrechnung

        return xrechnung(invoice, business, original)
    from acctcli.einvoice.terms import language_of
    from acctcli.papers.invoice import invoice_pdf

    logo = contents.whole(source.logo, source.logo_sha256) if source.logo else None
    if source.logo and logo is None:
        raise FileUnusable("The logo of this invoice is missing, or not what was uploaded: a backup may have it.")
    return invoice_pdf(invoice, business, language_of(invoice, business), original, logo=logo)
