"""How many businesses are at their books at once, for how long, and who may send: counted, without waiting."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from acctcli.service.cases.workflows.running import Runs
from acctcli.service.http import advancing
from acctcli.service.http.advancing import Advancer
from acctcli.service.store.workflows import Due, Place

PATIENCE = 20.0


def place(business: int) -> Place:
    return Place(business, f"b{business}", "FI_OY", "FI")


def due(run: int, *, business: int | None = None, author: int | None = None) -> Due:
    """A run of a business, and of an author, of its own unless they are named."""
    return Due(place(run if business is None else business), 1, run, run if author is None else author)


class Idle:
    """Runs of businesses that have nothing to do."""

    def __init__(self, *businesses: int) -> None:
        self.businesses = businesses

    def waiting(self) -> list[Place]:
        return list(map(place, self.businesses))

    def held(self) -> list[Any]:
        return []

    def due(self, *_: object, **__: object) -> list[Due]:
        return []

    def drain(self, _: Place, is_going: Callable[[], bool], **__: object) -> Iterator[Any]:
        return iter(())

    def advance(self, *_: object) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A clock that stands still until it is moved."""
    moved = SimpleNamespace(now=0.0)
    monkeypatch.setattr(advancing, "time", SimpleNamespace(monotonic=lambda: moved.now, sleep=lambda _: None))
    return moved


def advancer(runs: Idle) -> Advancer:
    return Advancer(cast("Runs", runs))


def test_four_businesses_are_at_their_books_at_once() -> None:
    entered, may_leave = threading.Semaphore(0), threading.Event()

    class Busy(Idle):
        def drain(self, _: Place, is_going: Callable[[], bool], **__: object) -> Iterator[Any]:
            entered.release()
            assert may_leave.wait(PATIENCE)
            return iter(())

    lanes = advancer(Busy(1, 2, 3, 4, 5, 6))
    lanes.look()
    try:
        for _ in range(4):
            assert entered.acquire(timeout=PATIENCE)
        # those that have a turn wait for no second one, and the others for theirs
        lanes.look()
        assert (lanes._at_turn, [one.business_id for one in lanes._queue]) == ({1, 2, 3, 4}, [5, 6])
        assert lanes._threads == 4
    finally:
        may_leave.set()
    for _ in range(2):
        assert entered.acquire(timeout=PATIENCE)


@pytest.mark.parametrize(
    ("waiting", "seconds"), [(0, 0.25), (15, 0.25), (39, 0.1), (99, 0.04), (399, 0.01), (100_000, 0.01)]
)
def test_turns_are_so_short_that_all_who_wait_have_one_in_a_second(
    clock: SimpleNamespace, waiting: int, seconds: float
) -> None:
    lanes = advancer(Idle())
    lanes._queue.extend(map(place, range(waiting)))
    is_going = lanes._until()
    clock.now = seconds * 0.99
    assert is_going()
    clock.now = seconds * 1.01
    assert not is_going()


def test_a_turn_ends_with_all() -> None:
    lanes = advancer(Idle())
    is_going = lanes._until()
    lanes.end()
    assert not is_going()


def entering(lanes: Advancer, dues: Iterator[Due]) -> int:
    """Return how many of the runs may send."""
    return sum(map(lanes._enter, dues))


def test_a_quarter_of_all_requests_is_for_receivers_that_have_answered() -> None:
    lanes = advancer(Idle())
    assert entering(lanes, (due(run) for run in range(200))) == 96
    lanes._quick.update(range(1000, 1200))
    assert entering(lanes, (due(run) for run in range(1000, 1200))) == 32


def test_a_run_a_business_and_a_person_have_so_many_requests_at_once() -> None:
    lanes = advancer(Idle())
    assert entering(lanes, iter([due(1), due(1)])) == 1
    assert entering(lanes, (due(run, business=2) for run in range(10, 20))) == 2
    assert entering(lanes, (due(run, author=7) for run in range(100, 200))) == 32
    # whoever has left has room for others
    lanes._leave(due(10))
    assert entering(lanes, iter([due(20, business=2)])) == 1


@pytest.mark.parametrize(("seconds", "is_quick"), [(3.0, True), (3.1, False)])
def test_who_answers_in_time_is_quick_until_it_does_not(clock: SimpleNamespace, seconds: float, is_quick: bool) -> None:
    class Waiting(Idle):
        def advance(self, *_: object) -> bool:
            clock.now += took
            return True

    lanes, took = advancer(Waiting()), seconds
    for before in (set[int](), {5}):
        lanes._quick = before
        lanes._send(due(1, business=5))
        assert lanes._quick == ({5} if is_quick else set())
    assert lanes._sending == {}
