"""Who can be sent invoices, and how (docs/interface.md 6.3). A contact is a mapping with the names of the wire."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from acctcli import law
from acctcli.law.identifiers import LEITWEG_SCHEME, check_einvoice_address, check_leitweg, check_vat_id
from acctcli.law.invoices import missing_address
from acctcli.law.world import EU_COUNTRIES, VAT_FORMS
from acctcli.service.rules.identifiers import Checks, alone, written

_VAT_LETTERS = {*VAT_FORMS, "GR"}
# outside the EU a tax code may begin with any letters, as Mexican ones do; those of a VAT id are followed by a digit
_VAT_ID_ABROAD = re.compile(r"(ATU|[A-Z]{2})[\s.-]*[0-9]")


def can_be_invoiced(contact: Mapping[str, Any]) -> bool:
    """Say whether invoices may be made out to the contact: invoicing is on and the address complete."""
    return bool(contact["is_invoicing_enabled"]) and not missing_address(contact)


def takes_email(contact: Mapping[str, Any]) -> bool:
    """Say whether invoices can go to the contact by e-mail."""
    return can_be_invoiced(contact) and bool(contact["invoicing_email"])


def takes_einvoice(contact: Mapping[str, Any]) -> bool:
    """Say whether invoices can go to the contact as e-invoices: by an operator, or to an electronic address."""
    by_operator = has_operator(contact) and written(contact, "invoicing_einvoice_address")
    return can_be_invoiced(contact) and bool(by_operator or written(contact, "invoicing_electronic_address"))


def has_operator(contact: Mapping[str, Any]) -> bool:
    """Say whether an operator takes e-invoices for the contact."""
    return bool(written(contact, "invoicing_einvoice_operator"))


def takes_xrechnung(contact: Mapping[str, Any]) -> bool:
    """Say whether the contact tells where an XRechnung goes: by a buyer reference, or an electronic address."""
    return any(written(contact, field) for field in ("xrechnung_buyer_reference", "invoicing_electronic_address"))


# --- its official numbers ---


def _check_business_id(number: str, contact: Mapping[str, Any]) -> None:
    """Check what must be in a register: by where the contact is, or by the form of a number of who knows where."""
    place = _country(contact)
    for register in (country.register for country in law.countries()):
        if register and (place in register.territory or (not place and re.fullmatch(register.form, number))):
            register.check(number)


def _check_tax_code(number: str, contact: Mapping[str, Any]) -> None:
    """Check what must be a VAT id of the EU: by where the contact is, or by how the number begins."""
    country, plain = _country(contact), number.upper()
    is_alike = plain[:2] in _VAT_LETTERS and (not country or _VAT_ID_ABROAD.match(plain))
    if country in EU_COUNTRIES or is_alike:
        check_vat_id(number)


def _check_reference(reference: str, contact: Mapping[str, Any]) -> None:
    """Check the reference by which offices of the contact's country are told apart, where they are."""
    place = _country(contact)
    check = law.country(place).check_buyer_reference if place in law.PACKAGES else None
    if check is not None:
        check(reference)


def _check_electronic_address(address: str, contact: Mapping[str, Any]) -> None:
    if written(contact, "invoicing_electronic_address_scheme") == LEITWEG_SCHEME:
        check_leitweg(address)
    else:
        check_einvoice_address(address)


def _country(contact: Mapping[str, Any]) -> str:
    return written(contact, "invoicing_country").upper()


NUMBERS: Checks = {
    "contact_business_id": _check_business_id,
    "invoicing_tax_code": _check_tax_code,
    "xrechnung_buyer_reference": _check_reference,
    "invoicing_electronic_address": _check_electronic_address,
    "invoicing_einvoice_address": alone(check_einvoice_address),
}
