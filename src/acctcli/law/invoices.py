"""What the law asks of an invoice before it has a number: who sells and buys, what, why without VAT (docs/law.md 7.1).

Everything is read from objects of the wire, or from rows with the same names; all that lacks is named at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple
from unicodedata import category

from acctcli.law.decisions import Country
from acctcli.law.identifiers import LEITWEG_LAW, LEITWEG_SCHEME, check_leitweg, check_vat_id
from acctcli.law.vat_codes import (
    CONSTRUCTION,
    EU_GOODS,
    EU_SALES,
    EU_SERVICES,
    GOODS_ABROAD,
    NO_VAT,
    OUTPUT_VAT,
    SALES,
    SERVICES_ABROAD,
    ZERO_RATED_SALE,
)
from acctcli.law.vat_rules import last_day_of_rate, rate_fault
from acctcli.law.world import COUNTRIES, EU_COUNTRIES, NORTHERN_IRELAND, VAT_FORMS, vat_letters
from acctcli.models.enums import BusinessForm, ContactType, IdentifierType

Record = Mapping[str, Any]

ADDRESS = ("invoicing_street", "invoicing_city", "invoicing_postal_code", "invoicing_country")
# the country of a business is that of its law
SELLER_ADDRESS = ("invoicing_street", "invoicing_postal_code", "invoicing_city")
BUYER, SELLER, ROWS = "receiver_info", "business", "rows"
# codes that leave it to the business to say why there is no VAT
OWN_REASON = frozenset({0, NO_VAT, ZERO_RATED_SALE})
# classes of letters of which paper shows nothing: what steers, and blanks
_UNSEEN = "CZ"
# articles of the directive on what is sold to ships, aircraft, embassies and abroad, as they are cited
_ARTICLE = r"\b(14[6-9]|15[1-3])\b"
_DIRECTIVE = rf"2006/112.*{_ARTICLE}|{_ARTICLE}.*2006/112"


class Finding(NamedTuple):
    """What an invoice lacks: in which fields, what is wrong there, what would be right, and which law says so.

    Fields of the invoice stand bare (`rows.0.vat_code`), those of others after `business.` or `receiver_info.`. No law
    is named where the service asks for it by itself.
    """

    fields: tuple[str, ...]
    lacks: str
    right: str = ""
    law: str = ""

    @property
    def sentence(self) -> str:
        """All of it for people, but for the fields."""
        right, law = f": {self.right}" if self.right else "", f" ({self.law})" if self.law else ""
        return f"{self.lacks}{right}{law}."


class Line(NamedTuple):
    """A row as far as law has to say of it; the rate is in percent, and what is `taken_off` is below zero."""

    name: str
    vat_code: int
    rate: Decimal
    taken_off: bool = False


def missing_address(contact: Record) -> list[str]:
    """Return the fields an invoice needs that are empty."""
    return [name for name in ADDRESS if not _said(contact[name])]


def first_findings(lines: int, receiver: Record, business: Record, seller: Country) -> Iterator[Finding]:
    """Yield what keeps any draft from being accepted, whatever is sold."""
    if not lines:
        yield Finding((ROWS,), "An invoice needs a row", "it says what was sold", seller.invoice_law.what)
    if missing := missing_address(receiver):
        told = f"{receiver['name']} cannot be invoiced without {', '.join(missing)}"
        fields = tuple(f"{BUYER}.{name}" for name in missing)
        yield Finding(fields, told, "an invoice names the buyer's address", seller.invoice_law.parties)
    elif not receiver["is_invoicing_enabled"]:
        told = f"Invoicing is not enabled for {receiver['name']}"
        yield Finding((f"{BUYER}.is_invoicing_enabled",), told, "set is_invoicing_enabled to true")
    if not business["can_invoice"]:
        right = "the service has to let it"
        yield Finding((f"{SELLER}.can_invoice",), "The business cannot invoice", right)


def legal_findings(
    lines: Iterable[Line], receiver: Record, business: Record, seller: Country, day: date, reference: str | None
) -> list[Finding]:
    """Return what would make an invoice void in law; what several rows lack alike is one finding.

    `day` is that of its rates, `reference` what it says of the buyer's. Of a credit note there are no lines: it takes
    back what was sold as it was sold.
    """
    sold = list(lines)
    found = [*_parties(receiver, business, seller), *_office(receiver, reference)]
    if business["form"] != BusinessForm.DEMO:
        found += _seller_vat_id({line.vat_code for line in sold}, business, seller)
    for place, line in enumerate(sold):
        found += _of_line(f"{ROWS}.{place}", line, receiver, business, seller, day)
    return _together(found)


def _together(findings: Iterable[Finding]) -> list[Finding]:
    fields: dict[Finding, dict[str, None]] = {}
    for one in findings:
        fields.setdefault(one._replace(fields=()), {}).update(dict.fromkeys(one.fields))
    return [one._replace(fields=tuple(names)) for one, names in fields.items()]


# --- who sells, and who buys ---


def _parties(receiver: Record, business: Record, seller: Country) -> Iterator[Finding]:
    asked = seller.invoice_law
    for prefix, party, what in ((SELLER, business, "seller"), (BUYER, receiver, "buyer")):
        if not _said(party["name"]):
            yield Finding((f"{prefix}.name",), f"The {what} has no name", f"an invoice names the {what}", asked.parties)
    # a demo sells nothing
    if business["form"] == BusinessForm.DEMO:
        return
    if missing := [name for name in SELLER_ADDRESS if not _said(business[name])]:
        fields, told = tuple(f"{SELLER}.{name}" for name in missing), f"The business has no {', '.join(missing)}"
        yield Finding(fields, told, "an invoice names the seller's address", asked.parties)
    if not _has_own_number(business, seller):
        told = f"The business has no business id, VAT id or tax number of {COUNTRIES[seller.code]}"
        yield Finding((f"{SELLER}.identifiers",), told, "an invoice names one of the seller's", asked.seller_number)


def _has_own_number(business: Record, seller: Country) -> bool:
    """Whether the seller has a number by which its own country's offices know it."""
    numbers = {one["type"]: one["value"] for one in business["identifiers"]}
    has_vat_id = numbers.get(IdentifierType.VAT_CODE, "").startswith(seller.code)
    return bool(business["business_id"] or numbers.get(seller.official_id.type) or has_vat_id)


def _seller_vat_id(codes: set[int], business: Record, seller: Country) -> Iterator[Finding]:
    """Yield that the seller's VAT id lacks, is wrong, or of another country, where a sale to the EU is to name it."""
    value = next((one["value"] for one in business["identifiers"] if one["type"] == IdentifierType.VAT_CODE), "")
    field = f"{SELLER}.identifiers"
    for code in sorted(codes & EU_SALES):
        section = seller.invoice_law.vat_ids[code]
        if value[:2] == seller.code:
            yield from _number_fault(value, check_vat_id, field, section)
        else:
            told = f"VAT code {code} needs the seller's VAT id: the business has {value or 'none'}"
            right = f"an identifier of type {IdentifierType.VAT_CODE} that begins with {seller.code}"
            yield Finding((field,), told, right, section)


def _office(receiver: Record, reference: str | None) -> Iterator[Finding]:
    """Yield that an office which is found by its Leitweg-ID is not told apart by it."""
    if _said(receiver["invoicing_electronic_address_scheme"]) != LEITWEG_SCHEME:
        return
    try:
        check_leitweg(_said(receiver["xrechnung_buyer_reference"]) or _said(reference))
    except ValueError as problem:
        told = f"{receiver['name']} is a public office, and no Leitweg-ID of it stands on the invoice"
        yield Finding((f"{BUYER}.xrechnung_buyer_reference",), told, str(problem).rstrip("."), LEITWEG_LAW)


# --- what is sold ---


def _of_line(
    place: str, line: Line, receiver: Record, business: Record, seller: Country, day: date
) -> Iterator[Finding]:
    if not _said(line.name):
        yield Finding((f"{place}.name",), "A row has no name", "it says what was sold", seller.invoice_law.what)
    if line.vat_code == OUTPUT_VAT and (told := _rate_fault(line, seller, day)):
        lacks, _, right = told.partition(": ")
        yield Finding((f"{place}.vat_rate",), lacks, right, seller.invoice_law.rate)
    code = sold_as(line.vat_code, line.rate, seller)
    fault = customer_fault(code, receiver, seller, business["invoicing_vat_exemption_reason"])
    if fault is not None:
        yield fault if fault.fields else fault._replace(fields=(f"{place}.vat_code",))


def _rate_fault(line: Line, seller: Country, day: date) -> str | None:
    """Say what is wrong with the rate of a row; what was prepaid comes off at the rate that it was taxed at then."""
    is_prepaid = line.taken_off and last_day_of_rate(seller, line.rate, day) is not None
    return None if is_prepaid else rate_fault(seller, line.rate, day)


def customer_fault(code: int, customer: Record, seller: Country, exemption: str | None) -> Finding | None:
    """Say why a VAT code cannot stand on an invoice to a customer; None where it can. Without fields it is the code's.

    `customer` is a contact with the names of the wire, `exemption` why the business charges no VAT.
    """
    if code in OWN_REASON:
        return None if is_reason(code, exemption, seller) else _no_reason(code, seller)
    if code not in SALES:
        return Finding((), f"VAT code {code} is one of purchases", "a VAT code of sales", seller.invoice_law.rate)
    if code not in _CUSTOMERS:
        return None
    customers = _CUSTOMERS[code]
    if not customers.fits(customer, seller):
        right = f"it needs {customers.who.format(country=COUNTRIES[seller.code])}"
        return Finding((), f"VAT code {code} is not for this customer", right, seller.invoice_law.customers[code])
    return customers.number_fault(customer, seller, seller.invoice_law.vat_ids.get(code, ""))


def sold_as(code: int, rate: Decimal, seller: Country) -> int:
    """Return the VAT code of a row: taxed at a rate of zero that the country does not know, it is a zero-rated sale."""
    is_unknown = code == OUTPUT_VAT and not rate and OUTPUT_VAT not in seller.exemptions
    return ZERO_RATED_SALE if is_unknown else code


def is_reason(code: int, exemption: str | None, seller: Country) -> bool:
    """Whether the words of a business say why a row bears no VAT; of a zero-rated sale they name the section.

    Such a business has one text for all its sales: one on health care is no reason why a ship is sold without VAT.
    """
    if code == ZERO_RATED_SALE:
        return re.search(f"{seller.invoice_law.zero_rated}|{_DIRECTIVE}", _said(exemption)) is not None
    return bool(_said(exemption))


def _no_reason(code: int, seller: Country) -> Finding:
    asked, told = seller.invoice_law, "The business has no invoicing_vat_exemption_reason"
    if code == ZERO_RATED_SALE:
        told += " with the section of a zero-rated sale"
    right = f"an invoice says why a row bears no VAT, such as {asked.exempt.get(code, asked.exempt[NO_VAT])!r}"
    return Finding((f"{SELLER}.invoicing_vat_exemption_reason",), told, right, asked.exemption)


class _Customers(NamedTuple):
    """Whom a VAT code is for, and whose number stands on the invoice, which must be right."""

    who: str
    fits: Callable[[Record, Country], bool]
    number_fault: Callable[[Record, Country, str], Finding | None]


def _is_of_the_eu(customer: Record, seller: Country, beside: frozenset[str]) -> bool:
    letters = vat_letters(_vat_id(customer)[:2])
    return customer["type"] != ContactType.PERSON and letters in VAT_FORMS.keys() - {seller.code} - beside


def _buys_goods(customer: Record, seller: Country) -> bool:
    return _is_of_the_eu(customer, seller, frozenset())


def _buys_services(customer: Record, seller: Country) -> bool:
    """Northern Ireland is of the EU where goods are concerned, not services."""
    return _is_of_the_eu(customer, seller, frozenset({NORTHERN_IRELAND}))


def _is_business_here(customer: Record, seller: Country) -> bool:
    is_business = customer["type"] != ContactType.PERSON and bool(_vat_id(customer))
    return is_business and _place(customer) == seller.code


def _is_outside(customer: Record, seller: Country) -> bool:
    return bool(_place(customer)) and _place(customer) not in EU_COUNTRIES


def _vat_id_fault(customer: Record, seller: Country, section: str) -> Finding | None:
    """Say what is wrong with the VAT id of a customer, which its business id may be."""
    return next(_number_fault(_vat_id(customer), check_vat_id, f"{BUYER}.{_vat_field(customer)}", section), None)


def _buyer_fault(customer: Record, seller: Country, section: str) -> Finding | None:
    """Say what is wrong with the number of a customer of the seller's country, by its VAT id or its register."""
    field = _vat_field(customer)
    if field == _TAX_CODE:
        return _vat_id_fault(customer, seller, section)
    check = seller.register.check if seller.register else None
    return next(_number_fault(_vat_id(customer), check, f"{BUYER}.{field}", section), None) if check else None


def _no_number(customer: Record, seller: Country, section: str) -> Finding | None:
    return None


_TAX_CODE, _BUSINESS_ID = "invoicing_tax_code", "contact_business_id"
_EU = "a customer with a VAT id of another EU country"
_OUTSIDE = _Customers("a customer outside the EU", _is_outside, _no_number)
_CUSTOMERS = {
    EU_GOODS: _Customers(_EU, _buys_goods, _vat_id_fault),
    EU_SERVICES: _Customers(_EU, _buys_services, _vat_id_fault),
    CONSTRUCTION: _Customers("a business of {country} with a business or VAT id", _is_business_here, _buyer_fault),
    SERVICES_ABROAD: _OUTSIDE,
    GOODS_ABROAD: _OUTSIDE,
}


def _number_fault(text: str, check: Callable[[str], object], field: str, section: str) -> Iterator[Finding]:
    try:
        check(text)
    except ValueError as problem:
        yield Finding((field,), f"{text} is no number that can be right", str(problem).rstrip("."), section)


def _vat_field(customer: Record) -> str:
    return _TAX_CODE if _said(customer[_TAX_CODE]) else _BUSINESS_ID


def _vat_id(customer: Record) -> str:
    return _said(customer[_vat_field(customer)]).upper()


def _place(customer: Record) -> str:
    return _said(customer["invoicing_country"]).upper()


def _said(text: str | None) -> str:
    """Return a text without blanks around it; nothing where none of its letters is seen on paper."""
    found = (text or "").strip()
    return found if any(category(letter)[0] not in _UNSEEN for letter in found) else ""
