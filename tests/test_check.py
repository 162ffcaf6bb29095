"""The one command that runs every check."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.check import BESIDE, CHECKOUT, CHECKS, run_beside, run_checks
from tests.programs import require_program

GOOD = ("platform",)
BAD = ("tests.no_such_check",)


def commands(output: str) -> list[str]:
    return re.findall(r"^(?:\$|failed:) .*", output, re.MULTILINE)


def test_passes_when_all_pass() -> None:
    assert run_checks([], [GOOD, GOOD]) == 0


def test_goes_on_after_a_failure_and_tells(capfd: pytest.CaptureFixture[str]) -> None:
    assert run_checks([], [BAD, GOOD]) == 1
    output = capfd.readouterr().out
    assert commands(output) == ["$ tests.no_such_check", "failed: tests.no_such_check", "$ platform"]


def test_the_last_check_has_the_last_word(capfd: pytest.CaptureFixture[str]) -> None:
    assert run_checks(["--terse"], [GOOD, ("platform", "nonaliased")]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert lines[-2] == "$ platform nonaliased --terse"
    assert run_checks([], [GOOD, BAD]) == 1


@pytest.mark.parametrize(
    ("beside", "checks", "code", "last"),
    [
        (GOOD, [GOOD], 0, None),
        (GOOD, [BAD], 1, None),
        (BAD, [GOOD], 1, "failed: tests.no_such_check"),
    ],
)
def test_what_runs_beside_is_told_when_it_fails(
    capfd: pytest.CaptureFixture[str], beside: tuple[str], checks: list[tuple[str]], code: int, last: str | None
) -> None:
    assert run_beside(beside, [], checks) == code
    output = capfd.readouterr().out
    assert commands(output) == [f"$ {beside[0]} &", f"$ {checks[0][0]}", *([last] if last else [])]
    assert ("No module named tests.no_such_check" in output) == (last is not None)


ASIDE = """
import signal, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
time.sleep(60)
"""
SLOW = """
import time
try:
    print("begun", flush=True)
    time.sleep(60)
except KeyboardInterrupt:
    time.sleep(1)
    print("1 passed", flush=True)
"""
MAIN = "import sys; from tests.check import main; sys.exit(main([], [('slow',), ('platform',)], ('aside',)))"


def test_an_interrupt_ends_all_and_the_running_check_tells_what_it_has_found(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    (tmp_path / "aside.py").write_text(ASIDE)
    ignoring = [require_program("bash"), "-c", "trap '' INT; exec \"$@\"", "bash"]
    environ = {**os.environ, "PYTHONPATH": str(tmp_path)}
    with subprocess.Popen(
        [*ignoring, sys.executable, "-c", MAIN],
        cwd=CHECKOUT,
        env=environ,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as running:
        assert running.stdout is not None
        assert [running.stdout.readline() for _ in range(3)] == ["$ aside &\n", "$ slow\n", "begun\n"]
        os.killpg(running.pid, signal.SIGINT)
        assert (running.stdout.read(), running.wait(30)) == ("1 passed\n", 130)


def test_tests_come_last() -> None:
    assert [check[0] for check in (*CHECKS, BESIDE)] == ["tests.einvoice.fetch", "ruff", "ruff", "pytest", "mypy"]


def test_the_readme_names_this_command() -> None:
    blocks = re.findall(r"^```sh\n(.*?)^```$", (CHECKOUT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    assert blocks[1].strip().endswith("python -m tests.check")
