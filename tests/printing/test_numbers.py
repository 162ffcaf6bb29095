"""Numbers in four languages."""

from __future__ import annotations

from decimal import Decimal

import pytest

from acctcli.printing.numbers import LOCALES, format_decimal, format_percent, percent_of

NUMBERS = ("0", "-0.00", "7.5000", "2", "-1234.5", "33.333", "1E+6")


@pytest.mark.parametrize(
    ("language", "places", "shown"),
    [
        ("fi", 2, "0,00|0,00|7,50|2,00|-1\xa0234,50|33,333|1\xa0000\xa0000,00"),
        ("sv", 0, "0|0|7,5|2|-1\xa0234,5|33,333|1\xa0000\xa0000"),
        ("en", 2, "0.00|0.00|7.50|2.00|-1,234.50|33.333|1,000,000.00"),
        ("de", 1, "0,0|0,0|7,5|2,0|-1.234,5|33,333|1.000.000,0"),
    ],
)
def test_numbers_are_written_as_in_the_country(language: str, places: int, shown: str) -> None:
    assert [format_decimal(Decimal(text), LOCALES[language], places) for text in NUMBERS] == shown.split("|")


def test_a_rate_has_the_decimals_that_it_needs() -> None:
    written = {
        one: [format_percent(Decimal(rate), LOCALES[one]) for rate in ("25.50", "10.00", "-0.5")] for one in LOCALES
    }
    assert written == {
        "fi": ["25,5\xa0%", "10\xa0%", "-0,5\xa0%"],
        "sv": ["25,5\xa0%", "10\xa0%", "-0,5\xa0%"],
        "en": ["25.5%", "10%", "-0.5%"],
        "de": ["25,5\xa0%", "10\xa0%", "-0,5\xa0%"],
    }


@pytest.mark.parametrize("odd", ["1e999999999", "9" * 5000, "NaN", "abc", "", "1,5", "\u0661", "25.5\n"])
def test_what_is_no_rate_of_a_reply_stays_as_it_came(odd: str) -> None:
    assert [percent_of(one, LOCALES["de"]) for one in (odd, "25.50", "-0.83")] == [odd, "25,5\xa0%", "-0,83\xa0%"]
