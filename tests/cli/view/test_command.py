"""The command: what it says, what it opens, and how it ends."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from tests.cli.processes import ACCTCLI
from tests.cli.recorder import recorder, said
from tests.cli.webhook.listener import wait_until
from tests.journeys.places import Place, fresh
from tests.serving import free_port


@contextmanager
def viewing(books: Place, said: Path, *options: str, **variables: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run the command in a process of its own; yield that, and the address that it tells. What it says is in a file."""
    argv, environ = [*ACCTCLI, "view", "--output", "jsonl", *options], {**books.environ, **variables}
    with (
        said.open("w") as err,
        subprocess.Popen(argv, env=environ, cwd=books.folder, stdout=subprocess.PIPE, stderr=err, text=True) as process,
    ):
        try:
            assert process.stdout is not None
            yield process, json.loads(process.stdout.readline())["address"]
        finally:
            process.kill()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_pages_are_there_until_the_command_is_stopped(books: Place, tmp_path: Path, number: signal.Signals) -> None:
    port, told = free_port(), tmp_path / "said"
    options = ("--no-browser", "--port", str(port), "--locale", "sv", "--debug")
    with (
        viewing(books, told, *options) as (process, address),
        httpx.Client(trust_env=False, verify=False, follow_redirects=True, timeout=60) as client,
    ):
        shown = client.get(address)
        process.send_signal(number)
        out, _ = process.communicate(timeout=30)
    err = told.read_text()
    assert urlsplit(address).netloc == f"127.0.0.1:{port}"
    assert "<h1>Översikt</h1>" in shown.text
    assert (process.returncode, out) == (0, "")
    assert err.splitlines()[-1] == "stopped"
    assert "pages are shown until this ends; stop it with Ctrl-C" in err
    # the key is told once, on stdout
    assert address.partition("key=")[2] not in err


def test_the_browser_is_given_the_address(books: Place, tmp_path: Path) -> None:
    opened, browser = tmp_path / "opened", tmp_path / "browser"
    told = "sys.argv[1] + ' ' + str('ACCTCLI_DATA_DIR' in os.environ)"
    browser.write_text(f"#!{sys.executable}\nimport os, sys\nopen({str(opened)!r}, 'w').write({told})\n")
    browser.chmod(0o755)
    with viewing(books, tmp_path / "said", BROWSER=f"{browser} %s") as (_, address):
        wait_until(lambda: opened.exists() and opened.read_text())
    # nothing that the tool is told by variables is told the browser
    assert opened.read_text() == f"{address} False"


def test_a_port_that_is_taken_is_a_usage_error(books: Place) -> None:
    port = free_port()
    with socket.create_server(("127.0.0.1", port)):
        done = books.try_run("view", "--no-browser", "--port", str(port))
    assert (done.code, done.out) == (2, "")
    assert f"--port {port}: Address already in use" in done.err


def test_books_that_cannot_be_read_have_no_address(tmp_path: Path) -> None:
    refusal = said({"code": "not_authenticated", "detail": "Invalid token."}, 401)
    with recorder(refusal) as server:
        there = {"ACCTCLI_ENV": "testing", "ACCTCLI_TESTING_BASE_URL": server.base_url, "ACCTCLI_BUSINESS": "demo"}
        place = fresh("nobody", tmp_path, **there, ACCTCLI_TOKEN="x" * 30)
        done = place.try_run("view", "--no-browser")
    assert (done.code, done.out) == (4, "")


def test_no_business_is_said_before_anything_is_served(tmp_path: Path) -> None:
    place = fresh("new", tmp_path)
    done = place.try_run("view", "--no-browser")
    assert (done.code, done.out) == (2, "")
    assert "No business is chosen" in done.err
