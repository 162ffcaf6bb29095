"""Signing in where the keyring cannot be used: exit 4, a way out, and nothing lies anywhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from keyring.backend import KeyringBackend

from acctcli.credentials.backends import Keyring
from tests.cli.auth.door import GOOD, files_below, login
from tests.cli.conftest import Cli, succeed
from tests.cli.recorder import Recorder
from tests.credentials.keyrings import (
    LOCKED,
    BrokenKeyring,
    ForgetfulKeyring,
    HangingKeyring,
    PlaintextKeyring,
    installed,
    no_keyring,
    null_keyring,
)

BAD_RINGS = [
    (no_keyring(), "there is no keyring"),
    (null_keyring(), "the keyring is switched off"),
    (BrokenKeyring(LOCKED), "the keyring is locked"),
    (BrokenKeyring(OSError("bus")), "the keyring failed"),
    (PlaintextKeyring(), "not known to keep secrets from others"),
]


@pytest.mark.together
@pytest.mark.parametrize(("backend", "why"), BAD_RINGS, ids=[why for _, why in BAD_RINGS])
def test_a_keyring_that_cannot_be_used_is_exit_4_with_a_way_out(
    cli: Cli, server: Recorder, home: Path, backend: KeyringBackend, why: str
) -> None:
    with installed(backend):
        code, out, err = login(cli, GOOD)
        assert (code, out) == (4, "")
        assert why in err
        assert "hint: " in err
        for argv in ("account list", "auth status", "auth token", "auth logout"):
            outcome = cli(*argv.split())
            assert outcome.code == 4
            assert "ACCTCLI_TESTING_TOKEN" in outcome.err
            assert why in outcome.err
    assert GOOD not in files_below(home)
    assert getattr(backend, "entries", {}) == {}
    assert server.sent == []


def test_a_keyring_that_keeps_nothing_is_noticed(cli: Cli, server: Recorder) -> None:
    with installed(ForgetfulKeyring()):
        code, out, err = login(cli, GOOD)
    assert (code, out) == (4, "")
    assert "did not keep it" in err
    assert server.sent == []


def test_without_a_keyring_the_token_is_not_even_asked_for(cli: Cli, server: Recorder) -> None:
    with installed(no_keyring()):
        outcome = cli("auth", "login")
    assert outcome.code == 4
    assert "set ACCTCLI_TESTING_TOKEN to a token" in outcome.err


def test_a_hanging_keyring_is_given_up(cli: Cli, server: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Keyring.__init__.__defaults__ == (4.0,)  # below the 5 seconds promised
    monkeypatch.setattr(Keyring.__init__, "__defaults__", (0.05,))
    backend = HangingKeyring()
    with installed(backend):
        outcomes = [cli(*argv.split()) for argv in ("account list", "auth status", "auth logout")]
        code, _, err = login(cli, GOOD)
    backend.release.set()
    assert {outcome.code for outcome in outcomes} | {code} == {4}
    assert all("did not answer in time" in text for text in [err, *(outcome.err for outcome in outcomes)])


def test_a_variable_needs_no_keyring(cli: Cli, server: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCTCLI_TOKEN", GOOD)
    with installed(BrokenKeyring(AssertionError("asked"))):
        succeed(cli("account", "list"))
        assert succeed(cli("auth", "token")).out == f"{GOOD}\n"
