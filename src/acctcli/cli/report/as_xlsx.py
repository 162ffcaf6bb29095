"""A report as a workbook: amounts are exact numbers or no numbers at all, days are days, and sums are formulas.

Behind a cover, lists are tables with filters, and statements are laid out as people read them. Formulas carry their
value for readers that do not calculate; one is written where it gives the report's figure to the cent, and no cell it
adds had to stay text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from io import BytesIO
from itertools import groupby
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import xlsxwriter
from xlsxwriter.utility import xl_col_to_name

from acctcli.cli.output.workbook import (
    DAY_FORMAT,
    LONGEST_CELL,
    MOST_ROWS,
    TEXT_IS_TEXT,
    add_table,
    is_exact,
    serial_day,
)
from acctcli.cli.report.amounts import rounded
from acctcli.cli.report.listed import Computed, Holds, Listed
from acctcli.cli.report.sheet import Cell, Kind, Sheet, SheetLine, Style
from acctcli.errors import UsageError

if TYPE_CHECKING:
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

_AMOUNT = "#,##0.00;[Red]-#,##0.00"
_WIDEST, _NARROWEST, _GAP = 60, 8, 2
# adds what a filter leaves in sight
_SUBTOTAL = "SUBTOTAL(109,{0}2:{0}{1})"
_A4 = 9
# how many columns a page has that is not turned
_MOST_UPRIGHT = 7
_ZERO = Decimal("0.00")


class Cover(NamedTuple):
    """What stands in front: a name of its own, the report's title, and lines of what is told with what it is."""

    name: str
    business: str
    title: str
    period: str
    lines: Sequence[tuple[str, str]]
    account: str


class Book:
    """One report in a file; `inexact` counts the amounts that had to stay text.

    Rows wait for the end in a folder of their own, which goes with the context.
    """

    def __init__(self, cover: Cover) -> None:
        self.inexact = 0
        self._cover = cover
        self._stream = BytesIO()
        self._folder = TemporaryDirectory(prefix="acctcli-", ignore_cleanup_errors=True)
        options = {**TEXT_IS_TEXT, "constant_memory": True, "tmpdir": self._folder.name}
        self._book = xlsxwriter.Workbook(self._stream, options)
        # what formulas carry is what they come to
        self._book.calc_on_load = False
        self._formats: dict[tuple[tuple[str, Any], ...], Format] = {}
        title = f"{cover.title} · {cover.business} · {cover.period}"
        self._book.set_properties({"title": title, "author": cover.business, "company": cover.business})
        self._write_cover()

    def __enter__(self) -> Book:
        return self

    def __exit__(self, *problem: object) -> None:
        for page in self._book.worksheets():
            page.row_data_fh.close()
        self._folder.cleanup()

    def content(self) -> bytes:
        """Finish the file and return it."""
        self._book.close()
        return self._stream.getvalue()

    def add(self, page: Sheet | Listed) -> None:
        """Write a worksheet; raises UsageError for more rows than one takes."""
        title = page.title
        # no name of a worksheet is longer, or holds one of these
        sheet = self._book.add_worksheet(title.translate(str.maketrans("", "", "[]:*?/\\"))[:31])
        if len(self._book.worksheets()) == 2:
            sheet.activate()
        if isinstance(page, Listed):
            _List(self, sheet, page).write()
        else:
            _Statement(self, sheet, page, self._cover.account).write()
        sheet.freeze_panes(1, 0)
        sheet.repeat_rows(0)
        sheet.set_paper(_A4)
        sheet.fit_to_pages(1, 0)
        if len(page.fields if isinstance(page, Listed) else page.columns) > _MOST_UPRIGHT:
            sheet.set_landscape()
        # `&` begins a code of what stands around pages, of which there are 255 characters; a blank ends the size
        whose = f"{self._cover.business} · {title} · {self._cover.period}"[:120].replace("&", "&&")
        sheet.set_header(f"&L&8 {whose}")
        sheet.set_footer("&R&8&P / &N")

    def _write_cover(self) -> None:
        page = self._book.add_worksheet(self._cover.name)
        page.set_column(0, 0, max(len(name) for name, _ in self._cover.lines) + _GAP)
        page.set_column(1, 1, _WIDEST)
        page.write_string(0, 0, self._cover.title, self.look(bold=True, font_size=16))
        for row, (name, told) in enumerate(self._cover.lines, 2):
            page.write_string(row, 0, name, self.look(font_color="#666666", valign="top"))
            page.write_string(row, 1, told, self.look(text_wrap=True))
        page.set_paper(_A4)
        page.hide_gridlines(2)

    def look(self, **look: Any) -> Format:
        """Return the format that has these properties."""
        key = tuple(look.items())
        if key not in self._formats:
            self._formats[key] = self._book.add_format(look)
        return self._formats[key]


class _Page:
    """A worksheet whose columns grow as wide as what is written."""

    def __init__(self, book: Book, page: Worksheet, titles: Sequence[str]) -> None:
        self.book = book
        self.page = page
        self.widths = [_NARROWEST] * len(titles)
        self.titles = titles

    def head(self, numeric: Sequence[bool]) -> None:
        for place, title in enumerate(self.titles):
            side = {"align": "right"} if numeric[place] else {}
            self.text(0, place, title, self.book.look(bold=True, bottom=1, text_wrap=True, valign="top", **side))

    def text(self, row: int, place: int, text: str, look: Format | None, indent: int = 0) -> None:
        if len(text) > LONGEST_CELL:
            raise UsageError(
                f"--output xlsx: a text has {len(text)} characters, a cell takes {LONGEST_CELL}",
                hint="use --output csv",
            )
        self.page.write_string(row, place, text, look)
        self._widen(place, len(text) + 2 * indent)

    def amount(self, row: int, place: int, value: Decimal, look: Format, formula: str | None = None) -> None:
        """Write an amount in cents; as a formula, where nothing had to stay text that it may add."""
        self._widen(place, len(f"{value:,f}"))
        if not is_exact(value):
            self.book.inexact += 1
            self.page.write_string(row, place, str(value), look)
        elif formula is not None and not self.book.inexact:
            self.page.write_formula(row, place, f"={formula}", look, value)
        else:
            # the writer's `Decimal` goes into the file as it is, never through a float
            self.page.write_number(row, place, value, look)

    def end(self, numeric: Sequence[bool], last: int) -> None:
        """Set the widths, and tell spreadsheets that digits which are text are meant."""
        for place, width in enumerate(self.widths):
            self.page.set_column(place, place, min(_WIDEST, width + _GAP))
        texts = [xl_col_to_name(place) for place, is_number in enumerate(numeric) if not is_number]
        marks = " ".join(f"{column}1:{column}{last + 1}" for column in texts)
        self.page.ignore_errors({"number_stored_as_text": marks})

    def _widen(self, place: int, width: int) -> None:
        self.widths[place] = max(self.widths[place], width)


class _List:
    """A table: a row a fact, below it the sums of what a filter leaves."""

    def __init__(self, book: Book, page: Worksheet, listed: Listed) -> None:
        self._listed = listed
        self._page = _Page(book, page, [field.title for field in listed.fields])
        self._look = book.look
        self._amounts = book.look(num_format=_AMOUNT)
        self._days = book.look(num_format=DAY_FORMAT, align="left")
        self._sums = {place: _ZERO for place, field in enumerate(listed.fields) if field.holds is Holds.SUMMED}

    def write(self) -> None:
        fields = self._listed.fields
        numeric = [field.holds in {Holds.AMOUNT, Holds.SUMMED} for field in fields]
        self._page.head(numeric)
        row = 0
        for row, fact in enumerate(self._listed.rows, 1):
            if row >= MOST_ROWS:
                raise UsageError(
                    f"--output xlsx takes {MOST_ROWS - 1} rows, this report has more", hint="use --output csv"
                )
            self._write_row(row, fact)
        add_table(self._page.page, self._page.titles, row)
        self._write_sums(row)
        self._page.end(numeric, row + 1)

    def _write_row(self, row: int, fact: Iterable[str | Decimal | Computed | None]) -> None:
        for place, cell in enumerate(fact):
            if isinstance(cell, str):
                day = serial_day(cell) if self._listed.fields[place].holds is Holds.DAY else None
                if day is not None:
                    self._page.page.write_number(row, place, day, self._days)
                elif cell:
                    self._page.text(row, place, cell, None)
            elif cell is not None:
                self._write_amount(row, place, cell)

    def _write_amount(self, row: int, place: int, cell: Decimal | Computed) -> None:
        formula, amount = cell if isinstance(cell, Computed) else (None, cell)
        value = rounded(amount)
        if place in self._sums:
            self._sums[place] += value
        self._page.amount(row, place, value, self._amounts, formula and formula.format(row=row + 1))

    def _write_sums(self, last: int) -> None:
        look: dict[str, Any] = {"bold": True, "top": 1}
        for place in range(len(self._page.titles)):
            if place in self._sums:
                formula = _SUBTOTAL.format(xl_col_to_name(place), last + 1) if last else None
                total = self._look(num_format=_AMOUNT, align="right", **look)
                self._page.amount(last + 1, place, self._sums[place], total, formula)
            elif place == 0:
                self._page.text(last + 1, 0, self._listed.total, self._look(**look))
            else:
                self._page.page.write_blank(last + 1, place, None, self._look(**look))


class _Statement:
    """Lines as people read them; numbers of accounts stand in a column of their own, where there are some."""

    def __init__(self, book: Book, page: Worksheet, sheet: Sheet, account: str) -> None:
        self._lines = sheet.lines
        self._has_accounts = any(line.account for line in sheet.lines)
        titles = [column.title for column in sheet.columns]
        self._numeric = [column.kind is not Kind.TEXT for column in sheet.columns]
        if self._has_accounts:
            titles.insert(1, account)
            self._numeric.insert(1, False)
        self._page = _Page(book, page, titles)
        self._look = book.look

    def write(self) -> None:
        self._page.head(self._numeric)
        for row, line in enumerate(self._lines, 1):
            cells: list[Cell] = list(line.cells)
            if line.below:
                cells[0] = f"{line.below}: {cells[0]}"
            if self._has_accounts:
                cells[0] = str(cells[0]).removeprefix(line.account).strip()
                cells.insert(1, line.account or None)
            for place, cell in enumerate(cells):
                self._write_cell(row, place, cell, line)
        self._page.end(self._numeric, len(self._lines))

    def _write_cell(self, row: int, place: int, cell: Cell, line: SheetLine) -> None:
        indent = line.level if place == 0 else 0
        look = self._look(**dict(_looks(line.style, self._numeric[place], indent)))
        if cell is None:
            self._page.page.write_blank(row, place, None, look)
        elif isinstance(cell, str):
            # a text that has the line to itself runs over the columns
            self._page.text(row, place, cell, look, 0 if line.spans else indent)
        else:
            amount = rounded(cell)
            self._page.amount(row, place, amount, look, self._formula(place, amount, line))

    def _formula(self, place: int, amount: Decimal, line: SheetLine) -> str | None:
        """Return what makes an amount of those of other lines, None where they make up another one."""
        cell = place - self._has_accounts
        added, less = (sum((self._value(one, cell) for one in lines), _ZERO) for lines in (line.adds, line.less))
        if not line.adds or added - less != amount:
            return None
        parts = (f"SUM({','.join(_ranges(xl_col_to_name(place), lines))})" for lines in (line.adds, line.less) if lines)
        return "-".join(parts)

    def _value(self, line: int, cell: int) -> Decimal:
        value = self._lines[line].cells[cell]
        return rounded(value) if isinstance(value, Decimal) else _ZERO


def _ranges(column: str, lines: Sequence[int]) -> Iterator[str]:
    """Yield the cells of lines in a column, those side by side as one range."""
    for _, group in groupby(enumerate(sorted(lines)), lambda pair: pair[1] - pair[0]):
        rows = [line + 2 for _, line in group]
        yield f"{column}{rows[0]}" if len(rows) == 1 else f"{column}{rows[0]}:{column}{rows[-1]}"


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
