"""A country is one module: registered, it passes through the law, the rules, e-invoices and filings."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

import pytest

from acctcli import law
from acctcli.einvoice.terms import language_of
from acctcli.einvoice.vat import reason
from acctcli.law.calendar import TaxPeriod
from acctcli.law.closed_days import Span
from acctcli.law.decisions import Country
from acctcli.law.duties import VatPeriod, prepayment_duties, return_duty
from acctcli.models.enums import AccountType, DefaultVatPeriod, Language
from acctcli.service.rules.contacts import NUMBERS
from acctcli.service.rules.identifiers import faults_of
from acctcli.service.rules.periods import PeriodError, check_accounting_period
from acctcli.service.rules.vat_sums import VatMovement, vat_groups
from tests.einvoice.samples import FINNISH_BUYER, FINNISH_SELLER, invoice
from tests.law.filers import Filer


@pytest.fixture
def sweden(monkeypatch: pytest.MonkeyPatch) -> Country:
    monkeypatch.setitem(law.PACKAGES, "SE", "tests.law.sweden")
    return law.country("SE")


def test_an_unknown_country_is_an_error_and_never_another_one() -> None:
    for code in ("SE", "fi", "", None):
        with pytest.raises(law.UnknownCountryError, match=f"the law of {code or 'no country'} is not known"):
            law.country(code)
    with pytest.raises(law.UnknownCountryError, match="SE_AB"):
        law.country_of_form("SE_AB")


def test_it_is_found_by_its_code(sweden: Country) -> None:
    assert [one.code for one in law.countries()] == ["FI", "DE", "SE"]
    assert law.country("SE") is sweden
    assert law.country_of_form("DEMO").code == "FI"


def test_its_days_and_rates(sweden: Country) -> None:
    assert sweden.vat_due_date(date(2027, 1, 31), 0) == date(2027, 3, 12)
    assert sweden.vat_due_date(date(2026, 4, 30), 0) == date(2026, 6, 12)
    assert sweden.next_banking_day(date(2025, 6, 6)) == date(2025, 6, 9)
    assert sweden.rates_at(date(2026, 1, 1)).rate("reduced_a") == Decimal("12.00")
    period = VatPeriod(1, date(2026, 4, 1), date(2026, 4, 30), date(2026, 6, 6), 0)
    assert return_duty(period, sweden, date(2026, 5, 1)).due_date == date(2026, 6, 8)
    assert list(prepayment_duties([period], sweden, date(2026, 5, 1))) == []


def test_its_accounting_periods(sweden: Country) -> None:
    check_accounting_period(Span(date(2026, 1, 1), date(2027, 6, 30)), [], sweden.longest_period_months)
    with pytest.raises(PeriodError, match="at most 18 months"):
        check_accounting_period(Span(date(2026, 1, 1), date(2027, 7, 1)), [], sweden.longest_period_months)


@pytest.mark.parametrize(
    ("number", "place", "is_wrong"),
    [("556000-4615", "SE", False), ("556000", "SE", True), ("556000", "NO", False), ("0112038-8", None, True)],
)
def test_its_register_checks_contacts(sweden: Country, number: str, place: str | None, is_wrong: bool) -> None:
    contact = dict.fromkeys([*NUMBERS, "invoicing_electronic_address_scheme"], "")
    contact |= {"contact_business_id": number, "invoicing_country": place or ""}
    assert bool(faults_of(NUMBERS, contact)) is is_wrong


def test_its_vat_from_the_books_to_the_file(sweden: Country) -> None:
    movements = [
        VatMovement(1, 2500, None, False, 10000),
        VatMovement(1, 2500, AccountType.LIA_VAT, False, 2500),
        VatMovement(2, 2500, AccountType.ASS_VAT, True, 500),
    ]
    filing = sweden.filing()
    filled = filing.fill_return(filing.report_vat(vat_groups(movements)), None, Decimal(0))
    assert filled.is_sound
    march = TaxPeriod(DefaultVatPeriod.MONTH, 2026, 3)
    written = filing.return_file(filled, march, Filer("SE556000461501"), datetime(2026, 4, 9), None)
    assert written == b"10 25.00\n48 5.00\n49 20.00\n"


def test_its_invoices(sweden: Country) -> None:
    seller = {**FINNISH_SELLER, "country": sweden.code}
    assert language_of(invoice([], FINNISH_BUYER), seller) == Language.SV
    assert reason(5, "sv", None, "SE") == reason(5, "en", None, "SE") == "Undantag, 10 kap. 42 § ML"
    assert reason(4, "sv", None, "SE") is None
