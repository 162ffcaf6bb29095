"""Run acctcli in a process of its own, with an environment that holds nothing but what a test puts there."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.cli.recorder import TOKEN

ACCTCLI = (sys.executable, "-m", "acctcli")


def environ(home: Path, base_url: str | None = None, **more: str) -> dict[str, str]:
    """Return the variables of a user whose folders are below `home` and whose service is at `base_url`."""
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH", "COVERAGE_PROCESS_START") if name in os.environ}
    folders = {f"ACCTCLI_{kind}_DIR": str(home / kind.lower()) for kind in ("CONFIG", "DATA", "CACHE", "STATE")}
    there = {
        "ACCTCLI_ENV": "testing",
        "ACCTCLI_TESTING_BASE_URL": base_url or "",
        "ACCTCLI_TOKEN": TOKEN,
        "ACCTCLI_BUSINESS": "demo",
    }
    return {**kept, **folders, "HOME": str(home), "LANG": "C.UTF-8", **(there if base_url else {}), **more}


def run_process(
    argv: tuple[str, ...] | list[str],
    variables: Mapping[str, str],
    stdin: bytes = b"",
    begin: Callable[[], None] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run one command line to its end; `begin` is done in its process before it."""
    return subprocess.run(
        [*ACCTCLI, *argv],
        env=dict(variables),
        input=stdin,
        capture_output=True,
        timeout=60,
        check=False,
        preexec_fn=begin,
    )


def heed_modes() -> None:
    """Let the modes of files bind this process and what it becomes, also where root runs it."""
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None, use_errno=True)
        for capability in (_READ_AND_WRITE_ANYTHING, _READ_ANYTHING):
            if libc.prctl(_DROP_FROM_BOUNDS, capability, 0, 0, 0):
                raise OSError(ctypes.get_errno(), "prctl")


# of linux/prctl.h and linux/capability.h
_DROP_FROM_BOUNDS = 24
_READ_AND_WRITE_ANYTHING, _READ_ANYTHING = 1, 2
