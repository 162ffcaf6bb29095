"""Calls into code that may hang: answered in time, or given up without keeping the process alive."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Generic, TypeVar

T = TypeVar("T")


class CallError(Exception):
    """The call ended with `error`: other people's code may raise anything."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(type(error).__name__)
        self.error = error


def call_within(seconds: float, work: Callable[[], T]) -> T:
    """Return what `work` returns; raise CallError with what it raised, or TimeoutError after `seconds`.

    The call runs in a daemon thread: one that never returns is left behind and does not hold up the exit.
    """
    if seconds <= 0:
        raise TimeoutError("no time left to ask")
    call = _Call(work)
    with _terminal_kept(call.is_alive):
        call.start()
        call.join(seconds)
    if call.is_alive():
        raise TimeoutError(f"no answer within {seconds:g} s")
    return call.outcome()


class _Call(threading.Thread, Generic[T]):
    def __init__(self, work: Callable[[], T]) -> None:
        super().__init__(daemon=True)
        self._work = work
        self._results: list[T] = []
        self._error: BaseException | None = None

    def run(self) -> None:
        with self:
            self._results.append(self._work())

    def outcome(self) -> T:
        if self._error is not None:
            raise CallError(self._error) from self._error
        return self._results[0]

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        self._error = error  # told by `outcome`, in the thread that asked
        return True


if sys.platform == "win32":

    @contextlib.contextmanager
    def _terminal_kept(hung: Callable[[], bool]) -> Iterator[None]:
        yield
else:

    @contextlib.contextmanager
    def _terminal_kept(hung: Callable[[], bool]) -> Iterator[None]:
        # a backend that asks for a password on the terminal switches echo off; if it is left behind, nobody
        # else would switch it on again
        import termios

        try:
            terminal = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
        except OSError:
            yield
            return
        try:
            modes = termios.tcgetattr(terminal)
            yield
            if hung():
                termios.tcsetattr(terminal, termios.TCSANOW, modes)
        finally:
            os.close(terminal)
