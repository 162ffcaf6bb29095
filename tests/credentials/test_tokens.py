import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.credentials import Credential, check_token, no_token, require, resolve
from acctcli.credentials.backends import Keyring
from acctcli.credentials.store import TokenStore
from acctcli.errors import NotAuthenticated, UsageError
from acctcli.settings import Environment
from tests.credentials.keyrings import (
    LOCKED,
    BrokenKeyring,
    HangingKeyring,
    MemoryKeyring,
    installed,
    no_keyring,
)
from tests.credentials.stores import WAYS_OUT, keep

TESTING = Environment("testing", "https://api.example", None, None)
LOCAL = Environment("local", None, None, None)
SERVED = Environment("local", "http://127.0.0.1:8000", None, None)
TOKENS = st.none() | st.text(alphabet=st.characters(min_codepoint=33, max_codepoint=126), min_size=8)


@given(own=TOKENS, general=TOKENS, stored=TOKENS)
def test_precedence(own: str | None, general: str | None, stored: str | None) -> None:
    environ = {
        "ACCTCLI_TESTING_TOKEN": own or "",
        "ACCTCLI_TOKEN": general or "",
        "ACCTCLI_LOCAL_TOKEN": "other-one",
    }
    words = [(own, "ACCTCLI_TESTING_TOKEN"), (general, "ACCTCLI_TOKEN"), (stored, "keyring")]
    expected = next((Credential(token, source) for token, source in words if token), None)
    with installed(MemoryKeyring()):
        if stored:
            keep(TESTING, stored)
        assert resolve(TESTING, environ) == expected


def test_in_process_only_its_own_variable_counts() -> None:
    with installed(BrokenKeyring(LOCKED)):
        assert resolve(LOCAL, {"ACCTCLI_TOKEN": "of-a-host"}) is None
        assert require(LOCAL, {"ACCTCLI_TOKEN": "of-a-host"}) is None
        own = {"ACCTCLI_TOKEN": "of-a-host", "ACCTCLI_LOCAL_TOKEN": "of-local"}
        assert require(LOCAL, own) == Credential("of-local", "ACCTCLI_LOCAL_TOKEN")


def test_a_served_local_environment_is_a_host_like_any_other() -> None:
    assert resolve(SERVED, {"ACCTCLI_TOKEN": "of-a-host"}) == Credential("of-a-host", "ACCTCLI_TOKEN")


def test_no_token_anywhere_says_both_facts() -> None:
    with installed(MemoryKeyring()):
        assert resolve(TESTING, {}) is None
        with pytest.raises(NotAuthenticated) as caught:
            require(TESTING, {})
    assert caught.value.message == (
        "No token for environment 'testing': neither ACCTCLI_TESTING_TOKEN nor ACCTCLI_TOKEN is set, "
        "and the keyring holds none"
    )
    assert (caught.value.exit_code, caught.value.hint) == (4, "acctcli auth login --env testing")


def test_no_variable_and_no_keyring_says_both_facts() -> None:
    with installed(no_keyring()), pytest.raises(NotAuthenticated) as caught:
        resolve(TESTING, {})
    assert caught.value.message == (
        "No token for environment 'testing': neither ACCTCLI_TESTING_TOKEN nor ACCTCLI_TOKEN is set, "
        "and there is no keyring"
    )
    assert (caught.value.exit_code, caught.value.hint) == (4, WAYS_OUT)


def test_a_hanging_keyring_is_no_token(tmp_path: Path) -> None:
    backend = HangingKeyring()
    with installed(backend), pytest.raises(NotAuthenticated, match="and the keyring did not answer in time"):
        resolve(TESTING, {}, TokenStore(TESTING, Keyring(TESTING, 0.05), tmp_path / "lock"))
    backend.release.set()


def test_in_process_no_token_names_one_variable() -> None:
    assert no_token(LOCAL).message == (
        "No token for environment 'local': ACCTCLI_LOCAL_TOKEN is not set, and the keyring holds none"
    )


@pytest.mark.parametrize(
    ("token", "why"),
    [
        ("sho'rt", "it is shorter than 8 characters"),
        ("x" * 16385, "it is longer than 16384 characters"),
        ("Token 0123456789", "it holds a blank"),
        ("0123456789\r\nX-Evil: 1", "it holds a blank"),
        ("0123456789\x00", "it holds a character that no token has"),
        ("0123456789\x7f", "it holds a character that no token has"),
        ("0123456789é", "it holds a character that no token has"),
    ],
)
def test_what_cannot_be_a_token_is_refused_by_source_and_not_repeated(token: str, why: str) -> None:
    with pytest.raises(UsageError, match=f"^The token from the prompt is refused: {why}") as usage:
        check_token(token, "the prompt")
    with pytest.raises(NotAuthenticated, match=f"^The token in ACCTCLI_TOKEN is refused: {why}") as missing:
        resolve(TESTING, {"ACCTCLI_TOKEN": token})
    assert (usage.value.exit_code, missing.value.exit_code) == (2, 4)
    assert token not in usage.value.message + missing.value.message


def test_printing_a_credential_shows_no_token() -> None:
    credential = Credential("0123456789", "ACCTCLI_TOKEN")
    assert repr(credential) == str(credential) == f"{credential}" == "Credential(source='ACCTCLI_TOKEN')"


def test_the_keyring_is_not_imported_when_a_variable_holds_the_token() -> None:
    code = """
import sys
from acctcli.credentials import resolve
from acctcli.settings import Environment
resolve(Environment("testing", "https://api.example", None, None), {"ACCTCLI_TOKEN": "0123456789"})
resolve(Environment("local", None, None, None), {})
print("keyring" in sys.modules, "acctcli.credentials.store" in sys.modules)
"""
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "False False\n"
