"""From `auth login --web` to a working command: a real browser, the pages of a served service, a token in a file."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser import browser
from tests.cli.processes import ACCTCLI, environ
from tests.forks import run_command
from tests.journeys.sign_in import EMAIL, PASSWORD, Served, served_in

PASSPHRASE = "a passphrase for this machine"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as made:
        yield made


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served_in(tmp_path_factory.mktemp("login")) as found:
        found.owner.run("business", "create", "--name", "Demo Oy", "--form", "FI_OY", "--slug", "demo")
        found.owner.run("user", "invite", EMAIL, "--role", "bookkeeping", "--business", "demo")
        yield found


@pytest.fixture
def variables(served: Served, tmp_path: Path) -> dict[str, str]:
    """The variables of somebody else's machine, from which the service is reached by its address."""
    there = {"ACCTCLI_ENV": "local", "ACCTCLI_LOCAL_BASE_URL": served.url, "ACCTCLI_LOCAL_LOGIN_URL": served.url}
    # the test is the browser
    found = environ(tmp_path, ACCTCLI_PASSPHRASE=PASSPHRASE, BROWSER=f"{sys.executable} -c pass %s")
    return {**found, **there, "ACCTCLI_BUSINESS": "demo"}


@contextmanager
def login(variables: dict[str, str], *argv: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run `auth login --web` and yield it with the address that it asks for."""
    process = subprocess.Popen(
        [*ACCTCLI, "auth", "login", "--web", "--store", "file", *argv],
        env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr is not None
    assert process.stdout is not None
    try:
        assert "Sign in with your browser" in process.stderr.readline()
        yield process, process.stderr.readline().strip()
    finally:
        process.kill()
        process.wait(30)
        process.stderr.close()
        process.stdout.close()


def test_a_person_signs_in_with_a_browser_and_works(
    served: Served, chromium: Browser, variables: dict[str, str], tmp_path: Path
) -> None:
    context = chromium.new_context(locale="en-GB")
    page = context.new_page()
    with login(variables) as (process, address):
        page.goto(address)
        page.fill("#email", EMAIL)
        page.fill("#password", PASSWORD)
        page.click("main button")
        page.click("button[value=allow]")
        page.wait_for_url("http://127.0.0.1:18320/callback?**")
        assert page.inner_text("h1") == "Go on in the terminal"
        assert process.stderr is not None
        assert process.wait(30) == 0
        assert process.stderr.read() == f"Signed in to local as {EMAIL}.\n"
    context.close()

    (invited,) = json.loads(run_command(["user", "get", "--json"], variables).stdout)["invitations"]
    assert run_command(["account", "list"], variables).returncode == 5
    accepted = run_command(["user", "accept", str(invited["id"])], variables)
    assert accepted.returncode == 0, accepted.stderr
    assert run_command(["account", "list"], variables).returncode == 0
    (row,) = json.loads(run_command(["auth", "status", "--json"], variables).stdout)
    assert (row["user"], row["kind"], row["token_source"], row["businesses"]) == (EMAIL, "sign-in", "file", ["demo"])
    token = run_command(["auth", "token"], variables).stdout.decode().strip()
    assert served.api(token).status_code == 200
    assert served.api(token, "Bearer").status_code == 401
    files = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert all(secret.encode() not in content for content in files for secret in (token, PASSPHRASE, PASSWORD))

    out = run_command(["auth", "logout"], variables)
    assert (out.returncode, out.stderr) == (0, b"Signed out of local.\n")
    assert served.api(token).status_code == 401
    assert run_command(["user", "get"], variables).returncode == 4


def test_who_says_no_or_asks_for_too_much_is_not_signed_in(
    served: Served, chromium: Browser, variables: dict[str, str]
) -> None:
    # the other registered address: the port of the first may be another test's
    there = {**variables, "ACCTCLI_LOCAL_REDIRECT_URL": "http://[::1]:18320/callback"}
    context = chromium.new_context(locale="en-GB")
    page = context.new_page()
    with login(there) as (process, address):
        page.goto(address)
        page.fill("#email", EMAIL)
        page.fill("#password", PASSWORD)
        page.click("main button")
        page.click("button[value=refuse]")
        page.wait_for_url("http://[::1]:18320/callback?**")
        assert process.stderr is not None
        assert process.wait(30) == 4
        assert "it was not agreed to" in process.stderr.read()
    with login({**there, "ACCTCLI_LOCAL_SCOPES": "openid payroll"}) as (process, address):
        page.goto(address)
        assert process.stderr is not None
        assert process.wait(30) == 4
        assert "the scopes asked for are not those that the registration of this client has" in process.stderr.read()
    context.close()
    assert run_command(["user", "get"], variables).returncode == 4
