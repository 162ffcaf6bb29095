"""Sales to other EU countries, a row a document and handling."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from acctcli.service.rules.reports.eu_sales import Buyer, EuSale, eu_sales

SWEDE = Buyer("Kund AB", "BUSINESS", "SE556677889901", "5566778899", "SE")


def sale(number: int, buyer: Buyer | None, code: int = 6, day: int = 2) -> EuSale:
    return EuSale(number, f"26040{day}-{number}", date(2026, 4, day), code, number * 100, buyer)


def test_a_row_says_who_bought_what() -> None:
    assert eu_sales([sale(5, SWEDE, 5)]) == {
        "rows": [
            {
                "country_code": "SE",
                "vat_id": "SE556677889901",
                "name": "Kund AB",
                "vat_handling": "goods",
                "net_amount": Decimal("5.00"),
                "vat_id_missing": False,
                "contact_missing": False,
                "document_id": 5,
                "document_number": "260402-5",
            }
        ],
        "private_person_rows": [],
    }


def test_a_sale_to_nobody_is_shown_as_such() -> None:
    (row,) = eu_sales([sale(1, None)])["rows"]
    assert (row["country_code"], row["vat_id"], row["name"]) == ("", "", "")
    assert (row["vat_handling"], row["vat_id_missing"], row["contact_missing"]) == ("services", True, True)


@pytest.mark.parametrize(
    ("buyer", "country", "vat_id", "missing"),
    [
        (Buyer("A", "UNSET", "ee100594102", None, "FI"), "EE", "ee100594102", False),
        (Buyer("A", "BUSINESS", None, "DK12345678", None), "DK", "DK12345678", False),
        (Buyer("A", "BUSINESS", "  ", "1234567-8", "se"), "SE", "1234567-8", False),
        (Buyer("A", "BUSINESS", "", None, "SE"), "SE", "", True),
        (Buyer("A", "BUSINESS", None, None, None), "", "", True),
        (Buyer("A", "BUSINESS", "É1", None, "LV"), "LV", "É1", False),
    ],
)
def test_the_country_is_that_of_the_vat_id(buyer: Buyer, country: str, vat_id: str, missing: bool) -> None:
    (row,) = eu_sales([sale(1, buyer)])["rows"]
    assert (row["country_code"], row["vat_id"], row["vat_id_missing"]) == (country, vat_id, missing)


def test_persons_stand_apart_and_all_in_order() -> None:
    person = Buyer("Someone", "PERSON", None, None, "SE")
    estonian = Buyer("Ost OÜ", "BUSINESS", "EE100594102", None, None)
    sales = [
        sale(10, SWEDE, day=2),
        sale(9, SWEDE, day=2),
        sale(9, SWEDE, code=5, day=2),
        sale(3, SWEDE, day=1),
        sale(4, estonian, day=3),
        sale(5, person),
        sale(6, person._replace(name="Somebody", tax_code="SE556677889901")),
    ]
    found = eu_sales(sales)
    assert [(row["country_code"], row["document_number"], row["vat_handling"]) for row in found["rows"]] == [
        ("EE", "260403-4", "services"),
        ("SE", "260401-3", "services"),
        ("SE", "260402-9", "goods"),
        ("SE", "260402-9", "services"),
        ("SE", "260402-10", "services"),
    ]
    assert [row["name"] for row in found["private_person_rows"]] == ["Someone", "Somebody"]
