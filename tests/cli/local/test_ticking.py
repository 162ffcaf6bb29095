"""`local tick` where runs fail or the database is busy: what was done is told, and how it ends is documented."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from acctcli.cli.local import ticking
from acctcli.service.store.engine import sqlite
from acctcli.service.store.engine.driver import sqlite3
from tests.cli.company import company
from tests.cli.workflow.test_runs import by_hand, ticked
from tests.graphs import FLAG, LOG
from tests.journeys.places import Place
from tests.loopback import LoopbackHandler, LoopbackServer, running
from tests.receiver import always, receiving

BUSY = "The database is busy; nothing was changed."


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return company(tmp_path_factory.mktemp("ticks"))


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for other writers for a moment only."""
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.2)


def books(place: Place) -> Path:
    (file,) = place.folder.rglob("books.sqlite3")
    return file


@contextmanager
def busy(place: Place) -> Iterator[None]:
    """Hold the lock of writers, as another process does."""
    conn = sqlite3.connect(books(place), isolation_level=None)
    try:
        conn.execute("BEGIN IMMEDIATE")
        yield
    finally:
        conn.close()


class Hook(LoopbackServer):
    """Answers when another run is over and somebody else has the lock of writers."""

    def __init__(self, file: Path) -> None:
        super().__init__(HookHandler)
        self.file = file
        self.let_go = threading.Event()
        self.held: sqlite3.Connection | None = None


class HookHandler(LoopbackHandler):
    server: Hook

    def answer(self) -> None:
        self.read_body()
        conn = self.server.held = sqlite3.connect(self.server.file, isolation_level=None, check_same_thread=False)
        while not conn.execute("SELECT 1 FROM workflow_run WHERE status = 'completed'").fetchone():
            threading.Event().wait(0.01)
        while True:
            try:
                conn.execute("BEGIN IMMEDIATE")
                break
            except sqlite3.OperationalError:
                pass
        self.send(self.reply(204, []))


def test_what_was_done_before_the_database_was_busy_is_told(place: Place) -> None:
    server = Hook(books(place))
    with running(server):
        hook = {"url": server.base_url, "method": "POST", "body": {}}
        sends, logs = by_hand(place, {"type": "action.http_request", "data": hook}), by_hand(place, LOG)
        first, second = (place.json("workflow", "run", "start", one)["id"] for one in (sends, logs))
        done = place.try_run("local", "tick", "--allow-private-targets", "--json")
        assert server.held is not None
        server.held.close()
    assert (done.code, json.loads(done.out)) == (9, [ticked(logs, second, "completed")])
    assert json.loads(done.err)["error"]["message"] == BUSY
    assert place.json("workflow", "run", "get", sends, str(first))["status"] == "running"
    place.run("workflow", "disable", sends)


def test_a_database_that_is_busy_ends_a_tick_with_9(place: Place) -> None:
    workflow = by_hand(place, LOG)
    run = place.json("workflow", "run", "start", workflow)["id"]
    with busy(place):
        done = place.try_run("local", "tick")
        assert (done.code, done.out) == (9, "")
        assert BUSY in done.err
        # which reads only
        assert place.json("local", "tick", "--dry-run") == [ticked(workflow, run, "due")]
    assert place.json("local", "tick") == [ticked(workflow, run, "completed")]


def test_runs_that_fail_end_a_tick_with_10(place: Place) -> None:
    workflows = by_hand(place, FLAG), by_hand(place, LOG)
    runs = [place.json("workflow", "run", "start", one)["id"] for one in workflows]
    done = place.try_run("local", "tick", "--json")
    problem = "A run by hand has no document."
    assert (done.code, sorted(json.loads(done.out), key=by_run)) == (
        10,
        [ticked(workflows[0], runs[0], "failed", problem), ticked(workflows[1], runs[1], "completed")],
    )
    assert json.loads(done.err)["error"]["message"] == "1 of 2 runs failed"


def by_run(row: dict[str, Any]) -> int:
    return int(row["run"])


def test_deliveries_of_which_none_arrives_end_a_tick_with_10(place: Place) -> None:
    place.run("webhook", "create", "--name", "x", "--url", "http://127.0.0.1:1/")
    place.run("tag", "create", "--name", "told")
    preview = place.run("local", "tick", "--deliver", "--dry-run")
    assert preview.code == 0
    done = place.try_run("local", "tick", "--deliver")
    assert done.code == 10
    assert "nothing could be delivered" in done.err


def test_a_delivery_that_is_given_up_ends_a_tick_with_10_though_others_arrive(place: Place) -> None:
    with receiving(always(204)) as receiver, receiving(always(410)) as gone:
        for one in (receiver, gone):
            place.run("webhook", "create", "--name", "x", "--url", one.base_url)
        place.run("tag", "create", "--name", "for both")
        done = place.try_run("local", "tick", "--deliver", "--allow-private-targets")
    assert done.code == 10
    assert "gave up 1 event: no attempt follows" in done.err
    assert "Delivered " in done.err
    assert len(gone.received) == 1
    assert receiver.received


def test_what_is_left_when_the_time_is_over_ends_a_tick_with_10(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ticking, "MINUTE", 0.0)
    workflow = by_hand(place, LOG)
    run = place.json("workflow", "run", "start", workflow)["id"]
    done = place.try_run("local", "tick")
    assert (done.code, done.out) == (10, "")
    assert "there was not enough time for all runs" in done.err
    place.run("tag", "create", "--name", "left")
    done = place.try_run("local", "tick", "--deliver", "--allow-private-targets")
    assert done.code == 10
    assert "there was not enough time for all deliveries" in done.err
    monkeypatch.undo()
    assert place.json("local", "tick") == [ticked(workflow, run, "completed")]
