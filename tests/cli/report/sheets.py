"""Workbooks as another program reads them, and what their formulas come to when they are worked out again."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from openpyxl import Workbook, load_workbook
from openpyxl.cell.cell import Cell
from openpyxl.worksheet.worksheet import Worksheet

Value = str | Decimal | date | None
_REFERENCE = re.compile(r"(?:'([^']+)'!)?\$?([A-Z]+)\$?(\d+)(?::\$?([A-Z]+)\$?(\d+))?")
_CALL = re.compile(r"(SUM|SUBTOTAL|SUMIFS)\(([^()]*)\)")


def read_value(cell: Any) -> Value:
    """Return what a cell shows: days as days, numbers by their fifteen digits."""
    value = cell.value
    if isinstance(value, datetime):
        assert cell.is_date
        assert (value.hour, value.minute, value.second) == (0, 0, 0)
        return value.date()
    if isinstance(value, int | float):
        return Decimal(f"{value:.15g}").quantize(Decimal("0.01"))
    assert value is None or isinstance(value, str)
    return value


class Calculated:
    """A workbook twice: with the values that it carries, and with the formulas that make them."""

    def __init__(self, content: bytes) -> None:
        self.shown: Workbook = load_workbook(io.BytesIO(content), data_only=True)
        self.made: Workbook = load_workbook(io.BytesIO(content))

    def rows(self, page: int = 1) -> list[list[Value]]:
        """The rows of a worksheet, the head with them; the first after the cover unless told otherwise."""
        return [[read_value(cell) for cell in row] for row in self.shown.worksheets[page].iter_rows()]

    def formulas(self) -> Iterator[tuple[str, Value, Decimal]]:
        """Yield each formula, the value that it carries, and what it comes to."""
        for page in self.made.worksheets:
            for row in page.iter_rows():
                for cell in row:
                    if isinstance(cell, Cell) and cell.data_type == "f":
                        carried = read_value(self.shown[page.title][cell.coordinate])
                        yield str(cell.value), carried, self._value(page, cell.row, cell.column_letter)

    def _value(self, page: Worksheet, row: int, column: str) -> Decimal:
        cell = page[f"{column}{row}"]
        if cell.data_type == "f":
            return self._work_out(page, str(cell.value)[1:])
        value = read_value(cell)
        return value if isinstance(value, Decimal) else Decimal(0)

    def _work_out(self, page: Worksheet, formula: str) -> Decimal:
        """Add up what is left of a formula when its calls are worked out: terms with their signs."""
        plain = _CALL.sub(lambda call: f"{self._call(page, call[1], call[2]):f}", formula)
        terms = re.findall(r"([+-]?)(-?[0-9.]+|[A-Z]+[0-9]+)", plain)
        assert "".join(sign + term for sign, term in terms) == plain
        return sum((self._term(page, term) * (-1 if sign == "-" else 1) for sign, term in terms), Decimal(0))

    def _term(self, page: Worksheet, term: str) -> Decimal:
        found = _REFERENCE.fullmatch(term)
        return self._value(page, int(found[3]), found[2]) if found else Decimal(term)

    def _call(self, page: Worksheet, name: str, text: str) -> Decimal:
        arguments = text.split(",")
        if name == "SUMIFS":
            added, keys, (key, *_) = (self._cells(page, one) for one in arguments)
            pairs = zip(added, keys, strict=True)
            return sum((self._value(*one) for one, other in pairs if _text(other) == _text(key)), Decimal(0))
        if name == "SUBTOTAL":
            assert arguments.pop(0) == "109"
        return sum((self._value(*cell) for one in arguments for cell in self._cells(page, one)), Decimal(0))

    def _cells(self, page: Worksheet, text: str) -> list[tuple[Worksheet, int, str]]:
        found = _REFERENCE.fullmatch(text)
        assert found, text
        there = self.made[found[1]] if found[1] else page
        rows = range(int(found[3]), int(found[5] or found[3]) + 1)
        area = there[f"{found[2]}{rows[0]}:{found[4] or found[2]}{rows[-1]}"]
        return [(there, cell.row, cell.column_letter) for line in area for cell in line]


def _text(cell: tuple[Worksheet, int, str]) -> str:
    page, row, column = cell
    return str(page[f"{column}{row}"].value)
