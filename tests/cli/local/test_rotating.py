"""Another key for JWTs: those of before end at once, in every worker, on both databases, and after a restore."""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from lxml import html

from tests.cli.conftest import Cli, succeed
from tests.databases import Lasting, lent
from tests.service.identity.flow import CHALLENGE, VERIFIER
from tests.serving import serve

USER = "/v1/user/"
TIMES = 20


@pytest.fixture
def company(cli: Cli, home: Path) -> None:
    succeed(cli("business", "create", "--name", "Books Oy", "--slug", "books"))


def made(cli: Cli) -> str:
    """A JWT, made by the service in process."""
    return str(succeed(cli("auth", "jwt", "--json")).json()["token"])


def head(token: str) -> dict[str, object]:
    read: dict[str, object] = json.loads(base64.urlsafe_b64decode(token.partition(".")[0] + "=="))
    return read


def claims(token: str) -> dict[str, object]:
    read: dict[str, object] = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
    return read


def opens(cli: Cli, token: str, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether a token lets its bearer in, in process."""
    with monkeypatch.context() as bearing:
        bearing.setenv("ACCTCLI_LOCAL_TOKEN", token)
        done = cli("user", "get")
    assert done.code in (0, 4), done.err
    return done.code == 0


def test_it_ends_the_jwts_of_before_and_nothing_else(cli: Cli, company: None, monkeypatch: pytest.MonkeyPatch) -> None:
    token, before = succeed(cli("local", "token")).out.strip(), made(cli)
    assert (head(before), opens(cli, before, monkeypatch)) == ({"alg": "HS256", "typ": "JWT", "kid": "0" * 16}, True)
    unasked = cli("local", "rotate-key")
    assert (unasked.code, "End every JWT that was made until now?" in unasked.err) == (2, True)
    rehearsed = succeed(cli("local", "rotate-key", "--dry-run", "--json")).json()
    assert (rehearsed, opens(cli, before, monkeypatch)) == ({"rotated": False}, True)
    done = succeed(cli("local", "rotate-key", "--yes"))
    (kid,) = re.findall(r"^JWTs are signed with the key ([0-9a-f]{16}) from now on.\n$", done.err)
    assert done.out == ""
    assert not opens(cli, before, monkeypatch)
    assert opens(cli, token, monkeypatch)
    after = made(cli)
    assert (head(after), opens(cli, after, monkeypatch)) == ({"alg": "HS256", "typ": "JWT", "kid": kid}, True)
    told = succeed(cli("local", "rotate-key", "--yes", "--json")).json()
    assert told == {"kid": told["kid"], "rotated": True}
    assert told["kid"] not in (kid, "0" * 16)
    assert not opens(cli, after, monkeypatch)
    (record, _) = succeed(cli("audit", "list", "--service", "--type", "jwt_key.created", "--json")).json()
    assert (record["data"], record["operation"], record["author"]) == (
        {"id": 2, "kid": told["kid"]},
        "local rotate-key",
        "local@localhost",
    )
    assert succeed(cli("audit", "verify", "--service", "--json")).json()["faults"] == []


def test_what_is_sealed_with_the_key_of_the_installation_stays(cli: Cli, company: None, home: Path) -> None:
    hook = ("webhook", "create", "--name", "Till", "--url", "https://till.example/", "--business", "books")
    kept = (*hook, "--idempotency-key", "a hook", "--json")
    secret = succeed(cli(*kept)).json()["signing_secret"]
    key = home / "data" / "local" / "key"
    before = key.read_bytes()
    succeed(cli("local", "rotate-key", "--yes"))
    assert key.read_bytes() == before
    # a stored reply with a secret opens, and the trail is proved
    again = succeed(cli(*kept))
    assert (again.json()["signing_secret"], "replayed" in again.err or "before" in again.err) == (secret, True)
    assert succeed(cli("audit", "verify", "--business", "books", "--json")).json()["faults"] == []


def test_a_restore_brings_no_key_back_that_was_given_up(
    cli: Cli, company: None, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = made(cli)
    succeed(cli("local", "backup", "early.sqlite3", "--with-key", stdin="open sesame\n"))
    succeed(cli("local", "rotate-key", "--yes"))
    second = made(cli)
    succeed(cli("local", "restore", "early.sqlite3", "--yes"))
    assert [opens(cli, token, monkeypatch) for token in (before, second)] == [False, False]
    third = made(cli)
    assert head(third)["kid"] not in (head(before)["kid"], head(second)["kid"])
    assert opens(cli, third, monkeypatch)
    # nor does one elsewhere, with the key of the installation
    monkeypatch.setenv("ACCTCLI_DATA_DIR", str(home / "elsewhere"))
    succeed(cli("local", "restore", "early.sqlite3", "--with-key", "--yes", stdin="open sesame\n"))
    assert [opens(cli, token, monkeypatch) for token in (before, second, third)] == [False, False, False]
    assert opens(cli, made(cli), monkeypatch)


@pytest.fixture(params=["sqlite", "postgresql"])
def environ(request: pytest.FixtureRequest, cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The variables of a user whose books are in a database of each kind."""
    if request.param == "sqlite":
        yield
        return
    lasting: Lasting = request.getfixturevalue("postgres")
    with lent(lasting) as factory:
        monkeypatch.setenv("ACCTCLI_DATABASE_URL", factory.fresh())
        yield


@pytest.mark.usefixtures("environ")
def test_every_worker_knows_at_once(cli: Cli, company: None) -> None:
    token = succeed(cli("local", "token")).out.strip()
    with (
        serve(os.environ, "--workers", "2") as address,
        httpx.Client(base_url=address, trust_env=False, verify=False) as client,
    ):

        def new() -> str:
            return str(client.post("/auth/jwt/", headers={"Authorization": f"Token {token}"}).json()["token"])

        def statuses(jwt: str) -> set[int]:
            """What the workers say, each request over a connection of its own."""
            headers = {"Authorization": f"Token {jwt}", "Connection": "close"}
            return {client.get(USER, headers=headers).status_code for _ in range(TIMES)}

        before = new()
        assert statuses(before) == {200}
        command = [sys.executable, "-m", "acctcli", "local", "rotate-key", "--yes"]
        subprocess.run(command, env=os.environ, check=True, capture_output=True, timeout=60)
        assert statuses(before) == {401}
        assert statuses(new()) == {200}
        assert statuses(token) == {200}


def test_a_restore_brings_no_token_back_that_was_withdrawn(
    cli: Cli, company: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost, other = (succeed(cli("local", "token", "--user", f"{one}@example.com")).out.strip() for one in ("a", "b"))
    (number,) = (
        row["id"] for row in succeed(cli("local", "tokens", "--json")).json() if row["user"] == "a@example.com"
    )
    succeed(cli("local", "backup", "early.sqlite3"))
    succeed(cli("local", "revoke-token", str(number), "--yes"))
    succeed(cli("local", "restore", "early.sqlite3", "--yes"))
    assert [opens(cli, token, monkeypatch) for token in (lost, other)] == [False, True]
    assert number not in {row["id"] for row in succeed(cli("local", "tokens", "--json")).json()}
    assert succeed(cli("audit", "verify", "--service", "--json")).json()["faults"] == []


def test_a_restore_brings_no_invitation_back_that_was_settled(
    cli: Cli, company: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = ("--business", "books")
    token = succeed(cli("local", "token", "--user", "b@example.com")).out.strip()
    for one in ("a", "b", "c"):
        succeed(cli("user", "invite", f"{one}@example.com", "--role", "admin", *here))
    succeed(cli("local", "backup", "early.sqlite3"))
    succeed(cli("user", "withdraw", "1", "--yes", *here))
    with monkeypatch.context() as theirs:
        theirs.setenv("ACCTCLI_LOCAL_TOKEN", token)
        succeed(cli("user", "accept", "2"))
    succeed(cli("local", "restore", "early.sqlite3", "--yes"))
    waiting = succeed(cli("user", "invitations", "--json", *here)).json()
    assert [(one["email"], one["status"]) for one in waiting] == [("c@example.com", "OPEN")]
    with monkeypatch.context() as theirs:
        theirs.setenv("ACCTCLI_LOCAL_TOKEN", token)
        assert cli("user", "accept", "2").code == 6
    assert succeed(cli("audit", "verify", "--json", *here)).json()["faults"] == []
    ended = succeed(cli("audit", "list", "--type", "invitation.deleted", "--json", *here)).json()
    assert [one["operation"] for one in ended] == ["local restore", "local restore"]


CALLBACK = "http://127.0.0.1:18320/callback"
ASKED = {
    "client_id": "acctcli",
    "redirect_uri": CALLBACK,
    "response_type": "code",
    "scope": "openid offline_access",
    "code_challenge": CHALLENGE,
    "code_challenge_method": "S256",
}


def sign_in(client: httpx.Client, email: str, password: str) -> dict[str, str]:
    """Sign a browser in, let the command line in, and return its tokens."""
    form = html.fromstring(client.get("/identity/login").content).forms[0]
    client.post("/identity/login", data={**form.fields, "email": email, "password": password})
    page = html.fromstring(client.get("/identity/o/authorize", params=ASKED).content)
    (form,) = [one for one in page.forms if one.action.startswith("/identity/o/authorize")]
    back = client.post(form.action, data={**form.fields, "decision": "allow"}).headers["Location"]
    (code,) = parse_qs(urlsplit(back).query)["code"]
    given = {"code": code, "code_verifier": VERIFIER, "redirect_uri": CALLBACK, "client_id": "acctcli"}
    told = client.post("/identity/o/api/token", data={**given, "grant_type": "authorization_code"})
    assert told.status_code == 200, told.text
    tokens: dict[str, str] = told.json()
    return tokens


def test_a_restore_ends_sign_ins_of_apps_and_browsers(cli: Cli, company: None) -> None:
    """Of those that the backup has, as it may be they that were ended since; personal tokens stay."""
    email, password = "anna@example.com", "correct horse battery"
    personal = succeed(cli("local", "token", "--user", email)).out.strip()
    succeed(cli("local", "password", email, stdin=f"{password}\n"))
    with serve(os.environ) as address, httpx.Client(base_url=address, trust_env=False) as client:
        tokens = sign_in(client, email, password)
        succeed(cli("local", "backup", "early.sqlite3"))

        def answers() -> list[int]:
            """What opens: the access token, the personal one, and the browser's session."""
            bearing = [{"Authorization": f"Token {one}"} for one in (tokens["access_token"], personal)]
            told = [client.get(USER, headers=one).status_code for one in bearing]
            return [*told, client.get("/identity/account").status_code]

        assert answers() == [200, 200, 200]
        succeed(cli("local", "restore", "early.sqlite3", "--yes"))
        assert answers() == [401, 200, 303]
        form = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"], "client_id": "acctcli"}
        refused = client.post("/identity/o/api/token", data=form)
        assert (refused.status_code, refused.json()["error"]) == (400, "invalid_grant")
        # who signs in again is let in
        assert sorted(sign_in(client, email, password)) == sorted(tokens)
    assert succeed(cli("audit", "verify", "--service", "--json")).json()["faults"] == []
    records = succeed(cli("audit", "list", "--service", "--all", "--json")).json()
    ended = sorted(one["type"] for one in records if one["operation"] == "local restore")
    assert ended == ["app_grant.revoked", "service.restored", "session.ended", "token.revoked"]


def test_a_jwt_of_another_environment_is_refused(cli: Cli, company: None, monkeypatch: pytest.MonkeyPatch) -> None:
    here, token = made(cli), succeed(cli("local", "token")).out.strip()
    monkeypatch.setenv("ACCTCLI_LOCAL_NAME", "testing")
    their_token = succeed(cli("local", "token")).out.strip()
    with serve(os.environ) as address, httpx.Client(base_url=address, trust_env=False, verify=False) as client:

        def ask(bearer: str) -> int:
            return client.get(USER, headers={"Authorization": f"Token {bearer}"}).status_code

        there = str(client.post("/auth/jwt/", headers={"Authorization": f"Token {their_token}"}).json()["token"])
        assert (claims(here)["env"], claims(there)["env"]) == ("local", "testing")
        assert [ask(one) for one in (here, token, there, their_token)] == [401, 401, 200, 200]
    monkeypatch.delenv("ACCTCLI_LOCAL_NAME")
    tokens = (here, token, there, their_token)
    assert [opens(cli, one, monkeypatch) for one in tokens] == [True, True, False, False]
