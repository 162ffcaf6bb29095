"""Clients that take their time: how many of their requests are under way, and when they are given up.

granian waits for a body as long as its sender likes, and for a reader of a reply, and holds a thread meanwhile. So one
address, and one sender of bodies, may hold a part of the threads only, and a watch ends connections on which less than
a least rate arrives or leaves for too long. The server does not tell a request's connection, but the system tells of
each connection what moved on it and when: one that is owed an answer, of an address whose bodies are waited for, and
that cannot belong to a request that is being worked on, is a sender who stands still.

granian itself ends a connection on which no request has come for half a minute. When descriptors get scarce, the watch
ends those that have been idle longest sooner, and it opens nothing to look: it goes on looking when there is none left.
"""

from __future__ import annotations

import os
import re
import secrets
import socket
import struct
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from acctcli.service.http.answers import refusal
from acctcli.service.http.logs import LOG
from acctcli.service.problems import Throttled
from acctcli.service.routes.operation import MAX_UPLOAD

if sys.platform == "linux":
    # not when they are needed: a module is loaded from a file, for which there may be no descriptor then
    from fcntl import F_GETFD, fcntl, ioctl
    from resource import RLIMIT_NOFILE, getrlimit
    from termios import TIOCOUTQ

# of the 256 threads of a worker: three quarters, so that one address leaves some to others
MOST_OF_ADDRESS = 192
# half of them, so that a sender whose bodies all stand still is answered what has none
MOST_BODIES_OF_SENDER = 128
# bytes a second: the slowest lines there are carry more
LEAST_RATE = 1024
# a reader may be a pager
READERS_PATIENCE = 10
# a body without a length is read whole: what one may have, with all that stands around its chunks
MOST_WHOLE = MAX_UPLOAD + 2**22
LOOK_SECONDS = 1.0
QUICK_SECONDS = 0.05
# how far clocks of threads and of the system may be apart
SLACK_SECONDS = 1.0
# of the descriptors there may be: the rest is for the database and the files of requests
FULL = 0.75
STATUS = "/proc/self/status"
STATUS_BYTES = 4096
SLOTS = re.compile(rb"\nFDSize:\s*([0-9]+)")
INFO_BYTES = 136
INFO = struct.Struct("=44xI4xI64xQQ")
INTERNET = (socket.AF_INET, socket.AF_INET6)
AT_ONCE = struct.pack("ii", 1, 0)
STATUS_LINE = "429 Too Many Requests"


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
    """The body of a visit as it arrives."""

    def __init__(self, stream: Any, visit: Visit, guard: Guard) -> None:
        self._stream = stream
        self._visit = visit
        self._guard = guard
        self._is_counted = False

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


class Guard:
    """The application as it is served, with what is under way counted."""

    def __init__(self, app: Callable[..., Iterable[bytes]]) -> None:
        self._app = app
        self._lock = threading.Lock()
        self.held: Counter[str] = Counter()
        self.visits: set[Visit] = set()
        # set when a body of unknown length begins: memory fills faster than usual looks follow
        self.hurry = threading.Event()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """Answer a WSGI call, with 429 when its address has too many requests under way."""
        address = environ.get("REMOTE_ADDR", "")
        sender = f"{address} {environ.get('HTTP_AUTHORIZATION')}"
        visit = Visit(address, sender, time.monotonic(), expects="HTTP_EXPECT" in environ)
        try:
            self._count(address, MOST_OF_ADDRESS)
        except Throttled as problem:
            return _refuse(problem, start_response)
        incoming = environ["wsgi.input"] = Incoming(environ["wsgi.input"], visit, self)
        self.visits.add(visit)
        try:
            chunks = self._app(environ, start_response)
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
        self._count(visit.sender, MOST_BODIES_OF_SENDER)

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


def _refuse(problem: Throttled, start_response: Any) -> list[bytes]:
    answer = refusal(problem, name := secrets.token_hex(16))
    usual = [("Content-Type", "application/json"), ("X-Request-Id", name)]
    start_response(STATUS_LINE, [*usual, *answer.headers])
    return [answer.body] if isinstance(answer.body, bytes) else []


class Facts(NamedTuple):
    """What the system says of a connection: how long ago, in seconds, and how many bytes in all."""

    sent_ago: float
    received_ago: float
    acked: int
    received: int
    unsent: int

    @property
    def idle(self) -> float:
        """For how long nothing has been under way: nothing came yet, or it was answered; 0 when something may be."""
        is_answered = not self.unsent and self.sent_ago < self.received_ago
        return self.sent_ago if is_answered or not self.received else 0.0


class Record(NamedTuple):
    """Since when a connection receives, or sends, and where it was then.

    It is of one request: `acked` is what of earlier answers had arrived, and `first` where the connection was.
    """

    sends: bool
    since: float
    progress: int
    acked: int
    first: int


class Watch:
    """Looks at the connections of this process to a port, and ends those that stand still.

    A sender may do so for `patience` seconds, a reader ten times as long.
    """

    def __init__(self, guard: Guard, port: int, patience: float) -> None:
        self._guard = guard
        self._port = port
        self._patience = patience
        self._records: dict[tuple[int, Any], Record] = {}
        # open for as long as this process lives
        self._status = os.open(STATUS, os.O_RDONLY) if sys.platform == "linux" else -1

    def run(self, also: Callable[[float], None]) -> None:
        """Look every second for ever, and more often while a body of unknown length comes; `also` looks as well."""
        pace = min(LOOK_SECONDS, self._patience / 4)
        while True:
            self._guard.hurry.clear()
            whole = any(visit.is_whole and visit.is_reading for visit in list(self._guard.visits))
            time.sleep(QUICK_SECONDS) if whole else self._guard.hurry.wait(pace)
            now = time.monotonic()
            also(now)
            if sys.platform == "linux":
                with suppress(OSError):  # the next look is soon, and `also` has to go on
                    self.look(now)

    def look(self, now: float) -> None:
        """Look once."""
        before, self._records = self._records, {}
        numbers, idle = self._descriptors(), list[tuple[float, int]]()
        for connection in self._connections(numbers):
            with suppress(OSError):  # it may have ended by now
                facts = facts_of(connection)
                self._judge(connection, facts, before, now)
                if facts.idle > SLACK_SECONDS:
                    idle.append((facts.idle, connection.fileno()))
        many = len(numbers) - int(getrlimit(RLIMIT_NOFILE)[0] * FULL)
        if many > 0 and idle:
            self._make_room([number for _, number in sorted(idle, reverse=True)[:many]])

    def _descriptors(self) -> list[int]:
        """Return the numbers of those that are open, without opening one."""
        found = SLOTS.search(os.pread(self._status, STATUS_BYTES, 0))
        assert found is not None
        return list(filter(_is_open, range(int(found[1]))))

    def _connections(self, numbers: Iterable[int]) -> Iterator[socket.socket]:
        """Lend the connections among some descriptors, one after the other."""
        for number in numbers:
            try:
                connection = socket.socket(fileno=number)
            except OSError:
                continue
            try:
                # who listens has no peer, and is no connection
                is_ours = connection.family in INTERNET and connection.getsockname()[1] == self._port
                if is_ours and connection.getpeername():
                    yield connection
            except OSError:
                continue
            finally:
                # never closed: to close what may be a file of the database by now would free its locks
                connection.detach()

    def _make_room(self, numbers: Iterable[int]) -> None:
        """End connections, unless something is under way on them by now."""
        for connection in self._connections(numbers):
            with suppress(OSError):
                peer = connection.getpeername()
                if facts_of(connection).idle > SLACK_SECONDS:
                    connection.shutdown(socket.SHUT_RDWR)
                    LOG.warning("an idle connection of %s ended: descriptors are scarce", peer[0])

    def _judge(
        self, connection: socket.socket, facts: Facts, before: dict[tuple[int, Any], Record], now: float
    ) -> None:
        peer = connection.getpeername()
        sends = facts.unsent > 0
        # both at once: nobody knows, and to end a connection on which nothing is under way is no harm
        if not sends and facts.sent_ago < facts.received_ago and not self._is_told_to_go_on(peer[0]):
            return
        key, progress = (connection.fileno(), peer), facts.acked if sends else facts.received
        record = before.get(key)
        if record is None or record.sends != sends or (not sends and record.acked != facts.acked):
            record = Record(sends, now, progress, facts.acked, progress)
        if fault := self._fault(record, progress, peer[0], now, now - facts.received_ago):
            LOG.warning("a connection of %s ended: its client %s", peer[0], fault)
            # who closes it tells the client at once: one whose data found no room would ask for a minute whether there
            # is some
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
            connection.shutdown(socket.SHUT_RDWR)
            return
        is_long_enough = now - record.since >= self._patience_with(record)
        self._records[key] = record._replace(since=now, progress=progress) if is_long_enough else record

    def _is_told_to_go_on(self, address: str) -> bool:
        """Whether a body is read of an address of which the server has said last that it may come."""
        return any(one.expects and one.is_reading and one.address == address for one in list(self._guard.visits))

    def _patience_with(self, record: Record) -> float:
        return self._patience * (READERS_PATIENCE if record.sends else 1)

    def _fault(self, record: Record, progress: int, address: str, now: float, came: float) -> str | None:
        """Return why a connection is given up; None when it is not."""
        lasted, moved = now - record.since, progress - record.progress
        if not record.sends and progress - record.first > MOST_WHOLE:
            # more than any request has; only a body in tiny chunks beside another one of its address is wronged
            whole = (one for one in list(self._guard.visits) if one.is_whole and one.is_reading)
            return "sends too much" if any(one.address == address for one in whole) else None
        if lasted < self._patience_with(record) or moved >= lasted * LEAST_RATE:
            return None
        if record.sends:
            return "reads too slowly"
        return "sends too slowly" if self._is_awaited(address, now, came) else None

    def _is_awaited(self, address: str, now: float, came: float) -> bool:
        """Whether a connection on which bytes came last at `came` can only be one whose body is waited for."""
        lasting = now - self._patience / 2
        visits = [one for one in list(self._guard.visits) if one.address == address and one.began <= lasting]
        worked_on = (one for one in visits if not one.is_reading)
        return any(one.is_reading for one in visits) and not any(
            one.began - SLACK_SECONDS <= came <= one.read_until + SLACK_SECONDS for one in worked_on
        )


def _is_open(number: int) -> bool:
    with suppress(OSError):
        return fcntl(number, F_GETFD) >= 0
    return False


def facts_of(connection: socket.socket) -> Facts:
    """Return what Linux says of a connection."""
    sent, received, acked, got = INFO.unpack(
        connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, INFO_BYTES)[:INFO_BYTES]
    )
    unsent = struct.unpack("i", ioctl(connection.fileno(), TIOCOUTQ, bytes(4)))[0]
    return Facts(sent / 1000, received / 1000, acked, got, unsent)
