"""Paper: every figure on it, a head and a number on every page, letters of all of Europe."""

from __future__ import annotations

import re
import subprocess
from datetime import UTC, datetime
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader
from pypdf.generic import ContentStream

from acctcli.cli.report import as_pdf
from acctcli.cli.report.amounts import format_amount
from acctcli.cli.report.as_pdf import Imprint
from acctcli.cli.report.labels import Labels
from acctcli.cli.report.shapes import Statement, decode
from acctcli.cli.report.sheet import Cell, Column, Kind, Sheet, SheetLine, Style
from acctcli.cli.report.statements import lay_out
from acctcli.errors import UsageError
from acctcli.printing.numbers import LOCALES, Locale
from tests.accessible import faults
from tests.cli.report.replies import BALANCE_SHEET
from tests.programs import require_program

D = Decimal
MADE = "2026-04-02 · acctcli"
NUMBER = "Y-tunnus 0201256-6"
MOMENT = datetime(2026, 4, 2, tzinfo=UTC)


def write(sheet: Sheet, business: str, made: str, locale: Locale) -> bytes:
    return as_pdf.write(sheet, Imprint(business, f"{business} · {NUMBER}", made, MOMENT), locale)


def pages(content: bytes, tmp_path: Path) -> list[str]:
    """Return the text of each page, as another program reads it."""
    path = tmp_path / "report.pdf"
    path.write_bytes(content)
    done = subprocess.run([require_program("pdftotext"), "-layout", str(path), "-"], capture_output=True, check=True)
    return done.stdout.decode().split("\f")[:-1]


def shown(cell: Cell) -> str:
    return format_amount(cell, LOCALES["fi"]).replace("-", "−") if isinstance(cell, Decimal) else cell or ""


def ledger(lines: int) -> Sheet:
    columns = (Column("Number"), Column("Description"), Column("Debit", Kind.AMOUNT))
    rows = [SheetLine((f"N{place}", "", D(place))) for place in range(lines)]
    return Sheet("General ledger", "2026", columns, [SheetLine(("1910 Bank", None, None), Style.HEADING), *rows])


def test_every_line_is_printed(tmp_path: Path) -> None:
    sheet = lay_out(decode(BALANCE_SHEET, Statement), "Balance sheet", Labels("fi"))
    (page,) = pages(write(sheet, "Kahvila Oy", MADE, LOCALES["fi"]), tmp_path)
    text = re.sub(r"\s+", " ", page)
    assert text.startswith(
        f"Kahvila Oy · {NUMBER} Tase 2026-03-31 · 2025-12-31 · Määrät euroina Tase 2026-03-31 2025-12-31 muutos"
    )
    for line in sheet.lines:
        cells = [shown(cell) for cell in line.cells]
        assert re.sub(r"\s+", " ", " ".join(cells)).strip() in text
    assert text.rstrip().endswith("2026-04-02 · acctcli Sivu 1 / 1")


def test_long_reports_have_the_head_and_the_number_on_every_page(tmp_path: Path) -> None:
    found = pages(write(ledger(150), "Kahvila Oy", MADE, LOCALES["en"]), tmp_path)
    assert len(found) == 4
    for number, page in enumerate(found, 1):
        assert re.search(r"Number\s+Description\s+Debit", page)
        assert f"Page {number} of 4" in page
        assert (f"Kahvila Oy · {NUMBER} · General ledger · 2026" in page) == (number > 1)
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
    assert "−12.345.678.901.234.567,89" in page
    assert re.findall(r"word\d+", page) == [f"word{place}" for place in range(60)]
    assert page.count("x") == 200


@pytest.mark.parametrize("text", ["Kahvila Söner & Weiß, 5 €", "Łódź, Řehoř, Őr, ą", "Αθήνα, София"])
def test_the_font_is_in_the_file_and_has_every_letter(text: str, tmp_path: Path) -> None:
    content = write(ledger(1), text, MADE, LOCALES["en"])
    assert pages(content, tmp_path)[0].split("\n")[0].strip() == f"{text} · {NUMBER}"
    path = tmp_path / "report.pdf"
    listed = subprocess.run([require_program("pdffonts"), str(path)], capture_output=True, check=True).stdout.decode()
    fonts = [line.split() for line in listed.splitlines()[2:]]
    assert {re.sub("^.*[+]", "", font[0]) for font in fonts} == {"Roboto-Regular", "Roboto-Bold"}
    # embedded, subset, and with what its letters are
    assert {tuple(font[-5:-2]) for font in fonts} == {("yes", "yes", "yes")}


def test_the_file_says_what_it_is() -> None:
    made = PdfReader(BytesIO(write(ledger(1), "Halla & <Co>", MADE, LOCALES["fi"])))
    info, xmp = made.metadata, made.xmp_metadata
    assert info is not None
    assert xmp is not None
    title = "General ledger · Halla & <Co> · 2026"
    assert (info.title, info.author, info.creation_date) == (title, "Halla & <Co>", MOMENT)
    assert (xmp.dc_title, xmp.dc_creator, xmp.dc_language) == ({"x-default": title}, ["Halla & <Co>"], ["fi"])
    assert xmp.xmp_create_date
    assert xmp.xmp_create_date.replace(tzinfo=UTC) == MOMENT
    root: Any = made.trailer["/Root"]
    assert (made.pdf_header, root["/Lang"]) == ("%PDF-1.7", "fi")


def test_cells_are_read_aloud_with_the_heads_they_belong_to(tmp_path: Path) -> None:
    sheet = lay_out(decode(BALANCE_SHEET, Statement), "Balance sheet", Labels("en"))
    path = tmp_path / "report.pdf"
    path.write_bytes(write(sheet, "Kahvila Oy", MADE, LOCALES["fi"]))
    read = subprocess.run([require_program("pdfinfo"), "-struct-text", str(path)], capture_output=True, check=True)
    lines = [line.strip() for line in read.stdout.decode().splitlines()]
    assert lines[lines.index("H1 (block)") + 1] == '"Balance sheet"'
    assert (lines.count("Table (block)"), lines.count("TR")) == (1, 1 + len(sheet.lines))
    # what a head is the head of stands between it and its text
    told = [line for line in lines if not line.startswith("/")]
    heads = [told[place + 1].strip('"') for place, line in enumerate(told) if line.startswith("TH")]
    assert heads == [*(column.title for column in sheet.columns), *(str(line.cells[0]) for line in sheet.lines)]
    cells = [lines[place + 1].strip('"') for place, line in enumerate(lines) if line == "TD"]
    figures = [shown(cell).replace("\xa0", " ") for line in sheet.lines for cell in line.cells[1:] if cell is not None]
    assert [cell for cell in cells if cell[:1] in "−0123456789"] == figures
    assert not [line for line in lines if "Page" in line or "acctcli" in line]


def accounts(*sizes: int) -> Sheet:
    """A ledger of accounts with as many entries, each of one cent."""
    columns = (Column("Number"), Column("Text"), Column("Debit", Kind.AMOUNT), Column("Balance", Kind.AMOUNT))
    lines = []
    for place, size in enumerate(sizes):
        lines.append(SheetLine((f"{1900 + place} Account", None, None, None), Style.HEADING))
        lines.append(SheetLine(("", "Opening", None, D(place))))
        lines += [SheetLine((f"N{one}", "x", D("0.01"), place + D(one + 1).scaleb(-2))) for one in range(size)]
        lines.append(SheetLine(("Total", None, D(size).scaleb(-2), place + D(size).scaleb(-2)), Style.SUM))
    return Sheet("General ledger", "2026", columns, lines, ("", "Brought forward", None, None))


def test_a_page_that_goes_on_with_an_account_begins_with_it_and_with_its_balance(tmp_path: Path) -> None:
    seen = 0
    for first in range(36, 52):
        found = pages(write(accounts(first, 60, 3), "Kahvila Oy", MADE, LOCALES["en"]), tmp_path)
        balance, account = "", ""
        for number, page in enumerate(found):
            lines = [line.split() for line in page.splitlines() if line.strip()]
            top = next(place for place, line in enumerate(lines) if line[0] == "Number") + 1
            body = [line for line in lines[top:] if line[0] != MADE.split(maxsplit=1)[0]]
            if number and body[0][0][:2] == "19" and body[1][:2] == ["Brought", "forward"]:
                assert (body[0][0], body[1][-1]) == (account, balance)
                seen += 1
            elif number:  # a page begins with an account, or with what is no part of one
                assert body[1][0] == "Opening" or body[0][0] == "Total"
            for line in body:
                account = line[0] if line[-1] == "Account" else account
            balance = body[-1][-1]
        assert len(re.findall(r"^N\d", "\n".join(found), re.MULTILINE)) == first + 63
    assert seen > 16


def test_a_page_that_goes_on_with_a_document_says_which(tmp_path: Path) -> None:
    columns = (Column("Number"), Column("Date"), Column("Account"), Column("Debit", Kind.AMOUNT))
    said = [("", "") if place % 7 else (f"26{place:04}-1", f"day {place}") for place in range(130)]
    lines = [SheetLine((*one, "1910", D(1))) for one in said]
    sheet = Sheet("Journal", "2026", columns, [*lines, SheetLine(("Total", None, None, D(130)), Style.SUM)], once=2)
    found = pages(write(sheet, "Kahvila Oy", MADE, LOCALES["en"]), tmp_path)
    assert len(found) > 2
    printed = 0
    for page in found:
        body = [line.split() for line in page.splitlines() if "1910" in line]
        first = printed // 7 * 7
        assert body[0] == [f"26{first:04}-1", "day", str(first), "1910", "1.00"]
        printed += len(body)
    assert printed == 130


def test_a_column_of_numbers_takes_no_room_from_texts(tmp_path: Path) -> None:
    columns = (Column("Number"), Column("Name"), Column("Debit", Kind.AMOUNT))
    (page,) = pages(write(Sheet("Empty", "2026", columns, []), "Oy", MADE, LOCALES["en"]), tmp_path)
    (head,) = [line for line in page.splitlines() if "Number" in line]
    assert head.index("Name") < head.index("Debit") / 2


def test_what_many_columns_need_is_folded_then_smaller_then_refused(tmp_path: Path) -> None:
    def wide(count: int) -> Sheet:
        titles = [f"1.1.20{place:02} – 31.12.20{place:02}" for place in range(count)]
        columns = (Column("Account"), *(Column(title, Kind.AMOUNT) for title in titles))
        return Sheet("Wide", "2026", columns, [SheetLine(("1910 Bank", *[D("-1234567.89")] * count))])

    for count in (2, 10, 16):
        (page,) = pages(write(wide(count), "Oy", MADE, LOCALES["fi"]), tmp_path)
        assert page.count("−1 234 567,89") == count
        assert page.count("31.12.20") == count
    with pytest.raises(UsageError, match="a page is not wide enough for 41 columns"):
        write(wide(40), "Oy", MADE, LOCALES["fi"])


def test_a_long_report_is_not_tagged() -> None:
    lines = as_pdf.MOST_TAGGED + 1
    made = (write(ledger(one), "Oy", MADE, LOCALES["en"]) for one in (9, lines))
    roots: list[Any] = [PdfReader(BytesIO(one)).trailer["/Root"] for one in made]
    assert ["/StructTreeRoot" in root for root in roots] == [True, False]


@pytest.mark.parametrize(
    "sheet",
    [ledger(9), ledger(90), accounts(60, 3), lay_out(decode(BALANCE_SHEET, Statement), "Balance sheet", Labels("fi"))],
    ids=["short", "long", "carried", "statement"],
)
def test_nothing_is_there_that_pdf_ua_forbids(sheet: Sheet) -> None:
    assert faults(write(sheet, "Kahvila Oy", MADE, LOCALES["fi"])) == []


def test_a_sum_has_a_rule_where_there_is_one() -> None:
    def rules(*amounts: Decimal | None) -> int:
        columns = (Column("Box"), Column("Base", Kind.AMOUNT), Column("VAT", Kind.AMOUNT))
        sheet = Sheet("VAT report", "2026", columns, [SheetLine(("To pay", *amounts), Style.SUM)])
        (page,) = PdfReader(BytesIO(write(sheet, "Oy", MADE, LOCALES["fi"]))).pages
        return [operator for _, operator in ContentStream(page.get_contents(), None).operations].count(b"S")

    assert rules(D(1), D(1)) - rules(None, D(1)) == rules(None, D(1)) - rules(None, None) == 1


def test_the_same_report_is_the_same_file() -> None:
    assert write(ledger(9), "Ő", MADE, LOCALES["en"]) == write(ledger(9), "Ő", MADE, LOCALES["en"])
