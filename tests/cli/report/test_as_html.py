"""The page: whole in itself, nothing of it runs, every figure for people and for programs."""

from __future__ import annotations

import base64
import hashlib
import re
import subprocess
from datetime import date
from decimal import Decimal
from html.parser import HTMLParser
from pathlib import Path

import pytest

from acctcli.cli.report.as_html import Imprint, table, write
from acctcli.cli.report.labels import Labels
from acctcli.cli.report.months import Point, Series
from acctcli.cli.report.shapes import Statement, decode
from acctcli.cli.report.sheet import Column, Kind, Sheet, SheetLine, Style
from acctcli.cli.report.statements import lay_out
from acctcli.printing.numbers import LOCALES
from tests.browser import print_page
from tests.cli.report.pages import read_page
from tests.cli.report.replies import BALANCE_SHEET
from tests.programs import require_program

D = Decimal
MADE = Imprint("Kahvila Oy", "2026-04-02")
EVIL = '</style><script>alert(1)</script><img src=x onerror="alert(2)">&\'"'


def page(sheet: Sheet, *series: Series, language: str = "en", imprint: Imprint = MADE) -> str:
    return b"".join(write(sheet, imprint, series, LOCALES[language])).decode()


def balance_sheet(language: str = "en") -> Sheet:
    return lay_out(decode(BALANCE_SHEET, Statement), "Balance sheet", Labels(language))


class _Elements(HTMLParser):
    """Every element with its attributes, and what is left open."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_figures_are_there_digit_for_digit_and_as_people_write_them() -> None:
    rows = read_page(page(balance_sheet("fi"), language="fi"))
    assert rows[1] == [
        ("Myyntisaamiset", None),
        ("1\xa0234\xa0567,89", "1234567.89"),
        ("0,00", "0.00"),
        ("1\xa0234\xa0567,89", "1234567.89"),
        ("", None),
    ]
    assert rows[2][1] == ("\N{MINUS SIGN}20,10", "-20.10")
    assert [row[0][0] for row in rows] == [line.cells[0] for line in balance_sheet("fi").lines]


def test_the_style_is_the_only_thing_the_page_may_use() -> None:
    text = page(balance_sheet())
    css = text.partition("<style>")[2].partition("</style>")[0]
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'" in text
    elements = _Elements(text)
    assert elements.open == []
    assert {tag for tag, _ in elements.found} & {"script", "link", "img", "iframe", "object", "form", "a"} == set()
    assert {name for _, given in elements.found for name in given if name.startswith("on") or name == "style"} == set()
    assert "url(" not in css
    assert "http" not in css


def test_the_page_reads_well_without_eyes() -> None:
    elements = _Elements(page(balance_sheet("sv"), language="sv")).found
    assert elements[0] == ("html", {"lang": "sv"})
    scopes = [given.get("scope") for tag, given in elements if tag == "th"]
    assert scopes == [*["col"] * 5, "rowgroup", *["row"] * 5, "rowgroup", *["row"] * 3]
    assert [tag for tag, _ in elements].count("tbody") == 2
    assert ("caption", {}) in elements


def test_text_is_escaped_everywhere() -> None:
    sheet = Sheet(EVIL, EVIL, (Column(EVIL), Column(EVIL, Kind.AMOUNT)), [
        SheetLine((EVIL, None), Style.HEADING), SheetLine((EVIL, D(1))),
    ])  # fmt: skip
    text = page(sheet, imprint=Imprint(EVIL, EVIL))
    assert {tag for tag, _ in _Elements(text).found} & {"script", "img"} == set()
    assert text.count("<script") == 0
    assert [row[0][0] for row in read_page(text)] == [EVIL, EVIL]


def test_cells_lead_where_a_page_says_and_say_what_they_are() -> None:
    columns = (Column(EVIL), Column("Name"), Column("Day"), Column(EVIL, Kind.AMOUNT))
    sheet = Sheet(EVIL, "", columns, [SheetLine(("1", "Bank", None, D(1))), SheetLine((EVIL, None), Style.HEADING)])
    text = "".join(
        table(sheet, Labels("en"), LOCALES["en"], lambda line, place: f"/{line}?a={place}&b" if place != 1 else None)
    )
    elements = _Elements(text)
    assert elements.open == []
    # a cell without anything leads nowhere
    assert [given["href"] for tag, given in elements.found if tag == "a"] == ["/0?a=0&b", "/0?a=3&b"]
    assert [given.get("data-label") for tag, given in elements.found if tag == "td"] == [None, None, None, EVIL]
    plain = "".join(table(sheet, Labels("en"), LOCALES["en"]))
    assert not re.search("href|data-label", plain)


def test_long_words_may_break_and_amounts_never() -> None:
    long = "Lämpökeskuslaiteasennustyönjohtaja"
    columns = (Column("Number"), Column("Name"), Column("Total", Kind.AMOUNT))
    sheet = Sheet("Debts", "", columns, [SheetLine(("1", f"Oy {long} <Ab>", D(10) ** 9))])
    text = "".join(table(sheet, Labels("en"), LOCALES["en"]))
    assert f'>Oy <span class="long">{long}</span> &lt;Ab&gt;<' in text
    assert text.count("<span") == 1


@pytest.mark.parametrize(
    ("name", "level", "amounts", "kind"),
    [
        ("Sales", 0, (D("1.00"), D("-1.00")), ""),
        ("Vähennyskelvottomat kulut", 0, (D("1.00"), D("2.00")), ""),
        ("Vähennyskelvottomat kulut", 0, (D("12345678.90"), D("2345678.90")), ' class="list"'),
        ("Liiketoiminnan muut kulut", 0, (D("1234567.89"), D("123456.78")), ""),
        ("Liiketoiminnan muut kulut", 3, (D("1234567.89"), D("123456.78")), ' class="list"'),
        ("Sales", 0, tuple(D(one) for one in range(7)), ' class="list wide"'),
    ],
)
def test_a_line_takes_several_on_a_phone_before_it_breaks_words(
    name: str, level: int, amounts: tuple[Decimal, ...], kind: str
) -> None:
    columns = (Column("Statement"), *(Column(f"{2026 - place}", Kind.AMOUNT) for place in range(len(amounts))))
    lines = [SheetLine(("A heading of whatever length", *[None] * len(amounts)), Style.HEADING)]
    sheet = Sheet("Statement", "", columns, [*lines, SheetLine((name, *amounts), level=level)])
    assert f"<table{kind}>" in "".join(table(sheet, Labels("en"), LOCALES["en"]))


def test_charts_carry_their_figures_in_a_table_too() -> None:
    points = [Point(date(2026, month, 1), D(month) * -100) for month in range(1, 13)]
    text = page(balance_sheet("de"), Series("Monthly result", points), language="de")
    assert text.count("<svg ") == 1
    assert re.search(r'<svg viewBox="[^"]+" role="img" aria-label="Monatsergebnis">', text)
    figures = text.partition("<details>")[2].partition("</details>")[0]
    assert re.findall(r'<data value="([^"]+)">([^<]+)</data>', figures)[-1] == ("-1200.00", "\N{MINUS SIGN}1.200,00")
    assert _Elements(text).open == []


def test_without_series_there_is_no_chart() -> None:
    assert "<svg" not in page(balance_sheet())
    assert "<section" not in page(balance_sheet())


@pytest.mark.parametrize("language", LOCALES)
def test_there_is_a_page_in_every_language(language: str) -> None:
    assert f'<html lang="{language}">' in page(balance_sheet(language), language=language)


def test_every_printed_page_says_whose_it_is_and_which_and_breaks_no_number(tmp_path: Path) -> None:
    columns = (Column("Numero"), Column("Päivä"), *map(Column, ("Selite", "Yhteystieto", "Vastatili")))
    amounts = tuple(Column(name, Kind.AMOUNT) for name in ("Debet", "Kredit", "Saldo"))
    texts = ("260302-11", "31.12.2026", "Vuokra ja muut kulut koko vuodelta", "Rakennusliike Pitkänen Oy", "1910")
    rows = [SheetLine((*texts, D(place), None, D("-1234567.89"))) for place in range(90)]
    total = SheetLine(("Yhteensä", None, None, None, None, D("4005.00"), None, D("0.00")), Style.SUM)
    sheet = Sheet("Pääkirja", "1.1.2026 – 31.12.2026", (*columns, *amounts), [*rows, total])
    path = tmp_path / "ledger.html"
    path.write_text(page(sheet, language="fi", imprint=Imprint('Kahvila "Oy" </style>', "22.11.2026")))
    pages = print_page(path, tmp_path)
    assert len(pages) > 2
    told = subprocess.run([require_program("pdfinfo"), str(tmp_path / "page.pdf")], capture_output=True, check=True)
    # as many columns lie across the paper
    assert re.search(rb"Page size: +84[12]\S* x 59[45]", told.stdout)
    for number, text in enumerate(pages, 1):
        assert re.search(f"22\\.11\\.2026 +Sivu {number} / {len(pages)}", text)
        assert re.search("Numero +Päivä +Selite", text)
        assert ('Kahvila "Oy" </style> · Pääkirja · 1.1.2026 – 31.12.2026' in text) == (number > 1)
    assert "".join(pages).count("260302-11 ") == "".join(pages).count(" 31.12.2026 ") == 90
    assert "260302-11" in pages[-1].split("Yhteensä")[0]
