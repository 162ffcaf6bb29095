"""Completion: scripts that are as generated, words that are right, and silence where something is wrong."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import acctcli
from acctcli.cli.completing import slugs
from acctcli.cli.completing.shells import _PLAIN, SCRIPTS
from acctcli.cli.root import files
from tests.cli.conftest import At, Cli, succeed
from tests.cli.processes import environ
from tests.cli.recorder import page, recorder
from tests.credentials.keyrings import MemoryKeyring, installed
from tests.programs import require_program

COMPLETIONS = Path(acctcli.__file__).parents[2] / "completions"
Ask = Callable[..., list[str]]


@pytest.fixture
def ask(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """The words offered for the last of these: `ask("account", "li")`; nothing may be said on stderr."""

    def answers(*words: str, shell: str = "bash") -> list[str]:
        monkeypatch.setenv("_ACCTCLI_COMPLETE", shell)
        monkeypatch.setenv("_ACCTCLI_WORD", words[-1])
        outcome = cli(*words[:-1])
        monkeypatch.delenv("_ACCTCLI_COMPLETE")
        assert (outcome.code, outcome.err) == (0, "")
        return outcome.lines()

    return answers


@pytest.mark.together
@pytest.mark.parametrize("shell", SCRIPTS)
def test_the_scripts_are_as_generated(cli: Cli, shell: str) -> None:
    name = SCRIPTS[shell].file
    kept = (COMPLETIONS / name).read_text()
    assert succeed(cli("completion", "show", shell)).out == kept
    assert succeed(cli("completion", "show", shell, "--json")).json() == {"shell": shell, "file": name, "script": kept}


def test_one_command_writes_them_all(cli: Cli, tmp_path: Path) -> None:
    succeed(cli("completion", "write", str(tmp_path / "work")))
    written = {path.name: path.read_bytes() for path in (tmp_path / "work").iterdir()}
    assert written == {path.name: path.read_bytes() for path in COMPLETIONS.iterdir()}
    files = ["acctcli.bash", "_acctcli", "acctcli.fish", "acctcli.ps1"]
    assert succeed(cli("completion", "write", ".", "--json")).json() == {"folder": ".", "files": files}


def test_a_folder_that_is_not_there_is_named(cli: Cli) -> None:
    outcome = cli("completion", "write", "nowhere")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("error: nowhere/acctcli.bash: No such file")


def test_a_shell_that_is_not_known_is_refused_with_those_that_are(cli: Cli) -> None:
    outcome = cli("completion", "show", "tcsh")
    assert (outcome.code, outcome.out) == (2, "")
    assert "bash, zsh, fish, powershell" in outcome.err


def test_no_script_evaluates_what_it_is_answered() -> None:
    for script in SCRIPTS.values():
        assert "eval" not in script.text
        assert "Invoke-Expression" not in script.text


def test_groups_verbs_and_options(ask: Ask) -> None:
    assert ask("") == list(files())
    assert ask("do") == ["document"]
    assert ask("er") == []  # user, period, and others hold it
    assert ask("account", "") == [
        "list", "get", "balances", "statement", "create", "update", "replace", "delete", "show", "hide"
    ]  # fmt: skip
    assert ask("business", "identifier", "") == ["list", "get", "create", "update", "replace", "delete"]
    assert ask("account", "list", "--p") == ["--page-size"]
    assert ask("account", "list", "--output", "") == ["table", "json", "jsonl", "csv", "tsv", "xlsx"]
    assert ask("completion", "show", "") == ["bash", "zsh", "fish", "powershell"]


def test_an_option_that_was_given_is_not_offered_again(ask: Ask) -> None:
    assert "--env" in ask("account", "list", "--")
    assert "--env" not in ask("account", "list", "--env", "local", "--")
    assert "--set" in ask("account", "create", "--set", "a=b", "--")


def test_environments(ask: Ask, cli: Cli) -> None:
    succeed(cli("env", "set", "staging", "--base-url", "https://books.example"))
    assert ask("account", "list", "--env", "") == ["testing", "production", "local", "staging"]
    assert ask("account", "list", "--env", "s") == ["staging"]
    assert ask("env", "use", "te") == ["testing"]
    assert ask("env", "show", "pro") == ["production"]


@pytest.mark.parametrize(("shell", "answer"), [("bash", "--env=testing"), ("zsh", "--env=testing")])
def test_a_value_joined_to_its_option_replaces_the_whole_word(ask: Ask, shell: str, answer: str) -> None:
    assert ask("account", "list", "--env=te", shell=shell) == [answer]


def test_the_words_bash_makes_of_an_equals_sign(ask: Ask) -> None:
    assert ask("account", "list", "--env", "=", "te") == ["testing"]
    assert ask("account", "list", "--env", "=") == ["testing", "production", "local"]


def test_columns_complete_the_last_of_the_list(ask: Ask) -> None:
    assert ask("account", "list", "--columns", "nu") == ["number"]
    assert ask("account", "list", "--columns", "id,name,nu") == ["id,name,number"]
    assert "id,name" not in ask("account", "list", "--columns", "id,name,na")
    assert ask("contact", "list", "--columns", "name_aliases,na") == ["name_aliases,name"]
    assert ask("document", "entries", "7", "--columns", "is_") == ["is_debet"]
    assert ask("account", "statement", "1910", "--columns", "deb") == ["debit"]
    assert ask("document", "relation", "list", "7", "--columns", "ro") == ["role"]
    assert ask("document", "relation", "suggestions", "7", "--columns", "sc") == ["score"]
    assert ask("file", "download", "7", "--columns", "out") == ["outcome"]
    assert ask("report", "journal", "--columns", "deb") == ["debet"]
    assert ask("business", "identifier", "list", "--columns", "") == ["id", "type", "value"]
    assert ask("business", "identifier", "create", "--columns", "id,v") == ["id,value"]
    assert ask("business", "permissions", "--columns", "") == ["id", "name", "explanation"]
    assert ask("constant", "get", "countries", "--columns", "v") == ["value"]
    assert ask("vat", "return", "--columns", "") == ["box", "label", "amount"]
    assert ask("vat", "recapitulative", "--columns", "country,vat") == ["country,vat_number"]
    assert ask("vat", "calendar", "--columns", "d") == ["due_date", "duty"]
    assert ask("vat", "period", "list", "--columns", "due") == ["due_date"]
    assert ask("local", "status", "--columns", "") == []


def test_account_types(ask: Ask) -> None:
    assert ask("account", "list", "--type", "ASS_D") == ["ASS_DEP", "ASS_DUE"]
    assert ask("document", "list", "--account-type", "REV_S") == ["REV_SAL"]


def test_names_of_sets(ask: Ask) -> None:
    assert ask("constant", "get", "vat-") == ["vat-codes", "vat-rates", "vat-posting-methods", "vat-reporting-methods"]


def test_businesses_seen_before_in_the_environment(ask: Ask, home: Path) -> None:
    folder = home / "cache"
    folder.mkdir()
    (folder / "businesses-local.json").write_text('["acme-oy", "beta", "Acme2"]')
    (folder / "businesses-testing.json").write_text('["elsewhere"]')
    assert ask("account", "list", "--business", "") == ["acme-oy", "beta", "Acme2"]
    assert ask("account", "list", "--business", "a") == ["acme-oy"]
    assert ask("business", "use", "b") == ["beta"]
    assert ask("account", "list", "--env", "testing", "--business", "") == ["elsewhere"]
    assert ask("account", "list", "--env", "production", "--business", "") == []


def test_help_goes_to_the_shells_that_show_it(ask: Ask) -> None:
    assert ask("repo", shell="bash") == ["report"]
    for shell in ("zsh", "fish", "powershell"):
        assert ask("repo", shell=shell) == ["report\tReports on a business."]


def test_charts_there_is_a_choice_of(ask: Ask) -> None:
    assert ask("business", "create", "--chart", "") == ["SKR04", "SKR03"]
    assert ask("business", "create", "--chart", "skr") == ["skr04", "skr03"]


@pytest.mark.parametrize(
    "words",
    [("nosuch", ""), ("account", "get", "x", "--nosuch", ""), ("account", "get", "x", "")],
)
def test_what_makes_no_sense_is_answered_with_nothing(ask: Ask, words: tuple[str, ...]) -> None:
    assert ask(*words) == []


@pytest.mark.parametrize(
    "broken", ["[[[", "environment = 7", 'environment = "no such name"', "\x00", 'environments = "x"']
)
def test_a_broken_configuration_is_silent(ask: Ask, home: Path, broken: str) -> None:
    (home / "config").mkdir()
    (home / "config" / "config.toml").write_text(broken)
    assert ask("account", "list", "--env", "") == []
    assert ask("account", "list", "--business", "") == []
    assert ask("account", "li") == ["list"]


@pytest.mark.parametrize("broken", ["", "{}", "[1, null, {}]", '"x"', "\xff", "[" * 100_000])
def test_a_broken_cache_is_silent(ask: Ask, home: Path, broken: str) -> None:
    (home / "cache").mkdir()
    (home / "cache" / "businesses-local.json").write_text(broken, encoding="latin-1")
    assert ask("account", "list", "--business", "") == []


@settings(max_examples=200)
@given(word=st.text())
def test_only_plain_words_are_ever_answered(word: str) -> None:
    if _PLAIN.fullmatch(word):
        assert not set(word) & set("$`'\"\\;|&<>(){}[]*?!~# \t\n\r:%^")
    assert not slugs._is_slug(word) or _PLAIN.fullmatch(word)


HOSTILE = ["$(touch pwned)", "`touch pwned`", "a;touch pwned", "x'y", 'x"y', "a b", "*", "~", "..", "$HOME", "-x\nfine"]


def test_nothing_from_a_cache_or_a_file_is_code(ask: Ask, cli: Cli, home: Path) -> None:
    (home / "cache").mkdir()
    (home / "cache" / "businesses-local.json").write_text(json.dumps([*HOSTILE, "fine"]))
    assert ask("account", "list", "--business", "") == ["fine"]
    (home / "config").mkdir()
    for name in HOSTILE:
        (home / "config" / "config.toml").write_text(f"[environments.{json.dumps(name)}]\n")
        assert ask("account", "list", "--env", "") == []


def test_accounts_are_those_of_the_chart_that_was_read_last(ask: Ask, cli: Cli, home: Path) -> None:
    succeed(cli("business", "create", "--name", "Acme", "--slug", "acme"))
    imported = ("bank", "import", "s.xml", "--business", "acme", "--account")
    assert ask(*imported, "19") == []
    succeed(cli("account", "balances", "--business", "acme"))
    assert ask(*imported, "19") == ["1900", "1910", "1920"]
    assert ask(*imported[:-1], "--contra=19") == ["--contra=1900", "--contra=1910", "--contra=1920"]
    assert ask(*imported, "1910", shell="fish") == ["1910\tBank account"]
    assert ask("bank", "import", "s.xml", "--business", "other", "--account", "19") == []
    assert ask("account", "statement", "--business", "acme", "191", shell="fish") == ["1910\tBank account"]
    assert ask("account", "hide", "--business", "acme", "1900", "192") == ["1920"]
    (kept,) = (home / "cache").glob("accounts-*.json")
    kept.write_text(json.dumps({**dict.fromkeys(HOSTILE, "x"), "5": "$(touch pwned) `x` \x1b[31m"}))
    assert ask(*imported, "", shell="fish") == ["5\t(touch pwned) x 31m"]


def test_records_are_those_that_tables_have_shown(ask: Ask, cli: Cli, home: Path) -> None:
    there = ("--business", "acme")
    succeed(cli("business", "create", "--name", "Acme", "--slug", "acme"))
    for name in ("Meyer Oy", "Virtanen"):
        succeed(cli("contact", "create", "--name", name, *there))
    succeed(cli("tag", "create", "--name", "Helsinki", *there))
    succeed(cli("document", "create", "--date", "2026-03-09", "--debit", "1910", "--credit", "3000:5@3", *there))
    succeed(cli("contact", "list", *there, "--json"))
    assert ask("contact", "get", *there, "") == []
    for noun in ("contact", "tag", "document", "invoice"):
        succeed(cli(noun, "list", *there))
    assert ask("contact", "get", *there, "", shell="fish") == ["1\tMeyer Oy", "2\tVirtanen"]
    assert ask("contact", "update", *there, "V") == ["Virtanen"]
    assert ask("document", "create", *there, "--contact", "") == ["1", "2"]
    assert ask("document", "list", *there, "--tag=H") == ["--tag=Helsinki"]
    assert ask("document", "reverse", *there, "26", shell="zsh") == ["260309-1\t260309-1, 2026-03-09, 5.00"]
    assert ask("invoice", "pay", *there, "") == ask("contact", "get", "--business", "other", "") == []
    # what was shown last comes first
    succeed(cli("contact", "list", *there, "--search", "Virtanen"))
    assert ask("contact", "delete", *there, "") == ["2", "1"]
    assert ask("invoice", "create", *there, "--to", "", shell="fish") == ["2\tVirtanen", "1\tMeyer Oy"]
    assert ask("invoice", "update", "7", *there, "--to=V") == ["--to=Virtanen"]


@pytest.mark.parametrize("forgets", [("local", "reset", "--yes"), ("auth", "logout", "--env", "testing")])
def test_who_deletes_books_or_signs_out_leaves_no_names(cli: Cli, home: Path, forgets: tuple[str, ...]) -> None:
    cache, environment = home / "cache", "testing" if "auth" in forgets else "local"
    cache.mkdir()
    for one in ("testing", "local"):
        for name in (f"contacts-{one}-acme.json", f"purchase-invoices-{one}-acme.json", f"businesses-{one}.json"):
            (cache / name).write_text("{}")
    with installed(MemoryKeyring()):
        succeed(cli(*forgets))
    kept = sorted(path.name for path in cache.iterdir())
    assert kept
    assert [name for name in kept if environment in name] == []


def test_what_is_no_record_is_told_by_whoever_shows_it(cli: Cli, at: At) -> None:
    with recorder(lambda sent: page([1], {"id": 2, "name": "Oulu"})) as server:
        at(server)
        done = cli("tag", "list")
    assert (done.code, "Traceback" in done.err, "internal" in done.err) == (9, False, False)


def test_slugs_that_cannot_be_kept_are_no_obstacle(cli: Cli, home: Path) -> None:
    (home / "cache").write_text("no folder")
    succeed(cli("business", "create", "--name", "Acme", "--slug", "acme"))
    for options, is_told in (((), False), (("--verbose",), True)):
        done = succeed(cli("business", "list", "--columns", "slug", "-o", "csv", *options))
        assert (done.out, "note: completion will not know new slugs: " in done.err) == ("slug\nacme\n", is_told)


def test_slugs_that_were_shown_are_remembered(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from acctcli.cli.session.options import Options
    from acctcli.cli.session.state import State

    here = State(Options())
    slugs.remember(here, ["one", "two"])
    slugs.remember(here, ["three", "two"])
    assert slugs.remembered(None) == ["three", "two", "one"]
    monkeypatch.setattr(slugs, "_MOST", 3)
    slugs.remember(here, ["four", "one"])
    assert slugs.remembered(None) == ["four", "one", "three"]
    assert stat.S_IMODE((home / "cache").stat().st_mode) == 0o700


BASH = """
source "$1"
shift
line="$*"
COMP_WORDS=("$@")
COMP_CWORD=$(( $# - 1 ))
cd "$HOME"
_acctcli "$1"
printf '%s\\n' "${COMPREPLY[@]}"
"""


def in_bash(home: Path, *words: str) -> list[str]:
    """Complete the last word in a real bash, and check that nothing else happened."""
    program = home / "bin" / "acctcli"
    if not program.exists():
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\nexec {sys.executable} -m acctcli "$@"\n')
        program.chmod(0o755)
    variables = environ(home)
    done = subprocess.run(
        [require_program("bash"), "--norc", "-c", BASH, "bash", str(COMPLETIONS / "acctcli.bash"), "acctcli", *words],
        env={**variables, "PATH": f"{program.parent}:{variables['PATH']}"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split("\n")[:-1]


def test_bash_for_real(tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "businesses-local.json").write_text(json.dumps(["acme", *HOSTILE]))
    assert in_bash(tmp_path, "bus") == ["business"]
    assert in_bash(tmp_path, "account", "list", "--columns", "id,pad") == ["id,padded_number"]
    assert in_bash(tmp_path, "account", "list", "--env", "=", "te") == ["testing"]
    assert in_bash(tmp_path, "account", "list", "--business", "") == ["acme"]
    assert "list" in in_bash(tmp_path, "account", "$(touch pwned)", "")
    assert in_bash(tmp_path, "account", "list", "*") == [""]
    assert not (tmp_path / "pwned").exists()


def test_bash_with_a_broken_configuration_and_no_home(tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.toml").write_text("[[[")
    assert in_bash(tmp_path, "account", "list", "--env", "") == [""]
    done = subprocess.run(
        [sys.executable, "-m", "acctcli", "account", "list", "--env"],
        env={"PATH": "/usr/bin:/bin", "_ACCTCLI_COMPLETE": "bash", "_ACCTCLI_WORD": "te"},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"testing\n", b"")
