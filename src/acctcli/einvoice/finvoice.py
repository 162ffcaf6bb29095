"""Finvoice 3.0, the e-invoice of Finland, with the sums of EN 16931 (docs/law.md 7.5).

Elements stand in the order of its schema. Amounts have a decimal comma, a credit note negative ones. Each row also says
what the wire says of it, VAT included: the rows add up to the amount to pay, the VAT specifications to the sums of
EN 16931, and InvoiceTotalRoundoffAmount is what lies between.

The file is in ISO-8859-15, as the guidelines of the format want it; a character outside it is a numeric reference,
which every XML reader turns back into the character.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any
from xml.etree.ElementTree import Element

from acctcli.banking.barcode import bank_barcode
from acctcli.banking.checks import compact
from acctcli.banking.iban import finnish_bic
from acctcli.banking.references import check_any_reference
from acctcli.einvoice.draft import Draft
from acctcli.einvoice.markup import clean, document, node
from acctcli.einvoice.parties import Party, buyer_of, buyer_stop, seller_of, seller_stop
from acctcli.einvoice.postal import read_address
from acctcli.einvoice.requirements import check_finvoice
from acctcli.einvoice.terms import (
    day,
    delivery_day,
    language_of,
    penalty,
    plain,
    set_off,
    transfer_code,
    when_to_pay,
    words,
)
from acctcli.einvoice.totals import LineTotals, VatGroup, add_up
from acctcli.einvoice.transmission import frame, transmission_details
from acctcli.einvoice.units import unit_code
from acctcli.einvoice.vat import OUT_OF_SCOPE, REASON_CODES, reasons

ENCODING = "ISO-8859-15"
# InvoiceTypeCode of Finvoice, and UNCL 1001
_INVOICE, _CREDIT_NOTE = ("INV01", "380"), ("INV02", "381")
# lengths of the schema
_NAME, _LINE, _MAIL, _TEXT = 70, 35, 70, 512
_REASON_LINES = 3


class _Draft(Draft):
    """What the parts of the document are written from; the totals of a credit note are below zero."""

    @property
    def iban(self) -> str:
        """The account that is paid to."""
        return compact(self.business["invoicing_iban"])

    @property
    def bic(self) -> str:
        """Its bank, which a Finnish account tells by itself."""
        return compact(self.business["invoicing_bic"] or finnish_bic(self.iban) or "")

    def amount(self, tag: str, value: Decimal, least: int = 2) -> Element | None:
        return node(tag, _comma(value, least), AmountCurrencyIdentifier=self.invoice["currency"])


def finvoice(
    invoice: Mapping[str, Any], business: Mapping[str, Any], original: Mapping[str, Any] | None = None
) -> bytes:
    """Return an accepted sales invoice as Finvoice 3.0, in ISO-8859-15.

    `original` is the invoice that a credit note credits, and None for an invoice. The same input gives the same bytes.
    Raise EInvoiceError with all that is missing.
    """
    check_finvoice(invoice, business, original)
    language = language_of(invoice, business)
    draft = _Draft(invoice, business, original, seller_of(business), buyer_of(invoice), add_up(invoice), language)
    return document(_root(draft), ENCODING)


def framed_finvoice(
    invoice: Mapping[str, Any], business: Mapping[str, Any], original: Mapping[str, Any] | None = None
) -> bytes:
    """Return it with the frame before it in which operators and banks take it.

    Raise EInvoiceError also where they would not know from whom to whom.
    """
    check_finvoice(invoice, business, original, travels=True)
    return frame(invoice, business, ENCODING) + b"\n" + finvoice(invoice, business, original)


def _root(draft: _Draft) -> Element:
    root = Element("Finvoice", {"Version": "3.0"})
    parts = (
        transmission_details(draft.invoice, draft.business),
        *_seller(draft),
        *_buyer(draft),
        node("DeliveryDetails", _date("DeliveryDate", delivery_day(draft.invoice))),
        _details(draft),
        node("VirtualBankBarcode", _barcode(draft)),
        *(_row(draft, number, line) for number, line in enumerate(draft.totals.lines, 1)),
        _epi(draft),
    )
    root.extend([part for part in parts if part is not None])
    return root


def _seller(draft: _Draft) -> tuple[Element | None, ...]:
    seller = draft.seller
    return (
        _party("Seller", seller, _address("Seller", seller)),
        node("SellerOrganisationUnitNumber", seller_stop(draft.business).address),
        node("SellerContactPersonName", seller.contact),
        _communication("Seller", seller),
        node(
            "SellerInformationDetails",
            node(
                "SellerAccountDetails",
                node("SellerAccountID", draft.iban, IdentificationSchemeName="IBAN"),
                node("SellerBic", draft.bic, IdentificationSchemeName="BIC"),
            ),
        ),
    )


def _buyer(draft: _Draft) -> tuple[Element | None, ...]:
    receiver = draft.invoice["receiver_info"]
    dictated = receiver["buyer_postal_address_details_xml_override"]
    address = read_address(dictated) if dictated else _address("Buyer", draft.buyer)
    return (
        _party("Buyer", draft.buyer, address),
        node("BuyerOrganisationUnitNumber", buyer_stop(draft.invoice).address),
        node("BuyerContactPersonName", draft.buyer.contact),
        _communication("Buyer", draft.buyer),
    )


def _party(role: str, party: Party, address: Element | None) -> Element | None:
    return node(
        f"{role}PartyDetails",
        node(f"{role}PartyIdentifier", party.registration or party.tax_number, SchemeID=party.registration_scheme),
        *(node(f"{role}OrganisationName", part) for part in _pieces(party.name, _NAME)),
        node(f"{role}OrganisationTaxCode", party.vat_id),
        address,
    )


def _address(role: str, party: Party) -> Element | None:
    return node(
        f"{role}PostalAddressDetails",
        *(node(f"{role}StreetName", part) for part in _pieces(party.street, _LINE)),
        *(node(f"{role}TownName", part) for part in _pieces(party.city, _LINE)),
        *(node(f"{role}PostCodeIdentifier", part) for part in _pieces(party.postal_code, _LINE)),
        node("CountryCode", party.country),
    )


def _communication(role: str, party: Party) -> Element | None:
    """Return telephone and mail; an address cut short would reach somebody else."""
    email = party.email if len(party.email or "") <= _MAIL else None
    return node(
        f"{role}CommunicationDetails",
        node(f"{role}PhoneNumberIdentifier", party.phone),
        node(f"{role}EmailaddressIdentifier", email),
    )


def _details(draft: _Draft) -> Element | None:
    invoice, totals, spoken = draft.invoice, draft.totals, words(draft.language)
    code, code_un = _INVOICE if draft.original is None else _CREDIT_NOTE
    return node(
        "InvoiceDetails",
        node("InvoiceTypeCode", code),
        node("InvoiceTypeCodeUN", code_un),
        node("InvoiceTypeText", spoken.invoice if draft.original is None else spoken.credit_note),
        node("OriginCode", "Original"),
        node("InvoiceNumber", f"{invoice['invoice_number']}"),
        _date("InvoiceDate", day(invoice["invoicing_date"])),
        *_credited(draft.original),
        node("SellerReferenceIdentifier", invoice["seller_reference"]),
        node("SellersBuyerIdentifier", invoice["receiver_info"]["customer_id"]),
        node("BuyerReferenceIdentifier", invoice["buyer_reference"]),
        draft.amount("RowsTotalVatExcludedAmount", totals.net),
        draft.amount("InvoiceTotalVatExcludedAmount", totals.net),
        draft.amount("InvoiceTotalVatAmount", totals.vat),
        draft.amount("InvoiceTotalVatIncludedAmount", totals.gross),
        draft.amount("InvoiceTotalRoundoffAmount", totals.difference) if totals.difference else None,
        *(_vat_specification(draft, group) for group in totals.groups),
        node("InvoiceFreeText", invoice["description"]),
        *_long_reasons(draft),
        _payment_terms(draft),
    )


def _credited(original: Mapping[str, Any] | None) -> tuple[Element | None, ...]:
    if original is None:
        return ()
    return (
        node("OriginalInvoiceNumber", f"{original['invoice_number']}"),
        _date("OriginalInvoiceDate", day(original["invoicing_date"])),
    )


def _vat_specification(draft: _Draft, group: VatGroup) -> Element | None:
    return node(
        "VatSpecificationDetails",
        draft.amount("VatBaseAmount", group.base),
        node("VatRatePercent", _percent(group.category, group.rate)),
        node("VatCode", group.category),
        draft.amount("VatRateAmount", group.vat),
        *(node("VatFreeText", part) for part in _reasons(draft, group)[:_REASON_LINES]),
        node("VatExemptionReasonCode", REASON_CODES.get(group.category)),
    )


def _reasons(draft: _Draft, group: VatGroup) -> list[str]:
    """Return why a group carries no VAT, in lines."""
    told = reasons(group.codes, draft.language, draft.business)
    return _pieces(told, _NAME)


def _long_reasons(draft: _Draft) -> list[Element | None]:
    """Return the reasons that no VAT specification can hold, whole."""
    long = [lines for group in draft.totals.groups if len(lines := _reasons(draft, group)) > _REASON_LINES]
    return [node("InvoiceFreeText", part) for lines in long for part in _pieces(" ".join(lines), _TEXT)]


def _payment_terms(draft: _Draft) -> Element | None:
    invoice = draft.invoice
    if draft.original is not None:
        return node(
            "PaymentTermsDetails",
            node("PaymentTermsFreeText", set_off(draft.original, draft.language)),
            _date("InvoiceDueDate", day(invoice["due_date"])),
        )
    fine = node(
        "PaymentOverDueFineDetails",
        node("PaymentOverDueFineFreeText", penalty(invoice, draft.language)),
        node("PaymentOverDueFinePercent", _comma(Decimal(invoice["penalty_interest"]))),
    )
    return node(
        "PaymentTermsDetails",
        node("PaymentTermsFreeText", when_to_pay(invoice, draft.language)),
        _date("InvoiceDueDate", day(invoice["due_date"])),
        fine if invoice["penalty_interest"] else None,
    )


def _row(draft: _Draft, number: int, line: LineTotals) -> Element | None:
    row = line.row
    return node(
        "InvoiceRow",
        node("ArticleIdentifier", row["code"]),
        node("ArticleName", row["name"]),
        node("ArticleDescription", row["description"]),
        node(
            "InvoicedQuantity",
            _comma(line.quantity),
            QuantityUnitCode=row["unit"],
            QuantityUnitCodeUN=unit_code(row["unit"]),
        ),
        draft.amount("UnitPriceAmount", line.price),
        node("RowPositionIdentifier", f"{number}"),
        node("RowVatRatePercent", _percent(line.category, line.rate)),
        node("RowVatCode", line.category),
        draft.amount("RowVatAmount", Decimal(row["total_vat_amount"])),
        draft.amount("RowVatExcludedAmount", line.net),
        draft.amount("RowAmount", Decimal(row["total_amount"])),
    )


def _epi(draft: _Draft) -> Element | None:
    """Return the payment order, which banks read; a credit note has one too, of a negative amount."""
    invoice = draft.invoice
    reference = _reference(invoice)
    return node(
        "EpiDetails",
        node(
            "EpiIdentificationDetails",
            _date("EpiDate", day(invoice["invoicing_date"])),
            node("EpiReference", reference or f"{invoice['invoice_number']}"),
        ),
        node(
            "EpiPartyDetails",
            node("EpiBfiPartyDetails", node("EpiBfiIdentifier", draft.bic, IdentificationSchemeName="BIC")),
            node(
                "EpiBeneficiaryPartyDetails",
                *(node("EpiNameAddressDetails", part) for part in _pieces(draft.seller.name, _LINE)[:1]),
                node("EpiAccountID", draft.iban, IdentificationSchemeName="IBAN"),
            ),
        ),
        node(
            "EpiPaymentInstructionDetails",
            _remittance(reference),
            draft.amount("EpiInstructedAmount", draft.totals.payable),
            node("EpiCharge", "SLEV", ChargeOption="SLEV"),
            _date("EpiDateOptionDate", day(invoice["due_date"])),
            node("EpiPaymentMeansCode", transfer_code(draft.iban)),
        ),
    )


def _remittance(reference: str | None) -> Element | None:
    if reference is None:
        return None
    scheme = "ISO" if reference.startswith("RF") else "SPY"
    return node("EpiRemittanceInfoIdentifier", reference, IdentificationSchemeName=scheme)


def _reference(invoice: Mapping[str, Any]) -> str | None:
    """Return the reference as banks read it, or None where it is none of theirs."""
    try:
        return check_any_reference(invoice["reference"] or "")
    except ValueError:
        return None


def _barcode(draft: _Draft) -> str | None:
    """Return the digits of the barcode; one of no amount would let the payer choose."""
    reference, payable = _reference(draft.invoice), draft.totals.payable
    if reference is None or payable <= 0:
        return None
    return bank_barcode(draft.iban, payable, reference, day(draft.invoice["due_date"]))


def _date(tag: str, value: date) -> Element | None:
    return node(tag, f"{value:%Y%m%d}", Format="CCYYMMDD")


def _percent(category: str, rate: Decimal) -> str | None:
    return None if category == OUT_OF_SCOPE else _comma(rate)


def _comma(number: Decimal, least: int = 0) -> str:
    return plain(number, least).replace(".", ",")


def _pieces(text: str | None, length: int) -> list[str]:
    """Break a text into pieces of at most `length`; the schema wants two characters at least, a blank counts.

    A tab is one blank: as eight it would break a text that fits.
    """
    return [f"{piece:<2}" for piece in textwrap.wrap(clean(text or ""), length, expand_tabs=False)]
