"""Writing to production: said on a terminal, and elsewhere done only when somebody has said that it is meant."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Cli, succeed
from tests.cli.processes import environ
from tests.cli.recorder import TOKEN, Recorder, recorder, said
from tests.cli.test_dry_run import SAMPLES
from tests.cli.test_terminal import on_terminal

RECORD = said({"id": 7, "slug": "demo"}, 200)
CREATED = ("account", "hide", "id:7")


@pytest.fixture
def production(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Recorder]:
    """The environment `production`, where a business is chosen."""
    with recorder(RECORD) as server:
        monkeypatch.setenv("ACCTCLI_ENV", "production")
        monkeypatch.setenv("ACCTCLI_PRODUCTION_BASE_URL", server.base_url)
        monkeypatch.setenv("ACCTCLI_TOKEN", TOKEN)
        monkeypatch.setenv("ACCTCLI_BUSINESS", "demo")
        yield server


@pytest.mark.together
@pytest.mark.parametrize("name", SAMPLES)
def test_nothing_is_written_without_a_word_or_a_terminal(cli: Cli, production: Recorder, name: str) -> None:
    argv, method, path, _ = SAMPLES[name]
    outcome = cli(*name.split(), *argv)
    assert (outcome.code, outcome.out, production.writes) == (2, "", [])
    assert "--yes" in outcome.err
    succeed(cli(*name.split(), *argv, "--dry-run"))
    assert production.writes == []
    cli(*name.split(), *argv, "--yes")
    whole = path if path.startswith("/") else f"/v1/business/demo/{path}"
    assert (method, whole) in [(sent.method, sent.path) for sent in production.writes]


def test_the_error_says_whose_books_and_how_to_mean_it(cli: Cli, production: Recorder) -> None:
    assert cli(*CREATED).err == (
        "error: this would change the books of demo in production, and there is no terminal to say so on\n"
        "hint: if it is meant, add --yes or set ACCTCLI_ALLOW_PRODUCTION_WRITES=1\n"
    )


@pytest.mark.parametrize(("value", "code"), [("1", 0), ("0", 2), ("", 2), ("no", 2)])
def test_a_variable_may_say_it(
    cli: Cli, production: Recorder, monkeypatch: pytest.MonkeyPatch, value: str, code: int
) -> None:
    monkeypatch.setenv("ACCTCLI_ALLOW_PRODUCTION_WRITES", value)
    outcome = cli(*CREATED)
    assert outcome.code == code
    assert len(production.writes) == (code == 0)
    # what cannot be taken back is agreed to each time
    assert cli("account", "delete", "id:7").code == 2


def test_a_file_of_many_is_refused_at_its_first_line(cli: Cli, production: Recorder) -> None:
    Path("many.jsonl").write_text('{"date": "2026-03-01"}\n{"date": "2026-03-02"}\n')
    outcome = cli("document", "create", "--file", "many.jsonl")
    assert (outcome.code, production.writes) == (2, [])
    cli("document", "create", "--file", "many.jsonl", "--yes")
    assert len(production.writes) == 2


def test_reading_needs_no_word(cli: Cli, production: Recorder) -> None:
    succeed(cli("business", "get", "demo"))
    assert production.writes == []


def test_other_environments_are_written_to_as_ever(
    cli: Cli, production: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACCTCLI_TESTING_BASE_URL", production.base_url)
    succeed(cli(*CREATED, "--env", "testing"))
    assert len(production.writes) == 1


def test_a_person_on_a_terminal_sees_where_it_goes(tmp_path: Path) -> None:
    with recorder(RECORD) as server:
        variables = environ(tmp_path, server.base_url, ACCTCLI_ENV="production")
        variables["ACCTCLI_PRODUCTION_BASE_URL"] = server.base_url
        loud, quiet = on_terminal(variables, *CREATED), on_terminal(variables, *CREATED, "--quiet")
        read = on_terminal(variables, "business", "get", "demo")
    banner = f"*** PRODUCTION: this changes the books of demo at {server.base_url} ***"
    assert (loud.code, loud.seen.count(banner)) == (0, 1)
    assert (quiet.code, banner in quiet.seen, banner in read.seen) == (0, False, False)
