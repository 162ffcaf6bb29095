"""A connection to a handler in this process, with a clock that moves only in waits; and what a server reads of one."""

from __future__ import annotations

import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

import httpx

from acctcli.client.access import FixedToken
from acctcli.client.http import Http
from acctcli.client.messages import Reply
from acctcli.client.retry import Policy, Timing

Handler = Callable[[httpx.Request], httpx.Response]
TOKEN = "tok-0123456789"
BASE = "https://books.example"


@dataclass
class Clock:
    """Time that passes only in sleep(); remembers the pauses."""

    time: float = 1000.0
    pauses: list[float] = field(default_factory=list)

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.time += seconds


@dataclass
class Ear:
    """A watcher that writes down what it hears."""

    heard: list[str] = field(default_factory=list)

    def sent(self, request: httpx.Request, attempt: int) -> None:
        self.heard.append(f"sent {request.method} {request.url.path} {attempt}")

    def received(self, request: httpx.Request, reply: Reply, seconds: float) -> None:
        self.heard.append(f"received {reply.status}")

    def waiting(self, reason: str, seconds: float) -> None:
        self.heard.append(f"waiting: {reason}")

    def replayed(self, key: str) -> None:
        self.heard.append(f"replayed {key}")


@dataclass
class Wire:
    """An Http over a handler, and what happened on it."""

    http: Http
    clock: Clock
    ear: Ear
    requests: list[httpx.Request]


def wire(handler: Handler, policy: Policy | None = None, base_url: str = BASE) -> Wire:
    """Connect an Http to a handler."""
    requests: list[httpx.Request] = []
    clock, ear, random = Clock(), Ear(), Random(7)

    def noted(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        return handler(request)

    client = httpx.Client(transport=httpx.MockTransport(noted))
    timing = Timing(now=clock.now, sleep=clock.sleep, uniform=random.uniform)
    http = Http(client, base_url, FixedToken(TOKEN), ear, policy=policy or Policy(), timing=timing)
    return Wire(http, clock, ear, requests)


def script(*answers: httpx.Response | Exception) -> Handler:
    """Answer with each of these in turn, then with the last one for ever."""
    rest = list(answers)

    def handle(request: httpx.Request) -> httpx.Response:
        answer = rest.pop(0) if len(rest) > 1 else rest[0]
        if isinstance(answer, Exception):
            raise answer
        return answer

    return handle


def read_head(connection: socket.socket) -> bytes:
    """Return the head of a request, up to the empty line; nothing when whoever asks leaves before that."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        # one that has left says nothing for ever
        if not (more := connection.recv(1)):
            return b""
        head += more
    return head
