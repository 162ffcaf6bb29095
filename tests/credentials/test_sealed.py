"""The file of tokens: it opens with its passphrase and nothing else, and holds nothing that can be read."""

from __future__ import annotations

import base64
import json
import os
import stat
import threading
from pathlib import Path

import pytest

from acctcli.credentials import sealed
from acctcli.credentials.kept import Kept
from acctcli.credentials.sealed import SealedFile
from acctcli.credentials.store import TokenStore, open_store
from acctcli.errors import NotAuthenticated, UsageError
from acctcli.settings import Environment

TOKEN = "pat_0123456789abcdef"
HOST = "https://api.testing.example"
TESTING = Environment("testing", HOST, None, None, store="file")
PRODUCTION = Environment("production", "https://api.example", None, None, store="file")


@pytest.fixture(autouse=True)
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a guess cost little: each of these tests makes many."""
    monkeypatch.setattr(sealed, "MEMORY_KIB", 64)


def opened(environment: Environment = TESTING, passphrase: str = "correct horse") -> TokenStore:
    return open_store(environment, {**os.environ, "ACCTCLI_PASSPHRASE": passphrase})


def path() -> Path:
    return Path(os.environ["ACCTCLI_CONFIG_DIR"]) / "tokens.sealed"


def sign_in(environment: Environment = TESTING, token: str = TOKEN) -> None:
    opened(environment).save(Kept(token=token, base_url=environment.base_url or "", user="ada@books.example"))


def test_what_is_kept_is_found_with_the_passphrase() -> None:
    sign_in()
    sign_in(PRODUCTION, "pat_of-production")
    assert [opened(one).load() for one in (TESTING, PRODUCTION)] == [
        Kept(token=TOKEN, base_url=HOST, user="ada@books.example"),
        Kept(token="pat_of-production", base_url="https://api.example", user="ada@books.example"),
    ]
    gone, _ = opened().remove()
    assert gone is not None
    assert (opened().load(), opened(PRODUCTION).load() is None) == (None, False)


def test_nobody_else_reads_it() -> None:
    sign_in()
    content = path().read_bytes()
    assert stat.S_IMODE(path().stat().st_mode) == 0o600
    for secret in (TOKEN, "ada@books.example", "correct horse"):
        for spelling in (secret.encode(), secret.encode().hex().encode(), base64.b64encode(secret.encode())[:-4]):
            assert spelling not in content


@pytest.mark.parametrize("passphrase", ["correct horse ", "Correct horse", "12345678"])
def test_another_passphrase_does_not_open_it(passphrase: str) -> None:
    sign_in()
    before = path().read_bytes()
    store = opened(passphrase=passphrase)
    for ask in (store.load, store.remove, lambda: store.save(Kept(token=TOKEN, base_url=HOST))):
        with pytest.raises(NotAuthenticated, match="the passphrase does not open it, or it was changed") as caught:
            ask()
        assert passphrase not in caught.value.message
    assert path().read_bytes() == before


def test_every_changed_byte_is_noticed() -> None:
    sign_in()
    whole = json.loads(path().read_bytes())
    for name in ("salt", "nonce", "sealed"):
        for place in range(0, len(whole[name]), 2):
            digit = "0" if whole[name][place] != "0" else "1"
            changed = {**whole, name: whole[name][:place] + digit + whole[name][place + 1 :]}
            path().write_text(json.dumps(changed))
            with pytest.raises(NotAuthenticated):
                opened().load()


@pytest.mark.parametrize(
    "content",
    [
        b"", b"[]", b"{}", b"\xff", b"[" * 9999, b'{"salt": 1, "nonce": "", "sealed": ""}',
        b'{"form": 1, "argon2id": [999999999, 3, 4], "salt": "%032d", "nonce": "%024d", "sealed": "00"}' % (0, 0),
    ],
)  # fmt: skip
def test_what_is_no_such_file_is_refused_before_anything_is_computed(content: bytes) -> None:
    path().parent.mkdir(exist_ok=True)
    path().write_bytes(content)
    with pytest.raises(NotAuthenticated, match="cannot be opened"):
        opened().load()
    assert path().read_bytes() == content


def test_a_short_passphrase_is_refused() -> None:
    with pytest.raises(UsageError, match="8 characters at least"):
        opened(passphrase="1234567").save(Kept(token=TOKEN, base_url=HOST))
    assert not path().exists()


def test_the_cost_of_a_guess_is_that_of_the_standard() -> None:
    assert sealed._FORM == {"form": 1, "argon2id": [64 * 1024, 3, 4]}


def test_the_passphrase_is_asked_for_once_and_twice_for_a_new_file() -> None:
    asked: list[bool] = []

    def passphrase(is_new: bool) -> str:
        asked.append(is_new)
        return "correct horse"

    place = SealedFile(TESTING, path(), passphrase)
    place.put("token", "a")
    place.put("other", "b")
    assert (place.get("token"), place.remove("token"), place.remove("token"), place.get("other")) == (
        "a", True, False, "b",
    )  # fmt: skip
    assert asked == [True]
    SealedFile(TESTING, path(), passphrase).get("other")
    assert asked == [True, False]


def test_writers_at_once_lose_nothing() -> None:
    environments = [Environment(f"env-{number}", f"https://{number}.example", None, None) for number in range(8)]

    def write(environment: Environment) -> None:
        SealedFile(environment, path(), lambda is_new: "correct horse").put("token", environment.name)

    threads = [threading.Thread(target=write, args=(one,)) for one in environments]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    read = [SealedFile(one, path(), lambda is_new: "correct horse").get("token") for one in environments]
    assert read == [one.name for one in environments]
