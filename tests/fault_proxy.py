"""A proxy on loopback that breaks some of the requests it passes on.

    with fault_proxy(upstream, [Fault.RESET_AFTER]) as proxy:      # the first request, then none
        client.post(f"{proxy.base_url}/v1/...")
    with fault_proxy(upstream, seeded(7, rate=0.3)) as proxy:      # three in ten, the same ones every time

`proxy.deliveries` tells what reached the upstream, `proxy.requests` what each request met.
"""

from __future__ import annotations

import contextlib
import http.client
import random
import select
import socket
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, repeat
from urllib.parse import urlsplit

from tests.loopback import Header, LoopbackHandler, LoopbackServer, running

_HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length", "te", "trailer", "upgrade"}


class Fault(StrEnum):
    """What may happen to a request; the upstream processes it unless said otherwise."""

    NONE = "passed on"
    REFUSED = "reset before a byte was read; not processed"
    RESET_BEFORE = "reset after the request was read; not processed"
    RESET_AFTER = "reset instead of the reply"
    STALL = "no reply until the client leaves"
    STALL_BEFORE = "no reply until the client leaves; not processed"
    HALF_BODY = "half the body under the whole length, then closed"
    THROTTLED = "429 with Retry-After; not processed"
    UNAVAILABLE = "503; not processed"
    TIMED_OUT = "504"
    DUPLICATED = "delivered twice, the second reply returned"


FAULTS = tuple(fault for fault in Fault if fault is not Fault.NONE)
QUICK = tuple(fault for fault in FAULTS if fault not in {Fault.STALL, Fault.STALL_BEFORE})


@dataclass(frozen=True)
class Request:
    """One request as the proxy met it; a refused one has no method, path or key."""

    fault: Fault
    method: str = ""
    path: str = ""
    key: str | None = None


@dataclass(frozen=True)
class Delivery:
    """One request the upstream answered."""

    method: str
    path: str
    key: str | None
    status: int


@dataclass(frozen=True)
class Reply:
    """What the upstream answered, its body as sent (still compressed if it was)."""

    status: int
    headers: list[Header]
    body: bytes


class FaultProxy(LoopbackServer):
    """The proxy; `requests` and `deliveries` are in the order they happened."""

    def __init__(self, upstream: str, schedule: Iterable[Fault], retry_after: str) -> None:
        super().__init__(_Handler)
        self.upstream = urlsplit(upstream)
        self.retry_after = retry_after
        self.requests: list[Request] = []
        self.deliveries: list[Delivery] = []
        self._schedule = chain(schedule, repeat(Fault.NONE))
        self._turn = threading.Lock()

    def next_fault(self) -> Fault:
        with self._turn:
            return next(self._schedule)

    def deliver(self, method: str, path: str, headers: list[Header], body: bytes) -> Reply:
        """Send the request to the upstream on a connection of its own and read the whole reply."""
        host, port = self.upstream.hostname or "", self.upstream.port or 80
        with contextlib.closing(http.client.HTTPConnection(host, port, timeout=60)) as connection:
            connection.putrequest(method, self.upstream.path + path, skip_host=True, skip_accept_encoding=True)
            for name, value in [*headers, ("Host", self.upstream.netloc), ("Content-Length", str(len(body)))]:
                connection.putheader(name, value)
            connection.endheaders(body)
            try:
                answer = connection.getresponse()
                reply = Reply(answer.status, _end_to_end(answer.getheaders()), answer.read())
            except http.client.HTTPException as cut_off:
                raise ConnectionError("the upstream died while it answered") from cut_off
        self.deliveries.append(Delivery(method, path, _key(headers), reply.status))
        return reply


class _Handler(LoopbackHandler):
    server: FaultProxy

    def handle_one_request(self) -> None:
        select.select([self.connection], [], [])
        if not self.connection.recv(1, socket.MSG_PEEK):  # the client has left
            self.hang_up()
            return
        self.fault = self.server.next_fault()
        if self.fault is Fault.REFUSED:
            self.server.requests.append(Request(self.fault))
            self.reset()
            return
        super().handle_one_request()

    def answer(self) -> None:
        self.content = self.read_body()
        self.sent = _end_to_end(self.headers.items())
        self.server.requests.append(Request(self.fault, self.command, self.path, _key(self.sent)))
        match self.fault:
            case Fault.RESET_BEFORE:
                self.reset()
            case Fault.STALL_BEFORE:
                self.wait_for_client_to_leave()
            case Fault.THROTTLED:
                self._refuse(429, [("Retry-After", self.server.retry_after)])
            case Fault.UNAVAILABLE:
                self._refuse(503, [])
            case _:
                self._answer_processed()

    def _answer_processed(self) -> None:
        reply = self._deliver()
        match self.fault:
            case Fault.RESET_AFTER:
                self.reset()
            case Fault.STALL:
                self.wait_for_client_to_leave()
            case Fault.TIMED_OUT:
                self._refuse(504, [])
            case Fault.HALF_BODY:
                self._send_half(reply)
            case Fault.DUPLICATED:
                self._send(self._deliver())
            case _:
                self._send(reply)

    def _deliver(self) -> Reply:
        return self.server.deliver(self.command, self.path, self.sent, self.content)

    def _send(self, reply: Reply) -> None:
        self.send(self.reply(reply.status, reply.headers, reply.body))

    def _send_half(self, reply: Reply) -> None:
        whole = self.reply(reply.status, reply.headers, reply.body)
        # a reply without a body is cut inside its head
        missing = (len(reply.body) + 1) // 2 or len(whole) // 2
        self.send(whole[:-missing])
        self.hang_up()

    def _refuse(self, status: int, headers: list[Header]) -> None:
        self.send(self.reply(status, [*headers, ("Content-Type", "text/html")], b"<h1>Not now</h1>"))


@contextlib.contextmanager
def fault_proxy(upstream: str, schedule: Iterable[Fault] = (), *, retry_after: str = "0") -> Iterator[FaultProxy]:
    """Run a proxy before `upstream` that deals out `schedule`, one fault per request, then none.

    `retry_after` is what THROTTLED says. The requests of one connection meet the schedule in order.
    """
    proxy = FaultProxy(upstream, schedule, retry_after)
    with running(proxy):
        yield proxy


def seeded(seed: int, *, rate: float = 0.3, faults: Sequence[Fault] = QUICK, in_a_row: int = 2) -> Iterator[Fault]:
    """Yield faults for ever, `rate` of all requests, never more than `in_a_row` one after the other.

    With one request at a time, a client that tries `in_a_row` + 1 times therefore always gets through.
    """
    dice, row = random.Random(seed), 0
    while True:
        fault = dice.choice(faults) if dice.random() < rate and row < in_a_row else Fault.NONE
        row = 0 if fault is Fault.NONE else row + 1
        yield fault


def _end_to_end(headers: Iterable[Header]) -> list[Header]:
    return [(name, value) for name, value in headers if name.lower() not in {*_HOP_BY_HOP, "host"}]


def _key(headers: list[Header]) -> str | None:
    return next((value for name, value in headers if name.lower() == "idempotency-key"), None)
