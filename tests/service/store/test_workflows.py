"""How graphs and runs of workflows are kept, on both databases: each graph once, open runs found by themselves."""

from __future__ import annotations

from typing import Any

import pytest

from acctcli.models.graph import MOST_WAITING
from acctcli.service.store import workflows
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.moments import stamp
from tests.databases import Factory, at_once, locking, opened
from tests.graphs import MANUAL, uuid
from tests.service.actor import World, world
from tests.service.cases.workflows.flows import (
    BY_HAND,
    DAY,
    Receiver,
    advance,
    enabled,
    flow,
    listed,
    on,
    send,
    states,
)
from tests.service.routes.books import Books, open_books

RELAY = "https://relay.example/"


@pytest.fixture
def books(service: World) -> Books:
    return open_books(service.user())


@pytest.fixture
def receiver() -> Receiver:
    return Receiver()


def test_a_graph_is_kept_once_for_all_runs_that_began_with_it(service: World, books: Books, receiver: Receiver) -> None:
    """An event with as many runs as may be writes the graph once, and of each run only what it did."""
    waiting = {"nodes": [{"id": uuid(number), **on("document.created")} for number in range(1, MOST_WAITING + 1)]}
    workflow = enabled(books, waiting)
    books.document(DAY, "1.00")
    assert len(advance(service, receiver)) == MOST_WAITING
    assert kept(service, workflow) == [1]
    text = "SELECT max(length(node_runs)) FROM workflow_run"
    with service.database.read() as conn:
        assert conn.fetch(text)[1][0][0] < 200
    (first, *_) = listed(books, workflow)
    assert (states(first)[0], set(states(first)[1:])) == ("completed", {"skipped"})
    books.change(f"workflows/{workflow}/", react_flow_data=flow([MANUAL, on("document.created")], []))
    books.create(f"workflows/{workflow}/runs/")
    books.document(DAY, "1.00")
    assert len(advance(service, receiver)) == 2
    assert kept(service, workflow) == [1, 2]


def test_a_run_keeps_the_text_of_its_graph_also_of_the_same_version(
    service: World, books: Books, receiver: Receiver
) -> None:
    """In which order names stand is what a request sends."""
    workflow = enabled(books, flow([MANUAL, send(RELAY, body={"a": 1, "b": 2})]))
    books.create(f"workflows/{workflow}/runs/")
    books.change(f"workflows/{workflow}/", react_flow_data=flow([MANUAL, send(RELAY, body={"b": 2, "a": 1})]))
    for _ in range(2):
        books.create(f"workflows/{workflow}/runs/")
    assert len(advance(service, receiver)) == 3
    assert [sent.body for sent in receiver.taken] == [b'{"a":1,"b":2}', b'{"b":2,"a":1}', b'{"b":2,"a":1}']
    assert kept(service, workflow) == [1, 1]


def test_many_runs_are_cancelled_at_once(service: World, books: Books, monkeypatch: pytest.MonkeyPatch) -> None:
    workflow, other = enabled(books, BY_HAND), enabled(books, BY_HAND)
    for _ in range(3):
        books.create(f"workflows/{workflow}/runs/")
    books.create(f"workflows/{other}/runs/")
    written: list[str] = []
    run = Connection.run

    def noted(conn: Connection, text: str, *values: Any) -> int:
        written.append(text)
        return run(conn, text, *values)

    monkeypatch.setattr(Connection, "run", noted)
    books.change(f"workflows/{workflow}/", enabled=False)
    assert len([text for text in written if text.startswith("UPDATE workflow_run ")]) == 1
    found = listed(books, workflow)
    assert [(run["status"], states(run)) for run in found] == [("cancelled", ["skipped"] * 2)] * 3
    assert {run["finished_at"] for run in found} == {stamp(service.clock.now)}
    assert [run["status"] for run in listed(books, other)] == ["pending"]


def test_runs_that_are_not_over_are_found_by_themselves(sqlite_factory: Factory) -> None:
    with opened(sqlite_factory.fresh()) as database, database.read() as conn:
        values = {"business_id": 1, "workflow_id": 1, "now": "2026"}
        text, bound = workflows.CANCEL_OPEN.bound(conn, values)
        plan = [row[3] for row in conn.fetch(f"EXPLAIN QUERY PLAN {text}", bound)[1]]
    assert plan == ["SEARCH workflow_run USING INDEX ix_workflow_run_open (business_id=? AND workflow_id=?)"]


def kept(service: World, workflow: int) -> list[int]:
    """Return the versions of the graphs that are kept for runs of a workflow."""
    text = f"SELECT version_number FROM workflow_version WHERE workflow_id = {workflow} ORDER BY id"
    with service.database.read() as conn:
        return [number for (number,) in conn.fetch(text)[1]]


def test_graphs_that_somebody_looks_at_are_left_until_later(postgres_factory: Factory) -> None:
    """Who begins a run with one keeps it, and who takes graphs away does not wait for that."""
    url = postgres_factory.fresh()
    with opened(url) as database, world(database) as service:
        books = open_books(service.user())
        for name in "ab":
            books.create(f"workflows/{enabled(books, BY_HAND, name)}/runs/")
        advance(service, Receiver())
        database.write(lambda conn: workflows.forget(conn, "9", 10))
        with locking(url, "SELECT id FROM workflow_version ORDER BY id LIMIT 1 FOR UPDATE") as number:
            assert number == at_once(database, lambda conn: workflows.forget_versions(conn, 10)) == 1
        assert database.write(lambda conn: workflows.forget_versions(conn, 10)) == 1
