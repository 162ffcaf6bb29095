"""What becomes of a sign-in that is kept: in a file with a passphrase, and where its environment has moved."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from acctcli.credentials import sealed
from tests.cli.conftest import At, Cli, succeed
from tests.cli.login_host import CLIENT, OPEN, LoginHost, browser
from tests.cli.recorder import Recorder, Sent, page, recorder
from tests.credentials.keyrings import MemoryKeyring, installed
from tests.serving import free_port

ADA = "ada@books.example"
PASSPHRASE = "avain on maton alla"


@pytest.fixture(autouse=True)
def _cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the key of a passphrase take no time: how long it takes is proved elsewhere."""
    monkeypatch.setattr(sealed, "MEMORY_KIB", 64)


@pytest.fixture
def host(at: At, monkeypatch: pytest.MonkeyPatch) -> Iterator[LoginHost]:
    """A login host and a service at one address."""
    login = LoginHost()
    with recorder(login) as server:
        login.server = server
        at(server)
        monkeypatch.delenv("ACCTCLI_TOKEN")
        monkeypatch.setenv("ACCTCLI_TESTING_LOGIN_URL", server.base_url)
        monkeypatch.setenv("ACCTCLI_TESTING_CLIENT_ID", CLIENT)
        monkeypatch.setenv("ACCTCLI_TESTING_REDIRECT_URL", f"http://127.0.0.1:{free_port()}/back")
        monkeypatch.setattr(OPEN, browser(login.agree))
        yield login


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Somebody who types the passphrase; the questions are noted."""
    questions: list[str] = []

    def answer(secret: str, question: str, other_way: str) -> str:
        questions.append(question)
        return PASSPHRASE

    monkeypatch.setattr("acctcli.credentials.prompt.ask_unseen", answer)
    return questions


def entry_of(ring: MemoryKeyring) -> dict[str, object]:
    found: dict[str, object] = json.loads(ring.entries["acctcli:testing", "token"])
    return found


def test_a_passphrase_is_asked_for_once_in_a_command(cli: Cli, host: LoginHost, asked: list[str]) -> None:
    def questions(*argv: str) -> int:
        asked.clear()
        succeed(cli(*argv))
        return len(asked)

    # one that is new is typed twice
    assert questions("auth", "login", "--web", "--store", "file") == 2
    assert asked[1] == "Once more: "
    assert questions("auth", "login", "--web") == 1
    succeed(cli("env", "set", "other", "--base-url", host.url, "--login-url", host.url, "--client-id", CLIENT))
    assert questions("auth", "login", "--web", "--store", "file", "--env", "other") == 1
    for argv in (
        ("account", "list", "--all"),
        ("user", "get"),
        ("auth", "token"),
        # two environments have tokens in the file
        ("auth", "status"),
        ("auth", "status", "--env", "other"),
    ):
        assert questions(*argv) == 1, argv
    # the access token is over: it is renewed, and kept
    host.users.clear()
    before = len(host.asked)
    assert questions("user", "get") == 1
    assert len(host.asked) == before + 1
    assert questions("auth", "logout") == 1
    asked.clear()
    assert cli("env", "show").code == 0
    assert asked == []


def test_a_command_that_keeps_jwts_asks_once_too(
    cli: Cli, host: LoginHost, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    succeed(cli("auth", "login", "--web", "--store", "file"))
    asked.clear()
    # a login host that makes no JWTs: what counts is how often was asked before
    assert cli("auth", "jwt", "--select", "demo", "--keep").code == 9
    assert cli("account", "list", "--scoped").code == 9
    assert len(asked) == 2


@pytest.mark.parametrize("change", [str, lambda url: url.replace("127.0.0.1", "localhost")])
def test_who_signs_out_after_the_host_was_changed_is_signed_out_where_it_was(
    cli: Cli, host: LoginHost, monkeypatch: pytest.MonkeyPatch, change: Callable[[str], str]
) -> None:
    ring = MemoryKeyring()
    with installed(ring), recorder(page()) as other:
        succeed(cli("auth", "login", "--web"))
        renewal = entry_of(ring)["renewal"]
        assert isinstance(renewal, dict)
        there = len(sent(host))
        monkeypatch.setenv("ACCTCLI_TESTING_BASE_URL", change(other.base_url))
        monkeypatch.setenv("ACCTCLI_TESTING_LOGIN_URL", change(other.base_url))
        # nothing of it goes to the new host, nor is it taken for a sign-in there
        refused = cli("account", "list")
        assert (refused.code, "it is not sent there" in refused.err) == (4, True)
        assert succeed(cli("auth", "logout")).err == "Signed out of testing.\n"
        assert (ring.entries, other.sent) == ({}, [])
        assert host.revoked == [renewal["refresh_token"]]
        assert [one.path for one in sent(host)[there:]] == ["/revoke"]


def test_others_of_the_old_host_are_forgotten_with_everybody(
    cli: Cli, host: LoginHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    ring = MemoryKeyring()
    with installed(ring), recorder(page()) as other:
        succeed(cli("auth", "login", "--web"))
        entry = {**entry_of(ring), "user": "bob@books.example"}
        ring.entries["acctcli:testing", f"token:{entry['user']}"] = json.dumps(entry)
        ring.entries["acctcli:testing", "token"] = json.dumps({**entry_of(ring), "others": [entry["user"]]})
        monkeypatch.setenv("ACCTCLI_TESTING_BASE_URL", other.base_url)
        succeed(cli("auth", "logout", "--everybody"))
        assert (ring.entries, other.sent, len(host.revoked)) == ({}, [], 2)


def sent(host: LoginHost) -> list[Sent]:
    assert isinstance(host.server, Recorder)
    return list(host.server.sent)
