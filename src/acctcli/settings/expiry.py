"""When something ends, by two clocks: one may be set, the other begins anew when the machine does."""

from __future__ import annotations

import time
import uuid
from functools import cache
from pathlib import Path
from typing import NamedTuple

MARGIN = 60.0  # seconds before its end from which on something counts as over


class Expiry(NamedTuple):
    """An end: by the wall clock, and by the clock that nobody sets, as long as the machine is not started again."""

    at: float
    boot: str = ""
    ticks: float = 0.0

    @classmethod
    def after(cls, seconds: float) -> Expiry:
        """Return the end of a time that begins now."""
        return cls(time.time() + seconds, boot(), time.monotonic() + seconds)

    def is_over(self, margin: float = MARGIN) -> bool:
        """Tell whether less than the margin is left by either clock."""
        return time.time() >= self.at - margin or (self.boot == boot() and time.monotonic() >= self.ticks - margin)


@cache
def boot() -> str:
    """Return what tells this run of the machine from others; where it does not say, this process is one."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return uuid.uuid4().hex
