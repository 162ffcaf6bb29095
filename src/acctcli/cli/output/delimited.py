"""Rows as csv and tsv."""

from __future__ import annotations

import csv
from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from acctcli.cli.output.columns import CellsWriter, Picker, Rows, cell_text
from acctcli.cli.output.safe import defused, visible

# cells whose text is kept, and the bytes of the longest of them
_MOST_KNOWN = 5000
_LONGEST_KNOWN = 200


class _DelimitedWriter(CellsWriter):
    """Cells as text; what a spreadsheet would run is defused unless it is to stay raw."""

    @cached_property
    def _texts(self) -> _Texts:
        return _Texts(cell_text if self._look.raw else _defused_cell)

    def header(self, names: Sequence[str]) -> None:
        """Write the names; the service gives them where all columns are asked for."""
        self._emit([names if self._look.raw else [defused(name) for name in names]])

    def page(self, rows: Rows, picker: Picker) -> None:
        """Write a line for each row."""
        pick, texts = picker.pick, self._texts
        self._emit([texts[bytes(value)] for value in pick(row)] for row in rows)

    def _emit(self, lines: Iterable[Sequence[str]]) -> None:
        text = self._text(lines)
        self.stream.write((_visible_lines(text) if self._look.on_terminal else text).encode("utf-8", "replace"))

    @abstractmethod
    def _text(self, lines: Iterable[Sequence[str]]) -> str:
        """Return the lines of these cells."""


class CsvWriter(_DelimitedWriter):
    """Comma-separated values with a header, also for no rows."""

    def _text(self, lines: Iterable[Sequence[str]]) -> str:
        text = _Lines()
        # a carriage return in a cell is quoted only if lines end with one
        csv.writer(text, lineterminator="\r\n").writerows(lines)
        return "".join(text)


class _Lines(list[str]):
    """Takes the lines of a csv.writer and ends each as other text here ends."""

    def write(self, line: str) -> None:
        """Take one line."""
        self.append(f"{line[:-2]}\n")


class TsvWriter(_DelimitedWriter):
    r"""Tab-separated values: `\t`, `\n`, `\r` and `\\` in cells are written as escapes, one record is one line."""

    def _text(self, lines: Iterable[Sequence[str]]) -> str:
        return "".join("\t".join(cell.translate(_TSV) for cell in line) + "\n" for line in lines)


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
