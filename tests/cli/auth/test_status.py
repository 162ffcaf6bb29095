"""`acctcli auth status`: who is signed in where, with what, until when."""

from __future__ import annotations

import pytest

from tests.cli.auth.door import GOOD, door, login
from tests.cli.conftest import Cli, succeed
from tests.cli.recorder import TOKEN, Answer, Recorder, Sent, recorder
from tests.credentials.keyrings import (
    MemoryKeyring,
)


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
