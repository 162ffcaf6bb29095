"""Workbooks: what cells say, to the digit, and what is refused with its cell."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from typing import Any

import pytest
import xlsxwriter

from acctcli.banking.statements import workbooks
from acctcli.banking.statements.workbooks import WorkbookFault, read_workbook

_MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_TIES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
BOOK = f'<workbook {_MAIN} xmlns:r="{_TIES}"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>'
RELS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    f'<Relationship Id="rId1" Type="{_TIES}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>'
)
PARTS = {"xl/workbook.xml": BOOK, "xl/_rels/workbook.xml.rels": RELS}
SHEET = "xl/worksheets/sheet1.xml"


def written(*sheets: list[Any], **hidden: bool) -> bytes:
    """Write a workbook by the program of others."""
    stream = io.BytesIO()
    with xlsxwriter.Workbook(stream, {"in_memory": True, "strings_to_formulas": hidden.get("formulas", False)}) as book:
        for rows in sheets:
            sheet = book.add_worksheet()
            for number, row in enumerate(rows):
                sheet.write_row(number, 0, row)
    return stream.getvalue()


def packed(parts: Mapping[str, str]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return stream.getvalue()


def sheet_of(cells: str) -> bytes:
    return packed({**PARTS, SHEET: f"<worksheet {_MAIN}><sheetData>{cells}</sheetData></worksheet>"})


def value(number: str) -> str:
    [(_, [text])] = read_workbook(sheet_of(f'<row r="1"><c r="A1"><v>{number}</v></c></row>'))
    return text


def test_rows_of_another_program_are_read_with_their_places() -> None:
    rows = [["Tili", "Nimi", "Debet"], [], [1910, "Pankki ä", 1234.5], ["0027", None, -0.1], ["", "Yht.", True]]
    assert read_workbook(written(rows, [])) == [
        (1, ["Tili", "Nimi", "Debet"]),
        (3, ["1910", "Pankki ä", "1234.50"]),
        (4, ["0027", "", "-0.10"]),
        (5, ["", "Yht.", "yes"]),
    ]


@pytest.mark.parametrize(
    ("in_file", "text"),
    [
        ("1910", "1910"), ("1910.0", "1910"), ("-1.5", "-1.50"), ("0.07", "0.07"), ("1.5E3", "1500"), ("1E-2", "0.01"),
        ("0.30000000000000004", "0.30"), ("1234.5600000000002", "1234.56"), ("99.999999999999986", "100"),
        ("8.9999999999999998E-2", "0.09"), ("0.125", "0.125"), ("1.234", "1.234"),
        # noise is small, and what is not small is said as it is
        ("12345678901234.561", "12345678901234.561"), ("123456789012345678", "123456789012345678"),
    ],
)  # fmt: skip
def test_figures_have_the_digits_of_the_file_and_noise_goes(in_file: str, text: str) -> None:
    assert value(in_file) == text


def test_texts_stand_in_the_cell_or_elsewhere_in_one_piece_or_several() -> None:
    cells = (
        '<row><c t="inlineStr"><is><r><t>Pank</t></r><r><t>ki</t></r><rPh><t>no</t></rPh></is></c><c/>'
        '<c t="str"><f>A1</f><v>sum</v></c></row>'
    )
    assert read_workbook(sheet_of(cells)) == [(1, ["Pankki", "", "sum"])]


@pytest.mark.parametrize(
    ("cells", "says"),
    [
        ('<row r="2"><c r="B2"><f>SUM(A1)</f></c></row>', "B2: a formula that nobody has worked out"),
        ('<row r="2"><c r="B2" t="e"><v>#REF!</v></c></row>', "B2: the cell holds an error, #REF!"),
        ('<row r="2"><c r="B2"><v>1,5</v></c></row>', "B2: '1,5' is no number"),
        ('<row r="2"><c r="B2"><v>NaN</v></c></row>', "B2: 'NaN' is no number"),
        ('<row r="2"><c r="B2"><v>1E999999999</v></c></row>', "B2: '1E999999999' is no number"),
        ('<row r="2"><c r="B2" t="s"><v>7</v></c></row>', "B2: there is no text 7"),
        ('<row r="2"><c r="ZZZ2"><v>7</v></c></row>', "ZZZ2: there are more than 256 columns"),
        ('<row r="2"><c r="2"><v>7</v></c></row>', "'2' is no cell"),
        ("<row/>" * 20_001, "more than 20,000 rows"),
        ("", "one sheet with cells is needed, or one with a table, and there are: none"),
        ("<row>", "this is not XML"),
    ],
)
def test_what_a_cell_does_not_say_for_certain_is_refused(cells: str, says: str) -> None:
    with pytest.raises(WorkbookFault) as refused:
        read_workbook(sheet_of(cells))
    assert says in str(refused.value)


def test_formulas_that_a_program_wrote_without_their_values_are_refused() -> None:
    assert read_workbook(written([[1910, 5]])) == [(1, ["1910", "5"])]
    with pytest.raises(WorkbookFault, match="B1: a formula that nobody has worked out"):
        read_workbook(written([[1910, "=2+3"]], formulas=True))


def test_two_sheets_with_cells_are_refused_and_hidden_ones_left_out() -> None:
    with pytest.raises(WorkbookFault, match="one with a table, and there are: 'Sheet1', 'Sheet2'"):
        read_workbook(written([[1]], [[2]]))
    hidden = BOOK.replace("<sheets>", '<sheets><sheet name="B" sheetId="2" state="hidden" r:id="rId9"/>')
    cells = f"<worksheet {_MAIN}><sheetData><row><c><v>7</v></c></row></sheetData></worksheet>"
    assert read_workbook(packed({**PARTS, "xl/workbook.xml": hidden, SHEET: cells})) == [(1, ["7"])]


def test_of_several_sheets_with_cells_the_one_with_a_table_is_read() -> None:
    stream = io.BytesIO()
    with xlsxwriter.Workbook(stream) as book:
        for _ in range(3):
            book.add_worksheet().write_row("A1", ["a", "b"])
        book.get_worksheet_by_name("Sheet2").add_table("A1:B2", {"columns": [{"header": "x"}, {"header": "y"}]})
    assert read_workbook(stream.getvalue()) == [(1, ["x", "y"])]
    with xlsxwriter.Workbook(stream) as book:
        for _ in range(2):
            book.add_worksheet().add_table("A1:B2")
    with pytest.raises(WorkbookFault, match="one with a table, and there are: 'Sheet1', 'Sheet2'"):
        read_workbook(stream.getvalue())


ENTITY = '<!DOCTYPE a [<!ENTITY b "c">]><worksheet><row><c><v>&b;</v></c></row></worksheet>'


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"PK\x03\x04 and no more", "this is no workbook that can be read"),
        (packed({"a.txt": "b"}), "the file has no xl/_rels/workbook.xml.rels: this is no workbook"),
        (packed(PARTS), f"the file has no {SHEET}"),
        (packed({**PARTS, SHEET: ENTITY}), "a workbook has no document type and no entities"),
        (packed({**PARTS, SHEET: ENTITY[:40]})[:-60], "this is no workbook that can be read"),
    ],
)
def test_hostile_and_broken_files_are_refused(content: bytes, says: str) -> None:
    with pytest.raises(WorkbookFault) as refused:
        read_workbook(content)
    assert says in str(refused.value)


def test_a_part_that_is_larger_than_the_archive_says_is_refused() -> None:
    whole = sheet_of("<row><c><v>7</v></c></row>" * 9)
    at = whole.index(b"PK\x01\x02", whole.index(b"PK\x01\x02", whole.index(b"PK\x01\x02") + 1) + 1)
    lying = whole[: at + 24] + (10).to_bytes(4, "little") + whole[at + 28 :]
    with pytest.raises(WorkbookFault, match="this is no workbook that can be read"):
        read_workbook(lying)


def test_a_part_that_would_fill_the_memory_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbooks, "_LARGEST_PART", 2**20)
    with pytest.raises(WorkbookFault, match=r"sheet1\.xml is larger than 1 MiB"):
        read_workbook(packed({**PARTS, SHEET: " " * 2**20 + BOOK}))
