"""Signing in at a login host that others wrote: a provider of OpenID Connect from the package registry."""

from __future__ import annotations

import subprocess
import sys
import threading
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator

import pytest

from tests.cli.conftest import At, Cli, succeed
from tests.cli.login_host import OPEN
from tests.cli.recorder import Recorder, page, recorder, said
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


def test_a_person_may_say_no(cli: Cli, service: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OPEN, agreeing(action="deny"))
    ring = MemoryKeyring()
    with installed(ring):
        outcome = cli("auth", "login", "--web")
    assert (outcome.code, ring.entries) == (4, {})
    # this provider says no without the state, so that anybody could have said it
    assert "it is not the answer to this sign-in (state)" in outcome.err
