"""Who can be sent invoices, and how (wire facts 2.10). A contact is a mapping with the names of the wire."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from acctcli.service.rules.identifiers import (
    EU_COUNTRIES,
    VAT_FORMS,
    Checks,
    alone,
    check_einvoice_address,
    check_leitweg,
    check_vat_id,
    check_y_tunnus,
    written,
)

ADDRESS = ("invoicing_street", "invoicing_city", "invoicing_postal_code", "invoicing_country")

# companies of Åland are in the Finnish register
_FINNISH = frozenset({"FI", "AX"})
_Y_TUNNUS = re.compile(r"[0-9]{7}-[0-9]")
_VAT_LETTERS = {*VAT_FORMS, "GR"}
# outside the EU a tax code may begin with any letters, as Mexican ones do; those of a VAT id are followed by a digit
_VAT_ID_ABROAD = re.compile(r"(ATU|[A-Z]{2})[\s.-]*[0-9]")
# what e-invoices to German offices are routed by: an office of a state or of the federation, and a part of it
_LEITWEG = re.compile(r"((0[1-9]|1[0-6])([0-9]{6}|[0-9]{10})|99[0-9])-[0-9A-Z]{1,30}-[0-9]{2}")
_LEITWEG_SCHEME = "0204"


def missing_address(contact: Mapping[str, Any]) -> list[str]:
    """Return the fields an invoice needs that are empty."""
    return [name for name in ADDRESS if not (contact[name] or "").strip()]


def can_be_invoiced(contact: Mapping[str, Any]) -> bool:
    """Say whether invoices may be made out to the contact: invoicing is on and the address complete."""
    return bool(contact["is_invoicing_enabled"]) and not missing_address(contact)


def takes_email(contact: Mapping[str, Any]) -> bool:
    """Say whether invoices can go to the contact by e-mail."""
    return can_be_invoiced(contact) and bool(contact["invoicing_email"])


def takes_einvoice(contact: Mapping[str, Any]) -> bool:
    """Say whether invoices can go to the contact as e-invoices: by an operator, or to an electronic address."""
    by_operator = contact["invoicing_einvoice_address"] and contact["invoicing_einvoice_operator"]
    return can_be_invoiced(contact) and bool(by_operator or contact["invoicing_electronic_address"])


# --- its official numbers ---


def _check_business_id(number: str, contact: Mapping[str, Any]) -> None:
    """Check what must be a Y-tunnus: the number of a Finn, or one like it of who knows where."""
    country = _country(contact)
    if country in _FINNISH or (not country and _Y_TUNNUS.fullmatch(number)):
        check_y_tunnus(number)


def _check_tax_code(number: str, contact: Mapping[str, Any]) -> None:
    """Check what must be a VAT id of the EU: by where the contact is, or by how the number begins."""
    country, plain = _country(contact), number.upper()
    is_alike = plain[:2] in _VAT_LETTERS and (not country or _VAT_ID_ABROAD.match(plain))
    if country in EU_COUNTRIES or is_alike:
        check_vat_id(number)


def _check_reference(reference: str, contact: Mapping[str, Any]) -> None:
    """Check what has the form of a Leitweg-ID, where there are such; any other word of the buyer is free."""
    if _country(contact) == "DE" and _LEITWEG.fullmatch(reference.upper()):
        check_leitweg(reference)


def _check_electronic_address(address: str, contact: Mapping[str, Any]) -> None:
    if written(contact, "invoicing_electronic_address_scheme") == _LEITWEG_SCHEME:
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
