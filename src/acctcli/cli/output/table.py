"""Tables for people, made by rich: amounts right, nothing cut from them, text from elsewhere made harmless."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import BinaryIO

import msgspec
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from acctcli.cli.output.columns import CellsWriter, Picker, Rows, cell_text, is_number
from acctcli.cli.output.formats import Look
from acctcli.cli.output.safe import visible


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
            line = [visible(cell_text(cell)) for cell in cells]
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
        for position, name in enumerate(self._names):
            numeric = bool(self._lines) and position not in self._text_columns
            # a wrapped or shortened amount is a wrong amount
            table.add_column(
                Text(visible(name)), justify="right" if numeric else "left", no_wrap=numeric, overflow="fold"
            )
        for line in self._lines:
            table.add_row(*(Text(text) for text in line))
        self.stream.write(_rendered(table, self._look.width))


def record_table(picker: Picker, record: msgspec.Raw, width: int | None) -> bytes:
    """Return one record as a table of field and value."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("field", no_wrap=True)
    table.add_column("value", overflow="fold")
    for name, cell in zip(picker.columns, picker.pick(record), strict=True):
        table.add_row(Text(visible(name)), Text(visible(cell_text(cell))))
    return _rendered(table, width)


def _rendered(table: Table, width: int | None) -> bytes:
    """Render to bytes; without a width every line is as long as it needs."""
    text = io.StringIO()
    console = Console(file=text, width=width or 100_000, color_system=None, emoji=False, markup=False, highlight=False)
    console.print(table, soft_wrap=width is None)
    lines = (line.rstrip() for line in text.getvalue().splitlines())
    return ("\n".join(lines) + "\n").encode("utf-8", "replace")
