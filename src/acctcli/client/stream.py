"""A large report, one record at a time, in memory that does not grow with it.

The reply is one JSON object with one long array in it. Where a record ends is not guessed: what stands between the
start of a record and a cut is decoded as an array, and only the end of a record leaves that whole, because JSON has
no two readings. The guess is only where to try.

A record that is long itself comes in parts: each has its first fields, and some of what it lists.
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
# what stands in a long record before what it lists, in bytes
_LONGEST_FRONT = 64 * 1024
_TEXT = rb'"(?:[^"\\]|\\.)*+"'
_FIRST_KEY = re.compile(rb"\s*(\{\s*" + _TEXT + rb"\s*:)")
_SECOND_KEY = re.compile(rb"\s*(?:" + _TEXT + rb"|[-+.\w]+)\s*,\s*(" + _TEXT + rb"\s*:)")

# told the fields that stand around the records
Check = Callable[[Mapping[str, msgspec.Raw]], None]

_decode_rows = msgspec.json.Decoder(list[msgspec.Raw]).decode
_decode_object = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


class StreamedReport:
    """The records of one array of a report as raw JSON slices, in pieces; iterate once.

    `before` holds the fields in front of the array as raw JSON once the first piece was handed out, None when there is
    no such array; `rest` holds every other field once the last piece was. `check` is given both as soon as they are
    there, before the records that came with them. With `inner`, the name of an array in each record, a long one comes
    in parts, each by itself; `goes_on` says that what was handed out is one, and not the last. Raises Incomplete when
    the reply is not whole, and TooLarge for a record, or a part of one, beyond the `limit`.
    """

    def __init__(
        self,
        http: Http,
        path: str,
        body: bytes,
        array: str,
        check: Check = lambda fields: None,
        limit: Limit = ROW,
        inner: str | None = None,
    ) -> None:
        self._http = http
        self._inner = inner
        self.goes_on = False
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
            cutter = _Cutter(head) if self._inner is None else _PartsCutter(head, self._inner)
            for piece in chain([buffer], pieces):
                for rows, self.goes_on in cutter.add(piece):
                    yield self._within(rows)
        self.goes_on = False
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

    def add(self, piece: bytes) -> Iterator[tuple[list[msgspec.Raw], bool]]:
        """Take a piece and yield what it completes: records, or a part of one that goes on."""
        self._text += piece
        size = len(self._text) - len(self._head)
        if size > LONGEST_RECORD:
            raise _too_large("one record")
        if size >= self._enough:
            self._enough = 2 * size
            for found in self._cut():
                self._enough = 0
                yield found

    def left(self) -> bytearray:
        """Return what stands before the records, and what no record was made of."""
        return self._text

    def _cut(self) -> Iterator[tuple[list[msgspec.Raw], bool]]:
        begin = len(self._head)
        if self._start is None:
            first = _FIRST_KEY.match(self._text, begin)
            if first is None:
                return
            self._start = bytes(first[1])
        tries = _TRIES if len(self._text) <= 4 * PIECE else 2  # a try reads all of it
        for place in islice(_places(self._text, self._start, begin), tries):
            if rows := self._until(begin, self._text.rfind(b",", begin, place)):
                self._drop(begin, place)
                yield rows, False
                return

    def _until(self, begin: int, comma: int) -> list[msgspec.Raw]:
        """Return what an array lists up to a comma; nothing where that stands within what it lists."""
        self._text[comma : comma + 1] = b"]"
        try:
            return _decode_rows(memoryview(self._text)[begin - 1 : comma + 1])
        except (msgspec.DecodeError, RecursionError):
            self._text[comma : comma + 1] = b","
            return []

    def _drop(self, begin: int, end: int) -> None:
        """Leave what stands outside of two places; what was read there still lies where it was."""
        text = self._text
        self._text = text[:begin]
        self._text += memoryview(text)[end:]


class _PartsCutter(_Cutter):
    """Cuts whole records off, and off a long one what its inner array lists so far."""

    def __init__(self, head: bytes, inner: str) -> None:
        super().__init__(head)
        self._inner = re.compile(rb'"%s"\s*:\s*\[' % re.escape(inner.encode()))
        self._starts: re.Pattern[bytes] | None = None

    def _cut(self) -> Iterator[tuple[list[msgspec.Raw], bool]]:
        begin = len(self._head)
        if rows := self._whole(begin):
            yield rows, False
        if len(self._text) - begin >= PIECE and (part := self._part(begin)) is not None:
            yield [part], True

    def _whole(self, begin: int) -> list[msgspec.Raw]:
        """Cut whole records off: they begin with the same two keys, and what they list with others."""
        if self._starts is None:
            first = _FIRST_KEY.match(self._text, begin)
            second = first and _SECOND_KEY.match(self._text, first.end())
            if not first or not second:
                return []
            value = rb"\s*(?:" + _TEXT + rb"|[-+.\w]+)\s*,\s*"
            self._starts = re.compile(rb",\s*(" + re.escape(first[1]) + value + re.escape(second[1]) + rb")")
        places = [(found.start(), found.start(1)) for found in self._starts.finditer(self._text, begin)]
        for comma, place in reversed(places[-2:]):
            if rows := self._until(begin, comma):
                self._drop(begin, place)
                return rows
        return []

    def _part(self, begin: int) -> msgspec.Raw | None:
        """Cut off what the first record lists so far, as a record; None where it lists nothing, or its head is long."""
        for found in islice(self._inner.finditer(self._text, begin, begin + _LONGEST_FRONT), _TRIES):
            first = _FIRST_KEY.match(self._text, found.end())
            if first is None or _fields(bytes(self._text[begin : found.end()] + b"]}")) is None:
                continue
            for place in islice(_places(self._text, bytes(first[1]), found.end()), 2):
                comma = self._text.rfind(b",", begin, place)
                if self._until(found.end(), comma):
                    part = bytes(self._text[begin : comma + 1]) + b"}"
                    self._drop(found.end(), place)
                    return msgspec.Raw(part)
        return None


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
