"""How records and rows are written: table, json, jsonl, csv, tsv, or what --jq makes of them."""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Sequence
from typing import BinaryIO, Protocol

import msgspec

from acctcli.cli import _columns
from acctcli.cli._safe import defused, visible, visible_json
from acctcli.cli._state import State
from acctcli.errors import UsageError

Rows = list[msgspec.Raw]

_LONGEST_REASON = 200


class Writer(Protocol):
    """Takes rows page by page; `close` ends the document, and is not called when something failed."""

    def write(self, rows: Rows) -> None:
        """Write a page of rows, at least one."""

    def close(self) -> None:
        """Write what ends the document."""


def write_record(here: State, stream: BinaryIO, record: msgspec.Raw, columns: Sequence[str]) -> None:
    """Write one record: as one object, as a table of fields and values, or as the only row."""
    form = here.format
    if here.options.jq is not None:
        Filter(here.options.jq).write(stream, bytes(record))
    elif form == "table":
        from acctcli.cli._table import record_table

        picker = _columns.Picker(columns, record, strict=here.options.columns is not None)
        stream.write(record_table(picker, record, _width(here)))
    else:
        chosen = columns if here.options.columns or form in {"csv", "tsv"} else None
        writer = _writer(form, stream, chosen, here, alone=True)
        writer.write([record])
        writer.close()


def rows_writer(here: State, stream: BinaryIO, columns: Sequence[str]) -> Writer:
    """Return the writer of a list in the format asked for; json keeps every field unless --columns names some."""
    form = here.format
    chosen = columns if here.options.columns or form not in {"json", "jsonl"} else None
    return _writer(form, stream, chosen, here)


def _writer(form: str, stream: BinaryIO, columns: Sequence[str] | None, here: State, *, alone: bool = False) -> Writer:
    if here.options.jq is not None:
        return JqWriter(stream, Filter(here.options.jq), each=form == "jsonl")
    strict = here.options.columns is not None
    pretty = here.options.output_file is None and sys.stdout.isatty()
    match form:
        case "json" if alone:
            return LoneJsonWriter(stream, columns, pretty)
        case "json":
            return JsonWriter(stream, columns, pretty)
        case "jsonl":
            return JsonLinesWriter(stream, columns, pretty)
        case "csv":
            return CsvWriter(stream, columns or (), raw=here.options.raw_csv, safe=pretty, strict=strict)
        case "tsv":
            return TsvWriter(stream, columns or (), raw=here.options.raw_csv, safe=pretty, strict=strict)
        case _:
            from acctcli.cli._table import TableWriter

            return TableWriter(stream, columns or (), _width(here), strict=strict)


def _width(here: State) -> int | None:
    """The terminal's width, or None where lines may be as long as they are."""
    if here.options.output_file is None and sys.stdout.isatty():
        import shutil

        return shutil.get_terminal_size().columns
    return None


class JsonLinesWriter:
    """One row a line, the bytes the service sent; rows that hold line breaks are written compactly."""

    def __init__(self, stream: BinaryIO, columns: Sequence[str] | None, on_terminal: bool) -> None:
        self._stream = stream
        self._select = _Select(columns)
        self._on_terminal = on_terminal

    def write(self, rows: Rows) -> None:
        """Write a page; joined in one go, since line breaks within rows are rare."""
        rows = self._select(rows)
        joined = b"\n".join(rows)
        if joined.count(b"\n") != len(rows) - 1:
            joined = b"\n".join(msgspec.json.format(bytes(row), indent=-1) for row in rows)
        self._stream.write(for_eyes(joined) if self._on_terminal else joined)
        self._stream.write(b"\n")

    def close(self) -> None:
        """Nothing ends JSON lines."""


class JsonWriter:
    """One array; left open when the list fails half way, so that no parser takes it for whole."""

    def __init__(self, stream: BinaryIO, columns: Sequence[str] | None, pretty: bool) -> None:
        self._stream = stream
        self._select = _Select(columns)
        self._pretty = pretty
        self._lead = b"[\n"

    def write(self, rows: Rows) -> None:
        """Write a page of rows."""
        rows = self._select(rows)
        parts = [msgspec.json.format(bytes(row), indent=2) for row in rows] if self._pretty else rows
        joined = b",\n".join(parts)
        self._stream.write(self._lead)
        self._stream.write(for_eyes(joined) if self._pretty else joined)
        self._lead = b",\n"

    def close(self) -> None:
        """End the array."""
        self._stream.write(b"[]\n" if self._lead == b"[\n" else b"\n]\n")


class LoneJsonWriter:
    """One record as one object, indented for people and harmless for machines."""

    def __init__(self, stream: BinaryIO, columns: Sequence[str] | None, on_terminal: bool) -> None:
        self._stream = stream
        self._select = _Select(columns)
        self._on_terminal = on_terminal

    def write(self, rows: Rows) -> None:
        """Write the record."""
        for row in self._select(rows):
            text = msgspec.json.format(bytes(row), indent=2)
            self._stream.write(for_eyes(text) if self._on_terminal else text)

    def close(self) -> None:
        """End the line."""
        self._stream.write(b"\n")


class CsvWriter:
    """Comma-separated values with a header, also for no rows."""

    def __init__(self, stream: BinaryIO, columns: Sequence[str], *, raw: bool, safe: bool, strict: bool) -> None:
        self._stream = stream
        self._columns = columns
        self._raw = raw
        self._safe = safe
        self._strict = strict
        self._picker: _columns.Picker | None = None

    def write(self, rows: Rows) -> None:
        """Write a page of rows; the header comes with the first."""
        text = _Lines()
        # a carriage return in a cell is quoted only if lines end with one
        lines = csv.writer(text, lineterminator="\r\n")
        if self._picker is None:
            self._picker = _columns.Picker(self._columns, rows[0], strict=self._strict)
            lines.writerow(self._header(self._picker.columns))
        pick = self._picker.pick
        cell = _columns.cell_text if self._raw else _defused_cell
        lines.writerows([cell(value) for value in pick(row)] for row in rows)
        self._emit("".join(text))

    def close(self) -> None:
        """Write the header of an empty list."""
        if self._picker is None and tuple(self._columns) != (_columns.ALL,):
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
        self._cell = _columns.cell_text if raw else _defused_cell
        self._picker: _columns.Picker | None = None

    def write(self, rows: Rows) -> None:
        """Write a page of rows; the header comes with the first."""
        lines: list[str] = []
        if self._picker is None:
            self._picker = _columns.Picker(self._columns, rows[0], strict=self._strict)
            lines.append("\t".join(map(_tsv_cell, self._picker.columns)))
        for row in rows:
            lines.append("\t".join(_tsv_cell(self._cell(value)) for value in self._picker.pick(row)))
        self._emit("\n".join(lines) + "\n")

    def close(self) -> None:
        """Write the header of an empty list."""
        if self._picker is None and tuple(self._columns) != (_columns.ALL,):
            self._emit("\t".join(self._columns) + "\n")

    def _emit(self, text: str) -> None:
        shown = _visible_lines(text) if self._safe else text
        self._stream.write(shown.encode("utf-8", "replace"))


class _Lines(list[str]):
    """Takes the lines of a csv.writer and ends each as other text here ends."""

    def write(self, line: str) -> None:
        """Take one line."""
        self.append(f"{line[:-2]}\n")


class JqWriter:
    """Runs the expression over each row (jsonl) or over the whole array (json)."""

    def __init__(self, stream: BinaryIO, program: Filter, *, each: bool) -> None:
        self._stream = stream
        self._program = program
        self._each = each
        self._rows: list[bytes] = []

    def write(self, rows: Rows) -> None:
        """Filter the rows, or keep them for the whole."""
        if self._each:
            for row in rows:
                self._program.write(self._stream, bytes(row))
        else:
            self._rows.extend(bytes(row) for row in rows)

    def close(self) -> None:
        """Filter the whole array."""
        if not self._each:
            self._program.write(self._stream, b"[" + b",".join(self._rows) + b"]")


# `halt` as a word of the program: not a field, a variable or a key in quotes
_ENDS_PROCESS = re.compile(r"(?<![.\w$\"])halt(_error)?\b")


class Filter:
    """A jq expression; numbers it only passes on keep their digits, numbers it computes are binary floats."""

    def __init__(self, expression: str) -> None:
        import jaq

        self._jaq = jaq
        if _ENDS_PROCESS.search(expression):
            raise UsageError(f"--jq {expression!r}: halt and halt_error would end acctcli itself; use empty or error")
        try:
            self._program = jaq.compile(expression)
        except jaq.JaqError as problem:
            raise UsageError(f"--jq {expression!r}: {_reason(problem)}") from problem

    def write(self, stream: BinaryIO, document: bytes) -> None:
        """Write what the expression makes of a document, one result a line; strings without quotes."""
        try:
            results = self._program.text(document, text=True)
        except self._jaq.JaqError as problem:
            raise UsageError(f"--jq: {_reason(problem)}") from problem
        for line in results.split("\n") if results else ():
            text = _columns.decode_text(line.encode()) if line.startswith('"') else line
            if sys.stdout.isatty():
                text = visible(text)
            stream.write(text.encode("utf-8", "replace") + b"\n")


def _reason(problem: Exception) -> str:
    """The first line of what jaq says; below it there is only a drawing of the place."""
    first = str(problem).strip().split("\n")[0].removeprefix("Error: ")
    return first if len(first) <= _LONGEST_REASON else f"{first[:_LONGEST_REASON]}…"


class _Select:
    """Cuts rows down to columns, or passes them through."""

    def __init__(self, columns: Sequence[str] | None) -> None:
        self._columns = columns
        self._picker: _columns.Picker | None = None

    def __call__(self, rows: Rows) -> Rows:
        if self._columns is None:
            return rows
        if self._picker is None:
            self._picker = _columns.Picker(self._columns, rows[0], strict=True)
        picker = self._picker
        return [msgspec.Raw(_columns.select_json(picker.columns, picker.pick(row))) for row in rows]


def _defused_cell(cell: msgspec.Raw) -> str:
    text = _columns.cell_text(cell)
    return defused(text) if bytes(memoryview(cell)[:1]) == b'"' else text


_TSV = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


def _visible_lines(text: str) -> str:
    """Make text harmless for a terminal; tabs between cells stay."""
    return "\n".join("\t".join(map(visible, line.split("\t"))) for line in text.split("\n"))


def _tsv_cell(text: str) -> str:
    return text.translate(_TSV)


def for_eyes(json_text: bytes) -> bytes:
    """Return JSON that says the same on a terminal, and nothing to it."""
    return visible_json(json_text.decode("utf-8", "replace")).encode()
