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
            cutter = _Cutter(head)
            for piece in chain([buffer], pieces):
                if rows := cutter.add(piece):
                    yield self._within(rows)
        rows = self._close(cutter.left())
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

    def _close(self, text: bytearray) -> list[msgspec.Raw]:
        """Read what is left: the last records, and the fields around the array."""
        try:
            self.rest = _decode_object(text)
            rows = _decode_rows(self.rest.pop(self.array)) if self.array in self.rest else None
        except (msgspec.DecodeError, RecursionError) as problem:
            raise Incomplete("the report is not whole", hint="run the command again") from problem
        if rows is None or comes_twice(text, rows):
            what = f"no {self.array}" if rows is None else "a field that comes twice"
            raise ServerFault(f"the service answered with {what} instead of the report", code="unreadable_reply")
        self._check(self.rest)
        return rows


class _Cutter:
    """Cuts whole records off the front of what has come; where it cannot, it waits for twice as much.

    They are read where they lie, behind the bracket that ends what stands before them: a record may be large.
    """

    def __init__(self, head: bytes) -> None:
        self._head = head
        self._text = bytearray(head)
        self._start: bytes | None = None
        self._enough = 0

    def add(self, piece: bytes) -> list[msgspec.Raw]:
        """Take a piece and return the records it completes."""
        self._text += piece
        size = len(self._text) - len(self._head)
        if size > LONGEST_RECORD:
            raise _too_large("one record")
        if size < self._enough:
            return []
        rows = self._cut()
        self._enough = 0 if rows else 2 * size
        return rows

    def left(self) -> bytearray:
        """Return what stands before the records, and what no record was made of."""
        return self._text

    def _cut(self) -> list[msgspec.Raw]:
        text, begin = self._text, len(self._head)
        if self._start is None:
            first = _FIRST_KEY.match(text, begin)
            if first is None:
                return []
            self._start = first[0].strip()
        tries = _TRIES if len(text) <= 4 * PIECE else 2  # a try reads all of it
        for end in islice(_places(text, self._start, begin), tries):
            if rows := self._until(text.rfind(b",", begin, end)):
                self._text = bytearray(self._head)
                self._text += memoryview(text)[end:]
                return rows
        return []

    def _until(self, comma: int) -> list[msgspec.Raw]:
        """Return the records up to a comma; none where it stands in a record that begins alike, or in a text."""
        self._text[comma : comma + 1] = b"]"
        try:
            return _decode_rows(memoryview(self._text)[len(self._head) - 1 : comma + 1])
        except (msgspec.DecodeError, RecursionError):
            self._text[comma : comma + 1] = b","
            return []


def _places(text: bytearray, start: bytes, begin: int) -> Iterator[int]:
    """Yield where a record may begin behind a comma, the last place first; of many that look like it the last ones."""
    end = len(text)
    for _ in range(_LOOKS):
        end = text.rfind(start, begin, end)
        if end <= begin:
            return
        if text[max(begin, end - _WIDEST_GAP) : end].rstrip().endswith(b","):
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
