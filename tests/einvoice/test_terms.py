"""What an e-invoice says of payment."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from acctcli.einvoice.terms import day, language_of, payment_terms, plain, transfer_code
from acctcli.models.enums import Language
from tests.einvoice.samples import FINNISH_SELLER, GERMAN_BUYER, GERMAN_SELLER, invoice


@pytest.mark.parametrize(
    ("language", "terms"),
    [
        (Language.FI, "14 päivää netto\nViivästyskorko 11,5 %"),
        (Language.SV, "14 dagar netto\nDröjsmålsränta 11,5 %"),
        (Language.EN, "14 days net\nLate interest 11.5 %"),
        (Language.DE, "14 Tage netto\nVerzugszinsen 11,5 %"),
    ],
)
def test_terms_are_told_in_the_language_of_the_reader(language: Language, terms: str) -> None:
    assert payment_terms(invoice([]), language) == terms


def test_terms_of_no_days_and_no_interest() -> None:
    assert payment_terms(invoice([], payment_condition_days=0, penalty_interest=0), Language.EN) == "Immediately"


def test_the_language_is_that_of_the_buyer_but_german_for_a_german_seller() -> None:
    swedish = invoice([], {**GERMAN_BUYER, "invoicing_language": "sv"})
    unknown = invoice([], {**GERMAN_BUYER, "invoicing_language": "et"})
    assert language_of(swedish, FINNISH_SELLER) == Language.SV
    assert language_of(unknown, FINNISH_SELLER) == Language.EN
    assert language_of(swedish, GERMAN_SELLER) == Language.DE


@pytest.mark.parametrize(("iban", "code"), [("FI4950009420028730", "58"), ("TR330006100519786457841326", "30")])
def test_accounts_outside_sepa_take_any_transfer(iban: str, code: str) -> None:
    assert transfer_code(iban) == code


def test_dates_come_as_dates_and_as_text() -> None:
    assert day("2026-03-02") == day(date(2026, 3, 2)) == date(2026, 3, 2)


@pytest.mark.parametrize(
    ("number", "least", "text"),
    [("33.3330", 2, "33.333"), ("10", 2, "10.00"), ("1E+3", 0, "1000"), ("2.500", 0, "2.5"), ("-0.0001", 2, "-0.0001")],
)
def test_numbers_have_no_idle_zeros(number: str, least: int, text: str) -> None:
    assert plain(Decimal(number), least) == text
