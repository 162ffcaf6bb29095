"""Amounts in four languages, digit for digit."""

from __future__ import annotations

from decimal import Decimal

import pytest

from acctcli.cli.report.amounts import choose_locale, format_amount, rounded
from acctcli.errors import ServerFault
from acctcli.printing.numbers import LOCALES

AMOUNTS = ("0", "-0.001", "0.005", "-0.005", "999.99", "-1234.5", "12345678901234567.89", "0.30000000000000004")


@pytest.mark.parametrize(
    ("language", "shown"),
    [
        ("fi", "0,00|0,00|0,01|-0,01|999,99|-1\xa0234,50|12\xa0345\xa0678\xa0901\xa0234\xa0567,89|0,30"),
        ("sv", "0,00|0,00|0,01|-0,01|999,99|-1\xa0234,50|12\xa0345\xa0678\xa0901\xa0234\xa0567,89|0,30"),
        ("en", "0.00|0.00|0.01|-0.01|999.99|-1,234.50|12,345,678,901,234,567.89|0.30"),
        ("de", "0,00|0,00|0,01|-0,01|999,99|-1.234,50|12.345.678.901.234.567,89|0,30"),
    ],
)
def test_amounts_are_written_as_in_the_country(language: str, shown: str) -> None:
    assert [format_amount(Decimal(text), LOCALES[language]) for text in AMOUNTS] == shown.split("|")


@pytest.mark.parametrize("text", ["1E400", "-1E+30", "NaN"])
def test_what_is_no_amount_is_the_services_fault(text: str) -> None:
    with pytest.raises(ServerFault, match="where an amount should be"):
        rounded(Decimal(text))


@pytest.mark.parametrize(
    ("option", "variables", "language"),
    [
        ("de", {"LC_ALL": "fi_FI.UTF-8"}, "de"),
        (None, {"LC_ALL": "fi_FI.UTF-8", "LANG": "de_DE"}, "fi"),
        (None, {"LANG": "de_DE", "LC_NUMERIC": "sv_SE", "LC_ALL": "fi_FI.UTF-8"}, "fi"),
        (None, {"LC_ALL": "", "LC_NUMERIC": "sv_SE", "LANG": "de_DE"}, "sv"),
        (None, {"LANG": "de_AT@euro"}, "de"),
        (None, {"LANG": "de"}, "de"),
        (None, {"LC_ALL": "C", "LANG": "fi_FI"}, "en"),
        (None, {"LANG": "fil_PH.UTF-8"}, "en"),
        (None, {"LANG": "fr_FR.UTF-8"}, "en"),
        (None, {}, "en"),
    ],
)
def test_the_language_is_the_options_then_the_users(
    option: str | None, variables: dict[str, str], language: str
) -> None:
    assert choose_locale(option, variables) == LOCALES[language]
