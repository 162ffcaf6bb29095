"""How to pay: what is typed, and what the codes say (docs/law.md 6.2, 6.3)."""

from __future__ import annotations

from typing import Any

import pytest

from acctcli.models.enums import Language
from acctcli.papers.payment import Payment, read_payment
from acctcli.papers.speaker import Speaker
from tests.papers.invoices import BUSINESS, invoice, row

ENGLISH = Speaker(Language.EN)


def paid(business: dict[str, Any], **changes: Any) -> Payment | None:
    return read_payment(invoice(row("Work", "100"), **changes), {**BUSINESS, **business}, ENGLISH)


def test_a_german_account_has_no_barcode() -> None:
    german = {"invoicing_iban": "DE89370400440532013000", "invoicing_bic": "COBADEFFXXX", "name": "Müller GmbH"}
    assert paid(german, reference="RF1220420") == Payment(
        account=[("Recipient", "Müller GmbH"), ("IBAN", "DE89 3704 0044 0532 0130 00"), ("BIC", "COBADEFFXXX")],
        sum=[("Reference", "RF12 2042 0"), ("Due date", "16 Mar 2026"), ("Amount", "€125.50")],
        barcode=None,
        qr="BCD\n002\n1\nSCT\nCOBADEFFXXX\nMüller GmbH\nDE89370400440532013000\nEUR125.50\n\nRF1220420",
    )


def test_the_bank_is_the_one_that_the_business_names() -> None:
    payment = paid({"invoicing_bic": "NDEAFIHH"})
    assert payment is not None
    assert payment.account[-1] == ("BIC", "NDEAFIHH")
    assert payment.qr is not None
    assert payment.qr.split("\n")[4] == "NDEAFIHH"


def test_without_an_account_there_are_no_codes() -> None:
    payment = paid({"invoicing_iban": None})
    assert payment is not None
    assert payment.account == [("Recipient", "Hämeen Työ & Kädentaito Oy")]
    assert (payment.barcode, payment.qr) == (None, None)


def test_without_a_reference_the_code_names_the_invoice() -> None:
    payment = paid({}, reference=None)
    assert payment is not None
    assert payment.sum == [("Due date", "16 Mar 2026"), ("Amount", "€125.50")]
    assert payment.barcode is None
    assert payment.qr == (
        "BCD\n002\n1\nSCT\nITELFIHH\nHämeen Työ & Kädentaito Oy\nFI7944052020036082\nEUR125.50\n\n\nInvoice 1042"
    )


def test_a_cent_less_than_a_million_is_in_the_barcode() -> None:
    payment = read_payment(invoice(row("Work", "999999.99", rate="0")), BUSINESS, ENGLISH)
    assert payment is not None
    assert payment.barcode == "479440520200360829999999900000000000000000020420260316"


def test_a_million_is_typed_by_the_payer() -> None:
    payment = read_payment(invoice(row("Work", "1000000.00", rate="0")), BUSINESS, ENGLISH)
    assert payment is not None
    assert payment.barcode == "479440520200360820000000000000000000000000020420260316"
    assert payment.qr is not None
    assert "\nEUR1000000.00\n" in payment.qr


@pytest.mark.parametrize("count", ["0", "-1"])
def test_what_is_nothing_is_not_paid(count: str) -> None:
    assert read_payment(invoice(row("Work", "100", count)), BUSINESS, ENGLISH) is None


def test_a_credit_note_is_not_paid() -> None:
    assert paid({}, is_credit_note_for=7) is None
