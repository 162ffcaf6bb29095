import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked

from acctcli.credentials.backends import Keyring
from acctcli.credentials.kept import Kept
from acctcli.credentials.place import PlaceUnusable
from acctcli.credentials.store import TokenStore
from acctcli.errors import NotAuthenticated, UsageError
from acctcli.settings import Environment
from tests.credentials.keyrings import (
    LOCKED,
    UNOPENED,
    BrokenKeyring,
    DerivedKeyring,
    ForgetfulKeyring,
    HangingKeyring,
    MemoryKeyring,
    PlaintextKeyring,
    chain,
    installed,
    no_keyring,
    null_keyring,
)
from tests.credentials.stores import WAYS_OUT, forget, keep, store_of, token_of

TOKEN = "pat_0123456789abcdef"
TESTING = Environment("testing", "https://api.testing.example/v", None, None)
PRODUCTION = Environment("production", "https://api.example", None, None)


class DismissedError(KeyringLocked):
    """A fault that a backend has derived for itself."""


def keyrings_alt() -> KeyringBackend:
    class EncryptedKeyring(MemoryKeyring):
        __module__ = "keyrings.alt.file"

    return EncryptedKeyring()


def windows() -> MemoryKeyring:
    class WinVaultKeyring(MemoryKeyring):
        __module__ = "keyring.backends.Windows"

    return WinVaultKeyring()


def assert_unusable(backend: KeyringBackend, why: str) -> None:
    with installed(backend):
        for ask in (token_of, forget, lambda here: keep(here, TOKEN)):
            with pytest.raises(PlaceUnusable) as caught:
                ask(TESTING)
            assert caught.value.why == why
            assert caught.value.exit_code == 4
            unlock = "unlock the keyring and try again, or " if "locked" in why else ""
            assert caught.value.hint == f"{unlock}{WAYS_OUT}"
            assert TOKEN not in caught.value.message


def test_a_token_is_kept_with_its_host_and_found_again() -> None:
    backend = MemoryKeyring()
    with installed(backend):
        keep(TESTING, TOKEN)
        assert backend.entries.keys() == {("acctcli:testing", "token")}
        assert json.loads(backend.entries["acctcli:testing", "token"]) == {
            "token": TOKEN,
            "base_url": "https://api.testing.example/v",
        }
        assert token_of(TESTING) == TOKEN
        assert store_of(PRODUCTION).load() is None


def test_a_new_token_replaces_the_old_one_and_delete_forgets_it() -> None:
    backend = MemoryKeyring()
    with installed(backend):
        keep(TESTING, "older-token")
        keep(TESTING, TOKEN)
        assert token_of(TESTING) == TOKEN
        assert [forget(TESTING), forget(TESTING)] == [True, False]
        assert backend.entries == {}


@pytest.mark.parametrize(
    "base_url", ["https://evil.example/v", "http://127.0.0.1:1", "https://api.testing.example:444", None]
)
def test_a_token_never_goes_to_another_host(base_url: str | None) -> None:
    moved = Environment("testing", base_url, None, None)
    with installed(MemoryKeyring()):
        keep(TESTING, TOKEN)
        with pytest.raises(NotAuthenticated, match=r"belongs to https://api\.testing\.example, not to") as caught:
            store_of(moved).load()
        assert (caught.value.exit_code, caught.value.hint) == (4, "acctcli auth login --env testing")
        assert TOKEN not in caught.value.message
        assert forget(moved)


def test_another_path_on_the_same_host_keeps_the_token() -> None:
    with installed(MemoryKeyring()):
        keep(TESTING, TOKEN)
        moved = Environment("testing", "https://api.testing.example", None, None)
        assert token_of(moved) == TOKEN


@pytest.mark.parametrize(
    "value",
    [
        "",
        "bare-token",
        "[]",
        "{}",
        '{"token": 1, "base_url": "x"}',
        '{"token": "a b", "base_url": "x"}',
        "[" * 9999,
    ],
)
def test_an_entry_of_somebody_else_is_refused(value: str) -> None:
    backend = MemoryKeyring()
    backend.entries["acctcli:testing", "token"] = value
    with installed(backend), pytest.raises(NotAuthenticated, match="is not a token of this tool"):
        store_of(TESTING).load()


@pytest.mark.parametrize(
    ("backend", "why"),
    [
        (no_keyring(), "there is no keyring"),
        (chain(), "there is no keyring"),
        (null_keyring(), "the keyring is switched off"),
        (BrokenKeyring(LOCKED), "the keyring is locked"),
        (BrokenKeyring(DismissedError("prompt")), "the keyring is locked"),
        (BrokenKeyring(UNOPENED), "the keyring could not be opened"),
        (BrokenKeyring(ConnectionError("bus")), "the keyring failed (ConnectionError)"),
        (BrokenKeyring(SystemExit(3)), "the keyring failed (SystemExit)"),
    ],
)
def test_a_keyring_that_cannot_be_asked_is_an_error_with_a_way_out(backend: KeyringBackend, why: str) -> None:
    assert_unusable(backend, why)


@pytest.mark.parametrize(
    ("backend", "name"),
    [
        (PlaintextKeyring(), "tests.credentials.keyrings.PlaintextKeyring"),
        (DerivedKeyring(), "tests.credentials.keyrings.DerivedKeyring"),
        (keyrings_alt(), "keyrings.alt.file.keyrings_alt.<locals>.EncryptedKeyring"),
        (chain(PlaintextKeyring(), DerivedKeyring()), "tests.credentials.keyrings.PlaintextKeyring"),
    ],
)
def test_a_plain_text_keyring_is_refused_and_stays_empty(backend: KeyringBackend, name: str) -> None:
    told = "is not known to keep secrets from others (name it in ACCTCLI_KEYRING_BACKENDS if it does)"
    assert_unusable(backend, f"the keyring {name} {told}")
    for held in getattr(backend, "backends", [backend]):
        assert held.entries == {}


def test_of_a_chain_only_the_safe_ones_are_asked() -> None:
    plain, best, second = PlaintextKeyring(), MemoryKeyring(), MemoryKeyring()
    plain.entries["acctcli:testing", "token"] = "never read"
    with installed(chain(plain, best, second)):
        keep(TESTING, TOKEN)
        second.entries["acctcli:testing", "token"] = "older"
        assert token_of(TESTING) == TOKEN
        assert forget(TESTING)
    assert (len(plain.entries), best.entries, second.entries) == (1, {}, {})


def test_a_token_that_only_a_further_keyring_of_a_chain_has_is_found() -> None:
    first, second = MemoryKeyring(), MemoryKeyring()
    with installed(second):
        keep(TESTING, TOKEN)
    with installed(chain(first, second)):
        assert token_of(TESTING) == TOKEN
    assert first.entries == {}


def test_a_keyring_that_keeps_nothing_is_noticed() -> None:
    with installed(ForgetfulKeyring()), pytest.raises(PlaceUnusable, match="the keyring did not keep it"):
        keep(TESTING, TOKEN)


def test_a_hanging_keyring_is_given_up(tmp_path: Path) -> None:
    backend = HangingKeyring()
    with installed(backend):
        ring = Keyring(TESTING, seconds=0.05)
        store = TokenStore(TESTING, ring, tmp_path / "lock")
        for ask in (store.load, store.remove, lambda: store.save(Kept(token=TOKEN, base_url=TESTING.base_url or ""))):
            with pytest.raises(PlaceUnusable, match="the keyring did not answer in time") as caught:
                ask()
            # it may wait for somebody to unlock it
            assert caught.value.hint == f"unlock the keyring and try again, or {WAYS_OUT}"
        backend.release.set()
        with pytest.raises(PlaceUnusable, match="did not answer in time"):
            ring.get("token")  # the time of one is spent once


def test_a_token_too_long_for_windows_is_refused_there_only() -> None:
    long = "x" * 1300
    with installed(MemoryKeyring()):
        keep(TESTING, long)
        assert token_of(TESTING) == long
    vault = windows()
    with installed(vault):
        with pytest.raises(PlaceUnusable, match=r"too long for the Windows credential store \(\d+ of 2560 bytes\)"):
            keep(TESTING, long)
        assert vault.entries == {}
        keep(TESTING, "x" * 1200)


def test_what_cannot_be_a_token_is_not_stored() -> None:
    local = Environment("local", None, None, None)
    with installed(MemoryKeyring()):
        with pytest.raises(UsageError, match="The token from input is refused"):
            keep(TESTING, "with space")
        with pytest.raises(UsageError, match="needs no login"):
            keep(local, TOKEN)


HANG = """
import threading
from keyring.backend import KeyringBackend

class Keyring(KeyringBackend):
    priority = 1

    def get_password(self, service, username):
        threading.Event().wait()

    set_password = delete_password = get_password
"""

ASK = """
from acctcli.credentials.backends import Keyring
from acctcli.credentials.place import PlaceUnusable
from acctcli.settings import Environment

try:
    Keyring(Environment("testing", "https://api.example", None, None), seconds={seconds}).get("token")
except PlaceUnusable as error:
    print(error.why)
"""


def ask_in_a_process(folder: Path, backend: str, seconds: str = "4.0") -> subprocess.CompletedProcess[str]:
    environ = {
        **os.environ,
        "HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder),
        "XDG_DATA_HOME": str(folder),
        "PYTHONPATH": str(folder),
        "PYTHON_KEYRING_BACKEND": backend,
        "ACCTCLI_KEYRING_BACKENDS": "hang.Keyring",
        "DBUS_SESSION_BUS_ADDRESS": "disabled:",
    }
    command = [sys.executable, "-c", ASK.format(seconds=seconds)]
    return subprocess.run(command, env=environ, text=True, capture_output=True, timeout=60, check=False)


def test_a_process_ends_although_its_keyring_hangs(tmp_path: Path) -> None:
    (tmp_path / "hang.py").write_text(HANG)
    ended = ask_in_a_process(tmp_path, "hang.Keyring")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "the keyring did not answer in time\n", "")


def test_a_process_ends_although_the_import_of_its_keyring_hangs(tmp_path: Path) -> None:
    (tmp_path / "hang.py").write_text("import threading\nthreading.Event().wait()\n")
    ended = ask_in_a_process(tmp_path, "hang.Keyring", seconds="0.5")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "the keyring did not answer in time\n", "")


@pytest.mark.parametrize(
    ("backend", "why"),
    [
        ("no.such.Keyring", "the keyring failed (ModuleNotFoundError)"),
        ("keyring.backends.fail.Nothing", "the keyring failed (AttributeError)"),
        ("keyring.backends.fail.Keyring", "there is no keyring"),
        ("keyring.backends.null.Keyring", "the keyring is switched off"),
    ],
)
def test_a_keyring_named_by_variable_is_judged_too(tmp_path: Path, backend: str, why: str) -> None:
    ended = ask_in_a_process(tmp_path, backend)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, f"{why}\n", "")
    assert list(tmp_path.iterdir()) == []
