"""Tables for people, made by rich: amounts right, no column left out, text from elsewhere made harmless."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import BinaryIO

import msgspec
from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from acctcli.cli.output.columns import CellsWriter, Picker, Rows, cell_start, is_number
from acctcli.cli.output.formats import Look
from acctcli.cli.output.safe import visible

# the blanks between columns, and the least that a column of text has on a terminal
_GAP = 3
_NARROWEST = 6
# characters of a cell: every line is as wide as the widest; the other formats give all of a text
_LONGEST = 1000


class TableWriter(CellsWriter):
    """Collects the cells, not the rows, and prints one table at the end: widths need every cell."""

    def __init__(self, stream: BinaryIO, columns: Sequence[str], look: Look) -> None:
        super().__init__(stream, columns, look)
        self._names: Sequence[str] = ()
        self._lines: list[list[str]] = []
        self._text_columns: set[int] = set()

    def header(self, names: Sequence[str]) -> None:
        """Take the names of the columns."""
        self._names = names

    def page(self, rows: Rows, picker: Picker) -> None:
        """Take the cells of a page."""
        for row in rows:
            cells = picker.pick(row)
            line = [visible(cell_start(cell, _LONGEST)) for cell in cells]
            self._text_columns.update(
                position
                for position, (cell, text) in enumerate(zip(cells, line, strict=True))
                if text and not is_number(cell)
            )
            self._lines.append(line)

    def close(self) -> None:
        """Print the table; without rows there are no names for all columns."""
        super().close()
        if not self._names:
            return
        table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
        needed = -_GAP
        for position, name in enumerate(self._names):
            numeric = bool(self._lines) and position not in self._text_columns
            widest = max(map(cell_len, (visible(name), *(line[position] for line in self._lines))))
            needed += _GAP + (widest if numeric else min(widest, _NARROWEST))
            # a wrapped or shortened amount is a wrong amount
            table.add_column(
                Text(visible(name)), justify="right" if numeric else "left", no_wrap=numeric, overflow="fold"
            )
        for line in self._lines:
            table.add_row(*(Text(text) for text in line))
        # where the columns do not fit, lines go on: a column left out, or half an amount, would not be seen
        width = self._look.width
        self.stream.write(_rendered(table, width if width is not None and width >= needed else None))


def record_table(picker: Picker, record: msgspec.Raw, width: int | None) -> bytes:
    """Return one record as a table of field and value."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("field", no_wrap=True)
    table.add_column("value", overflow="fold")
    for name, cell in zip(picker.columns, picker.pick(record), strict=True):
        table.add_row(Text(visible(name)), Text(visible(cell_start(cell, _LONGEST))))
    return _rendered(table, width)


def _rendered(table: Table, width: int | None) -> bytes:
    """Render to bytes; without a width every line is as long as it needs."""
    text = io.StringIO()
    console = Console(file=text, width=width or 100_000, color_system=None, emoji=False, markup=False, highlight=False)
    console.print(table, soft_wrap=width is None)
    lines = (line.rstrip() for line in text.getvalue().splitlines())
    return ("\n".join(lines) + "\n").encode("utf-8", "replace")
