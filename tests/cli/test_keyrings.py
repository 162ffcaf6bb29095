"""Signing in, seeing who one is, and signing out, in processes, with every kind of keyring that a machine may have."""

from __future__ import annotations

import shlex
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.processes import ACCTCLI, environ
from tests.cli.recorder import Answer, Sent, page, recorder, said
from tests.programs import require_program

GOOD = "pat_good-0123456789"
# seconds that a command may take whose keyring does not answer: on a machine at rest it is below 5
LONGEST = 10.0
COMMANDS = (("auth", "login", "--with-token"), ("auth", "status"), ("account", "list"), ("auth", "logout"))
PLAINTEXT = """
from keyring.backend import KeyringBackend
from pathlib import Path

class PlaintextKeyring(KeyringBackend):
    priority = 9

    def get_password(self, service, username):
        return Path(__file__).with_name("plain").read_text() if Path(__file__).with_name("plain").exists() else None

    def set_password(self, service, username, password):
        Path(__file__).with_name("plain").write_text(password)

    def delete_password(self, service, username):
        Path(__file__).with_name("plain").unlink()
"""


def door(sent: Sent) -> Answer:
    if sent.headers["authorization"] != f"Token {GOOD}":
        return said({"detail": "Invalid token."}, 401)
    return said({"id": 1, "email": "ada@books.example"}) if sent.path == "/v1/user/" else page()


@pytest.fixture
def variables(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The variables of somebody without a desktop session, with a service."""
    with recorder(door) as server:
        found = environ(tmp_path, server.base_url, DBUS_SESSION_BUS_ADDRESS="disabled:")
        del found["ACCTCLI_TOKEN"]
        yield found


@contextmanager
def state(name: str, folder: Path) -> Iterator[dict[str, str]]:
    """Put a kind of keyring into effect, and return the variables that say so."""
    modules = folder / "modules"
    modules.mkdir()
    match name:
        case "none":
            yield {}
        case "null":
            yield {"PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring"}
        case "broken setting":
            yield {"PYTHON_KEYRING_BACKEND": "no.such.Keyring"}
        case "plaintext":
            modules.joinpath("plain_ring.py").write_text(PLAINTEXT)
            yield {"PYTHONPATH": str(modules), "PYTHON_KEYRING_BACKEND": "plain_ring.PlaintextKeyring"}
        case "missing package":
            shadow = modules / "keyring"
            shadow.mkdir()
            shadow.joinpath("__init__.py").write_text("raise ModuleNotFoundError(\"No module named 'keyring'\")\n")
            yield {"PYTHONPATH": str(modules)}
        case "mute bus":
            with socket.socket(socket.AF_UNIX) as mute:
                mute.bind(str(folder / "bus"))
                mute.listen()
                yield {"DBUS_SESSION_BUS_ADDRESS": f"unix:path={folder / 'bus'}"}


WHY = {
    "none": "there is no keyring",
    "null": "the keyring is switched off",
    "broken setting": "the keyring failed (ModuleNotFoundError)",
    "plaintext": "the keyring plain_ring.PlaintextKeyring is not known to keep secrets from others",
    "missing package": "the keyring failed (ModuleNotFoundError)",
    # the bus is given up after a second, and with it what would be found there
    "mute bus": "there is no keyring",
}


@pytest.mark.parametrize("name", WHY)
def test_a_keyring_that_cannot_be_used_is_said_in_time(variables: dict[str, str], tmp_path: Path, name: str) -> None:
    with state(name, tmp_path) as more:
        for argv in COMMANDS:
            began = time.monotonic()
            done = subprocess.run(
                [*ACCTCLI, *argv],
                env={**variables, **more},
                input=f"{GOOD}\n",
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
            )
            assert time.monotonic() - began < LONGEST
            assert (done.returncode, "Traceback" in done.stderr) == (4, False), done.stderr
            assert WHY[name] in done.stderr
            assert "ACCTCLI_TESTING_TOKEN" in done.stderr
            assert GOOD not in done.stdout + done.stderr
    assert_not_on_disk(tmp_path)


def assert_not_on_disk(folder: Path) -> None:
    assert all(GOOD.encode() not in path.read_bytes() for path in folder.rglob("*") if path.is_file())


def in_session(variables: dict[str, str], script: str) -> subprocess.CompletedProcess[str]:
    """Run a script in a desktop session of its own."""
    require_program("gnome-keyring-daemon")
    session = {name: value for name, value in variables.items() if name != "DBUS_SESSION_BUS_ADDRESS"}
    return subprocess.run(
        [require_program("dbus-run-session"), "--", "bash", "-c", script],
        env={**session, "XDG_RUNTIME_DIR": variables["HOME"], "XDG_DATA_HOME": f"{variables['HOME']}/data"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def line(*argv: str) -> str:
    return shlex.join([*ACCTCLI, *argv])


def test_a_real_secret_service_keeps_the_token(variables: dict[str, str], tmp_path: Path) -> None:
    begin = "printf secret | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1"
    steps = [
        f"printf '{GOOD}\\n' | {line('auth', 'login', '--with-token')}",
        line("auth", "status", "--output", "jsonl"),
        line("account", "list"),
        line("auth", "logout"),
        f"! {line('account', 'list')}",
    ]
    done = in_session(variables, "\n".join(("set -e", begin, *steps)))
    assert done.returncode == 0, done.stderr
    assert '"user":"ada@books.example","kind":"personal access token","token_source":"keyring"' in done.stdout.replace(
        '": "', '":"'
    ).replace('", "', '","')
    assert "Signed in to testing as ada@books.example." in done.stderr
    assert "Signed out of testing." in done.stderr
    assert_not_on_disk(tmp_path)


def test_a_locked_secret_service_is_said_in_time(variables: dict[str, str], tmp_path: Path) -> None:
    locked = "gnome-keyring-daemon --start --components=secrets >/dev/null 2>&1"
    for argv in COMMANDS:
        began = time.monotonic()
        done = in_session(variables, f"{locked}\nprintf '{GOOD}\\n' | {line(*argv)}")
        assert time.monotonic() - began < LONGEST
        assert (done.returncode, "Traceback" in done.stderr) == (4, False), done.stderr
        # nobody is there who could be asked for its password
        assert "the keyring could not be opened" in done.stderr
        assert GOOD not in done.stdout + done.stderr
    assert_not_on_disk(tmp_path)
