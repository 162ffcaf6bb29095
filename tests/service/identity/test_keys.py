"""The key of the installation: made once, private, and good for what was kept with it and nothing else."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand

from acctcli.service.identity.keys import KEY_BYTES, NONCE_BYTES, InstallationKey, open_key, read_key
from acctcli.service.problems import KeyDamaged, SecretUnreadable

ROOT = bytes(range(KEY_BYTES))
KEY = InstallationKey(lambda: ROOT)
NONCE = bytes(NONCE_BYTES)


def test_a_key_is_made_once_for_its_owner(tmp_path: Path) -> None:
    file = tmp_path / "key"
    made = read_key(file, secrets.token_bytes)
    assert (len(made), stat.S_IMODE(file.stat().st_mode)) == (KEY_BYTES, 0o600)
    assert read_key(file, secrets.token_bytes) == made == file.read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


def test_all_who_begin_at_once_have_the_same_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        found = set(pool.map(lambda _: read_key(tmp_path / "key", secrets.token_bytes), range(200)))
    assert found == {(tmp_path / "key").read_bytes()}
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


def test_a_disk_without_hard_links_keeps_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    made = read_key(tmp_path / "key", secrets.token_bytes)
    assert read_key(tmp_path / "key", secrets.token_bytes) == made
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


def test_a_key_that_cannot_be_kept_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        read_key(tmp_path / "key", secrets.token_bytes)
    assert list(tmp_path.iterdir()) == []


def test_it_is_read_when_it_is_needed() -> None:
    read: list[bytes] = []

    def load() -> bytes:
        read.append(ROOT)
        return ROOT

    key = InstallationKey(load)
    assert read == []
    assert key.derive("a") == key.derive("a")
    assert read == [ROOT]


def test_it_is_read_again_when_its_file_has_changed(tmp_path: Path) -> None:
    file = tmp_path / "key"
    key = open_key(file, secrets.token_bytes)
    made = key.derive("a")
    assert made == InstallationKey(file.read_bytes).derive("a")
    (tmp_path / "other").write_bytes(ROOT)
    (tmp_path / "other").replace(file)
    assert key.derive("a") == KEY.derive("a") != made
    # nothing is sealed with a new one while the one that is known may come back
    file.unlink()
    assert key.derive("a") == KEY.derive("a")
    assert not file.exists()


@pytest.mark.parametrize("content", [b"", ROOT[:-1], ROOT + b"\n"])
def test_a_damaged_key_signs_nothing(content: bytes) -> None:
    key = InstallationKey(lambda: content)
    for work in (lambda: key.derive("jwt"), lambda: key.mark(b"a"), lambda: key.seal(b"secret", "here", NONCE)):
        with pytest.raises(KeyDamaged):
            work()


def test_purposes_have_keys_of_their_own() -> None:
    expected = HKDFExpand(algorithm=SHA256(), length=32, info=b"acctcli jwt").derive(ROOT)
    assert KEY.derive("jwt") == expected
    assert len({KEY.derive("jwt"), KEY.derive("secrets"), InstallationKey(lambda: bytes(32)).derive("jwt")}) == 3


def test_a_secret_comes_back_and_cannot_be_seen() -> None:
    sealed = KEY.seal(b"whsec_x", "here", NONCE)
    assert b"whsec" not in sealed
    assert KEY.unseal(sealed, "here") == b"whsec_x"
    assert KEY.seal(b"whsec_x", "here", bytes([1]) * NONCE_BYTES)[NONCE_BYTES:] != sealed[NONCE_BYTES:]


def test_what_is_kept_opens_and_compares_in_every_release() -> None:
    """Secrets lie in databases for years: nonce, then content sealed with the key of their purpose for their place."""

    def key_of(purpose: bytes) -> bytes:
        return HKDFExpand(algorithm=SHA256(), length=32, info=b"acctcli " + purpose).derive(ROOT)

    sealed = NONCE + ChaCha20Poly1305(key_of(b"secrets")).encrypt(NONCE, b"whsec_x", "täällä".encode())
    assert KEY.seal(b"whsec_x", "täällä", NONCE) == sealed
    assert KEY.unseal(sealed, "täällä") == b"whsec_x"
    assert KEY.mark(b"a") == hmac.new(key_of(b"marks"), b"a", hashlib.sha256).hexdigest()


@pytest.mark.parametrize("position", [0, NONCE_BYTES, -1])
def test_what_was_tampered_with_does_not_open(position: int) -> None:
    sealed = bytearray(KEY.seal(b"secret", "here", NONCE))
    sealed[position] ^= 1
    with pytest.raises(SecretUnreadable):
        KEY.unseal(bytes(sealed), "here")


def test_it_opens_nowhere_else_and_with_no_other_key() -> None:
    sealed = KEY.seal(b"secret", "here", NONCE)
    with pytest.raises(SecretUnreadable):
        KEY.unseal(sealed, "there")
    with pytest.raises(SecretUnreadable):
        InstallationKey(lambda: bytes(32)).unseal(sealed, "here")


def test_marks_tell_contents_apart_for_who_has_the_key() -> None:
    assert KEY.mark(b"a") == KEY.mark(b"a") != KEY.mark(b"b")
    assert KEY.mark(b"a") != InstallationKey(lambda: bytes(32)).mark(b"a")
    assert len(KEY.mark(b"a")) == 64
