"""How runs end before they are through, and who goes on with those of somebody who is gone (docs/interface.md 11.3)."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from acctcli.service.cases.workflows import running, steps
from acctcli.service.cases.workflows.running import LEASE
from acctcli.service.delivery.requests import Answer
from acctcli.service.store.engine.connection import Connection
from tests.graphs import LOG, MANUAL, uuid
from tests.service.actor import World
from tests.service.cases.workflows.flows import (
    BY_HAND,
    HOOK,
    Receiver,
    advance,
    enabled,
    flow,
    listed,
    runs,
    send,
    states,
    trail,
)
from tests.service.routes.books import Books

# --- how a run ends otherwise ---


def test_a_workflow_that_is_disabled_in_mid_run(service: World, books: Books) -> None:
    """The node that sends ends, and is told; the rest is skipped."""
    saved = flow([MANUAL, send(HOOK), LOG])
    workflow = enabled(books, saved)
    began = books.create(f"workflows/{workflow}/runs/")

    def disable(_: object) -> Answer:
        books.change(f"workflows/{workflow}/", enabled=False)
        return Answer(200)

    assert [ran.status for ran in advance(service, disable)] == ["cancelled"]
    (run,) = listed(books, workflow)
    assert (run["id"], run["status"], states(run)) == (
        began["id"],
        "cancelled",
        ["completed", "completed", "skipped"],
    )
    service.clock.move(2 * LEASE)
    assert advance(service, disable) == []


@pytest.mark.everywhere
def test_a_run_is_cancelled_once(service: World, books: Books, receiver: Receiver) -> None:
    workflow = enabled(books, BY_HAND)
    path = f"workflows/{workflow}/"
    began = books.create(f"{path}runs/")["id"]
    cancelled = books.act(f"{path}runs/{began}/action/cancel/")
    assert (cancelled["status"], states(cancelled)) == ("cancelled", ["skipped", "skipped"])
    assert books.get(f"{path}runs/{began}/").body == cancelled
    assert books.act(f"{path}runs/{began}/action/cancel/") == cancelled
    assert advance(service, receiver) == []
    (told,) = trail(books, "workflow_run.cancelled")
    row = {name: cancelled[name] for name in cancelled if name not in ("node_runs", "react_flow_data")}
    assert told["data"] == {**row, "workflow_id": workflow}


@pytest.mark.everywhere
def test_a_cancelled_run_whose_worker_is_gone_says_so(service: World, books: Books, receiver: Receiver) -> None:
    workflow = enabled(books, flow([MANUAL, send(HOOK)]))
    path = f"workflows/{workflow}/"
    began = books.create(f"{path}runs/")["id"]
    with pytest.raises(RuntimeError, match="killed"):
        advance(service, _killed)
    books.act(f"{path}runs/{began}/action/cancel/")
    assert states(listed(books, workflow)[0]) == ["completed", "running"]
    service.clock.move(LEASE)
    assert [ran.status for ran in advance(service, receiver)] == ["cancelled"]
    assert states(listed(books, workflow)[0]) == ["completed", "failed"]
    assert receiver.taken == []


def _killed(*_: object) -> Answer:
    raise RuntimeError("killed")


def test_a_deleted_workflow_leaves_nothing_to_do(service: World, books: Books) -> None:
    workflow = enabled(books, flow([MANUAL, send(HOOK), LOG]))
    books.create(f"workflows/{workflow}/runs/")

    def delete(_: object) -> Answer:
        assert books.send("DELETE", f"workflows/{workflow}/").status == 204
        return Answer(200)

    assert advance(service, delete) == []
    service.clock.move(2 * LEASE)
    assert advance(service, delete) == []


@pytest.mark.everywhere
def test_a_graph_that_changes_meanwhile_does_not_change_the_run(service: World, books: Books) -> None:
    workflow = enabled(books, flow([MANUAL, send(HOOK), LOG]))
    books.create(f"workflows/{workflow}/runs/")

    def change(_: object) -> Answer:
        books.change(f"workflows/{workflow}/", react_flow_data=BY_HAND)
        return Answer(200)

    assert [ran.status for ran in advance(service, change)] == ["completed"]
    (run,) = listed(books, workflow)
    assert (run["version_number"], states(run)) == (1, ["completed"] * 3)
    books.create(f"workflows/{workflow}/runs/")
    assert listed(books, workflow)[-1]["version_number"] == 2


def test_a_run_has_an_end(service: World, books: Books, receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    workflow = enabled(books, flow([MANUAL, LOG, LOG, LOG, LOG]))
    monkeypatch.setattr(running, "MOST_STEPS", 4)
    books.create(f"workflows/{workflow}/runs/")
    (ran,) = advance(service, receiver)
    assert (ran.status, ran.error) == ("failed", "The run took more than 4 steps.")
    assert states(listed(books, workflow)[0]) == ["completed"] * 4 + ["skipped"]


def test_what_interrupts_whoever_is_at_it_has_an_end(
    service: World, books: Books, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    workflow = enabled(books, BY_HAND)
    books.create(f"workflows/{workflow}/runs/")
    monkeypatch.setattr(running, "MOST_STEPS", 3)
    with monkeypatch.context() as broken:
        broken.setattr(steps, "perform", _killed)
        for _ in range(3):
            with pytest.raises(RuntimeError, match="killed"):
                advance(service, receiver)
            service.clock.move(LEASE)
    (ran,) = advance(service, receiver)
    assert (ran.status, ran.error) == ("failed", "The run took more than 3 steps.")


def test_waiting_for_answers_has_an_end(
    service: World, books: Books, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    workflow = enabled(books, flow([MANUAL, send(HOOK), send(HOOK)]))
    monkeypatch.setattr(running, "MOST_SPENT_MS", 0)
    books.create(f"workflows/{workflow}/runs/")
    (ran,) = advance(service, receiver)
    assert (ran.status, receiver.taken) == ("failed", [])
    assert states(listed(books, workflow)[0]) == ["skipped"] * 3


def test_waiting_for_answers_is_added_up(
    service: World, books: Books, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four answers that take two and a half minutes each are ten minutes, and a fifth is not waited for."""
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(running, "time", SimpleNamespace(monotonic=lambda: clock.now))

    def slow(outgoing: Any) -> Answer:
        clock.now += 150
        return receiver(outgoing)

    workflow = enabled(books, flow([MANUAL, *[send(HOOK)] * 5]))
    books.create(f"workflows/{workflow}/runs/")
    (ran,) = advance(service, slow)
    assert (ran.status, ran.error) == ("failed", "The run waited more than 10 minutes for answers.")
    assert states(listed(books, workflow)[0]) == ["completed"] * 5 + ["skipped"]
    assert len(receiver.taken) == 4


# --- leases, and turns ---


def test_what_was_interrupted_is_sent_again_under_the_same_key(
    service: World, books: Books, receiver: Receiver
) -> None:
    workflow = enabled(books, flow([MANUAL, send(HOOK), LOG]))
    books.create(f"workflows/{workflow}/runs/")

    def dies(outgoing: Any) -> Answer:
        receiver(outgoing)
        raise RuntimeError("killed")

    with pytest.raises(RuntimeError, match="killed"):
        advance(service, dies)
    assert advance(service, receiver) == []  # somebody has it
    service.clock.move(LEASE - timedelta(seconds=1))
    assert advance(service, receiver) == []
    service.clock.move(timedelta(seconds=1))
    assert [ran.status for ran in advance(service, receiver)] == ["completed"]
    first, again = receiver.taken
    assert first == again
    (run,) = listed(books, workflow)
    assert run["node_runs"][uuid(2)]["output"] == {"idempotency_key": first.key, "attempts": 2, "status": 204}


def test_what_kills_whoever_sends_it_is_given_up(service: World, books: Books, receiver: Receiver) -> None:
    workflow = enabled(books, flow([MANUAL, send(HOOK)]))
    books.create(f"workflows/{workflow}/runs/")
    for _ in range(running.MOST_SENT):
        with pytest.raises(RuntimeError, match="killed"):
            advance(service, _killed)
        service.clock.move(LEASE)
    assert [ran.status for ran in advance(service, receiver)] == ["failed"]
    assert receiver.taken == []
    assert "interrupted" in listed(books, workflow)[0]["last_error"]


def test_a_worker_that_comes_back_late_writes_nothing(service: World, books: Books, receiver: Receiver) -> None:
    workflow = enabled(books, flow([MANUAL, send(HOOK), LOG]))
    books.create(f"workflows/{workflow}/runs/")

    def slow(outgoing: Any) -> Answer:
        service.clock.move(LEASE)
        assert [ran.status for ran in advance(service, receiver)] == ["completed"]
        return Answer(500)

    assert advance(service, slow) == []
    (run,) = listed(books, workflow)
    assert (run["status"], run["node_runs"][uuid(2)]["output"]["status"]) == ("completed", 204)


def test_a_long_run_lets_others_have_their_turn(
    service: World, books: Books, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    workflow = enabled(books, flow([MANUAL, LOG, LOG, LOG]))
    books.create(f"workflows/{workflow}/runs/")
    work = runs(service, receiver)
    (place,) = work.waiting()
    (due,) = work.due(place, 1, sends=False)
    assert [work.advance(due, 1) for _ in range(3)] == [True] * 3
    assert states(listed(books, workflow)[0]) == ["completed"] * 3 + ["pending"]
    monkeypatch.setattr(running, "STEPS_AT_ONCE", 1)
    assert [ran.status for ran in work.drain(place)] == ["completed"]


@pytest.mark.everywhere
def test_who_does_not_send_leaves_a_run_before_that_step(service: World, books: Books, receiver: Receiver) -> None:
    """Also one of earlier books, of which it is not known what its next step does."""
    workflow = enabled(books, flow([MANUAL, send(HOOK), LOG]))
    books.create(f"workflows/{workflow}/runs/")
    work = runs(service, receiver)
    (place,) = work.waiting()
    for _ in range(2):
        assert list(work.drain(place, sends=False)) == []
        assert (receiver.taken, states(listed(books, workflow)[0])) == ([], ["completed", "pending", "pending"])
        assert work.due(place, 2, sends=False) == []
        (due,) = work.due(place, 2, sends=True)
        service.database.write(lambda conn: conn.run("UPDATE workflow_run SET sends = false"))
    assert due.author_id == books.actor.id
    assert [ran.status for ran in work.drain(place)] == ["completed"]
    assert len(receiver.taken) == 1


@pytest.mark.everywhere
def test_a_business_advances_so_many_runs_before_others_have_their_turn(
    service: World, books: Books, receiver: Receiver
) -> None:
    workflow = enabled(books, flow([MANUAL]))
    began = books.create(f"workflows/{workflow}/runs/")["id"]

    def begin_more(conn: Connection) -> None:
        names = "business_id, workflow_id, version_number, version_id, status, node_runs, due_at, trigger_node_uuid"
        copied = f"SELECT '2026', '2026', {names} FROM workflow_run WHERE id = {began}"
        for _ in range(20):
            conn.run(f"INSERT INTO workflow_run (created_at, updated_at, {names}) {copied}")

    service.database.write(begin_more)
    work = runs(service, receiver)
    (place,) = work.waiting()
    assert len(list(work.drain(place))) == 20
    assert work.waiting() == [place]
    assert len(list(work.drain(place))) == 1
