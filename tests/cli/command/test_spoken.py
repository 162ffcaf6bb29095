"""What people type for commands that are called otherwise, and what is said of values."""

from __future__ import annotations

import re

import pytest

from acctcli.cli.command import spoken
from acctcli.cli.root import files
from tests.cli.conftest import Cli, succeed
from tests.cli.walk import commands


@pytest.mark.together
@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (("document", "show", "1"), "did you mean get?"),
        (("invoice", "new"), "did you mean create?"),
        (("tag", "rm", "1"), "did you mean delete?"),
        (("document", "undo", "1"), "did you mean reverse?"),
        (("document", "lst"), "did you mean list?"),
        (("document", "zzz"), "see: acctcli document --help"),
        (("undo",), "see: acctcli document reverse, "),
        (("import",), "see: acctcli bank import, "),
        (("documnt",), "did you mean document?"),
        (("zzz",), "see: acctcli --help"),
    ],
)
def test_a_word_that_is_no_command_leads_to_one(cli: Cli, argv: tuple[str, ...], says: str) -> None:
    done = cli(*argv)
    assert (done.code, done.out) == (2, "")
    assert f"\nhint: {says}" in done.err


def test_every_command_that_is_named_is_there() -> None:
    known = {one.name for one in commands()} | set(files())
    texts = spoken._ELSEWHERE.values()
    named = {one for text in texts for one in re.findall(r"acctcli ([a-z -]+?)(?= --|,|$| [A-Z])", text)}
    assert named
    assert named <= known


def test_help_is_a_word_too(cli: Cli) -> None:
    for words in ((), ("document",), ("document", "create")):
        assert succeed(cli("help", *words)).out == succeed(cli(*words, "--help")).out != ""


def test_what_all_commands_take_is_a_line_unless_all_is_asked_for(cli: Cli) -> None:
    short, whole = (succeed(cli("document", "create", option)).out for option in ("--help", "--help-all"))
    for option in ("--columns", "--jq", "--env", "--timeout", "--debug"):
        assert (short.count(option), option in whole) == (1, True)
    assert "See: acctcli document create --help-all" in " ".join(short.split())
    assert "Longest time for one request" not in short
    assert "Longest time for one request" in whole
    assert "Common options" not in whole
    assert "--dry-run" in short


@pytest.mark.together
@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (("document", "list", "--limit", "x"), "'--limit': 'x' is not a whole number."),
        (("document", "list", "--limit", "0"), "'--limit': 0 is not 1 or more."),
        (("local", "serve", "--port", "70000"), "'--port': 70000 is not between 1 and 65535."),
        (("document", "list", "--timeout", "x"), "'--timeout': 'x' is not a number."),
        (("document", "list", "--timeout", "0"), "'--timeout': 0.0 is not between 0.1 and 86400.0."),
    ],
)
def test_a_value_is_refused_in_a_sentence(cli: Cli, argv: tuple[str, ...], says: str) -> None:
    done = cli(*argv)
    assert (done.code, done.err.splitlines()[0]) == (2, f"error: Invalid value for {says}")
