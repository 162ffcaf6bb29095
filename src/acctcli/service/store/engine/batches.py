"""Group commit: concurrent writers share one transaction and one wait for the disk.

A writer that finds others waiting runs its work inside a savepoint, leaves the transaction open for the next one, and
waits; the last of the batch commits and wakes them all. So nobody learns a result before it is durable, a work that
raises takes back only what it did, and a writer who is alone pays nothing: no thread, no hand-over, no savepoint.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Protocol, TypeVar

from acctcli.service.problems import Unavailable

T = TypeVar("T")

BATCH_WORKS = 64
BATCH_SECONDS = 0.05


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


class Batch:
    """One transaction, the works it holds, and how it ended."""

    def __init__(self) -> None:
        self.works = 0
        self.ended = threading.Event()
        self.failure: BaseException | None = None
        self._started = time.monotonic()

    def is_full(self) -> bool:
        """Whether the first of the batch has waited long enough."""
        return self.works >= BATCH_WORKS or time.monotonic() - self._started > BATCH_SECONDS


class GroupCommit:
    """Runs works one after another on one transaction at a time."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._turn = threading.Lock()
        self._counting = threading.Lock()
        self._waiting = 0
        self._batch: Batch | None = None

    def run(self, work: Callable[[], T]) -> T:
        """Run `work`, alone or in a batch; return or raise its outcome once the batch is durable.

        Raises Unavailable when the transaction could not be begun or committed: nothing of the batch happened.
        """
        batch = self._join()
        try:
            return self._attempt(batch, work)
        finally:
            self._leave(batch)

    def _join(self) -> Batch:
        self._take_turn()
        try:
            return self._batch or self._begin()
        except BaseException:
            self._turn.release()
            raise

    def _take_turn(self) -> None:
        with self._counting:
            self._waiting += 1
        try:
            self._turn.acquire()
        except BaseException:
            self._stop_waiting()
            self._close_orphan()
            raise
        self._stop_waiting()

    def _stop_waiting(self) -> None:
        with self._counting:
            self._waiting -= 1

    def _close_orphan(self) -> None:
        """End a batch that was left open for someone who was interrupted while waiting."""
        with self._turn:
            if self._batch is not None and not self._waiting:
                self._finish(self._batch)

    def _begin(self) -> Batch:
        self._transaction.begin()
        self._batch = Batch()
        return self._batch

    def _attempt(self, batch: Batch, work: Callable[[], T]) -> T:
        """Run the work; the first of a batch needs no savepoint: taking it back ends the batch."""
        is_first = not batch.works
        batch.works += 1
        try:
            if not is_first:
                self._transaction.savepoint()
            return work()
        except BaseException as error:
            self._take_back(batch, is_first, error)
            raise

    def _take_back(self, batch: Batch, is_first: bool, error: BaseException) -> None:
        if not self._transaction.is_open():
            self._end(batch, error)  # a full disk takes the works of all others with it
        elif is_first:
            self._transaction.rollback()
            self._end(batch)
        else:
            self._transaction.rollback_to_savepoint()

    def _leave(self, batch: Batch) -> None:
        """Commit, or leave the transaction to those who wait; return when the batch has ended well."""
        try:
            if self._batch is batch and (not self._waiting or batch.is_full()):
                self._finish(batch)
        finally:
            self._turn.release()
        batch.ended.wait()
        if batch.failure is not None:
            raise Unavailable from batch.failure

    def _finish(self, batch: Batch) -> None:
        try:
            self._transaction.commit()
        except BaseException as error:
            self._transaction.rollback()
            self._end(batch, error)
            raise
        self._end(batch)

    def _end(self, batch: Batch, failure: BaseException | None = None) -> None:
        self._batch = None
        batch.failure = failure
        batch.ended.set()
