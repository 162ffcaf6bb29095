"""`auth login --web`: the code flow with PKCE, and everything that is refused on the way."""

from __future__ import annotations

import base64
import hmac
import http.client
import json
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from acctcli.credentials.sign_in import callback
from tests.cli.conftest import At, Cli, Outcome, succeed
from tests.cli.login_host import CLIENT, OPEN, LoginHost, browser, key, visit
from tests.cli.processes import ACCTCLI, environ
from tests.cli.recorder import Answer, recorder, said
from tests.credentials.keyrings import MemoryKeyring, installed
from tests.forks import run_command
from tests.serving import free_port

ADA = "ada@books.example"
ENTRY = ("acctcli:testing", "token")


@pytest.fixture
def host(at: At, monkeypatch: pytest.MonkeyPatch) -> Iterator[LoginHost]:
    """A login host and a service at one address, at which the command line is registered."""
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
def ring() -> Iterator[MemoryKeyring]:
    backend = MemoryKeyring()
    with installed(backend):
        yield backend


def sign_in(cli: Cli, *argv: str, stdin: str = "") -> Outcome:
    return cli("auth", "login", "--web", *argv, stdin=stdin)


def refused(outcome: Outcome, ring: MemoryKeyring, *says: str) -> None:
    """Check that nobody was signed in, with exit 4, and what was said of it."""
    assert (outcome.code, outcome.out, ring.entries) == (4, "", {}), outcome.err
    for text in says:
        assert text in outcome.err


def test_a_sign_in_ends_in_a_token_that_works(cli: Cli, host: LoginHost, ring: MemoryKeyring, home: Path) -> None:
    outcome = succeed(sign_in(cli))
    assert outcome.err.endswith(f"Signed in to testing as {ADA}.\n")
    entry = json.loads(ring.entries[ENTRY])
    assert set(entry) == {"token", "base_url", "user", "renewal"}
    assert (entry["user"], entry["base_url"]) == (ADA, host.url)
    assert set(entry["renewal"]) == {"refresh_token", "token_url", "revocation_url", "client_id", "expiry"}
    succeed(cli("account", "list"))
    (row,) = succeed(cli("auth", "status", "--json")).json()
    assert (row["user"], row["kind"], row["token_source"]) == (ADA, "sign-in", "keyring")
    (asked,) = host.asked
    assert (asked["client_id"], "client_secret" in asked, len(asked["code_verifier"]) >= 43) == (CLIENT, False, True)
    for secret in (entry["token"], entry["renewal"]["refresh_token"], asked["code_verifier"], asked["code"]):
        assert secret not in outcome.err
        assert all(secret.encode() not in path.read_bytes() for path in home.rglob("*") if path.is_file())


def test_the_address_asks_for_what_the_contract_says(
    cli: Cli, host: LoginHost, ring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[dict[str, str]] = []
    agree = host.agree

    def look(address: str) -> str:
        back = agree(address)
        seen.append(next(iter(host.codes.values())))
        return back

    monkeypatch.setattr(OPEN, browser(look))
    succeed(sign_in(cli))
    (asked,) = seen
    assert {name: asked[name] for name in ("response_type", "client_id", "scope", "code_challenge_method")} == {
        "response_type": "code",
        "client_id": CLIENT,
        "scope": "openid profile email offline_access",
        "code_challenge_method": "S256",
    }
    assert min(len(asked[name]) for name in ("state", "nonce", "code_challenge")) >= 43
    assert len({asked[name] for name in ("state", "nonce", "code_challenge")}) == 3


def test_another_login_host_than_the_service_needs_its_own_address(
    cli: Cli, host: LoginHost, ring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ACCTCLI_TESTING_LOGIN_URL")
    outcome = sign_in(cli)
    assert (outcome.code, ring.entries) == (2, {})
    assert "its login_url is not set" in outcome.err


def set_claims(**claims: object) -> Callable[[dict[str, Any]], None]:
    return lambda given: given.update(claims)


def without(name: str) -> Callable[[dict[str, Any]], None]:
    return lambda given: given.pop(name)


OTHER = "https://elsewhere.example"
WRONG_CLAIMS = {
    "nonce": (set_claims(nonce="another"), "it is of another sign-in (nonce)"),
    "no nonce": (without("nonce"), "it is of another sign-in (nonce)"),
    "issuer": (set_claims(iss=OTHER), "Invalid issuer"),
    "audience": (set_claims(aud="another"), "Audience doesn't match"),
    "no audience": (without("aud"), "aud"),
    "authorized party": (set_claims(aud=[CLIENT, "another"], azp="another"), "another client (azp)"),
    "over": (set_claims(exp=int(time.time()) - 600), "expired"),
    # days ahead, as this is made long before it is said
    "from the future": (set_claims(iat=int(time.time()) + 10**6), "not yet valid"),
    "no end": (without("exp"), "exp"),
    "at_hash": (set_claims(at_hash="AAAAAAAAAAAAAAAAAAAAAA"), "another access token"),
}


@pytest.mark.together
@pytest.mark.parametrize("name", WRONG_CLAIMS)
def test_an_id_token_that_says_something_else_is_refused(
    cli: Cli, host: LoginHost, ring: MemoryKeyring, name: str
) -> None:
    host.claims, says = WRONG_CLAIMS[name]
    refused(sign_in(cli), ring, "the login host's ID token is refused", says)


def unsigned(claims: dict[str, Any]) -> str:
    return jwt.encode(claims, "", "none", {"kid": "one"})


def with_the_public_key(claims: dict[str, Any]) -> str:
    # what HS256 signs with is what everybody can read; the library would not help with that
    secret = key().public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    head, body = (
        base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=")
        for part in ({"alg": "HS256", "typ": "JWT", "kid": "one"}, claims)
    )
    signature = base64.urlsafe_b64encode(hmac.digest(secret, head + b"." + body, "sha256")).rstrip(b"=")
    return b".".join((head, body, signature)).decode()


def with_another_key(claims: dict[str, Any]) -> str:
    return jwt.encode(claims, key(1), "RS256", {"kid": "one"})


def with_a_key_of_its_own(claims: dict[str, Any]) -> str:
    number = jwt.algorithms.RSAAlgorithm.to_jwk(key(1).public_key(), as_dict=True)
    return jwt.encode(claims, key(1), "RS256", {"kid": "two", "jwk": number})


def by_another_algorithm(claims: dict[str, Any]) -> str:
    return jwt.encode(claims, key(), "RS512", {"kid": "one"})


@pytest.mark.together
@pytest.mark.parametrize(
    "sign", [unsigned, with_the_public_key, with_another_key, with_a_key_of_its_own, by_another_algorithm]
)
def test_an_id_token_that_the_issuer_did_not_sign_is_refused(
    cli: Cli, host: LoginHost, ring: MemoryKeyring, sign: Callable[[dict[str, Any]], str]
) -> None:
    host.sign = sign
    refused(sign_in(cli), ring, "the login host's ID token is refused")


def test_tokens_without_an_id_token_are_refused(cli: Cli, host: LoginHost, ring: MemoryKeyring) -> None:
    host.reply = without("id_token")
    refused(sign_in(cli), ring, "there is none")


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("code=abc&state=another", "it is not the answer to this sign-in (state)"),
        ("code=abc", "(state)"),
        ("error=access_denied&state=another", "(state)"),
        ("code=a&code=b&state={state}", "it holds no code"),
        ("code=abc&state={state}&iss=https%3A%2F%2Felsewhere.example", "another login host answered (iss)"),
        ("error=access_denied&state={state}", "it was not agreed to"),
        ("error=invalid_scope&state={state}", "the scopes asked for are not those"),
        ("error=%1b%5b31m&state={state}", "no without a word of the standard"),
        ("code=never-given&state={state}", "used up, over, or of another client: a code lasts one minute"),
    ],
)
def test_a_browser_that_comes_back_with_something_else_signs_nobody_in(
    cli: Cli, host: LoginHost, ring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch, query: str, says: str
) -> None:
    def come_back(address: str) -> str:
        right = host.agree(address)
        return f"{right.partition('?')[0]}?{query.format(state=right.rpartition('state=')[2])}"

    monkeypatch.setattr(OPEN, browser(come_back))
    refused(sign_in(cli), ring, says)
    assert "\x1b" not in sign_in(cli).err


def test_a_browser_that_does_not_come_back_is_given_up(
    cli: Cli, host: LoginHost, ring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert callback.SECONDS == 300.0
    monkeypatch.setattr(callback.Callback.wait, "__defaults__", (0.2,))
    monkeypatch.setattr(OPEN, browser(lambda address: None))
    refused(sign_in(cli), ring, "the browser did not come back within 0.2 s")


def test_a_port_that_is_taken_is_said_before_anybody_signs_in(
    cli: Cli, host: LoginHost, ring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"http://127.0.0.1:{taken.getsockname()[1]}/back"
        monkeypatch.setenv("ACCTCLI_TESTING_REDIRECT_URL", address)
        outcome = sign_in(cli)
    assert (outcome.code, ring.entries, host.asked) == (2, {}, [])
    assert f"cannot listen at {address}: Address already in use" in outcome.err
    assert "or sign in with --no-browser" in outcome.err


def test_the_other_loopback_address_is_listened_at_too(
    cli: Cli, host: LoginHost, ring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACCTCLI_TESTING_REDIRECT_URL", f"http://[::1]:{free_port()}/callback")
    succeed(sign_in(cli))


def test_an_address_elsewhere_is_for_pasting(
    cli: Cli, host: LoginHost, ring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACCTCLI_TESTING_REDIRECT_URL", "https://app.books.example/back")
    outcome = sign_in(cli)
    assert (outcome.code, ring.entries) == (2, {})
    assert "the browser cannot come back to it here" in outcome.err


def test_other_calls_of_the_port_do_not_count(
    cli: Cli, host: LoginHost, ring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers: list[tuple[int, str | None, str | None]] = []

    def call(right: str) -> None:
        place = right.partition("?")[0].removeprefix("http://").partition("/")[0]
        for path in ("/favicon.ico", "/other?code=1&state=2", "/back", "/back?state=1"):
            with closing(http.client.HTTPConnection(place, timeout=10)) as there:
                there.request("GET", path)
                got = there.getresponse()
                answers.append((got.status, got.headers["Content-Security-Policy"], got.headers["Cache-Control"]))
        visit(right)

    def open_address(address: str, environ: object) -> None:
        threading.Thread(target=call, args=(host.agree(address),), daemon=True).start()

    monkeypatch.setattr(OPEN, open_address)
    succeed(sign_in(cli))
    assert answers == [(404, "default-src 'none'; frame-ancestors 'none'", "no-store")] * 4


def test_over_ssh_the_address_is_pasted_and_the_token_kept_in_a_file(host: LoginHost, tmp_path: Path) -> None:
    passphrase = "correct horse battery"
    variables = environ(tmp_path, host.url, ACCTCLI_PASSPHRASE=passphrase)
    del variables["ACCTCLI_TOKEN"]
    variables |= {
        "ACCTCLI_TESTING_LOGIN_URL": host.url,
        "ACCTCLI_TESTING_CLIENT_ID": CLIENT,
        "ACCTCLI_TESTING_REDIRECT_URL": "https://app.books.example/back",
    }
    process = subprocess.Popen(
        [*ACCTCLI, "auth", "login", "--web", "--no-browser", "--store", "file"],
        env=variables, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stderr is not None
    assert "paste the address" in process.stderr.readline()
    process.stdin.write(f"{host.agree(process.stderr.readline().strip())}\n")
    process.stdin.close()
    told = process.stderr.read()
    process.stderr.close()
    assert (process.wait(30), told) == (0, f"Signed in to testing as {ADA}.\n")
    assert run_command(["account", "list"], variables).returncode == 0
    secrets = [passphrase, *host.users, *host.refresh_tokens]
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert tmp_path / "config" / "tokens.sealed" in files
    assert all(secret.encode() not in path.read_bytes() for path in files for secret in secrets)
    without_it = run_command(["account", "list"], {**variables, "ACCTCLI_PASSPHRASE": "another one"})
    assert (without_it.returncode, without_it.stdout) == (4, b"")


@pytest.mark.together
@pytest.mark.parametrize(
    ("text", "code"), [("", 4), ("\n", 4), ("https://app.example/\n", 2), ("?code=a&state=b\n", 4)]
)
def test_what_is_pasted_must_be_the_address(
    cli: Cli, host: LoginHost, ring: MemoryKeyring, text: str, code: int
) -> None:
    outcome = sign_in(cli, "--no-browser", stdin=text)
    assert (outcome.code, outcome.out, ring.entries) == (code, "", {})


WRONG_DISCOVERY = {
    "issuer": (set_claims(issuer=OTHER), "names another issuer than itself"),
    "plain http": (set_claims(token_endpoint="http://login.example/token"), "not https, or not on the host"),
    "another host": (set_claims(token_endpoint=f"{OTHER}/token"), "not https, or not on the host"),
    "keys elsewhere": (set_claims(jwks_uri=f"{OTHER}/keys"), "not https, or not on the host"),
    "page elsewhere": (set_claims(authorization_endpoint=f"{OTHER}/a"), "not https, or not on the host"),
    "revocation elsewhere": (set_claims(revocation_endpoint=f"{OTHER}/r"), "not https, or not on the host"),
    "file": (set_claims(authorization_endpoint="file:///etc/passwd"), "not https, or not on the host"),
    "missing": (without("token_endpoint"), "does not name all addresses"),
    "no text": (set_claims(jwks_uri=7), "does not name all addresses"),
}


@pytest.mark.together
@pytest.mark.parametrize("name", WRONG_DISCOVERY)
def test_addresses_that_are_not_the_issuers_are_not_used(
    cli: Cli, host: LoginHost, ring: MemoryKeyring, name: str
) -> None:
    host.discovery, says = WRONG_DISCOVERY[name]
    outcome = sign_in(cli)
    assert (outcome.code, outcome.out, ring.entries, host.asked) == (9, "", {}, [])
    assert says in outcome.err


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (said({"error": "invalid_client"}, 401), 4),
        (said({}, 400), 4),
        (Answer(200, b"<html>"), 9),
        (said({"access_token": "has a blank"}), 9),
        (said({"access_token": 7}), 9),
        (said({"access_token": "a" * 20, "expires_in": -1}), 4),
        (said({}, 500), 4),
        (Answer(reset=True), 4),
        (Answer(200, b'{"access_token": "' + b"a" * 300_000 + b'"}'), 9),
    ],
)
def test_a_code_is_sent_once_whatever_is_answered(
    cli: Cli, host: LoginHost, ring: MemoryKeyring, answer: Answer, code: int
) -> None:
    host.answer = answer
    outcome = sign_in(cli)
    assert (outcome.code, outcome.out, ring.entries, len(host.asked)) == (code, "", {}, 1), outcome.err


def test_a_service_that_does_not_know_the_token_signs_nobody_in(
    cli: Cli, host: LoginHost, ring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "users", type("Nobody", (dict,), {"get": lambda *_: None})())
    refused(sign_in(cli), ring, "Invalid token. (401)")


def test_logout_ends_the_sign_in_at_the_login_host(cli: Cli, host: LoginHost, ring: MemoryKeyring) -> None:
    succeed(sign_in(cli))
    refresh = json.loads(ring.entries[ENTRY])["renewal"]["refresh_token"]
    assert succeed(cli("auth", "logout")).err == "Signed out of testing.\n"
    assert (ring.entries, host.revoked) == ({}, [refresh])


def test_a_login_host_that_does_not_hear_of_a_logout_is_told_of(
    cli: Cli, host: LoginHost, ring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    succeed(sign_in(cli))
    monkeypatch.setattr(type(host), "__call__", lambda self, sent: said({}, 400))
    outcome = succeed(cli("auth", "logout"))
    assert "the login host did not hear of it" in outcome.err
    assert ring.entries == {}


def test_options_that_contradict_each_other_are_refused(cli: Cli, host: LoginHost, ring: MemoryKeyring) -> None:
    for argv in (("--web", "--with-token"), ("--no-browser",), ("--with-client-secret",)):
        assert cli("auth", "login", *argv).code == 2
