"""What a mail says where nobody wrote other words."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from acctcli.models.enums import Language
from acctcli.printing.letters import file_stem_of, subject_of, text_of

INVOICE: dict[str, Any] = {
    "invoice_number": 12,
    "is_credit_note_for": None,
    "total_amount": Decimal("1234.50"),
    "currency": "EUR",
    "due_date": "2026-03-05",
    "reference": "10126",
}
CREDIT_NOTE = {**INVOICE, "invoice_number": 13, "is_credit_note_for": 7, "total_amount": Decimal("-1234.50")}
SELLER = {"name": "Öhman Oy", "invoicing_iban": "FI4950009420028730"}
SAID = {
    Language.FI: """Hei,

liitteenä on laskumme 12.

Yhteensä: 1 234,50 EUR
Eräpäivä: 05.03.2026
Tilinumero: FI49 5000 9420 0287 30
Viitenumero: 10126

Ystävällisin terveisin
Öhman Oy
""",
    Language.SV: """Hej,

bifogat finns vår faktura 12.

Totalt: 1 234,50 EUR
Förfallodag: 05.03.2026
Kontonummer: FI49 5000 9420 0287 30
Referensnummer: 10126

Med vänliga hälsningar
Öhman Oy
""",
    Language.EN: """Hello,

please find attached our invoice 12.

Total: 1,234.50 EUR
Due: 2026-03-05
Account: FI49 5000 9420 0287 30
Reference: 10126

Kind regards
Öhman Oy
""",
    Language.DE: """Guten Tag,

anbei erhalten Sie unsere Rechnung 12.

Gesamtbetrag: 1.234,50 EUR
Fällig am: 05.03.2026
IBAN: FI49 5000 9420 0287 30
Verwendungszweck: 10126

Mit freundlichen Grüßen
Öhman Oy
""",
}


@pytest.mark.parametrize("language", SAID)
def test_an_invoice_says_what_to_pay_until_when_and_where_to(language: Language) -> None:
    assert text_of(INVOICE, SELLER, language).replace("\N{NO-BREAK SPACE}", " ") == SAID[language]


def test_a_credit_note_asks_for_no_payment() -> None:
    text = text_of(CREDIT_NOTE, SELLER, Language.FI).replace("\N{NO-BREAK SPACE}", " ")
    assert "hyvityslaskumme 13." in text
    assert "Yhteensä: -1 234,50 EUR\n\nYstävällisin" in text


def test_what_nobody_set_is_left_out() -> None:
    text = text_of({**INVOICE, "reference": ""}, {**SELLER, "invoicing_iban": None}, Language.EN)
    assert "Due: 2026-03-05\n\nKind regards" in text


@pytest.mark.parametrize(
    ("language", "subjects", "stems"),
    [
        (Language.FI, ("Lasku 12", "Hyvityslasku 13"), ("lasku-12", "hyvityslasku-13")),
        (Language.SV, ("Faktura 12", "Kreditfaktura 13"), ("faktura-12", "kreditfaktura-13")),
        (Language.EN, ("Invoice 12", "Credit note 13"), ("invoice-12", "credit-note-13")),
        (Language.DE, ("Rechnung 12", "Rechnungskorrektur 13"), ("rechnung-12", "rechnungskorrektur-13")),
    ],
)
def test_subjects_and_files_are_of_the_language(
    language: Language, subjects: tuple[str, str], stems: tuple[str, str]
) -> None:
    for number, is_credit_note, subject in ((12, False, subjects[0]), (13, True, subjects[1])):
        assert subject_of(number, "Öhman Oy", language, is_credit_note=is_credit_note) == f"{subject}, Öhman Oy"
    assert tuple(file_stem_of(one, language) for one in (INVOICE, CREDIT_NOTE)) == stems
