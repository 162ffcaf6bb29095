"""Rows as csv and tsv."""

from __future__ import annotations

import csv
import io
import re
from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import ClassVar

from acctcli.cli.output.columns import CellsWriter, Picker, Rows, cell_text, portions
from acctcli.cli.output.safe import defused, visible

# cells whose text is kept, and the bytes of the longest of them
_MOST_KNOWN = 5000
_LONGEST_KNOWN = 200


class _DelimitedWriter(CellsWriter):
    """Cells as text; what a spreadsheet would run is defused unless it is to stay raw."""

    separator: ClassVar[str]

    def header(self, names: Sequence[str]) -> None:
        """Write the names; the service gives them where all columns are asked for."""
        self._is_single = len(names) == 1
        self._emit([self.separator.join(self._field(name if self._look.raw else defused(name)) for name in names)])

    def page(self, rows: Rows, picker: Picker) -> None:
        """Write a line for each row."""
        pick, field_of, separator = picker.pick, self._fields.__getitem__, self.separator
        for some in portions(rows):
            self._emit([separator.join(map(field_of, map(bytes, pick(row)))) for row in some])

    @cached_property
    def _fields(self) -> _Texts:
        read = cell_text if self._look.raw else _defused_cell
        return _Texts(lambda cell: self._field(read(cell)))

    def _emit(self, lines: Sequence[str]) -> None:
        text = "\n".join([*lines, ""])
        self.stream.write((_visible_lines(text) if self._look.on_terminal else text).encode("utf-8", "replace"))

    @abstractmethod
    def _field(self, text: str) -> str:
        """Return a cell as it stands in its line."""


class CsvWriter(_DelimitedWriter):
    """Comma-separated values with a header, also for no rows."""

    separator = ","

    def _field(self, text: str) -> str:
        if text.isalnum() or not (_QUOTED.search(text) or self._is_single):
            return text
        line = io.StringIO(newline="")
        # a carriage return in a cell is quoted only if lines end with one
        csv.writer(line, lineterminator="\r\n").writerow([text])
        return line.getvalue()[:-2]


class TsvWriter(_DelimitedWriter):
    r"""Tab-separated values: `\t`, `\n`, `\r` and `\\` in cells are written as escapes, one record is one line."""

    separator = "\t"

    def _field(self, text: str) -> str:
        return text.translate(_TSV)


_QUOTED = re.compile('[",\r\n]')
_TSV = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


class _Texts(dict[bytes, str]):
    """The texts of cells by their JSON: most cells of a book are like one a few rows above."""

    def __init__(self, read: Callable[[bytes], str]) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, cell: bytes) -> str:
        text = self._read(cell)
        if len(cell) <= _LONGEST_KNOWN:
            if len(self) >= _MOST_KNOWN:
                self.clear()
            self[cell] = text
        return text


def _defused_cell(cell: bytes) -> str:
    text = cell_text(cell)
    return defused(text) if cell[:1] == b'"' else text


def _visible_lines(text: str) -> str:
    """Make text harmless for a terminal; tabs between cells stay."""
    return "\n".join("\t".join(map(visible, line.split("\t"))) for line in text.split("\n"))
