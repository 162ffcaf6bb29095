"""Signing in at a login host that others wrote: a provider of OpenID Connect from the package registry."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator

import pytest

from tests.cli.conftest import At, Cli, succeed
from tests.cli.login_host import OPEN
from tests.cli.recorder import Answer, Recorder, Sent, page, recorder, said
from tests.credentials.keyrings import MemoryKeyring, installed
from tests.serving import free_port, wait_for

ADA = "ada@books.example"


@pytest.fixture(scope="module")
def provider() -> Iterator[str]:
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-m", "oidc_provider_mock", "--port", str(port), "--require-nonce"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(port, process)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(30)


@pytest.fixture
def service(at: At, provider: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Recorder]:
    with recorder(lambda sent: said({"id": 1, "email": ADA}) if sent.path == "/v1/user/" else page()) as server:
        at(server)
        monkeypatch.delenv("ACCTCLI_TOKEN")
        monkeypatch.setenv("ACCTCLI_TESTING_LOGIN_URL", provider)
        monkeypatch.setenv("ACCTCLI_TESTING_REDIRECT_URL", f"http://127.0.0.1:{free_port()}/callback")
        yield server


def agreeing(**form: str) -> Callable[..., None]:
    """Return a browser in which a person fills in the provider's form; it follows where that leads."""

    def visit(address: str) -> None:
        data = urllib.parse.urlencode(form).encode()
        with urllib.request.urlopen(address, data, timeout=10) as got:
            got.read()

    return lambda address, environ: threading.Thread(target=visit, args=(address,), daemon=True).start()


def test_a_person_signs_in_and_out(cli: Cli, service: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OPEN, agreeing(sub="ada"))
    # it takes confidential clients only
    monkeypatch.setattr("acctcli.cli.auth.login.ask_unseen", lambda *words: "a-secret-of-the-client")
    ring = MemoryKeyring()
    with installed(ring):
        told = succeed(cli("auth", "login", "--web", "--with-client-secret"))
        assert told.err.endswith(f"Signed in to testing as {ADA}.\n")
        assert ring.entries["acctcli:testing", "client_secret"] == "a-secret-of-the-client"
        (row,) = succeed(cli("auth", "status", "--json")).json()
        assert (row["user"], row["kind"]) == (ADA, "sign-in")
        succeed(cli("auth", "logout"))
    assert ring.entries == {}


def with_the_secret_in_a_header(provider: str) -> Callable[[Sent], Answer]:
    """Pass forms on to the provider's token endpoint, which renews for those alone whose secret comes in a header."""

    def pass_on(sent: Sent) -> Answer:
        form = {name: texts[0] for name, texts in urllib.parse.parse_qs(sent.body.decode()).items()}
        named = f"{form.pop('client_id')}:{form.pop('client_secret')}"
        headers = {"Authorization": f"Basic {base64.b64encode(named.encode()).decode()}"}
        request = urllib.request.Request(f"{provider}/oauth2/token", urllib.parse.urlencode(form).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as got:
                return Answer(got.status, got.read())
        except urllib.error.HTTPError as no:
            return Answer(no.code, no.read())

    return pass_on


def test_a_sign_in_is_renewed(cli: Cli, service: Recorder, provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OPEN, agreeing(sub="ada"))
    monkeypatch.setattr("acctcli.cli.auth.login.ask_unseen", lambda *words: "a-secret-of-the-client")
    ring, entry = MemoryKeyring(), ("acctcli:testing", "token")
    with installed(ring), recorder(with_the_secret_in_a_header(provider)) as front:
        succeed(cli("auth", "login", "--web", "--with-client-secret"))
        tokens: list[tuple[str, str]] = []
        for _ in range(3):
            kept = json.loads(ring.entries[entry])
            tokens.append((kept["token"], kept["renewal"]["refresh_token"]))
            kept["renewal"] |= {"expiry": [0.0], "token_url": f"{front.base_url}/oauth2/token"}
            ring.entries[entry] = json.dumps(kept)
            succeed(cli("user", "get"))
            new = json.loads(ring.entries[entry])
            assert service.sent[-1].headers["authorization"] == f"Token {new['token']}"
        assert len(front.sent) == 3
        assert len({access for access, _ in tokens} | {new["token"]}) == 4
        # one that the provider has not given is refused, and not sent again
        new["renewal"] |= {"expiry": [0.0], "refresh_token": "refresh-of-nobody-0123456789"}
        ring.entries[entry] = json.dumps(new)
        for _ in range(2):
            outcome = cli("user", "get")
            assert (outcome.code, "The sign-in to testing is over" in outcome.err) == (4, True)
        assert len(front.sent) == 4


def test_a_person_may_say_no(cli: Cli, service: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OPEN, agreeing(action="deny"))
    ring = MemoryKeyring()
    with installed(ring):
        outcome = cli("auth", "login", "--web")
    assert (outcome.code, ring.entries) == (4, {})
    # this provider says no without the state, so that anybody could have said it
    assert "it is not the answer to this sign-in (state)" in outcome.err
