"""Every name has four languages, and every row of the fixed plan has a name."""

from __future__ import annotations

from acctcli.cli.report.labels import AGES, ALL, BALANCE, EQUITY, INCOME, VAT, Labels
from acctcli.models.report import VatSummary
from acctcli.service.rules.reports import balance_sheet, income_statement


def test_no_name_is_empty_and_the_english_one_is_that_of_the_wire() -> None:
    assert [label for label in ALL.values() if not all(text.strip() == text != "" for text in label)] == []
    assert {name for name, label in ALL.items() if label.en != name} == {*VAT, *AGES} - {"goods", "services", "Id"}


def test_the_plan_of_the_statements_is_known() -> None:
    sheet = {line.name for plan in (balance_sheet.PLAN, balance_sheet.SHORT_PLAN) for line in plan}
    statement = {line.name for plan in (income_statement.PLAN, income_statement.SHORT_PLAN) for line in plan}
    assert (set(BALANCE), set(INCOME)) == (sheet, statement)
    assert {"Opening", "Change", "Closing", "Total equity"} == set(EQUITY)
    assert set(VatSummary.__annotations__) <= set(VAT)


def test_names_that_are_not_known_pass_through() -> None:
    finnish = Labels("fi")
    assert [finnish(name) for name in ("Total assets", "vat_payable", "1910 Bank", "")] == [
        "Vastaavaa yhteensä",
        "Maksettava vero",
        "1910 Bank",
        "",
    ]


def test_terms_are_those_of_annual_accounts() -> None:
    """A result and its loss share a line, and what is accrued is no Rechnungsabgrenzungsposten."""
    names = ("Fixed assets", "Accrued receivables", "Accrued liabilities", "Operating result", "Result of the period")
    terms = {language: [Labels(language)(name) for name in names] for language in ("fi", "sv", "de")}
    assert terms == {
        "fi": ["Pysyvät vastaavat", "Siirtosaamiset", "Siirtovelat", "Liikevoitto (-tappio)",
               "Tilikauden voitto (tappio)"],
        "sv": ["Bestående aktiva", "Resultatregleringar", "Resultatregleringar", "Rörelsevinst (-förlust)",
               "Räkenskapsperiodens vinst (förlust)"],
        "de": ["Anlagevermögen", "Abgegrenzte Forderungen", "Abgegrenzte Verbindlichkeiten", "Betriebsergebnis",
               "Ergebnis des Zeitraums"],
    }  # fmt: skip
