"""What is old goes in portions, and nothing else does, on both databases."""

from __future__ import annotations

import threading
import time
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from acctcli.service.cases import pruning
from acctcli.service.cases.pruning import Pruning
from acctcli.service.delivery.requests import Answer
from acctcli.service.store import idempotency
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import insert_many
from tests.graphs import LOG, MANUAL
from tests.service.actor import World
from tests.service.cases.workflows.flows import Receiver, advance, enabled, flow, listed, on, send
from tests.service.routes.books import Books, open_books


@pytest.fixture(autouse=True)
def small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pruning, "PORTION", 3)


def rows(service: World, text: str) -> list[tuple[Any, ...]]:
    with service.database.read() as conn:
        return list(conn.fetch(text)[1])


def events(service: World, books: Books) -> list[tuple[int, str]]:
    text = f"SELECT number, type FROM event WHERE business_id = {books.business_id} ORDER BY number"
    return [(number, kind) for number, kind in rows(service, text)]


def prune(service: World) -> int:
    return Pruning(service.database, service.clock()).run()


def tag(books: Books, name: str) -> None:
    books.create("tags/", {"name": name})


def test_what_is_recorded_of_changes_stays_however_old(service: World) -> None:
    books = open_books(service.user(), slug="busy")
    for number in range(4):
        tag(books, f"old {number}")
    recorded = events(service, books)
    assert len(recorded) > 4
    service.clock.move(timedelta(days=4000))
    prune(service)
    assert events(service, books) == recorded


def test_what_tells_that_a_business_is_deleted_stays(service: World) -> None:
    actor = service.user()
    books = open_books(actor, slug="gone")
    assert actor.send("DELETE", "/v1/business/gone/").status == 204
    service.clock.move(timedelta(days=400))
    prune(service)
    assert [kind for _, kind in events(service, books)] == ["business.deleted"]


@pytest.mark.everywhere
def test_replies_go_when_they_are_not_sent_again(service: World) -> None:
    actor = service.user()
    keys = [{"Idempotency-Key": f"{number}"} for number in range(7)]
    for key in keys:
        actor.send("POST", "/v1/business/", {"name": "Test"}, headers=key)
    service.clock.move(timedelta(hours=24) - timedelta(microseconds=1))
    actor.send("POST", "/v1/business/", {"name": "Test"}, headers={"Idempotency-Key": "new"})
    assert prune(service) == 0
    assert "Idempotent-Replayed" in actor.send("POST", "/v1/business/", {"name": "Test"}, headers=keys[0]).headers
    service.clock.move(timedelta(microseconds=1))
    assert prune(service) == len(keys)
    assert rows(service, "SELECT key FROM stored_reply") == [("new",)]


@pytest.mark.everywhere
def test_runs_go_when_they_have_been_over_for_long(service: World) -> None:
    books = open_books(service.user(), slug="busy")
    workflow = enabled(books, flow([on("tag.created"), LOG]))
    for number in range(7):
        tag(books, f"tag {number}")
    assert len(advance(service, Receiver())) == 7
    stuck = enabled(books, flow([MANUAL, send("https://shop.example/"), LOG]))
    begun = [books.create(f"workflows/{stuck}/runs/")["id"] for _ in range(3)]
    with pytest.raises(RuntimeError, match="killed"):
        advance(service, dies)
    books.act(f"workflows/{stuck}/runs/{begun[1]}/action/cancel/")
    service.clock.move(pruning.RAN_FOR)
    prune(service)
    assert len(listed(books, workflow)) == 7
    service.clock.move(timedelta(microseconds=1))
    prune(service)
    assert listed(books, workflow) == []
    # and so does their graph
    assert rows(service, "SELECT workflow_id FROM workflow_version") == [(stuck,)]
    # the one that was interrupted is not over, nor is the one that was not begun
    assert [(run["id"], run["status"]) for run in listed(books, stuck)] == [
        (begun[0], "running"),
        (begun[2], "pending"),
    ]
    assert [ran.status for ran in advance(service, Receiver())] == ["completed"] * 2
    assert listed(books, workflow) == []


def dies(_: object) -> Answer:
    raise RuntimeError("killed")


@pytest.mark.everywhere
def test_one_run_at_a_time(service: World) -> None:
    keep_replies(service, 1)
    with service.database.hold(pruning.CLAIM):
        assert prune(service) == 0
    assert prune(service) == 1


def test_between_portions_others_write_for_as_long_as_one_took(service: World, monkeypatch: pytest.MonkeyPatch) -> None:
    books = open_books(service.user(), slug="busy")
    keep_replies(service, 20)
    moments, pauses = iter(range(100)), list[float]()

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        tag(books, f"tag {len(pauses)}")

    monkeypatch.setattr(pruning, "time", SimpleNamespace(monotonic=lambda: next(moments), sleep=pause))
    assert prune(service) == 20
    assert pauses == [1.0] * 6
    assert len(books.get("tags/").body["results"]) == 6


@pytest.mark.everywhere
def test_writers_go_on_meanwhile(service: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pruning, "PORTION", 250)
    expire = idempotency.expire

    def take_time(conn: Connection, now: datetime, most: int) -> int:
        """Take longer than a write does on a busy machine."""
        time.sleep(0.1)
        return expire(conn, now, most)

    monkeypatch.setattr(idempotency, "expire", take_time)
    books = open_books(service.user(), slug="busy")
    keep_replies(service, 5000)
    pruned: list[int] = []
    thread = threading.Thread(target=lambda: pruned.append(prune(service)))
    thread.start()
    took: list[float] = []
    while thread.is_alive():
        begun = time.monotonic()
        tag(books, f"tag {len(took)}")
        took.append(time.monotonic() - begun)
    assert pruned[0] >= 5000
    assert len(took) > 5000 // 250
    assert max(took) < 1


def keep_replies(service: World, count: int) -> None:
    """Have replies of long ago."""
    user_id = service.user().id
    old = {"user_id": user_id, "fingerprint": "", "status": 200, "body": b"x" * 1500, "created_at": "2020"}
    added = [{**old, "key": str(number)} for number in range(count)]
    service.database.write(lambda conn: insert_many(conn, "stored_reply", added))
