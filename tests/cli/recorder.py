"""A server that answers as a test says and writes down what it was sent."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tests.loopback import LoopbackHandler, LoopbackServer, running

# no part of it is a word that messages say: parts are hidden, too
TOKEN = "tok-9hQ2wZ7xLk4v-8TmB2c"


@dataclass(frozen=True)
class Sent:
    """One request as it arrived; header names are in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True)
class Answer:
    """What to say; `stall` says nothing until the client leaves, `reset` nothing at all."""

    status: int = 200
    body: bytes = b"{}"
    headers: dict[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})
    stall: bool = False
    reset: bool = False


def said(body: object, status: int = 200, **headers: str) -> Answer:
    """Return an answer of JSON; `X_Request_Id="r"` is a header."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, json.dumps(body).encode(), {"Content-Type": "application/json", **named})


def page(*rows: object) -> Answer:
    """Return the only page of a list."""
    return said({"count": len(rows), "next": None, "prev": None, "size": len(rows) or 30, "results": list(rows)})


Behaviour = Callable[[Sent], Answer]


def of_a_business(behave: Behaviour | Answer) -> Behaviour:
    """Answer for the business `demo` itself as well, which many commands look at first."""

    def answer(sent: Sent) -> Answer:
        if sent.path == "/v1/business/demo/":
            return said({"id": 1, "slug": "demo"})
        return behave if isinstance(behave, Answer) else behave(sent)

    return answer


class Keeper:
    """A service that keeps what it is sent by key, and refuses some; `read` returns what a body says."""

    def __init__(self, read: Callable[[bytes], dict[str, str]], *refused: str) -> None:
        self._read = read
        self.refused = set(refused)
        self.kept: dict[str, dict[str, object]] = {}

    def __call__(self, sent: Sent) -> Answer:
        if sent.method == "GET":
            if re.fullmatch("/v1/business/[^/]+/", sent.path):
                return said({"id": 1, "created_at": "2026-01-01T00:00:00Z"})
            found = [one for one in self.kept.values() if sent.path.endswith(f"/{one['id']}/")]
            return said(found[0]) if found else said({"detail": "Not found.", "code": "not_found"}, 404)
        record = self._read(sent.body)
        if self.refused & set(record.values()):
            return said({"detail": "Locked.", "code": "locked"}, 423)
        key = sent.headers["idempotency-key"]
        replayed = {"Idempotent_Replayed": "true"} if key in self.kept else {}
        return said(self.kept.setdefault(key, {"id": len(self.kept) + 1, **record}), 201, **replayed)


class Recorder(LoopbackServer):
    """The server; `sent` holds the requests in the order they came."""

    def __init__(self, behave: Behaviour) -> None:
        super().__init__(_Handler)
        self.behave = behave
        self.sent: list[Sent] = []

    @property
    def writes(self) -> list[Sent]:
        """The requests that may change something."""
        return [one for one in self.sent if one.method != "GET"]


class _Handler(LoopbackHandler):
    server: Recorder

    def answer(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        sent = Sent(self.command, self.path, headers, self.read_body())
        self.server.sent.append(sent)
        answer = self.server.behave(sent)
        if answer.stall:
            self.wait_for_client_to_leave()
            return
        if answer.reset:
            self.reset()
            return
        self.send(self.reply(answer.status, list(answer.headers.items()), answer.body))


@contextlib.contextmanager
def recorder(behave: Behaviour | Answer) -> Iterator[Recorder]:
    """Run a server that behaves so."""
    server = Recorder(behave if callable(behave) else lambda sent: behave)
    with running(server):
        yield server
