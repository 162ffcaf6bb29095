"""Pages to rows: streamed, concurrent, in order, and complete or an error.

A list is read page by number, so a change on the server while it is read can repeat or skip rows. What can
be seen is checked: the count each page states, its length, ids that come twice, the number of rows at the end.
When something does not fit, the page is read once more; when the count itself moved, the pages already handed
out are read again and must be unchanged. Otherwise the list ends with Incomplete (exit 10). One change no reader
of numbered pages can see: a row deleted and another added further on between two pages, so that every count
still agrees.
"""

from __future__ import annotations

import os
import re
from array import array
from collections import deque
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, partial
from hashlib import blake2b

import msgspec

from acctcli.client.bounds import PAGE, PAGE_AHEAD, RECORD, ROW, Limit, TooLarge
from acctcli.client.faults import half_character, unreadable
from acctcli.client.http import Http
from acctcli.client.keys import comes_twice
from acctcli.client.messages import Extent, Reply
from acctcli.client.urls import Query
from acctcli.client.workers import Awaited, Workers
from acctcli.errors import Incomplete, NotFound

# a page that is late must not leave a connection idle: one more is asked for than are on the way at once
_AHEAD = 1
# how often a list from which rows are removed is read from the start
_LOOKS = 5
# a page larger than this in bytes is looked at before its rows become objects; no page asked for has so many of them
_LARGE = 2 * 2**20
_MOST_ROWS = 10_000
_FIELDS = frozenset({"count", "next", "prev", "size", "results"})
# how what is said of a list begins that is not one whole
CHANGED = "the list changed while it was read"
_NO_PAGE = "something that is not a page of a list"
# the words that a set of ids begins with
_FEWEST = 1024
_ALL_BITS = 2**64 - 1
# of glibc's malloc.h
_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8


class _Envelope(msgspec.Struct, gc=False):
    """One page (docs/interface.md 1.3); older services send `next` as a URL."""

    count: int
    results: list[msgspec.Raw] | None
    next: int | str | None = None


class _Identity(msgspec.Struct, gc=False):
    id: int | str | None = None


# ids, 16 that lie together in one word: the bits of each word
Words = dict[int, int]
_decode_envelope = msgspec.json.Decoder(_Envelope).decode
_decode_identity = msgspec.json.Decoder(_Identity).decode
_decode_fields = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_find_id = re.compile(rb'\{\s*"id"\s*:\s*([0-9]{1,18})\s*[,}]').match


@dataclass(frozen=True)
class _Page:
    count: int
    rows: list[msgspec.Raw]
    ids: array[int]
    more: bool

    @cached_property
    def words(self) -> Words:
        """The ids of the page as bits."""
        words: Words = {}
        for one in self.ids:
            words[one >> 4] = words.get(one >> 4, 0) | 1 << (one & 15)
        return words

    def digest(self) -> bytes:
        return blake2b(self.ids.tobytes(), digest_size=16).digest()


class Listing:
    """The rows of a list as raw JSON slices, page by page; iterate once.

    `total` is the service's count, known after the first page.
    """

    def __init__(self, http: Http, path: str, query: Query, extent: Extent) -> None:
        self._http = http
        self._path = path
        self._query = query
        self._extent = extent
        self._ahead = extent.in_flight + _AHEAD
        self.total: int | None = None
        self.shown = 0

    def __iter__(self) -> Iterator[list[msgspec.Raw]]:
        first = self._fetch(1)
        self.total = first.count
        wanted = first.count if self._extent.limit is None else min(self._extent.limit, first.count)
        check = _Completeness(first, wanted)
        yield from self._hand_out(check, first)
        del first
        if check.last_page > 1:
            _keep_buffers()
            with Workers(min(self._extent.in_flight, check.last_page - 1), self._fetch_ahead) as workers:
                yield from self._rest(check, workers)
        check.close()
        self.total = check.count

    def while_it_grows(self) -> Iterator[list[msgspec.Raw]]:
        """Yield the rows that are there throughout, maybe twice, although others are added meanwhile.

        What is added moves rows to later pages, where they come again; only what is removed makes rows be missed.
        """
        for _ in range(_LOOKS):
            if (yield from self._is_walked()):
                return
        raise _changed("rows were removed from it again and again")

    def _is_walked(self) -> Generator[list[msgspec.Raw], None, bool]:
        """Yield the pages one after another; return whether no row was removed meanwhile and none is missing."""
        first = self._fetch(1)
        due = count = first.count
        page: _Page | None = first
        seen = _Seen()
        found = 0
        number = 1
        while page is not None and page.count >= count:
            count = page.count
            new = seen.add(page.words)
            found += new
            yield page.rows
            if not page.more or not new:
                return not page.more and found >= due
            number += 1
            page = _found(partial(self._fetch, number))
        return False

    def _hand_out(self, check: _Completeness, page: _Page) -> Iterator[list[msgspec.Raw]]:
        rows = check.accept(page)
        self.shown += len(rows)
        if rows:
            yield rows

    def _rest(self, check: _Completeness, workers: Workers[int, _Page]) -> Iterator[list[msgspec.Raw]]:
        window: deque[Awaited[_Page]] = deque()
        ahead = 2
        number = 2
        while number <= check.last_page:
            while ahead <= check.last_page and len(window) < self._ahead:
                window.append(workers.submit(ahead))
                ahead += 1
            page = _found(partial(self._next, window, number))
            if check.fault(number, page) is not None:
                window.clear()
                page = self._read_again(check, number, workers)
                ahead = number + 1
            assert page is not None
            yield from self._hand_out(check, page)
            del page
            number += 1

    def _read_again(self, check: _Completeness, number: int, workers: Workers[int, _Page]) -> _Page:
        """Read a page that did not fit once more; if the count moved, prove that what was handed out still stands."""
        page = _found(lambda: self._fetch(number))
        fault = check.fault(number, page)
        if fault is not None and page is not None and page.count != check.count and not check.moved:
            for before, again in self._from_the_start(number, workers):
                if not check.stands(before, again, page.count):
                    raise _changed(f"page {before} is not what it was")
            check.move(page)
            fault = check.fault(number, page)
        if fault is not None or page is None:
            raise _changed(fault or f"page {number} is gone")
        return page

    def _from_the_start(self, end: int, workers: Workers[int, _Page]) -> Iterator[tuple[int, _Page]]:
        """Yield the pages before `end` again, with no more of them ahead than the first time."""
        window: deque[Awaited[_Page]] = deque()
        for number in range(1, end):
            while len(window) < min(self._ahead, end - number):
                window.append(workers.submit(number + len(window)))
            yield number, self._next(window, number)

    def _next(self, window: deque[Awaited[_Page]], number: int) -> _Page:
        """Return a page that was asked for ahead; what is too large for that is read alone, with all behind it."""
        if window:
            try:
                return window.popleft().result()
            except TooLarge:
                window.clear()
                self._ahead = 0
        return self._fetch(number)

    def _fetch_ahead(self, number: int) -> _Page:
        return self._fetch(number, PAGE_AHEAD)

    def _fetch(self, number: int, limit: Limit | None = None) -> _Page:
        query = {**self._query, "page": number, "page_size": self._extent.size}
        return read_page(self._http.send("GET", self._path, query=query, limit=limit or PAGE))


def _found(fetch: Callable[[], _Page]) -> _Page | None:
    """The page, or None when the service says there is no such page any more."""
    try:
        return fetch()
    except NotFound:
        return None


def read_page(reply: Reply) -> _Page:
    """Decode the envelope of a page, which is checked; the rows stay slices of the reply."""
    try:
        if len(reply.body) > _LARGE:
            _decode_counted()(reply.body)
        envelope = _decode_envelope(reply.body)
        rows = envelope.results or []
        if max(map(len, rows), default=0) > ROW.values:  # a shorter one holds no more
            for row in rows:
                ROW.check(row, "a row of the list")
        ids = array("q", map(_id_of, rows))
        is_page = not comes_twice(reply.body, rows) and (
            # an empty list may be null, but not where the reply is about something else
            envelope.results is not None or (RECORD.allows(reply.body) and _decode_fields(reply.body).keys() <= _FIELDS)
        )
    except (msgspec.DecodeError, OverflowError, RecursionError) as problem:
        raise unreadable(reply, half_character(reply.body) or _NO_PAGE) from problem
    if not is_page:
        raise unreadable(reply, _NO_PAGE)
    return _Page(envelope.count, rows, ids, envelope.next is not None)


@cache
def _decode_counted() -> Callable[[bytes], object]:
    """Return what reads a page as the envelope does, but fails at the row that is one too many."""
    rows = [(f"row{number}", msgspec.Raw, msgspec.Raw()) for number in range(_MOST_ROWS)]
    counted = msgspec.defstruct("Rows", rows, array_like=True, forbid_unknown_fields=True, gc=False)
    return msgspec.json.Decoder(msgspec.defstruct("Counted", [("results", counted | None, None)])).decode


def _keep_buffers() -> None:
    """Make glibc keep the pages' buffers, in one heap for all threads.

    Giving them back to the kernel after every page and faulting them in again costs half of the rows a second. Pages
    are made by threads that fetch and freed by the one that writes: with a heap for each thread, memory grew with the
    length of the list. Other C libraries are left alone.
    """
    import ctypes

    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return
    for parameter, value in ((_TRIM_THRESHOLD, 64 << 20), (_MMAP_THRESHOLD, 32 << 20), (_ARENA_MAX, 1)):
        mallopt(parameter, value)


class _Completeness:
    """The completeness of a list: what each page must look like, and what has been handed out."""

    def __init__(self, first: _Page, wanted: int) -> None:
        self.count = first.count
        self.moved = False
        self._whole = wanted == first.count
        self._wanted = wanted
        self._size = len(first.rows) if first.more else max(len(first.rows), first.count)
        self._digests: list[bytes] = []
        self._handed_out = 0
        self._seen = _Seen()
        fault = self.fault(1, first)
        if fault is not None:
            raise Incomplete(fault, hint="the service contradicts itself; nothing can be concluded from this list")

    @property
    def last_page(self) -> int:
        """The number of the last page wanted."""
        return max(1, -(-self._wanted // self._size)) if self._size else 1

    def fault(self, number: int, page: _Page | None) -> str | None:
        """Say what is wrong with a page; None when it fits everything seen so far."""
        if page is None:
            return f"page {number} is gone"
        if page.count != self.count:
            return f"the count went from {self.count} to {page.count}"
        pages = max(1, -(-self.count // self._size)) if self._size else 1
        due = min(self._size, self.count - (number - 1) * self._size)
        if len(page.rows) != due:
            return f"page {number} has {len(page.rows)} of the {due} that the count of {self.count} makes"
        if page.more != (number < pages):
            return f"page {number} {'has a' if page.more else 'has no'} next page, but the count is {self.count}"
        if len(frozenset(page.ids)) != len(page.ids) or self._seen.any_of(page.words):
            return f"page {number} repeats rows"
        return None

    def accept(self, page: _Page) -> list[msgspec.Raw]:
        """Enter a page that fits; return the rows of it that are wanted."""
        self._digests.append(page.digest())
        self._seen.add(page.words)
        rows = page.rows[: self._wanted - self._handed_out]
        self._handed_out += len(rows)
        return rows

    def stands(self, number: int, again: _Page, count: int) -> bool:
        """Whether a page read again holds the same records in the same order, under the new count."""
        return again.count == count and again.digest() == self._digests[number - 1]

    def move(self, page: _Page) -> None:
        """Take over a count that changed behind the pages handed out."""
        self.moved = True
        self.count = page.count
        if self._whole:
            self._wanted = page.count

    def close(self) -> None:
        """Raise Incomplete unless exactly the rows wanted were handed out."""
        if self._handed_out != self._wanted:
            raise _changed(f"{self._handed_out} came of the {self._wanted} that were due")


class _Seen:
    """A set of ids in a table of words: 16 ids that lie together share one, with a bit each.

    An id that lies alone takes 20 to 40 bytes, where a set of Python's takes a hundred. Where a word lies in the table
    is nothing that a server can know.
    """

    def __init__(self) -> None:
        self._factor = int.from_bytes(os.urandom(8)) | 1
        self._used = 0
        self._make(_FEWEST)

    def add(self, words: Words) -> int:
        """Remember ids; return how many of them are new."""
        new = 0
        for word, marks in words.items():
            slot = self._slot(word)
            before = self._bits[slot]
            if not before:
                if 2 * self._used >= len(self._bits):
                    self._grow()
                    slot = self._slot(word)
                self._used += 1
                self._words[slot] = word
            self._bits[slot] = before | marks
            new += (marks & ~before).bit_count()
        return new

    def any_of(self, words: Words) -> bool:
        """Whether one of the ids was remembered."""
        bits, slot_of = self._bits, self._slot
        return any(bits[slot_of(word)] & marks for word, marks in words.items())

    def _slot(self, word: int) -> int:
        """Return where a word lies, or the empty place where it would."""
        bits, words = self._bits, self._words
        slot = (word * self._factor & _ALL_BITS) >> self._shift
        while bits[slot] and words[slot] != word:
            slot = (slot + 1) % len(bits)
        return slot

    def _make(self, size: int) -> None:
        """Make an empty table; its size is a power of two."""
        self._words, self._bits = array("q", [0]) * size, array("H", [0]) * size
        self._shift = 65 - size.bit_length()

    def _grow(self) -> None:
        words, bits = self._words, self._bits
        self._make(2 * len(bits))
        for word, found in zip(words, bits, strict=True):
            if found:
                slot = self._slot(word)
                self._words[slot], self._bits[slot] = word, found


def _changed(what: str) -> Incomplete:
    return Incomplete(
        f"{CHANGED}: {what}",
        hint="what was printed is not the whole list; run the command again",
    )


def _id_of(row: msgspec.Raw) -> int:
    """The record's id as a number; a hash of it (or of the row) when it is no integer."""
    match = _find_id(row)
    if match:
        return int(match[1])
    record = _decode_identity(row)
    if isinstance(record.id, int):
        return record.id
    text = str(record.id).encode() if record.id is not None else bytes(row)
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big", signed=True)
