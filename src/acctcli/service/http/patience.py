"""Clients that take their time: how many of their requests are under way, and since when.

granian waits for a body as long as its sender likes, and for a reader of a long reply, and holds a thread meanwhile. So
one address, one sender of bodies and one address that reads may hold a part of the threads only, and all senders and
all readers a part as well: some threads are left for what needs neither. A watch (watch.py) ends connections that stand
still. It is told here what is under way.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from acctcli.service.http.answers import Answer, refusal
from acctcli.service.identity.signatures import CONTENT_PATH
from acctcli.service.problems import Throttled

# of each worker, where the system grants as many; they are made when there is work for them
THREADS = 256
# so that one address leaves some to others
PART_OF_ADDRESS = 0.75
# so that a sender whose bodies all stand still is answered what has none, and others may send bodies too
PART_OF_BODIES = 0.5
PART_OF_ALL_BODIES = 0.625
# so that who reads slowly is answered what is short, and others may read too
PART_OF_READERS = 0.1875
PART_OF_ALL_READERS = 0.25
# of these, from when on readers are many
MANY = 0.5
ALL_BODIES = "all bodies"
ALL_READERS = "all readers"
STATUS_LINE = "429 Too Many Requests"
SAFE = ("GET", "HEAD")
Send = Callable[[int, list[tuple[str, str]], bytes], None]
# in the environ of a request: what sends a whole reply, and who takes one that comes later
SEND = "acctcli.send"
LATER = "acctcli.later"
# what a call returns whose reply comes later
AWAITED: list[bytes] = []


class Visit:
    """One request: who sends it, whether its body is being read, and when the last of that was.

    It `expects` when its sender waits to be told to go on before the body. It is counted under all names that it
    `holds`.
    """

    __slots__ = ("address", "began", "expects", "holds", "is_reading", "is_whole", "read_until", "sender")

    def __init__(self, address: str, sender: str, began: float, *, expects: bool = False) -> None:
        self.address = address
        self.sender = sender
        self.began = began
        self.expects = expects
        self.holds: list[str] = []
        self.read_until = began
        self.is_reading = False
        self.is_whole = False


class Incoming:
    """The body of a visit as it arrives; it `is_done` when nothing of it is left."""

    def __init__(self, environ: Mapping[str, Any], visit: Visit, guard: Guard) -> None:
        self._stream = environ["wsgi.input"]
        self._visit = visit
        self._guard = guard
        self._is_counted = False
        # unknown of one in chunks: it is done once it is read whole
        self._left = int(environ.get("CONTENT_LENGTH") or 0)
        self.is_done = not self._left and "HTTP_TRANSFER_ENCODING" not in environ

    def read(self, size: int | None = None, /) -> bytes:
        """Return up to `size` bytes, all for none; Throttled when the sender has too many bodies under way."""
        visit = self._visit
        if not self._is_counted:
            self._guard.count_body(visit)
            self._is_counted = True
        visit.is_whole = size is None or size < 0
        visit.is_reading = True
        if visit.is_whole:
            self._guard.hurry.set()
        try:
            data: bytes = self._stream.read(None if visit.is_whole else size)
        finally:
            visit.is_reading = False
            visit.read_until = time.monotonic()
        self._left -= len(data)
        self.is_done = visit.is_whole or not self._left
        return data


class Outgoing:
    """A long reply on its way: its visit ends when it has left."""

    def __init__(self, chunks: Iterable[bytes], end: Callable[[], None]) -> None:
        self._chunks = chunks
        self._end = end

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._chunks)

    def close(self) -> None:
        """Give up what is being sent, and end the visit."""
        try:
            if hasattr(self._chunks, "close"):
                self._chunks.close()
        finally:
            self._end()


class Awaited(BaseException):
    """The answer to a request comes later: whatever catches Exception lets this through."""


class Later:
    """Sends the answer to a visit that had none when the application ended, and ends the visit.

    Whatever thread has the answer calls it. `headers` are those beside the answer's own.
    """

    __slots__ = ("_end", "_send", "headers")

    def __init__(self, send: Send, end: Callable[[], None]) -> None:
        self._send = send
        self._end = end
        self.headers: Mapping[str, str] = {}

    def __call__(self, answer: Answer) -> None:
        """Send it."""
        body = answer.body if isinstance(answer.body, bytes) else b"".join(answer.body)
        self._send(answer.status, answer.all_headers(self.headers), body)
        self._end()


class Guard:
    """The application as it is served, with what is under way counted."""

    def __init__(self, app: Callable[..., Iterable[bytes]], threads: int = THREADS) -> None:
        self._app = app
        self.threads = threads
        self._most_of_address = int(threads * PART_OF_ADDRESS)
        self._most_bodies = int(threads * PART_OF_BODIES)
        self._most_of_all_bodies = int(threads * PART_OF_ALL_BODIES)
        self._most_readers = int(threads * PART_OF_READERS)
        self._most_of_all_readers = int(threads * PART_OF_ALL_READERS)
        self._lock = threading.Lock()
        self.held: Counter[str] = Counter()
        self.visits: set[Visit] = set()
        # set when a body of unknown length begins: memory fills faster than usual looks follow
        self.hurry = threading.Event()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """Answer a WSGI call, with 429 when its address has too many requests, or readers, under way."""
        address = environ.get("REMOTE_ADDR", "")
        visit = Visit(address, _sender(environ, address), time.monotonic(), expects="HTTP_EXPECT" in environ)
        environ["wsgi.input"] = Incoming(environ, visit, self)
        # what is uploaded is read whole before its first byte is sent
        is_content = environ["PATH_INFO"].startswith(CONTENT_PATH)
        try:
            self._count(visit, (address, self._most_of_address), *(self._reader(visit) if is_content else ()))
        except Throttled as problem:
            return _refuse(problem, start_response)
        if SEND in environ:
            environ[LATER] = Later(environ[SEND], partial(self._end, visit))
        self.visits.add(visit)
        head = _Head()
        try:
            chunks = self._app(environ, head)
        except Awaited:
            return AWAITED
        except BaseException:
            self._end(visit)
            raise
        if isinstance(chunks, list):
            self._end(visit)
            start_response(*head.given)
            return chunks
        outgoing = Outgoing(chunks, partial(self._end, visit))
        try:
            # who reads what came of a write is never told to come again
            if not is_content and environ["REQUEST_METHOD"] in SAFE:
                self._count(visit, *self._reader(visit))
        except Throttled as problem:
            outgoing.close()
            return _refuse(problem, start_response)
        start_response(*head.given)
        return outgoing

    @property
    def has_many_readers(self) -> bool:
        """Whether readers hold much of what they may hold together."""
        return self.held[ALL_READERS] >= self._most_of_all_readers * MANY

    def count_body(self, visit: Visit) -> None:
        """Count a body of a sender in; Throttled beyond what one, and all, may have."""
        self._count(visit, (visit.sender, self._most_bodies), (ALL_BODIES, self._most_of_all_bodies))

    def _reader(self, visit: Visit) -> tuple[tuple[str, int], ...]:
        """Return the shares of who reads a long reply."""
        return (f"readers of {visit.address}", self._most_readers), (ALL_READERS, self._most_of_all_readers)

    def _count(self, visit: Visit, *shares: tuple[str, int]) -> None:
        """Count a visit under some names, each of which may have so many; Throttled, and under none, beyond that."""
        with self._lock:
            if any(self.held[name] >= most for name, most in shares):
                raise Throttled
            for name, _ in shares:
                self.held[name] += 1
                visit.holds.append(name)

    def _end(self, visit: Visit) -> None:
        self.visits.discard(visit)
        with self._lock:
            self.held.subtract(visit.holds)
            for name in visit.holds:
                if not self.held[name]:
                    del self.held[name]
            visit.holds.clear()


class _Head:
    """Keeps what a reply begins with until it is clear that it is sent."""

    __slots__ = ("given",)

    def __call__(self, *given: Any) -> None:
        self.given = given


def _sender(environ: Mapping[str, Any], address: str) -> str:
    """Name whoever sends a body: a token, from wherever it comes and however it is written, else an address."""
    token = environ.get("HTTP_AUTHORIZATION", "").partition(" ")[2].strip()
    return f"token {token}" if token else f"bodies of {address}"


def _refuse(problem: Throttled, start_response: Any) -> list[bytes]:
    answer = refusal(problem, name := secrets.token_hex(16))
    usual = [("Content-Type", "application/json"), ("X-Request-Id", name)]
    start_response(STATUS_LINE, [*usual, *answer.headers])
    return [answer.body] if isinstance(answer.body, bytes) else []
