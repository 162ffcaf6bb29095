"""What an invoice of EN 16931 says, whichever syntax it is written in (docs/law.md 7.3, 7.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from acctcli.banking.checks import compact
from acctcli.einvoice.markup import written
from acctcli.einvoice.parties import Party, buyer_of, seller_of
from acctcli.einvoice.terms import CLEARING, language_of, payment_terms, set_off, transfer_code, words
from acctcli.einvoice.totals import Totals, VatGroup, add_up
from acctcli.einvoice.units import ONE, unit_code
from acctcli.einvoice.vat import OUT_OF_SCOPE, SHIPPED, ZERO_RATED, reasons
from acctcli.models.enums import Language

# the business process of invoices and credit notes (BT-23)
PROFILE = "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0"


class Payment(NamedTuple):
    """How to pay (BG-16, BT-81) and the terms (BT-20); without `iban` (BT-84) it is set off."""

    code: str
    terms: str
    iban: str | None = None
    bic: str | None = None
    reference: str | None = None


class Unit(NamedTuple):
    """A unit of UN/ECE recommendation 20, and the word for one that is not there (BT-127)."""

    code: str
    note: str | None = None


@dataclass(frozen=True)
class Draft:
    """What the parts of the document are written from; `totals` are positive, also those of a credit note."""

    invoice: Mapping[str, Any]
    business: Mapping[str, Any]
    original: Mapping[str, Any] | None
    seller: Party
    buyer: Party
    totals: Totals
    language: Language

    @property
    def is_credit_note(self) -> bool:
        """Whether it gives something back."""
        return self.original is not None

    @property
    def type_code(self) -> str:
        """What it is (BT-3), by UNCL 1001."""
        return "381" if self.is_credit_note else "380"

    @property
    def shows_vat_ids(self) -> bool:
        """Whether VAT ids may stand: not where nothing is within the scope of VAT (BR-O-02)."""
        return all(group.category != OUT_OF_SCOPE for group in self.totals.groups)

    @property
    def is_shipped(self) -> bool:
        """Whether goods leave the country, so that it says where to (BG-15, BR-IC-12)."""
        return any(line.row["vat_code"] in SHIPPED for line in self.totals.lines)

    @property
    def seller_number(self) -> str | None:
        """What stands in for a registration where the seller has none (BT-29, BR-CO-26)."""
        return None if self.seller.registration else self.business["business_id"]

    @property
    def references(self) -> tuple[str | None, str | None]:
        """The buyer's reference (BT-10) and the order (BT-13).

        The receiver's own reference, usually a Leitweg-ID, comes first; what the invoice names beside it is an order.
        """
        routing = written(self.invoice["receiver_info"]["xrechnung_buyer_reference"])
        order = written(self.invoice["buyer_reference"])
        return (order, None) if routing is None else (routing, order)

    def unit(self, row: Mapping[str, Any]) -> Unit:
        """Return in what a row is counted (BT-130); what has no code is counted as it is, and said in words."""
        code = unit_code(row["unit"])
        return Unit(ONE, words(self.language).unit.format(row["unit"])) if code is None else Unit(code)

    def reason(self, group: VatGroup) -> str:
        """Return why a group bears no VAT (BT-120), which must not be said of a rate of zero (BR-Z-10)."""
        return "" if group.category == ZERO_RATED else reasons(group.codes, self.language, self.business)

    @property
    def payment(self) -> Payment:
        """How it is paid.

        A credit note is set off: a transfer would name an account of the buyer, which the wire does not know.
        """
        if self.original is not None:
            return Payment(CLEARING, set_off(self.original, self.language))
        iban = compact(self.business["invoicing_iban"])
        return Payment(
            transfer_code(iban),
            payment_terms(self.invoice, self.language),
            iban,
            compact(self.business["invoicing_bic"] or "") or None,
            written(self.invoice["reference"]),
        )


def draft_of(invoice: Mapping[str, Any], business: Mapping[str, Any], original: Mapping[str, Any] | None) -> Draft:
    """Return what an invoice, or a credit note for `original`, says."""
    totals = add_up(invoice)
    return Draft(
        invoice=invoice,
        business=business,
        original=original,
        seller=seller_of(business),
        buyer=buyer_of(invoice),
        totals=totals.reversed() if original is not None else totals,
        language=language_of(invoice, business),
    )
