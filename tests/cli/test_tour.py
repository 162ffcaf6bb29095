"""The tour shows real commands, leaves nothing behind, and is one JSON document where JSON is asked for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.conftest import Cli, succeed


def test_the_tour_posts_a_month_that_balances(cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCTCLI_ENV", "production")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.delenv("ACCTCLI_CACHE_DIR")
    before = dict(os.environ)
    shown = succeed(cli("tour"))
    lines = shown.out.splitlines()
    total = next(line.split() for line in lines if line.split()[:1] == ["Total"])
    assert total[1] == total[2] == "157,582.70"
    assert any(line.split()[:3] == ["1910", "Bank", "account"] for line in lines)
    assert "$ acctcli document create --file" in shown.err
    assert dict(os.environ) == before
    assert not (home / "data").exists()


def test_the_tour_as_json_is_one_list(cli: Cli) -> None:
    steps = succeed(cli("tour", "--json")).json()
    assert [step["command"].split()[1:3] for step in steps] == [
        ["business", "create"],
        ["business", "use"],
        ["period", "update"],
        ["period", "create"],
        ["account", "list"],
        ["document", "create"],
        ["report", "journal"],
        ["account", "balances"],
    ]
    assert len(steps[5]["result"]) >= 60
    assert steps[6]["result"]["totals"] == {"debet": 157582.70, "credit": 157582.70}


SHOWING = [
    "env",
    "$ENV",
    '.[] | "\\(env.HOME)"',
    "[1] | .[env:1]",
    "map(debug)",
    "stderr",
    "$ENV.HOME",
    "input_filename",
]


@pytest.mark.together
@pytest.mark.parametrize("expression", SHOWING)
def test_a_filter_sees_nothing_but_the_reply(cli: Cli, expression: str) -> None:
    done = cli("constant", "list", "--jq", expression)
    assert (done.code, done.out) == (2, "")
    assert "would show what is not in the reply" in done.err


@pytest.mark.together
@pytest.mark.parametrize("expression", ["halt", ".[] | halt_error", "if . then halt else . end"])
def test_an_expression_cannot_end_the_program(cli: Cli, expression: str) -> None:
    done = cli("env", "list", "--jq", expression)
    assert done.code == 2
    assert "halt" in done.err


@pytest.mark.together
@pytest.mark.parametrize(
    "expression", [".[0].halt", '"halt"', ".[0] | {asphalt: 1}", ".[0].env", '{"env": 1} | .env', "1 as $env | $env"]
)
def test_other_words_are_free(cli: Cli, expression: str) -> None:
    assert cli("env", "list", "--jq", expression).code == 0
