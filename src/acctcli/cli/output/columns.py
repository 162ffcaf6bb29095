"""Pick fields out of raw rows: only the columns asked for are decoded, numbers keep the digits the service sent."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from typing import BinaryIO

import msgspec

from acctcli.cli.output.formats import Look
from acctcli.errors import ServerFault, UsageError

Rows = list[msgspec.Raw]
Reader = Callable[[msgspec.Raw], Sequence[msgspec.Raw]]

ALL = "all"
# bytes of rows that are put together at a time
_PORTION = 4 * 2**20
# what all columns are at most; a spreadsheet has 16,384, and no record of a service has a hundred
_MOST_COLUMNS = 20_000
_MISSING = msgspec.Raw()
_START_OF_TEXT = re.compile(r'"(?:[^\\]|\\u[0-9a-fA-F]{4}|\\[^u])*')
_decode_text = msgspec.json.Decoder(str).decode
_decode_object = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


def parse_columns(text: str | None, default: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of `--columns a,b.c`, or the default; raise UsageError for an empty name."""
    if text is None:
        return tuple(default)
    names = tuple(name.strip() for name in text.split(","))
    if not all(part for name in names for part in name.split(".")):
        raise UsageError(f"--columns {text!r}: a name is empty; write them like id,name")
    if len(set(names)) != len(names):
        raise UsageError(f"--columns {text!r}: a name comes twice")
    return names


class Picker:
    """Takes the named fields out of raw JSON objects; `a.b` reaches into nested ones.

    A field that the first row lacks is an error where somebody asked for it (`strict`), and empty where it is only
    a default: services may know fewer fields. All are those of the sample and of the rows `beside` it; a field that
    comes later is an error.
    """

    def __init__(
        self, columns: Sequence[str], sample: msgspec.Raw, *, strict: bool, beside: Sequence[msgspec.Raw] = ()
    ) -> None:
        everything = tuple(columns) == (ALL,)
        found = dict.fromkeys(name for row in (sample, *beside) for name in _decode_object(row)) if everything else {}
        if len(found) > _MOST_COLUMNS:
            raise ServerFault(f"a record of more than {_MOST_COLUMNS:,} fields has no columns", code="reply_too_large")
        self.columns = tuple(found) if everything else tuple(columns)
        # the service's own names are taken whole, dots and all
        self._paths = [[name] if everything else name.split(".") for name in self.columns]
        tops = list(dict.fromkeys(path[0] for path in self._paths))
        reader = _struct_reader if all(map(_is_plain, tops)) else _dict_reader
        self._read = reader(tops, is_all=everything)
        self._slots = [tops.index(path[0]) for path in self._paths]
        self._flat = len(tops) == len(self._paths) and all(len(path) == 1 for path in self._paths)
        if strict and not everything:
            self._refuse_unknown(sample)

    def pick(self, row: msgspec.Raw) -> Sequence[msgspec.Raw]:
        """Return the fields of one row in column order; a field the row lacks is empty."""
        try:
            cells = self._read(row)
        except msgspec.ValidationError as problem:
            late = next((name for name in _decode_object(row) if name not in self.columns), None)
            if late is None:
                raise
            raise UsageError(
                f"--columns all: the field {late!r} comes when the columns are written already",
                hint="name the columns with --columns, or use --output jsonl",
            ) from problem
        if self._flat:
            return cells
        found = [cells[slot] for slot in self._slots]
        for position, path in enumerate(self._paths):
            if len(path) > 1:
                found[position] = _reach(found[position], path[1:])
        return found

    def _refuse_unknown(self, sample: msgspec.Raw) -> None:
        for name, path in zip(self.columns, self._paths, strict=True):
            cell = sample
            for depth, step in enumerate(path):
                if depth and not is_object(cell):
                    if bytes(cell).strip() == b"null":
                        break  # perhaps an object in other rows
                    raise UsageError(f"--columns: {'.'.join(path[:depth])} holds no fields, so there is no {name!r}")
                known = _decode_object(cell)
                if step not in known:
                    raise _no_such_field(name, path[:depth], list(known))
                cell = known[step]


class CellsWriter(ABC):
    """Writes rows as cells under a header; which columns there are is known from the first row, or from who asks."""

    def __init__(self, stream: BinaryIO, columns: Sequence[str], look: Look) -> None:
        self.stream = stream
        self._columns = columns
        self._look = look
        self._picker: Picker | None = None

    def write(self, rows: Rows) -> None:
        """Write a page of rows; the header comes with the first."""
        if self._picker is None:
            self._picker = Picker(self._columns, rows[0], strict=self._look.strict, beside=rows[1:])
            self.header(self._picker.columns)
        self.page(rows, self._picker)

    def close(self) -> None:
        """End the document; without rows it has a header where the columns are known."""
        if self._picker is None and tuple(self._columns) != (ALL,):
            self.header(self._columns)

    @abstractmethod
    def header(self, names: Sequence[str]) -> None:
        """Write the header."""

    @abstractmethod
    def page(self, rows: Rows, picker: Picker) -> None:
        """Write the cells of these rows."""


def portions(rows: Rows) -> Iterator[Rows]:
    """Yield rows as they are, or a few at a time where all of them together would take much memory once more."""
    if sum(map(len, rows)) <= _PORTION:
        yield rows
        return
    size = start = 0
    for place, row in enumerate(rows):
        if size > _PORTION:
            yield rows[start:place]
            size, start = 0, place
        size += len(row)
    yield rows[start:]


def check_known(names: Sequence[str], known: Sequence[str]) -> None:
    """Raise UsageError for the first name whose top field is not among `known`."""
    for name in names:
        if name.split(".")[0] not in known:
            raise _no_such_field(name, (), known)


def _no_such_field(name: str, prefix: Sequence[str], known: Sequence[str]) -> UsageError:
    names = [".".join((*prefix, one)) for one in known]
    near = get_close_matches(name, names, 1)
    hint = f"did you mean {near[0]}?" if near else f"fields: {', '.join(names)}"
    return UsageError(f"--columns: there is no field {name!r}", hint=hint)


def _is_plain(name: str) -> bool:
    """Whether the fast decoder takes a name."""
    return not re.search(r'[\\"\x00-\x1f\ud800-\udfff]', name)


def _struct_reader(names: Sequence[str], *, is_all: bool) -> Reader:
    """Return what decodes just these fields of a row, and refuses others where these are all."""
    slots = [f"f{position}" for position in range(len(names))]
    shape = msgspec.defstruct(
        "Row",
        [(slot, msgspec.Raw, _MISSING) for slot in slots],
        rename=dict(zip(slots, names, strict=True)),
        gc=False,
        forbid_unknown_fields=is_all,
    )
    decode = msgspec.json.Decoder(shape).decode
    fields = msgspec.structs.astuple
    return lambda row: fields(decode(row))


def _dict_reader(names: Sequence[str], *, is_all: bool) -> Reader:
    """The same for names of any characters."""

    def read(row: msgspec.Raw) -> Sequence[msgspec.Raw]:
        record = _decode_object(row)
        if is_all and not record.keys() <= set(names):
            raise msgspec.ValidationError("another field")
        return [record.get(name, _MISSING) for name in names]

    return read


def cell_text(cell: msgspec.Raw | bytes) -> str:
    """Return a JSON value as plain text: strings unquoted, null empty, numbers digit for digit."""
    value = bytes(cell)
    first = value[:1]
    if first == b'"':
        # most texts have nothing to unescape
        return decode_text(value) if b"\\" in value else value[1:-1].decode()
    if value == b"null":
        return ""
    if first in b"{[" and value:
        return msgspec.json.format(value, indent=-1).decode("utf-8", "replace")
    return value.decode("ascii", "replace")


def cell_start(cell: msgspec.Raw, most: int) -> str:
    """Return a JSON value as `cell_text` does, or its first characters and a mark; no more of it is decoded."""
    # no character takes more bytes than a pair of escapes
    kept = 12 * (most + 2)
    if memoryview(cell).nbytes <= kept:
        text = cell_text(cell)
    else:
        text = bytes(memoryview(cell)[:kept]).decode("utf-8", "ignore")
        if whole := _START_OF_TEXT.match(text):
            text = decode_text(f'{whole[0]}"'.encode())
    return text if len(text) <= most else f"{text[:most]}…"


def decode_text(value: bytes) -> str:
    """Decode a JSON string; a lone surrogate becomes the replacement character."""
    try:
        return _decode_text(value)
    except msgspec.DecodeError:
        import json

        text: str = json.loads(value)
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def is_number(cell: msgspec.Raw) -> bool:
    """Tell whether a raw JSON value is a number."""
    return bytes(memoryview(cell)[:1]) in {b"-", *(b"%d" % digit for digit in range(10))}


def select_json(columns: Sequence[str], cells: Sequence[msgspec.Raw]) -> bytes:
    """Return a JSON object of just the columns, the values as the service wrote them."""
    pairs = (
        msgspec.json.encode(name) + b":" + (bytes(cell) or b"null") for name, cell in zip(columns, cells, strict=True)
    )
    return b"{" + b",".join(pairs) + b"}"


def is_object(cell: msgspec.Raw) -> bool:
    """Tell whether a raw JSON value is an object."""
    return bytes(memoryview(cell)[:1]) == b"{"


def _reach(cell: msgspec.Raw, path: Sequence[str]) -> msgspec.Raw:
    for name in path:
        if not is_object(cell):
            return _MISSING
        cell = _decode_object(cell).get(name, _MISSING)
    return cell


def check_object(value: bytes) -> msgspec.Raw:
    """Return a body that is one JSON object as a raw row; raise ServerFault if it is not."""
    try:
        _decode_object(value)
    except (msgspec.DecodeError, RecursionError) as problem:
        raise ServerFault(
            "the service answered with something that is not the expected JSON object",
            code="unreadable_reply",
        ) from problem
    return msgspec.Raw(value)
