"""VAT codes of the wire as categories of EN 16931 (docs/interface.md 5.3)."""

from __future__ import annotations

from decimal import Decimal

import pytest

from acctcli.einvoice.vat import Treatment, reason, reasons, treat
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


@pytest.mark.parametrize("country", ["FI", "DE"])
@pytest.mark.parametrize("language", Language)
def test_the_reasons_fit_a_line_of_finvoice_in_every_language(language: Language, country: str) -> None:
    told = {code: reason(code, language, "own words", country) for code in (0, 3, 5, 6, 10, 12, 13)}
    assert told[0] == told[3] == "own words"
    assert max(len(text or "") for text in told.values()) <= 70
    # each country's own law, or the directive's, and never the other one's
    sections = " ".join(text or "" for text in told.values())
    assert ("UStG" if country == "FI" else "AVL") not in sections
    assert "MomsL" not in sections or country == "FI"
    # the one language's words are none of another
    others = [one for one in Language if one != language]
    assert all(told[code] != reason(code, other, None, country) for code in (5, 6, 10, 12, 13) for other in others)


@pytest.mark.parametrize(
    ("country", "own", "other", "usual"),
    [
        ("FI", "Aluksen myynti, AVL 58 §", "Vähäinen toiminta, AVL 3 §", None),
        ("FI", "Export, 70 b § MomsL", "Terveydenhuolto, AVL 34 §", None),
        ("DE", "Seeschifffahrt, § 4 Nr. 2 UStG", "Heilbehandlung, § 4 Nr. 14 UStG", "Steuerfreier Umsatz"),
        ("FI", "Laivat, direktiivi 2006/112/EY, 148 artikla", "Direktiivi 2006/112/EY, 132 artikla", None),
        ("DE", "Art. 148 RL 2006/112/EG", "Artikel 132 Richtlinie 2006/112/EG", "Steuerfreier Umsatz"),
        ("DE", "Reisen, § 25 (2) UStG", "Kleinunternehmer, § 19 UStG", "Steuerfreier Umsatz"),
        # as others cite
        ("FI", "Ulkomaankauppa, AVL 71.1 §:n 3 kohta", "AVL 171 §, 71 euroa", None),
        ("FI", "AVL 58\N{NO-BREAK SPACE}§", "AVL 59 §", None),
        ("FI", "Ulkomaankauppa, AVL 6 luku", "AVL 16 luku", None),
        ("FI", "Export, section 70 of the VAT Act", "section 700", None),
        ("DE", "§\N{NO-BREAK SPACE}4 Nr.\N{NO-BREAK SPACE}1a UStG", "§ 4 Nr. 10 UStG", "Steuerfreier Umsatz"),
        ("DE", "§ 4 Nummer 4b UStG", "§ 4 Nummer 21 UStG", "Steuerfreier Umsatz"),
        ("DE", "Reiseleistung, § 25 Abs. 2 UStG", "§ 25 Abs. 3 UStG", "Steuerfreier Umsatz"),
        ("DE", "NATO, § 26 Absatz 5 UStG", "§ 26 Abs. 3, § 25a UStG", "Steuerfreier Umsatz"),
    ],
)
def test_a_zero_rated_sale_has_the_words_of_the_business_where_they_name_its_section(
    country: str, own: str, other: str, usual: str | None
) -> None:
    assert reason(4, "de", own, country) == own
    assert reason(4, "de", other, country) == reason(4, "de", None, country) == usual


def test_what_finland_rates_at_zero_is_exempt_in_germany() -> None:
    assert treat(4, Decimal("0.00"), "FI") == Treatment("Z", NONE)
    assert treat(4, Decimal("0.00"), "DE") == Treatment("E", NONE)


def test_nothing_is_said_where_there_is_a_rate() -> None:
    business = {"country": "DE", "invoicing_vat_exemption_reason": "§ 4 Nr. 2 UStG"}
    assert reasons((1,), "de", business) == ""
    assert reasons((4, 1, 3), "de", business) == "§ 4 Nr. 2 UStG"
