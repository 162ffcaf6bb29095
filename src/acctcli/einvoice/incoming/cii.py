"""EN 16931 in CII that others wrote, as XRechnung, ZUGFeRD and Factur-X have it (docs/purchases.md 3.3)."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from acctcli.einvoice.incoming.model import (
    HERE,
    POINT_AND_COMPACT_DAY,
    Fields,
    Group,
    Incoming,
    InvoiceFault,
    Line,
    Partner,
    Payment,
    Sums,
)
from acctcli.einvoice.incoming.ubl import CREDIT_NOTES, EN_16931, INVOICES
from acctcli.markup import Node

LINES = frozenset({"IncludedSupplyChainTradeLineItem"})
ROOT = "CrossIndustryInvoice"
_NAMESPACE = f"urn:un:unece:uncefact:data:standard:{ROOT}:100"
_FACTUR_X = "urn:factur-x.eu:1p0:"
_GUIDELINE = "ExchangedDocumentContext/GuidelineSpecifiedDocumentContextParameter/ID"
_DOCUMENT = "ExchangedDocument"
# of registrations: that for VAT
_VAT_SCHEME = "VA"
_TRADE = "SupplyChainTradeTransaction"
_AGREEMENT, _SETTLEMENT = f"{_TRADE}/ApplicableHeaderTradeAgreement", f"{_TRADE}/ApplicableHeaderTradeSettlement"
_SUMS = f"{_SETTLEMENT}/SpecifiedTradeSettlementHeaderMonetarySummation"
_TAX = f"{_SETTLEMENT}/ApplicableTradeTax"
_MEANS = f"{_SETTLEMENT}/SpecifiedTradeSettlementPaymentMeans"
# lines of the extended profile that others are below, or that only tell something
_UNCOUNTED = frozenset({"GROUP", "INFORMATION"})
# how the day is written: CCYYMMDD
_DAY = "DateTimeString"
NAMES = {
    "net": f"{_SUMS}/TaxBasisTotalAmount",
    "vat": f"{_SUMS}/TaxTotalAmount",
    "gross": f"{_SUMS}/GrandTotalAmount",
    "rounding": f"{_SUMS}/RoundingAmount",
    "prepaid": f"{_SUMS}/TotalPrepaidAmount",
    "allowances": f"{_SUMS}/AllowanceTotalAmount",
    "charges": f"{_SUMS}/ChargeTotalAmount",
    "payable": f"{_SUMS}/DuePayableAmount",
    "base": f"{_TAX}/BasisAmount",
    "group": f"{_TAX}/CalculatedAmount",
    "category": f"{_TAX}/CategoryCode",
    "lines": "SpecifiedLineTradeSettlement/SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount",
    "iban": f"{_MEANS}/PayeePartyCreditorFinancialAccount/IBANID",
    "bic": f"{_MEANS}/PayeeSpecifiedCreditorFinancialInstitution/BICID",
    "reference": f"{_SETTLEMENT}/PaymentReference",
    "seller_vat": f"{_AGREEMENT}/SellerTradeParty/SpecifiedTaxRegistration/ID",
    "buyer_vat": f"{_AGREEMENT}/BuyerTradeParty/SpecifiedTaxRegistration/ID",
    "number": f"{_DOCUMENT}/ID",
    "issued": f"{_DOCUMENT}/IssueDateTime/{_DAY}",
    "due": f"{_SETTLEMENT}/SpecifiedTradePaymentTerms/DueDateDateTime/{_DAY}",
    "currency": f"{_SETTLEMENT}/InvoiceCurrencyCode",
}


def read_cii(root: Node, namespace: str, rows: Iterable[Node]) -> Incoming:
    """Return what an invoice or a credit note says; `rows` are its lines, which are not in the root any more."""
    if namespace != _NAMESPACE:
        raise InvoiceFault(f"{namespace!r} is not CII D16B: {_NAMESPACE} would be", root.line, "xmlns")
    fields = Fields(root, POINT_AND_COMPACT_DAY)
    guideline = fields.need(_GUIDELINE, f"it begins with {EN_16931}")
    if not guideline.startswith((EN_16931, _FACTUR_X)):
        raise fields.fault(_GUIDELINE, f"{guideline!r} is not EN 16931: it begins with {EN_16931}")
    is_credit_note = _is_credit_note(fields)
    groups = tuple(_group(one) for one in fields.all(_TAX))
    if not groups:
        raise fields.fault(_TAX, "missing: this profile does not say which VAT the invoice has")
    currency = fields.currency(NAMES["currency"])
    invoice = Incoming(
        format="CII",
        is_credit_note=is_credit_note,
        number=fields.need(NAMES["number"]),
        issued=fields.needed_day(NAMES["issued"]),
        due=fields.day(NAMES["due"]),
        delivered=fields.day(
            f"{_TRADE}/ApplicableHeaderTradeDelivery/ActualDeliverySupplyChainEvent/OccurrenceDateTime/{_DAY}"
        ),
        currency=currency,
        seller=_partner(fields, f"{_AGREEMENT}/SellerTradeParty"),
        buyer=_partner(fields, f"{_AGREEMENT}/BuyerTradeParty"),
        sums=_sums(fields, currency),
        groups=groups,
        lines=tuple(_line(row) for row in (Fields(one, POINT_AND_COMPACT_DAY) for one in rows) if _counts(row)),
        payment=_payment(fields),
        names=NAMES,
        credited=fields.text(f"{_SETTLEMENT}/InvoiceReferencedDocument/IssuerAssignedID"),
        note=fields.text(f"{_DOCUMENT}/IncludedNote/Content"),
    )
    return invoice.turned() if is_credit_note else invoice


def _is_credit_note(fields: Fields) -> bool:
    path = f"{_DOCUMENT}/TypeCode"
    if (kind := fields.need(path)) not in INVOICES | CREDIT_NOTES:
        known = ", ".join(sorted(INVOICES | CREDIT_NOTES))
        raise fields.fault(path, f"{kind} is not read; {known} are: enter it by hand")
    return kind in CREDIT_NOTES


def _partner(fields: Fields, path: str) -> Partner:
    numbers = {
        one.attribute("ID", "schemeID"): one.text("ID") for one in fields.all(f"{path}/SpecifiedTaxRegistration")
    }
    return Partner(
        name=fields.text(f"{path}/Name", f"{path}/SpecifiedLegalOrganization/TradingBusinessName"),
        vat_id=numbers.get(_VAT_SCHEME, ""),
        registration=fields.text(f"{path}/SpecifiedLegalOrganization/ID", f"{path}/GlobalID", f"{path}/ID"),
        country=fields.text(f"{path}/PostalTradeAddress/CountryID").upper(),
    )


def _sums(fields: Fields, currency: str) -> Sums:
    """Return the totals; the VAT may stand twice, once in the currency that the seller pays tax in."""
    summed = fields.at(_SUMS)
    if summed is None:
        raise fields.fault(_SUMS, "missing: the invoice does not say what it comes to")
    taxes = [one for one in summed.all("TaxTotalAmount") if one.node.attributes.get("currencyID", currency) == currency]
    return fields.sums(NAMES, taxes[0].sum(HERE) if taxes else Decimal("0.00"))


def _group(one: Fields) -> Group:
    return Group(
        category=one.need("CategoryCode", "a VAT breakdown has a category, such as S"),
        rate=one.number("RateApplicablePercent") or Decimal(0),
        base=one.needed_amount("BasisAmount"),
        vat=one.needed_amount("CalculatedAmount"),
        line=one.node.line,
    )


def _counts(row: Fields) -> bool:
    """Whether a line is part of the sum: headings of groups and lines for information are not."""
    return row.text("AssociatedDocumentLineDocument/LineStatusReasonCode") not in _UNCOUNTED


def _line(row: Fields) -> Line:
    quantity, tax = "SpecifiedLineTradeDelivery/BilledQuantity", "SpecifiedLineTradeSettlement/ApplicableTradeTax"
    cost = "SpecifiedLineTradeAgreement/NetPriceProductTradePrice"
    price, of = row.number(f"{cost}/ChargeAmount"), row.number(f"{cost}/BasisQuantity") or Decimal(1)
    return Line(
        name=row.text("SpecifiedTradeProduct/Name"),
        description=row.text("SpecifiedTradeProduct/Description"),
        code=row.text("SpecifiedTradeProduct/SellerAssignedID"),
        quantity=row.number(quantity),
        unit=row.attribute(quantity, "unitCode"),
        price=price if price is None or of == 1 else price / of,
        net=row.needed_amount(NAMES["lines"]),
        category=row.text(f"{tax}/CategoryCode"),
        rate=row.number(f"{tax}/RateApplicablePercent") or Decimal(0),
    )


def _payment(fields: Fields) -> Payment:
    every = list(fields.all(_MEANS))
    account = "PayeePartyCreditorFinancialAccount"
    found = next((one for one in every if one.node.first(account) is not None), None)
    reference = fields.one(NAMES["reference"])
    if found is None:
        return Payment(reference=reference)
    return Payment(
        iban=found.one(f"{account}/IBANID", f"{account}/ProprietaryID"),
        bic=found.text("PayeeSpecifiedCreditorFinancialInstitution/BICID"),
        reference=reference,
        is_iban=bool(found.text(f"{account}/IBANID")),
    )
