"""VAT rates by country and day, and what the codes mean."""

from __future__ import annotations

from datetime import date

import pytest

from acctcli import law
from acctcli.law.decisions import Country
from acctcli.law.vat_codes import REVERSE_CHARGE, VAT_CODES
from acctcli.models.enums import BusinessForm, VatRateLabel


@pytest.mark.parametrize(
    ("country", "day", "rates"),
    [
        ("FI", date(2000, 1, 1), ("24.00", "14.00", "10.00", "0.00")),
        ("FI", date(2013, 1, 1), ("24.00", "14.00", "10.00", "0.00")),
        ("FI", date(2024, 8, 31), ("24.00", "14.00", "10.00", "0.00")),
        ("FI", date(2024, 9, 1), ("25.50", "14.00", "10.00", "0.00")),
        ("FI", date(2025, 12, 31), ("25.50", "14.00", "10.00", "0.00")),
        ("FI", date(2026, 1, 1), ("25.50", "13.50", "10.00", "0.00")),
        ("DE", date(2020, 6, 30), ("19.00", "7.00", "0.00", "0.00")),
        ("DE", date(2020, 7, 1), ("16.00", "5.00", "0.00", "0.00")),
        ("DE", date(2020, 12, 31), ("16.00", "5.00", "0.00", "0.00")),
        ("DE", date(2021, 1, 1), ("19.00", "7.00", "0.00", "0.00")),
    ],
)
def test_rates_by_country_and_day(country: str, day: date, rates: tuple[str, ...]) -> None:
    found = law.country(country).rates_at(day)
    assert [str(found.rate(label)) for label in VatRateLabel] == list(rates)


def test_an_unknown_label_has_no_rate() -> None:
    with pytest.raises(ValueError, match="luxury"):
        law.country("FI").rates_at(date(2026, 1, 1)).rate("luxury")


def test_codes_know_their_side_and_mechanism() -> None:
    assert [code.value for code in VAT_CODES] == list(range(1, 16))
    assert {code.value for code in VAT_CODES if code.is_sale} == {1, 4, 5, 6, 10, 12, 13}
    assert {code.value for code in VAT_CODES if "purchase" in code.tags} == {2, 7, 8, 9, 11, 14, 15}
    assert {7, 8, 9, 11, 14, 15} == REVERSE_CHARGE


def test_codes_are_told_apart_by_their_tags() -> None:
    assert {code.value: " ".join(code.tags) for code in VAT_CODES} == {
        1: "sale domestic",
        2: "purchase domestic",
        3: "none",
        4: "sale zero",
        5: "sale eu goods",
        6: "sale eu services",
        7: "purchase eu goods reverse_charge",
        8: "purchase eu services reverse_charge",
        9: "purchase non_eu goods reverse_charge",
        10: "sale domestic construction",
        11: "purchase domestic construction reverse_charge",
        12: "sale non_eu services",
        13: "sale non_eu goods",
        14: "purchase non_eu services reverse_charge",
        15: "purchase non_eu goods reverse_charge",
    }


def test_german_books_and_invoices_are_in_german_and_finnish_ones_in_the_language_of_the_reader() -> None:
    assert {one.code: one.own_language for one in law.countries()} == {"FI": None, "DE": "de"}
    assert {one.code: one.language for one in law.countries()} == {"FI": "fi", "DE": "de"}


def test_every_form_of_business_is_of_one_country() -> None:
    assert {form: law.country_of_form(form).code for form in BusinessForm} == {
        form: "DE" if form.startswith("DE_") else "FI" for form in BusinessForm
    }


@pytest.mark.parametrize("country", law.countries(), ids=lambda one: one.code)
def test_the_accounts_that_rules_ask_for_are_in_each_chart(country: Country) -> None:
    for chart in country.charts:
        asked = {chart.bad_debts, chart.vat_payments, chart.vat_rounding} - {None}
        assert asked <= {account.number for account in chart.accounts()}


def test_no_form_of_business_is_of_two_countries() -> None:
    found = {form: [country.code for country in law.countries() if form in country.forms] for form in BusinessForm}
    assert all(len(codes) == 1 for codes in found.values())
