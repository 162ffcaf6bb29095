"""A receiver of deliveries for tests, which answers as it is told and keeps what it was sent."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tests.loopback import LoopbackHandler, LoopbackServer, running


class Received(NamedTuple):
    """A request that arrived whole: path, headers in small letters, and body."""

    path: str
    headers: dict[str, str]
    body: bytes


# answers a request in any way; what it returns is the status, None when it has answered itself
Answer = Callable[["Handler", Received], int | None]


class Receiver(LoopbackServer):
    """Keeps every request that arrived."""

    request_queue_size = 1024

    def __init__(self, answer: Answer) -> None:
        super().__init__(Handler)
        self.answer = answer
        self.received: list[Received] = []
        self.lock = threading.Lock()

    def ids(self) -> list[str]:
        with self.lock:
            return [one.headers["webhook-id"] for one in self.received]


class Handler(LoopbackHandler):
    server: Any

    def answer(self) -> None:
        body = self.read_body()
        received = Received(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
        with self.server.lock:
            self.server.received.append(received)
        status = self.server.answer(self, received)
        if status is not None:
            self.send(self.reply(status, [("Connection", "close")]))
        self.hang_up()


def always(status: int) -> Answer:
    return lambda *_: status


@contextlib.contextmanager
def receiving(answer: Answer) -> Iterator[Receiver]:
    """Run a receiver for a block."""
    receiver = Receiver(answer)
    with running(receiver):
        yield receiver
