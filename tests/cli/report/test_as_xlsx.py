"""Workbooks, read by hand from their XML: a cell holds the amount digit for digit, or text that says so."""

from __future__ import annotations

import io
import zipfile
from decimal import Decimal
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

from acctcli.cli.output.workbook import is_exact
from acctcli.cli.report.as_xlsx import Book
from acctcli.cli.report.labels import Labels
from acctcli.cli.report.shapes import Statement, decode
from acctcli.cli.report.sheet import Column, Kind, Sheet, SheetLine
from acctcli.cli.report.statements import lay_out
from tests.cli.report.replies import BALANCE_SHEET

D = Decimal
MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


class Cell(NamedTuple):
    """A cell as the file has it: number or text, and its style."""

    number: str | None
    text: str | None
    style: int


class Workbook:
    """One worksheet of a file."""

    def __init__(self, content: bytes) -> None:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            self.page = ElementTree.fromstring(archive.read("xl/worksheets/sheet1.xml"))
            self.styles = ElementTree.fromstring(archive.read("xl/styles.xml"))
            self.book = ElementTree.fromstring(archive.read("xl/workbook.xml"))
            strings = ElementTree.fromstring(archive.read("xl/sharedStrings.xml"))
        self._strings = ["".join(one.itertext()) for one in strings]
        self.rows = [[self._cell(cell) for cell in row] for row in self.page.iter(f"{MAIN}row")]

    def _cell(self, cell: ElementTree.Element) -> Cell:
        value = cell.findtext(f"{MAIN}v")
        style = int(cell.get("s", "0"))
        if value is None or cell.get("t") != "s":
            return Cell(value, None, style)
        return Cell(None, self._strings[int(value)], style)

    def style(self, cell: Cell) -> tuple[str, bool, int]:
        """Number format, boldness and indent of a cell."""
        look = self.styles.findall(f"{MAIN}cellXfs/{MAIN}xf")[cell.style]
        font = self.styles.findall(f"{MAIN}fonts/{MAIN}font")[int(look.get("fontId", "0"))]
        formats = {one.get("numFmtId"): one.get("formatCode", "") for one in self.styles.iter(f"{MAIN}numFmt")}
        alignment = look.find(f"{MAIN}alignment")
        indent = int(alignment.get("indent", "0")) if alignment is not None else 0
        return formats.get(look.get("numFmtId"), ""), font.find(f"{MAIN}b") is not None, indent


def workbook(sheet: Sheet, business: str = "Kahvila Oy") -> tuple[Workbook, Book]:
    book = Book(sheet, business)
    return Workbook(book.content()), book


def one_column(*amounts: str) -> Sheet:
    lines = [SheetLine((f"row {place}", D(text))) for place, text in enumerate(amounts)]
    return Sheet("Sheet", "2026", (Column("Name"), Column("2026", Kind.AMOUNT)), lines)


def test_a_balance_sheet_is_whole() -> None:
    sheet = lay_out(decode(BALANCE_SHEET, Statement), "Balance sheet", Labels("en"))
    found, book = workbook(sheet)
    assert [cell.text for cell in found.rows[0]] == ["Balance sheet", "2026-03-31", "2025-12-31", "change", "change %"]
    numbers = [[None if cell.number is None else D(cell.number) for cell in row[1:]] for row in found.rows[1:]]
    assert numbers == [list(line.cells[1:]) for line in sheet.lines]
    assert [row[0].text for row in found.rows[1:]] == [line.cells[0] for line in sheet.lines]
    assert book.inexact == 0


def test_the_head_stays_sums_are_bold_and_levels_are_indented() -> None:
    found, _ = workbook(lay_out(decode(BALANCE_SHEET, Statement), "Balance sheet", Labels("en")))
    pane = found.page.find(f".//{MAIN}pane")
    assert pane is not None
    assert (pane.get("state"), pane.get("ySplit")) == ("frozen", "1")
    money = "#,##0.00;[Red]-#,##0.00"
    looks = {row[0].text: (found.style(row[0]), found.style(row[1])) for row in found.rows[1:]}
    assert looks["Assets"][0] == ("", True, 0)
    assert looks["Cash and bank"] == (("", False, 1), (money, False, 0))
    assert looks["1900 Cash"] == (("", False, 2), (money, False, 0))
    assert looks["Total assets"] == (("", True, 0), (money, True, 0))


EXACT = ("0.01", "-0.10", "10.10", "9007199254740.99", "-9999999999999.99", "1234567890123.45", "0.30000000000000004")


def test_numbers_are_exact() -> None:
    found, book = workbook(one_column(*EXACT))
    written = [D(row[1].number or "NaN") for row in found.rows[1:]]
    assert written == [D(text).quantize(D("0.01")) for text in EXACT]
    # what a spreadsheet shows of a binary float are its first 15 digits
    assert [D(f"{float(value):.15g}") for value in written] == written
    assert book.inexact == 0


@pytest.mark.parametrize("text", ["12345678901234.56", "-92233720368547758.07", "12345678901234567.89"])
def test_what_no_cell_can_hold_stays_text(text: str) -> None:
    found, book = workbook(one_column(text, "1.00"))
    assert [(row[1].number, row[1].text) for row in found.rows[1:]] == [(None, text), ("1.00", None)]
    assert book.inexact == 1


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        ("9999999999999.99", True),
        ("10000000000000.01", False),
        ("100000000000000.00", True),
        ("1e20", False),
        ("123456789012345" + "0" * 30 + "1", False),
        ("0." + "0" * 9 + "1" * 30, False),
        ("1e-400", False),
        ("1e999999", False),
        ("0.000", True),
        ("1." + "0" * 40 + "1", False),
    ],
)
def test_fifteen_digits_are_exact(text: str, exact: bool) -> None:
    assert is_exact(D(text)) is exact


def test_text_is_text_even_if_it_looks_like_something_to_run() -> None:
    names = ("=1+1", "+cmd|' /C calc'!A0", "http://example.com", "{=1}", "@SUM(A1)")
    sheet = Sheet("A/B: [x]*?" * 9, "2026", (Column("=2"),), [SheetLine((name,)) for name in names])
    found, _ = workbook(sheet, "=3")
    assert [row[0].text for row in found.rows] == ["=2", *names]
    assert found.page.find(f".//{MAIN}f") is None
    assert found.page.find(f".//{MAIN}hyperlinks") is None
    name = found.book.find(f".//{MAIN}sheet")
    assert name is not None
    assert name.get("name") == ("AB x" * 9)[:31]
