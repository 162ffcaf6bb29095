"""Group commit on a transaction that only takes notes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial

import pytest

from acctcli.service.problems import Unavailable
from acctcli.service.store.engine import batches
from acctcli.service.store.engine.batches import BATCH_WORKS, GroupCommit

SECONDS = 10


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch is never too old: on a busy machine the crowd takes its time to gather."""
    monkeypatch.setattr(batches, "BATCH_SECONDS", 600)


class Notes:
    """Writes down what is asked of it; `begun` and `taking_back` run after, `marking` and `committing` before it is."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.open = False
        self.begun: Callable[[], None] = lambda: None
        self.marking: Callable[[], None] = lambda: None
        self.committing: Callable[[], None] = lambda: None
        self.taking_back: Callable[[], None] = lambda: None

    def begin(self) -> None:
        self.open = True
        self.calls.append("begin")
        self.begun()

    def commit(self) -> None:
        self.committing()
        self.open = False
        self.calls.append("commit")

    def rollback(self) -> None:
        self.open = False
        self.calls.append("rollback")
        self.taking_back()

    def savepoint(self) -> None:
        self.marking()
        self.calls.append("savepoint")

    def rollback_to_savepoint(self) -> None:
        self.calls.append("take back")

    def is_open(self) -> bool:
        return self.open


class Crowd:
    """Threads that queue up behind a first work, in order, and what became of each."""

    def __init__(self, batches: GroupCommit) -> None:
        self.batches = batches
        self.outcomes: dict[str, object] = {}
        self.told: dict[str, str] = {}
        self.threads: list[threading.Thread] = []
        self.started = threading.Event()
        self.free = threading.Event()

    def hold(self) -> None:
        """Start the first work, which waits until everybody is there."""
        self.join("first", self._wait)
        assert self.started.wait(SECONDS)

    def _wait(self) -> str:
        self.started.set()
        assert self.free.wait(SECONDS)
        return "first"

    def join(self, name: str, work: Callable[[], object]) -> None:
        """Queue up and wait until the queue has grown."""
        before = len(self.batches._queue)
        thread = threading.Thread(target=self._run, args=(name, work))
        self.threads.append(thread)
        thread.start()
        while name != "first" and len(self.batches._queue) == before:
            threading.Event().wait(0.001)

    def _run(self, name: str, work: Callable[[], object]) -> None:
        try:
            self.outcomes[name] = self.batches.run(work)
        except BaseException as error:  # noqa: BLE001 - kept for the test
            self.outcomes[name] = type(error)
            self.told[name] = str(error)

    def release(self) -> None:
        """Let them go and wait for all."""
        self.free.set()
        for thread in self.threads:
            thread.join(SECONDS)
            assert not thread.is_alive()


def fail() -> None:
    raise LookupError


def test_a_writer_alone_pays_nothing() -> None:
    notes = Notes()
    assert GroupCommit(notes).run(lambda: 7) == 7
    assert notes.calls == ["begin", "commit"]


def test_a_work_alone_that_raises_is_rolled_back() -> None:
    notes = Notes()
    batches = GroupCommit(notes)
    with pytest.raises(LookupError):
        batches.run(fail)
    assert batches.run(lambda: 1) == 1
    assert notes.calls == ["begin", "rollback", "begin", "commit"]


def test_writers_who_wait_share_a_commit_and_a_failing_one_hurts_nobody() -> None:
    notes = Notes()
    crowd = Crowd(GroupCommit(notes))
    crowd.hold()
    crowd.join("second", lambda: 2)
    crowd.join("third", fail)
    crowd.join("fourth", lambda: 4)
    crowd.release()
    assert crowd.outcomes == {"first": "first", "second": 2, "third": LookupError, "fourth": 4}
    assert notes.calls.count("begin") == notes.calls.count("commit") == 1
    assert notes.calls.count("savepoint") == 3
    assert notes.calls.count("take back") == 1
    assert notes.calls[-1] == "commit"


def test_nobody_returns_before_the_commit() -> None:
    notes = Notes()
    crowd = Crowd(GroupCommit(notes))
    seen: list[int] = []
    notes.committing = lambda: seen.append(len(crowd.outcomes))
    crowd.hold()
    for number in range(5):
        crowd.join(str(number), lambda: None)
    crowd.release()
    assert seen == [0]
    assert len(crowd.outcomes) == 6


def test_when_the_commit_fails_everybody_learns_it() -> None:
    notes = Notes()
    crowd = Crowd(GroupCommit(notes))

    def break_down() -> None:
        raise Unavailable("no disk")

    notes.committing = break_down
    crowd.hold()
    crowd.join("second", lambda: 2)
    crowd.release()
    assert crowd.outcomes == {"first": Unavailable, "second": Unavailable}
    assert notes.calls[-1] == "rollback"
    notes.committing = lambda: None
    assert crowd.batches.run(lambda: 3) == 3


def test_a_transaction_that_the_database_gave_up_fails_for_all() -> None:
    notes = Notes()
    crowd = Crowd(GroupCommit(notes))

    def lose() -> None:
        notes.open = False
        raise OSError

    crowd.hold()
    crowd.join("second", lose)
    crowd.release()
    assert crowd.outcomes == {"first": Unavailable, "second": Unavailable}
    assert crowd.batches.run(lambda: 3) == 3


def test_when_the_commit_and_the_rollback_fail_nobody_is_told_a_result() -> None:
    notes = Notes()
    crowd = Crowd(GroupCommit(notes))

    def break_down() -> None:
        raise OSError

    notes.committing = notes.taking_back = break_down
    crowd.hold()
    crowd.join("second", lambda: 2)
    crowd.release()
    assert crowd.outcomes == {"first": OSError, "second": Unavailable}


def test_a_work_that_goes_on_without_its_transaction_fails_with_all() -> None:
    notes = Notes()
    crowd = Crowd(GroupCommit(notes))

    def lose() -> str:
        notes.open = False
        return "lost"

    crowd.hold()
    crowd.join("second", lose)
    crowd.join("third", lambda: 3)
    crowd.release()
    assert crowd.outcomes == {"first": Unavailable, "second": Unavailable, "third": 3}
    assert notes.calls.count("savepoint") == 1


def test_a_savepoint_that_fails_takes_nobody_elses_work_back() -> None:
    notes = Notes()
    crowd = Crowd(GroupCommit(notes))

    def refuse() -> None:
        notes.marking = lambda: None
        raise OSError

    notes.marking = refuse
    crowd.hold()
    crowd.join("second", lambda: 2)
    crowd.release()
    assert crowd.outcomes == {"first": Unavailable, "second": Unavailable}
    assert notes.calls == ["begin", "rollback"]


def test_who_is_interrupted_while_beginning_leaves_no_transaction_open() -> None:
    notes = Notes()
    batches = GroupCommit(notes)

    def interrupt() -> None:
        notes.begun = lambda: None
        raise KeyboardInterrupt

    notes.begun = interrupt
    with pytest.raises(KeyboardInterrupt):
        batches.run(lambda: 1)
    assert not notes.open
    assert batches.run(lambda: 2) == 2


def test_when_a_transaction_cannot_begin_nobody_waits_for_it_once_more() -> None:
    notes = Notes()
    crowd = Crowd(GroupCommit(notes))

    def refuse() -> None:
        notes.begun = lambda: None
        crowd._wait()
        raise Unavailable

    notes.begun = refuse
    crowd.hold()
    crowd.join("second", lambda: 2)
    crowd.join("third", lambda: 3)
    crowd.release()
    assert crowd.outcomes == {"first": Unavailable, "second": Unavailable, "third": Unavailable}
    assert notes.calls == ["begin", "rollback"]
    assert crowd.batches.run(lambda: 4) == 4


@pytest.mark.parametrize("leaving", [KeyboardInterrupt, SystemExit])
def test_a_work_that_leaves_the_program_takes_its_batch_along_and_nobody_waits_for_ever(
    leaving: type[BaseException],
) -> None:
    notes = Notes()
    crowd = Crowd(GroupCommit(notes))

    def leave() -> None:
        raise leaving

    crowd.hold()
    crowd.join("second", lambda: 2)
    crowd.join("third", leave)
    crowd.join("fourth", lambda: 4)
    crowd.release()
    assert crowd.outcomes == {"first": leaving, "second": Unavailable, "third": Unavailable, "fourth": 4}
    assert notes.calls.index("rollback") < notes.calls.index("commit")


def test_of_what_was_interrupted_while_it_was_recorded_nobody_says_that_it_was_not() -> None:
    notes = Notes()
    crowd = Crowd(GroupCommit(notes))

    def leave() -> None:
        raise KeyboardInterrupt

    notes.committing = leave
    crowd.hold()
    crowd.join("second", lambda: 2)
    crowd.release()
    assert crowd.outcomes == {"first": KeyboardInterrupt, "second": Unavailable}
    assert crowd.told["second"] == "The service was interrupted while the change was recorded."


def test_a_batch_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("acctcli.service.store.engine.batches.BATCH_WORKS", 2)
    notes = Notes()
    crowd = Crowd(GroupCommit(notes))
    crowd.hold()
    for number in range(3):
        crowd.join(str(number), lambda: None)
    crowd.release()
    assert notes.calls.count("commit") == 2
    assert BATCH_WORKS > 2


def test_what_is_left_behind_is_told_once_it_is_durable() -> None:
    notes, told = Notes(), list[object]()
    batches = GroupCommit(notes)
    batches.submit(lambda: 1, lambda outcome: told.append((outcome(), notes.open, notes.calls[-1])))
    batches.close()
    assert told == [(1, False, "commit")]


def test_who_left_a_failing_work_behind_is_told_and_nobody_else_is_hurt() -> None:
    notes, told = Notes(), dict[str, object]()
    batches = GroupCommit(notes)

    def note(name: str) -> Callable[[Callable[[], object]], None]:
        def tell(outcome: Callable[[], object]) -> None:
            try:
                told[name] = outcome()
            except LookupError as error:
                told[name] = type(error)

        return tell

    crowd = Crowd(batches)
    crowd.hold()
    batches.submit(fail, note("failing"))
    crowd.join("waiting", lambda: 2)
    batches.submit(lambda: 3, note("left"))
    crowd.release()
    batches.close()
    assert told == {"failing": LookupError, "left": 3}
    assert crowd.outcomes == {"first": "first", "waiting": 2}
    assert notes.calls.count("begin") == notes.calls.count("commit")


def test_of_a_batch_that_cannot_be_committed_everybody_who_left_a_work_is_told() -> None:
    notes, told = Notes(), list[type[Exception]]()
    batches = GroupCommit(notes)

    def refuse() -> None:
        raise Unavailable

    def tell(outcome: Callable[[], object]) -> None:
        with pytest.raises(Unavailable) as caught:
            outcome()
        told.append(caught.type)

    notes.committing = refuse
    for _ in range(3):
        batches.submit(lambda: 1, tell)
    batches.close()
    assert told == [Unavailable] * 3
    assert not notes.open


def test_a_transaction_that_cannot_begin_is_not_begun_again_for_those_who_know() -> None:
    notes, told = Notes(), list[str]()
    batches = GroupCommit(notes)

    def refuse() -> None:
        raise Unavailable

    notes.begun = refuse
    batches.submit(lambda: 1, lambda outcome: told.append("told"))
    while not told:
        threading.Event().wait(0.001)
    batches.close()
    assert notes.calls == ["begin", "rollback"]


def test_threads_that_wait_and_threads_that_do_not_share_one_transaction_at_a_time() -> None:
    notes, told, count = Notes(), list[int](), 200
    batches = GroupCommit(notes)

    def leave(number: int) -> None:
        for part in range(count):
            batches.submit(partial(int, number + part), lambda outcome: told.append(outcome()))

    def wait(number: int) -> None:
        for part in range(count):
            assert batches.run(partial(int, number + part)) == number + part

    threads = [threading.Thread(target=job, args=[1000 * place]) for place, job in enumerate((leave, wait) * 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS)
    batches.close()
    assert sorted(told) == [1000 * place + part for place in range(0, 8, 2) for part in range(count)]
    states = [call for call in notes.calls if call in ("begin", "commit")]
    assert states == ["begin", "commit"] * (len(states) // 2)


def test_without_a_thread_for_it_nothing_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    notes, told = Notes(), list[object]()
    batches = GroupCommit(notes)

    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as none_left:
        none_left.setattr(threading.Thread, "start", refuse)
        with pytest.raises(Unavailable, match="nothing was changed"):
            batches.submit(lambda: 1, lambda outcome: told.append(outcome()))
    batches.submit(lambda: 2, lambda outcome: told.append(outcome()))
    batches.close()
    assert told == [2]
    assert notes.calls.count("begin") == 1


class Left:
    """Works left behind, and those that were told."""

    def __init__(self) -> None:
        self.notes = Notes()
        self.batches = GroupCommit(self.notes)
        self.told: list[int] = []

    def leave(self, many: int) -> None:
        for _ in range(many):
            self.batches.submit(lambda: 1, lambda outcome: self.told.append(outcome()))

    def leave_together(self, many: int) -> None:
        """Let so many be one batch."""
        free = threading.Event()
        self.batches.submit(partial(free.wait, SECONDS), lambda outcome: self.told.append(outcome()))
        self.leave(many - 1)
        free.set()
        self.wait(many)

    def wait(self, many: int) -> None:
        until = time.monotonic() + SECONDS
        while len(self.told) < many and time.monotonic() < until:
            threading.Event().wait(0.001)
        assert len(self.told) == many


def test_after_a_batch_as_many_works_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "GATHER_SECONDS", 600)
    left = Left()
    left.leave_together(3)
    left.leave(2)
    threading.Event().wait(0.05)
    assert len(left.told) == 3
    left.leave(1)
    left.wait(6)
    left.leave(2)
    left.batches.close()
    left.wait(8)
    assert left.notes.calls == [
        *("begin", "savepoint", "savepoint", "commit"),
        *("begin", "savepoint", "savepoint", "commit"),
        *("begin", "savepoint", "commit"),
    ]


def test_fewer_works_do_not_wait_long() -> None:
    left = Left()
    left.leave_together(3)
    for many in (2, 1, 1):
        before = len(left.told)
        left.leave(many)
        left.wait(before + many)
    left.batches.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_another_thread_commits_when_that_one_died() -> None:
    notes, told, died = Notes(), list[object](), threading.Event()
    batches = GroupCommit(notes)

    def die() -> None:
        raise SystemExit

    batches.submit(die, lambda outcome: died.set())
    assert died.wait(SECONDS)
    until = time.monotonic() + SECONDS
    while not told and time.monotonic() < until:
        batches.submit(lambda: 1, lambda outcome: told.append(outcome()))
        time.sleep(0.001)
    batches.close()
    assert set(told) == {1}
