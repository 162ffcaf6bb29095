"""`python -m tests.check`: every check there is, tests last; exit 1 when any of them failed.

Arguments go to pytest: `python -m tests.check -k pages`, and once a night `python -m tests.check --full`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryFile

CHECKOUT = Path(__file__).resolve().parents[1]
# more than there are processors: tests wait for the processes they start, but each worker first reads all tests
WORKERS = str((os.cpu_count() or 1) + 1)
CHECKS = (
    # before the tests, lest one of them waits for a network
    ("tests.einvoice.fetch",),
    ("ruff", "check", "--quiet", "."),
    ("ruff", "format", "--check", "--quiet", "."),
    ("pytest", "--quiet", "--numprocesses", WORKERS, "--dist", "worksteal"),
)
# takes one processor only, and tests find something to do on the other
BESIDE = ("mypy",)


def run_checks(arguments: Sequence[str], checks: Sequence[Sequence[str]] = CHECKS) -> int:
    """Run every check, also after a failure, so that one run tells everything; return the exit code.

    `arguments` are added to the last check, pytest, whose summary ends the output.
    """
    failed = False
    for check in checks:
        command = [*check, *(arguments if check is checks[-1] else ())]
        print(f"$ {' '.join(command)}", flush=True)
        code = _run([sys.executable, "-m", *command])
        failed = failed or code != 0
        # pytest says so itself, and its summary stays the last line
        if code and check is not checks[-1]:
            print(f"failed: {' '.join(command)}", flush=True)
    return int(failed)


def _run(command: Sequence[str]) -> int:
    """Run a command; an interrupt reaches it too, and before that ends all it tells what it has found."""
    with subprocess.Popen(command, cwd=CHECKOUT) as process:
        try:
            return process.wait()
        except KeyboardInterrupt:
            process.wait()
            raise


def run_beside(check: Sequence[str], arguments: Sequence[str], checks: Sequence[Sequence[str]] = CHECKS) -> int:
    """Run a check at the same time as all the others; what it says, if it fails, stands below them."""
    print(f"$ {' '.join(check)} &", flush=True)
    with (
        TemporaryFile() as said,
        subprocess.Popen([sys.executable, "-m", *check], cwd=CHECKOUT, stdout=said, stderr=said) as beside,
    ):
        try:
            code = run_checks(arguments, checks)
            if beside.wait() == 0:
                return code
        finally:
            beside.kill()
        said.seek(0)
        print(f"{said.read().decode()}failed: {' '.join(check)}", flush=True)
        return 1


def main(arguments: Sequence[str], checks: Sequence[Sequence[str]] = CHECKS, beside: Sequence[str] = BESIDE) -> int:
    """Run the checks; whoever started them in the background may have interrupts ignored, and they are not."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return run_beside(beside, arguments, checks)
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
