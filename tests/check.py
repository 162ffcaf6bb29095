"""`python -m tests.check`: every check there is, tests last; exit 1 when any of them failed.

Arguments go to pytest: `python -m tests.check -k pages`.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
CHECKS = (
    ("ruff", "check", "--quiet", "."),
    ("ruff", "format", "--check", "--quiet", "."),
    ("mypy",),
    ("pytest", "--quiet", "--numprocesses", "auto", "--dist", "worksteal"),
)


def run_checks(arguments: Sequence[str], checks: Sequence[Sequence[str]] = CHECKS) -> int:
    """Run every check, also after a failure, so that one run tells everything; return the exit code.

    `arguments` are added to the last check, pytest, whose summary ends the output.
    """
    failed = False
    for check in checks:
        command = [*check, *(arguments if check is checks[-1] else ())]
        print(f"$ {' '.join(command)}", flush=True)
        done = subprocess.run([sys.executable, "-m", *command], cwd=CHECKOUT, check=False)
        failed = failed or done.returncode != 0
        # pytest says so itself, and its summary stays the last line
        if done.returncode and check is not checks[-1]:
            print(f"failed: {' '.join(command)}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(run_checks(sys.argv[1:]))
