"""A receiver of deliveries on this machine: checks each, tells of it, and hands it on (docs/interface.md 11.2)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from threading import Event, Lock, Thread
from typing import Any

import httpx

from acctcli.cli.output.stderr import tell
from acctcli.cli.session.serving import LocalServer
from acctcli.client.redact import shortened
from acctcli.errors import UsageError
from acctcli.models.signature import ID, SIGNATURE, TIMESTAMP, find_fault

# of one delivery, in bytes, and how many connections there may be at once
MOST_BYTES, MOST_CONNECTIONS = 16 * 2**20, 16
# who delivers gives up after 15 s, so that a caller may stand still for as long; what is handed on is answered before
# that, however long it had to wait for others: later it would come again, though the program has it
_PATIENCE, _IN_TURN = 15.0, 2.5
_FORWARDING = httpx.Timeout(10.0, connect=1.0, write=1.0, pool=0.1)
_LONGEST_NAME = 100
# by which a receiver says that it wants nothing any more
_GONE = 410
# what belongs to one connection, or is written anew
_NOT_FORWARDED = {"host", "connection", "content-length", "transfer-encoding", "expect", "keep-alive", "te", "upgrade"}


@dataclass(frozen=True)
class Delivery:
    """One that arrived: what it was sent with, and its body."""

    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        """The id of the event, which stays when it is delivered again."""
        return shortened(self.headers.get(ID, "without an id"), _LONGEST_NAME)


class Receiver:
    """Listens at a port of this machine; `take` is given each delivery that is right, one after the other.

    It returns the status to answer, after which who delivers is satisfied or comes again. Until it is told what the
    service signs with, and once it has `ended`, nothing is taken.
    """

    def __init__(self, port: int, take: Callable[[Delivery], int], ended: Event) -> None:
        """Raise UsageError where the port is taken."""
        self._key: bytes | None = None
        self._ready = Event()
        self._take, self._ended = take, ended
        self._lock = Lock()
        self.failure: BaseException | None = None
        try:
            self._server = _Server(port, self)
        except OSError as problem:
            raise UsageError(f"--port {port}: {problem.strerror or problem}") from problem
        self.address = f"http://127.0.0.1:{self._server.server_port}/"
        Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def know(self, key: bytes | None) -> None:
        """Take deliveries from now on, checked by this key; without one unchecked, as nobody knows how to."""
        self._key = key
        self._ready.set()

    @property
    def is_ready(self) -> bool:
        """Whether it takes deliveries."""
        return self._ready.is_set()

    def answer(self, delivery: Delivery) -> int:
        """Return the status for a delivery: 400 where it is not right, 503 while none is taken."""
        if not self.is_ready:
            return 503
        fault = self._find_fault(delivery)
        if fault:
            tell(f"refused {delivery.id}: {fault}")
            return 400
        if not self._lock.acquire(timeout=_IN_TURN):
            return 503
        try:
            return 503 if self._ended.is_set() else self._take(delivery)
        except BaseException as failure:  # noqa: BLE001 - told where the command waits
            self.failure = failure
            self._ended.set()
            return 503
        finally:
            self._lock.release()

    def finish(self) -> None:
        """Take no more, and wait for what is being handed on: what the program has is not to come again."""
        self._ended.set()
        with self._lock:
            pass

    def close(self) -> None:
        """Take no more, and listen no longer."""
        self._ended.set()
        self._server.shutdown()
        self._server.server_close()

    def _find_fault(self, delivery: Delivery) -> str | None:
        if self._key is None:
            return None
        name, timestamp, signatures = (delivery.headers.get(header, "") for header in (ID, TIMESTAMP, SIGNATURE))
        return find_fault(self._key, name, timestamp, signatures, delivery.body, time.time())


def forwarding(address: str) -> Callable[[Delivery], int]:
    """Return what hands deliveries on as they came, and returns what was answered; 502 for no answer, 503 for 410."""
    # straight there: it is a program of whoever calls
    client = httpx.Client(trust_env=False, timeout=_FORWARDING, follow_redirects=False)

    def forward(delivery: Delivery) -> int:
        # as bytes: the letters of a header are those that came, which need not be ASCII
        headers = {
            name.encode("latin-1"): value.encode("latin-1")
            for name, value in delivery.headers.items()
            if name not in _NOT_FORWARDED
        }
        try:
            with client.stream("POST", address, content=delivery.body, headers=headers) as response:
                status = response.status_code
        except (httpx.HTTPError, httpx.InvalidURL) as problem:
            tell(f"{delivery.id} was not handed on to {address}: {problem}")
            return 502
        if status == _GONE:
            tell(f"{delivery.id} was answered with {_GONE}, which would end the subscription: it comes again later")
            return 503
        return status

    return forward


class _Server(LocalServer):
    def __init__(self, port: int, receiver: Receiver) -> None:
        self.receiver = receiver
        super().__init__(port, _Handler, MOST_CONNECTIONS)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = _PATIENCE
    server: _Server

    def do_POST(self) -> None:
        """Take a delivery."""
        self.server.heard(self.request)
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit() and len(length) < len(str(MOST_BYTES)) + 1):
            self._say(411)
        elif int(length) > MOST_BYTES:
            self._say(413)
        else:
            body = self.rfile.read(int(length))
            if len(body) == int(length):
                headers = {name.lower(): value for name, value in self.headers.items()}
                self._say(self.server.receiver.answer(Delivery(headers, body)))

    def _say(self, status: int) -> None:
        self.close_connection = status in (411, 413)
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args: Any) -> None:
        """Say nothing: who listens is told of deliveries."""
