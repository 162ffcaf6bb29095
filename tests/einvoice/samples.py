"""Invoices as the service answers them; totals are worked out by the rules of the wire (docs/interface.md 7.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, NamedTuple

Wire = dict[str, Any]

FINNISH_SELLER: Wire = {
    "name": "Kirjo & Kumpp. Oy",
    "slug": "kirjo",
    "country": "FI",
    "business_id": "1234567-1",
    "identifiers": [
        {"id": 1, "type": "y_tunnus", "value": "1234567-1"},
        {"id": 2, "type": "vat_code", "value": "FI12345671"},
    ],
    "contact_phone": "+358 9 123 4567",
    "einvoicing_address": "003712345671",
    "einvoicing_operator": "003721291126",
    "invoicing_vat_exemption_reason": None,
    "invoicing_email": "laskut@kirjo.example",
    "invoicing_electronic_address": None,
    "invoicing_electronic_address_scheme": None,
    "invoicing_iban": "FI49 5000 9420 0287 30",
    "invoicing_bic": "OKOYFIHH",
    "invoicing_contact": "Aino Öhman",
    "invoicing_street": "Mannerheimintie 1 A 2",
    "invoicing_city": "Helsinki",
    "invoicing_postal_code": "00100",
    "invoicing_country": "FI",
}
GERMAN_SELLER: Wire = {
    **FINNISH_SELLER,
    "name": "Müller Werkstatt UG (haftungsbeschränkt)",
    "slug": "mueller",
    "country": "DE",
    "business_id": "1121081508150",
    "identifiers": [
        {"id": 3, "type": "steuernummer", "value": "1121081508150"},
        {"id": 4, "type": "vat_code", "value": "DE136695976"},
    ],
    "contact_phone": "+49 30 123456",
    "einvoicing_address": None,
    "einvoicing_operator": None,
    "invoicing_email": "rechnung@mueller.example",
    "invoicing_electronic_address": "DE136695976",
    "invoicing_electronic_address_scheme": "9930",
    "invoicing_iban": "DE89370400440532013000",
    "invoicing_bic": "COBADEFFXXX",
    "invoicing_contact": "Jörg Müller",
    "invoicing_street": "Hauptstraße 5",
    "invoicing_city": "Berlin",
    "invoicing_postal_code": "10115",
    "invoicing_country": "DE",
}
# not liable for VAT, § 19 UStG: a tax number, and no VAT id
SMALL_SELLER: Wire = {
    **GERMAN_SELLER,
    "identifiers": GERMAN_SELLER["identifiers"][:1],
    "invoicing_electronic_address": None,
    "invoicing_electronic_address_scheme": None,
    "invoicing_vat_exemption_reason": "Kein Ausweis von Umsatzsteuer, § 19 UStG",
}
GERMAN_BUYER: Wire = {
    "name": "Stadt Musterstadt",
    "customer_id": "4711",
    "contact_business_id": None,
    "xrechnung_buyer_reference": "04011000-12345-03",
    "phone_number": None,
    "invoicing_email": "eingang@musterstadt.example",
    "invoicing_electronic_address": "04011000-12345-03",
    "invoicing_electronic_address_scheme": "0204",
    "invoicing_einvoice_address": None,
    "invoicing_einvoice_operator": None,
    "invoicing_tax_code": "DE136695976",
    "invoicing_street": "Marktplatz 1",
    "invoicing_city": "Musterstadt",
    "invoicing_postal_code": "12345",
    "invoicing_country": "DE",
    "invoicing_language": "en",
    "buyer_postal_address_details_xml_override": None,
}
FINNISH_BUYER: Wire = {
    **GERMAN_BUYER,
    "name": "Rakennus Virtanen Oy",
    "contact_business_id": "0112038-9",
    "xrechnung_buyer_reference": None,
    "invoicing_email": "ostot@virtanen.example",
    "invoicing_electronic_address": None,
    "invoicing_electronic_address_scheme": None,
    "invoicing_einvoice_address": "003701120389",
    "invoicing_einvoice_operator": "BAWCFI22",
    "invoicing_tax_code": "FI01120389",
    "invoicing_street": "Hämeenkatu 10",
    "invoicing_city": "Tampere",
    "invoicing_postal_code": "33100",
    "invoicing_country": "FI",
    "invoicing_language": "fi",
}


def row(amount: str, count: str = "1", rate: str = "25.5", vat_code: int = 1, **changes: Any) -> Wire:
    """Return a row of a sales invoice with its totals."""
    price, quantity, percent = Decimal(amount), Decimal(count), Decimal(rate)
    net = cents(price * quantity)
    vat = cents(net * percent / 100) if vat_code == 1 else Decimal("0.00")
    return {
        "code": None,
        "name": "Työ",
        "unit": "h",
        "amount": price,
        "vat_rate": percent,
        "vat_code": vat_code,
        "product_count": quantity,
        "description": None,
        "total_vat_amount": vat,
        "total_amount": net + vat,
        **changes,
    }


def invoice(rows: Sequence[Mapping[str, Any]], buyer: Mapping[str, Any] = GERMAN_BUYER, **changes: Any) -> Wire:
    """Return an accepted sales invoice of these rows; what a test is not about may be left to the defaults."""
    issued = date(2026, 3, 2)
    return {
        "id": 6,
        "receiver_info": buyer,
        "contact_person": "Frau Schmidt",
        "invoice_number": 17,
        "invoicing_date": issued,
        "payment_condition_days": 14,
        "due_date": issued + timedelta(days=14),
        "reference": "10171",
        "penalty_interest": Decimal("11.5"),
        "currency": "EUR",
        "vat_country": "FI",
        "description": "Projekt Hafen",
        "is_credit_note_for": None,
        "rows": list(rows),
        "total_vat_amount": sum((each["total_vat_amount"] for each in rows), Decimal(0)),
        "total_amount": sum((each["total_amount"] for each in rows), Decimal(0)),
        "settlement_date": date(2026, 2, 27),
        "seller_reference": "AÖ 12",
        "buyer_reference": "PO-99",
        **changes,
    }


def credit_note(rows: Sequence[Mapping[str, Any]], buyer: Mapping[str, Any] = GERMAN_BUYER, **changes: Any) -> Wire:
    """Return a credit note for ORIGINAL, whose id is 5; its rows have negative counts."""
    return invoice(rows, buyer, **{"invoice_number": 18, "is_credit_note_for": 5, **changes})


def cents(amount: Decimal) -> Decimal:
    return amount.quantize(Decimal("0.01"), ROUND_HALF_UP)


ORIGINAL = invoice([row("100.00", "2"), row("50.00", "1", "13.5")], id=5)


class Sample(NamedTuple):
    """What an e-invoice is made of."""

    invoice: Wire
    business: Wire = FINNISH_SELLER
    original: Wire | None = None


SAMPLES = {
    "rates mixed": Sample(invoice([row("100.00", "2"), row("19.99", "3", "13.5"), row("33.33", "1.5", "10")])),
    "German rates mixed": Sample(
        invoice(
            [
                row("99.99", "7.5", "19", unit="Std"),
                row("33.333", "3", "7", unit="Sack", code="S-1", description="Sand, fein"),
                row("0.10", "1", "19", unit="Stk"),
            ]
        ),
        GERMAN_SELLER,
    ),
    "reverse charge, construction": Sample(
        invoice([row("1000.00", "1", "0", 10)], {**FINNISH_BUYER, "invoicing_tax_code": None}),
    ),
    "German reverse charge, services": Sample(invoice([row("80.00", "10", "0", 6)], FINNISH_BUYER), GERMAN_SELLER),
    "EU goods": Sample(invoice([row("12.50", "40", "0", 5, unit="kg")])),
    "EU goods and services": Sample(invoice([row("12.50", "40", "0", 5), row("80.00", "1", "0", 6)])),
    "credit note": Sample(
        credit_note([row("100.00", "-1"), row("50.00", "-1", "13.5")]), FINNISH_SELLER, ORIGINAL
    ),
    "credit note, rounded": Sample(credit_note([row("0.33", "-1")] * 10), FINNISH_SELLER, ORIGINAL),
    "small amounts": Sample(invoice([row("0.01", "1"), row("0.0049", "1"), row("0.0333", "0.5", "13.5")])),
    "discounts by negative rows": Sample(
        invoice([row("100.00", "3"), row("-25.00", name="Alennus"), row("10.00", "-1", "10"), row("40.00", rate="10")])
    ),
    "ten times 0.33": Sample(invoice([row("0.33")] * 10)),
    "export": Sample(invoice([row("199.90", "5", "0", 13)], {**GERMAN_BUYER, "invoicing_country": "CH"})),
    "exempt, a small business": Sample(invoice([row("45.00", "4", "0", 3)]), SMALL_SELLER),
    "exempt, a Finnish association": Sample(
        invoice([row("45.00", "4", "0", 3)], FINNISH_BUYER),
        {
            **FINNISH_SELLER,
            "identifiers": FINNISH_SELLER["identifiers"][:1],
            "invoicing_vat_exemption_reason": "Ei arvonlisäverovelvollinen, AVL 4 §",
        },
    ),
    "services outside the EU": Sample(
        invoice([row("150.00", "8", "0", 12)], {**GERMAN_BUYER, "invoicing_country": "US", "invoicing_tax_code": None})
    ),
    "services outside the EU, to somebody with a VAT id": Sample(invoice([row("150.00", "8", "0", 12)])),
    "zero-rated beside taxed": Sample(
        invoice([row("20.00", "1", "0", 4), row("30.00", "1", "0"), row("10.00")], FINNISH_BUYER)
    ),
    "German sales that are exempt and keep the deduction": Sample(
        invoice([row("20.00", "1", "0", 4), row("10.00", rate="19")], vat_country="DE"),
        {**GERMAN_SELLER, "invoicing_vat_exemption_reason": "Umsatz mit Gold, § 4 Nr. 4 UStG"},
    ),
    "German exemptions of two kinds": Sample(
        invoice([row("20.00", "1", "0", 4), row("10.00", "1", "0", 3)], vat_country="DE"),
        {**GERMAN_SELLER, "invoicing_vat_exemption_reason": "§ 4 Nr. 21 UStG"},
    ),
    "many rows": Sample(invoice([row(f"{n}.37", f"{n % 7}.25", ("25.5", "13.5", "10")[n % 3]) for n in range(300)])),
    "nothing to pay": Sample(invoice([row("10.00"), row("10.00", "-1"), row("-5.00", "0")])),
    "a discount whose VAT is nothing": Sample(invoice([row("0.01", "-1")])),
    "more discount than work": Sample(invoice([row("10.00"), row("-20.00")])),
    "the least of texts": Sample(
        invoice(
            [row("10.00")],
            {**GERMAN_BUYER, "invoicing_street": None, "invoicing_tax_code": None},
            description=None,
            contact_person=None,
            seller_reference=None,
            buyer_reference=None,
            settlement_date=None,
            penalty_interest=0,
        ),
        {**FINNISH_SELLER, "invoicing_bic": None, "invoicing_street": None},
    ),
    "characters of every kind": Sample(
        invoice([row("10.00", name="<b>& \x0b☃ \"Łódź\"")], description="Ä\n\nö & <ß> \x00 €")
    ),
}  # fmt: skip
