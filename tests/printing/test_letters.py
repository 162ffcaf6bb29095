"""What a mail says where nobody wrote other words."""

from __future__ import annotations

import random
from decimal import Decimal
from html.parser import HTMLParser
from typing import Any

import pytest

from acctcli.models.enums import Language
from acctcli.printing.letters import (
    Line,
    facts_of,
    file_stem_of,
    fill,
    html,
    plain,
    subject_of,
    usual_words,
)

INVOICE: dict[str, Any] = {
    "invoice_number": 12,
    "is_credit_note_for": None,
    "total_amount": Decimal("1234.50"),
    "currency": "EUR",
    "due_date": "2026-03-05",
    "reference": "10126",
    "receiver_info": {"name": "Birch  &\tOy"},
}
CREDIT_NOTE = {**INVOICE, "invoice_number": 13, "is_credit_note_for": 7, "total_amount": Decimal("-1234.50")}
SELLER = {"name": "Öhman Oy", "invoicing_iban": "FI4950009420028730"}
SAID = {
    Language.FI: """Hei,

liitteenä on laskumme 12.

Yhteensä: 1 234,50 EUR
Eräpäivä: 5.3.2026
Tilinumero: FI49 5000 9420 0287 30
Viitenumero: 10126

Ystävällisin terveisin
Öhman Oy
""",
    Language.SV: """Hej,

bifogat finns vår faktura 12.

Totalt: 1 234,50 EUR
Förfallodag: 5.3.2026
Kontonummer: FI49 5000 9420 0287 30
Referensnummer: 10126

Med vänliga hälsningar
Öhman Oy
""",
    Language.EN: """Hello,

please find attached our invoice 12.

Total: 1,234.50 EUR
Due: 5 Mar 2026
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


def text_of(invoice: dict[str, Any], seller: dict[str, Any], language: Language) -> str:
    return plain(usual_words(facts_of(invoice, seller), language))


def filled(text: str, language: Language = Language.FI, invoice: dict[str, Any] = INVOICE) -> str:
    return plain(fill(text, facts_of(invoice, SELLER), language)).replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize("language", SAID)
def test_an_invoice_says_what_to_pay_until_when_and_where_to(language: Language) -> None:
    assert text_of(INVOICE, SELLER, language).replace("\N{NO-BREAK SPACE}", " ") == SAID[language]


def test_a_credit_note_asks_for_no_payment() -> None:
    text = text_of(CREDIT_NOTE, SELLER, Language.FI).replace("\N{NO-BREAK SPACE}", " ")
    assert "hyvityslaskumme 13." in text
    assert "Yhteensä: -1 234,50 EUR\n\nYstävällisin" in text


def test_what_nobody_set_is_left_out() -> None:
    text = text_of({**INVOICE, "reference": ""}, {**SELLER, "invoicing_iban": None}, Language.EN)
    assert "Due: 5 Mar 2026\n\nKind regards" in text


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


EVERY = "{number}|{invoice}|{total}|{due_date}|{reference}|{iban}|{name}|{business}"
OF_EACH = "FI49 5000 9420 0287 30|Birch & Oy|Öhman Oy"


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        (Language.FI, f"12|Lasku 12|1 234,50 EUR|5.3.2026|10126|{OF_EACH}"),
        (Language.SV, f"12|Faktura 12|1 234,50 EUR|5.3.2026|10126|{OF_EACH}"),
        (Language.EN, f"12|Invoice 12|1,234.50 EUR|5 Mar 2026|10126|{OF_EACH}"),
        (Language.DE, f"12|Rechnung 12|1.234,50 EUR|05.03.2026|10126|{OF_EACH}"),
    ],
)
def test_placeholders_stand_for_what_an_invoice_says_in_the_language_of_its_reader(
    language: Language, expected: str
) -> None:
    assert filled(EVERY, language) == expected


def test_the_lines_of_the_payment_stand_where_a_text_has_them() -> None:
    lines = "Total: 1,234.50 EUR\nDue: 5 Mar 2026\nAccount: FI49 5000 9420 0287 30\nReference: 10126"
    assert filled("Hi {name},\n\n{payment}\n\nBye", Language.EN) == f"Hi Birch & Oy,\n\n{lines}\n\nBye"
    assert filled("{payment}", Language.EN, CREDIT_NOTE) == "Total: -1,234.50 EUR"


def test_a_name_turns_nothing_round() -> None:
    seller, turned = {**SELLER, "name": "\u202eyO\u2066"}, {"name": "\u202eevil\u200f"}
    facts = facts_of({**INVOICE, "receiver_info": turned}, seller)
    assert plain(fill("{name}, {business}: {iban}", facts, Language.EN)) == "evil, yO: FI49 5000 9420 0287 30"
    assert plain(usual_words(facts, Language.EN)).endswith("\nKind regards\nyO\n")


def test_what_is_filled_in_is_not_read_again() -> None:
    invoice = {**INVOICE, "receiver_info": {"name": "{number} {{"}, "reference": None}
    assert filled("{name}|{reference}|{{number}}|{{{number}}}", invoice=invoice) == "{number} {{||{number}|{12}"


@pytest.mark.parametrize(
    "text",
    ["Hei,\nkiitos!\n", "a { b", "a } b", "{}", "{unknown} {number}", "{number", "{ number }", "{NUMBER}", "{a\n}"],
)
def test_a_text_from_before_there_were_placeholders_stays_as_it_is(text: str) -> None:
    assert fill(text, facts_of(INVOICE, SELLER), Language.EN) == (text,)


HTML = """<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<style>:root{color-scheme:light dark}</style>
</head>
<body>
<p>Hei,</p>
<p>liitteenä on laskumme 12.</p>
<table lang="fi" cellpadding="4">
<tr><th scope="row" align="left">Yhteensä</th><td>1 234,50 EUR</td></tr>
<tr><th scope="row" align="left">Eräpäivä</th><td>5.3.2026</td></tr>
<tr><th scope="row" align="left">Tilinumero</th><td>FI49 5000 9420 0287 30</td></tr>
<tr><th scope="row" align="left">Viitenumero</th><td>10126</td></tr>
</table>
<p>Ystävällisin terveisin<br>
Öhman Oy</p>
</body>
</html>
"""


def test_html_says_what_to_pay_in_a_table() -> None:
    said = usual_words(facts_of(INVOICE, SELLER), Language.FI)
    assert html(said, Language.FI).replace("\N{NO-BREAK SPACE}", " ") == HTML


class Reader(HTMLParser):
    """What a program shows of HTML, and what it is made of."""

    def __init__(self) -> None:
        super().__init__()
        self.shown, self.tags, self.names = "", set[str](), set[str]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.names |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.shown += data if self.lasttag != "style" else ""


def test_html_says_the_same_words_and_nothing_else_whatever_they_are() -> None:
    chance = random.Random(7)
    pieces = [
        "<b>",
        "</p>",
        "&amp;",
        "&",
        "<img src=//x.example>",
        '"',
        "  ",
        "\n",
        "\n\n",
        "ä",
        "x",
        "\x1b",
        "\r\n",
        "\t",
    ]
    for _ in range(200):
        text = "".join(chance.choices(pieces, k=40))
        value = "".join(chance.choices(pieces[:7], k=5))
        reader = Reader()
        reader.feed(html((text, (Line(value, value),), text), Language.DE))
        reader.close()
        expected = f"{text}{value}{value}{text}".replace("\x1b", "")
        assert "".join(reader.shown.split()) == "".join(expected.split())
        assert reader.tags <= {"html", "head", "meta", "style", "body", "p", "br", "table", "tr", "th", "td"}
        assert reader.names <= {"charset", "name", "content", "lang", "cellpadding", "scope", "align"}
