"""Claims on numbers, held by a process and seen by all others, for databases that are one file.

A claim is a lock on one byte of a file beside the database: the operating system frees it when its process dies, in
whatever way. Such locks belong to a process, so a set of the numbers in use keeps its own threads apart, and every
lock falls when any descriptor of the file is closed, so there is exactly one per file and process.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from acctcli.service.problems import InFlight

if sys.platform == "win32":
    import msvcrt

    BITS = 30  # the C runtime locks at 32-bit positions

    def _lock(descriptor: int, position: int) -> None:
        os.lseek(descriptor, position, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

    def _unlock(descriptor: int, position: int) -> None:
        os.lseek(descriptor, position, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    BITS = 62

    def _lock(descriptor: int, position: int) -> None:
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, position)

    def _unlock(descriptor: int, position: int) -> None:
        fcntl.lockf(descriptor, fcntl.LOCK_UN, 1, position)


class Claims:
    """The claims of this process on one file; `open_claims` makes sure there is one object per file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._held: set[int] = set()
        self._guard = threading.Lock()
        self._descriptor: int | None = None
        self.users = 0

    @contextmanager
    def hold(self, number: int | None) -> Iterator[None]:
        """Hold `number` (0 <= number < 2**62); None holds nothing. Raises InFlight when it is held already."""
        free = self.take(number)
        try:
            yield
        finally:
            free()

    def take(self, number: int | None) -> Callable[[], None]:
        """Hold `number` until what this returns is called, by whatever thread; None holds nothing."""
        if number is None:
            return lambda: None
        position = number % (1 << BITS)
        self._take(position)
        return partial(self._free, position)

    def _take(self, position: int) -> None:
        with self._guard:
            if position in self._held:
                raise InFlight
            if self._descriptor is None:
                self._descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                _lock(self._descriptor, position)
            except OSError as error:
                raise InFlight from error
            self._held.add(position)

    def _free(self, position: int) -> None:
        with self._guard:
            self._held.discard(position)
            if self._descriptor is not None:
                _unlock(self._descriptor, position)

    def close(self) -> None:
        """Close the file, and with it every claim."""
        with self._guard:
            if self._descriptor is not None:
                os.close(self._descriptor)
            self._descriptor = None
            self._held.clear()


_open: dict[Path, Claims] = {}
_guard = threading.Lock()


def open_claims(path: Path) -> Claims:
    """Return the claims of this process on a file; give them back with `close_claims`."""
    with _guard:
        real = path.resolve()
        claims = _open.setdefault(real, Claims(real))
        claims.users += 1
        return claims


def close_claims(claims: Claims) -> None:
    """Give back what `open_claims` returned, wherever its name leads by now; the last one closes the file."""
    with _guard:
        claims.users -= 1
        if not claims.users:
            del _open[claims.path]
            claims.close()
