"""A report as a workbook: amounts are numbers, exact or not numbers at all."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from io import BytesIO
from typing import TYPE_CHECKING, Any

import xlsxwriter

from acctcli.cli.output.workbook import is_exact
from acctcli.cli.report.amounts import rounded
from acctcli.cli.report.sheet import Cell, Column, Kind, Sheet, SheetLine, Style

if TYPE_CHECKING:
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

_AMOUNT = "#,##0.00;[Red]-#,##0.00"
_WIDEST = 60


class Book:
    """One report on one worksheet; `inexact` counts the amounts that had to stay text."""

    def __init__(self, sheet: Sheet, business: str) -> None:
        self.inexact = 0
        self._sheet = sheet
        self._business = business
        self._formats: dict[tuple[Style, bool, int], Format] = {}

    def content(self) -> bytes:
        """Return the file."""
        stream = BytesIO()
        self._book = xlsxwriter.Workbook(stream, {"strings_to_formulas": False, "strings_to_urls": False})
        title = f"{self._sheet.title} · {self._business} · {self._sheet.period}"
        self._book.set_properties({"title": title})
        # no name of a worksheet is longer, or holds one of these
        page = self._book.add_worksheet(self._sheet.title.translate(str.maketrans("", "", "[]:*?/\\"))[:31])
        self._write(page)
        self._book.close()
        return stream.getvalue()

    def _write(self, page: Worksheet) -> None:
        bold = self._book.add_format({"bold": True, "bottom": 1})
        right = self._book.add_format({"bold": True, "bottom": 1, "align": "right"})
        for place, column in enumerate(self._sheet.columns):
            page.write_string(0, place, column.title, bold if column.kind is Kind.TEXT else right)
            page.set_column(place, place, self._width(place, column))
        page.freeze_panes(1, 0)
        page.repeat_rows(0)
        page.set_paper(9)
        page.fit_to_pages(1, 0)
        for row, line in enumerate(self._sheet.lines, 1):
            for place, cell in enumerate(line.cells):
                self._write_cell(page, row, place, cell, line)

    def _write_cell(self, page: Worksheet, row: int, place: int, cell: Cell, line: SheetLine) -> None:
        numeric = self._sheet.columns[place].kind is not Kind.TEXT
        form = self._format(line.style, numeric, line.level if place == 0 else 0)
        if cell is None:
            page.write_blank(row, place, None, form)
        elif isinstance(cell, str):
            page.write_string(row, place, cell, form)
        elif is_exact(amount := rounded(cell)):
            # the writer's `Decimal` goes into the file as it is, never through a float
            page.write_number(row, place, amount, form)
        else:
            self.inexact += 1
            page.write_string(row, place, str(amount), form)

    def _format(self, style: Style, numeric: bool, level: int) -> Format:
        key = (style, numeric, level)
        if key not in self._formats:
            self._formats[key] = self._book.add_format(dict(_looks(*key)))
        return self._formats[key]

    def _width(self, place: int, column: Column) -> int:
        lengths = (_length(line, place) for line in self._sheet.lines if not line.spans)
        return min(_WIDEST, max(len(column.title), *lengths, 8) + 2)


def _looks(style: Style, numeric: bool, level: int) -> Iterator[tuple[str, Any]]:
    if numeric:
        yield from (("num_format", _AMOUNT), ("align", "right"))
    if level:
        yield "indent", level
    if style in {Style.SUM, Style.HEADING}:
        yield "bold", True
    if style is Style.SUM:
        yield "top", 1
    if style is Style.DETAIL:
        yield "font_color", "#666666"


def _length(line: SheetLine, place: int) -> int:
    cell = line.cells[place]
    if isinstance(cell, Decimal):
        return len(f"{rounded(cell):,f}")
    return len(cell or "") + 2 * line.level * (place == 0)
