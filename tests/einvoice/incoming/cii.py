"""CII of an invoice of the samples, as others would write it, with the least that is read."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any
from xml.sax.saxutils import escape

from acctcli.einvoice.totals import Totals, add_up

_NAMES = (
    'xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" '
    'xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100" '
    'xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100"'
)


def cii(invoice: Mapping[str, Any], vat_id: str = "FI12345671", guideline: str = "urn:cen.eu:en16931:2017") -> bytes:
    """Return an invoice, or a credit note, whose amounts are positive, in CII."""
    is_credit_note = invoice["is_credit_note_for"] is not None
    totals = add_up(invoice)
    totals = totals.reversed() if is_credit_note else totals
    content = f"""<?xml version="1.0" encoding="UTF-8"?>
<rsm:CrossIndustryInvoice {_NAMES}>
<rsm:ExchangedDocumentContext>{nested("GuidelineSpecifiedDocumentContextParameter/ID", guideline)}
</rsm:ExchangedDocumentContext>
<rsm:ExchangedDocument>{element("ID", invoice["invoice_number"])}{element("TypeCode", 381 if is_credit_note else 380)}
<ram:IssueDateTime>{day(invoice["invoicing_date"])}</ram:IssueDateTime></rsm:ExchangedDocument>
<rsm:SupplyChainTradeTransaction>{"".join(_lines(totals))}
<ram:ApplicableHeaderTradeAgreement>
<ram:SellerTradeParty>{element("Name", "Kirjo & Kumpp. Oy")}{nested("PostalTradeAddress/CountryID", vat_id[:2])}
<ram:SpecifiedTaxRegistration><ram:ID schemeID="FC">12/345</ram:ID></ram:SpecifiedTaxRegistration>
<ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">{vat_id}</ram:ID></ram:SpecifiedTaxRegistration>
</ram:SellerTradeParty><ram:BuyerTradeParty>{element("Name", invoice["receiver_info"]["name"])}</ram:BuyerTradeParty>
</ram:ApplicableHeaderTradeAgreement>
<ram:ApplicableHeaderTradeDelivery/>
<ram:ApplicableHeaderTradeSettlement>{element("PaymentReference", invoice["reference"])}
{element("InvoiceCurrencyCode", invoice["currency"])}
<ram:SpecifiedTradeSettlementPaymentMeans>{element("TypeCode", 58)}
{nested("PayeePartyCreditorFinancialAccount/IBANID", "FI4950009420028730")}
{nested("PayeeSpecifiedCreditorFinancialInstitution/BICID", "OKOYFIHH")}</ram:SpecifiedTradeSettlementPaymentMeans>
{"".join(_groups(totals))}
<ram:SpecifiedTradePaymentTerms><ram:DueDateDateTime>{day(invoice["due_date"])}</ram:DueDateDateTime>
</ram:SpecifiedTradePaymentTerms>
<ram:SpecifiedTradeSettlementHeaderMonetarySummation>{element("LineTotalAmount", f"{totals.net:.2f}")}
{element("TaxBasisTotalAmount", f"{totals.net:.2f}")}
<ram:TaxTotalAmount currencyID="EUR">{totals.vat:.2f}</ram:TaxTotalAmount>
{element("RoundingAmount", f"{totals.difference:.2f}")}{element("GrandTotalAmount", f"{totals.gross:.2f}")}
{element("DuePayableAmount", f"{totals.payable:.2f}")}</ram:SpecifiedTradeSettlementHeaderMonetarySummation>
</ram:ApplicableHeaderTradeSettlement></rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>"""
    return content.encode()


def element(name: str, value: object) -> str:
    return f"<ram:{name}>{escape(str(value))}</ram:{name}>"


def nested(path: str, value: object) -> str:
    outer, _, inner = path.partition("/")
    return f"<ram:{outer}>{element(inner, value)}</ram:{outer}>"


def day(value: Any) -> str:
    return f'<udt:DateTimeString format="102">{value:%Y%m%d}</udt:DateTimeString>'


def _lines(totals: Totals) -> list[str]:
    return [
        "<ram:IncludedSupplyChainTradeLineItem>"
        f"<ram:SpecifiedTradeProduct>{element('Name', line.row['name'])}</ram:SpecifiedTradeProduct>"
        "<ram:SpecifiedLineTradeAgreement><ram:NetPriceProductTradePrice>"
        f"{element('ChargeAmount', line.price)}</ram:NetPriceProductTradePrice></ram:SpecifiedLineTradeAgreement>"
        f'<ram:SpecifiedLineTradeDelivery><ram:BilledQuantity unitCode="HUR">{line.quantity}</ram:BilledQuantity>'
        "</ram:SpecifiedLineTradeDelivery><ram:SpecifiedLineTradeSettlement>"
        f"<ram:ApplicableTradeTax>{element('CategoryCode', line.category)}{_rate(line.rate)}</ram:ApplicableTradeTax>"
        "<ram:SpecifiedTradeSettlementLineMonetarySummation>"
        f"{element('LineTotalAmount', f'{line.net:.2f}')}</ram:SpecifiedTradeSettlementLineMonetarySummation>"
        "</ram:SpecifiedLineTradeSettlement></ram:IncludedSupplyChainTradeLineItem>"
        for line in totals.lines
    ]


def _groups(totals: Totals) -> list[str]:
    return [
        f"<ram:ApplicableTradeTax>{element('CalculatedAmount', f'{one.vat:.2f}')}{element('TypeCode', 'VAT')}"
        f"{element('BasisAmount', f'{one.base:.2f}')}{element('CategoryCode', one.category)}{_rate(one.rate)}"
        "</ram:ApplicableTradeTax>"
        for one in totals.groups
    ]


def _rate(rate: Decimal) -> str:
    return element("RateApplicablePercent", rate)
