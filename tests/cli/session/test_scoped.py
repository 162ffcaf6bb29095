"""--scoped and CI=true: the long token makes a JWT for one business, and nothing else goes out with it."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator

import pytest

from tests.cli.conftest import At, Cli, succeed
from tests.cli.recorder import TOKEN, Answer, Recorder, Sent, page, recorder, said
from tests.credentials.keyrings import MemoryKeyring, installed

HIDE = ("account", "hide", "id:7")


def jwt(slug: str, number: int = 1, *, seconds: int = 3600) -> str:
    claims = {"business_slug": slug, "iat": 1000 + number, "exp": 1000 + number + seconds}
    body = base64.urlsafe_b64encode(json.dumps(claims).encode()).rstrip(b"=").decode()
    return f"eyJhbGciOiJIUzI1NiJ9.{body}.c2lnbmF0dXJl"


class Gate:
    """Trades the long token, and answers whatever comes with a JWT that it made and has not withdrawn."""

    def __init__(self) -> None:
        self.made: dict[str, str] = {}
        self.seconds = 3600
        self.long_is_good_for_all = True

    def __call__(self, sent: Sent) -> Answer:
        token = sent.headers["authorization"].removeprefix("Token ")
        if sent.path == "/auth/jwt/" and token == TOKEN:
            slug = json.loads(sent.body)["business_slug"]
            made = jwt(slug, len(self.made), seconds=self.seconds)
            self.made[made] = slug
            return said({"token": made})
        if token in self.made or token == TOKEN:
            of_user = {"id": 1, "email": "ada@books.example"}
            return said(of_user) if sent.path == "/v1/user/" else said({"id": 7, **json.loads(page().body)})
        return said({"detail": "Invalid token."}, 401)


@pytest.fixture
def gate() -> Gate:
    return Gate()


@pytest.fixture
def server(at: At, gate: Gate) -> Iterator[Recorder]:
    with recorder(gate) as running:
        at(running)
        yield running


def tokens(server: Recorder) -> list[tuple[str, str]]:
    """Where requests went, and with whose token."""
    sent = [(one.path.partition("?")[0], one.headers["authorization"].removeprefix("Token ")) for one in server.sent]
    server.sent.clear()
    return [(path, "long" if token == TOKEN else "jwt") for path, token in sent]


def test_only_the_trade_goes_with_the_long_token(cli: Cli, server: Recorder) -> None:
    succeed(cli(*HIDE, "--scoped"))
    assert tokens(server) == [("/auth/jwt/", "long"), ("/v1/business/demo/account/7/hide/", "jwt")]
    succeed(cli("account", "list", "--business", "acme", "--scoped"))
    assert tokens(server) == [("/auth/jwt/", "long"), ("/v1/business/acme/account/", "jwt")]


def test_another_business_and_none_are_refused_before_sending(cli: Cli, server: Recorder, gate: Gate) -> None:
    for argv in (("business", "get", "acme"), ("api", "GET", "/v1/business/acme/tags/")):
        outcome = cli(*argv, "--scoped")
        assert (outcome.code, outcome.out, tokens(server)) == (2, "", [])
        assert "for the business demo only, and this is about acme: it was not sent" in outcome.err
    succeed(cli("user", "get", "--scoped"))
    assert tokens(server) == [("/auth/jwt/", "long"), ("/v1/user/", "jwt")]


def test_without_a_business_there_is_nothing_to_scope_to(
    cli: Cli, server: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ACCTCLI_BUSINESS")
    outcome = cli("user", "get", "--scoped")
    assert (outcome.code, tokens(server)) == (2, [])
    assert "--scoped takes a token for one business, and none is named" in outcome.err


def test_ci_trades_by_itself_for_what_is_about_a_business(
    cli: Cli, server: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    succeed(cli(*HIDE))
    assert tokens(server) == [("/auth/jwt/", "long"), ("/v1/business/demo/account/7/hide/", "jwt")]
    succeed(cli("business", "get", "acme"))
    assert tokens(server) == [("/auth/jwt/", "long"), ("/v1/business/acme/", "jwt")]
    succeed(cli("user", "get"))
    assert tokens(server) == [("/v1/user/", "long")]
    monkeypatch.setenv("ACCTCLI_SCOPED", "0")
    succeed(cli(*HIDE))
    assert tokens(server) == [("/v1/business/demo/account/7/hide/", "long")]


def test_a_token_that_cannot_be_traded_is_not_sent_instead(cli: Cli, at: At, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with recorder(said({"detail": "None of your businesses has this slug: demo."}, 403)) as server:
        at(server)
        outcome = cli(*HIDE)
        assert (outcome.code, tokens(server)) == (5, [("/auth/jwt/", "long")])
    assert outcome.err.startswith("error: no token for the business demo alone: None of your businesses has this slug")
    assert "hint: ACCTCLI_SCOPED=0 sends the token itself" in outcome.err


def test_a_jwt_in_the_variable_is_used_as_it_is(
    cli: Cli, server: Recorder, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate.made[jwt("demo")] = "demo"
    monkeypatch.setenv("ACCTCLI_TOKEN", jwt("demo"))
    monkeypatch.setenv("CI", "true")
    succeed(cli(*HIDE, "--scoped"))
    succeed(cli(*HIDE))
    assert tokens(server) == [("/v1/business/demo/account/7/hide/", "jwt")] * 2
    assert cli(*HIDE, "--business", "acme").code == 2
    assert tokens(server) == []


@pytest.fixture
def signed_in(cli: Cli, server: Recorder, monkeypatch: pytest.MonkeyPatch) -> Iterator[MemoryKeyring]:
    """Somebody whose token is in the keyring."""
    monkeypatch.delenv("ACCTCLI_TOKEN")
    ring = MemoryKeyring()
    with installed(ring):
        succeed(cli("auth", "login", "--with-token", stdin=TOKEN))
        server.sent.clear()
        yield ring


def test_a_jwt_is_kept_beside_the_token_until_a_minute_before_its_end(
    cli: Cli, server: Recorder, gate: Gate, signed_in: MemoryKeyring
) -> None:
    for _ in range(3):
        succeed(cli(*HIDE, "--scoped"))
    assert tokens(server) == [("/auth/jwt/", "long"), *[("/v1/business/demo/account/7/hide/", "jwt")] * 3]
    assert set(signed_in.entries) == {("acctcli:testing", "token"), ("acctcli:testing", "jwt")}
    gate.seconds = 60
    succeed(cli(*HIDE, "--scoped", "--business", "acme"))
    succeed(cli(*HIDE, "--scoped", "--business", "acme"))
    assert [path for path, _ in tokens(server)].count("/auth/jwt/") == 2


def test_a_jwt_that_is_refused_is_traded_once_more(
    cli: Cli, server: Recorder, gate: Gate, signed_in: MemoryKeyring
) -> None:
    succeed(cli(*HIDE, "--scoped"))
    gate.made.clear()
    gate.made["another"] = ""  # so that the next one differs
    server.sent.clear()
    succeed(cli(*HIDE, "--scoped"))
    hide = ("/v1/business/demo/account/7/hide/", "jwt")
    assert tokens(server) == [hide, ("/auth/jwt/", "long"), hide]


def test_another_token_has_no_use_for_the_jwts_of_the_first(
    cli: Cli, server: Recorder, gate: Gate, signed_in: MemoryKeyring
) -> None:
    succeed(cli(*HIDE, "--scoped"))
    entry = json.loads(signed_in.entries["acctcli:testing", "jwt"])
    signed_in.entries["acctcli:testing", "jwt"] = json.dumps({**entry, "made_with": "0" * 64})
    server.sent.clear()
    succeed(cli(*HIDE, "--scoped"))
    assert tokens(server)[0] == ("/auth/jwt/", "long")
    signed_in.entries["acctcli:testing", "jwt"] = "no entry"
    succeed(cli(*HIDE, "--scoped"))
    assert tokens(server)[0] == ("/auth/jwt/", "long")


def test_logout_forgets_the_jwts_too(cli: Cli, server: Recorder, signed_in: MemoryKeyring) -> None:
    succeed(cli(*HIDE, "--scoped"))
    succeed(cli("auth", "logout"))
    assert signed_in.entries == {}


def test_a_jwt_may_be_kept_in_advance(cli: Cli, server: Recorder, signed_in: MemoryKeyring) -> None:
    told = succeed(cli("auth", "jwt", "--business", "demo", "--keep"))
    assert (told.out, told.err) == ("", "Kept a token for demo.\n")
    server.sent.clear()
    succeed(cli(*HIDE, "--scoped"))
    assert tokens(server) == [("/v1/business/demo/account/7/hide/", "jwt")]
    assert cli("auth", "jwt", "--keep").code == 2


def test_no_jwt_stands_in_what_is_shown(cli: Cli, server: Recorder, gate: Gate) -> None:
    outcome = succeed(cli(*HIDE, "--scoped", "--debug"))
    for token in (TOKEN, *gate.made):
        assert token not in outcome.out + outcome.err
