"""Environments from the command line: where commands go, and what to do when nobody said."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from tests.cli.conftest import At, Cli, succeed
from tests.cli.recorder import page, recorder

HOST = "https://books.example"


def test_local_is_in_use_when_nothing_is_configured(cli: Cli) -> None:
    found = {row["name"]: row for row in succeed(cli("env", "list", "--json")).json()}
    assert list(found) == ["testing", "production", "local"]
    assert [name for name, row in found.items() if row["in_use"]] == ["local"]
    assert found["local"]["base_url"] == "in process"
    assert found["production"]["base_url"] is None
    asked = succeed(cli("env", "list", "--env", "testing", "--json")).json()
    assert [row["name"] for row in asked if row["in_use"]] == ["testing"]


@pytest.mark.together
@pytest.mark.parametrize("name", ["testing", "production", "my-own"])
@pytest.mark.parametrize(
    "argv", ["account list", "user get", "auth status", "account delete id:7 --yes", "env use {name}"]
)
def test_a_host_that_nobody_set_is_exit_2_with_the_command_that_sets_it(cli: Cli, name: str, argv: str) -> None:
    command = argv.format(name=name).split()
    outcome = cli(*command, *([] if "use" in command else ["--env", name]))
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == (
        f"error: Environment '{name}' has no host: its base_url is not set\n"
        f"hint: acctcli env set {name} --base-url URL --login-url URL\n"
    )


def test_the_command_of_the_hint_works(cli: Cli, home: Path) -> None:
    told = succeed(cli("env", "set", "testing", "--base-url", f"{HOST}/", "--login-url", "https://login.example"))
    assert (told.out, told.err) == ("", "Environment testing is set.\n")
    assert succeed(cli("env", "show", "testing", "--json")).json() == {
        "name": "testing",
        "in_use": False,
        "base_url": HOST,
        "login_url": "https://login.example",
        "business": None,
        "token_store": "keyring",
        "sign_in": {"client_id": None, "redirect_url": None, "scopes": None, "discovery_url": None},
        "sources": {
            "base_url": str(home / "config" / "config.toml"),
            "login_url": str(home / "config" / "config.toml"),
            "name": "--env",
        },
    }
    assert stat.S_IMODE((home / "config" / "config.toml").stat().st_mode) == 0o600
    assert stat.S_IMODE((home / "config").stat().st_mode) == 0o700


SIGN_IN = {
    "client_id": "acctcli-1",
    "redirect_url": "http://127.0.0.1:8400/back",
    "scopes": "openid offline_access",
    "discovery_url": "https://login.example/settings",
}


def test_how_to_sign_in_is_set_and_may_come_from_variables(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    options = [word for key, value in SIGN_IN.items() for word in (f"--{key.replace('_', '-')}", value)]
    succeed(cli("env", "set", "testing", *options))
    assert succeed(cli("env", "show", "testing", "--json")).json()["sign_in"] == SIGN_IN
    monkeypatch.setenv("ACCTCLI_TESTING_CLIENT_ID", "other")
    shown = succeed(cli("env", "show", "testing", "--json")).json()
    assert (shown["sign_in"], shown["sources"]["client_id"]) == (
        {**SIGN_IN, "client_id": "other"},
        "ACCTCLI_TESTING_CLIENT_ID",
    )


def test_one_setting_goes_back_to_what_it_is_without(cli: Cli) -> None:
    options = [word for key, value in SIGN_IN.items() for word in (f"--{key.replace('_', '-')}", value)]
    succeed(cli("env", "set", "testing", "--base-url", HOST, *options))
    assert succeed(cli("env", "unset", "testing", "--client-id", "--dry-run")).err.startswith("Would forget client_id")
    assert succeed(cli("env", "show", "testing", "--json")).json()["sign_in"] == SIGN_IN
    told = succeed(cli("env", "unset", "testing", "--client-id", "--scopes")).err
    assert told == "Forgot client_id, scopes of environment testing.\n"
    shown = succeed(cli("env", "show", "testing", "--json")).json()
    assert shown["sign_in"] == {**SIGN_IN, "client_id": None, "scopes": None}
    assert shown["base_url"] == HOST
    again = cli("env", "unset", "testing", "--base-url", "--scopes")
    assert (again.code, "scopes of environment 'testing' is not set" in again.err) == (2, True)
    assert succeed(cli("env", "unset", "testing", "--base-url", "--json")).json() == {
        "environment": "testing",
        "unset": True,
        "settings": ["base_url"],
    }
    assert succeed(cli("env", "show", "testing", "--json")).json()["base_url"] is None
    succeed(cli("env", "unset", "testing", "--redirect-url", "--discovery-url"))
    assert cli("env", "unset", "testing", "--yes").code == 2


@pytest.mark.together
@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--redirect-url", "http://books.example:80/cb"),
        ("--redirect-url", "http://127.0.0.1:1/a?b"),
        ("--discovery-url", "http://login.example"),
        ("--client-id", "a\x1bb"),
        ("--scopes", "öpenid"),
    ],
)
def test_what_cannot_be_signed_in_with_is_not_set(cli: Cli, home: Path, option: str, value: str) -> None:
    outcome = cli("env", "set", "testing", option, value)
    assert (outcome.code, (home / "config").exists()) == (2, False)
    assert f"{option}: {option[2:].replace('-', '_')} is refused" in outcome.err


def test_a_name_that_another_begins_with_is_not_that_one(cli: Cli) -> None:
    for name in ("test", "test-2"):
        succeed(cli("env", "set", name, "--base-url", HOST))
    succeed(cli("env", "use", "test"))
    found = succeed(cli("env", "list", "--json")).json()
    assert {row["name"]: row["in_use"] for row in found} == {
        "testing": False,
        "production": False,
        "local": False,
        "test": True,
        "test-2": False,
    }


def test_use_and_unset(cli: Cli) -> None:
    succeed(cli("env", "set", "staging", "--base-url", HOST))
    assert succeed(cli("env", "use", "staging")).err == "Commands now go to environment staging.\n"
    assert succeed(cli("env", "show", "--json")).json()["name"] == "staging"
    refused = cli("env", "unset", "staging")
    assert (refused.code, "--yes" in refused.err) == (2, True)
    done = succeed(cli("env", "unset", "staging", "--yes", "--json"))
    assert done.json() == {"environment": "staging", "unset": True}
    assert done.err == "note: commands still go to staging, which has no host now: acctcli env use NAME\n"
    # and not into other books
    assert "Environment 'staging' has no host" in cli("tag", "create", "--name", "Fair").err
    assert succeed(cli("env", "use", "local")).err == "Commands now go to environment local.\n"
    again = cli("env", "unset", "staging", "--yes")
    assert (again.code, again.out) == (2, "")


@pytest.mark.together
@pytest.mark.parametrize(
    "argv",
    [
        "env set testing",
        "env set testing --base-url http://books.example",
        "env set testing --base-url https://user:pass@books.example",
        "env set testing --base-url ftp://books.example",
        "env set Testing --base-url https://books.example",
        "env set a_b --base-url https://books.example",
        "env show ../x",
        "env use nosuch",
        "account list --env ../x",
        "business use no/slug",
        "account list --env testing --business a/b",
    ],
)
def test_what_makes_no_sense_is_refused_and_changes_nothing(cli: Cli, home: Path, argv: str) -> None:
    outcome = cli(*argv.split())
    assert (outcome.code, outcome.out) == (2, ""), outcome.err
    assert "pass" not in outcome.err.replace("password", "")
    assert not (home / "config" / "config.toml").exists()


def test_option_then_variable_then_project_then_user(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one", "two", "three", "four"):
        succeed(cli("env", "set", name, "--base-url", f"https://{name}.example"))
    succeed(cli("env", "use", "one"))

    def used(*argv: str) -> str:
        shown = succeed(cli("env", "show", *argv, "--json")).json()
        return f"{shown['name']} by {shown['sources']['name'].rpartition('/')[2]}"

    assert used() == "one by config.toml"
    Path(".acctcli.toml").write_text('environment = "two"\n')
    assert used() == "two by .acctcli.toml"
    monkeypatch.setenv("ACCTCLI_ENV", "three")
    assert used() == "three by ACCTCLI_ENV"
    assert used("--env", "four") == "four by --env"


@pytest.mark.together
@pytest.mark.parametrize("line", ['base_url = "https://evil.example"', 'token = "tok-0123456789"', "environments = {}"])
def test_a_project_file_that_names_a_host_or_token_is_refused(cli: Cli, line: str) -> None:
    Path(".acctcli.toml").write_text(f"{line}\n")
    for argv in ("account list", "env list", "auth status"):
        outcome = cli(*argv.split(), "--json")
        assert (outcome.code, outcome.out) == (2, "")
        assert ".acctcli.toml" in json.loads(outcome.err)["error"]["message"]
        assert "tok-0123456789" not in outcome.err


def test_a_default_business_belongs_to_its_environment(cli: Cli, at: At, monkeypatch: pytest.MonkeyPatch) -> None:
    with recorder(page()) as server:
        at(server)
        monkeypatch.delenv("ACCTCLI_BUSINESS")
        missing = cli("account", "list")
        assert (missing.code, missing.out) == (2, "")
        assert "hint: acctcli business use SLUG --env testing" in missing.err
        succeed(cli("business", "use", "acme"))
        succeed(cli("account", "list"))
        monkeypatch.setenv("ACCTCLI_OTHER_BASE_URL", server.base_url)
        assert cli("account", "list", "--env", "other").code == 2
        succeed(cli("account", "list", "--env", "other", "--business", "beta"))
        assert [sent.path.split("/")[3] for sent in server.sent] == ["acme", "acme", "beta"]


@pytest.mark.together
@pytest.mark.parametrize(
    ("argv", "says"),
    [
        ("acount list", "did you mean account?"),
        ("account lst", "list"),
        ("account list --serch x", "--search"),
        ("account get seven", "seven"),
        ("account get id:0", "id:0"),
        ("tag get 0", "'ID...': '0' is not"),
        ("document list --period 2026-13", "--period"),
        ("document list --from 2026-02-30", "--from"),
        ("account list --timeout nan", "--timeout"),
        ("account list --ca-file /nowhere.pem", "/nowhere.pem"),
        ("api FETCH /v1/user/", "FETCH"),
        ("api GET https://evil.example/v1/user/", "not a path"),
        ("api GET /v1/../admin/", "not a path"),
        ("api GET /v1/user/ --field novalue", "novalue"),
        ("account list --jq .[", "--jq"),
        ("account list --jq nosuchfilter", "error: --jq 'nosuchfilter': undefined filter\n"),
        ("api GET /v1/user/ --input x.json", "GET has none"),
        ("api POST /v1/user/ --paginate", "GET only"),
    ],
)
def test_mistakes_are_named_and_nothing_is_sent(cli: Cli, at: At, argv: str, says: str) -> None:
    with recorder(page()) as server:
        at(server)
        outcome = cli(*argv.split())
        assert (outcome.code, outcome.out, server.sent) == (2, "", []), outcome.err
    assert says in outcome.err
    assert "Traceback" not in outcome.err
