"""Programs that some tests need and pip cannot install."""

from __future__ import annotations

import os
import shutil
from typing import Literal

import pytest

Program = Literal["bash", "chromium", "hledger", "ledger", "pdffonts", "pdftoppm", "pdftotext", "strace", "zbarimg"]


def require_program(name: Program) -> str:
    """Return the path of a program, or skip the test naming it; in CI (CI=true) a missing program fails."""
    path = shutil.which(name)
    if path is not None:
        return path
    if os.environ.get("CI") == "true":
        pytest.fail(f"{name} is not installed: .ci/run should install it")
    pytest.skip(f"{name} is not installed")
