"""Every command's help ends with an example, and every example runs."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest

from acctcli.cli.command.typer_private import Context
from acctcli.cli.root import PROGRAM, build
from tests.cli.demo import demo
from tests.cli.walk import Found, commands
from tests.journeys.places import Place, fresh

COMMANDS = commands()
# examples that a test cannot run, and why; they are parsed all the same
UNRUN = {
    "auth login": "asks for a token, and keeps it in the keyring of the machine",
    "auth switch": "takes another token of the machine's keyring into use",
    "auth logout": "forgets a token in the keyring of the machine",
    "close check": "ends with exit 10, as long as anything is open",
    "local password": "asks for a password",
    "local serve": "serves until it is stopped",
    "period fingerprint get": "needs a closed period, which `business delete` and others would be refused for",
    "start": "asks questions on a terminal",
    "view": "serves until it is stopped",
    "vat period reopen": "needs a reported period, which `business delete` and others would be refused for",
    "webhook listen": "receives events until it is stopped",
    "webhook verify": "its body is on standard input",
}
EXAMPLES = [(found.name, example) for found in COMMANDS for example in found.examples]


@pytest.fixture(scope="module")
def company(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return demo(tmp_path_factory.mktemp("demo") / "books").folder


@pytest.fixture
def place(company: Path, tmp_path: Path) -> Place:
    """A copy of the company that an example may change as it likes."""
    folder = tmp_path / "books"
    shutil.copytree(company, folder)
    return fresh("demo", folder)


@pytest.mark.parametrize("found", COMMANDS, ids=lambda found: found.name)
def test_every_help_ends_with_an_example_of_its_command(found: Found) -> None:
    assert 1 <= len(found.examples) <= 2
    for example in found.examples:
        assert example.startswith(f"{PROGRAM} {found.name}")
    told = found.command.get_help(Context(found.command, info_name=found.name))
    assert told.split("\n\nExample:\n")[1].split("\n") == [f"  {example}" for example in found.examples]


@pytest.mark.parametrize(("name", "example"), EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_every_example_runs(place: Place, name: str, example: str) -> None:
    words = shlex.split(example)[1:]
    if name in UNRUN:
        build().make_context(PROGRAM, [*words, "--help"], resilient_parsing=True)
        return
    done = place.try_run(*words)
    assert done.code == 0, f"{example}\n{done.err}"


def test_what_is_not_run_is_there() -> None:
    assert {found.name for found in COMMANDS} >= UNRUN.keys()
