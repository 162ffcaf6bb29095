"""Tables for people: amounts right, no column left out, texts made harmless; rich folds those of a terminal."""

from __future__ import annotations

import io
from collections.abc import Sequence, Set
from typing import BinaryIO, Literal

import msgspec
from rich.cells import cell_len

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
        names = [visible(name) for name in self._names]
        numeric = set(range(len(names))) - self._text_columns if self._lines else set()
        needed = -_GAP
        for position, column in enumerate(zip(names, *self._lines, strict=True)):
            widest = max(map(cell_len, column))
            needed += _GAP + (widest if position in numeric else min(widest, _NARROWEST))
        # where the columns do not fit, lines go on: a column left out, or half an amount, would not be seen
        width = self._look.width
        if width is None or width < needed:
            self.stream.write(_unfolded(names, self._lines, numeric))
        else:
            # a wrapped or shortened amount is a wrong amount
            self.stream.write(_folded(names, self._lines, width, right=numeric, whole=numeric))


def record_table(picker: Picker, record: msgspec.Raw, width: int | None) -> bytes:
    """Return one record as a table of field and value."""
    lines = [
        [visible(name), visible(cell_start(cell, _LONGEST))]
        for name, cell in zip(picker.columns, picker.pick(record), strict=True)
    ]
    names = ("field", "value")
    return _unfolded(names, lines) if width is None else _folded(names, lines, width, whole={0})


def _unfolded(names: Sequence[str], lines: Sequence[Sequence[str]], right: Set[int] = frozenset()) -> bytes:
    """Lay out a table whose lines are as long as they need, as rich does with much more work."""
    widths = [max(map(cell_len, column)) for column in zip(names, *lines, strict=True)]

    def line(cells: Sequence[str]) -> str:
        padded = []
        for position, (cell, width) in enumerate(zip(cells, widths, strict=True)):
            blank = " " * (width - cell_len(cell))
            padded.append(blank + cell if position in right else cell + blank)
        return (_GAP * " ").join(padded).rstrip()

    rule = "─" * (sum(widths) + _GAP * (len(widths) - 1))
    return "".join(f"{one}\n" for one in (line(names), rule, *map(line, lines))).encode("utf-8", "replace")


def _folded(
    names: Sequence[str],
    lines: Sequence[Sequence[str]],
    width: int,
    *,
    right: Set[int] = frozenset(),
    whole: Set[int],
) -> bytes:
    """Lay out a table for a terminal, with texts in several lines where they are long; the columns `whole` are not."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for position, name in enumerate(names):
        justify: Literal["left", "right"] = "right" if position in right else "left"
        table.add_column(Text(name), justify=justify, no_wrap=position in whole, overflow="fold")
    for line in lines:
        table.add_row(*map(Text, line))
    text = io.StringIO()
    console = Console(file=text, width=width, color_system=None, emoji=False, markup=False, highlight=False)
    console.print(table)
    shown = (line.rstrip() for line in text.getvalue().splitlines())
    return ("\n".join(shown) + "\n").encode("utf-8", "replace")
