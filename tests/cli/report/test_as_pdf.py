"""Paper: every figure on it, a head and a number on every page, letters of all of Europe."""

from __future__ import annotations

import re
import subprocess
from decimal import Decimal
from pathlib import Path

import pytest

from acctcli.cli.report.amounts import format_amount
from acctcli.cli.report.as_pdf import choose_fonts, write
from acctcli.cli.report.labels import Labels
from acctcli.cli.report.shapes import Statement, decode
from acctcli.cli.report.sheet import Column, Kind, Sheet, SheetLine, Style
from acctcli.cli.report.statements import lay_out
from acctcli.printing.numbers import LOCALES
from tests.cli.report.replies import BALANCE_SHEET
from tests.programs import require_program

D = Decimal
MADE = "2026-04-02 · acctcli"


def pages(content: bytes, tmp_path: Path) -> list[str]:
    """Return the text of each page, as another program reads it."""
    path = tmp_path / "report.pdf"
    path.write_bytes(content)
    done = subprocess.run([require_program("pdftotext"), "-layout", str(path), "-"], capture_output=True, check=True)
    return done.stdout.decode().split("\f")[:-1]


def ledger(lines: int) -> Sheet:
    columns = (Column("Number"), Column("Description"), Column("Debit", Kind.AMOUNT))
    rows = [SheetLine((f"N{place}", "", D(place))) for place in range(lines)]
    return Sheet("General ledger", "2026", columns, [SheetLine(("1910 Bank", None, None), Style.HEADING), *rows])


def test_every_line_is_printed(tmp_path: Path) -> None:
    sheet = lay_out(decode(BALANCE_SHEET, Statement), "Balance sheet", Labels("fi"))
    (page,) = pages(write(sheet, "Kahvila Oy", MADE, LOCALES["fi"]), tmp_path)
    text = re.sub(r"\s+", " ", page)
    assert text.startswith("Kahvila Oy Tase 2026-03-31 · 2025-12-31 · Määrät euroina Tase 2026-03-31 2025-12-31 muutos")
    for line in sheet.lines:
        cells = [format_amount(cell, LOCALES["fi"]) if isinstance(cell, Decimal) else cell or "" for cell in line.cells]
        assert re.sub(r"\s+", " ", " ".join(cells)).strip() in text
    assert text.rstrip().endswith("2026-04-02 · acctcli Sivu 1 / 1")


def test_long_reports_have_the_head_and_the_number_on_every_page(tmp_path: Path) -> None:
    found = pages(write(ledger(150), "Kahvila Oy", MADE, LOCALES["en"]), tmp_path)
    assert len(found) == 4
    for number, page in enumerate(found, 1):
        assert re.search(r"Number\s+Description\s+Debit", page)
        assert f"Page {number} of 4" in page
        assert ("Kahvila Oy · General ledger · 2026" in page) == (number > 1)
    assert re.findall(r"N\d+", "".join(found)) == [f"N{place}" for place in range(150)]


def test_a_heading_goes_with_what_it_heads(tmp_path: Path) -> None:
    for count in range(40, 52):
        sheet = ledger(count)
        lines = [*sheet.lines, SheetLine(("1920 Other bank", None, None), Style.HEADING), SheetLine(("last", "", D(1)))]
        found = pages(write(sheet._replace(lines=lines), "Kahvila Oy", MADE, LOCALES["en"]), tmp_path)
        (place,) = [place for place, page in enumerate(found) if "1920 Other bank" in page]
        assert "last" in found[place]


def test_a_sum_goes_with_what_it_is_the_end_of(tmp_path: Path) -> None:
    total = SheetLine(("Total", None, D("1.00")), Style.SUM)
    for lines in range(38, 48):
        sheet = ledger(lines)
        *_, last = pages(write(sheet._replace(lines=[*sheet.lines, total]), "Oy", MADE, LOCALES["en"]), tmp_path)
        assert re.search(rf"N{lines - 1}\b.*Total", last, re.DOTALL), lines


def test_long_texts_are_folded_and_amounts_are_whole(tmp_path: Path) -> None:
    text = " ".join(f"word{place}" for place in range(60)) + " " + "x" * 200
    sheet = ledger(0)._replace(lines=[SheetLine(("1", text, D("-12345678901234567.89")))])
    (page,) = pages(write(sheet, "Kahvila Oy", MADE, LOCALES["de"]), tmp_path)
    assert "-12.345.678.901.234.567,89" in page
    assert re.findall(r"word\d+", page) == [f"word{place}" for place in range(60)]
    assert page.count("x") == 200


@pytest.mark.parametrize(
    ("text", "font"),
    [
        ("Kahvila Söner & Weiß, 5 €", "Helvetica"),
        ("Łódź, Řehoř, Őr, ą", "Roboto-Regular"),
        ("Αθήνα, София", "Roboto-Regular"),
    ],
)
def test_the_font_has_every_letter(text: str, font: str, tmp_path: Path) -> None:
    assert choose_fonts([text]).plain == font
    content = write(ledger(1), text, MADE, LOCALES["en"])
    assert pages(content, tmp_path)[0].split("\n")[0].strip() == text


def test_the_same_report_is_the_same_file() -> None:
    assert write(ledger(9), "Ő", MADE, LOCALES["en"]) == write(ledger(9), "Ő", MADE, LOCALES["en"])
