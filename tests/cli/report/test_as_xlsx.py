"""Workbooks, read by hand from their XML: a cell holds the amount digit for digit, or text that says so."""

from __future__ import annotations

import io
import tempfile
import tracemalloc
import zipfile
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acctcli.cli.output.workbook import is_exact
from acctcli.cli.report import as_xlsx
from acctcli.cli.report.as_xlsx import Book, Cover
from acctcli.cli.report.labels import Labels
from acctcli.cli.report.listed import Field, Holds, Listed
from acctcli.cli.report.shapes import Statement, decode
from acctcli.cli.report.sheet import Column, Kind, Sheet, SheetLine
from acctcli.cli.report.statements import lay_out
from acctcli.errors import UsageError
from tests.cli.report.replies import BALANCE_SHEET
from tests.cli.report.sheets import Calculated

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
            names = archive.namelist()
            # the report stands behind its cover
            last = max(name for name in names if name.startswith("xl/worksheets/sheet"))
            self.page = ElementTree.fromstring(archive.read(last))
            self.styles = ElementTree.fromstring(archive.read("xl/styles.xml"))
            self.book = ElementTree.fromstring(archive.read("xl/workbook.xml"))
            shared = archive.read("xl/sharedStrings.xml") if "xl/sharedStrings.xml" in names else b"<sst/>"
        self._strings = ["".join(one.itertext()) for one in ElementTree.fromstring(shared)]
        self.rows = [[self._cell(cell) for cell in row] for row in self.page.iter(f"{MAIN}row")]

    def _cell(self, cell: ElementTree.Element) -> Cell:
        value = cell.findtext(f"{MAIN}v")
        style = int(cell.get("s", "0"))
        if cell.get("t") == "inlineStr":
            return Cell(None, "".join(cell.itertext()), style)
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


def content(*pages: Sheet | Listed, business: str = "Kahvila Oy") -> tuple[bytes, Book]:
    lines = [("Company", business), ("Period", "2026")]
    with Book(Cover("Cover", business, pages[0].title, "2026", lines, "Account")) as book:
        for page in pages:
            book.add(page)
        return book.content(), book


def workbook(sheet: Sheet, business: str = "Kahvila Oy") -> tuple[Workbook, Book]:
    found, book = content(sheet, business=business)
    return Workbook(found), book


def one_column(*amounts: str) -> Sheet:
    lines = [SheetLine((f"row {place}", D(text))) for place, text in enumerate(amounts)]
    return Sheet("Sheet", "2026", (Column("Name"), Column("2026", Kind.AMOUNT)), lines)


def test_a_balance_sheet_is_whole() -> None:
    sheet = lay_out(decode(BALANCE_SHEET, Statement), "Balance sheet", Labels("en"))
    found, book = workbook(sheet)
    titles = ["Balance sheet", "Account", "2026-03-31", "2025-12-31", "change", "change %"]
    assert [cell.text for cell in found.rows[0]] == titles
    numbers = [[None if cell.number is None else D(cell.number) for cell in row[2:]] for row in found.rows[1:]]
    assert numbers == [list(line.cells[1:]) for line in sheet.lines]
    names = [" ".join(filter(None, (row[1].text, row[0].text))) for row in found.rows[1:]]
    assert names == [line.cells[0] for line in sheet.lines]
    assert book.inexact == 0


def test_the_head_stays_sums_are_bold_and_levels_are_indented() -> None:
    found, _ = workbook(lay_out(decode(BALANCE_SHEET, Statement), "Balance sheet", Labels("en")))
    pane = found.page.find(f".//{MAIN}pane")
    assert pane is not None
    assert (pane.get("state"), pane.get("ySplit")) == ("frozen", "1")
    money = "#,##0.00;[Red]-#,##0.00"
    looks = {row[0].text: (found.style(row[0]), found.style(row[2])) for row in found.rows[1:]}
    assert looks["Assets"][0] == ("", True, 0)
    assert looks["Cash and bank"] == (("", False, 1), (money, False, 0))
    assert looks["Cash"] == (("", False, 2), (money, False, 0))
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
    assert [one.get("name") for one in found.book.iter(f"{MAIN}sheet")] == ["Cover", ("AB x" * 9)[:31]]


# lists


DAY = Field("Day", Holds.DAY)
AMOUNT = Field("Amount", Holds.SUMMED)


def listed(*rows: tuple[str, ...], title: str = "Journal") -> Listed:
    """A list of days, texts and amounts."""
    facts = ((day, text, D(amount)) for day, text, amount in rows)
    return Listed(title, (DAY, Field("Text"), AMOUNT), facts, "Total")


def calculated(*pages: Sheet | Listed) -> Calculated:
    return Calculated(content(*pages)[0])


def test_a_list_is_a_table_of_days_texts_and_amounts_with_its_sum_below() -> None:
    found = calculated(listed(("2026-03-31", "001910", "0.10"), ("2026-02-28", "=1+1", "-20.25")))
    assert found.rows() == [
        ["Day", "Text", "Amount"],
        [date(2026, 3, 31), "001910", D("0.10")],
        [date(2026, 2, 28), "=1+1", D("-20.25")],
        ["Total", None, D("-20.15")],
    ]
    assert list(found.formulas()) == [("=SUBTOTAL(109,C2:C3)", D("-20.15"), D("-20.15"))]
    page = found.made.worksheets[1]
    (table,) = page.tables.values()
    assert (table.ref, table.autoFilter.ref, table.column_names) == ("A1:C3", "A1:C3", ["Day", "Text", "Amount"])
    assert (page.freeze_panes, page.print_title_rows) == ("A2", "$1:$1")


@pytest.mark.parametrize("text", ["2026-02-30", "1899-12-31", "1900-02-28", "2026-3-1", "soon", "2026-03-01T00:00"])
def test_what_is_no_day_that_all_programs_agree_on_stays_text(text: str) -> None:
    assert calculated(listed((text, "x", "1"))).rows()[1][0] == text


def test_a_list_without_rows_is_no_table() -> None:
    found = calculated(listed())
    assert found.rows() == [["Day", "Text", "Amount"], ["Total", None, D(0)]]
    assert (list(found.formulas()), list(found.made.worksheets[1].tables)) == ([], [])


def test_columns_of_one_name_have_filters_without_a_table() -> None:
    twice = Listed("Journal", (Field("a"), Field("A")), [("x", "y")], "Total")
    page = calculated(twice).made.worksheets[1]
    assert (list(page.tables), page.auto_filter.ref) == ([], "A1:B2")


@settings(max_examples=10, deadline=None)
@given(st.lists(st.decimals(-(10**9), 10**9, places=2), min_size=1, max_size=30))
def test_formulas_come_to_what_they_carry(amounts: list[Decimal]) -> None:
    rows = [("2026-01-01", "x", str(amount)) for amount in amounts]
    lines = [SheetLine(("row", amount)) for amount in amounts]
    total = SheetLine(("sum", sum(amounts, D(0))), adds=range(len(amounts)))
    columns = (Column("Name"), Column("2026", Kind.AMOUNT))
    found = calculated(listed(*rows), Sheet("Sheet", "2026", columns, [*lines, total]))
    assert [(carried, value) for _, carried, value in found.formulas()] == [(sum(amounts), sum(amounts))] * 2


def test_what_lines_do_not_make_up_is_no_formula() -> None:
    lines = [SheetLine(("a", D("1.00"))), SheetLine(("b", D("2.01"))), SheetLine(("c", D("3.00")), adds=(0, 1))]
    less = SheetLine(("d", D("-1.01")), adds=(0,), less=(1,))
    sheet = Sheet("Sheet", "2026", (Column("Name"), Column("2026", Kind.AMOUNT)), [*lines, less])
    assert list(calculated(sheet).formulas()) == [("=SUM(B2)-SUM(B3)", D("-1.01"), D("-1.01"))]


def test_a_sum_of_what_had_to_stay_text_is_no_formula() -> None:
    found, book = content(
        listed(("2026-01-01", "x", "12345678901234567.89"), ("2026-01-01", "x", "-12345678901234567"))
    )
    rows = Calculated(found).rows()
    assert [row[2] for row in rows[1:]] == ["12345678901234567.89", "-12345678901234567.00", D("0.89")]
    assert (list(Calculated(found).formulas()), book.inexact) == ([], 2)


def test_the_cover_says_whose_report_it_is_and_the_report_is_what_opens() -> None:
    found = calculated(listed())
    assert found.made.sheetnames == ["Cover", "Journal"]
    assert found.rows(0) == [["Journal", None], [None, None], ["Company", "Kahvila Oy"], ["Period", "2026"]]
    assert found.made.active.title == "Journal"
    assert found.made.properties.creator == "Kahvila Oy"


@pytest.mark.parametrize(
    ("name", "shown"), [("Mäki & Co", "Mäki && Co · Journal · 2026"), ("24/7 Oy", "24/7 Oy · Journal · 2026")]
)
def test_pages_say_whose_they_are_whatever_the_name(name: str, shown: str) -> None:
    found, _ = content(listed(), business=name)
    header = Calculated(found).made.worksheets[1].oddHeader.left
    assert (header.size, header.text) == (8, shown)


@pytest.mark.parametrize(("count", "orientation"), [(6, "portrait"), (7, "landscape")])
def test_wide_pages_are_turned_on_paper_and_all_are_one_page_wide(count: int, orientation: str) -> None:
    columns = (Column("Name"), *(Column(f"{2026 - place}", Kind.AMOUNT) for place in range(count)))
    found, _ = content(Sheet("Wide", "2026", columns, []))
    page = Calculated(found).made.worksheets[1]
    assert (page.page_setup.orientation, page.page_setup.fitToHeight) == (orientation, 0)
    assert page.sheet_properties.pageSetUpPr.fitToPage


def test_a_text_that_no_cell_holds_is_refused() -> None:
    assert len(str(calculated(listed(("2026-01-01", "x" * 32_767, "1"))).rows()[1][1])) == 32_767
    with pytest.raises(UsageError, match="a text has 32768 characters"):
        content(listed(("2026-01-01", "x" * 32_768, "1")))


def test_rows_are_not_kept_and_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    peaks = []
    for rows in (200, 1200):
        tracemalloc.start()
        content(listed(*[("2026-01-01", f"text {rows}", "1.00")] * rows))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    # a row takes the place of its compressed text
    assert peaks[1] - peaks[0] < 1000 * 60
    assert list(tmp_path.iterdir()) == []


def test_a_list_that_breaks_off_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(as_xlsx, "MOST_ROWS", 2)
    with pytest.raises(UsageError, match="takes 1 rows, this report has more"):
        content(listed(*[("2026-01-01", "x", "1")] * 2))
    assert list(tmp_path.iterdir()) == []
