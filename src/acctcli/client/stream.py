"""A large report, one record at a time, in memory that does not grow with it.

The reply is one JSON object with one long array in it. Where a record ends is not guessed: what stands between the
start of a record and a cut is decoded as an array, and only the end of a record leaves that whole, because JSON has
no two readings. The guess is only where to try.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import chain, islice

import msgspec

from acctcli.client.bounds import ROW, Limit
from acctcli.client.http import Http
from acctcli.client.keys import comes_twice
from acctcli.errors import Incomplete, ServerFault

# records are cut off in pieces of about this many bytes
PIECE = 256 * 1024
# what is kept of a report at a time, in bytes
LONGEST_RECORD = 64 * 2**20
LONGEST_HEAD = 4 * 2**20
# arrays of the same name within other fields before it, each of which costs a look at all that came
_HEADS = 100
_TRIES = 8
_LOOKS = 1000
_WIDEST_GAP = 64
_FIRST_KEY = re.compile(rb'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:')

# told the fields that stand around the records
Check = Callable[[Mapping[str, msgspec.Raw]], None]

_decode_rows = msgspec.json.Decoder(list[msgspec.Raw]).decode
_decode_object = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


class StreamedReport:
    """The records of one array of a report as raw JSON slices, in pieces; iterate once.

    `before` holds the fields in front of the array as raw JSON once the first piece was handed out, None when there is
    no such array; `rest` holds every other field once the last piece was. `check` is given both as soon as they are
    there, before the records that came with them. Raises Incomplete when the reply is not whole, and
    TooLarge for a record beyond the `limit`.
    """

    def __init__(
        self,
        http: Http,
        path: str,
        body: bytes,
        array: str,
        check: Check = lambda fields: None,
        limit: Limit = ROW,
    ) -> None:
        self._http = http
        self._limit = limit
        self._check = check
        self._path = path
        self._body = body
        self.array = array
        self.before: dict[str, msgspec.Raw] | None = None
        self.rest: dict[str, msgspec.Raw] = {}

    def __iter__(self) -> Iterator[list[msgspec.Raw]]:
        with self._http.stream(self._path, self._body) as chunks:
            pieces = _pieces(chunks)
            head, buffer = self._open(pieces)
            cutter = _Cutter()
            for piece in chain([buffer], pieces):
                if rows := cutter.add(piece):
                    yield self._within(rows)
        rows = self._close(head, cutter.left())
        if rows:
            yield self._within(rows)

    def _within(self, rows: list[msgspec.Raw]) -> list[msgspec.Raw]:
        if max(map(len, rows)) > self._limit.values:  # a shorter one holds no more
            for row in rows:
                self._limit.check(row, "a record of the report")
        return rows

    def _open(self, chunks: Iterator[bytes]) -> tuple[bytes, bytes]:
        """Read up to the array; return what stands before its first record, and what has been read behind that."""
        text = b""
        begins = re.compile(rb'"%s"\s*:\s*\[' % re.escape(self.array.encode()))
        tried = tries = 0
        for chunk in chunks:
            text += chunk
            for found in begins.finditer(text, tried):
                tried, tries = found.end(), tries + 1
                if tries > _HEADS:
                    break
                self.before = _fields(text[: found.end()] + b"]}")
                if self.before is not None:
                    del self.before[self.array]
                    self._check(self.before)
                    return text[: found.end()], text[found.end() :]
            if len(text) > LONGEST_HEAD or tries > _HEADS:
                raise _too_large("what stands before its records")
        # no such array: let the end decide whether this is a whole report
        return text, b""

    def _close(self, head: bytes, buffer: bytes) -> list[msgspec.Raw]:
        """Read what is left: the last records, and the fields behind the array."""
        try:
            self.rest = _decode_object(head + buffer)
            rows = _decode_rows(self.rest.pop(self.array)) if self.array in self.rest else None
        except (msgspec.DecodeError, RecursionError) as problem:
            raise Incomplete("the report is not whole", hint="run the command again") from problem
        if rows is None or comes_twice(head + buffer, rows):
            what = f"no {self.array}" if rows is None else "a field that comes twice"
            raise ServerFault(f"the service answered with {what} instead of the report", code="unreadable_reply")
        self._check(self.rest)
        return rows


class _Cutter:
    """Cuts whole records off the front of what has come; where it cannot, it waits for twice as much."""

    def __init__(self) -> None:
        self._start: bytes | None = None
        self._parts: list[bytes] = []
        self._size = 0
        self._enough = 0

    def add(self, piece: bytes) -> list[msgspec.Raw]:
        """Take a piece and return the records it completes."""
        self._parts.append(piece)
        self._size += len(piece)
        if self._size > LONGEST_RECORD:
            raise _too_large("one record")
        if self._size < self._enough:
            return []
        buffer = self.left()
        self._parts.clear()
        rows, rest = self._cut(buffer)
        self._parts, self._size = [rest], len(rest)
        self._enough = 0 if rows else 2 * len(rest)
        return rows

    def left(self) -> bytes:
        """Return what no record was made of yet."""
        return b"".join(self._parts)

    def _cut(self, buffer: bytes) -> tuple[list[msgspec.Raw], bytes]:
        if self._start is None:
            first = _FIRST_KEY.match(buffer)
            if first is None:
                return [], buffer
            self._start = first[0].strip()
        tries = _TRIES if len(buffer) <= 4 * PIECE else 2  # a try reads all of it
        for end in islice(_places(buffer, self._start), tries):
            try:
                whole = memoryview(buffer)[: buffer.rfind(b",", 0, end)]
                return _decode_rows(b"".join((b"[", whole, b"]"))), buffer[end:]
            except (msgspec.DecodeError, RecursionError):
                continue  # a record inside a record that begins alike, or a text
        return [], buffer


def _places(buffer: bytes, start: bytes) -> Iterator[int]:
    """Yield where a record may begin behind a comma, the last place first; of many that look like it the last ones."""
    end = len(buffer)
    for _ in range(_LOOKS):
        end = buffer.rfind(start, 0, end)
        if end <= 0:
            return
        if buffer[max(0, end - _WIDEST_GAP) : end].rstrip().endswith(b","):
            yield end


def _pieces(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Join small chunks: every piece is searched and decoded once."""
    parts: list[bytes] = []
    size = 0
    for chunk in chunks:
        parts.append(chunk)
        size += len(chunk)
        if size >= PIECE:
            yield b"".join(parts)
            parts, size = [], 0
    if parts:
        yield b"".join(parts)


def _too_large(what: str) -> ServerFault:
    return ServerFault(
        f"{what} of the report is larger than this program takes in",
        code="reply_too_large",
        hint="ask for fewer days",
    )


def _fields(text: bytes) -> dict[str, msgspec.Raw] | None:
    """Return the fields of an object, None for what is none."""
    try:
        return _decode_object(text)
    except (msgspec.DecodeError, RecursionError):
        return None
