"""Threads that advance runs of workflows: they wait for nobody, and end alone what one of them has."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest

from acctcli.service.cases.workflows import starting
from acctcli.service.cases.workflows.running import LEASE, Ran, Runs
from acctcli.service.cases.workflows.starting import WITHIN
from acctcli.service.delivery.requests import Answer, Outgoing
from acctcli.service.http import advancing, logs
from acctcli.service.http.advancing import OF_ONE_BUSINESS, THREADS, Advancer, advance
from acctcli.service.store.moments import stamp
from acctcli.service.store.workflows import due_runs
from tests.databases import opened
from tests.graphs import FLAG, LOG, MANUAL, uuid
from tests.service.actor import INSTALLATION, World
from tests.service.cases.workflows.flows import (
    DAY,
    FLAGGING,
    Receiver,
    enabled,
    flow,
    listed,
    on,
    runs,
    send,
    states,
    trail,
)
from tests.service.http.test_timers import refusing
from tests.service.routes.books import Books, open_books

SLOW, QUICK = "https://slow.example/", "https://quick.example/"
PATIENCE = 60.0


class Slow(Receiver):
    """Does not answer at one address until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting = threading.Semaphore(0)
        self.let_go = threading.Event()

    def __call__(self, outgoing: Outgoing) -> Answer:
        if outgoing.url == SLOW:
            self.waiting.release()
            assert self.let_go.wait(PATIENCE)
        return super().__call__(outgoing)


def begin(books: Books, workflow: int, times: int = 1) -> None:
    for _ in range(times):
        books.create(f"workflows/{workflow}/runs/")


def until(holds: Callable[[], bool], look: Callable[[], Any]) -> None:
    """Look again and again until something holds."""
    pause = threading.Event()
    for _ in range(round(PATIENCE / 0.02)):
        look()
        if holds():
            return
        pause.wait(0.02)
    raise AssertionError("it took too long")


def test_a_slow_step_holds_up_neither_its_business_nor_others(service: World) -> None:
    books, others, slow = open_books(service.user()), open_books(service.user()), Slow()
    stuck, mine = enabled(books, flow([MANUAL, send(SLOW)])), enabled(books, flow([MANUAL, send(QUICK)]))
    theirs = enabled(others, flow([MANUAL, LOG]))
    lanes = Advancer(runs(service, slow))
    try:
        begin(books, stuck)
        lanes.look()
        assert slow.waiting.acquire(timeout=PATIENCE)
        begin(books, mine)
        begin(others, theirs)
        for some, workflow in ((books, mine), (others, theirs)):
            until(lambda some=some, workflow=workflow: listed(some, workflow)[0]["status"] == "completed", lanes.look)  # type: ignore[misc]
        assert listed(books, stuck)[0]["status"] == "running"
    finally:
        slow.let_go.set()
    until(lambda: bool(listed(books, stuck)[0]["status"] == "completed"), lanes.look)


def test_a_business_has_few_threads_and_others_go_on(service: World) -> None:
    books, others, slow = open_books(service.user()), open_books(service.user()), Slow()
    stuck, theirs = enabled(books, flow([MANUAL, send(SLOW)])), enabled(others, flow([MANUAL, LOG]))
    lanes = Advancer(runs(service, slow))
    try:
        begin(books, stuck, 5)
        for _ in range(OF_ONE_BUSINESS):
            lanes.look()
            assert slow.waiting.acquire(timeout=PATIENCE)
        begin(others, theirs)
        until(lambda: bool(listed(others, theirs)[0]["status"] == "completed"), lanes.look)
        found = Counter(states(run)[1] for run in listed(books, stuck))
        assert found == {"running": OF_ONE_BUSINESS, "pending": 5 - OF_ONE_BUSINESS}
    finally:
        slow.let_go.set()
    until(lambda: all(run["status"] == "completed" for run in listed(books, stuck)), lanes.look)


def test_one_person_with_many_businesses_holds_up_nobody(service: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advancing, "OF_ONE_AUTHOR", 2 * THREADS)
    person, others, slow = service.user(), open_books(service.user()), Slow()
    for _ in range(2 * THREADS):
        books = open_books(person)
        begin(books, enabled(books, flow([MANUAL, send(SLOW)])), 3)
    theirs = enabled(others, flow([MANUAL, LOG, send(QUICK)]))
    lanes = Advancer(runs(service, slow))
    try:
        for _ in range(2 * THREADS):
            until(lambda: slow.waiting.acquire(blocking=False), lanes.look)
        begin(others, theirs)
        until(lambda: bool(listed(others, theirs)[0]["status"] == "completed"), lanes.look)
        # and has no more places than one may
        assert not slow.waiting.acquire(blocking=False)
    finally:
        slow.let_go.set()
    until(lambda: service_is_idle(service, lanes), lanes.look)


def service_is_idle(service: World, lanes: Advancer) -> bool:
    with service.database.read() as conn:
        left = conn.fetch("SELECT count(*) FROM workflow_run WHERE due_at IS NOT NULL")[1][0][0]
    return not left and not lanes._sending


def test_receivers_that_have_not_answered_leave_places_for_those_that_do(
    service: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advancing, "SENDING", 3)
    monkeypatch.setattr(advancing, "UNPROVEN", 2)
    proven, slow = open_books(service.user()), Slow()
    quick = enabled(proven, flow([MANUAL, send(QUICK)]))
    lanes = Advancer(runs(service, slow))
    begin(proven, quick)
    until(lambda: bool(listed(proven, quick)[0]["status"] == "completed"), lanes.look)
    try:
        for _ in range(3):
            books = open_books(service.user())
            begin(books, enabled(books, flow([MANUAL, send(SLOW)])))
        for _ in range(2):
            until(lambda: slow.waiting.acquire(blocking=False), lanes.look)
        begin(proven, quick)
        until(lambda: bool(listed(proven, quick)[1]["status"] == "completed"), lanes.look)
        assert not slow.waiting.acquire(blocking=False)
    finally:
        slow.let_go.set()
    until(lambda: service_is_idle(service, lanes), lanes.look)


@pytest.mark.everywhere
def test_businesses_have_short_turns_one_after_another(service: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advancing, "THREADS", 1)
    monkeypatch.setattr(advancing, "TURN_SECONDS", 0.02)
    busy, others = open_books(service.user()), open_books(service.user())
    much, little = enabled(busy, flow([MANUAL, *[LOG] * 30])), enabled(others, flow([MANUAL, LOG]))
    begin(busy, much, 15)
    lanes = Advancer(runs(service, Receiver()))
    lanes.look()
    begin(others, little)
    until(lambda: bool(listed(others, little)[0]["status"] == "completed"), lanes.look)
    assert Counter(run["status"] for run in listed(busy, much))["completed"] < 15
    until(lambda: service_is_idle(service, lanes), lanes.look)
    assert {run["status"] for run in listed(busy, much)} == {"completed"}


def test_turns_are_shorter_where_many_wait(service: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """One person has many businesses: somebody else has a turn before all of theirs have done what they have."""
    monkeypatch.setattr(advancing, "THREADS", 1)
    monkeypatch.setattr(advancing, "TURN_SECONDS", PATIENCE)
    monkeypatch.setattr(advancing, "ROUND_SECONDS", 0.05)
    person = service.user()
    all_of_them, others = [open_books(person) for _ in range(5)], open_books(service.user())
    much = [enabled(books, flow([MANUAL, *[LOG] * 30])) for books in all_of_them]
    for books, workflow in zip(all_of_them, much, strict=True):
        begin(books, workflow, 4)
    little = enabled(others, flow([MANUAL, LOG]))
    begin(others, little)
    lanes = Advancer(runs(service, Receiver()))
    lanes.look()
    until(lambda: bool(listed(others, little)[0]["status"] == "completed"), lanes.look)
    done = [run["status"] == "completed" for one in zip(all_of_them, much, strict=True) for run in listed(*one)]
    assert sum(done) < len(done)
    until(lambda: service_is_idle(service, lanes), lanes.look)


@pytest.mark.parametrize("number", [1, 2, 3], ids=["look", "books", "send"])
def test_runs_go_on_where_a_thread_cannot_be_started_once(
    service: World, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    monkeypatch.setattr(advancing, "LOOK_SECONDS", 0.02)
    books, receiver = open_books(service.user()), Receiver()
    workflow = enabled(books, flow([MANUAL, send(QUICK)]))
    begin(books, workflow)
    lanes = Advancer(runs(service, receiver))
    main = threading.Thread(target=lanes.run)
    with refusing(monkeypatch, number + 1):  # the first one is that of all
        main.start()
        until(lambda: bool(listed(books, workflow)[0]["status"] == "completed"), lambda: None)
    lanes.end()
    main.join(PATIENCE)
    assert [sent.url for sent in receiver.taken] == [QUICK]


def test_at_the_end_nobody_waits_for_a_receiver_and_the_step_is_repeated(
    service: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advancing, "PARTING_SECONDS", 0.2)
    books, slow = open_books(service.user()), Slow()
    workflow = enabled(books, flow([MANUAL, send(SLOW)]))
    begin(books, workflow, OF_ONE_BUSINESS + 1)
    lanes = Advancer(runs(service, slow))
    main = threading.Thread(target=lanes.run)
    main.start()
    for _ in range(OF_ONE_BUSINESS):
        assert slow.waiting.acquire(timeout=PATIENCE)
    lanes.end()
    main.join(PATIENCE)
    assert not main.is_alive()
    assert [states(run)[1] for run in listed(books, workflow)] == ["running"] * OF_ONE_BUSINESS + ["pending"]
    # others go on when the lease has ended, and what comes of the first attempt after that is not kept
    service.clock.move(LEASE)
    receiver = Receiver()
    assert {ran.status for ran in advance(runs(service, receiver))} == {"completed"}
    slow.let_go.set()
    until(lambda: not lanes._sending, lambda: None)
    assert {sent.key for sent in slow.taken} < {sent.key for sent in receiver.taken}
    assert [run["node_runs"][uuid(2)]["output"]["attempts"] for run in listed(books, workflow)] == [2, 2, 1]


def test_a_call_goes_on_until_nothing_is_left(service: World) -> None:
    books, others, receiver = open_books(service.user()), open_books(service.user()), Receiver()
    by_hand, flagging = enabled(books, flow([MANUAL, send(QUICK)])), enabled(others, FLAGGING)
    begin(books, by_hand, 25)
    documents = [others.document(DAY, "1.00")["id"] for _ in range(3)]
    ended = list(advance(runs(service, receiver)))
    assert Counter(ran.status for ran in ended) == {"completed": 28}
    assert len({ran[:3] for ran in ended}) == 28
    assert len({sent.key for sent in receiver.taken}) == len(receiver.taken) == 25
    assert sorted(others.listed(is_flagged="true")) == documents
    assert len(listed(others, flagging)) == 3
    assert list(advance(runs(service, receiver))) == []


def test_a_call_leaves_runs_when_its_time_is_over(service: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advancing, "OF_ONE_BUSINESS", 1)
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(advancing, "time", SimpleNamespace(monotonic=lambda: clock.now))
    books, receiver = open_books(service.user()), Receiver()
    workflow = enabled(books, flow([MANUAL, send(QUICK), LOG]))
    begin(books, workflow)

    def slow(outgoing: Outgoing) -> Answer:
        clock.now += 100
        return receiver(outgoing)

    assert list(advance(runs(service, slow), 0)) == []
    assert states(listed(books, workflow)[0]) == ["pending"] * 3
    assert list(advance(runs(service, slow), 60)) == []
    assert states(listed(books, workflow)[0]) == ["completed", "completed", "pending"]
    assert [ran.status for ran in advance(runs(service, slow), 60)] == ["completed"]


def test_a_workflow_that_began_too_many_runs_is_logged_once(
    service: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(starting, "MOST_RUNS", 2)
    books = open_books(service.user(), slug="busy")
    workflow = enabled(books, FLAGGING)
    for _ in range(3):
        books.document(DAY, "1.00")
    lanes = Advancer(runs(service, Receiver()))
    said = f"workflow {workflow} in busy began too many runs: no others until {stamp(service.clock() + WITHIN)}"
    with caplog.at_level(logging.WARNING, logs.LOG.name):
        until(lambda: said in caplog.messages, lanes.look)
        for _ in range(3):
            lanes.look()
    assert caplog.messages.count(said) == 1
    until(lambda: [run["status"] for run in listed(books, workflow)] == ["completed"] * 2, lanes.look)


def racing(service: World, url: str, work: Callable[[Runs], Any], receiver: Receiver, workers: int) -> list[Any]:
    """Let several workers, each with a connection of its own, do something at the same moment."""
    ready = threading.Barrier(workers)

    def one(_: int) -> Any:
        with opened(url) as database:
            mine = Runs(database, service.clock, service.entropy, INSTALLATION.trail_marker, receiver)
            ready.wait(PATIENCE)
            return work(mine)

    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(one, range(workers)))


@pytest.mark.everywhere
@pytest.mark.parametrize("kinds", [[MANUAL, LOG, LOG], [MANUAL, send(QUICK), LOG]])
def test_two_workers_race_for_a_run(service: World, database_url: str, kinds: list[Any]) -> None:
    books, receiver = open_books(service.user()), Receiver()
    workflow = enabled(books, flow(kinds))
    for number in range(5):
        begin(books, workflow)
        (place,) = runs(service, receiver).waiting()
        with service.database.read() as conn:
            (due,) = due_runs(conn, place, "9", 2, sends=False)

        def take(mine: Runs, due: Any = due) -> Any:
            return mine.advance(due, 10)

        said = racing(service, database_url, take, receiver, 2)
        assert sorted(isinstance(one, Ran) for one in said) == [False, True]
        assert states(listed(books, workflow)[number]) == ["completed"] * 3
    assert len(receiver.taken) == len({sent.key for sent in receiver.taken})


@pytest.mark.everywhere
def test_many_workers_begin_and_advance_each_run_once(service: World, database_url: str) -> None:
    books, receiver = open_books(service.user()), Receiver()
    saved = flow([on("document.created"), FLAG, send(QUICK)])
    workflows = [enabled(books, saved, name) for name in "ab"]
    documents = [books.document(DAY, "1.00")["id"] for _ in range(6)]
    ended = racing(service, database_url, lambda mine: list(advance(mine)), receiver, 4)
    assert sum(map(len, ended)) == 12
    for workflow in workflows:
        found = listed(books, workflow)
        assert [run["status"] for run in found] == ["completed"] * 6
        assert len({run["event_id"] for run in found}) == 6
    assert [row["record_id"] for row in trail(books, "document.flagged")] != []
    assert Counter(row["record_id"] for row in trail(books, "document.flagged")) == dict.fromkeys(documents, 1)
    assert len({sent.key for sent in receiver.taken}) == len(receiver.taken) == 12
    assert books.get("audit/verification/").body["faults"] == []


@pytest.mark.everywhere
def test_many_workers_begin_no_more_than_one_may(
    service: World, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(starting, "MOST_RUNS", 5)
    books, receiver = open_books(service.user()), Receiver()
    workflow = enabled(books, FLAGGING)
    for _ in range(8):
        books.document(DAY, "1.00")
    ended = racing(service, database_url, lambda mine: list(advance(mine)), receiver, 4)
    assert sum(map(len, ended)) == len(listed(books, workflow)) == 5
    service.clock.move(WITHIN)
    ended = racing(service, database_url, lambda mine: list(advance(mine)), receiver, 4)
    assert sum(map(len, ended)) == 3
    assert len({run["event_id"] for run in listed(books, workflow)}) == 8
