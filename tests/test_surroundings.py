"""Tests do not depend on who starts them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests import postgres
from tests.check import CHECKOUT
from tests.programs import require_program

HOSTILE = "trap '' HUP INT PIPE QUIT TERM; umask 077; exec \"$@\""
CODE = """
import os, signal, time
from tests.surroundings import settle
settle()
heard = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)
assert signal.SIG_IGN not in map(signal.getsignal, heard)
assert os.umask(0) == 0o022
assert time.tzname == ("UTC", "UTC")
print(*sorted(os.environ))
"""


def test_nothing_of_the_caller_remains() -> None:
    given = {"LC_ALL": "C", "TZ": "Asia/Tokyo", "HOME": "/", "PGHOST": "nowhere", "ACCTCLI_TOKEN": "x"}
    done = subprocess.run(
        [require_program("bash"), "-c", HOSTILE, "bash", sys.executable, "-c", CODE],
        cwd=CHECKOUT,
        env={**given, "PATH": os.environ["PATH"], "TMPDIR": "/tmp", "CI": "true"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == ["HOME", "LC_ALL", "PATH", "PYTEST_IN_CI", "TMPDIR", "TZ"]


def test_these_are_the_surroundings_here() -> None:
    assert time.tzname == ("UTC", "UTC")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert Path.home() == Path("/nonexistent")


@pytest.mark.parametrize(("user", "folder", "is_told"), [(0, "", True), (0, "useradd", False), (1000, "", False)])
def test_root_without_useradd_is_told_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, user: int, folder: str, is_told: bool
) -> None:
    if folder:
        (tmp_path / folder).touch(0o755)
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setattr(postgres, "SERVER_USER", "nobody-at-all")
    monkeypatch.setattr(postgres, "_path_of_root", lambda: str(tmp_path))
    assert ("no useradd" in postgres.find_obstacle()) == is_told
