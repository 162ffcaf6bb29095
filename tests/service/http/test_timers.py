"""What is done by the clock is done once, again after a fault, and goes on where a thread cannot be started."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from acctcli.service.cases.invoices.recurrence import Done
from acctcli.service.cases.work import Limits
from acctcli.service.http import timers
from acctcli.service.problems import InFlight

YESTERDAY = datetime.now(UTC).date() - timedelta(days=1)
DAYS = frozenset({YESTERDAY})


@contextmanager
def refusing(monkeypatch: pytest.MonkeyPatch, number: int) -> Iterator[None]:
    """Let the system refuse the thread that is the how-manieth to be started."""
    start, begun = threading.Thread.start, iter(range(1, 10**6))

    def refuse(thread: threading.Thread) -> None:
        if next(begun) == number:
            raise RuntimeError("can't start new thread")
        start(thread)

    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", refuse)
        yield


class Recurring:
    """A service of which only the recurrence is asked; it answers with what it is given."""

    def __init__(self, answer: list[Done] | InFlight) -> None:
        self.answer = answer
        self.days: list[date | None] = []
        self.limits = Limits(mail_days=7)

    def take_away(self, mail_days: int | None) -> None:
        """Nothing is old here."""

    def make_recurring(self, until: date | None) -> list[Done]:
        self.days.append(until)
        if isinstance(self.answer, InFlight):
            raise self.answer
        return self.answer


def test_what_cannot_be_done_is_in_the_log_and_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    refused = Done("birches", YESTERDAY, 7, "not mailed", 8, "Canary Oy cannot be reached.", "Precondition")
    service: Any = Recurring([refused, refused._replace(problem=None)])
    kept: set[frozenset[date]] = set()
    timers._make_recurring(service, DAYS, kept)
    assert [record.getMessage() for record in caplog.records] == [
        f"template 7 of birches: not mailed for {YESTERDAY}: Precondition"
    ]
    assert kept == set()
    service.answer = [refused._replace(problem=None)]
    timers._make_recurring(service, DAYS, kept)
    assert kept == {DAYS}


def test_another_worker_may_do_it(caplog: pytest.LogCaptureFixture) -> None:
    service: Any = Recurring(InFlight())
    kept: set[frozenset[date]] = set()
    timers._make_recurring(service, DAYS, kept)
    assert (service.days, caplog.records, kept) == ([None], [], set())


@pytest.mark.parametrize("is_kept", [False, True])
def test_a_day_is_kept_once(monkeypatch: pytest.MonkeyPatch, is_kept: bool) -> None:
    started: list[tuple[object, ...]] = []

    class Started:
        def __init__(self, *arguments: object, **named: object) -> None:
            self.told = (*arguments, *named.values())

        def start(self) -> None:
            started.append(self.told)

    monkeypatch.setattr(threading, "Thread", Started)
    # at that hour of the night it is two days at once
    monkeypatch.setattr(timers, "days_of", lambda moment: DAYS)
    service: Any = Recurring([])
    kept = {DAYS} if is_kept else set()
    assert timers.keep_time(service, kept)
    run = (timers._make_recurring, [service, DAYS, kept], False)
    take_away = (service.take_away, [7], True)
    assert started == ([take_away] if is_kept else [take_away, run])


@pytest.mark.parametrize("refused", [1, 2])
def test_what_no_thread_could_be_started_for_is_done_soon(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, refused: int
) -> None:
    """Of the two threads of a look either one is refused; the other one is started, and the next look comes at once."""
    monkeypatch.setattr(timers, "days_of", lambda moment: DAYS)
    monkeypatch.setattr(timers, "TROUBLE_SECONDS", 0.01)
    kept: set[frozenset[date]] = set()
    service: Any = Recurring([])
    ending = threading.Event()
    looks: list[bool] = []

    def look() -> bool:
        looks.append(timers.keep_time(service, kept))
        if len(looks) == 2:
            ending.set()
        return looks[-1]

    with refusing(monkeypatch, refused):
        timers.repeat(look, timers.HOUR_SECONDS, ending)
    assert looks == [False, True]
    assert [record.getMessage() for record in caplog.records] == ["a thread could not be started; it is tried again"]
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join(10)
    assert service.days
    assert kept == {DAYS}


def test_looks_go_on_until_the_end() -> None:
    ending, looks = threading.Event(), iter([True, False, True])

    def look() -> bool:
        done = next(looks, None)
        if done is None:
            ending.set()
        return bool(done)

    timers.repeat(look, 0.001, ending)
    assert ending.is_set()
