"""EN 16931 as a Cross Industry Invoice, D16B of UN/CEFACT (docs/law.md 7.9).

Elements stand in the order of the schema. It says what the invoice in UBL says: a credit note states positive amounts
of what it gives back.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any
from xml.etree.ElementTree import Element

from acctcli.einvoice.draft import PROFILE, Draft, Payment, draft_of
from acctcli.einvoice.markup import document, node
from acctcli.einvoice.parties import Party
from acctcli.einvoice.requirements import check_cii
from acctcli.einvoice.terms import day, delivery_day, plain
from acctcli.einvoice.totals import LineTotals, VatGroup
from acctcli.einvoice.vat import OUT_OF_SCOPE, REASON_CODES

EN_16931 = "urn:cen.eu:en16931:2017"
_STANDARD = "urn:un:unece:uncefact:data:standard:"
_NAMES = {
    "xmlns:rsm": f"{_STANDARD}CrossIndustryInvoice:100",
    "xmlns:ram": f"{_STANDARD}ReusableAggregateBusinessInformationEntity:100",
    "xmlns:qdt": f"{_STANDARD}QualifiedDataType:100",
    "xmlns:udt": f"{_STANDARD}UnqualifiedDataType:100",
}
# registrations: VAT ids, and tax numbers of a tax office (BT-31, BT-32)
_VAT_ID, _TAX_OFFICE = "VA", "FC"
# UNCL 2379: CCYYMMDD
_DAY = "102"


def cii(invoice: Mapping[str, Any], business: Mapping[str, Any], original: Mapping[str, Any] | None = None) -> bytes:
    """Return an accepted sales invoice as EN 16931 in CII, in UTF-8.

    `original` is the invoice that a credit note credits (BG-3), and None for an invoice. The same input gives the same
    bytes. Raise EInvoiceError with all that is missing.
    """
    check_cii(invoice, business, original)
    draft = draft_of(invoice, business, original)
    root = Element("rsm:CrossIndustryInvoice", _NAMES)
    parts = (
        node(
            "rsm:ExchangedDocumentContext",
            _within("BusinessProcessSpecifiedDocumentContextParameter", "ID", PROFILE),
            _within("GuidelineSpecifiedDocumentContextParameter", "ID", EN_16931),
        ),
        _head(draft),
        node(
            "rsm:SupplyChainTradeTransaction",
            *(_line(draft, number, line) for number, line in enumerate(draft.totals.lines, 1)),
            _agreement(draft),
            _delivery(draft),
            _settlement(draft),
        ),
    )
    root.extend([part for part in parts if part is not None])
    return document(root, "UTF-8")


def _head(draft: Draft) -> Element | None:
    return node(
        "rsm:ExchangedDocument",
        _ram("ID", f"{draft.invoice['invoice_number']}"),
        _ram("TypeCode", draft.type_code),
        _date("IssueDateTime", day(draft.invoice["invoicing_date"])),
        _within("IncludedNote", "Content", draft.invoice["description"]),
    )


def _line(draft: Draft, number: int, line: LineTotals) -> Element | None:
    row, unit = line.row, draft.unit(line.row)
    return _ram(
        "IncludedSupplyChainTradeLineItem",
        _ram(
            "AssociatedDocumentLineDocument", _ram("LineID", f"{number}"), _within("IncludedNote", "Content", unit.note)
        ),
        _ram(
            "SpecifiedTradeProduct",
            _ram("SellerAssignedID", row["code"]),
            _ram("Name", row["name"]),
            _ram("Description", row["description"]),
        ),
        _ram(
            "SpecifiedLineTradeAgreement",
            _within("NetPriceProductTradePrice", "ChargeAmount", plain(line.price, 2)),
        ),
        _ram("SpecifiedLineTradeDelivery", _ram("BilledQuantity", plain(line.quantity), unitCode=unit.code)),
        _ram(
            "SpecifiedLineTradeSettlement",
            _ram(
                "ApplicableTradeTax",
                _ram("TypeCode", "VAT"),
                _ram("CategoryCode", line.category),
                # nothing outside the scope of VAT has a rate (BR-O-05)
                _ram("RateApplicablePercent", None if line.category == OUT_OF_SCOPE else plain(line.rate)),
            ),
            _ram("SpecifiedTradeSettlementLineMonetarySummation", _amount("LineTotalAmount", line.net)),
        ),
    )


def _agreement(draft: Draft) -> Element | None:
    """Return buyer and seller, the buyer's reference (BT-10) and the orders (BT-14, BT-13)."""
    routing, order = draft.references
    return _ram(
        "ApplicableHeaderTradeAgreement",
        _ram("BuyerReference", routing),
        _ram("SellerTradeParty", *_party(draft, draft.seller, draft.seller_number)),
        _ram("BuyerTradeParty", *_party(draft, draft.buyer, None)),
        _within("SellerOrderReferencedDocument", "IssuerAssignedID", draft.invoice["seller_reference"]),
        _within("BuyerOrderReferencedDocument", "IssuerAssignedID", order),
    )


def _party(draft: Draft, party: Party, number: str | None) -> tuple[Element | None, ...]:
    """Return what a party consists of; `number` is one that a register has not given (BT-29)."""
    endpoint = party.endpoint
    return (
        _ram("ID", number),
        _ram("Name", party.name),
        _ram("SpecifiedLegalOrganization", _ram("ID", party.registration, schemeID=party.registration_scheme)),
        _ram(
            "DefinedTradeContact",
            _ram("PersonName", party.contact),
            _within("TelephoneUniversalCommunication", "CompleteNumber", party.phone),
            _within("EmailURIUniversalCommunication", "URIID", party.email),
        ),
        _address(party),
        endpoint and _ram("URIUniversalCommunication", _ram("URIID", endpoint.value, schemeID=endpoint.scheme)),
        _registration(party.vat_id if draft.shows_vat_ids else None, _VAT_ID),
        _registration(party.tax_number, _TAX_OFFICE),
    )


def _address(party: Party) -> Element | None:
    return _ram(
        "PostalTradeAddress",
        _ram("PostcodeCode", party.postal_code),
        _ram("LineOne", party.street),
        _ram("CityName", party.city),
        _ram("CountryID", party.country),
    )


def _registration(number: str | None, scheme: str) -> Element | None:
    return _ram("SpecifiedTaxRegistration", _ram("ID", number, schemeID=scheme))


def _delivery(draft: Draft) -> Element | None:
    """Return when it was delivered (BT-72), and where to if it left the country (BG-15)."""
    return _ram(
        "ApplicableHeaderTradeDelivery",
        _ram("ShipToTradeParty", _address(draft.buyer)) if draft.is_shipped else None,
        _ram("ActualDeliverySupplyChainEvent", _date("OccurrenceDateTime", delivery_day(draft.invoice))),
    )


def _settlement(draft: Draft) -> Element | None:
    payment, original = draft.payment, draft.original
    # one that is set off is not due
    due = None if draft.is_credit_note else _date("DueDateDateTime", day(draft.invoice["due_date"]))
    return _ram(
        "ApplicableHeaderTradeSettlement",
        _ram("PaymentReference", payment.reference),
        _ram("InvoiceCurrencyCode", draft.invoice["currency"]),
        _means(draft, payment),
        *(_group(draft, group) for group in draft.totals.groups),
        _ram("SpecifiedTradePaymentTerms", _ram("Description", payment.terms), due),
        _sums(draft),
        None if original is None else _credited(original),
    )


def _means(draft: Draft, payment: Payment) -> Element | None:
    account = None if payment.iban is None else _ram("AccountName", draft.business["name"])
    return _ram(
        "SpecifiedTradeSettlementPaymentMeans",
        _ram("TypeCode", payment.code),
        _ram("PayeePartyCreditorFinancialAccount", _ram("IBANID", payment.iban), account),
        _within("PayeeSpecifiedCreditorFinancialInstitution", "BICID", payment.bic),
    )


def _group(draft: Draft, group: VatGroup) -> Element | None:
    return _ram(
        "ApplicableTradeTax",
        _amount("CalculatedAmount", group.vat),
        _ram("TypeCode", "VAT"),
        _ram("ExemptionReason", draft.reason(group)),
        _amount("BasisAmount", group.base),
        _ram("CategoryCode", group.category),
        _ram("ExemptionReasonCode", REASON_CODES.get(group.category)),
        _ram("RateApplicablePercent", plain(group.rate)),
    )


def _sums(draft: Draft) -> Element | None:
    totals = draft.totals
    return _ram(
        "SpecifiedTradeSettlementHeaderMonetarySummation",
        _amount("LineTotalAmount", totals.net),
        _amount("TaxBasisTotalAmount", totals.net),
        _ram("TaxTotalAmount", f"{totals.vat:.2f}", currencyID=draft.invoice["currency"]),
        _amount("RoundingAmount", totals.difference) if totals.difference else None,
        _amount("GrandTotalAmount", totals.gross),
        _amount("DuePayableAmount", totals.payable),
    )


def _credited(original: Mapping[str, Any]) -> Element | None:
    return _ram(
        "InvoiceReferencedDocument",
        _ram("IssuerAssignedID", f"{original['invoice_number']}"),
        _date("FormattedIssueDateTime", day(original["invoicing_date"]), "qdt"),
    )


def _ram(name: str, *content: Element | str | None, **attributes: str | None) -> Element | None:
    return node(f"ram:{name}", *content, **attributes)


def _within(outer: str, name: str, text: str | None) -> Element | None:
    return _ram(outer, _ram(name, text))


def _amount(name: str, value: Decimal) -> Element | None:
    return _ram(name, f"{value:.2f}")


def _date(name: str, value: date, types: str = "udt") -> Element | None:
    return _ram(name, node(f"{types}:DateTimeString", f"{value:%Y%m%d}", format=_DAY))
