"""The moment by which something must be done, handed down to every socket that may keep it waiting."""

from __future__ import annotations

import time
from collections.abc import Callable


class Deadline:
    """`seconds` from now on, by the clock `now`."""

    def __init__(self, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._now = now
        self._until = now() + seconds

    def left(self) -> float:
        """Return the seconds that are left; raise TimeoutError when there are none."""
        left = self._until - self._now()
        if left <= 0:
            raise TimeoutError("the time for all of it is used up")
        return left

    def allows(self, seconds: float) -> bool:
        """Whether something would be left after so long a wait."""
        return self._now() + seconds < self._until

    def begin_again(self) -> None:
        """Give as much time as at first."""
        self._until = self._now() + self._seconds

    def extend(self, seconds: float) -> None:
        """Not count time that somebody else took."""
        self._until += seconds
