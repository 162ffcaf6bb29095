"""Run command lines in this process, away from the user's own settings."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from acctcli.cli.root import run
from acctcli.cli.session import state
from tests.cli.recorder import TOKEN
from tests.loopback import LoopbackServer
from tests.years import commands_to_begin, commands_to_go_on


@dataclass(frozen=True)
class Outcome:
    """What a command line left behind."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        """The one JSON document on stdout."""
        return json.loads(self.out)

    def lines(self) -> list[str]:
        return self.out.splitlines()


Cli = Callable[..., Outcome]


@pytest.fixture(autouse=True)
def noon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let it be noon, when it is the same day everywhere, so that no business is asked for its country."""
    monkeypatch.setattr(state, "utc_now", lambda: datetime.now(UTC).replace(hour=12))


@pytest.fixture(autouse=True)
def _unless_about_files(request: pytest.FixtureRequest) -> None:
    """Let the commands of one test find books open, unless it is about books as files."""
    if "local" not in request.path.parts:
        request.getfixturevalue("books_stay_open")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user who has never run anything: no settings, no data, no variables."""
    for name in [name for name in os.environ if name.startswith("ACCTCLI_")]:
        monkeypatch.delenv(name)
    for kind in ("CONFIG", "DATA", "CACHE", "STATE"):
        monkeypatch.setenv(f"ACCTCLI_{kind}_DIR", str(tmp_path / kind.lower()))
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    return tmp_path


@pytest.fixture
def cli(home: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Run one command line: `cli("account", "list", "--json")`, with text for stdin if any."""

    def call(*argv: str, stdin: str = "") -> Outcome:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8"))
        capfdbinary.readouterr()
        code = run(argv)
        sys.stdout.flush()
        sys.stderr.flush()
        out, err = capfdbinary.readouterr()
        return Outcome(code, out.decode(), err.decode())

    return call


def succeed(outcome: Outcome) -> Outcome:
    """Return the outcome of a command that must have worked."""
    assert outcome.code == 0, outcome.err
    return outcome


def found(cli: Cli, *argv: str) -> None:
    """Create the first business, whose books begin with the year that tests name."""
    succeed(cli("business", "create", *argv))
    slug = argv[argv.index("--slug") + 1]
    for command in (*commands_to_begin(1, slug), *commands_to_go_on(slug)):
        succeed(cli(*command))


def words(text: str) -> Sequence[str]:
    """Split a command line written as one string of plain words."""
    return text.split()


@pytest.fixture
def at(home: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[LoopbackServer], None]:
    """Point the environment `testing`, with a token and a business, at a server: `at(server)`."""

    def point(server: LoopbackServer) -> None:
        monkeypatch.setenv("ACCTCLI_ENV", "testing")
        monkeypatch.setenv("ACCTCLI_TESTING_BASE_URL", server.base_url)
        monkeypatch.setenv("ACCTCLI_TOKEN", TOKEN)
        monkeypatch.setenv("ACCTCLI_BUSINESS", "demo")

    return point


At = Callable[[LoopbackServer], None]
