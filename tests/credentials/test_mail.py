"""The mail server's password: a variable, else the keyring, which is asked for the one user of the one host."""

from __future__ import annotations

import pytest
from keyring.backend import KeyringBackend

from acctcli.credentials import smtp_password
from tests.credentials.keyrings import (
    LOCKED,
    BrokenKeyring,
    MemoryKeyring,
    PlaintextKeyring,
    chain,
    installed,
    no_keyring,
)

ENVIRON = {"ACCTCLI_SMTP_URL": "smtps://a%40b.example@mail.example:465"}
ENTRY = ("acctcli:smtp", "a@b.example@mail.example")


def holding(backend: MemoryKeyring) -> MemoryKeyring:
    backend.entries[ENTRY] = "kept"
    return backend


def test_a_variable_wins() -> None:
    with installed(holding(MemoryKeyring())):
        assert smtp_password({**ENVIRON, "ACCTCLI_SMTP_PASSWORD": "named"}) == "named"
        assert smtp_password({**ENVIRON, "ACCTCLI_SMTP_PASSWORD": ""}) == "kept"


def test_the_keyring_knows_it_by_user_and_host() -> None:
    with installed(holding(MemoryKeyring())):
        assert smtp_password(ENVIRON) == "kept"
        assert smtp_password({"ACCTCLI_SMTP_URL": "smtps://a%40b.example@other.example"}) is None


@pytest.mark.parametrize("backend", [no_keyring(), BrokenKeyring(LOCKED), holding(PlaintextKeyring())])
def test_a_keyring_that_cannot_be_asked_holds_none(backend: KeyringBackend) -> None:
    with installed(backend):
        assert smtp_password(ENVIRON) is None


def test_a_safe_keyring_behind_an_unsafe_one_is_asked() -> None:
    with installed(chain(PlaintextKeyring(), holding(MemoryKeyring()))):
        assert smtp_password(ENVIRON) == "kept"
