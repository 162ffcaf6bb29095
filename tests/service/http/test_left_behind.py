"""Writes that are left behind for their transaction: how many there may be, and what becomes of their replies."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from acctcli.service.http import service as http_service
from acctcli.service.http.large import BESIDE_A_BODY, Room
from acctcli.service.http.patience import SEND, Guard
from acctcli.service.problems import Unavailable
from acctcli.service.store.engine.driver import sqlite3
from tests.databases import SqliteFactory, lent, opened
from tests.service.actor import Actor, world
from tests.service.wsgi import call

SECONDS = 10.0


class Sender:
    """Somebody who sends writes as a socket does: what comes later comes to `heard`."""

    def __init__(self, actor: Actor, app: Any, path: str) -> None:
        self.path = path
        self.heard: list[tuple[int, dict[str, Any] | None]] = []
        self.answering: Callable[[], None] = lambda: None
        self._actor = actor
        self._guard = Guard(app)

    def __call__(self, method: str, place: str, body: object = None, key: str = "") -> tuple[int, str] | None:
        """Send a request; return status and detail, None of one that is answered later."""
        variables = {"HTTP_AUTHORIZATION": f"Token {self._actor.token}", "CONTENT_TYPE": "application/json"}
        variables |= {"HTTP_IDEMPOTENCY_KEY": key} if key else {}
        data = b"" if body is None else json.dumps(body).encode()

        def app(environ: dict[str, Any], start_response: Any) -> Any:
            chunks = self._guard(environ | {SEND: self._hear}, start_response)
            if not chunks:
                start_response("000 later", [])
            return chunks

        status, _, text = call(app, method, self.path + place, data, variables)
        return None if status.startswith("000") else (int(status[:3]), json.loads(text)["detail"])

    def _hear(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        del headers
        self.answering()
        self.heard.append((status, json.loads(body) if body else None))

    def wait(self, many: int) -> list[int]:
        """Wait until so many have been heard; return their statuses."""
        until = time.monotonic() + SECONDS
        while len(self.heard) < many and time.monotonic() < until:
            time.sleep(0.001)
        return [status for status, _ in self.heard]


@pytest.fixture
def books(sqlite: SqliteFactory) -> Iterator[Path]:
    with lent(sqlite) as factory:
        yield Path(factory.fresh().removeprefix("sqlite:///"))


@pytest.fixture
def sender(books: Path) -> Iterator[Sender]:
    with opened(f"sqlite:///{books}") as database, world(database) as made:
        actor = made.user()
        slug = actor.create_business("Later")["slug"]
        yield Sender(actor, made.app, f"/v1/business/{slug}/")


def test_there_is_room_for_so_many_bytes() -> None:
    room = Room(2 * BESIDE_A_BODY + 100)
    give_back = room.take(100)
    room.take(0)
    with pytest.raises(Unavailable, match="nothing was changed"):
        room.take(0)
    give_back()
    room.take(100)


def test_no_more_writes_wait_than_there_is_room_for(
    sender: Sender, books: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_service, "LEFT_BEHIND", Room(2 * BESIDE_A_BODY + 100))
    with closing(sqlite3.connect(books, isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        assert [sender("POST", "tags/", {"name": name}) for name in ("a", "b")] == [None, None]
        assert sender("POST", "tags/", {"name": "c"}) == (
            503,
            "Too many writes wait for the database; nothing was changed.",
        )
        holder.execute("ROLLBACK")
    assert sender.wait(2) == [201, 201]
    assert sender("POST", "tags/", {"name": "c"}) is None
    assert sender.wait(3) == [201, 201, 201]


def test_without_a_thread_a_write_is_refused_and_its_key_is_free(
    sender: Sender, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as none_left:
        none_left.setattr(threading.Thread, "start", refuse)
        for _ in range(2):
            assert sender("POST", "tags/", {"name": "a"}, "key") == (
                503,
                "There is no thread for a write; nothing was changed.",
            )
    assert sender("POST", "tags/", {"name": "a"}, "key") is None
    assert sender.wait(1) == [201]


def test_a_business_is_deleted_without_a_thread_for_its_end(sender: Sender, monkeypatch: pytest.MonkeyPatch) -> None:
    assert sender("POST", "tags/", {"name": "a"}) is None  # the thread that commits begins
    sender.wait(1)
    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert sender("DELETE", "") is None
    assert sender.wait(2) == [201, 204]


def test_a_reply_that_cannot_be_sent_holds_nobody_up(sender: Sender) -> None:
    def fail() -> None:
        sender.answering = lambda: None
        raise OSError

    sender.answering = fail
    assert [sender("POST", "tags/", {"name": name}) for name in ("a", "b")] == [None, None]
    assert sender.wait(1) == [201]


def refuse(thread: threading.Thread) -> None:
    """Do as a system that grants no more threads."""
    raise RuntimeError("can't start new thread")
