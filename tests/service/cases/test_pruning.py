"""What is old goes in portions, and nothing else does, on both databases."""

from __future__ import annotations

import threading
import time
from datetime import timedelta
from typing import Any

import pytest

from acctcli.service.cases import pruning
from acctcli.service.cases.pruning import Pruning
from acctcli.service.store.engine.statements import insert_many
from tests.service.actor import World
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


def prune(service: World, days: int | None = 90) -> int:
    return Pruning(service.database, service.clock()).run(days)


def tag(books: Books, name: str) -> None:
    books.create("tags/", {"name": name})


def test_events_go_when_they_are_old_and_numbers_go_on(service: World) -> None:
    actor = service.user()
    quiet = [open_books(actor, slug=f"quiet-{number}") for number in range(5)]
    books = open_books(actor, slug="busy")
    for number in range(8):
        tag(books, f"old {number}")
        tag(quiet[number % 5], f"old {number}")
    of_quiet, of_busy = [events(service, one) for one in quiet], events(service, books)
    service.clock.move(timedelta(days=90))
    assert prune(service) == 0
    service.clock.move(timedelta(microseconds=1))
    tag(books, "new")
    last = of_busy[-1][0]
    expected = len(of_busy) + sum(len(one) - 1 for one in of_quiet)
    assert prune(service, None) == 0
    assert prune(service) == expected
    assert prune(service) == 0
    assert events(service, books) == [(last + 1, "tag.created")]
    # the newest of each business stays, however old: numbers count from it
    assert [events(service, one) for one in quiet] == [one[-1:] for one in of_quiet]
    service.clock.move(timedelta(days=91))
    prune(service)
    tag(books, "newest")
    prune(service)
    assert events(service, books) == [(last + 2, "tag.created")]


def test_what_tells_that_a_business_is_deleted_stays(service: World) -> None:
    actor = service.user()
    books = open_books(actor, slug="gone")
    assert actor.send("DELETE", "/v1/business/gone/").status == 204
    service.clock.move(timedelta(days=400))
    prune(service)
    assert [kind for _, kind in events(service, books)] == ["business.deleted"]


def test_replies_go_when_they_are_not_sent_again(service: World) -> None:
    actor = service.user()
    keys = [{"Idempotency-Key": f"{number}"} for number in range(7)]
    for key in keys:
        actor.send("POST", "/v1/business/", {"name": "Test"}, headers=key)
    service.clock.move(timedelta(hours=24) - timedelta(microseconds=1))
    actor.send("POST", "/v1/business/", {"name": "Test"}, headers={"Idempotency-Key": "new"})
    assert prune(service, None) == 0
    assert "Idempotent-Replayed" in actor.send("POST", "/v1/business/", {"name": "Test"}, headers=keys[0]).headers
    service.clock.move(timedelta(microseconds=1))
    assert prune(service, None) == len(keys)
    assert rows(service, "SELECT key FROM stored_reply") == [("new",)]


def test_one_run_at_a_time(service: World) -> None:
    tag(open_books(service.user(), slug="old"), "second event")
    service.clock.move(timedelta(days=100))
    with service.database.hold(pruning.CLAIM):
        assert prune(service) == 0
    assert prune(service) == 1


def test_writers_go_on_meanwhile(service: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pruning, "PORTION", 250)
    books = open_books(service.user(), slug="busy")
    old = {"business_id": books.business_id, "type": "tag.created", "data": "x" * 1500, "created_at": "2020"}
    added = [{**old, "number": number} for number in range(1000, 6000)]
    service.database.write(lambda conn: insert_many(conn, "event", added))
    service.clock.move(timedelta(days=100))
    pruned: list[int] = []
    thread = threading.Thread(target=lambda: pruned.append(prune(service)))
    thread.start()
    took: list[float] = []
    while thread.is_alive():
        begun = time.monotonic()
        tag(books, f"tag {len(took)}")
        took.append(time.monotonic() - begun)
    assert pruned[0] >= len(added)
    assert len(took) > len(added) // 250
    assert max(took) < 1
