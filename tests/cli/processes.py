"""Run acctcli in a process of its own, with an environment that holds nothing but what a test puts there."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
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
    argv: tuple[str, ...] | list[str], variables: Mapping[str, str], stdin: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """Run one command line to its end."""
    return subprocess.run(
        [*ACCTCLI, *argv], env=dict(variables), input=stdin, capture_output=True, timeout=60, check=False
    )
