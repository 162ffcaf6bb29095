"""Rows as a workbook: numbers and days are such where a cell can hold them, everything else is text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO

import msgspec
import xlsxwriter
from xlsxwriter.utility import xl_col_to_name

from acctcli.cli.output.columns import CellsWriter, Picker, Rows, cell_text, is_number
from acctcli.cli.output.formats import Look
from acctcli.errors import UsageError

if TYPE_CHECKING:
    from xlsxwriter.worksheet import Worksheet

# a cell is a binary float: it keeps this many decimal digits and no more
EXACT_DIGITS = 15
# as a power of ten: what is smaller than this it does not hold
_SMALLEST = -300
LONGEST_CELL = 32_767
MOST_ROWS = 1_048_575  # and the header
MOST_COLUMNS = 16_384


# a day in the way of whoever reads it
DAY_FORMAT = 14
_FIRST_DAY = date(1899, 12, 30)
# days before it are one less: 1900 was a leap year to the first spreadsheets
_SURE_DAY = date(1900, 3, 1)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
# fields that hold days, by their names
_DAYS = re.compile(r"(.*[_.])?(date|date_from|date_to|date_at|day|today)")
_LONGEST_TITLE = 255
# text that begins like a formula or an address is text
TEXT_IS_TEXT = {"strings_to_formulas": False, "strings_to_urls": False}


def serial_day(text: str) -> int | None:
    """Return a day as cells hold it, None for what is no day, or none that all programs take for the same."""
    if not _DAY.fullmatch(text):
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return (day - _FIRST_DAY).days if day >= _SURE_DAY else None


def add_table(page: Worksheet, titles: Sequence[str], rows: int) -> None:
    """Make a table with filters of the rows below the titles, where there are some.

    The library notes every cell of a table, and makes none where rows are not kept in memory: it is told of one row,
    and the table is stretched. Columns without names of their own have filters, but are no table.
    """
    if not rows:
        return
    area = f"A1:{xl_col_to_name(len(titles) - 1)}{rows + 1}"
    names = {title.casefold() for title in titles if 0 < len(title) <= _LONGEST_TITLE}
    if len(names) < len(titles):
        page.autofilter(area)
        return
    page.constant_memory, kept = False, page.constant_memory
    columns = [{"header": title} for title in titles]
    page.add_table(0, 0, 1, len(titles) - 1, {"columns": columns, "style": "Table Style Light 1"})
    page.constant_memory = kept
    page.tables[-1].update(range=area, a_range=area, autofilter=area)


def is_exact(amount: Decimal) -> bool:
    """Whether a cell can hold the amount digit for digit."""
    if not amount.is_finite() or not _SMALLEST < amount.adjusted() < EXACT_DIGITS:
        return False
    # no arithmetic, which keeps 28 digits
    return len("".join(map(str, amount.as_tuple().digits)).strip("0")) <= EXACT_DIGITS


def _is_exact_text(number: str) -> bool:
    try:
        return is_exact(Decimal(number))
    except InvalidOperation:  # an exponent that no number of this program has
        return False


class WorkbookWriter(CellsWriter):
    """One worksheet with a header; it takes shape in memory and is written when it is whole."""

    def __init__(self, stream: BinaryIO, columns: Sequence[str], look: Look) -> None:
        super().__init__(stream, columns, look)
        self._row = 0
        self._content = BytesIO()
        self._book = xlsxwriter.Workbook(self._content, TEXT_IS_TEXT)
        self._page = self._book.add_worksheet("Rows")
        self._page.freeze_panes(1, 0)
        self._day = self._book.add_format({"num_format": DAY_FORMAT, "align": "left"})
        self._names: Sequence[str] = ()
        self._days: set[str] = set()

    def header(self, names: Sequence[str]) -> None:
        """Write the names in bold."""
        if len(names) > MOST_COLUMNS:
            raise UsageError(
                f"--output xlsx takes {MOST_COLUMNS} columns, {names[MOST_COLUMNS]!r} would be one more",
                hint="name fewer with --columns, or use --output csv",
            )
        if long := next((name for name in names if len(name) > LONGEST_CELL), None):
            raise UsageError(
                f"--output xlsx: the name of a column has {len(long)} characters, a cell takes {LONGEST_CELL}",
                hint="name others with --columns, or use --output csv",
            )
        bold = self._book.add_format({"bold": True, "bottom": 1})
        self._names, self._days = names, {name for name in names if _DAYS.fullmatch(name)}
        self._page.set_column(0, len(names) - 1, 16)
        for place, name in enumerate(names):
            self._page.write_string(0, place, name, bold)

    def page(self, rows: Rows, picker: Picker) -> None:
        """Write the cells of these rows; raises UsageError for more than a worksheet takes."""
        if self._row + len(rows) > MOST_ROWS:
            raise UsageError(f"--output xlsx takes {MOST_ROWS} rows, here are more", hint="use --output csv")
        for row in rows:
            self._row += 1
            for place, (name, cell) in enumerate(zip(picker.columns, picker.pick(row), strict=True)):
                self._cell(place, name, cell)

    def close(self) -> None:
        """Finish the workbook and hand it over."""
        super().close()
        add_table(self._page, self._names, self._row)
        self._book.close()
        self.stream.write(self._content.getbuffer())

    def _cell(self, place: int, name: str, cell: msgspec.Raw) -> None:
        text = cell_text(cell)
        if is_number(cell) and _is_exact_text(text):
            # the writer puts a Decimal into the file as it is, never through a float
            self._page.write_number(self._row, place, Decimal(text))
        elif len(text) > LONGEST_CELL:
            raise UsageError(
                f"--output xlsx: {name} of row {self._row} has {len(text)} characters, a cell takes {LONGEST_CELL}",
                hint="leave it out with --columns, or use --output csv",
            )
        elif name in self._days and (day := serial_day(text)) is not None:
            self._page.write_number(self._row, place, day, self._day)
        elif text:
            self._page.write_string(self._row, place, text)
