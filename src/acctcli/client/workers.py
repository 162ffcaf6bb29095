"""Threads that fetch ahead and hold nobody up: whoever still waits for a reply in the end is left behind.

The executor of the standard library is joined when it is closed and again when the interpreter ends, so that one
stalled page would keep Ctrl-C, or an error of another page, waiting for the whole deadline.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Generic, TypeVar

# enough for replies that are on their way, which leaves no connection half open
_GRACE = 0.3
_TURN = 0.25

T = TypeVar("T")
A = TypeVar("A")


class Awaited(Future[T]):
    """A result to come, waited for in short turns.

    Python notices a Ctrl-C between two of its own steps: one that comes in the moment before a wait begins would be
    noticed only when the wait ends.
    """

    def result(self, timeout: float | None = None) -> T:
        """Return the result once it is there, or raise what the work raised; `timeout` in seconds."""
        while timeout is None and not self.done():
            with suppress(TimeoutError):
                self.exception(_TURN)
        return super().result(timeout)


class Workers(Generic[A, T]):
    """Up to `size` calls of `work` at once, in the order they were asked for; use it in a `with` block."""

    def __init__(self, size: int, work: Callable[[A], T]) -> None:
        self._work = work
        self._jobs: SimpleQueue[tuple[Awaited[T], A] | None] = SimpleQueue()
        self._threads = [Thread(target=self._run, daemon=True) for _ in range(size)]

    def __enter__(self) -> Workers[A, T]:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        while not self._jobs.empty():
            self._jobs.get_nowait()
        for _ in self._threads:
            self._jobs.put(None)
        patience = time.monotonic() + _GRACE
        for thread in self._threads:
            thread.join(max(0.0, patience - time.monotonic()))

    def submit(self, argument: A) -> Awaited[T]:
        """Return the result to come of `work(argument)`."""
        future: Awaited[T] = Awaited()
        self._jobs.put((future, argument))
        return future

    def _run(self) -> None:
        while self._do_next():
            pass

    def _do_next(self) -> bool:
        """Do the next job, False when there are no more; what it held is gone before the wait for another."""
        job = self._jobs.get()
        if job is None:
            return False
        future, argument = job
        try:
            result = self._work(argument)
        except BaseException as error:  # noqa: BLE001 - told to whoever asked, in the thread that asked
            future.set_exception(error)
        else:
            future.set_result(result)
        return True
