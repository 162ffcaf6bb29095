"""Clients that take their time: how many of their requests are under way, and since when.

granian waits for a body as long as its sender likes, and for a reader of a reply, and holds a thread meanwhile. So one
address, and one sender of bodies, may hold a part of the threads only, and a watch (watch.py) ends connections that
stand still. It is told here what is under way.
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
from acctcli.service.problems import Throttled

# of each worker, where the system grants as many; they are made when there is work for them
THREADS = 256
# so that one address leaves some to others
PART_OF_ADDRESS = 0.75
# so that a sender whose bodies all stand still is answered what has none
PART_OF_BODIES = 0.5
STATUS_LINE = "429 Too Many Requests"
Send = Callable[[int, list[tuple[str, str]], bytes], None]
# in the environ of a request: what sends a whole reply, and who takes one that comes later
SEND = "acctcli.send"
LATER = "acctcli.later"
# what a call returns whose reply comes later
AWAITED: list[bytes] = []


class Visit:
    """One request: who sends it, whether its body is being read, and when the last of that was.

    It `expects` when its sender waits to be told to go on before the body.
    """

    __slots__ = ("address", "began", "expects", "is_reading", "is_whole", "read_until", "sender")

    def __init__(self, address: str, sender: str, began: float, *, expects: bool = False) -> None:
        self.address = address
        self.sender = sender
        self.began = began
        self.expects = expects
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

    def give_back(self) -> None:
        """Count the body no more."""
        if self._is_counted:
            self._guard.uncount(self._visit.sender)


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
        self._lock = threading.Lock()
        self.held: Counter[str] = Counter()
        self.visits: set[Visit] = set()
        # set when a body of unknown length begins: memory fills faster than usual looks follow
        self.hurry = threading.Event()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """Answer a WSGI call, with 429 when its address has too many requests under way."""
        address = environ.get("REMOTE_ADDR", "")
        visit = Visit(address, _sender(environ, address), time.monotonic(), expects="HTTP_EXPECT" in environ)
        incoming = environ["wsgi.input"] = Incoming(environ, visit, self)
        try:
            self._count(address, self._most_of_address)
        except Throttled as problem:
            return _refuse(problem, start_response)
        if SEND in environ:
            environ[LATER] = Later(environ[SEND], partial(self._end, visit, incoming))
        self.visits.add(visit)
        try:
            chunks = self._app(environ, start_response)
        except Awaited:
            return AWAITED
        except BaseException:
            self._end(visit, incoming)
            raise
        if isinstance(chunks, list):
            self._end(visit, incoming)
            return chunks
        return Outgoing(chunks, partial(self._end, visit, incoming))

    def _end(self, visit: Visit, incoming: Incoming) -> None:
        incoming.give_back()
        self.visits.discard(visit)
        self.uncount(visit.address)

    def count_body(self, visit: Visit) -> None:
        """Count a body of a sender in; Throttled beyond what one may have."""
        self._count(visit.sender, self._most_bodies)

    def _count(self, name: str, most: int) -> None:
        with self._lock:
            if self.held[name] >= most:
                raise Throttled
            self.held[name] += 1

    def uncount(self, name: str) -> None:
        """Count one out."""
        with self._lock:
            self.held[name] -= 1
            if not self.held[name]:
                del self.held[name]


def _sender(environ: Mapping[str, Any], address: str) -> str:
    """Name whoever sends a body: a token, from wherever it comes and however it is written, else an address."""
    token = environ.get("HTTP_AUTHORIZATION", "").partition(" ")[2].strip()
    return f"token {token}" if token else f"bodies of {address}"


def _refuse(problem: Throttled, start_response: Any) -> list[bytes]:
    answer = refusal(problem, name := secrets.token_hex(16))
    usual = [("Content-Type", "application/json"), ("X-Request-Id", name)]
    start_response(STATUS_LINE, [*usual, *answer.headers])
    return [answer.body] if isinstance(answer.body, bytes) else []
