"""The second opinion must tell good books from bad ones."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from tests.hledger import find_faults, read_balances, to_hledger


def entry(number: str, name: str, debet: str, credit: str, description: str = "") -> dict[str, Any]:
    return {
        "account_number": number,
        "account_name": name,
        "debet": Decimal(debet),
        "credit": Decimal(credit),
        "description": description,
    }


@pytest.fixture
def report() -> dict[str, Any]:
    """E1 and a payment, with every character that hledger would read as something else."""
    return {
        "report_type": "journal",
        "date_from": "2026-03-01",
        "date_to": "2026-03-31",
        "documents": [
            {
                "number": "260302-1",
                "date": "2026-03-02",
                "document_id": 1,
                "entries": [
                    entry("1910", "Bank account", "125.50", "0.00"),
                    entry("3000", "Sales; standard  rate", "0.00", "100.00", "Shop | counter ; type: X\n2026"),
                    entry("2939", "VAT type: L", "0.00", "25.50", "* (not a code)"),
                ],
            },
            {
                "number": "260302-2",
                "date": None,
                "document_id": 2,
                "entries": [
                    entry("8700", "Other", "12345678901234567.89", "0.00", "Large"),
                    entry("1910", "Bank account", "0.00", "12345678901234567.89"),
                ],
            },
        ],
    }


def test_writes_a_journal_a_person_can_read(report: dict[str, Any]) -> None:
    assert to_hledger(report) == (
        "commodity 1000.00 EUR\n"
        "\n"
        "account 1910  ; Bank account\n"
        "account 2939  ; VAT type. L\n"
        "account 3000  ; Sales, standard rate\n"
        "account 8700  ; Other\n"
        "\n"
        "2026-03-02 (260302-1) Shop / counter , type. X 2026\n"
        "    1910  125.50 EUR\n"
        "    3000  -100.00 EUR  ; Shop / counter , type. X 2026\n"
        "    2939  -25.50 EUR  ; * (not a code)\n"
        "\n"
        "2026-03-01 (260302-2) Large\n"
        "    8700  12345678901234567.89 EUR  ; Large\n"
        "    1910  -12345678901234567.89 EUR\n"
    )


def test_good_books_pass(report: dict[str, Any]) -> None:
    assert find_faults(to_hledger(report)) == ""


def test_unbalanced_books_fail(report: dict[str, Any]) -> None:
    report["documents"][0]["entries"][0]["debet"] = Decimal("125.49")
    assert "sum should be 0 but is: -0.01 EUR" in find_faults(to_hledger(report))


def test_an_undeclared_account_fails(report: dict[str, Any]) -> None:
    journal = to_hledger(report).replace("account 2939  ; VAT type. L\n", "")
    assert "2939" in find_faults(journal)


@pytest.mark.parametrize(("line", "told"), [("account 2939", "2939"), ("commodity 1000.00 EUR", "EUR")])
def test_books_with_a_fault_have_no_balances(report: dict[str, Any], line: str, told: str) -> None:
    journal = "\n".join(one for one in to_hledger(report).splitlines() if not one.startswith(line))
    assert told in find_faults(journal)
    with pytest.raises(AssertionError, match=told):
        read_balances(journal)


def test_balances_keep_every_digit(report: dict[str, Any]) -> None:
    assert read_balances(to_hledger(report)) == {
        "1910": Decimal("-12345678901234442.39"),
        "2939": Decimal("-25.50"),
        "3000": Decimal("-100.00"),
        "8700": Decimal("12345678901234567.89"),
    }


def test_no_documents_no_balances(report: dict[str, Any]) -> None:
    report["documents"] = []
    journal = to_hledger(report)
    assert (find_faults(journal), read_balances(journal)) == ("", {})
