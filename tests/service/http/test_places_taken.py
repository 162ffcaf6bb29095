"""Receivers that stand still, all the time or now and then, on real sockets: nobody else waits for a place."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime

import pytest

from acctcli.service.http import delivering as lanes_module
from acctcli.service.http.places import MOST, NEW
from tests.receiver import Answer, Handler, Received, Receiver, always, receiving
from tests.service.actor import World
from tests.service.http.test_delivering import Company, delivering, wait_until
from tests.sizes import is_full

# a healthy receiver has its events after so long at most, on a machine that does other things too
SOON = 3.0
BUSINESSES, EACH = (50, 10) if is_full() else (25, 8)


class Moody:
    """Answers so many deliveries of each subscription at once, and stands still at the next one, over and over."""

    def __init__(self, answers: int) -> None:
        self._answers = answers
        self._over = threading.Event()
        self._guard = threading.Lock()
        self._taken: Counter[str] = Counter()
        self.stalled = 0

    def __call__(self, handler: Handler, received: Received) -> int | None:
        with self._guard:
            self._taken[received.path] += 1
            if self._taken[received.path] % (self._answers + 1):
                return 204
            self.stalled += 1
        self._over.wait(120)
        handler.hang_up()
        return None

    def end(self) -> None:
        self._over.set()


@contextmanager
def moody(answers: int) -> Iterator[tuple[Moody, Receiver]]:
    mood = Moody(answers)
    answer: Answer = mood
    with ExitStack() as stack:
        receiver = stack.enter_context(receiving(answer))
        try:
            yield mood, receiver
        finally:
            mood.end()
            receiver.close_connections()


@pytest.fixture
def now(service: World) -> World:
    service.clock.now = datetime.now(UTC)
    return service


def crowd(service: World, receiver: Receiver, businesses: int, each: int, happens: int) -> list[Company]:
    """Make businesses with subscriptions to a receiver, and let something happen in each."""
    made = [Company(service) for _ in range(businesses)]
    for number, company in enumerate(made):
        for one in range(each):
            company.subscribe(f"{receiver.base_url}/{number}/{one}")
        company.happen(happens)
    return made


def seconds(is_so: Callable[[], object]) -> float:
    begun = time.monotonic()
    wait_until(is_so)
    return time.monotonic() - begun


def wait_until_still(mood: Moody) -> None:
    """Wait until as many stand still as may, for a moment."""
    before = 0
    while not (before and before == mood.stalled):
        before = mood.stalled
        time.sleep(1)


@pytest.mark.parametrize("answers", [0, 1, 20])
def test_a_crowd_that_stands_still_holds_up_no_other_business(now: World, answers: int) -> None:
    """New ones, ones that answer every other time, and ones that have proved themselves before they stand still."""
    with moody(answers) as (mood, dead), receiving(always(204)) as receiver:
        crowd(now, dead, BUSINESSES, EACH, 40)
        with delivering(now.database):
            wait_until_still(mood)
            for _ in range(3):
                company = Company(now)
                made = company.subscribe(receiver.base_url)
                company.happen(5)
                told = seconds(lambda company=company, made=made: company.told(made) == 5)  # type: ignore[misc]
                assert told < SOON, mood.stalled
                time.sleep(0.5)


def test_new_ones_wait_for_those_that_stand_still_no_longer_than_these_look_new(
    now: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lanes_module, "NEW_SECONDS", 0.5)
    number = MOST[NEW] + 10
    with moody(0) as (mood, dead):
        crowd(now, dead, number, 1, 1)
        with delivering(now.database):
            # much sooner than the first of them is given up
            assert seconds(lambda: mood.stalled == number) < 10


def test_one_that_lets_an_attempt_wait_gets_no_other_until_that_is_over(
    now: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lanes_module, "SLOW_SECONDS", 0.5)
    over, stalls = threading.Event(), threading.Semaphore(1)

    def answer(handler: Handler, _: Received) -> int | None:
        if stalls.acquire(blocking=False):
            over.wait(60)
            handler.hang_up()
            return None
        return 204

    with receiving(answer) as receiver:
        company = Company(now)
        company.subscribe(receiver.base_url)
        now.database.write(lambda conn: conn.run("UPDATE webhook_position SET answers = 16"))
        company.happen(5000)
        try:
            with delivering(now.database):
                wait_until(lambda: receiver.received)
                time.sleep(1.5)
                before = len(receiver.received)
                time.sleep(1)
                assert len(receiver.received) == before < 5000
                over.set()
                wait_until(lambda: len(receiver.received) > before + 100)
        finally:
            over.set()
            receiver.close_connections()
