"""Group commit: concurrent writers share one transaction and one wait for the disk.

Writers queue up. Whoever finds nobody at it runs the works of all, one after the other, each after the first inside a
savepoint, commits once, and lets the others go. So nobody learns a result before it is durable, a work that raises
takes back only what it did, threads do not hand the interpreter to each other at every statement, and a writer who is
alone pays nothing: no thread, no hand-over, no savepoint.

A writer who need not wait leaves a work behind, and is told how it ended: a thread of its own runs these, so that
whoever takes requests in goes on doing so. After a batch it waits a moment for as many works as that one had: those who
were told send the next ones now, and each who takes one in would only wake it to find the interpreter taken.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from acctcli.service.problems import UNCHANGED, Unavailable
from acctcli.service.store.engine.connection import explain

T = TypeVar("T")

BATCH_WORKS = 64
BATCH_SECONDS = 0.05
# for as many works as there were; a work that comes later than that waits for nobody
GATHER_SECONDS = 0.002


class Transaction(Protocol):
    """What a batch needs from a connection; `begin` and `commit` raise Unavailable when they cannot."""

    def begin(self) -> None:
        """Start, waiting for other processes."""

    def commit(self) -> None:
        """Make everything durable."""

    def rollback(self) -> None:
        """Take everything back; harmless when nothing is open."""

    def savepoint(self) -> None:
        """Mark a place."""

    def rollback_to_savepoint(self) -> None:
        """Take back what followed the newest mark."""

    def is_open(self) -> bool:
        """Whether the database still has the transaction."""


class Work:
    """What one writer wants done, and how it ended; `ended` once it is durable or never will be.

    Who left it behind is `told` then.
    """

    def __init__(self, run: Callable[[], Any], told: Callable[[Callable[[], Any]], None] | None = None) -> None:
        self.run = run
        self.told = told
        self.ended = False
        self.result: Any = None
        self.failure: Exception | None = None

    def outcome(self) -> Any:
        """Return or raise what came of it."""
        if self.failure is not None:
            raise self.failure
        return self.result


class GroupCommit:
    """Runs works one after another on one transaction at a time."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._leading = threading.Lock()
        # only who leads takes works away, so that who is interrupted cannot lose another's
        self._queue: deque[Work] = deque()
        self._left_behind = threading.Event()
        self._committer: threading.Thread | None = None
        self._starting = threading.Lock()
        self._is_closed = False
        # how many works left behind are worth waking the thread that commits
        self._awaited = 1

    def run(self, work: Callable[[], T]) -> T:
        """Run `work`, alone or in a batch; return or raise its outcome once the batch is durable.

        Raises Unavailable when the transaction could not be begun or committed: nothing of the batch happened.
        """
        mine, ended = Work(work), list[Work]()
        self._queue.append(mine)
        try:
            with self._leading:
                while not mine.ended:
                    self._lead(ended)
        finally:
            mine.ended = True  # also when it was interrupted, and nobody is to begin it
            _tell(ended)
        result: T = mine.outcome()
        return result

    def submit(self, work: Callable[[], T], told: Callable[[Callable[[], T]], None]) -> None:
        """Leave `work` behind; `told` is called once it is durable or never will be, by the thread that found that.

        It gets what returns or raises the outcome, and must not raise. Raises Unavailable, and leaves nothing behind,
        when the system grants no thread for it.
        """
        if self._committer is None or not self._committer.is_alive():
            self._start()
        self._queue.append(Work(work, told))
        if len(self._queue) >= self._awaited and not self._left_behind.is_set():
            self._left_behind.set()

    def close(self) -> None:
        """Run what was left behind, and end the thread that does."""
        with self._starting:
            self._is_closed = True
            self._left_behind.set()
            if self._committer is not None:
                self._committer.join()

    def _start(self) -> None:
        """Begin the thread that commits; also another one, should it have died."""
        with self._starting:
            if self._committer is None or not self._committer.is_alive():
                committer = threading.Thread(target=self._commit, name="commits", daemon=True)
                try:
                    committer.start()
                except RuntimeError as error:
                    raise Unavailable(f"There is no thread for a write{UNCHANGED}") from error
                self._committer = committer

    def _commit(self) -> None:
        """Run what is left behind until there is an end."""
        while not self._is_closed:
            if not self._left_behind.wait(GATHER_SECONDS if self._awaited > 1 else None):
                self._awaited = 1
            self._left_behind.clear()
            # whoever has not seen how many are awaited now was in the queue before it is looked at
            while len(self._queue) >= self._awaited:
                self._awaited = max(1, self._lead_once())
        while self._queue:
            self._lead_once()

    def _lead_once(self) -> int:
        """Run a batch, and return how many works it had."""
        ended: list[Work] = []
        try:
            with self._leading:
                self._lead(ended)
        finally:
            _tell(ended)
        return len(ended)

    def _lead(self, ended: list[Work]) -> None:
        """Run a batch of what is queued, and make it durable; add it to what has `ended`."""
        if not self._has_works():
            return
        batch: list[Work] = []
        is_ending = False
        try:
            self._transaction.begin()
            if self._run_batch(batch):
                is_ending = True
                self._transaction.commit()
            elif self._transaction.is_open():  # who wanted something was interrupted by now
                self._transaction.rollback()
        except BaseException as error:
            # when it could not begin, everybody has waited; they learn it before the rollback, which may fail as well
            batch = batch or [work for work in list(self._queue) if not work.ended]
            for work in batch:
                work.failure = _told(error, is_ending=is_ending)
                work.failure.__cause__ = error
            self._transaction.rollback()
            if not isinstance(error, Exception):
                raise
        finally:
            for work in batch:
                work.ended = True
            ended += batch

    def _has_works(self) -> bool:
        """Whether something queued is still wanted; what had ended when its batch could not begin is taken away."""
        while self._queue and self._queue[0].ended:
            self._queue.popleft()
        return bool(self._queue)

    def _run_batch(self, batch: list[Work]) -> bool:
        """Run works until there are none or the first has waited long enough; say whether there is one to commit."""
        until = time.monotonic() + BATCH_SECONDS
        while self._queue and len(batch) < BATCH_WORKS and (not batch or time.monotonic() < until):
            work = self._queue[0]
            if not work.ended:
                batch.append(work)
                if not self._attempt(work, is_first=len(batch) == 1):
                    return False
            self._queue.popleft()
        return bool(batch)

    def _attempt(self, work: Work, *, is_first: bool) -> bool:
        """Run a work; the first needs no savepoint: taking it back ends the batch, and nothing is left to commit."""
        if not is_first:
            self._transaction.savepoint()
        try:
            work.result = work.run()
        except BaseException as error:
            if not isinstance(error, Exception):
                raise  # an interruption takes the works of all others with it
            work.failure = error
        if not self._transaction.is_open():
            raise _told(explain(work.failure)) from work.failure  # and so does a full disk
        if work.failure is None:
            return True
        if is_first:
            self._transaction.rollback()
        else:
            self._transaction.rollback_to_savepoint()
        return not is_first


def _tell(ended: list[Work]) -> None:
    """Tell who left works behind, while others lead: whoever is told may want something itself."""
    for work in ended:
        if work.told is not None:
            work.told(work.outcome)


def _told(error: BaseException | None, *, is_ending: bool = False) -> Unavailable:
    """Return what each writer of a batch is told, an error of its own: what was wrong, where that is known.

    Whether what was interrupted at its end was made nobody knows.
    """
    if isinstance(error, Unavailable):
        return type(error)(error.detail)
    return Unavailable("The service was interrupted while the change was recorded." if is_ending else None)
