"""Where tests run: the same surroundings, whoever starts them and whatever they have set, ignored or masked."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import time
from pathlib import Path
from typing import Final

KEPT: Final = ("CI", "LD_LIBRARY_PATH", "PATH", "PYTHONPATH", "TERM", "TMPDIR")
KEPT_BY_PREFIX: Final = ("COV", "HYPOTHESIS_", "PY_COLORS", "PYTEST_")
# what CI is called in here: commands do otherwise where it is set
IN_CI: Final = "PYTEST_IN_CI"
GIVEN: Final = {
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    # nothing of the person who runs the tests is read
    "HOME": "/nonexistent",
}
HEARD: Final = (signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM)
MEMORY: Final = Path("/dev/shm")
ROOM: Final = 8 * 2**30


def settle() -> None:
    """Take these surroundings; programs that tests start inherit them."""
    _hear_signals()
    os.umask(0o022)
    kept = {name: value for name, value in os.environ.items() if name in KEPT or name.startswith(KEPT_BY_PREFIX)}
    os.environ.clear()
    if "CI" in kept:
        kept[IN_CI] = kept.pop("CI")
    os.environ.update({**kept, **GIVEN})
    time.tzset()
    _write_into_memory()


def _hear_signals() -> None:
    """Let signals do what they usually do: shells let what they start in the background ignore interrupts."""
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for one in HEARD:
        if signal.getsignal(one) is signal.SIG_IGN:
            signal.signal(one, signal.SIG_DFL)


def _write_into_memory() -> None:
    """Put what tests write into memory where there is room: SQLite waits for the disk at every commit."""
    if "TMPDIR" not in os.environ and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free >= ROOM:
        os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)
