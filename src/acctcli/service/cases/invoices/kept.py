"""What an accepted invoice says, in every form and whenever it is asked for (docs/interface.md 7.4, 7.7).

One record is kept when it is accepted. What an e-invoice needs and was empty then is filled in from the contact and the
business of the day it is sent, and that is kept beside it: a later one says what was sent, and paper stays as it was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from acctcli import law
from acctcli.einvoice.addresses import SCHEMES
from acctcli.einvoice.filling import BUYER, SELLER, Filled, Record, Said, Writer, write
from acctcli.models.enums import DeliveryMethod, EInvoiceFormat
from acctcli.service.cases.businesses import show_business
from acctcli.service.cases.contacts import show_contact
from acctcli.service.cases.invoices.drafts import find, name
from acctcli.service.cases.invoices.enclosures import show_mailed
from acctcli.service.cases.invoices.prints import DECODE, ENCODE
from acctcli.service.cases.work import Work
from acctcli.service.identity.signatures import content_address
from acctcli.service.problems import Precondition
from acctcli.service.rules.contacts import has_operator
from acctcli.service.store import contacts, logos
from acctcli.service.store.invoicing import invoice_prints
from acctcli.service.store.invoicing.invoices import InvoiceRow

if TYPE_CHECKING:
    from acctcli.models.invoice import KeptInvoice

SENT = "sent"
# where an e-invoice goes
ADDRESSES = (
    "invoicing_einvoice_address",
    "invoicing_einvoice_operator",
    "invoicing_electronic_address",
    "invoicing_electronic_address_scheme",
)


def show_kept_invoice(work: Work, invoice_id: int) -> KeptInvoice:
    """Show what an accepted invoice says, whatever became of its contact and the business since."""
    row = find(work, invoice_id)
    if row.is_draft:
        raise Precondition(f"{name(row)} is not accepted: nothing is kept of it yet.")
    said = _said(_kept(work, row))
    return {
        "id": row.id,
        "invoice": said.invoice,
        "business": {**said.business, "logo": _logo(work, row)},
        "original": said.original,
        "today": _today(work, row),
        "files": show_mailed(work, row.id),
    }


def write_einvoice(work: Work, row: InvoiceRow, method: str) -> Filled:
    """Write the e-invoice of an invoice for the address of today, which also says in what form. Raises EInvoiceError.

    By an operator it is Finvoice, in its frame where both ways are known; in Germany, for its buyers and by mail it is
    XRechnung; to another address of Peppol it is BIS Billing.
    """
    said, today = _said(_kept(work, row)), _today(work, row)
    said = said.filled(BUYER, {field: today[BUYER][field] for field in ADDRESSES})
    return write(_writer(said, today[BUYER], method), said, today)


def beyond_what_is_kept(work: Work, row: InvoiceRow, said: Said) -> str | None:
    """Return, as JSON, what an e-invoice says that is more than was kept, or other; None when it is not."""
    more = {part: _differing(then, said.part(part)) for part, then in _parts(_kept(work, row)).items()}
    return ENCODE(more).decode() if any(more.values()) else None


def keep_what_was_sent(work: Work, row: InvoiceRow, more: str) -> None:
    """Keep what an e-invoice said that was sent, as far as it is more than was kept."""
    facts = {**_kept(work, row), SENT: DECODE(more)}
    invoice_prints.add(work.conn, work.business.id, row.id, ENCODE(facts).decode())


def _kept(work: Work, row: InvoiceRow) -> dict[str, Any]:
    source = invoice_prints.said(work.conn, work.business.id, row.id)
    assert source is not None
    found: dict[str, Any] = DECODE(source)
    return found


def _logo(work: Work, row: InvoiceRow) -> str | None:
    """Return where the logo that the invoice was accepted with can be fetched from."""
    kept = logos.kept(work.conn, work.business.id, row.id)
    return kept and content_address(work.origin, kept.content_name, kept.content_secret, work.now)


def _parts(facts: Record) -> dict[str, Record]:
    return {BUYER: facts["invoice"][BUYER], SELLER: facts["business"]}


def _said(facts: Record) -> Said:
    said = Said(facts["invoice"], facts["business"], facts["original"])
    for part, values in facts.get(SENT, {}).items():
        said = said.filled(part, values)
    return said


def _today(work: Work, row: InvoiceRow) -> dict[str, Record]:
    receiver = show_contact(contacts.of_ids(work.conn, work.business.id, {row.receiver_id})[row.receiver_id])
    found: dict[str, Record] = DECODE(ENCODE({BUYER: receiver, SELLER: show_business(work)}))
    return found


def _writer(said: Said, buyer: Record, method: str) -> Writer:
    from acctcli.einvoice.finvoice import finvoice, framed_finvoice
    from acctcli.einvoice.parties import buyer_stop, seller_stop
    from acctcli.einvoice.ubl import peppol, xrechnung

    is_usual = _is_xrechnung_usual(said.business["country"])
    if method == DeliveryMethod.ELASKU or (method == DeliveryMethod.EINVOICE and has_operator(buyer) and not is_usual):
        return finvoice if None in (*seller_stop(said.business), *buyer_stop(said.invoice)) else framed_finvoice
    is_of_peppol = method == DeliveryMethod.EINVOICE and buyer["invoicing_electronic_address_scheme"] in SCHEMES
    is_german = _is_xrechnung_usual(buyer["invoicing_country"]) or bool(buyer["xrechnung_buyer_reference"])
    return peppol if is_of_peppol and not is_german else xrechnung


def _is_xrechnung_usual(country: str | None) -> bool:
    return country in law.PACKAGES and law.country(country).einvoice_format == EInvoiceFormat.XRECHNUNG


def _differing(then: Record, now: Record) -> dict[str, Any]:
    return {field: value for field, value in now.items() if then.get(field) != value}
