"""The one command that runs every check."""

from __future__ import annotations

import re

import pytest

from tests.check import CHECKOUT, CHECKS, run_checks

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


def test_tests_come_last() -> None:
    assert CHECKS[-1][0] == "pytest"


def test_the_readme_names_this_command() -> None:
    blocks = re.findall(r"^```sh\n(.*?)^```$", (CHECKOUT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    assert blocks[1].strip().endswith("python -m tests.check")
