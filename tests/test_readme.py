"""Every example of the README runs, in the order of the page, as one person would type it.

In a usual run a shell and a process for each command are spared where an example has nothing for them to do.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from acctcli.cli.root import files
from tests.journeys.places import Place, fresh
from tests.programs import require_program
from tests.sizes import is_full

README = Path(__file__).parents[1] / "README.md"
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LONGEST = 300
# a command that says the same without a shell
PLAIN = re.compile(r"acctcli [^|<>&;$`\\*?~(){}\[\]#!\n]+")


def blocks() -> list[str]:
    return BLOCK.findall(README.read_text(encoding="utf-8"))


@pytest.fixture
def person(tmp_path: Path) -> Place:
    """Somebody who has just installed acctcli."""
    place = fresh("readme", tmp_path)
    command = place.folder / "bin" / "acctcli"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m acctcli "$@"\n')
    command.chmod(0o755)
    place.environ["PATH"] = f"{command.parent}:{place.environ['PATH']}"
    return place


def test_the_first_screen_has_the_two_commands() -> None:
    first_screen = "\n".join(README.read_text(encoding="utf-8").splitlines()[:25])
    tour, check = BLOCK.findall(first_screen)[:2]
    assert tour.strip().endswith("acctcli tour")
    assert check.strip().endswith("python -m tests.check")
    assert all(len(command.strip().splitlines()) == 1 for command in (tour, check))


def test_the_examples_run(person: Place) -> None:
    # one test, for each example goes on where the one before it ended; books begin with this year, as the page says
    year = str(date.today().year)
    for example in (block.replace("2026", year) for block in blocks()[2:]):
        if not is_full() and all(map(PLAIN.fullmatch, example.splitlines())):
            for line in example.splitlines():
                told = person.try_run(*shlex.split(line)[1:])
                assert told.code == 0, f"{line}\n{told.err}"
            continue
        done = subprocess.run(
            [require_program("bash"), "-euo", "pipefail", "-c", example],
            env=person.environ,
            cwd=person.folder,
            capture_output=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == 0, f"{example}\n{done.stderr.decode()}"


def test_no_command_is_named_that_does_not_exist() -> None:
    named = set(re.findall(r"`?acctcli ([a-z]+)", README.read_text(encoding="utf-8")))
    prose = {"from"}
    assert named - set(files()) - prose == set()


def test_the_page_is_not_too_long() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) <= LONGEST
