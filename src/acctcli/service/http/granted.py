"""What the system grants: how many workers there may be, with how many threads and connections each.

The server ends its process when a thread that it begins is refused, and makes as many as it may within seconds. Without
a descriptor no database opens: requests would fail as long as connections take all there are.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from acctcli.errors import UsageError
from acctcli.service.http.patience import THREADS

# of what is granted, the rest is the database's and other programs'
PART = 0.5
# with fewer, bodies that stand still would hold up everybody
LEAST = 16
# what a worker has beside them: the server's own, those that watch, and those that do what is due
BESIDE = 12
GROUPS = Path("/sys/fs/cgroup")
OWN = Path("/proc/self/cgroup")
PROCESSES = Path("/proc")
BACKLOG = 1024
# of a process, where the system grants them: most are for a rush of connections, which a watch ends that stand still
DESCRIPTORS = 4096
# what is open before the first request, the files of the database and the content of a request, and the connections for
# each that is under way: there are some for others, too
OPEN = 32
FILES = 4
CONNECTIONS = 2


def share(wanted: int) -> tuple[int, int]:
    """Return how many workers there may be, and how many threads each may make to answer requests.

    Raises UsageError when there are not enough threads or descriptors for one.
    """
    most = _under_way(_descriptors())
    if most < LEAST:
        raise UsageError(
            f"the system grants {_descriptors()} descriptors, and serving takes {OPEN + LEAST * (FILES + CONNECTIONS)}",
            hint="raise the limit of open files (ulimit -n)",
        )
    granted = min((*_of_groups(), *_of_user()), default=None)
    if granted is None:
        return wanted, most
    if granted < LEAST + BESIDE:
        raise UsageError(
            f"the system grants {granted} more threads, and serving takes {LEAST + BESIDE}",
            hint="end other programs of this user, or raise the limit of its processes (ulimit -u)",
        )
    threads = int(granted * PART)
    workers = max(1, min(wanted, threads // LEAST))
    return workers, max(LEAST, min(most, threads // workers))


def most_connections() -> int:
    """Return how many connections a worker takes, of the descriptors that the system grants."""
    if sys.platform != "linux":
        return BACKLOG
    granted = _descriptors()
    return granted - OPEN - FILES * _under_way(granted)


def _under_way(descriptors: int) -> int:
    return min(THREADS, (descriptors - OPEN) // (FILES + CONNECTIONS))


def _descriptors() -> int:
    """Ask the system for descriptors, and return how many there may be."""
    if sys.platform != "linux":
        return DESCRIPTORS
    from resource import RLIMIT_NOFILE, getrlimit, setrlimit

    soft, hard = getrlimit(RLIMIT_NOFILE)
    granted = min(hard, DESCRIPTORS)
    if soft < granted:
        setrlimit(RLIMIT_NOFILE, (granted, hard))
    return granted


def _of_user() -> Iterator[int]:
    """Yield what is left to the user of this process, of all processes; root may have any number."""
    with suppress(ImportError, AttributeError):  # as on Windows
        from resource import RLIM_INFINITY, RLIMIT_NPROC, getrlimit

        soft, _ = getrlimit(RLIMIT_NPROC)
        if soft != RLIM_INFINITY and (user := os.geteuid()) != 0:
            yield max(0, soft - sum(map(_threads_of, _processes(user))))


def _processes(user: int) -> Iterator[Path]:
    """Yield the processes of a user, where the system shows them."""
    for one in PROCESSES.glob("[0-9]*"):
        with suppress(OSError):  # it may have ended
            if one.stat().st_uid == user:
                yield one


def _threads_of(process: Path) -> int:
    try:
        return sum(1 for _ in (process / "task").iterdir())
    except OSError:
        return 0


def _of_groups() -> Iterator[int]:
    """Yield what is left to the groups that this process is in, which is how containers are bounded."""
    with suppress(OSError):
        for line in OWN.read_text().splitlines():
            _, kind, path = line.split(":", 2)
            if kind in ("", "pids"):
                folder = GROUPS / kind / path.lstrip("/")
                yield from (left for left in map(_left_to, (folder, *folder.parents)) if left is not None)


def _left_to(group: Path) -> int | None:
    try:
        most, used = ((group / name).read_text().strip() for name in ("pids.max", "pids.current"))
    except OSError:
        return None
    return None if most == "max" else max(0, int(most) - int(used))
