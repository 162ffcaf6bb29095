"""What the system grants: how many threads a worker may make before there are none left for anybody.

The server ends its process when a thread that it begins is refused, and makes as many as it may within seconds.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from acctcli.service.http.patience import THREADS

# of what is granted, the rest is the database's and other programs'
PART = 0.5
# with fewer, bodies that stand still would hold up everybody
LEAST = 16
GROUPS = Path("/sys/fs/cgroup")
OWN = Path("/proc/self/cgroup")


def most_threads(workers: int) -> int:
    """Return how many threads each of several workers may make to answer requests."""
    granted = min((*_of_groups(), *_of_user()), default=None)
    return THREADS if granted is None else max(LEAST, min(THREADS, int(granted * PART) // workers))


def _of_user() -> Iterator[int]:
    """Yield what the user of this process may have, of all processes; root may have any number."""
    with suppress(ImportError, AttributeError):  # as on Windows
        from resource import RLIM_INFINITY, RLIMIT_NPROC, getrlimit

        soft, _ = getrlimit(RLIMIT_NPROC)
        if soft != RLIM_INFINITY and os.geteuid() != 0:
            yield soft


def _of_groups() -> Iterator[int]:
    """Yield what is left to the groups that this process is in, which is how containers are bounded."""
    with suppress(OSError):
        for line in OWN.read_text().splitlines():
            _, kind, path = line.split(":", 2)
            if kind in ("", "pids"):
                folder = GROUPS / kind / path.lstrip("/")
                yield from filter(None, map(_left_to, (folder, *folder.parents)))


def _left_to(group: Path) -> int | None:
    try:
        most, used = ((group / name).read_text().strip() for name in ("pids.max", "pids.current"))
    except OSError:
        return None
    return None if most == "max" else int(most) - int(used)
