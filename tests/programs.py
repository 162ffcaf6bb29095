"""What some tests need of the machine and pip cannot install: programs, and files that only some systems have."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Literal, NoReturn

import pytest

from tests.surroundings import IN_CI

Program = Literal[
    "bash",
    "chromium",
    "dbus-run-session",
    "gnome-keyring-daemon",
    "hledger",
    "java",
    "ledger",
    "pdffonts",
    "pdfinfo",
    "pdftoppm",
    "pdftotext",
    "strace",
    "zbarimg",
]


def require_program(name: Program) -> str:
    """Return the path of a program, or skip the test naming it; in CI (CI=true) a missing program fails."""
    path = shutil.which(name)
    if path is None:
        give_up(f"{name} is not installed", "; .ci/run should install it")
    return path


def require_path(path: str) -> Path:
    """Return a path of the system, or skip the test naming it; in CI a missing one fails."""
    if not Path(path).exists():
        give_up(f"this system has no {path}")
    return Path(path)


def give_up(why: str, in_ci: str = "") -> NoReturn:
    """Skip the test, saying why; in CI (CI=true) fail, saying more."""
    if os.environ.get(IN_CI) == "true":
        pytest.fail(f"{why}{in_ci}")
    pytest.skip(why)
