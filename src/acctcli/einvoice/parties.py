"""Seller and buyer of an e-invoice, read from a business and from the receiver of a sales invoice."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from acctcli import law
from acctcli.banking.checks import compact
from acctcli.banking.iban import finnish_bic, looks_like_iban
from acctcli.einvoice.markup import clean, written
from acctcli.law.identifiers import OVT
from acctcli.law.world import VAT_FORMS
from acctcli.models.enums import IdentifierType

EMAIL_SCHEME = "EM"
# ISO 6523: Finnish OVT codes, and Y-tunnus (docs/law.md 5)
OVT_SCHEME, Y_TUNNUS_SCHEME = "0216", "0212"
_Y_TUNNUS = re.compile(r"[0-9]{7}-[0-9]")
_VAT_ID = re.compile(r"[A-Z]{2}[0-9A-Z+*.]{2,12}")


class Endpoint(NamedTuple):
    """An electronic address (BT-34, BT-49) and its scheme; the scheme is None where nobody named it."""

    value: str
    scheme: str | None


class Stop(NamedTuple):
    """Where an e-invoice begins or ends its way: an address of e-invoices, and the operator that serves it."""

    address: str | None
    operator: str | None


class Party(NamedTuple):
    """Who sells or buys (BG-4, BG-7); None where the wire says nothing.

    `registration` is the Y-tunnus or another number of a register (BT-30, BT-47), `tax_number` the one of a tax office
    (BT-32), `contact` the person (BT-41, BT-56).
    """

    name: str
    street: str | None
    city: str | None
    postal_code: str | None
    country: str | None
    vat_id: str | None
    tax_number: str | None
    registration: str | None
    contact: str | None
    phone: str | None
    email: str | None
    endpoint: Endpoint | None

    @property
    def registration_scheme(self) -> str | None:
        """The scheme of a Y-tunnus; other registers have none here."""
        return Y_TUNNUS_SCHEME if _Y_TUNNUS.fullmatch(self.registration or "") else None


def seller_of(business: Mapping[str, Any]) -> Party:
    """Return the business as the seller."""
    numbers = {identifier["type"]: written(identifier["value"]) for identifier in business["identifiers"]}
    vat_id, registration = _vat_id(numbers.get(IdentifierType.VAT_CODE)), numbers.get(IdentifierType.Y_TUNNUS)
    return Party(
        **_address(business, business["country"]),
        name=clean(business["name"]),
        vat_id=vat_id,
        # a Finnish office knows those who are not liable for VAT by their Y-tunnus
        tax_number=numbers.get(IdentifierType.STEUERNUMMER) or (registration if vat_id is None else None),
        registration=registration,
        contact=written(business["invoicing_contact"]),
        phone=written(business["contact_phone"]),
        endpoint=_endpoint(business, "einvoicing_address"),
    )


def buyer_of(invoice: Mapping[str, Any]) -> Party:
    """Return the receiver as the buyer."""
    receiver = invoice["receiver_info"]
    return Party(
        **_address(receiver),
        name=clean(receiver["name"]),
        vat_id=_vat_id(receiver["invoicing_tax_code"]),
        tax_number=None,
        registration=_registration(receiver),
        contact=written(invoice["contact_person"]),
        phone=written(receiver["phone_number"]),
        endpoint=_endpoint(receiver, "invoicing_einvoice_address"),
    )


def seller_stop(business: Mapping[str, Any]) -> Stop:
    """Return where e-invoices of a business come from."""
    return _stop(business, business["einvoicing_address"], business["einvoicing_operator"])


def buyer_stop(invoice: Mapping[str, Any]) -> Stop:
    """Return where the e-invoice goes."""
    receiver = invoice["receiver_info"]
    return _stop(receiver, receiver["invoicing_einvoice_address"], receiver["invoicing_einvoice_operator"])


def routed(address: str | None) -> str | None:
    """Return an address of e-invoices as operators know it: people type OVT codes and IBANs with blanks."""
    plain = compact(address or "")
    return plain if _is_routable(plain) else written(address)


def is_vat_id(party: Party) -> bool:
    """Whether its VAT id looks like one: first the letters of an EU country, or of its own (BR-CO-09)."""
    vat_id = party.vat_id or ""
    return _VAT_ID.fullmatch(vat_id) is not None and (vat_id[:2] in VAT_FORMS or vat_id[:2] == party.country)


def _address(record: Mapping[str, Any], home: str | None = None) -> dict[str, str | None]:
    """Return the fields of an address; one that names no country is at home."""
    names = ("street", "city", "postal_code", "email")
    country = (written(record["invoicing_country"]) or home or "").upper()
    return {**{name: written(record[f"invoicing_{name}"]) for name in names}, "country": country or None}


def _registration(receiver: Mapping[str, Any]) -> str | None:
    """Return the number of a register in its official form, as far as the buyer's country has one that is known."""
    number, place = written(receiver["contact_business_id"]), (written(receiver["invoicing_country"]) or "").upper()
    register = next((one.register for one in law.countries() if one.register and place in one.register.territory), None)
    if number is None or register is None:
        return number
    try:
        return register.check(number)
    except ValueError:
        return number


def _endpoint(record: Mapping[str, Any], einvoice_address: str) -> Endpoint | None:
    """Return the electronic address, else the address of Finnish e-invoicing, else the mailbox."""
    address = routed(record["invoicing_electronic_address"])
    if address:
        return Endpoint(address, written(record["invoicing_electronic_address_scheme"]) or _known_scheme(address))
    ovt, email = routed(record[einvoice_address]), written(record["invoicing_email"])
    if ovt and _known_scheme(ovt):
        return Endpoint(ovt, OVT_SCHEME)
    return Endpoint(email, EMAIL_SCHEME) if email else None


def _stop(record: Mapping[str, Any], address: str | None, operator: str | None) -> Stop:
    """Return the address of Finnish e-invoicing, else the electronic one that is of its forms.

    An IBAN is served by its bank.
    """
    electronic = routed(record["invoicing_electronic_address"])
    place = routed(address) or (electronic if electronic and _is_routable(electronic) else None)
    return Stop(_named(place), _named(operator) or finnish_bic(place or ""))


def _named(text: str | None) -> str | None:
    """Return a text that the schema of Finvoice takes for a name of the way: it wants two characters."""
    plain = written(text)
    return plain if len(plain or "") > 1 else None


def _is_routable(address: str) -> bool:
    return OVT.fullmatch(address) is not None or looks_like_iban(address)


def _known_scheme(address: str) -> str | None:
    if "@" in address:
        return EMAIL_SCHEME
    return OVT_SCHEME if OVT.fullmatch(address) else None


def _vat_id(text: str | None) -> str | None:
    """Return a VAT id without the blanks, dots and hyphens people put in it."""
    plain = re.sub(r"[\s.-]", "", text or "").upper()
    return plain or None
