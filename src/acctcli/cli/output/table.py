"""Tables for people: amounts right, no column left out, texts made harmless; rich folds those of a terminal."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence, Set
from typing import BinaryIO, Literal

import msgspec
from rich.cells import cell_len

from acctcli.cli.output.columns import CellsWriter, Picker, Rows, cell_start, is_number
from acctcli.cli.output.formats import Look
from acctcli.cli.output.safe import visible
from acctcli.printing.numbers import plain_rate

# the blanks between columns, and the least that a column of text has on a terminal
_GAP = 3
_NARROWEST = 6
# characters of a cell: every line is as wide as the widest; the other formats give all of a text
_LONGEST = 1000
# fields whose names make no heading
_HEADINGS = {
    "days_1_30": "1-30 days",
    "days_31_60": "31-60 days",
    "days_61_90": "61-90 days",
    "days_over_90": "over 90 days",
    "filing_tax_to_be_paid": "to pay",
    "invoicing_tax_code": "VAT id",
    "latest_saved_version_number": "version",
    "receiver_info.name": "receiver",
    "recapitulative_due_date": "EU statement due",
    "vat_exclusive_amount": "without VAT",
    "vat_inclusive_amount": "with VAT",
    "virtuaaliviivakoodi": "bank barcode",
}
# fields in percent, which people write without needless zeros, such as 25.5
_RATES = {"rate", "vat_rate", "default_vat_rate", "penalty_interest", "invoicing_default_penalty_interest"}
_ACRONYMS = {"bic": "BIC", "iban": "IBAN", "url": "URL", "vat": "VAT"}


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
            line = [_shown(name, cell) for name, cell in zip(self._names, cells, strict=True)]
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
        names = headings([visible(name) for name in self._names])
        numeric = set(range(len(names))) - self._text_columns if self._lines else set()
        width = self._look.width
        stacked = names
        if width is not None and width < _needed(names, self._lines):
            stacked = [name.replace(" ", "\n") for name in names]
        # where the columns do not fit, lines go on: a column left out, or half an amount, would not be seen
        if width is None or width < _needed(stacked, self._lines, numeric, _NARROWEST):
            self.stream.write(_unfolded(names, self._lines, numeric))
        else:
            # a wrapped or shortened amount is a wrong amount
            self.stream.write(_folded(stacked, self._lines, width, right=numeric, whole=numeric))


def headings(names: Sequence[str]) -> list[str]:
    """Return what people read above columns of these fields; the names themselves where two would be called alike."""
    words = [_HEADINGS.get(name) or _spelled(name) for name in names]
    return words if len(set(words)) == len(words) else list(names)


def _spelled(name: str) -> str:
    """Write a name with blanks, without the `is` of what is true or false."""
    words = name.removeprefix("is_").replace(".", " ").replace("_", " ").split(" ")
    return " ".join(_ACRONYMS.get(word, word) for word in words)


def record_table(picker: Picker, record: msgspec.Raw, width: int | None) -> bytes:
    """Return one record as a table of field and value."""
    lines = [
        [visible(name), _shown(name, cell)] for name, cell in zip(picker.columns, picker.pick(record), strict=True)
    ]
    names = ("field", "value")
    return _unfolded(names, lines) if width is None else _folded(names, lines, width, whole={0})


def _shown(name: str, cell: msgspec.Raw) -> str:
    """Return what people read of a cell of a field, or of one within it."""
    text = visible(cell_start(cell, _LONGEST))
    return plain_rate(text) if name.rpartition(".")[2] in _RATES else text


def _needed(
    names: Sequence[str], lines: Sequence[Sequence[str]], whole: Set[int] = frozenset(), narrowest: int = sys.maxsize
) -> int:
    """Return the width of a table whose columns are as wide as they are; of those not `whole`, so much at most."""
    widths = [max(map(_widest, column)) for column in zip(names, *lines, strict=True)]
    least = (width if place in whole else min(width, narrowest) for place, width in enumerate(widths))
    return sum(least) + _GAP * (len(widths) - 1)


def _widest(text: str) -> int:
    return max(map(cell_len, text.split("\n")))


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
