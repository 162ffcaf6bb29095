"""Signing in: a token is kept once the service accepts it, in the keyring alone, and for one host."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.auth.door import ENTRY, GOOD, door, files_below, login
from tests.cli.conftest import At, Cli, succeed
from tests.cli.recorder import Answer, Recorder, Sent, page, recorder, said
from tests.credentials.keyrings import (
    MemoryKeyring,
)


def test_login_checks_the_token_first_and_keeps_it(cli: Cli, server: Recorder, ring: MemoryKeyring, home: Path) -> None:
    assert login(cli, GOOD) == (0, "", "Signed in to testing as ada@books.example.\n")
    assert [sent.path for sent in server.sent] == ["/v1/user/"]
    assert json.loads(ring.entries[ENTRY]) == {
        "token": GOOD,
        "base_url": server.base_url,
        "user": "ada@books.example",
    }
    succeed(cli("account", "list"))
    assert server.sent[-1].headers["authorization"] == f"Token {GOOD}"
    assert GOOD not in files_below(home)


def test_login_says_who_in_json(cli: Cli, server: Recorder, ring: MemoryKeyring) -> None:
    code, out, err = login(cli, GOOD, "--json")
    assert (code, json.loads(out), err) == (0, {"environment": "testing", "user": "ada@books.example"}, "")


def test_a_token_the_service_refuses_is_not_kept(cli: Cli, server: Recorder, ring: MemoryKeyring) -> None:
    code, out, err = login(cli, "pat_bad-0123456789")
    assert (code, out, ring.entries) == (4, "", {})
    assert err.startswith("error: Invalid token. (401)")


@pytest.mark.together
@pytest.mark.parametrize(
    "answer",
    [said({"detail": "no"}, 403), said({}), said([]), Answer(200, b"<html>"), said({"email": 7}), said({}, 500)],
)
def test_no_token_is_kept_on_a_doubtful_answer(cli: Cli, at: At, ring: MemoryKeyring, answer: Answer) -> None:
    with recorder(answer) as odd:
        at(odd)
        code, out, _ = login(cli, GOOD)
    assert (code in {5, 9}, out, ring.entries) == (True, "", {})


@pytest.mark.together
@pytest.mark.parametrize("token", ["", "short", "has a space in it", "x" * 20000, "ünïcödé-0123"])
def test_what_cannot_be_a_token_is_not_sent(cli: Cli, server: Recorder, ring: MemoryKeyring, token: str) -> None:
    outcome = cli("auth", "login", "--with-token", stdin=token)
    assert (outcome.code, outcome.out, server.sent, ring.entries) == (2, "", [], {})


def test_a_token_is_never_an_argument(cli: Cli, server: Recorder, ring: MemoryKeyring) -> None:
    for argv in (
        ("auth", "login", GOOD),
        ("auth", "login", "--token", GOOD),
        ("auth", "login", f"--with-token={GOOD}"),
    ):
        outcome = cli(*argv)
        assert (outcome.code, outcome.out, server.sent, ring.entries) == (2, "", [], {})
        assert GOOD not in outcome.err
        assert "acctcli auth login --with-token < FILE" in outcome.err


def test_a_token_that_a_variable_holds_is_no_argument_either(
    cli: Cli, server: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACCTCLI_PRODUCTION_TOKEN", GOOD)
    for argv in (
        ("account", "list", "--search", GOOD),
        ("user", "update", f"--set=email=a{GOOD}"),
        ("env", "list", GOOD),
    ):
        outcome = cli(*argv)
        assert (outcome.code, outcome.out, server.sent) == (2, "", [])
        assert "the token of ACCTCLI_PRODUCTION_TOKEN stands among the arguments" in outcome.err
        assert GOOD not in outcome.err


OWN = "acct_pat_" + "aB3-x_9Zk2" * 4
A_JWT = "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl-1_x"


@pytest.mark.together
@pytest.mark.parametrize("token", [OWN, A_JWT, "acct_oat_7." + "aB3-x_9Zk2" * 4])
@pytest.mark.parametrize("loud", [(), ("--json",), ("--debug",)])
def test_what_looks_like_a_token_is_no_argument_of_any_command(
    cli: Cli, server: Recorder, ring: MemoryKeyring, token: str, loud: tuple[str, ...]
) -> None:
    for argv in (
        ("auth", "login", token),
        ("auth", "status", token),
        ("account", "list", token),
        ("account", "list", "--token", token),
        ("account", "list", f"--token={token}"),
        ("account", "list", "--env", token),
        ("account", "list", "--output", token),
        ("account", "create", "--set", f"x={token}"),
        ("account", "create", "--set", f"name={token}", "--dry-run"),
        ("api", "GET", f"/v1/user/?token={token}"),
        ("account", token),
        (token,),
        (f"--{token}",),
    ):
        outcome = cli(*argv, *loud)
        assert (outcome.code, outcome.out, server.sent) == (2, "", [])
        assert not {token, token[-20:], token.rsplit(".", maxsplit=1)[-1]} & set(outcome.err.replace("'", " ").split())
        assert token[:24] not in outcome.err


@pytest.mark.together
@pytest.mark.parametrize("before", ["", "\n", "  "])
def test_a_token_is_kept_without_what_was_copied_with_it(
    cli: Cli, server: Recorder, ring: MemoryKeyring, before: str
) -> None:
    assert login(cli, f"{before}{GOOD} \r\n")[0] == 0
    assert json.loads(ring.entries[ENTRY])["token"] == GOOD
    code, _, err = login(cli, f"Token {GOOD}")
    assert (code, "it holds a blank or a line break; give the token alone" in err, GOOD in err) == (2, True, False)


def test_without_a_terminal_the_prompt_is_refused_with_the_way(cli: Cli, server: Recorder, ring: MemoryKeyring) -> None:
    outcome = cli("auth", "login", stdin=GOOD)
    assert (outcome.code, server.sent) == (2, [])
    assert "acctcli auth login --with-token < FILE" in outcome.err


def test_several_people_are_signed_in_and_one_of_them_is_in_use(
    cli: Cli, ring: MemoryKeyring, at: At, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = {f"pat_{name}-0123456789": f"{name}@books.example" for name in ("ada", "bob", "eve")}

    def answer(sent: Sent) -> Answer:
        email = tokens.get(sent.headers["authorization"].removeprefix("Token "))
        if email is None:
            return said({"detail": "Invalid token."}, 401)
        return said({"id": 1, "email": email}) if sent.path == "/v1/user/" else page()

    with recorder(answer) as server:
        at(server)
        monkeypatch.delenv("ACCTCLI_TOKEN")
        for token in tokens:
            assert login(cli, token)[0] == 0

        def people() -> list[tuple[str, bool]]:
            return [(row["user"], row["is_in_use"]) for row in succeed(cli("auth", "status", "--json")).json()]

        ada, bob, eve = tokens.values()
        assert people() == [(eve, True), (ada, False), (bob, False)]
        assert cli("auth", "switch").code == 2
        assert "say who: there are" in cli("auth", "switch").err
        assert cli("auth", "switch", "nobody@books.example").code == 2
        switched = succeed(cli("auth", "switch", ada))
        assert switched.err == f"Commands go to testing as {ada} now.\n"
        assert people() == [(ada, True), (bob, False), (eve, False)]
        assert succeed(cli("auth", "token")).out == "pat_ada-0123456789\n"
        # who signs in again is not there twice
        login(cli, "pat_bob-0123456789")
        assert people() == [(bob, True), (eve, False), (ada, False)]
        assert succeed(cli("auth", "logout")).err == f"Signed out of testing. Commands go there as {eve} now.\n"
        assert people() == [(eve, True), (ada, False)]
        assert succeed(cli("auth", "logout", "--everybody")).err == "Signed out of testing.\n"
    assert ring.entries == {}


def test_logout_forgets(cli: Cli, server: Recorder, ring: MemoryKeyring) -> None:
    login(cli, GOOD)
    assert succeed(cli("auth", "logout")).err == "Signed out of testing.\n"
    assert ring.entries == {}
    assert succeed(cli("auth", "logout", "--json")).json() == {
        "environment": "testing",
        "forgotten": False,
        "in_use": None,
    }
    outcome = cli("account", "list")
    assert (outcome.code, outcome.out) == (4, "")
    assert outcome.err.endswith("hint: acctcli auth login --env testing\n")


def test_logout_needs_no_host_any_more(
    cli: Cli, server: Recorder, ring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    login(cli, GOOD)
    monkeypatch.delenv("ACCTCLI_TESTING_BASE_URL")
    succeed(cli("auth", "logout"))
    assert ring.entries == {}


def test_token_is_printed_for_other_programs(cli: Cli, server: Recorder, ring: MemoryKeyring) -> None:
    login(cli, GOOD)
    assert succeed(cli("auth", "token")).out == f"{GOOD}\n"
    assert succeed(cli("auth", "token", "--json")).json() == {"environment": "testing", "token": GOOD}
    assert len(server.sent) == 1


def test_a_token_stays_with_its_host(
    cli: Cli, server: Recorder, ring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    login(cli, GOOD)
    before = len(server.sent)
    with recorder(door) as other:
        monkeypatch.setenv("ACCTCLI_TESTING_BASE_URL", other.base_url)
        for argv in ("account list", "auth status", "auth token", "user get", "account delete id:7 --yes"):
            outcome = cli(*argv.split())
            assert outcome.code == 4, argv
            assert "it is not sent there" in outcome.err
            assert GOOD not in outcome.err
        assert other.sent == []
        # signing in again moves it
        login(cli, GOOD)
        succeed(cli("account", "list"))
        assert len(other.sent) == 2
    assert len(server.sent) == before


def test_a_token_stays_with_its_environment(
    cli: Cli, server: Recorder, ring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    login(cli, GOOD)
    monkeypatch.setenv("ACCTCLI_PRODUCTION_BASE_URL", server.base_url)
    sent = len(server.sent)
    assert cli("account", "list", "--env", "production").code == 4
    assert len(server.sent) == sent


def test_a_token_for_local_is_used_where_it_runs_in_this_process(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    token = succeed(cli("local", "token", "--user", "anna@books.example")).out.strip()
    monkeypatch.setenv("ACCTCLI_LOCAL_TOKEN", token)
    (facts,) = succeed(cli("auth", "status", "--env", "local", "--json")).json()
    assert (facts["user"], facts["token_source"]) == ("anna@books.example", "ACCTCLI_LOCAL_TOKEN")
    assert succeed(cli("auth", "token", "--env", "local")).out == f"{token}\n"


def test_local_needs_no_login(cli: Cli, ring: MemoryKeyring) -> None:
    for argv in (("auth", "login", "--with-token"), ("auth", "logout")):
        outcome = cli(*argv, "--env", "local", stdin=GOOD)
        assert (outcome.code, outcome.out, ring.entries) == (2, "", {})
        assert "local runs in this process" in outcome.err
