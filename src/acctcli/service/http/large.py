"""What is large comes a few at a time: bodies and replies that take a hundred times the memory of usual ones.

A body takes some ten times its bytes while it is read and checked, and so does a record of ten thousand rows while it
is shown. Two at a time bound what a worker takes; the others wait outside of transactions, and not for long.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from threading import BoundedSemaphore, Lock, local
from typing import Any

from acctcli.service.problems import UNCHANGED, Unavailable

AT_ONCE = 2
# more than a command asks for at once; further ones are told to come again rather than hold threads
WAITING = 16
WAIT_SECONDS = 25.0
# what a small write takes that waits, in bytes
BESIDE_A_BODY = 16 * 1024
# of glibc's mallopt
_ARENA_MAX = -8


class _Here(local):
    """What a thread has had; a default of the class costs less than to ask for what is not there."""

    had_turn = False


_here = _Here()


class Turns:
    """Lets a few through at once; who has waited too long, or finds too many waiting, comes again later."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._turns = BoundedSemaphore(at_once)
        self._room = BoundedSemaphore(at_once + WAITING)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Wait for a turn and hold it in the block; Unavailable without one."""
        if not self._room.acquire(blocking=False):
            raise Unavailable(f"Too many large requests are under way{UNCHANGED}")
        try:
            if not self._turns.acquire(timeout=WAIT_SECONDS):
                raise Unavailable(f"Too many large requests are under way{UNCHANGED}")
            _here.had_turn = True
            try:
                yield
            finally:
                self._turns.release()
        finally:
            self._room.release()


class Room:
    """What is left behind for others to do has so many bytes at most, of bodies and of what comes with each."""

    def __init__(self, size: int) -> None:
        self._left = size
        self._lock = Lock()

    def take(self, size: int) -> Callable[[], None]:
        """Take up room until what this returns is called; Unavailable without it."""
        size += BESIDE_A_BODY
        with self._lock:
            if size > self._left:
                raise Unavailable(f"Too many writes wait for the database{UNCHANGED}")
            self._left -= size
        return partial(self._give_back, size)

    def _give_back(self, size: int) -> None:
        with self._lock:
            self._left += size


def let_go() -> None:
    """Give back what a turn of this thread took: it would stay with the process, and in circles of exceptions."""
    if _here.had_turn:
        _here.had_turn = False
        gc.collect()
        if (library := _glibc()) is not None:
            library.malloc_trim(0)


def keep_one_heap() -> None:
    """Let all threads of this process have one heap: with one for each, what one gave back another cannot have."""
    if (library := _glibc()) is not None:
        library.mallopt(_ARENA_MAX, 1)


@cache
def _glibc() -> Any:
    """Return the C library where it is glibc; others are left alone."""
    import ctypes

    try:
        library = ctypes.CDLL(None)
        _ = library.malloc_trim, library.mallopt
    except (AttributeError, OSError, TypeError):
        return None
    return library


# what is read or shown whole
TURNS = Turns()
# writes that wait for their transaction: with five times as much as their bodies once these are read
LEFT_BEHIND = Room(32 * 2**20)
# bodies in chunks, of which the server takes all before it hands any over, twice over while they grow
CHUNKED_TURNS = Turns(1)
