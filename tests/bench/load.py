"""A load generator: keep-alive connections, one request after the other on each, in one thread.

Run as `python -m tests.bench.load` with an Order as JSON on stdin; prints a Report as JSON. In a target or
a body `{n}` stands for the request's number; every POST carries an Idempotency-Key of its own.
"""

from __future__ import annotations

import json
import selectors
import socket
import sys
import time
import uuid
from dataclasses import asdict, dataclass, field

# JSON holds no bare line ends, so this cannot stand inside a body
LAST_CHUNK = b"\r\n0\r\n\r\n"
PATIENCE = 30.0  # seconds


@dataclass(frozen=True)
class Order:
    """What to send: for `seconds` after `warmup` seconds, or exactly `requests` requests."""

    port: int
    target: str
    token: str
    body: str | None = None
    connections: int = 8
    seconds: float = 3.0
    warmup: float = 0.5
    requests: int | None = None
    first_number: int = 0
    cycle: int | None = None  # {n} starts again after this many

    def render(self, number: int) -> bytes:
        """Return request `number` as it goes on the wire."""
        shown = str(self.first_number + (number % self.cycle if self.cycle else number))
        target = self.target.replace("{n}", shown)
        common = f"Host: 127.0.0.1:{self.port}\r\nAuthorization: Token {self.token}\r\nAccept: application/json\r\n"
        if self.body is None:
            return f"GET {target} HTTP/1.1\r\n{common}\r\n".encode()
        body = self.body.replace("{n}", shown).encode()
        head = (
            f"POST {target} HTTP/1.1\r\n{common}Content-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\nIdempotency-Key: {uuid.uuid4()}\r\n\r\n"
        )
        return head.encode() + body


@dataclass
class Report:
    """What came back: replies by status, within `seconds`."""

    seconds: float
    statuses: dict[str, int]

    @property
    def per_second(self) -> float:
        """Return replies per second."""
        return sum(self.statuses.values()) / self.seconds


class BadReply(Exception):
    """A connection that broke in the middle of a reply, or a server that fell silent."""


@dataclass
class Connection:
    """One connection and the reply it is reading."""

    port: int
    peer: socket.socket = field(init=False)
    received: bytearray = field(default_factory=bytearray)
    expected: int | None = None
    status: str = ""
    chunked: bool = False
    closing: bool = False

    def __post_init__(self) -> None:
        self.peer = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        self.peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, request: bytes) -> None:
        """Send the next request."""
        self.received.clear()
        self.expected, self.chunked, self.status = None, False, ""
        self.peer.sendall(request)

    def read(self) -> bool:
        """Take what has arrived; return whether the reply is whole."""
        chunk = self.peer.recv(262_144)
        if not chunk:
            raise BadReply(bytes(self.received[:500]))
        self.received += chunk
        if not self.status:
            self._read_head()
        if self.chunked:
            return self.received.endswith(LAST_CHUNK)
        return self.expected is not None and len(self.received) >= self.expected

    def _read_head(self) -> None:
        end = self.received.find(b"\r\n\r\n")
        if end < 0:
            return
        first, *lines = bytes(self.received[:end]).lower().split(b"\r\n")
        headers = dict(line.split(b": ", 1) for line in lines if b": " in line)
        self.status = first.split(b" ")[1].decode()
        self.closing = headers.get(b"connection") == b"close"
        self.chunked = headers.get(b"transfer-encoding") == b"chunked"
        if not self.chunked:
            self.expected = end + 4 + int(headers[b"content-length"])


class Generator:
    """Keeps every connection busy until the order is filled."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.sent = 0
        self.statuses: dict[str, int] = {}
        self.selector = selectors.DefaultSelector()

    def run(self) -> Report:
        """Fill the order and report."""
        try:
            for _ in range(min(self.order.connections, self.order.requests or self.order.connections)):
                self._start(Connection(self.order.port))
            return self._measure()
        finally:
            self._close()

    def _measure(self) -> Report:
        timed = self.order.requests is None
        if timed:
            self._pump(time.perf_counter() + self.order.warmup)
            self.statuses.clear()
        began = time.perf_counter()
        self._pump(began + self.order.seconds if timed else None)
        return Report(time.perf_counter() - began, self.statuses)

    def _may_send(self) -> bool:
        return self.order.requests is None or self.sent < self.order.requests

    def _start(self, connection: Connection) -> None:
        self.selector.register(connection.peer, selectors.EVENT_READ, connection)
        self._send(connection)

    def _send(self, connection: Connection) -> None:
        connection.send(self.order.render(self.sent))
        self.sent += 1

    def _pump(self, until: float | None) -> None:
        while self.selector.get_map() and (until is None or time.perf_counter() < until):
            ready = self.selector.select(PATIENCE)
            if not ready:
                raise BadReply(f"nothing came for {PATIENCE} seconds")
            for key, _ in ready:
                self._serve(key.data)

    def _serve(self, connection: Connection) -> None:
        if not connection.read():
            return
        self.statuses[connection.status] = self.statuses.get(connection.status, 0) + 1
        if self._may_send() and not connection.closing:
            self._send(connection)
            return
        self.selector.unregister(connection.peer)
        connection.peer.close()
        if self._may_send():
            self._start(Connection(self.order.port))

    def _close(self) -> None:
        for key in list(self.selector.get_map().values()):
            key.data.peer.close()
        self.selector.close()


def main() -> None:
    """Read the order, fill it, print the report."""
    order = Order(**json.load(sys.stdin))
    json.dump(asdict(Generator(order).run()), sys.stdout)


if __name__ == "__main__":
    main()
