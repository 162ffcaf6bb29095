"""EN 16931 in UBL 2.1 that others wrote, as XRechnung and Peppol BIS have it (docs/purchases.md 3.2)."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from acctcli.einvoice.incoming.model import (
    POINT,
    Fields,
    Group,
    Incoming,
    InvoiceFault,
    Line,
    Partner,
    Payment,
    is_vat_id,
)
from acctcli.law.identifiers import check_bic
from acctcli.markup import Node

LINES = frozenset({"InvoiceLine", "CreditNoteLine"})
EN_16931 = "urn:cen.eu:en16931:2017"
# UNCL 1001: ordinary, partial and corrected invoices, those of construction; credit notes
INVOICES = frozenset({"326", "380", "384", "875", "876", "877"})
CREDIT_NOTES = frozenset({"381", "396"})
# UNCL 4461: the buyer's bank is asked for the money
_COLLECTED = frozenset({"49", "59"})
_NAMESPACE = "urn:oasis:names:specification:ubl:schema:xsd:{}-2"
_TOTALS, _SUBTOTAL = "LegalMonetaryTotal", "TaxTotal/TaxSubtotal"
_ACCOUNT = "PaymentMeans/PayeeFinancialAccount"
NAMES = {
    "net": f"{_TOTALS}/TaxExclusiveAmount",
    "vat": "TaxTotal/TaxAmount",
    "gross": f"{_TOTALS}/TaxInclusiveAmount",
    "rounding": f"{_TOTALS}/PayableRoundingAmount",
    "prepaid": f"{_TOTALS}/PrepaidAmount",
    "allowances": f"{_TOTALS}/AllowanceTotalAmount",
    "charges": f"{_TOTALS}/ChargeTotalAmount",
    "payable": f"{_TOTALS}/PayableAmount",
    "base": f"{_SUBTOTAL}/TaxableAmount",
    "group": f"{_SUBTOTAL}/TaxAmount",
    "category": f"{_SUBTOTAL}/TaxCategory/ID",
    "lines": "InvoiceLine/LineExtensionAmount",
    "iban": f"{_ACCOUNT}/ID",
    "bic": f"{_ACCOUNT}/FinancialInstitutionBranch/ID",
    "reference": "PaymentMeans/PaymentID",
    "seller_vat": "AccountingSupplierParty/Party/PartyTaxScheme/CompanyID",
    "buyer_vat": "AccountingCustomerParty/Party/PartyTaxScheme/CompanyID",
    "number": "ID",
    "issued": "IssueDate",
    "due": "DueDate",
    "currency": "DocumentCurrencyCode",
}


def read_ubl(root: Node, namespace: str, rows: Iterable[Node]) -> Incoming:
    """Return what an invoice or a credit note says; `rows` are its lines, which are not in the root any more."""
    if namespace != _NAMESPACE.format(root.name):
        raise InvoiceFault(f"{namespace!r} is not UBL 2.1: {_NAMESPACE.format(root.name)} would be", root.line, "xmlns")
    fields = Fields(root, POINT)
    customization = fields.need("CustomizationID", f"it begins with {EN_16931}")
    if not customization.startswith(EN_16931):
        raise fields.fault("CustomizationID", f"{customization!r} is not EN 16931: it begins with {EN_16931}")
    _check_kind(fields)
    currency = fields.currency(NAMES["currency"])
    fields.check_currency("currencyID", currency, *(NAMES[one] for one in ("net", "gross", "payable")))
    is_credit_note = root.name == "CreditNote"
    invoice = Incoming(
        format="UBL",
        is_credit_note=is_credit_note,
        number=fields.need(NAMES["number"]),
        issued=fields.needed_day(NAMES["issued"]),
        due=fields.day(NAMES["due"]) or fields.day("PaymentMeans/PaymentDueDate"),
        delivered=fields.day("Delivery/ActualDeliveryDate"),
        currency=currency,
        seller=_partner(fields, "AccountingSupplierParty/Party"),
        buyer=_partner(fields, "AccountingCustomerParty/Party"),
        sums=fields.sums(NAMES, _tax(fields).needed_amount("TaxAmount")),
        groups=tuple(_group(one) for one in _tax(fields).all("TaxSubtotal")),
        lines=tuple(_line(Fields(row, POINT)) for row in rows),
        payment=_payment(fields),
        names=NAMES | ({"lines": "CreditNoteLine/LineExtensionAmount"} if is_credit_note else {}),
        credited=fields.text("BillingReference/InvoiceDocumentReference/ID"),
        note=fields.text("Note"),
    )
    return invoice.turned() if is_credit_note else invoice


def _check_kind(fields: Fields) -> None:
    path = f"{fields.node.name}TypeCode"
    known = CREDIT_NOTES if fields.node.name == "CreditNote" else INVOICES
    if (kind := fields.need(path)) not in known:
        raise fields.fault(path, f"{kind} is not read; {', '.join(sorted(known))} are: enter it by hand")


def _partner(fields: Fields, path: str) -> Partner:
    vat = next(
        (
            one.text("CompanyID")
            for one in fields.all(f"{path}/PartyTaxScheme")
            if one.text("TaxScheme/ID").upper() == "VAT" or is_vat_id(one.text("CompanyID"))
        ),
        "",
    )
    return Partner(
        name=fields.text(f"{path}/PartyLegalEntity/RegistrationName", f"{path}/PartyName/Name"),
        vat_id=vat,
        registration=fields.text(f"{path}/PartyLegalEntity/CompanyID", f"{path}/PartyIdentification/ID"),
        country=fields.text(f"{path}/PostalAddress/Country/IdentificationCode").upper(),
    )


def _tax(fields: Fields) -> Fields:
    """Return the VAT of the invoice; a second one may state it in the currency that the seller pays tax in."""
    totals = list(fields.all("TaxTotal"))
    if not totals:
        raise fields.fault("TaxTotal", "missing: the invoice does not say which VAT it has")
    return next((one for one in totals if one.node.first("TaxSubtotal") is not None), totals[0])


def _group(one: Fields) -> Group:
    return Group(
        category=one.need("TaxCategory/ID", "a VAT breakdown has a category, such as S"),
        rate=one.number("TaxCategory/Percent") or Decimal(0),
        base=one.needed_amount("TaxableAmount"),
        vat=one.needed_amount("TaxAmount"),
        line=one.node.line,
    )


def _line(row: Fields) -> Line:
    quantity = "InvoicedQuantity" if row.node.name == "InvoiceLine" else "CreditedQuantity"
    price, of = row.number("Price/PriceAmount"), row.number("Price/BaseQuantity") or Decimal(1)
    return Line(
        name=row.text("Item/Name"),
        description=row.text("Item/Description"),
        code=row.text("Item/SellersItemIdentification/ID"),
        quantity=row.number(quantity),
        unit=row.attribute(quantity, "unitCode"),
        price=price if price is None or of == 1 else price / of,
        net=row.needed_amount("LineExtensionAmount"),
        category=row.text("Item/ClassifiedTaxCategory/ID"),
        rate=row.number("Item/ClassifiedTaxCategory/Percent") or Decimal(0),
    )


def _payment(fields: Fields) -> Payment:
    every = list(fields.all("PaymentMeans"))
    found = next((one for one in every if one.node.first("PayeeFinancialAccount/ID")), None) or next(iter(every), None)
    if found is None:
        return Payment()
    is_collected = found.text("PaymentMeansCode") in _COLLECTED
    return Payment(
        iban="" if is_collected else found.one("PayeeFinancialAccount/ID"),
        bic=_bic(found.text("PayeeFinancialAccount/FinancialInstitutionBranch/ID")),
        reference=found.one("PaymentID"),
    )


def _bic(text: str) -> str:
    """Return a BIC; empty for the code of a bank in its own country, which may stand there as well (BT-86)."""
    try:
        check_bic(text)
    except ValueError:
        return ""
    return text
