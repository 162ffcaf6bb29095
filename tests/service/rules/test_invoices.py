"""What rows come to, what may be done when, who can be reached (docs/interface.md 7.1, 7.2, 7.3, 7.4)."""

from __future__ import annotations

from datetime import date
from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.law.invoices import Finding
from acctcli.models.enums import InvoiceStatus
from acctcli.service.rules.invoices import (
    Sums,
    acceptance_faults,
    collection_date,
    delivery_options,
    due_date,
    friendly_name,
    next_status,
    row_sums,
)
from acctcli.service.rules.money import to_cents, to_e4

ADDRESS = dict.fromkeys(("invoicing_street", "invoicing_city", "invoicing_postal_code", "invoicing_country"), "x")


@pytest.mark.parametrize(
    ("price", "count", "rate", "code", "vat", "total"),
    [
        ("100.00", "2", "25.50", 1, "51.00", "251.00"),
        ("19.99", "3", "13.50", 1, "8.10", "68.07"),
        ("33.33", "1.5", "10.00", 1, "5.00", "55.00"),
        ("100.00", "2", "25.50", 3, "0.00", "200.00"),
        ("100.00", "2", "0.00", 1, "0.00", "200.00"),
        ("100.00", "-2", "25.50", 1, "-51.00", "-251.00"),
        ("0.0001", "0.0001", "25.50", 1, "0.00", "0.00"),
        ("0.0050", "1", "0.00", 3, "0.00", "0.01"),
        ("0.0050", "-1", "0.00", 3, "0.00", "-0.01"),
        ("0.0049", "1", "0.00", 3, "0.00", "0.00"),
        ("0.3300", "10", "25.50", 1, "0.84", "4.14"),
    ],
)
def test_what_a_row_comes_to(price: str, count: str, rate: str, code: int, vat: str, total: str) -> None:
    sums = row_sums(to_e4(Decimal(price)), to_e4(Decimal(count)), to_cents(Decimal(rate)), code)
    assert sums == Sums(to_cents(Decimal(vat)), to_cents(Decimal(total)))


@given(st.integers(-(10**9), 10**9), st.integers(-(10**7), 10**7), st.integers(0, 99_999))
def test_sums_are_those_of_decimal_arithmetic(price: int, count: int, rate: int) -> None:
    cent = Decimal("0.01")
    net = (Decimal(price).scaleb(-4) * Decimal(count).scaleb(-4)).quantize(cent, ROUND_HALF_UP)
    vat = (net * Decimal(rate).scaleb(-4)).quantize(cent, ROUND_HALF_UP)
    assert row_sums(price, count, rate, 1) == Sums(to_cents(vat), to_cents(net + vat))
    assert row_sums(price, count, rate, 6) == Sums(0, to_cents(net))
    assert row_sums(price, -count, rate, 1) == Sums(-to_cents(vat), -to_cents(net + vat))


def test_dates() -> None:
    assert due_date(date(2026, 1, 31), 30) == date(2026, 3, 2)
    assert due_date(date(2026, 1, 31), 0) == date(2026, 1, 31)
    assert collection_date(date(2026, 3, 2)) == date(2026, 3, 16)
    assert collection_date(date(9999, 1, 1)) == date(9999, 1, 15)
    assert collection_date(date(9999, 12, 20)) == date(9999, 12, 31)


def test_names() -> None:
    assert friendly_name(None, is_credit_note=True) == "Draft"
    assert friendly_name(7, is_credit_note=False) == "Invoice 7"
    assert friendly_name(8, is_credit_note=True) == "Credit note 8"


# the table of docs/interface.md 7.1: from each status what an action leads to, None where it is refused
LIFE: dict[str, dict[str, str | None]] = {
    "DRAFT": {"accept": "ACCEPTED", "paid": None, "unpaid": None, "credit_loss": None},
    "ACCEPTED": {"accept": "ACCEPTED", "paid": "PAID", "unpaid": "ACCEPTED", "credit_loss": "CREDIT_LOSS"},
    "PAID": {"accept": None, "paid": "PAID", "unpaid": "ACCEPTED", "credit_loss": None},
    "CREDIT_LOSS": {"accept": None, "paid": None, "unpaid": "ACCEPTED", "credit_loss": "CREDIT_LOSS"},
}


def test_the_life_of_an_invoice() -> None:
    assert LIFE.keys() == set(InvoiceStatus)
    for status, actions in LIFE.items():
        assert {action: next_status(status, action) for action in actions} == actions


def test_a_refusal_says_who_or_what_it_is_about() -> None:
    def told(*fields: str) -> Finding:
        return Finding(fields, f"{fields[0]} lacks", "what is right", "§ 14 UStG")

    findings = [
        Finding(("rows",), "An invoice needs a row"),
        told("business.invoicing_street", "business.invoicing_city"),
        told("receiver_info.invoicing_tax_code"),
        told("rows.0.vat_rate", "rows.3.vat_rate"),
        told("business.invoicing_vat_exemption_reason"),
        Finding(("business.can_invoice",), "The business cannot invoice"),
    ]
    assert acceptance_faults(findings) == {
        "rows": ["An invoice needs a row."],
        "business": ["business.invoicing_street lacks: what is right (§ 14 UStG)."],
        "receiver": ["receiver_info.invoicing_tax_code lacks: what is right (§ 14 UStG)."],
        "vat": [
            "rows.0.vat_rate lacks: what is right (§ 14 UStG).",
            "business.invoicing_vat_exemption_reason lacks: what is right (§ 14 UStG).",
        ],
        "can_invoice": ["The business cannot invoice."],
    }


@pytest.mark.parametrize(
    ("kind", "ways", "available"),
    [
        ("UNSET", (True, True, True), ["EMAIL", "EINVOICE", "PAPER"]),
        ("BUSINESS", (True, False, True), ["EINVOICE", "PAPER"]),
        ("PERSON", (True, True, True), ["EMAIL", "ELASKU", "PAPER"]),
        ("PERSON", (True, False, False), ["PAPER"]),
        ("UNSET", (False, False, False), []),
    ],
)
def test_ways_to_deliver(kind: str, ways: tuple[bool, bool, bool], available: list[str]) -> None:
    names = ("can_be_invoiced", "can_be_invoiced_via_email", "can_be_invoiced_via_einvoice")
    unnamed = {"xrechnung_buyer_reference": None, "invoicing_electronic_address": None}
    options = delivery_options({"type": kind, **unnamed, **dict(zip(names, ways, strict=True))})
    assert [option["value"] for option in options] == ["EMAIL", "EINVOICE", "ELASKU", "PAPER", "EMAIL_XRECHNUNG"]
    assert [option["value"] for option in options if option["is_available"]] == available
