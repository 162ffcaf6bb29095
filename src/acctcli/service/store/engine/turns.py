"""Whose turn it is among the threads of a process: to read beside a commit, and to compute."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from acctcli.service.problems import Unavailable
from acctcli.service.store.engine.database import BUSY_SECONDS

# how long the slot for computing is waited for
SLOT_SECONDS = 0.02


class Gate:
    """Lets readers through together, and a commit alone; a waiting commit stops new readers."""

    def __init__(self) -> None:
        self._moved = threading.Condition(threading.Lock())
        self._readers = 0
        self._closed = False

    @contextmanager
    def passed(self) -> Iterator[None]:
        """Wait until no commit is under way; let a waiting one pass after the block."""
        with self._moved:
            while self._closed:
                self._moved.wait()
            self._readers += 1
        try:
            yield
        finally:
            with self._moved:
                self._readers -= 1
                if not self._readers:
                    self._moved.notify_all()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Wait for the readers to leave, keep new ones out; Unavailable when one stays too long."""
        with self._moved:
            self._closed = True
            left = self._moved.wait_for(lambda: not self._readers, BUSY_SECONDS)
        try:
            if not left:
                raise Unavailable("A reader does not end.")
            yield
        finally:
            with self._moved:
                self._closed = False
                self._moved.notify_all()


class Slot:
    """Lets one thread compute at a time: threads that all compute get less done than one after the other.

    sqlite3 lets go of the interpreter at every statement, so eight busy threads hand it to each other ten times a
    request; in turn they answer 1.7 x the lists a second. It is no lock: whoever has waited long enough goes on without
    the slot, so a long report or a slow disk holds nobody up.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Wait for the slot, or for the end of patience."""
        got = self._lock.acquire(timeout=SLOT_SECONDS)
        try:
            yield
        finally:
            if got:
                self._lock.release()
