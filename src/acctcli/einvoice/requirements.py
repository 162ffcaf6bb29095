"""What the wire must say before an e-invoice can be made of it; everything that is missing is named at once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from acctcli import law
from acctcli.banking.checks import compact
from acctcli.banking.iban import check_iban, finnish_bic
from acctcli.einvoice.addresses import check_address
from acctcli.einvoice.faults import Faults
from acctcli.einvoice.markup import written
from acctcli.einvoice.parties import EMAIL_SCHEME, Party, buyer_of, buyer_stop, is_vat_id, seller_of, seller_stop
from acctcli.einvoice.postal import read_address
from acctcli.einvoice.terms import plain
from acctcli.einvoice.totals import Totals, add_up
from acctcli.einvoice.vat import (
    EXPORT,
    INTRA_COMMUNITY,
    NO_HANDLING,
    OUT_OF_SCOPE,
    treat,
)
from acctcli.law.vat_codes import CONSTRUCTION, EU_GOODS, EU_SERVICES
from acctcli.law.world import COUNTRIES
from acctcli.models.enums import EInvoiceFormat


class _Terms(NamedTuple):
    """What is asked for of seller and buyer, by field; what a format calls the account, and the buyer's reference."""

    seller: Mapping[str, str]
    buyer: Mapping[str, str]
    account: str
    reference: str | None = None


# cities and post codes are what the law asks for (AVL 209 e §, § 14 (4) UStG), and rules of XRechnung alone; a seller
# who names no country is at home
_ANY = _Terms(
    seller={
        "name": "the seller's name (BT-27, BR-06)",
        "invoicing_city": "the seller's city (BT-37)",
        "invoicing_postal_code": "the seller's post code (BT-38)",
    },
    buyer={
        "name": "the buyer's name (BT-44, BR-07)",
        "invoicing_city": "the buyer's city (BT-52)",
        "invoicing_postal_code": "the buyer's post code (BT-53)",
        "invoicing_country": "the buyer's country (BT-55, BR-11)",
    },
    account="the account to pay to (BT-84, BR-61)",
)
_PEPPOL = _ANY._replace(reference="the buyer's reference or order (BT-10, PEPPOL-EN16931-R003)")
_XRECHNUNG = _Terms(
    seller={
        **_ANY.seller,
        "invoicing_city": "the seller's city (BT-37, BR-DE-3)",
        "invoicing_postal_code": "the seller's post code (BT-38, BR-DE-4)",
    },
    buyer={
        **_ANY.buyer,
        "invoicing_city": "the buyer's city (BT-52, BR-DE-8)",
        "invoicing_postal_code": "the buyer's post code (BT-53, BR-DE-9)",
    },
    account="the account to pay to (BT-84, BR-DE-1)",
    reference="Leitweg-ID or reference (BT-10, BR-DE-15)",
)
_SELLER_CONTACT = {
    "invoicing_contact": "the seller's contact person (BT-41, BR-DE-5)",
    "contact_phone": "the seller's telephone number (BT-42, BR-DE-6)",
    "invoicing_email": "the seller's e-mail address (BT-43, BR-DE-7)",
}
_STREET = {"invoicing_street": "the street of the postal address"}
_NUMBERED = {"invoice_number": "the number (BT-1): only accepted invoices have one"}
_NAMED = {"name": "what was sold (BT-153, BR-25)"}
_ADDRESS, _OPERATOR = "address of e-invoices, an OVT code or an IBAN", "operator, its code or the BIC of a bank"
# Northern Ireland is XI here
_CODES = COUNTRIES.keys() | {"XI"}
_BIC = re.compile(r"[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?")
# the form of the codes of the EAS list
_SCHEME = re.compile(r"[0-9]{4}|A[NQSU]|EM")
# what KoSIT warns of otherwise (BR-DE-27, BR-DE-28)
_PHONE = re.compile(r"(?:[^0-9]*[0-9]){3}")
_EMAIL = re.compile(r"[^@\s]+@(?:[^@.\s]+\.)+[^@.\s]+")
# the schema of Finvoice: monetaryAmount, QuantityType0_14
_AMOUNT_LIMIT, _QUANTITY_LENGTH = Decimal(10) ** 15, 14
# categories whose seller must show a VAT id, not just a tax number (BR-IC-02, BR-G-02)
_NEED_SELLER_VAT_ID = frozenset({INTRA_COMMUNITY, EXPORT})
_NEED_BUYER_VAT_ID = frozenset({EU_GOODS, EU_SERVICES})
_NO_VAT_ID = "is no VAT id: it begins with the two letters of a country (BR-CO-09)"


def check_xrechnung(
    invoice: Mapping[str, Any], business: Mapping[str, Any], original: Mapping[str, Any] | None
) -> None:
    """Raise EInvoiceError naming all that XRechnung needs and the wire does not say."""
    faults = Faults()
    _check_en16931(faults, invoice, business, original, _XRECHNUNG)
    _check_contact(faults, business)
    for prefix, party in _parties(invoice, business):
        _check_endpoint(faults, prefix, party)
    faults.check()


def check_peppol(invoice: Mapping[str, Any], business: Mapping[str, Any], original: Mapping[str, Any] | None) -> None:
    """Raise EInvoiceError naming all that Peppol BIS Billing needs and the wire does not say.

    Both need an address in Peppol; between two companies of a country that writes XRechnung, its rules hold too.
    """
    faults = Faults()
    _check_en16931(faults, invoice, business, original, _PEPPOL)
    home = law.country(business["country"])
    if home.einvoice_format == EInvoiceFormat.XRECHNUNG and buyer_of(invoice).country == home.code:
        _check_contact(faults, business)
    for prefix, party in _parties(invoice, business):
        _check_peppol_address(faults, prefix, party)
    faults.check()


def check_cii(invoice: Mapping[str, Any], business: Mapping[str, Any], original: Mapping[str, Any] | None) -> None:
    """Raise EInvoiceError naming all that EN 16931 needs and the wire does not say; addresses may be missing in it."""
    faults = Faults()
    _check_en16931(faults, invoice, business, original, _ANY)
    for prefix, party in _parties(invoice, business):
        if party.endpoint is not None:
            _check_endpoint(faults, prefix, party)
    faults.check()


def _parties(invoice: Mapping[str, Any], business: Mapping[str, Any]) -> tuple[tuple[str, Party], ...]:
    return ("business.", seller_of(business)), ("receiver_info.", buyer_of(invoice))


def _check_en16931(
    faults: Faults,
    invoice: Mapping[str, Any],
    business: Mapping[str, Any],
    original: Mapping[str, Any] | None,
    terms: _Terms,
) -> None:
    """Check what every usage of EN 16931 needs here; `terms` is what this one calls it."""
    receiver = invoice["receiver_info"]
    _check_invoice(faults, invoice, business, original)
    faults.require(business, "business.", terms.seller)
    faults.require(receiver, "receiver_info.", terms.buyer)
    is_referred_to = written(receiver["xrechnung_buyer_reference"]) or written(invoice["buyer_reference"])
    if terms.reference is not None and not is_referred_to:
        faults.add("receiver_info.xrechnung_buyer_reference", f"missing: {terms.reference}")
    for prefix, party in _parties(invoice, business):
        _check_country(faults, prefix, party)
    if invoice["is_credit_note_for"] is None:
        _check_iban(faults, business, terms.account)


def check_finvoice(
    invoice: Mapping[str, Any],
    business: Mapping[str, Any],
    original: Mapping[str, Any] | None,
    *,
    travels: bool = False,
) -> None:
    """Raise EInvoiceError naming all that Finvoice needs and the wire does not say.

    Its schema asks for less than the law, which wants the addresses of both (AVL 209 e §). One that `travels` to an
    operator says from whom to whom.
    """
    faults = Faults()
    _check_invoice(faults, invoice, business, original)
    faults.require(business, "business.", {**_STREET, **_ANY.seller})
    faults.require(invoice["receiver_info"], "receiver_info.", {**_STREET, **_ANY.buyer})
    if travels:
        _check_way(faults, invoice, business)
    _check_iban(faults, business, _ANY.account)
    _check_bic(faults, business)
    _check_dictated_address(faults, invoice["receiver_info"])
    _check_sizes(faults, invoice)
    faults.check()


def _check_dictated_address(faults: Faults, receiver: Mapping[str, Any]) -> None:
    field = "buyer_postal_address_details_xml_override"
    if receiver[field]:
        try:
            read_address(receiver[field])
        except ValueError as problem:
            faults.add(f"receiver_info.{field}", str(problem))


def _check_sizes(faults: Faults, invoice: Mapping[str, Any]) -> None:
    """Check the numbers that the wire takes and the schema of Finvoice does not."""
    # rows that cancel each other out may be larger than what they come to
    if sum(abs(Decimal(row["total_amount"])) for row in invoice["rows"]) >= _AMOUNT_LIMIT:
        faults.add("total_amount", "is made of amounts of more than 15 digits before the comma")
    for index, row in enumerate(invoice["rows"]):
        if len(plain(Decimal(row["product_count"]))) > _QUANTITY_LENGTH:
            faults.add(f"rows.{index}.product_count", f"has more than {_QUANTITY_LENGTH} characters")


def _check_invoice(
    faults: Faults, invoice: Mapping[str, Any], business: Mapping[str, Any], original: Mapping[str, Any] | None
) -> None:
    faults.require(invoice, "", _NUMBERED)
    credited = invoice["is_credit_note_for"]
    if credited is not None and original is None:
        faults.add("is_credit_note_for", "missing: the invoice that is credited (BT-25)")
    elif original is not None and original["id"] != credited:
        faults.add("is_credit_note_for", f"is {credited}, and the original has the id {original['id']}")
    if not invoice["rows"]:
        faults.add("rows", "missing: an invoice has at least one row (BR-16)")
    for index, row in enumerate(invoice["rows"]):
        faults.require(row, f"rows.{index}.", _NAMED)
    if _have_sales_codes(faults, invoice):
        totals = add_up(invoice)
        _check_totals(faults, totals)
        _check_vat(faults, totals, business, invoice)


def _have_sales_codes(faults: Faults, invoice: Mapping[str, Any]) -> bool:
    refused = False
    for index, row in enumerate(invoice["rows"]):
        if treat(row["vat_code"], Decimal(row["vat_rate"]), invoice["vat_country"]) is None:
            refused = True
            faults.add(f"rows.{index}.vat_code", f"VAT code {row['vat_code']} is one of purchases")
    return not refused


def _check_totals(faults: Faults, totals: Totals) -> None:
    if abs(totals.difference) > totals.most_difference:
        faults.add(
            "total_amount", f"is {totals.payable}, but the rows make {totals.gross}: more than rounding explains"
        )


def _check_vat(faults: Faults, totals: Totals, business: Mapping[str, Any], invoice: Mapping[str, Any]) -> None:
    """Check who must show which VAT id, and that what is outside the scope stands alone."""
    categories = {group.category for group in totals.groups}
    if OUT_OF_SCOPE in categories and len(categories) > 1:
        faults.add("rows", "services sold outside the EU (VAT code 12) need an invoice of their own (BR-O-11)")
    codes = {code for group in totals.groups for code in group.codes}
    if codes & NO_HANDLING:
        term = "why rows of VAT code 3 carry no VAT (BT-120, BR-E-10)"
        faults.require(business, "business.", {"invoicing_vat_exemption_reason": term})
    _check_seller_ids(faults, seller_of(business), categories)
    _check_buyer_ids(faults, buyer_of(invoice), codes)


def _check_seller_ids(faults: Faults, seller: Party, categories: set[str]) -> None:
    if seller.vat_id is None and categories & _NEED_SELLER_VAT_ID:
        faults.add("business.identifiers", "missing: the seller's VAT id, for sales to other countries (BT-31)")
    elif seller.vat_id is None and seller.tax_number is None and categories - {OUT_OF_SCOPE}:
        faults.add("business.identifiers", "missing: the seller's VAT id or tax number (BT-31, BT-32)")
    elif seller.vat_id is None and seller.tax_number is None and seller.registration is None:
        faults.add("business.identifiers", "missing: a number of the seller (BT-29, BR-CO-26)")
    elif seller.vat_id is not None and not is_vat_id(seller):
        faults.add("business.identifiers", f"{seller.vat_id} {_NO_VAT_ID}")


def _check_buyer_ids(faults: Faults, buyer: Party, codes: set[int]) -> None:
    field = "receiver_info.invoicing_tax_code"
    if buyer.vat_id is not None:
        if not is_vat_id(buyer):
            faults.add(field, _NO_VAT_ID)
    elif codes & _NEED_BUYER_VAT_ID:
        faults.add(field, "missing: the buyer's VAT id, for sales to other EU countries (BT-48)")
    elif CONSTRUCTION in codes and buyer.registration is None:
        faults.add(field, "missing: a VAT id or business id of the buyer, who owes the tax (BT-47, BT-48)")


def _check_endpoint(faults: Faults, prefix: str, party: Party) -> None:
    name = f"{prefix}invoicing_electronic_address"
    if party.endpoint is None:
        faults.add(name, "missing: an electronic address, an OVT code or an e-mail address (BT-34, BT-49)")
    elif party.endpoint.scheme is None:
        faults.add(
            f"{name}_scheme", "missing: what kind of address it is, such as 0204 for a Leitweg-ID (BR-62, BR-63)"
        )
    elif not _SCHEME.fullmatch(party.endpoint.scheme):
        faults.add(f"{name}_scheme", "is no code of electronic addresses, such as 0204 or EM (BR-CL-25)")


def _check_peppol_address(faults: Faults, prefix: str, party: Party) -> None:
    name = f"{prefix}invoicing_electronic_address"
    address = party.endpoint
    if address is None or address.scheme == EMAIL_SCHEME:
        faults.add(name, "missing: an address in Peppol, such as an OVT code (BT-34, BT-49, PEPPOL-EN16931-R010, R020)")
    elif address.scheme is None:
        _check_endpoint(faults, prefix, party)
    else:
        try:
            check_address(address.scheme, address.value)
        except ValueError as problem:
            faults.add(name, str(problem))


def _check_country(faults: Faults, prefix: str, party: Party) -> None:
    if party.country is not None and party.country not in _CODES:
        faults.add(f"{prefix}invoicing_country", f"{party.country} is no country code, such as GB or GR (BR-CL-14)")


def _check_contact(faults: Faults, business: Mapping[str, Any]) -> None:
    """Check whom the buyer may ask."""
    faults.require(business, "business.", _SELLER_CONTACT)
    seller = seller_of(business)
    if seller.phone is not None and not _PHONE.match(seller.phone):
        faults.add("business.contact_phone", "has fewer than three digits (BR-DE-27)")
    if seller.email is not None and not _EMAIL.fullmatch(seller.email):
        faults.add("business.invoicing_email", "is no address such as name@example.com (BR-DE-28)")


def _check_way(faults: Faults, invoice: Mapping[str, Any], business: Mapping[str, Any]) -> None:
    """Check where it comes from and where it goes; a business says where in the field that it can set."""
    seller, buyer = seller_stop(business), buyer_stop(invoice)
    places = (
        (seller.address, "business.invoicing_electronic_address", f"the seller's {_ADDRESS} (FromIdentifier)"),
        (seller.operator, "business.einvoicing_operator", f"the seller's {_OPERATOR} (FromIntermediator)"),
        (buyer.address, "receiver_info.invoicing_einvoice_address", f"the buyer's {_ADDRESS} (ToIdentifier)"),
        (buyer.operator, "receiver_info.invoicing_einvoice_operator", f"the buyer's {_OPERATOR} (ToIntermediator)"),
    )
    for value, field, term in places:
        if value is None:
            faults.add(field, f"missing: {term}")


def _check_iban(faults: Faults, business: Mapping[str, Any], term: str) -> None:
    faults.require(business, "business.", {"invoicing_iban": term})
    if business["invoicing_iban"]:
        try:
            check_iban(business["invoicing_iban"])
        except ValueError as error:
            faults.add("business.invoicing_iban", str(error))


def _check_bic(faults: Faults, business: Mapping[str, Any]) -> None:
    iban, bic = business["invoicing_iban"], compact(business["invoicing_bic"] or "")
    if bic and not _BIC.fullmatch(bic):
        faults.add("business.invoicing_bic", "is no BIC: 8 or 11 letters and digits")
    elif iban and not bic and finnish_bic(iban) is None:
        faults.add("business.invoicing_bic", "missing: the bank, which this account does not tell (SellerBic)")
