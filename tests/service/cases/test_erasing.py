"""A business that was deleted is gone at once; what it had goes in portions, whoever interrupts that."""

from __future__ import annotations

import threading

import pytest

from acctcli.service.cases import erasing
from acctcli.service.cases.erasing import Erasure
from acctcli.service.store.businesses import erase_some
from tests.service.actor import Actor, World
from tests.service.routes.books import open_books

DOCUMENTS = 5
KEPT = ("business", "stored_reply", "schema_revision", "sqlite_sequence", "users", "token", "local_user", "event")


def left(service: World, business: int) -> dict[str, int]:
    """Return how many rows of a business each table has."""
    with service.database.read() as conn:
        texts = {"sqlite": "SELECT name FROM sqlite_master WHERE type = 'table'"}
        names = "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace"
        tables = [name for (name,) in conn.fetch(texts.get(conn.dialect, names))[1] if name not in KEPT]
        count = "SELECT count(*) FROM {} WHERE business_id = {}"
        found = {name: conn.fetch(count.format(name, business))[1][0][0] for name in tables}
    return {name: number for name, number in found.items() if number}


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let whoever deletes a business be interrupted at once."""
    monkeypatch.setattr(Erasure, "begin", lambda _: None)


def fill(actor: Actor, slug: str) -> int:
    books = open_books(actor, slug=slug)
    for _ in range(DOCUMENTS):
        books.document("2026-03-02", "12.55")
    return int(actor.send("GET", f"/v1/business/{slug}/").body["id"])


@pytest.mark.usefixtures("patience")
def test_it_is_gone_at_once_and_what_it_had_goes_in_portions(service: World) -> None:
    actor = service.user()
    first, second = fill(actor, "first"), fill(actor, "second")
    before = left(service, second)
    assert actor.send("DELETE", "/v1/business/first/").status == 204
    assert actor.send("GET", "/v1/business/first/").status == 404
    assert actor.send("GET", "/v1/business/first/document/").status == 404
    assert [one["slug"] for one in actor.send("GET", "/v1/business/").body["results"]] == ["second"]
    third = fill(actor, "first")
    assert left(service, first)["document"] == DOCUMENTS
    portions = 0
    while service.database.write(lambda conn: erase_some(conn, 2))[0]:
        portions += 1
        open_books(actor, slug=f"more-{portions}")
    assert portions > DOCUMENTS // 2
    assert (left(service, first), left(service, second)) == ({}, before)
    assert left(service, third)["document"] == DOCUMENTS
    with service.database.read() as conn:
        events = conn.fetch(f"SELECT type FROM event WHERE business_id = {first}")[1]
    assert events == [("business.deleted",)]


def test_a_large_one_does_not_keep_the_request_waiting(service: World, monkeypatch: pytest.MonkeyPatch) -> None:
    actor = service.user()
    business = fill(actor, "large")
    monkeypatch.setattr(erasing, "PATIENCE_SECONDS", 0.0)
    before = set(threading.enumerate())
    assert actor.send("DELETE", "/v1/business/large/").status == 204
    for thread in set(threading.enumerate()) - before:
        thread.join(30)
    assert left(service, business) == {}
