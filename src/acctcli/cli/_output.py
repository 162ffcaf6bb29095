"""Show records and rows: table, json, jsonl, csv, tsv, or what --jq makes of them; only data goes to stdout."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

import msgspec

from acctcli.cli import _columns, _sink
from acctcli.cli._safe import defused, visible_json
from acctcli.cli._state import State
from acctcli.errors import ServerFault, UsageError

if TYPE_CHECKING:
    from acctcli.client.pages import Listing
    from acctcli.client.plan import Planned
    from acctcli.client.reply import Reply

Rows = list[msgspec.Raw]


def show(here: State, reply: Reply, columns: Sequence[str]) -> None:
    """Show one record."""
    record = _columns.check_object(reply.body)
    show_record(here, record, columns)


def show_record(here: State, record: msgspec.Raw, columns: Sequence[str]) -> None:
    """Show one record given as raw JSON."""
    form = here.format
    wanted = _columns.parse_columns(here.options.columns, columns)
    with _sink.opened(here.options.output_file) as stream:
        if here.options.jq is not None:
            _Filter(here.options.jq).write(stream, bytes(record))
        elif form == "table":
            from acctcli.cli._table import record_table

            stream.write(record_table(_columns.Picker(wanted, record), record, _width(here)))
        else:
            chosen = wanted if here.options.columns or form in {"csv", "tsv"} else None
            writer = _writer(form, stream, chosen, here, alone=True)
            writer.write([record])
            writer.close()


def show_value(here: State, value: Any, columns: Sequence[str] = (_columns.ALL,)) -> None:
    """Show one record made here, such as the state of a sign-in."""
    show_record(here, msgspec.Raw(msgspec.json.encode(value)), columns)


def show_values(here: State, values: Iterable[Any], columns: Sequence[str] = (_columns.ALL,)) -> None:
    """Show rows made here."""
    _show_pages(here, [[msgspec.Raw(msgspec.json.encode(value)) for value in values]], columns)


def show_rows(
    here: State, listing: Listing, columns: Sequence[str], seen: Callable[[Rows], None] | None = None
) -> None:
    """Show the rows of a list as they come, and say on stderr how many there are if not all are shown.

    `seen` is told of every page that passes.
    """
    from acctcli.cli._progress import watched

    _show_pages(here, _told(watched(here, listing), seen), columns)
    if listing.total is not None and listing.shown < listing.total:
        here.say(f"{listing.shown} of {listing.total} shown; --all shows every one")


def show_any(here: State, reply: Reply) -> None:
    """Show a reply of unknown shape: JSON unless a list or a table of it is asked for."""
    if reply.body[:1] != b"{" or (here.options.output is None and here.options.columns is None):
        with _sink.opened(here.options.output_file) as stream:
            stream.write(_any_json(here, reply))
        return
    show(here, reply, (_columns.ALL,))


def show_report(
    here: State, reply: Reply, rows: Callable[[bytes, bool], Iterator[Rows]], columns: Sequence[str]
) -> None:
    """Show a report: the document itself as json, its rows in every other format; tables end with the totals."""
    if here.format == "json":
        show(here, reply, columns)
        return
    _columns.check_object(reply.body)
    try:
        _show_pages(here, rows(reply.body, here.format == "table"), columns)
    except msgspec.DecodeError as problem:
        raise ServerFault("the report is not what the interface promises", code="unreadable_reply") from problem


def show_stream(here: State, pages: Iterable[Rows], columns: Sequence[str]) -> None:
    """Show raw rows that come from somewhere else than a list."""
    _show_pages(here, pages, columns)


def show_done(here: State, text: str, **facts: Any) -> None:
    """Report something that left no record: a sentence for people, one JSON document for machines."""
    if here.format == "table":
        here.say(text)
    else:
        show_value(here, facts)


def show_plan(here: State, planned: Planned) -> None:
    """Show the request a dry run did not send."""
    show_record(here, msgspec.Raw(planned.as_json()), (_columns.ALL,))


def show_text(here: State, text: str) -> None:
    """Print text that is the data itself, such as a token or a script."""
    with _sink.opened(here.options.output_file) as stream:
        stream.write(text.encode() if text.endswith("\n") else text.encode() + b"\n")


def _show_pages(here: State, pages: Iterable[Rows], columns: Sequence[str]) -> None:
    form = here.format
    wanted = _columns.parse_columns(here.options.columns, columns)
    with _sink.opened(here.options.output_file) as stream:
        chosen = wanted if here.options.columns or form not in {"json", "jsonl"} else None
        writer = _writer(form, stream, chosen, here)
        for page in pages:
            writer.write(page)
        writer.close()


def _any_json(here: State, reply: Reply) -> bytes:
    if here.options.jq is not None:
        filtered = io.BytesIO()
        _Filter(here.options.jq).write(filtered, reply.body)
        return filtered.getvalue()
    try:
        text = msgspec.json.format(reply.body, indent=2)
    except msgspec.DecodeError as problem:
        raise ServerFault("the service answered with something that is not JSON", code="unreadable_reply") from problem
    return (_for_eyes(text) if sys.stdout.isatty() else text) + b"\n"


def _told(pages: Iterable[Rows], seen: Callable[[Rows], None] | None) -> Iterator[Rows]:
    for page in pages:
        if seen is not None:
            seen(page)
        yield page


class Writer(Protocol):
    """Takes rows page by page; `close` ends the document, and is not called when something failed."""

    def write(self, rows: Rows) -> None:
        """Write a page of rows."""

    def close(self) -> None:
        """Write what ends the document."""


def _writer(form: str, stream: BinaryIO, columns: Sequence[str] | None, here: State, *, alone: bool = False) -> Writer:
    if here.options.jq is not None:
        if here.options.columns:
            raise UsageError("--columns and --jq exclude each other: let the expression pick the fields")
        return JqWriter(stream, _Filter(here.options.jq), each=form == "jsonl")
    pretty = here.options.output_file is None and sys.stdout.isatty()
    match form:
        case "json" if alone:
            return LoneJsonWriter(stream, columns, pretty)
        case "json":
            return JsonWriter(stream, columns, pretty)
        case "jsonl":
            return JsonLinesWriter(stream, columns, pretty)
        case "csv":
            return CsvWriter(stream, columns or (), raw=here.options.raw_csv, safe=pretty)
        case "tsv":
            return TsvWriter(stream, columns or (), raw=here.options.raw_csv)
        case _:
            from acctcli.cli._table import TableWriter

            return TableWriter(stream, columns or (), _width(here))


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
        self._stream.write(_for_eyes(joined) if self._on_terminal else joined)
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
        self._stream.write(_for_eyes(joined) if self._pretty else joined)
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
            self._stream.write(_for_eyes(text) if self._on_terminal else text)

    def close(self) -> None:
        """End the line."""
        self._stream.write(b"\n")


class CsvWriter:
    """Comma-separated values with a header, also for no rows."""

    def __init__(self, stream: BinaryIO, columns: Sequence[str], *, raw: bool, safe: bool) -> None:
        self._stream = stream
        self._columns = columns
        self._raw = raw
        self._safe = safe
        self._picker: _columns.Picker | None = None

    def write(self, rows: Rows) -> None:
        """Write a page of rows; the header comes with the first."""
        text = io.StringIO()
        lines = csv.writer(text, lineterminator="\n")
        if self._picker is None:
            self._picker = _columns.Picker(self._columns, rows[0])
            lines.writerow(self._picker.columns)
        pick = self._picker.pick
        cell = _columns.cell_text if self._raw else _defused_cell
        lines.writerows([cell(value) for value in pick(row)] for row in rows)
        self._emit(text.getvalue())

    def close(self) -> None:
        """Write the header of an empty list."""
        if self._picker is None and tuple(self._columns) != (_columns.ALL,):
            self._emit(",".join(self._columns) + "\n")

    def _emit(self, text: str) -> None:
        if self._safe:
            from acctcli.cli._safe import visible

            text = "".join(f"{visible(line)}\n" for line in text.splitlines())
        self._stream.write(text.encode("utf-8", "replace"))


class TsvWriter:
    r"""Tab-separated values: `\t`, `\n`, `\r` and `\\` in cells are written as escapes, one record is one line."""

    def __init__(self, stream: BinaryIO, columns: Sequence[str], *, raw: bool) -> None:
        self._stream = stream
        self._columns = columns
        self._cell = _columns.cell_text if raw else _defused_cell
        self._picker: _columns.Picker | None = None

    def write(self, rows: Rows) -> None:
        """Write a page of rows; the header comes with the first."""
        lines: list[str] = []
        if self._picker is None:
            self._picker = _columns.Picker(self._columns, rows[0])
            lines.append("\t".join(self._picker.columns))
        for row in rows:
            lines.append("\t".join(_tsv_cell(self._cell(value)) for value in self._picker.pick(row)))
        self._stream.write(("\n".join(lines) + "\n").encode("utf-8", "replace"))

    def close(self) -> None:
        """Write the header of an empty list."""
        if self._picker is None and tuple(self._columns) != (_columns.ALL,):
            self._stream.write(("\t".join(self._columns) + "\n").encode())


class JqWriter:
    """Runs the expression over each row (jsonl) or over the whole array (json)."""

    def __init__(self, stream: BinaryIO, program: _Filter, *, each: bool) -> None:
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


class _Filter:
    """A jq expression; numbers it only passes on keep their digits, numbers it computes are binary floats."""

    def __init__(self, expression: str) -> None:
        import jaq

        self._jaq = jaq
        try:
            self._program = jaq.compile(expression)
        except jaq.JaqError as problem:
            raise UsageError(f"--jq {expression!r}: {str(problem).strip() or 'not a jq expression'}") from problem

    def write(self, stream: BinaryIO, document: bytes) -> None:
        """Write what the expression makes of a document, one result a line; strings without quotes."""
        try:
            results = self._program.text(document, text=True)
        except self._jaq.JaqError as problem:
            raise UsageError(f"--jq: {str(problem).strip()}") from problem
        for line in results.split("\n") if results else ():
            text = _columns.decode_text(line.encode()) if line.startswith('"') else line
            if sys.stdout.isatty():
                from acctcli.cli._safe import visible

                text = visible(text)
            stream.write(text.encode("utf-8", "replace") + b"\n")


class _Select:
    """Cuts rows down to columns, or passes them through."""

    def __init__(self, columns: Sequence[str] | None) -> None:
        self._columns = columns
        self._picker: _columns.Picker | None = None

    def __call__(self, rows: Rows) -> Rows:
        if self._columns is None:
            return rows
        if self._picker is None:
            self._picker = _columns.Picker(self._columns, rows[0])
        picker = self._picker
        return [msgspec.Raw(_columns.select_json(picker.columns, picker.pick(row))) for row in rows]


def _defused_cell(cell: msgspec.Raw) -> str:
    text = _columns.cell_text(cell)
    return defused(text) if bytes(memoryview(cell)[:1]) == b'"' else text


_TSV = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


def _tsv_cell(text: str) -> str:
    return text.translate(_TSV)


def _for_eyes(json_text: bytes) -> bytes:
    return visible_json(json_text.decode("utf-8", "replace")).encode()
