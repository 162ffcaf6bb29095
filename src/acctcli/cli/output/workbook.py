"""Rows as a workbook: numbers are numbers where a cell can hold them, everything else is text."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from io import BytesIO
from typing import BinaryIO

import msgspec
import xlsxwriter

from acctcli.cli.output.columns import CellsWriter, Picker, Rows, cell_text, is_number
from acctcli.cli.output.formats import Look
from acctcli.errors import UsageError

# a cell is a binary float: it keeps this many decimal digits and no more
EXACT_DIGITS = 15
# as a power of ten: what is smaller than this it does not hold
_SMALLEST = -300
LONGEST_CELL = 32_767
MOST_ROWS = 1_048_575  # and the header
MOST_COLUMNS = 16_384


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
        self._book = xlsxwriter.Workbook(self._content, {"strings_to_formulas": False, "strings_to_urls": False})
        self._page = self._book.add_worksheet("Rows")
        self._page.freeze_panes(1, 0)

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
        elif text:
            self._page.write_string(self._row, place, text)
