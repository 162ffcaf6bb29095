"""XRechnung 3.0 and Peppol BIS Billing 3.0: EN 16931 as a UBL 2.1 invoice or credit note (docs/law.md 7.4, 7.7).

Elements stand in the order of the UBL schemas. A credit note states positive amounts of what it gives back; on the wire
its rows have negative counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any
from xml.etree.ElementTree import Element

from acctcli.einvoice.draft import PROFILE, Draft, Payment, draft_of
from acctcli.einvoice.markup import document, node
from acctcli.einvoice.parties import Party
from acctcli.einvoice.requirements import check_peppol, check_xrechnung
from acctcli.einvoice.terms import day, delivery_day, plain
from acctcli.einvoice.totals import LineTotals, VatGroup
from acctcli.einvoice.vat import OUT_OF_SCOPE, REASON_CODES

_COMPLIANT = "urn:cen.eu:en16931:2017#compliant#"
XRECHNUNG = f"{_COMPLIANT}urn:xeinkauf.de:kosit:xrechnung_3.0"
PEPPOL = f"{_COMPLIANT}urn:fdc:peppol.eu:2017:poacc:billing:3.0"
_UBL = "urn:oasis:names:specification:ubl:schema:xsd:"
# the identifiers of tax schemes: VAT ids, and tax numbers of a tax office (BT-31, BT-32)
_VAT, _TAX_OFFICE = "VAT", "FC"
# what Peppol writes for an order number that nobody gave
_NO_ORDER = "NA"


def xrechnung(
    invoice: Mapping[str, Any], business: Mapping[str, Any], original: Mapping[str, Any] | None = None
) -> bytes:
    """Return an accepted sales invoice as XRechnung 3.0, in UTF-8.

    `original` is the invoice that a credit note credits (BG-3), and None for an invoice. The same input gives the same
    bytes. Raise EInvoiceError with all that is missing.
    """
    check_xrechnung(invoice, business, original)
    return _written(XRECHNUNG, invoice, business, original)


def peppol(invoice: Mapping[str, Any], business: Mapping[str, Any], original: Mapping[str, Any] | None = None) -> bytes:
    """Return an accepted sales invoice as Peppol BIS Billing 3.0, in UTF-8; it is asked for as XRechnung is."""
    check_peppol(invoice, business, original)
    return _written(PEPPOL, invoice, business, original)


def _written(
    customization: str, invoice: Mapping[str, Any], business: Mapping[str, Any], original: Mapping[str, Any] | None
) -> bytes:
    return document(_root(draft_of(invoice, business, original), customization), "UTF-8")


def _root(draft: Draft, customization: str) -> Element:
    name = "CreditNote" if draft.is_credit_note else "Invoice"
    root = Element(
        name,
        {
            "xmlns": f"{_UBL}{name}-2",
            "xmlns:cac": f"{_UBL}CommonAggregateComponents-2",
            "xmlns:cbc": f"{_UBL}CommonBasicComponents-2",
        },
    )
    lines = (_line(draft, number, line) for number, line in enumerate(draft.totals.lines, 1))
    parts = (
        *_head(draft, customization),
        *_references(draft),
        *_parties(draft),
        *_payment(draft),
        *_sums(draft),
        *lines,
    )
    root.extend([part for part in parts if part is not None])
    return root


def _head(draft: Draft, customization: str) -> tuple[Element | None, ...]:
    invoice = draft.invoice
    if draft.is_credit_note:
        kind = [node("cbc:CreditNoteTypeCode", draft.type_code)]
    else:
        kind = [node("cbc:DueDate", f"{day(invoice['due_date'])}"), node("cbc:InvoiceTypeCode", draft.type_code)]
    return (
        node("cbc:CustomizationID", customization),
        node("cbc:ProfileID", PROFILE),
        node("cbc:ID", f"{invoice['invoice_number']}"),
        node("cbc:IssueDate", f"{day(invoice['invoicing_date'])}"),
        *kind,
        node("cbc:Note", invoice["description"]),
        node("cbc:DocumentCurrencyCode", invoice["currency"]),
    )


def _references(draft: Draft) -> tuple[Element | None, ...]:
    """Return the buyer's reference (BT-10), the orders (BT-13, BT-14) and the credited invoice (BG-3)."""
    routing, order = draft.references
    sales_order = node("cbc:SalesOrderID", draft.invoice["seller_reference"])
    has_order = order is not None or sales_order is not None
    return (
        node("cbc:BuyerReference", routing),
        node("cac:OrderReference", node("cbc:ID", order or _NO_ORDER), sales_order) if has_order else None,
        _credited(draft.original),
    )


def _credited(original: Mapping[str, Any] | None) -> Element | None:
    if original is None:
        return None
    return node(
        "cac:BillingReference",
        node(
            "cac:InvoiceDocumentReference",
            node("cbc:ID", f"{original['invoice_number']}"),
            node("cbc:IssueDate", f"{day(original['invoicing_date'])}"),
        ),
    )


def _parties(draft: Draft) -> tuple[Element | None, ...]:
    return (
        node("cac:AccountingSupplierParty", _party(draft, draft.seller, draft.seller_number)),
        node("cac:AccountingCustomerParty", _party(draft, draft.buyer, None)),
        _delivery(draft),
    )


def _party(draft: Draft, party: Party, number: str | None) -> Element | None:
    """Return a party; `number` is one that a register has not given (BT-29)."""
    return node(
        "cac:Party",
        party.endpoint and node("cbc:EndpointID", party.endpoint.value, schemeID=party.endpoint.scheme),
        node("cac:PartyIdentification", node("cbc:ID", number)),
        node("cac:PostalAddress", *_address(party)),
        _tax_scheme(party.vat_id if draft.shows_vat_ids else None, _VAT),
        _tax_scheme(party.tax_number, _TAX_OFFICE),
        node(
            "cac:PartyLegalEntity",
            node("cbc:RegistrationName", party.name),
            node("cbc:CompanyID", party.registration, schemeID=party.registration_scheme),
        ),
        node(
            "cac:Contact",
            node("cbc:Name", party.contact),
            node("cbc:Telephone", party.phone),
            node("cbc:ElectronicMail", party.email),
        ),
    )


def _address(party: Party) -> tuple[Element | None, ...]:
    return (
        node("cbc:StreetName", party.street),
        node("cbc:CityName", party.city),
        node("cbc:PostalZone", party.postal_code),
        node("cac:Country", node("cbc:IdentificationCode", party.country)),
    )


def _tax_scheme(number: str | None, scheme: str) -> Element | None:
    if number is None:
        return None
    return node("cac:PartyTaxScheme", node("cbc:CompanyID", number), _scheme(scheme))


def _scheme(name: str = _VAT) -> Element | None:
    return node("cac:TaxScheme", node("cbc:ID", name))


def _delivery(draft: Draft) -> Element | None:
    """Return when it was delivered (BT-72), and where to if it left the country (BG-15, BR-IC-12)."""
    return node(
        "cac:Delivery",
        node("cbc:ActualDeliveryDate", f"{delivery_day(draft.invoice)}"),
        node("cac:DeliveryLocation", node("cac:Address", *_address(draft.buyer))) if draft.is_shipped else None,
    )


def _payment(draft: Draft) -> tuple[Element | None, ...]:
    """Return how to pay (BG-16) and the terms (BT-20)."""
    payment = draft.payment
    means = node(
        "cac:PaymentMeans",
        node("cbc:PaymentMeansCode", payment.code),
        node("cbc:PaymentID", payment.reference),
        _account(draft, payment) if payment.iban else None,
    )
    return means, node("cac:PaymentTerms", node("cbc:Note", payment.terms))


def _account(draft: Draft, payment: Payment) -> Element | None:
    return node(
        "cac:PayeeFinancialAccount",
        node("cbc:ID", payment.iban),
        node("cbc:Name", draft.business["name"]),
        node("cac:FinancialInstitutionBranch", node("cbc:ID", payment.bic)),
    )


def _sums(draft: Draft) -> tuple[Element | None, ...]:
    totals = draft.totals
    return (
        node(
            "cac:TaxTotal",
            _amount(draft, "cbc:TaxAmount", totals.vat),
            *(_subtotal(draft, group) for group in totals.groups),
        ),
        node(
            "cac:LegalMonetaryTotal",
            _amount(draft, "cbc:LineExtensionAmount", totals.net),
            _amount(draft, "cbc:TaxExclusiveAmount", totals.net),
            _amount(draft, "cbc:TaxInclusiveAmount", totals.gross),
            _amount(draft, "cbc:PayableRoundingAmount", totals.difference) if totals.difference else None,
            _amount(draft, "cbc:PayableAmount", totals.payable),
        ),
    )


def _subtotal(draft: Draft, group: VatGroup) -> Element | None:
    return node(
        "cac:TaxSubtotal",
        _amount(draft, "cbc:TaxableAmount", group.base),
        _amount(draft, "cbc:TaxAmount", group.vat),
        node(
            "cac:TaxCategory",
            # XRechnung wants a rate in every breakdown, even outside the scope of VAT (BR-DE-14)
            node("cbc:ID", group.category),
            node("cbc:Percent", plain(group.rate)),
            node("cbc:TaxExemptionReasonCode", REASON_CODES.get(group.category)),
            node("cbc:TaxExemptionReason", draft.reason(group)),
            _scheme(),
        ),
    )


def _amount(draft: Draft, tag: str, value: Decimal) -> Element | None:
    return node(tag, f"{value:.2f}", currencyID=draft.invoice["currency"])


def _line(draft: Draft, number: int, line: LineTotals) -> Element | None:
    row, unit = line.row, draft.unit(line.row)
    kind, quantity = ("CreditNote", "Credited") if draft.is_credit_note else ("Invoice", "Invoiced")
    return node(
        f"cac:{kind}Line",
        node("cbc:ID", f"{number}"),
        node("cbc:Note", unit.note),
        node(f"cbc:{quantity}Quantity", plain(line.quantity), unitCode=unit.code),
        _amount(draft, "cbc:LineExtensionAmount", line.net),
        node(
            "cac:Item",
            node("cbc:Description", row["description"]),
            node("cbc:Name", row["name"]),
            node("cac:SellersItemIdentification", node("cbc:ID", row["code"])),
            node("cac:ClassifiedTaxCategory", node("cbc:ID", line.category), _line_rate(line), _scheme()),
        ),
        node("cac:Price", node("cbc:PriceAmount", plain(line.price, 2), currencyID=draft.invoice["currency"])),
    )


def _line_rate(line: LineTotals) -> Element | None:
    """Return the rate of a line, which nothing outside the scope of VAT has (BR-O-05)."""
    return None if line.category == OUT_OF_SCOPE else node("cbc:Percent", plain(line.rate))
