"""Turns at computing: threads that all compute get less done than one after the other.

sqlite3 lets go of the interpreter at every statement, so eight busy threads hand it to each other ten times a request;
taking turns doubled the requests a second. A turn is a courtesy, not a lock: whoever has waited long enough goes on
without one, so a long report or a slow disk holds nobody up.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE = 0.02


class Turns:
    """One turn at a time, for at most `PATIENCE` seconds of waiting."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Wait for a turn, or for the end of patience."""
        got = self._lock.acquire(timeout=PATIENCE)
        try:
            yield
        finally:
            if got:
                self._lock.release()
