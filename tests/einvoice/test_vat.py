"""VAT codes of the wire as categories of EN 16931 (docs/interface.md 5.3)."""

from __future__ import annotations

from decimal import Decimal

import pytest

from acctcli.einvoice.vat import Treatment, reason, treat
from acctcli.models.enums import Language

NONE = Decimal(0)


def test_every_code_of_the_wire_is_treated_or_refused() -> None:
    assert {code: treat(code, Decimal("25.5"), "FI") for code in range(16)} == {
        0: Treatment("E", NONE),
        1: Treatment("S", Decimal("25.5")),
        2: None,
        3: Treatment("E", NONE),
        4: Treatment("Z", NONE),
        5: Treatment("K", NONE),
        6: Treatment("AE", NONE),
        7: None,
        8: None,
        9: None,
        10: Treatment("AE", NONE),
        11: None,
        12: Treatment("O", NONE),
        13: Treatment("G", NONE),
        14: None,
        15: None,
    }


def test_a_rate_of_zero_is_a_category_of_its_own() -> None:
    assert treat(1, Decimal("0.00"), "DE") == Treatment("Z", NONE)


@pytest.mark.parametrize("language", Language)
def test_the_reasons_fit_a_line_of_finvoice_in_every_language(language: Language) -> None:
    told = {code: reason(code, language, "own words", "FI") for code in (0, 1, 3, 4, 5, 6, 10, 12, 13)}
    assert {code for code, text in told.items() if text is None} == {1, 4}
    assert told[0] == told[3] == "own words"
    assert max(len(text) for text in told.values() if text) <= 70


def test_what_finland_rates_at_zero_is_exempt_in_germany() -> None:
    assert treat(4, Decimal("0.00"), "FI") == Treatment("Z", NONE)
    assert treat(4, Decimal("0.00"), "DE") == Treatment("E", NONE)
    assert reason(4, "de", "own words", "FI") is None
    assert reason(4, "de", "own words", "DE") == "Steuerfreier Umsatz, § 4 Nr. 2 bis 7 UStG"
