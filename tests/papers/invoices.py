"""Invoices and businesses as the wire has them, for paper."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

Json = dict[str, Any]

CENT = Decimal("0.01")

BUSINESS: Json = {
    "name": "Hämeen Työ & Kädentaito Oy",
    "country": "FI",
    "invoicing_street": "Raatihuoneenkatu 9",
    "invoicing_postal_code": "13100",
    "invoicing_city": "Hämeenlinna",
    "invoicing_country": "FI",
    "invoicing_contact": "Åsa Väisänen",
    "contact_phone": "+358 40 123 4567",
    "invoicing_email": "laskut@kadentaito.example",
    "invoicing_iban": "FI79 4405 2020 0360 82",
    "invoicing_bic": None,
    "invoicing_vat_exemption_reason": None,
    "identifiers": [
        {"id": 1, "type": "y_tunnus", "value": "0112038-9"},
        {"id": 2, "type": "vat_code", "value": "FI01120389"},
    ],
}
RECEIVER: Json = {
    "customer_id": "K-1042",
    "name": "Kahvila Söner & Weiß Oy",
    "contact_business_id": "1572860-0",
    "invoicing_tax_code": "FI15728600",
    "invoicing_street": "Mannerheimintie 12 B 34",
    "invoicing_postal_code": "00100",
    "invoicing_city": "Helsinki",
    "invoicing_country": "FI",
}


def row(name: str, amount: str, count: str = "1", rate: str = "25.5", vat_code: int = 1, **changes: Any) -> Json:
    """Return a row with the totals of docs/interface.md 7.2."""
    net = (Decimal(amount) * Decimal(count)).quantize(CENT, ROUND_HALF_UP)
    vat = (net * Decimal(rate) / 100).quantize(CENT, ROUND_HALF_UP) if vat_code == 1 else Decimal("0.00")
    return {
        "code": None,
        "name": name,
        "unit": "kpl",
        "amount": Decimal(amount),
        "vat_rate": Decimal(rate),
        "vat_code": vat_code,
        "product_count": Decimal(count),
        "description": None,
        "total_vat_amount": vat,
        "total_amount": net + vat,
        **changes,
    }


ROWS = [
    row("Ohjelmistokonsultointi", "100.0000", "2.0000", unit="h", description="Maaliskuun suunnittelutyö"),
    row("Espressopapuja, tumma paahto", "19.99", "3", "13.5", unit="pss", code="A-17"),
    row("Lehtitilaus", "33.33", "1.5", "10"),
]


def invoice(*rows: Json, **changes: Any) -> Json:
    """Return an accepted invoice whose totals are the sums of its rows."""
    listed = [*(rows or ROWS)]
    made = {
        "invoice_number": 1042,
        "receiver_info": RECEIVER,
        "contact_person": "Bertta Ström",
        "invoicing_date": date(2026, 3, 2),
        "payment_condition_days": 14,
        "reference": "20420",
        "penalty_interest": Decimal("9.5"),
        "updated_at": "2026-03-02T08:15:30.123456Z",
        "description": None,
        "is_credit_note_for": None,
        "rows": listed,
        "total_vat_amount": sum((one["total_vat_amount"] for one in listed), Decimal("0.00")),
        "total_amount": sum((one["total_amount"] for one in listed), Decimal("0.00")),
        "settlement_date": None,
        "seller_reference": "Åsa Väisänen",
        "buyer_reference": "PO-2026/117",
        **changes,
    }
    return {"due_date": made["invoicing_date"] + timedelta(days=made["payment_condition_days"]), **made}
