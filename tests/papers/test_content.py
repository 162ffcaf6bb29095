"""What an invoice says, in four languages (docs/interface.md 7; docs/law.md 7.6)."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest

from acctcli.cli.report.labels import Labels
from acctcli.cli.view.words import Words as ViewWords
from acctcli.einvoice.terms import set_off
from acctcli.models.enums import Language
from acctcli.papers.content import Heads, PaperContent, PaperRow, Share, read_content
from acctcli.papers.payment import Payment
from acctcli.papers.words import WORDS
from acctcli.printing.letters import facts_of, plain, usual_words
from tests.papers.invoices import BUSINESS, RECEIVER, invoice, row

GERMAN = {
    **RECEIVER,
    "name": "Łódźer Spedition GmbH",
    "invoicing_street": "Chausseestraße 5",
    "invoicing_postal_code": "10115",
    "invoicing_city": "Berlin",
    "invoicing_country": "DE",
    "invoicing_tax_code": "DE136695976",
    "contact_business_id": None,
}


def test_an_invoice_is_read_whole() -> None:
    content = read_content(invoice(description="Kiitos!\nTyö on tehty."), BUSINESS, Language.FI)
    assert content == PaperContent(
        language=Language.FI,
        made=datetime(2026, 3, 2, 8, 15, 30, 123456, UTC),
        title="Lasku",
        number="1042",
        seller=["Hämeen Työ & Kädentaito Oy", "Raatihuoneenkatu 9", "13100 Hämeenlinna"],
        buyer=["Kahvila Söner & Weiß Oy", "Bertta Ström", "Mannerheimintie 12 B 34", "00100 Helsinki"],
        buyer_ids=[("Y-tunnus", "1572860-0"), ("ALV-tunniste", "FI15728600")],
        facts=[
            ("Laskun numero", "1042"),
            ("Laskun päiväys", "2.3.2026"),
            ("Eräpäivä", "16.3.2026"),
            ("Maksuehto", "14 päivää netto"),
            ("Viivästyskorko", "9,5\xa0%"),
            ("Asiakasnumero", "K-1042"),
            ("Viitteemme", "Åsa Väisänen"),
            ("Viitteenne", "PO-2026/117"),
        ],
        description=["Kiitos!", "Työ on tehty."],
        heads=Heads(
            "Kuvaus",
            ("Määrä", "Yksikkö", "À-hinta", "ALV\xa0%", "Veroton", "ALV", "Yhteensä"),
            texts=frozenset({1}),
            carried=4,
        ),
        rows=[
            PaperRow(
                "Ohjelmistokonsultointi",
                "Maaliskuun suunnittelutyö",
                ("2", "h", "100,00", "25,5", "200,00", "51,00", "251,00"),
                Decimal("200.00"),
            ),
            PaperRow(
                "Espressopapuja, tumma paahto",
                "A-17",
                ("3", "pss", "19,99", "13,5", "59,97", "8,10", "68,07"),
                Decimal("259.97"),
            ),
            PaperRow("Lehtitilaus", "", ("1,5", "kpl", "33,33", "10", "50,00", "5,00", "55,00"), Decimal("309.97")),
        ],
        shares=[
            Share("25,5\xa0%", "", ("200,00", "51,00", "251,00")),
            Share("13,5\xa0%", "", ("59,97", "8,10", "68,07")),
            Share("10\xa0%", "", ("50,00", "5,00", "55,00")),
        ],
        sums=[("Veroton yhteensä", "309,97"), ("Arvonlisävero", "64,10")],
        total=("Maksettava yhteensä", "374,07\xa0€"),
        notes=[],
        payment=Payment(
            account=[
                ("Saaja", "Hämeen Työ & Kädentaito Oy"),
                ("IBAN", "FI79 4405 2020 0360 82"),
                ("BIC", "ITELFIHH"),
            ],
            sum=[("Viitenumero", "20420"), ("Eräpäivä", "16.3.2026"), ("Maksettava", "374,07\xa0€")],
            barcode="479440520200360820003740700000000000000000020420260316",
            qr="BCD\n002\n1\nSCT\nITELFIHH\nHämeen Työ & Kädentaito Oy\nFI7944052020036082\nEUR374.07\n\nRF1220420",
        ),
        foot=[
            ["Hämeen Työ & Kädentaito Oy", "Raatihuoneenkatu 9", "13100 Hämeenlinna"],
            ["Åsa Väisänen", "+358 40 123 4567", "laskut@kadentaito.example"],
            ["Y-tunnus 0112038-9", "ALV-tunniste FI01120389"],
        ],
    )


def test_a_credit_note_names_its_invoice_and_is_not_paid() -> None:
    credited = invoice(row("Work", "100", "-1"), invoice_number=1043, is_credit_note_for=7)
    content = read_content(credited, BUSINESS, Language.EN, original=invoice())
    assert (content.title, content.number) == ("Credit note", "1043")
    assert content.facts[:3] == [
        ("Credit note number", "1043"),
        ("Credits invoice", "1042 of 2 Mar 2026"),
        ("Date", "2 Mar 2026"),
    ]
    assert not {"Due date", "Payment terms", "Late interest"} & {label for label, _ in content.facts}
    assert content.rows == [
        PaperRow("Work", "", ("−1", "kpl", "100.00", "25.5", "−100.00", "−25.50", "−125.50"), Decimal("-100.00"))
    ]
    assert content.total == ("Total credited", "−€125.50")
    assert content.payment is None


def test_discounts_larger_than_the_rest_ask_for_nothing() -> None:
    content = read_content(invoice(row("Work", "10"), row("Discount", "-30")), BUSINESS, Language.EN)
    assert (content.title, content.total) == ("Invoice", ("Total credited", "−€25.10"))
    assert not {"Due date", "Payment terms", "Late interest"} & {label for label, _ in content.facts}
    assert content.payment is None


@pytest.mark.parametrize(
    ("country", "label"), [("FI", "FO-nummer"), (None, "FO-nummer"), ("SE", "Organisationsnummer")]
)
def test_the_number_of_a_company_is_called_as_in_its_country(country: str | None, label: str) -> None:
    sold = invoice(receiver_info={**RECEIVER, "invoicing_country": country})
    assert read_content(sold, BUSINESS, Language.SV).buyer_ids[0] == (label, "1572860-0")


@pytest.mark.parametrize(
    ("number", "shown"),
    [("1121081508150", "21/815/08150"), ("18181508155", "181/815/08155"), ("9381508152", "93/815/08152"), ("1", "1")],
)
def test_a_tax_number_has_the_strokes_of_its_state(number: str, shown: str) -> None:
    identifiers = [{"id": 1, "type": "steuernummer", "value": number}]
    content = read_content(invoice(), {**BUSINESS, "country": "DE", "identifiers": identifiers}, Language.DE)
    assert content.foot[2] == [f"Steuernummer {shown}"]


def test_a_draft_says_so() -> None:
    content = read_content(invoice(invoice_number=None, reference=None), BUSINESS, Language.SV)
    assert content.number == "Utkast"
    assert content.facts[0] == ("Fakturanummer", "Utkast")


def test_what_is_missing_is_not_told() -> None:
    bare = {**RECEIVER, "customer_id": None, "contact_business_id": None, "invoicing_tax_code": None}
    plain = invoice(
        receiver_info=bare,
        contact_person=None,
        penalty_interest=Decimal(0),
        payment_condition_days=0,
        seller_reference=None,
        buyer_reference=None,
        settlement_date="2026-02-28",
    )
    content = read_content(plain, {**BUSINESS, "identifiers": [], "contact_phone": None}, Language.DE)
    assert content.buyer == ["Kahvila Söner & Weiß Oy", "Mannerheimintie 12 B 34", "00100 Helsinki"]
    assert content.buyer_ids == []
    assert content.facts == [
        ("Rechnungsnummer", "1042"),
        ("Rechnungsdatum", "02.03.2026"),
        ("Leistungsdatum", "28.02.2026"),
        ("Fällig am", "02.03.2026"),
        ("Zahlungsziel", "Sofort"),
    ]
    assert content.foot[1:] == [["Åsa Väisänen", "laskut@kadentaito.example"], []]


@pytest.mark.parametrize(
    ("country", "changes", "told"),
    [
        ("DE", {}, ["02.03.2026"]),
        ("DE", {"settlement_date": date(2026, 2, 28)}, ["28.02.2026"]),
        ("DE", {"is_credit_note_for": 7}, []),
        ("DE", {"is_credit_note_for": 7, "settlement_date": date(2026, 2, 28)}, ["28.02.2026"]),
        ("FI", {}, []),
        ("FI", {"settlement_date": date(2026, 2, 28)}, ["28.02.2026"]),
    ],
)
def test_a_german_invoice_always_says_when_it_was_delivered(
    country: str, changes: dict[str, Any], told: list[str]
) -> None:
    content = read_content(invoice(**changes), {**BUSINESS, "country": country}, Language.DE)
    assert [value for label, value in content.facts if label == "Leistungsdatum"] == told


def test_abroad_both_addresses_say_their_country() -> None:
    content = read_content(invoice(receiver_info=GERMAN), BUSINESS, Language.EN)
    assert content.seller[-1] == "FINLAND"
    assert content.buyer[-2:] == ["10115 Berlin", "GERMANY"]
    assert content.buyer_ids == [("VAT ID", "DE136695976")]


def test_a_country_in_small_letters_is_the_same_one() -> None:
    buyer = {**RECEIVER, "invoicing_country": "fi"}
    content = read_content(invoice(receiver_info=buyer), BUSINESS, Language.EN)
    assert (content.seller[-1], content.buyer[-1]) == ("13100 Hämeenlinna", "00100 Helsinki")


@pytest.mark.parametrize(
    ("code", "language", "words"),
    [
        (3, "fi", ["Ei arvonlisäveroa"]),
        (4, "sv", ["Nollskattesats"]),
        (5, "en", ["Intra-Community supply", "Article 138"]),
        (6, "fi", ["Käännetty verovelvollisuus", "196 artikla"]),
        (6, "sv", ["Omvänd betalningsskyldighet", "artikel 196"]),
        (10, "fi", ["Käännetty verovelvollisuus", "AVL 8 c §"]),
        (10, "de", ["Steuerschuldnerschaft des Leistungsempfängers", "§ 8 c AVL (Finnland)"]),
        (12, "en", ["outside the EU"]),
        (13, "sv", ["Export", "70 § MomsL"]),
    ],
)
def test_rows_without_vat_say_why(code: int, language: str, words: list[str]) -> None:
    # the wire allows any rate beside any code, and only code 1 makes VAT
    content = read_content(invoice(row("X", "100", rate="14", vat_code=code)), BUSINESS, Language(language))
    assert content.rows[0].cells[3] == "0"
    (share,) = content.shares
    assert share.rate in {"0%", "0\xa0%"}
    assert [word for word in words if word not in share.reason] == []


def test_a_german_sale_without_vat_says_that_it_is_exempt() -> None:
    sold = invoice(row("X", "100", rate="0", vat_code=4), row("Y", "50", rate="0"))
    told = "Umsatz für die Seeschifffahrt, § 4 Nr. 2 UStG"
    seller = {**BUSINESS, "country": "DE", "invoicing_vat_exemption_reason": told}
    content = read_content(sold, seller, Language.DE)
    assert [share.reason for share in content.shares] == ["Nullsteuersatz, § 12 Abs. 3 UStG", "Steuerfreier Umsatz"]
    assert content.notes == [told]
    # words on something else are no reason for it
    assert read_content(sold, {**seller, "invoicing_vat_exemption_reason": "§ 4 Nr. 14 UStG"}, Language.DE).notes == []


def test_a_finnish_sale_at_zero_says_by_which_section() -> None:
    told = {**BUSINESS, "invoicing_vat_exemption_reason": "Aluksen veroton myynti, AVL 58 §"}
    for sold in (row("X", "100", vat_code=4), row("Y", "50", rate="0")):
        content = read_content(invoice(sold), told, Language.FI)
        assert [share.reason for share in content.shares] == ["Nollaverokanta"]
        assert content.notes == ["Aluksen veroton myynti, AVL 58 §"]


def test_vat_is_shown_once_per_rate_and_reason() -> None:
    content = read_content(
        invoice(
            row("Work", "100"),
            row("Discount", "-10"),
            row("Service", "50", vat_code=6),
            row("Books", "20", rate="10.00"),
            row("Zero", "5", rate="0"),
            row("Building", "70", vat_code=10),
        ),
        BUSINESS,
        Language.EN,
    )
    assert content.shares == [
        Share("25.5%", "", ("90.00", "22.95", "112.95")),
        Share("10%", "", ("20.00", "2.00", "22.00")),
        Share("0%", "Reverse charge, Article 196 of Directive 2006/112/EC", ("50.00", "0.00", "50.00")),
        Share("0%", "Reverse charge, section 8 c of the Finnish VAT Act", ("70.00", "0.00", "70.00")),
        Share("0%", "Zero-rated", ("5.00", "0.00", "5.00")),
    ]
    assert content.sums == [("Total excl. VAT", "235.00"), ("Total VAT", "24.95")]


def test_vat_of_each_rate_follows_from_its_net_where_the_rows_come_to_another_total() -> None:
    small = row("Screw", "0.10")
    sold = invoice(
        row("Work", "200"), small, small, row("Books", "100", rate="10.00"), total_vat_amount=Decimal("61.05")
    )
    # each screw by itself has three cents, which would be 61.06
    assert read_content(sold, BUSINESS, Language.EN).shares == [
        Share("25.5%", "", ("200.20", "51.05", "251.25")),
        Share("10%", "", ("100.00", "10.00", "110.00")),
    ]


def test_the_business_says_why_it_is_exempt() -> None:
    exempt = {**BUSINESS, "invoicing_vat_exemption_reason": "Vähäinen toiminta, AVL 3 §\n"}
    assert read_content(invoice(row("X", "1", vat_code=3)), exempt, Language.FI).notes == ["Vähäinen toiminta, AVL 3 §"]
    beside = invoice(row("X", "1"), row("Y", "1", vat_code=3))
    assert read_content(beside, exempt, Language.FI).notes == ["Vähäinen toiminta, AVL 3 §"]
    assert read_content(invoice(row("X", "1")), exempt, Language.FI).notes == []


def test_dates_and_numbers_may_come_as_texts() -> None:
    typed = invoice()
    as_text = {**typed, "invoicing_date": "2026-03-02", "due_date": "2026-03-16", "penalty_interest": "9.5"}
    assert isinstance(typed["due_date"], date)
    assert read_content(as_text, BUSINESS, Language.FI) == read_content(typed, BUSINESS, Language.FI)


@pytest.mark.parametrize(
    ("language", "number", "credited", "set_off_against"),
    [
        (Language.FI, "Hyvityslaskun numero", ("Hyvitetään lasku", "1042, 2.3.2026"), "laskuun 1042, 2.3.2026"),
        (Language.SV, "Kreditfakturans nummer", ("Krediterar faktura", "1042, 2.3.2026"), "faktura 1042, 2.3.2026"),
        (Language.EN, "Credit note number", ("Credits invoice", "1042 of 2 Mar 2026"), "invoice 1042 of 2 Mar 2026"),
        (Language.DE, "Korrekturnummer", ("Zur Rechnung", "1042 vom 02.03.2026"), "Rechnung 1042 vom 02.03.2026"),
    ],
)
def test_a_credit_note_tells_its_own_number_and_the_day_of_what_it_credits_as_its_e_invoice_does(
    language: Language, number: str, credited: tuple[str, str], set_off_against: str
) -> None:
    original = invoice()
    facts = read_content(invoice(is_credit_note_for=7), BUSINESS, language, original).facts
    assert (facts[0][0], facts[1]) == (number, credited)
    assert set_off(original, language).endswith(set_off_against)


@pytest.mark.parametrize("language", Language)
def test_one_thing_has_one_name_on_paper_in_mail_in_reports_and_in_the_browser(language: Language) -> None:
    words, mailed = WORDS[language], facts_of(invoice(currency="EUR"), BUSINESS)
    assert f"\n{words.reference}: " in plain(usual_words(mailed, language))
    assert (ViewWords(language)("Invoice"), ViewWords(language)("Credit note")) == (words.invoice, words.credit_note)
    assert (ViewWords(language)("Reference"), Labels(language)("VAT ID")) == (words.reference, words.vat_id)
