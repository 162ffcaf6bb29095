"""A server of one paged list that tells the truth, except where `Lies` says otherwise.

    with lying_server(Lies(rows=250, claimed_count=300)) as server:
        client.get(f"{server.base_url}/v1/any/path/?page=2&page_size=100")

Every path is the list. Rows are `{"id": n, "name": "row n"}`, ids 1 and up, in the order of the list.
"""

from __future__ import annotations

import contextlib
import json
import threading
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import parse_qs, urlsplit

from tests.loopback import LoopbackHandler, LoopbackServer, running

DEFAULT_PAGE_SIZE = 30
_JSON = ("Content-Type", "application/json")
_MEBIBYTE = 1024 * 1024


class Change(StrEnum):
    """How the list changes under the reader."""

    INSERT_AT_FRONT = "every row moves one place back"
    DELETE_AT_FRONT = "every row moves one place forward"
    APPEND = "one row more at the end"
    DELETE_AT_END = "one row fewer at the end"


class Body(StrEnum):
    """What is sent instead of a page."""

    GARBAGE = "bytes that are neither JSON nor text"
    TRUNCATED = "half of the JSON, under its own length"
    CUT_OFF = "half of the JSON, under the whole length, then closed"
    HUGE = "`size` bytes of JSON"
    GZIP_BOMB = "`size` bytes of JSON, compressed a thousandfold"
    BAD_GZIP = "called gzip, but is not"
    DRIP = "one byte every `drip_seconds`, until the client leaves"
    HTML = "an error page for people"
    EMPTY = "nothing"
    NULL = "the JSON null"
    LIST = "the rows without an envelope"
    NO_RESULTS = "an envelope whose results are null"
    TEXT_COUNT = "an envelope whose count is a text"
    REDIRECT = "302 to `redirect_to`"


@dataclass(frozen=True)
class Lies:
    """What is false about the list; page numbers start at 1."""

    rows: int = 0
    pad: int = 0
    """Bytes of filler in each row."""
    pretty: bool = False
    """Whether rows are spread over lines."""
    claimed_count: int | None = None
    repeated_page: int | None = None
    """This page shows the rows of the page before it."""
    missing_row: int | None = None
    """The row with this id is counted but never shown."""
    change: Change | None = None
    change_after: int = 1
    """The list changes once, when this page has been served."""
    keeps_changing: bool = False
    """It changes again every time that page has been served."""
    body: Body | None = None
    body_page: int | None = None
    """The only page with the odd body; None means all of them."""
    body_times: int | None = None
    """How often the odd body is sent before the server is honest; None means always."""
    status: int = 200
    """The status of the odd body."""
    size: int = 64 * _MEBIBYTE
    drip_seconds: float = 0.05
    redirect_to: str = ""


@dataclass(frozen=True)
class Seen:
    """One request: its path, its page, and the credential it carried."""

    method: str
    path: str
    page: int
    authorization: str | None


class LyingServer(LoopbackServer):
    """The server; `seen` holds the requests in the order they came."""

    def __init__(self, lies: Lies) -> None:
        super().__init__(_Handler)
        self.lies = lies
        self.seen: list[Seen] = []
        self._ids = list(range(1, lies.rows + 1))
        self._next_id = lies.rows + 1
        self._changes_left = -1 if lies.keeps_changing else 1
        self._odd_left = -1 if lies.body_times is None else lies.body_times
        self._lock = threading.Lock()

    def page(self, number: int, size: int) -> dict[str, object] | None:
        """Return the envelope of a page, lies included, or None beyond the last; change the list if it is time."""
        with self._lock:
            envelope = self._envelope(number, size)
            if number == self.lies.change_after and self.lies.change and self._changes_left:
                self._changes_left -= 1
                self._change(self.lies.change)
            return envelope

    def odd_body(self, number: int) -> Body | None:
        """Return what to send instead of page `number`, if anything, and count it."""
        with self._lock:
            if self.lies.body is None or self.lies.body_page not in {None, number} or not self._odd_left:
                return None
            self._odd_left -= 1
            return self.lies.body

    def _envelope(self, number: int, size: int) -> dict[str, object] | None:
        last = max(1, -(-len(self._ids) // size))
        if not 1 <= number <= last:
            return None
        shown = number - 1 if number == self.lies.repeated_page else number
        ids = self._ids[(shown - 1) * size : shown * size]
        count = len(self._ids) if self.lies.claimed_count is None else self.lies.claimed_count
        return {
            "count": count,
            "next": number + 1 if number < last else None,
            "prev": number - 1 if number > 1 else None,
            "size": size,
            "results": [self._row(row) for row in ids if row != self.lies.missing_row],
        }

    def _row(self, row: int) -> dict[str, object]:
        filler = {"filler": "x" * self.lies.pad} if self.lies.pad else {}
        return {"id": row, "name": f"row {row}", **filler}

    def _change(self, change: Change) -> None:
        match change:
            case Change.INSERT_AT_FRONT:
                self._ids.insert(0, self._new_id())
            case Change.DELETE_AT_FRONT:
                del self._ids[:1]
            case Change.APPEND:
                self._ids.append(self._new_id())
            case Change.DELETE_AT_END:
                del self._ids[-1:]

    def _new_id(self) -> int:
        self._next_id += 1
        return self._next_id - 1


class _Handler(LoopbackHandler):
    server: LyingServer

    def answer(self) -> None:
        self.read_body()
        query = parse_qs(urlsplit(self.path).query)
        number = int(query.get("page", ["1"])[0])
        size = int(query.get("page_size", [str(DEFAULT_PAGE_SIZE)])[0])
        credential = self.headers.get("Authorization")
        self.server.seen.append(Seen(self.command, self.path, number, credential))
        odd = self.server.odd_body(number)
        if odd is None:
            self._send_page(self.server.page(number, size))
        else:
            self._send_odd(odd, self.server.page(number, size))

    def _send_page(self, page: dict[str, object] | None) -> None:
        if page is None:
            problem = {"detail": "Invalid page.", "code": "not_found"}
            self.send(self.reply(404, [_JSON], json.dumps(problem).encode()))
            return
        self.send(self.reply(200, [_JSON], self._encode(page)))

    def _encode(self, content: object) -> bytes:
        return json.dumps(content, indent=2 if self.server.lies.pretty else None).encode()

    def _send_odd(self, odd: Body, page: dict[str, object] | None) -> None:
        match odd:
            case Body.REDIRECT:
                self.send(self.reply(302, [("Location", self.server.lies.redirect_to)]))
            case Body.DRIP:
                self._drip()
            case Body.HUGE | Body.GZIP_BOMB:
                self._send_huge(compressed=odd is Body.GZIP_BOMB)
            case Body.CUT_OFF:
                self._send_cut_off(self._encode(page))
            case _:
                headers, body = self._odd_reply(odd, page or {})
                self.send(self.reply(self.server.lies.status, headers, body))

    def _odd_reply(self, odd: Body, page: dict[str, object]) -> tuple[list[tuple[str, str]], bytes]:
        whole = self._encode(page)
        replies = {
            Body.GARBAGE: ([_JSON], bytes(range(256))),
            Body.TRUNCATED: ([_JSON], whole[: len(whole) // 2]),
            Body.BAD_GZIP: ([_JSON, ("Content-Encoding", "gzip")], whole),
            Body.HTML: ([("Content-Type", "text/html")], b"<!doctype html><h1>Something went wrong</h1>"),
            Body.EMPTY: ([], b""),
            Body.NULL: ([_JSON], b"null"),
            Body.LIST: ([_JSON], self._encode(page.get("results"))),
            Body.NO_RESULTS: ([_JSON], self._encode({**page, "results": None})),
            Body.TEXT_COUNT: ([_JSON], self._encode({**page, "count": "many"})),
        }
        return replies[odd]

    def _send_cut_off(self, whole: bytes) -> None:
        length = ("Content-Length", str(len(whole)))
        self.send(self.reply(self.server.lies.status, [_JSON, length], whole[: len(whole) // 2]))
        self.hang_up()

    def _drip(self) -> None:
        self.send(self.reply(self.server.lies.status, [_JSON, ("Content-Length", str(_MEBIBYTE))], b'{"a": "'))
        for _ in range(_MEBIBYTE):
            if self.server.closing.wait(self.server.lies.drip_seconds):
                break
            self.send(b"x")
        self.hang_up()

    def _send_huge(self, *, compressed: bool) -> None:
        # without a length, as a server does that makes its reply while it sends
        encoding = [("Content-Encoding", "gzip")] if compressed else []
        self.send(self.reply(self.server.lies.status, [_JSON, *encoding, ("Transfer-Encoding", "chunked")]))
        for piece in _gzip(self._huge()) if compressed else self._huge():
            self.send(b"%x\r\n%b\r\n" % (len(piece), piece))
        self.send(b"0\r\n\r\n")

    def _huge(self) -> Iterator[bytes]:
        yield b'{"count": 1, "next": null, "prev": null, "size": 1, "results": [{"id": 1, "name": "'
        for _ in range(self.server.lies.size // _MEBIBYTE):
            yield b"x" * _MEBIBYTE
        yield b'"}]}'


def _gzip(pieces: Iterator[bytes]) -> Iterator[bytes]:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    for piece in pieces:
        if packed := packer.compress(piece):
            yield packed
    yield packer.flush()


@contextlib.contextmanager
def lying_server(lies: Lies) -> Iterator[LyingServer]:
    """Run a server of the list that `lies` describes."""
    server = LyingServer(lies)
    with running(server):
        yield server
