"""How records and rows are written: in a format, or as what --jq makes of them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import BinaryIO, Protocol

import msgspec

from acctcli.cli.output.columns import ALL, Picker, Rows, portions, select_json
from acctcli.cli.output.formats import FORMATS, Look
from acctcli.cli.output.safe import visible_json
from acctcli.cli.session.state import State
from acctcli.errors import UsageError


class Writer(Protocol):
    """Takes rows page by page; `close` ends the document, and is not called when something failed."""

    def write(self, rows: Rows) -> None:
        """Write a page of rows, at least one."""

    def close(self) -> None:
        """Write what ends the document."""


def write_record(here: State, stream: BinaryIO, record: msgspec.Raw, columns: Sequence[str]) -> None:
    """Write one record: as one object, as a table of fields and values, or as the only row.

    What is `Inside` a record makes a table of its own under the record's.
    """
    form = here.format
    if here.options.jq is not None:
        from acctcli.cli.output.jq import Filter

        Filter(here.options.jq, here.writes).write(stream, bytes(record))
    elif form == "table":
        _write_tables(here, stream, record, columns)
    else:
        chosen = _chosen(here, columns)
        writer = LoneJsonWriter(stream, chosen, _look(here)) if form == "json" else _writer(here, stream, chosen)
        writer.write([record])
        writer.close()


def _write_tables(here: State, stream: BinaryIO, record: msgspec.Raw, columns: Sequence[str]) -> None:
    from acctcli.cli.output.inside import take_apart
    from acctcli.cli.output.table import TableWriter, record_table

    plain, inner = take_apart(columns, record)
    picker = Picker(plain, record, strict=here.options.columns is not None)
    stream.write(record_table(picker, record, _width(here)))
    for field, rows in inner:
        stream.write(b"\n")
        table = TableWriter(stream, field.columns, _look(here)._replace(strict=False))
        table.write(rows)
        table.close()


def rows_writer(here: State, stream: BinaryIO, columns: Sequence[str]) -> Writer:
    """Return the writer of a list in the format asked for; json keeps every field unless --columns names some."""
    return _writer(here, stream, _chosen(here, columns))


def _chosen(here: State, columns: Sequence[str]) -> Sequence[str] | None:
    """Return the columns to write; None where JSON keeps every field."""
    return columns if here.options.columns or not FORMATS[here.format].is_json else None


def _writer(here: State, stream: BinaryIO, columns: Sequence[str] | None) -> Writer:
    form = FORMATS[here.format]
    if here.options.jq is not None:
        from acctcli.cli.output.jq import Filter, JqWriter

        return JqWriter(stream, Filter(here.options.jq, here.writes), each=here.format == "jsonl")
    if not form.writer:
        raise UsageError(f"--output {here.format} is for reports, and this is none")
    module, _, name = form.writer.partition(":")
    writer: Writer = getattr(import_module(f"acctcli.cli.output.{module}"), name)(stream, columns, _look(here))
    return writer


def _look(here: State) -> Look:
    is_strict = here.options.columns is not None
    return Look(is_strict, here.options.raw_csv, here.options.output_file is None and sys.stdout.isatty(), _width(here))


def _width(here: State) -> int | None:
    """The terminal's width, or None where lines may be as long as they are."""
    if here.options.output_file is None and sys.stdout.isatty():
        import shutil

        return shutil.get_terminal_size().columns
    return None


class _JsonTextWriter:
    """Writes rows as JSON, cut down to columns if some are named; what a terminal would obey is shown to one."""

    def __init__(self, stream: BinaryIO, columns: Sequence[str] | None, look: Look) -> None:
        self._stream = stream
        self._select = _Select(columns)
        self._on_terminal = look.on_terminal

    def _put(self, text: bytes) -> None:
        self._stream.write(for_eyes(text) if self._on_terminal else text)


class JsonLinesWriter(_JsonTextWriter):
    """One row a line, the bytes the service sent; rows that hold line breaks are written compactly."""

    def write(self, rows: Rows) -> None:
        """Write a page."""
        for some in portions(rows):
            self._write(self._select(some))

    def _write(self, rows: Rows) -> None:
        """Write rows, joined in one go, since line breaks within rows are rare."""
        joined = b"\n".join([*rows, b""])
        plain = b"".join(rows)
        if b"\n" in plain or b"\r" in plain:  # a search is ten times as fast as a count
            joined = b"\n".join(msgspec.json.format(bytes(row), indent=-1) for row in rows) + b"\n"
        self._put(joined)

    def close(self) -> None:
        """Nothing ends JSON lines."""


class JsonWriter(_JsonTextWriter):
    """One array; left open when something fails half way, so that no parser takes it for whole."""

    _lead = b"[\n"

    def write(self, rows: Rows) -> None:
        """Write a page of rows, indented for people."""
        for some in map(self._select, portions(rows)):
            parts = [msgspec.json.format(bytes(row), indent=2) for row in some] if self._on_terminal else some
            self._stream.write(self._lead)
            self._put(b",\n".join(parts))
            self._lead = b",\n"

    def close(self) -> None:
        """End the array."""
        self._stream.write(b"[]\n" if self._lead == b"[\n" else b"\n]\n")


class LoneJsonWriter(_JsonTextWriter):
    """One record as one object, indented for people and harmless for machines."""

    def write(self, rows: Rows) -> None:
        """Write the record."""
        for row in self._select(rows):
            self._put(msgspec.json.format(bytes(row), indent=2))

    def close(self) -> None:
        """End the line."""
        self._stream.write(b"\n")


class _Select:
    """Cuts rows down to columns, or passes them through."""

    def __init__(self, columns: Sequence[str] | None) -> None:
        # each row has all of its own
        self._columns = None if columns == (ALL,) else columns
        self._picker: Picker | None = None

    def __call__(self, rows: Rows) -> Rows:
        if self._columns is None:
            return rows
        if self._picker is None:
            self._picker = Picker(self._columns, rows[0], strict=True)
        picker = self._picker
        return [msgspec.Raw(select_json(picker.columns, picker.pick(row))) for row in rows]


def for_eyes(json_text: bytes) -> bytes:
    """Return JSON that says the same on a terminal, and nothing to it."""
    return visible_json(json_text.decode("utf-8", "replace")).encode()
