"""Seller and buyer, read from the wire."""

from __future__ import annotations

import pytest

from acctcli.einvoice.parties import Endpoint, Party, buyer_of, is_vat_id, seller_of
from tests.einvoice.samples import FINNISH_BUYER, FINNISH_SELLER, GERMAN_BUYER, SMALL_SELLER, Wire, invoice


def test_a_finnish_seller() -> None:
    assert seller_of(FINNISH_SELLER) == Party(
        name="Kirjo & Kumpp. Oy",
        street="Mannerheimintie 1 A 2",
        city="Helsinki",
        postal_code="00100",
        country="FI",
        vat_id="FI12345671",
        tax_number=None,
        registration="1234567-1",
        contact="Aino Öhman",
        phone="+358 9 123 4567",
        email="laskut@kirjo.example",
        endpoint=Endpoint("003712345671", "0216"),
    )
    assert seller_of(FINNISH_SELLER).registration_scheme == "0212"


def test_a_german_seller_without_vat_id_has_a_tax_number() -> None:
    seller = seller_of(SMALL_SELLER)
    assert (seller.vat_id, seller.tax_number, seller.registration) == (None, "1121081508150", None)
    assert seller.registration_scheme is None


def test_a_finnish_seller_who_is_not_liable_for_vat_is_known_by_the_y_tunnus() -> None:
    seller = seller_of({**FINNISH_SELLER, "identifiers": FINNISH_SELLER["identifiers"][:1]})
    assert (seller.vat_id, seller.tax_number, seller.registration) == (None, "1234567-1", "1234567-1")


def test_a_finnish_buyer() -> None:
    assert buyer_of(invoice([], FINNISH_BUYER)) == Party(
        name="Rakennus Virtanen Oy",
        street="Hämeenkatu 10",
        city="Tampere",
        postal_code="33100",
        country="FI",
        vat_id="FI01120389",
        tax_number=None,
        registration="0112038-9",
        contact="Frau Schmidt",
        phone=None,
        email="ostot@virtanen.example",
        endpoint=Endpoint("003701120389", "0216"),
    )


@pytest.mark.parametrize(
    ("typed", "country", "number", "scheme"),
    [
        ("01120389", "FI", "0112038-9", "0212"),
        ("0112038-9", "ax", "0112038-9", "0212"),
        # Estonian numbers have 8 digits too
        ("01120389", "EE", "01120389", None),
        ("HRB 1", "DE", "HRB 1", None),
        # one that was let in once
        ("01120388", "FI", "01120388", None),
        (" ", "FI", None, None),
    ],
)
def test_a_number_of_a_register_has_its_official_form(
    typed: str, country: str, number: str | None, scheme: str | None
) -> None:
    buyer = buyer_of(invoice([], {**FINNISH_BUYER, "contact_business_id": typed, "invoicing_country": country}))
    assert (buyer.registration, buyer.registration_scheme) == (number, scheme)


NOWHERE: Wire = {
    **GERMAN_BUYER,
    "invoicing_electronic_address": None,
    "invoicing_electronic_address_scheme": None,
    "invoicing_einvoice_address": None,
    "invoicing_email": None,
}


@pytest.mark.parametrize(
    ("known", "endpoint"),
    [
        ({"invoicing_electronic_address": "991-12345-06"}, Endpoint("991-12345-06", None)),
        ({"invoicing_electronic_address": "a@b.example"}, Endpoint("a@b.example", "EM")),
        ({"invoicing_electronic_address": "003701120389"}, Endpoint("003701120389", "0216")),
        (
            {"invoicing_electronic_address": "991-12345-06", "invoicing_electronic_address_scheme": "0204"},
            Endpoint("991-12345-06", "0204"),
        ),
        # OVT codes have an older scheme too
        (
            {"invoicing_electronic_address": "003701120389", "invoicing_electronic_address_scheme": "0037"},
            Endpoint("003701120389", "0037"),
        ),
        # people type these numbers with blanks, and take small letters for capitals
        ({"invoicing_electronic_address": "0037 0112 0389"}, Endpoint("003701120389", "0216")),
        ({"invoicing_einvoice_address": "00370112 0389abc"}, Endpoint("003701120389ABC", "0216")),
        # an account number is an address among Finnish operators, and has no scheme elsewhere
        (
            {"invoicing_einvoice_address": "FI4950009420028730", "invoicing_email": "a@b.example"},
            Endpoint("a@b.example", "EM"),
        ),
        ({"invoicing_einvoice_address": "FI4950009420028730"}, None),
        ({}, None),
    ],
)
def test_the_best_known_address_is_taken(known: Wire, endpoint: Endpoint | None) -> None:
    assert buyer_of(invoice([], {**NOWHERE, **known})).endpoint == endpoint


@pytest.mark.parametrize(
    ("written", "country", "is_one"),
    [
        ("FI 0112038-9", "FI", True),
        ("fi01120389", "DE", True),
        ("EL123456789", "GR", True),
        ("CHE-123.456.789", "CH", True),
        ("CHE123456789", "DE", False),
        ("123456789", "DE", False),
        ("DE", "DE", False),
    ],
)
def test_a_vat_id_begins_with_a_country(written: str, country: str, is_one: bool) -> None:
    buyer = buyer_of(invoice([], {**GERMAN_BUYER, "invoicing_tax_code": written, "invoicing_country": country}))
    assert is_vat_id(buyer) is is_one


def test_blank_texts_are_none_and_countries_are_capitals() -> None:
    buyer = buyer_of(invoice([], {**GERMAN_BUYER, "invoicing_street": "  ", "invoicing_country": "de"}))
    assert (buyer.street, buyer.country) == (None, "DE")
