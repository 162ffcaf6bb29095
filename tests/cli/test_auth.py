"""Signing in: a token is kept once the service accepts it, in the keyring alone, and for one host."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from keyring.backend import KeyringBackend

from acctcli.credentials.backends import Keyring
from tests.cli.conftest import At, Cli, succeed
from tests.cli.recorder import TOKEN, Answer, Recorder, Sent, page, recorder, said
from tests.credentials.keyrings import (
    LOCKED,
    BrokenKeyring,
    ForgetfulKeyring,
    HangingKeyring,
    MemoryKeyring,
    PlaintextKeyring,
    installed,
    no_keyring,
    null_keyring,
)

GOOD = "pat_good-0123456789"
BUSINESSES = page({"id": 1, "slug": "demo"}, {"id": 2, "slug": "acme"})
ENTRY = ("acctcli:testing", "token")


def door(sent: Sent) -> Answer:
    """Let in whoever has the good token."""
    if sent.headers["authorization"] != f"Token {GOOD}":
        return said({"detail": "Invalid token.", "code": "not_authenticated"}, 401)
    if sent.path == "/v1/user/":
        return said({"id": 1, "email": "ada@books.example"})
    return BUSINESSES if sent.path.startswith("/v1/business/?") else page()


@pytest.fixture
def server(at: At, monkeypatch: pytest.MonkeyPatch) -> Iterator[Recorder]:
    """A service, and nobody signed in to it."""
    with recorder(door) as running:
        at(running)
        monkeypatch.delenv("ACCTCLI_TOKEN")
        yield running


@pytest.fixture
def ring() -> Iterator[MemoryKeyring]:
    backend = MemoryKeyring()
    with installed(backend):
        yield backend


def login(cli: Cli, token: str, *argv: str) -> tuple[int, str, str]:
    outcome = cli("auth", "login", "--with-token", *argv, stdin=f"{token}\n")
    assert token not in outcome.out + outcome.err
    return outcome.code, outcome.out, outcome.err


def files_below(folder: Path) -> str:
    return "".join(path.read_text(errors="replace") for path in folder.rglob("*") if path.is_file())


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


@pytest.mark.parametrize(
    "answer",
    [said({"detail": "no"}, 403), said({}), said([]), Answer(200, b"<html>"), said({"email": 7}), said({}, 500)],
)
def test_no_token_is_kept_on_a_doubtful_answer(cli: Cli, at: At, ring: MemoryKeyring, answer: Answer) -> None:
    with recorder(answer) as odd:
        at(odd)
        code, out, _ = login(cli, GOOD)
    assert (code in {5, 9}, out, ring.entries) == (True, "", {})


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


def test_status_says_who_where_and_where_from(
    cli: Cli, server: Recorder, ring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    login(cli, GOOD)
    facts = {
        "environment": "testing",
        "base_url": server.base_url,
        "user": "ada@books.example",
        "kind": "personal access token",
        "token_source": "keyring",
        "expires_at": None,
        "businesses": ["demo", "acme"],
        "is_in_use": True,
        "problem": None,
    }
    assert succeed(cli("auth", "status", "--json")).json() == [facts]
    monkeypatch.setenv("ACCTCLI_TOKEN", GOOD)
    assert succeed(cli("auth", "status", "--json")).json() == [{**facts, "token_source": "ACCTCLI_TOKEN"}]
    monkeypatch.setenv("ACCTCLI_TESTING_TOKEN", GOOD)
    assert succeed(cli("auth", "status", "--json")).json() == [{**facts, "token_source": "ACCTCLI_TESTING_TOKEN"}]


def test_status_looks_at_every_environment_with_a_host(
    cli: Cli, server: Recorder, ring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    login(cli, GOOD)
    succeed(cli("local", "init", "--env", "local"))
    monkeypatch.setenv("ACCTCLI_PRODUCTION_BASE_URL", server.base_url)
    rows = succeed(cli("auth", "status", "--json")).json()
    assert [(row["environment"], row["user"], row["token_source"]) for row in rows] == [
        ("testing", "ada@books.example", "keyring"),
        ("production", None, None),
        ("local", "local@localhost", "the local service's own token"),
    ]
    assert rows[1]["problem"] == (
        "No token for environment 'production': neither ACCTCLI_PRODUCTION_TOKEN nor ACCTCLI_TOKEN is set, "
        "and the keyring holds none"
    )
    only = cli("auth", "status", "--env", "production", "--json")
    assert (only.code, [row["environment"] for row in only.json()]) == (4, ["production"])


def test_status_of_a_token_that_is_not_valid_any_more(
    cli: Cli, server: Recorder, ring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACCTCLI_TOKEN", TOKEN)
    outcome = cli("auth", "status", "--json")
    assert (outcome.code, [row["problem"] for row in outcome.json()]) == (4, ["Invalid token. (401)"])
    assert '"hint": "ACCTCLI_TOKEN holds the token: set it to another one"' in outcome.err


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


BAD_RINGS = [
    (no_keyring(), "there is no keyring"),
    (null_keyring(), "the keyring is switched off"),
    (BrokenKeyring(LOCKED), "the keyring is locked"),
    (BrokenKeyring(OSError("bus")), "the keyring failed"),
    (PlaintextKeyring(), "not known to keep secrets from others"),
]


@pytest.mark.parametrize(("backend", "why"), BAD_RINGS, ids=[why for _, why in BAD_RINGS])
def test_a_keyring_that_cannot_be_used_is_exit_4_with_a_way_out(
    cli: Cli, server: Recorder, home: Path, backend: KeyringBackend, why: str
) -> None:
    with installed(backend):
        code, out, err = login(cli, GOOD)
        assert (code, out) == (4, "")
        assert why in err
        assert "hint: " in err
        for argv in ("account list", "auth status", "auth token", "auth logout"):
            outcome = cli(*argv.split())
            assert outcome.code == 4
            assert "ACCTCLI_TESTING_TOKEN" in outcome.err
            assert why in outcome.err
    assert GOOD not in files_below(home)
    assert getattr(backend, "entries", {}) == {}
    assert server.sent == []


def test_a_keyring_that_keeps_nothing_is_noticed(cli: Cli, server: Recorder) -> None:
    with installed(ForgetfulKeyring()):
        code, out, err = login(cli, GOOD)
    assert (code, out) == (4, "")
    assert "did not keep it" in err
    assert server.sent == []


def test_without_a_keyring_the_token_is_not_even_asked_for(cli: Cli, server: Recorder) -> None:
    with installed(no_keyring()):
        outcome = cli("auth", "login")
    assert outcome.code == 4
    assert "set ACCTCLI_TESTING_TOKEN to a token" in outcome.err


def test_a_hanging_keyring_is_given_up(cli: Cli, server: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Keyring.__init__.__defaults__ == (4.0,)  # below the 5 seconds promised
    monkeypatch.setattr(Keyring.__init__, "__defaults__", (0.05,))
    backend = HangingKeyring()
    with installed(backend):
        outcomes = [cli(*argv.split()) for argv in ("account list", "auth status", "auth logout")]
        code, _, err = login(cli, GOOD)
    backend.release.set()
    assert {outcome.code for outcome in outcomes} | {code} == {4}
    assert all("did not answer in time" in text for text in [err, *(outcome.err for outcome in outcomes)])


def test_a_variable_needs_no_keyring(cli: Cli, server: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCTCLI_TOKEN", GOOD)
    with installed(BrokenKeyring(AssertionError("asked"))):
        succeed(cli("account", "list"))
        assert succeed(cli("auth", "token")).out == f"{GOOD}\n"


def test_status_of_local_names_no_address(cli: Cli) -> None:
    user = succeed(cli("user", "get", "--env", "local", "--json")).json()["email"]
    (facts,) = succeed(cli("auth", "status", "--env", "local", "--json")).json()
    assert facts == {
        "environment": "local",
        "base_url": "in process",
        "user": user,
        "kind": "personal access token",
        "token_source": "the local service's own token",
        "expires_at": None,
        "businesses": [],
        "is_in_use": True,
        "problem": None,
    }


def test_status_of_local_says_until_when_a_token_lasts(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    made = cli("local", "token", "--user", "anna@books.example", "--expires", "2099-12-31")
    monkeypatch.setenv("ACCTCLI_LOCAL_TOKEN", succeed(made).out.strip())
    (facts,) = succeed(cli("auth", "status", "--env", "local", "--json")).json()
    assert (facts["user"], facts["kind"], facts["expires_at"]) == (
        "anna@books.example",
        "personal access token",
        "2100-01-01T00:00:00+00:00",
    )
    monkeypatch.setenv("ACCTCLI_LOCAL_TOKEN", succeed(cli("auth", "jwt", "--env", "local")).out.strip())
    (jwt,) = succeed(cli("auth", "status", "--env", "local", "--json")).json()
    assert (jwt["kind"], jwt["expires_at"] < facts["expires_at"]) == ("JWT", True)


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b'{"expires_at": 5}', b'{"expires_at": "soon"}'])
@pytest.mark.parametrize("status", [200, 404])
def test_status_does_without_the_end_where_it_is_not_told(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, status: int, body: bytes
) -> None:
    def answer(sent: Sent) -> Answer:
        return Answer(status, body) if sent.path == "/v1/user/token/" else door(sent)

    with recorder(answer) as served:
        monkeypatch.setenv("ACCTCLI_LOCAL_BASE_URL", served.base_url)
        monkeypatch.setenv("ACCTCLI_LOCAL_TOKEN", GOOD)
        (facts,) = succeed(cli("auth", "status", "--env", "local", "--json")).json()
    assert (facts["expires_at"], facts["problem"]) == (None, None)


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
