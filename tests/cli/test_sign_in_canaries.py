"""A login host and a service that send back what they are sent: nothing of a sign-in is shown, written or passed on."""

from __future__ import annotations

import json
import os
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from acctcli.client import known
from tests.canaries import Canaries
from tests.cli.conftest import At, Cli
from tests.cli.login_host import CLIENT, OPEN, LoginHost, browser
from tests.cli.processes import environ, run_process
from tests.cli.recorder import Answer, Sent, recorder, said
from tests.credentials.keyrings import MemoryKeyring, installed
from tests.programs import require_path
from tests.serving import free_port
from tests.sizes import SHARE, is_full, sized

STATUSES = (400, 401, 403, 404, 409, 422, 500, 503)
SECRETS = ("code", "code_verifier", "refresh_token", "client_secret")


class Echo(LoginHost):
    """Answers with what it was sent, in one of many ways; None lets everything be as it is right."""

    def __init__(self, chance: random.Random) -> None:
        super().__init__()
        self.chance = chance
        self.way: Callable[[str], Answer] | None = None
        self.heard: set[str] = set()

    def __call__(self, sent: Sent) -> Answer:
        if sent.path.startswith("/authorize?"):
            return Answer(302, b"", {"Location": self.agree(f"{self.url}{sent.path}")})
        right = super().__call__(sent)
        form = self.asked[-1] if self.asked and sent.path == "/token" else {}
        said_to_us = {form[name] for name in SECRETS if name in form}
        said_to_us |= {sent.headers.get("authorization", "").removeprefix("Token ")} - {""}
        if sent.path == "/token" and right.status == 200:
            given = json.loads(right.body)
            self.heard |= {given["access_token"], given["refresh_token"]}
        self.heard |= said_to_us
        if self.way is None or not said_to_us:
            return right
        return self.way(self.chance.choice(sorted(said_to_us)))


def ways(chance: random.Random) -> Iterator[Callable[[str], Answer]]:
    """Yield thirty ways to send a secret back."""
    for status in STATUSES:
        yield lambda secret, status=status: said({"error": secret, "error_description": secret}, status)  # type: ignore[misc]
        yield lambda secret, status=status: said({"detail": f"wrong: {secret}", "code": secret}, status)  # type: ignore[misc]
        yield lambda secret, status=status: Answer(status, f"<html>{secret}</html>".encode())  # type: ignore[misc]
    yield lambda secret: said({"access_token": f"{secret} with a blank"})
    yield lambda secret: said({"access_token": 7, "refresh_token": secret})
    yield lambda secret: Answer(200, secret.encode())
    yield lambda secret: Answer(302, b"", {"Location": f"https://elsewhere.example/?{secret}"})
    yield lambda secret: said({"email": secret, "id": 1})
    yield lambda secret: said({"error": "invalid_grant"}, 400, X_Request_Id=secret)


@pytest.fixture
def echo(at: At, monkeypatch: pytest.MonkeyPatch) -> Iterator[Echo]:
    host = Echo(random.Random(3))
    with recorder(host) as server:
        host.server = server
        at(server)
        monkeypatch.delenv("ACCTCLI_TOKEN")
        monkeypatch.setenv("ACCTCLI_TESTING_LOGIN_URL", server.base_url)
        monkeypatch.setenv("ACCTCLI_TESTING_CLIENT_ID", CLIENT)
        monkeypatch.setenv("ACCTCLI_TESTING_REDIRECT_URL", f"http://127.0.0.1:{free_port()}/back")
        monkeypatch.setattr(OPEN, browser(host.agree))
        yield host


def test_nothing_of_a_sign_in_is_shown(cli: Cli, echo: Echo, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    client_secret = "s3cr3t-of-a-confidential-client.Kq9"
    monkeypatch.setattr("acctcli.cli.auth.login.ask_unseen", lambda *words: client_secret)
    seen: list[str] = []
    failed = 0

    def run(*argv: str) -> int:
        # each is a process of its own
        monkeypatch.setattr(known, "_told", set())
        # what goes wrong is tried again for as long as it may
        outcome = cli(*argv, "--debug", "--timeout", "20" if echo.way is None else "0.3")
        seen.append(outcome.out + outcome.err)
        return outcome.code

    chosen = list(ways(random.Random(5)))
    with installed(MemoryKeyring()):
        for way in chosen if is_full() else chosen[::-SHARE]:
            # one that goes wrong while somebody signs in, and others once they have
            echo.way = way
            failed += run("auth", "login", "--web", "--with-client-secret") != 0
            echo.way = None
            assert run("auth", "login", "--web", "--with-client-secret") == 0
            echo.users.clear()
            echo.way = way
            for argv in (("user", "get"), ("auth", "status"), ("account", "list"), ("auth", "logout")):
                failed += run(*argv) != 0
            echo.way = None
            run("auth", "logout")
    assert failed > sized(60)
    secrets = {*echo.heard, client_secret}
    assert len(secrets) > sized(100)
    canaries = Canaries(random.Random(1), *secrets)
    assert canaries.seen_in(client_secret) == {client_secret}
    assert [(text, leaks) for text in seen if (leaks := canaries.seen_in(text))][:3] == []
    assert canaries.seen_below(home) == {}


BROWSER = """
import sys, urllib.request
with urllib.request.urlopen(sys.argv[1], timeout=60) as page:
    page.read()
"""


def test_no_process_is_told_of_a_sign_in(echo: Echo, tmp_path: Path) -> None:
    """From the address that a browser opens to the token in a file: arguments, variables, files and what is said."""
    require_path("/proc/self/cmdline")
    passphrase = Canaries(random.Random(11)).token
    script = tmp_path / "browser.py"
    script.write_text(BROWSER)
    variables = environ(tmp_path, echo.url, ACCTCLI_PASSPHRASE=passphrase, BROWSER=f"{sys.executable} {script} %s")
    del variables["ACCTCLI_TOKEN"]
    there = {name: os.environ[f"ACCTCLI_TESTING_{name}"] for name in ("LOGIN_URL", "CLIENT_ID", "REDIRECT_URL")}
    variables |= {f"ACCTCLI_TESTING_{name}": value for name, value in there.items()}
    seen: dict[str, bytes] = {}
    assert echo.server is not None

    def look(sent: Sent) -> Answer:
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):  # it has ended meanwhile, or is another's
                argv = (folder / "cmdline").read_bytes()
                seen[f"arguments {argv!r}"] = argv
                if str(script).encode() in argv:
                    seen[f"variables of {argv!r}"] = (folder / "environ").read_bytes()
        return echo(sent)

    echo.server.behave = look
    for argv in (("auth", "login", "--web", "--store", "file"), ("account", "list"), ("auth", "status")):
        done = run_process([*argv, "--debug"], variables)
        assert done.returncode == 0, done.stderr
        seen[f"what {argv} says"] = done.stdout + done.stderr
    assert any("webbrowser" in name for name in seen)
    assert any(name.startswith("variables") for name in seen)
    canaries = Canaries(random.Random(1), passphrase, *echo.heard)
    assert len(echo.heard) == 4
    leaks = {name: found for name, text in seen.items() if (found := canaries.seen_in(text.decode("latin-1")))}
    assert leaks == {}
    assert canaries.seen_below(tmp_path) == {}
    assert (tmp_path / "config" / "tokens.sealed").exists()
