"""Which VAT may be charged, when and to whom (docs/law.md 1, 7.1)."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from acctcli import law
from acctcli.law.vat_rules import customer_fault, last_day_of_rate, rate_fault, rate_in_force

FINNISH = {
    "invoicing_country": "FI",
    "invoicing_tax_code": "FI15728600",
    "contact_business_id": "1572860-0",
    "type": "BUSINESS",
}
SWEDISH = {**FINNISH, "invoicing_country": "SE", "invoicing_tax_code": "SE556000000101"}
IRISH_SIX = {**FINNISH, "invoicing_country": "GB", "invoicing_tax_code": "XI980780684"}
NORWEGIAN = {**FINNISH, "invoicing_country": "NO", "invoicing_tax_code": None, "contact_business_id": None}
PERSON: dict[str, Any] = {"type": "PERSON", "invoicing_tax_code": None, "contact_business_id": None}


@pytest.mark.parametrize(
    ("country", "day", "rates"),
    [
        ("FI", "2013-01-01", "24 14 10 0"),
        ("FI", "2024-08-31", "24 14 10 0"),
        ("FI", "2024-09-01", "25.5 14 10 0"),
        ("FI", "2026-01-01", "25.5 13.5 10 0"),
        ("DE", "2007-01-01", "19 7 0"),
        ("DE", "2020-08-01", "16 5 0"),
        ("DE", "2026-01-01", "19 7 0"),
    ],
)
def test_a_day_has_its_rates_and_no_others(country: str, day: str, rates: str) -> None:
    tried = [Decimal(one) for one in ("25.5", "24", "19", "16", "14", "13.5", "10", "7", "5", "0", "99", "0.01")]
    found = [one for one in tried if rate_fault(law.country(country), one, date.fromisoformat(day)) is None]
    assert found == [Decimal(one) for one in rates.split()]


@pytest.mark.parametrize(
    ("rate", "told"),
    [
        ("24", "24 % is no VAT rate of Finland on 2026-03-01: the rate is 25.5 % on that day"),
        ("14.00", "14 % is no VAT rate of Finland on 2026-03-01: the rate is 13.5 % on that day"),
        ("99", "99 % is no VAT rate of Finland on 2026-03-01: the rates are 25.5, 13.5 and 10 %"),
    ],
)
def test_the_right_rate_is_named(rate: str, told: str) -> None:
    assert rate_fault(law.country("FI"), Decimal(rate), date(2026, 3, 1)) == told


def test_nothing_is_known_of_days_before_the_first() -> None:
    assert rate_fault(law.country("FI"), Decimal(22), date(2012, 12, 31)) is None


@pytest.mark.parametrize(("before", "after"), [("24", "25.5"), ("14", "13.5"), ("10", "10"), ("0", "0"), ("99", "99")])
def test_a_rate_goes_on_as_the_one_of_its_kind(before: str, after: str) -> None:
    found = rate_in_force(law.country("FI"), Decimal(before), date(2024, 8, 31), date(2026, 1, 1))
    assert found == Decimal(after)


@pytest.mark.parametrize(
    ("rate", "last", "ended"),
    [
        ("24", "2026-03-01", "2024-08-31"),
        ("24", "2024-08-30", "2024-08-30"),
        ("14", "2026-03-01", "2025-12-31"),
        ("10", "2026-03-01", "2026-03-01"),
        ("0", "2026-03-01", "2026-03-01"),
        ("25.5", "2024-09-01", "2024-09-01"),
        ("25.5", "2024-08-31", None),
        ("22", "2013-01-01", None),
        ("22", "2012-12-31", "2012-12-31"),
    ],
)
def test_a_rate_ends_on_the_day_before_the_next(rate: str, last: str, ended: str | None) -> None:
    found = last_day_of_rate(law.country("FI"), Decimal(rate), date.fromisoformat(last))
    assert found == (None if ended is None else date.fromisoformat(ended))


@pytest.mark.parametrize(
    ("code", "customer", "fits"),
    [
        (1, FINNISH | PERSON, True),
        (2, FINNISH, False),
        (3, FINNISH, True),
        (4, FINNISH, True),
        (5, SWEDISH, True),
        (5, IRISH_SIX, True),
        (5, FINNISH, False),
        (5, NORWEGIAN, False),
        (5, SWEDISH | PERSON, False),
        (5, SWEDISH | {"type": "PERSON"}, False),
        (6, SWEDISH, True),
        (6, SWEDISH | {"type": "UNSET"}, True),
        (6, IRISH_SIX, False),
        (6, FINNISH, False),
        (7, SWEDISH, False),
        (10, FINNISH, True),
        (10, FINNISH | PERSON, False),
        (10, FINNISH | {"type": "PERSON"}, False),
        (10, FINNISH | {"invoicing_tax_code": None, "contact_business_id": None}, False),
        (10, FINNISH | {"invoicing_tax_code": None}, True),
        (10, FINNISH | {"invoicing_tax_code": " "}, True),
        (10, FINNISH | {"invoicing_tax_code": " ", "contact_business_id": " "}, False),
        (10, SWEDISH, False),
        (12, NORWEGIAN, True),
        (12, NORWEGIAN | PERSON, True),
        (12, SWEDISH, False),
        (13, IRISH_SIX, True),
        (13, FINNISH, False),
        (13, NORWEGIAN | {"invoicing_country": None}, False),
    ],
)
def test_a_code_has_its_customers(code: int, customer: dict[str, Any], fits: bool) -> None:
    assert (customer_fault(code, customer, law.country("FI"), "Exempt") is None) == fits


def test_no_vat_needs_a_reason() -> None:
    for code in (0, 3):
        for reason in (None, "", " "):
            assert "invoicing_vat_exemption_reason" in str(customer_fault(code, FINNISH, law.country("FI"), reason))
