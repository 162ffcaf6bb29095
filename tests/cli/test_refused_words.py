"""Words that can mean nothing, such as those of variables that are not set: refused before anything is done."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.bookkeeping import Service
from tests.cli.conftest import At, Cli, succeed
from tests.cli.recorder import recorder

KEYS = ["lasku-\u00f6ljy", "", " a", "a ", "a\nb", "x" * 256]


@pytest.mark.together
@pytest.mark.parametrize("key", KEYS)
def test_a_key_that_no_header_takes_is_refused(cli: Cli, at: At, key: str) -> None:
    with recorder(Service()) as server:
        at(server)
        outcome = cli("contact", "create", "--name", "x", "--idempotency-key", key)
        assert (outcome.code, outcome.out, server.sent) == (2, "", [])
    assert "--idempotency-key takes 1 to 255 ASCII characters" in outcome.err


@pytest.mark.together
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("local", "backup", ""), "there is no name of a file to write"),
        (("local", "token", "--user", ""), "--user is empty"),
        (("resume", "--forget"), "--forget needs the id of a run"),
    ],
)
def test_what_names_nothing_is_refused(cli: Cli, home: Path, words: tuple[str, ...], says: str) -> None:
    succeed(cli("local", "init"))
    outcome = cli(*words)
    assert (outcome.code, outcome.out) == (2, "")
    assert says in outcome.err


def test_a_file_without_lines_says_that_nothing_is_posted(cli: Cli, at: At, home: Path) -> None:
    Path("none.jsonl").write_text("\n")
    with recorder(Service()) as server:
        at(server)
        outcome = succeed(cli("document", "create", "--file", "none.jsonl"))
        assert server.writes == []
    assert "none.jsonl has no lines; nothing is posted" in outcome.err


@pytest.mark.parametrize(
    "words", [("account", "list", "--search", "a\udcff"), ("api", "POST", "/x/", "-F", "a=\udcff")]
)
def test_what_is_not_text_is_refused(cli: Cli, at: At, words: tuple[str, ...]) -> None:
    with recorder(Service()) as server:
        at(server)
        outcome = cli(*words)
        assert (outcome.code, outcome.out, server.sent) == (2, "", [])
    assert r"\xff is not text in UTF-8" in outcome.err
