"""Rows as csv and tsv."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import BinaryIO

import msgspec

from acctcli.cli.output.columns import ALL, Picker, cell_text
from acctcli.cli.output.safe import defused, visible

Rows = list[msgspec.Raw]


class CsvWriter:
    """Comma-separated values with a header, also for no rows."""

    def __init__(self, stream: BinaryIO, columns: Sequence[str], *, raw: bool, safe: bool, strict: bool) -> None:
        self._stream = stream
        self._columns = columns
        self._raw = raw
        self._safe = safe
        self._strict = strict
        self._picker: Picker | None = None

    def write(self, rows: Rows) -> None:
        """Write a page of rows; the header comes with the first."""
        text = _Lines()
        # a carriage return in a cell is quoted only if lines end with one
        lines = csv.writer(text, lineterminator="\r\n")
        if self._picker is None:
            self._picker = Picker(self._columns, rows[0], strict=self._strict)
            lines.writerow(self._header(self._picker.columns))
        pick = self._picker.pick
        cell = cell_text if self._raw else _defused_cell
        lines.writerows([cell(value) for value in pick(row)] for row in rows)
        self._emit("".join(text))

    def close(self) -> None:
        """Write the header of an empty list."""
        if self._picker is None and tuple(self._columns) != (ALL,):
            self._emit(",".join(self._columns) + "\n")

    def _header(self, names: Sequence[str]) -> Sequence[str]:
        """The service names the fields where all are asked for."""
        return names if self._raw else [defused(name) for name in names]

    def _emit(self, text: str) -> None:
        if self._safe:
            text = _visible_lines(text)
        self._stream.write(text.encode("utf-8", "replace"))


class TsvWriter:
    r"""Tab-separated values: `\t`, `\n`, `\r` and `\\` in cells are written as escapes, one record is one line."""

    def __init__(self, stream: BinaryIO, columns: Sequence[str], *, raw: bool, safe: bool, strict: bool) -> None:
        self._stream = stream
        self._columns = columns
        self._safe = safe
        self._strict = strict
        self._cell = cell_text if raw else _defused_cell
        self._picker: Picker | None = None

    def write(self, rows: Rows) -> None:
        """Write a page of rows; the header comes with the first."""
        lines: list[str] = []
        if self._picker is None:
            self._picker = Picker(self._columns, rows[0], strict=self._strict)
            lines.append("\t".join(map(_tsv_cell, self._picker.columns)))
        for row in rows:
            lines.append("\t".join(_tsv_cell(self._cell(value)) for value in self._picker.pick(row)))
        self._emit("\n".join(lines) + "\n")

    def close(self) -> None:
        """Write the header of an empty list."""
        if self._picker is None and tuple(self._columns) != (ALL,):
            self._emit("\t".join(self._columns) + "\n")

    def _emit(self, text: str) -> None:
        shown = _visible_lines(text) if self._safe else text
        self._stream.write(shown.encode("utf-8", "replace"))


class _Lines(list[str]):
    """Takes the lines of a csv.writer and ends each as other text here ends."""

    def write(self, line: str) -> None:
        """Take one line."""
        self.append(f"{line[:-2]}\n")


def _defused_cell(cell: msgspec.Raw) -> str:
    text = cell_text(cell)
    return defused(text) if bytes(memoryview(cell)[:1]) == b'"' else text


_TSV = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


def _visible_lines(text: str) -> str:
    """Make text harmless for a terminal; tabs between cells stay."""
    return "\n".join("\t".join(map(visible, line.split("\t"))) for line in text.split("\n"))


def _tsv_cell(text: str) -> str:
    return text.translate(_TSV)
