"""Numbers in four languages."""

from __future__ import annotations

from decimal import Decimal

import pytest

from acctcli.printing.numbers import LOCALES, format_decimal

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
