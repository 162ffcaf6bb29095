"""The threads of a worker, played by threads that take requests from a queue as granian's do."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from acctcli.service.http.threads import LINGER_LOOKS, LOOK_SECONDS, Threads

SECONDS = 10
MANY = 30


class Pool:
    """Threads that wait for requests: each takes one, does it, and is held or waits for the next."""

    def __init__(self, count: int) -> None:
        self.threads = Threads()
        self.queue: queue.SimpleQueue[tuple[Callable[[], object], bool] | None] = queue.SimpleQueue()
        self.names: list[str] = []
        self.done = threading.Semaphore(0)
        self._crowd = [threading.Thread(target=self._serve, daemon=True) for _ in range(count)]
        threading.Thread(target=self.threads.watch, daemon=True).start()
        for thread in self._crowd:
            thread.start()

    def _serve(self) -> None:
        while (request := self.queue.get()) is not None:
            work, is_read = request
            self.threads.begin()
            work()
            self.names.append(threading.current_thread().name)
            self.done.release()
            self.threads.end(may_be_held=is_read)

    def ask(self, *works: Callable[[], object], is_read: bool = True) -> None:
        """Send requests."""
        for work in works:
            self.queue.put((work, is_read))

    def await_done(self, count: int) -> None:
        """Wait until so many more are done."""
        for _ in range(count):
            assert self.done.acquire(timeout=SECONDS)

    def settle(self) -> None:
        """Let every thread do one request at the same time, so that all but one are held."""
        together = threading.Barrier(len(self._crowd))
        self.ask(*[together.wait] * len(self._crowd))
        self.await_done(len(self._crowd))
        self.names.clear()


@pytest.fixture
def pool() -> Iterator[Pool]:
    pool = Pool(MANY)
    pool.settle()
    yield pool
    # those that are held wait for ever, as daemons may
    for _ in range(MANY):
        pool.queue.put(None)


def nothing() -> None:
    """Do nothing."""


def test_requests_one_after_the_other_are_done_by_one_thread(pool: Pool) -> None:
    for _ in range(200):
        pool.ask(nothing)
        pool.await_done(1)
    assert len(set(pool.names)) == 1


def test_requests_that_stand_still_keep_nobody_waiting(pool: Pool) -> None:
    """All threads but one are taken, one stalled request after the other; the last one goes on serving."""
    go_on = threading.Event()
    pool.ask(*[go_on.wait] * (MANY - 1), nothing)
    pool.await_done(1)
    pool.ask(nothing)
    pool.await_done(1)
    go_on.set()
    pool.await_done(MANY - 1)
    pool.settle()


def test_the_watch_begins_again_after_a_pause(pool: Pool) -> None:
    until = time.monotonic() + SECONDS + LINGER_LOOKS * LOOK_SECONDS
    while pool.threads._is_watched:
        assert time.monotonic() < until
        time.sleep(LOOK_SECONDS)
    test_requests_that_stand_still_keep_nobody_waiting(pool)


def test_whose_body_was_not_read_is_not_held(pool: Pool) -> None:
    """Its sender would wait for that: granian gives a body up when its call returns."""
    free = pool.threads._free
    together = threading.Barrier(2)
    go_on = threading.Event()
    pool.ask(go_on.wait)
    pool.ask(together.wait, is_read=False)
    together.wait(SECONDS)
    go_on.set()
    pool.await_done(2)
    pool.ask(nothing)
    pool.await_done(1)
    assert pool.threads._free >= free


def test_many_requests_of_all_kinds_come_to_an_end(pool: Pool) -> None:
    pause = partial(threading.Event().wait, 0.02)
    for number in range(600):
        pool.ask(nothing if number % 7 else pause, is_read=number % 5 != 0)
    pool.await_done(600)
    pool.settle()
