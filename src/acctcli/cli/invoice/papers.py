"""What an invoice looks like on paper, and to a machine: its PDF and its e-invoices."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from acctcli import law
from acctcli.cli.file.downloads import PATIENCE, Source, Wanted
from acctcli.cli.output import sink
from acctcli.cli.output.replies import decoded, read_all, reader
from acctcli.cli.output.safe import visible
from acctcli.cli.output.show import show_value
from acctcli.cli.session.state import State
from acctcli.client.downloads import PDF, XML, Budget, Fetcher
from acctcli.client.faults import unreadable
from acctcli.client.messages import Extent, Reply
from acctcli.errors import NetworkError, ServerFault, ServiceError, UsageError
from acctcli.models.enums import EInvoiceFormat, Language

if TYPE_CHECKING:
    from acctcli.einvoice.filling import Filled, Said
    from acctcli.printing.letters import Facts

_ENCODINGS = {
    EInvoiceFormat.XRECHNUNG: "utf-8",
    EInvoiceFormat.FINVOICE: "iso-8859-15",
    EInvoiceFormat.PEPPOL: "utf-8",
    EInvoiceFormat.CII: "utf-8",
}
_OPERATOR = "einvoicing_operator"
_ISSUED = ["ACCEPTED", "PAID", "CREDIT_LOSS"]
_NUMBER = "invoice_number"
_LARGEST_XML = 64 * 2**20
_UNREADABLE = "unreadable_reply"


class Way(NamedTuple):
    """How a Finvoice travels: whether in a frame, and the seller's operator where somebody names it."""

    is_framed: bool = False
    operator: str | None = None


_AS_IT_IS = Way()


class _Pdf(msgspec.Struct):
    name: str
    file: str


class _Receiver(msgspec.Struct):
    type: str = ""
    invoicing_country: str | None = None
    xrechnung_buyer_reference: str | None = None
    invoicing_einvoice_operator: str | None = None
    invoicing_electronic_address: str | None = None


class _Papers(msgspec.Struct):
    id: int
    status: str = ""
    pdf: _Pdf | None = None
    xrechnung_ubl_xml: str | None = None
    receiver_info: _Receiver = msgspec.field(default_factory=_Receiver)


class _Home(msgspec.Struct):
    country: str | None = None


class _Kept(msgspec.Struct):
    invoice: msgspec.Raw
    business: msgspec.Raw
    original: msgspec.Raw
    today: msgspec.Raw


_read = reader(_Papers, "an invoice")
_decode_whole = msgspec.json.Decoder(dict[str, Any], float_hook=Decimal).decode


def pdfs_of(here: State) -> Source:
    """Return the PDFs of the business's invoices, each known by the invoice's id; drafts have none."""

    def every() -> Iterator[Wanted]:
        listing = here.api.invoices.list({"status": _ISSUED}, Extent(limit=None))
        return read_all(listing, _record)

    def one(invoice: int) -> Wanted:
        return _record(here.api.invoices.get(invoice).body)

    return Source(every, one)


def _record(row: bytes | msgspec.Raw) -> Wanted:
    invoice = _read(row)
    if invoice.pdf is None:
        # never the name of another invoice's paper: those go by numbers
        return Wanted(invoice.id, f"draft-{invoice.id}.pdf", None, PDF)
    return Wanted(invoice.id, invoice.pdf.name, invoice.pdf.file, PDF)


def show_xml(here: State, invoice: int, wanted: EInvoiceFormat | None, way: Way) -> None:
    """Write the e-invoice: that of the service where it has one, else made here of what was kept when it was accepted.

    Raises EInvoiceError, naming the fields, where something is missing that the format demands.
    """
    reply = here.api.invoices.get(invoice)
    business = here.api.businesses.get(here.business())
    form = wanted or law.country(decoded(business, _Home).country).einvoice_format
    if way != _AS_IT_IS and form != EInvoiceFormat.FINVOICE:
        raise UsageError(f"--frame and --operator are of Finvoice, and this is {form}: add --format finvoice")
    address = decoded(reply, _Papers).xrechnung_ubl_xml
    if form == EInvoiceFormat.XRECHNUNG and address is not None:
        content = _fetched(here, address)
        _check_whole(content)
    else:
        content = make(here, reply, business, form, way).content
    if here.format == "table":
        on_terminal = here.options.output_file is None and sys.stdout.isatty()
        with sink.opened(here.options.output_file) as stream:
            stream.write(_for_eyes(content, _ENCODINGS[form]) if on_terminal else content)
    else:
        try:
            text = content.decode(_ENCODINGS[form])
        except UnicodeDecodeError as problem:
            raise ServerFault("the e-invoice of the service is no text (UTF-8)", code=_UNREADABLE) from problem
        show_value(here, {"invoice": invoice, "format": form, "xml": text})


def note_missing(here: State, reply: Reply) -> None:
    """Say of an invoice that was just accepted what its XRechnung lacks, if its buyer is of those who take one."""
    from acctcli.einvoice.faults import EInvoiceError
    from acctcli.einvoice.ubl import xrechnung

    try:
        invoice = msgspec.json.decode(reply.body, type=_Papers)
    except (msgspec.DecodeError, RecursionError):
        return
    if invoice.status != _ISSUED[0] or invoice.xrechnung_ubl_xml or not _takes_xrechnung(invoice.receiver_info):
        return
    try:
        xrechnung(*_shown(here, reply, here.api.businesses.get(here.business())))
    except EInvoiceError as lacking:
        here.say(f"note: {lacking}; add it to the contact or the business before you send it")
    except (NetworkError, ServiceError, LookupError, TypeError, AttributeError, ValueError, ArithmeticError):
        return  # it is accepted all the same, and `invoice xml` tells of what cannot be read


def _takes_xrechnung(receiver: _Receiver) -> bool:
    if receiver.type == "PERSON":
        return False
    place = receiver.invoicing_country
    is_usual = place in law.PACKAGES and law.country(place).einvoice_format == EInvoiceFormat.XRECHNUNG
    return is_usual or bool(receiver.xrechnung_buyer_reference)


def _check_whole(content: bytes) -> None:
    """Raise ServerFault unless this is well-formed XML; entities of its own are refused, which may be of any size."""
    from xml.parsers import expat

    def refuse(*_: object) -> None:
        raise ServerFault("the e-invoice of the service declares a document type, which none has", code=_UNREADABLE)

    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, ValueError, LookupError) as problem:
        raise ServerFault(
            f"the e-invoice of the service is no whole XML: {problem}",
            code=_UNREADABLE,
            hint="run the command again; what the service has may be broken",
        ) from problem


def _for_eyes(content: bytes, encoding: str) -> bytes:
    lines = content.decode(encoding, "replace").split("\n")
    return "\n".join(map(visible, lines)).encode()


def lacking(here: State, reply: Reply, business: Reply, form: EInvoiceFormat) -> Mapping[str, Sequence[str]]:
    """Return what an invoice, a draft but for its number, lacks for an e-invoice, by field."""
    from acctcli.einvoice.faults import EInvoiceError

    is_draft = decoded(reply, _Papers).status not in _ISSUED
    try:
        _written(here, reply, business, form, _AS_IT_IS, here.say)
    except EInvoiceError as fault:
        return {name: texts for name, texts in fault.fields.items() if not (is_draft and name == _NUMBER)}
    return {}


def usual_formats(reply: Reply, business: Reply) -> list[EInvoiceFormat]:
    """Return the formats of e-invoices by which the buyer of an invoice may be reached."""
    receiver, home = decoded(reply, _Papers).receiver_info, law.country(decoded(business, _Home).country)
    is_xrechnung = _takes_xrechnung(receiver)
    found = [EInvoiceFormat.XRECHNUNG] if is_xrechnung else []
    if receiver.invoicing_einvoice_operator and home.einvoice_format != EInvoiceFormat.XRECHNUNG:
        found.append(home.einvoice_format)
    elif receiver.invoicing_electronic_address and not is_xrechnung:
        found.append(EInvoiceFormat.PEPPOL)
    return found


def make(
    here: State,
    reply: Reply,
    business: Reply,
    form: EInvoiceFormat,
    way: Way = _AS_IT_IS,
    *,
    say: Callable[[str], None] | None = None,
) -> Filled:
    """Make an e-invoice, and say what in it is not what stood there when the invoice was accepted."""
    say = say or here.say
    made = _written(here, reply, business, form, way, say)
    if made.fields:
        say(f"note: empty when the invoice was accepted, and taken from today: {', '.join(made.fields)}")
    return made


def _written(
    here: State, reply: Reply, business: Reply, form: EInvoiceFormat, way: Way, say: Callable[[str], None]
) -> Filled:
    """Write an e-invoice of what was kept, and of today; raises EInvoiceError where that is not enough."""
    from acctcli.einvoice.cii import cii
    from acctcli.einvoice.faults import EInvoiceError
    from acctcli.einvoice.filling import SELLER, write
    from acctcli.einvoice.finvoice import finvoice, framed_finvoice
    from acctcli.einvoice.ubl import peppol, xrechnung

    writers = {
        EInvoiceFormat.XRECHNUNG: xrechnung,
        EInvoiceFormat.FINVOICE: framed_finvoice if way.is_framed else finvoice,
        EInvoiceFormat.PEPPOL: peppol,
        EInvoiceFormat.CII: cii,
    }
    said, today = _said(here, reply, business, say)
    if way.operator:
        said = said.filled(SELLER, {_OPERATOR: way.operator})
    try:
        with _reading():
            return write(writers[form], said, today)
    except EInvoiceError as lacking:
        if f"{SELLER}.{_OPERATOR}" in (lacking.fields or ()):
            lacking.hint = "--operator names who carries your e-invoices"
        raise


def translation(
    here: State, reply: Reply, business: Reply, language: Language, say: Callable[[str], None]
) -> bytes | None:
    """Return the PDF of an invoice in a language, None where it is in that; what was kept of it stays as it is."""
    from acctcli.cli.report.logo import logo_at
    from acctcli.einvoice.terms import language_of
    from acctcli.papers.invoice import invoice_pdf

    said, _ = _said(here, reply, business, say)
    with _reading():
        own = language_of(said.invoice, said.business)
        if own == language:
            return None
        logo = logo_at(here, said.business.get("logo"), say)
        return invoice_pdf(said.invoice, said.business, language, said.original, own, logo)


@contextmanager
def _reading() -> Iterator[None]:
    """Raise ServerFault where an invoice or its business turns out to be of another shape."""
    try:
        yield
    except (LookupError, TypeError, AttributeError, ValueError, ArithmeticError) as problem:
        raise ServerFault(
            f"the invoice, or its business, is not what the interface promises: {type(problem).__name__}: {problem}",
            code=_UNREADABLE,
        ) from problem


def _said(here: State, reply: Reply, business: Reply, say: Callable[[str], None]) -> tuple[Said, dict[str, Any]]:
    """Return what an e-invoice is made of, and what buyer and seller are today where that is something else."""
    from acctcli.einvoice.filling import Said

    found = decoded(reply, _Papers)
    is_issued = found.status in _ISSUED
    if is_issued and here.is_local_service:
        kept = decoded(here.api.kept_invoice(found.id), _Kept)
        original = None if bytes(kept.original) == b"null" else _decode_whole(kept.original)
        return Said(_decode_whole(kept.invoice), _decode_whole(kept.business), original), _decode_whole(kept.today)
    if is_issued:
        say(
            "note: made of what the contact and the business are today: this service does not show what they were when "
            "the invoice was accepted"
        )
    return _shown(here, reply, business), {}


def kept_language(here: State, invoice: int) -> Language | None:
    """Return the language that an accepted invoice is in, None where the service does not show what it says."""
    kept = kept_facts(here, invoice)
    return kept and kept[1]


def kept_facts(here: State, invoice: int) -> tuple[Facts, Language] | None:
    """Return what mail says of an accepted invoice, as it was kept, and in which language; None as above."""
    from acctcli.einvoice.terms import language_of
    from acctcli.printing.letters import facts_of

    if not here.is_local_service:
        return None
    kept = decoded(here.api.kept_invoice(invoice), _Kept)
    with _reading():
        said = _decode_whole(kept.invoice), _decode_whole(kept.business)
        return facts_of(*said), language_of(*said)


def _shown(here: State, reply: Reply, business: Reply) -> Said:
    """Return an invoice, its business and what it credits as the service shows them now."""
    from acctcli.einvoice.filling import Said

    invoice = whole(reply)
    credited = invoice.get("is_credit_note_for")
    original = None if credited is None else whole(here.api.invoices.get(credited))
    return Said(invoice, whole(business), original)


def _fetched(here: State, address: str) -> bytes:
    patience = here.options.timeout or PATIENCE
    content = io.BytesIO()
    with closing(Fetcher(here.http, Budget(_LARGEST_XML), here.options.ca_file, patience)) as fetcher:
        fetcher.fetch(address, content, XML)
    return content.getvalue()


def whole(reply: Reply) -> dict[str, Any]:
    """Return all of a record, its figures as decimals."""
    try:
        return _decode_whole(reply.body)
    except (msgspec.DecodeError, RecursionError) as problem:
        raise unreadable(reply, "something else") from problem
