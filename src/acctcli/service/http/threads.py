"""The threads of a worker: of those that granian keeps, one waits for the next request, and the others are held back.

granian wakes a thread for each request that comes, and starts another when none waits. They would all take the
interpreter from each other, in the middle of whatever one of them does. So a thread that has done its request is held
back while another one is free; requests that come at the same time are then done one after the other, by a thread that
need not be woken. One that is not done within moments, because it waits for a body or makes a long report, keeps nobody
waiting: a watch lets another thread out.
"""

from __future__ import annotations

import threading
import time

# how often the watch looks while there is something to see, and for how long it goes on when there is nothing
LOOK_SECONDS = 0.005
LINGER_LOOKS = 200


class _Here(threading.local):
    """What this thread is: whether it counts as free, and what it is held back by."""

    is_free = False

    def __init__(self) -> None:
        self.held = threading.Lock()
        self.held.acquire()


class Threads:
    """Counts the threads that are free, and holds back those that are not needed."""

    def __init__(self) -> None:
        self._here = _Here()
        self._lock = threading.Lock()
        self._free = 0
        self._begun = 0
        self._held: list[threading.Lock] = []
        self._is_watched = False
        self._needed = threading.Event()

    def begin(self) -> None:
        """Begin a request."""
        here = self._here
        with self._lock:
            self._begun += 1
            if here.is_free:
                here.is_free = False
                self._free -= 1
        if not self._is_watched:
            self._needed.set()

    def end(self, *, may_be_held: bool) -> None:
        """End a request; return when this thread is to wait for the next one."""
        here = self._here
        with self._lock:
            is_held = may_be_held and self._free > 0
            if is_held:
                self._held.append(here.held)
            else:
                self._free += 1
        if is_held:
            here.held.acquire()  # until it is let out, and counted
        here.is_free = True

    def watch(self) -> None:
        """Let threads out for ever, when those that are at work are not done within moments."""
        while True:
            self._needed.wait()
            self._needed.clear()
            self._is_watched = True
            seen = self._look_on()
            self._is_watched = False
            if self._begun != seen:  # by one that found it watched
                self._needed.set()

    def _look_on(self) -> int:
        """Look until no request has begun for a while; ever more are let out while no other one begins.

        Return how many had begun.
        """
        seen, quiet, many = self._begun, 0, 1
        while quiet < LINGER_LOOKS:
            time.sleep(LOOK_SECONDS)
            begun = self._begun
            if begun != seen:
                seen, quiet, many = begun, 0, 1
                continue
            quiet += 1
            if not self._free:
                self._let_out(many)
                many *= 2
        return seen

    def _let_out(self, many: int) -> None:
        with self._lock:
            out = [self._held.pop() for _ in range(min(many, len(self._held)))]
            self._free += len(out)
        for held in out:
            held.release()
