"""Finvoice that others wrote: 3.0, and earlier versions whose fields are the same (docs/purchases.md 3.1).

A bank puts an envelope before the invoice, in the same file; it is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

from acctcli.einvoice.incoming.model import COMMA, Fields, Group, Incoming, InvoiceFault, Line, Partner, Payment, Sums
from acctcli.markup import Node

LINES = frozenset({"InvoiceRow"})
# operators still send what senders wrote in the earlier ones
_VERSIONS = ("1.3", "2.0", "2.01", "3.0")
_DETAILS = "InvoiceDetails"
_INVOICE, _CREDIT_NOTE = "INV01", "INV02"
_SOLD, _GIVEN_BACK = "380", "381"
# older codes of the same: goods and services sold to other EU countries
_CATEGORIES = {"ZEG": "K", "ZES": "AE"}
NAMES = {
    "net": f"{_DETAILS}/InvoiceTotalVatExcludedAmount",
    "vat": f"{_DETAILS}/InvoiceTotalVatAmount",
    "gross": f"{_DETAILS}/InvoiceTotalVatIncludedAmount",
    "rounding": f"{_DETAILS}/InvoiceTotalRoundoffAmount",
    "prepaid": f"{_DETAILS}/InvoicePaidAmount",
    "allowances": f"{_DETAILS}/DiscountsTotalVatExcludedAmount",
    "charges": f"{_DETAILS}/ChargesTotalVatExcludedAmount",
    "payable": "EpiDetails/EpiPaymentInstructionDetails/EpiInstructedAmount",
    "base": f"{_DETAILS}/VatSpecificationDetails/VatBaseAmount",
    "group": f"{_DETAILS}/VatSpecificationDetails/VatRateAmount",
    "category": f"{_DETAILS}/VatSpecificationDetails/VatCode",
    "lines": "InvoiceRow/RowVatExcludedAmount",
    "iban": "EpiDetails/EpiPartyDetails/EpiBeneficiaryPartyDetails/EpiAccountID",
    "bic": "EpiDetails/EpiPartyDetails/EpiBfiPartyDetails/EpiBfiIdentifier",
    "reference": "EpiDetails/EpiPaymentInstructionDetails/EpiRemittanceInfoIdentifier",
    "seller_vat": "SellerPartyDetails/SellerOrganisationTaxCode",
    "buyer_vat": "BuyerPartyDetails/BuyerOrganisationTaxCode",
    "number": f"{_DETAILS}/InvoiceNumber",
    "issued": f"{_DETAILS}/InvoiceDate",
    "due": f"{_DETAILS}/PaymentTermsDetails/InvoiceDueDate",
    "currency": f"{_DETAILS}/InvoiceTotalVatIncludedAmount",
}
_BESIDE = (NAMES["rounding"], NAMES["prepaid"])
_SELLERS = "SellerInformationDetails/SellerAccountDetails"
_START = re.compile(rb"<(?:\w+:)?Finvoice[\s>]")
_DECLARATION = b"<?xml"
_ENVELOPE = re.compile(rb"<(?:[\w-]+:)?Envelope[\s>]")


def without_envelope(content: bytes) -> bytes:
    """Return the invoice of a file that may begin with an envelope; raise InvoiceFault for more than one invoice."""
    starts = [found.start() for found in _START.finditer(content)]
    if len(starts) > 1:
        raise InvoiceFault(f"the file holds {len(starts)} invoices: put each into a file of its own")
    if not starts or not _ENVELOPE.search(content, 0, starts[0]):
        return content
    return content[max(content.rfind(_DECLARATION, 0, starts[0]), 0) :]


def read_finvoice(root: Node, rows: Iterable[Node]) -> Incoming:
    """Return what a Finvoice says; `rows` are its rows, which are not in the root any more."""
    fields = Fields(root, COMMA)
    version = root.attributes.get("Version", "")
    if version not in _VERSIONS:
        known = ", ".join(_VERSIONS)
        raise InvoiceFault(f"{version!r} is another version: {known} are read", root.line, "Finvoice@Version")
    currency = fields.checked_currency(NAMES["gross"], fields.attribute(NAMES["gross"], "AmountCurrencyIdentifier"))
    fields.check_currency("AmountCurrencyIdentifier", currency, *(NAMES[one] for one in ("net", "vat", "payable")))
    lines = tuple(_line(Fields(row, COMMA)) for row in rows)
    groups = tuple(_group(one) for one in fields.all(f"{_DETAILS}/VatSpecificationDetails")) or _groups_of(
        fields, lines
    )
    return Incoming(
        format="Finvoice",
        is_credit_note=_is_credit_note(fields),
        number=fields.need(NAMES["number"]),
        issued=fields.needed_day(NAMES["issued"]),
        due=fields.day(NAMES["due"]) or fields.day("EpiDetails/EpiPaymentInstructionDetails/EpiDateOptionDate"),
        delivered=fields.day("DeliveryDetails/DeliveryDate"),
        currency=currency,
        seller=_partner(fields, "Seller"),
        buyer=_partner(fields, "Buyer"),
        sums=_sums(fields, groups),
        groups=groups,
        lines=lines,
        payment=_payment(fields),
        names=NAMES,
        credited=fields.text(f"{_DETAILS}/OriginalInvoiceNumber"),
        note=fields.text(f"{_DETAILS}/InvoiceFreeText"),
    )


def _is_credit_note(fields: Fields) -> bool:
    path, path_un = f"{_DETAILS}/InvoiceTypeCode", f"{_DETAILS}/InvoiceTypeCodeUN"
    code, code_un = fields.need(path), fields.text(path_un)
    if code not in {_INVOICE, _CREDIT_NOTE}:
        raise fields.fault(path, f"{code} is no invoice: {_INVOICE} and credit notes, {_CREDIT_NOTE}, are read")
    if code_un and (code_un == _GIVEN_BACK) != (code == _CREDIT_NOTE):
        right = _SOLD if code == _INVOICE else _GIVEN_BACK
        raise fields.fault(path_un, f"{code_un} says something else than {code}: {right} would be right")
    return code == _CREDIT_NOTE


def _partner(fields: Fields, role: str) -> Partner:
    party = f"{role}PartyDetails"
    found = fields.at(party)
    names = [] if found is None else [one.node.text.strip() for one in found.all(f"{role}OrganisationName")]
    return Partner(
        name=" ".join(" ".join(names).split()),
        vat_id=fields.text(f"{party}/{role}OrganisationTaxCode"),
        registration=fields.text(f"{party}/{role}PartyIdentifier"),
        country=fields.text(f"{party}/{role}PostalAddressDetails/CountryCode").upper(),
    )


def _sums(fields: Fields, groups: tuple[Group, ...]) -> Sums:
    """Return the totals; those that may be left out follow from the VAT specifications."""
    gross, rounding, prepaid = fields.needed_amount(NAMES["gross"]), *map(fields.sum, _BESIDE)
    net, vat = fields.amount(NAMES["net"]), fields.amount(NAMES["vat"])
    net = sum((one.base for one in groups), Decimal("0.00")) if net is None else net
    vat = sum((one.vat for one in groups), Decimal("0.00")) if vat is None else vat
    if gross == net + vat + rounding:
        # some have rounded the total already
        gross -= rounding
    payable = fields.amount(NAMES["payable"])
    return Sums(
        net=net,
        vat=vat,
        gross=gross,
        rounding=rounding,
        prepaid=prepaid,
        allowances=fields.sum(NAMES["allowances"]),
        charges=fields.sum(NAMES["charges"]),
        payable=gross + rounding - prepaid if payable is None else payable,
    )


def _group(one: Fields) -> Group:
    rate = one.number("VatRatePercent") or Decimal(0)
    category = one.text("VatCode") or _usual(rate)
    return Group(
        category=_CATEGORIES.get(category, category),
        rate=rate,
        base=one.needed_amount("VatBaseAmount"),
        vat=one.sum("VatRateAmount"),
        line=one.node.line,
    )


def _usual(rate: Decimal) -> str:
    """Return the category of a rate where none is written."""
    return "S" if rate else "E"


def _groups_of(fields: Fields, lines: tuple[Line, ...]) -> tuple[Group, ...]:
    """Put the rows together by their VAT, where the invoice does not do that itself."""
    if not lines or any(line.vat is None for line in lines):
        raise fields.fault(f"{_DETAILS}/VatSpecificationDetails", "missing: the invoice does not say which VAT it has")
    found: dict[tuple[str, Decimal], Group] = {}
    for line in lines:
        key = line.category, line.rate
        before = found.get(key, Group(*key, Decimal("0.00"), Decimal("0.00")))
        found[key] = before._replace(base=before.base + line.net, vat=before.vat + (line.vat or 0))
    return tuple(found.values())


def _line(row: Fields) -> Line:
    rate = row.number("RowVatRatePercent") or Decimal(0)
    category = row.text("RowVatCode") or _usual(rate)
    net = row.number("RowVatExcludedAmount")
    gross, vat = row.number("RowAmount"), row.number("RowVatAmount")
    if net is None and gross is not None:
        net = gross - (vat or 0)
    return Line(
        name=row.text("ArticleName"),
        description=row.text("ArticleDescription"),
        code=row.text("ArticleIdentifier"),
        quantity=row.number("InvoicedQuantity")
        if row.node.first("InvoicedQuantity")
        else row.number("DeliveredQuantity"),
        unit=row.attribute("InvoicedQuantity", "QuantityUnitCode"),
        price=row.number("UnitPriceAmount"),
        # a row of text comes to nothing
        net=net or Decimal("0.00"),
        category=_CATEGORIES.get(category, category),
        rate=rate,
        vat=vat,
    )


def _payment(fields: Fields) -> Payment:
    iban, reference = NAMES["iban"], NAMES["reference"]
    scheme = fields.attribute(reference, "IdentificationSchemeName")
    return Payment(
        iban=fields.one(iban, f"{_SELLERS}/SellerAccountID"),
        bic=fields.text(NAMES["bic"], f"{_SELLERS}/SellerBic"),
        reference=fields.one(reference),
        message=fields.text("EpiDetails/EpiPaymentInstructionDetails/EpiPaymentInstructionId"),
        is_iban=fields.attribute(iban, "IdentificationSchemeName") == "IBAN",
        is_checked=scheme in {"SPY", "ISO"},
    )
