"""A file of tokens that opens with a passphrase, for machines without a keyring.

The key comes of the passphrase by Argon2id; ChaCha20-Poly1305 keeps the entries secret and notices every change. The
passphrase is `ACCTCLI_PASSPHRASE`, or it is asked for on the terminal.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from acctcli.credentials.place import PATIENCE, PlaceUnusable
from acctcli.errors import NotAuthenticated, UsageError, unwritten
from acctcli.settings import Environment
from acctcli.settings.files import LARGEST, locked, make_private_folder, read_small, write_atomically

SHORTEST = 8
# the second choice of RFC 9106: 64 MiB and some 100 ms for each guess
MEMORY_KIB, PASSES, LANES = 64 * 1024, 3, 4
SALT_BYTES, NONCE_BYTES, KEY_BYTES = 16, 12, 32
Entries = dict[str, dict[str, str]]
# OpenSSL has the threads of one derivation at a time
_DERIVING = threading.Lock()
_FORM = {"form": 1, "argon2id": [MEMORY_KIB, PASSES, LANES]}


class SealedFile:
    """The tokens of all environments in one file; the entries of one of them are its Place."""

    name = "file"

    def __init__(self, environment: Environment, path: Path, passphrase: Callable[[bool], str]) -> None:
        """`passphrase` is asked once, and told whether it is for a file that is new."""
        self._environment = environment
        self._path = path
        self._ask = passphrase
        self._passphrase: str | None = None
        self._keys: dict[bytes, bytes] = {}

    def prove(self) -> None:
        """Open the file, or have the passphrase of one that is to be made; see that it can be written."""
        self._open()
        if read_small(self._path) is not None:
            with self._changed():
                pass

    def get(self, entry: str) -> str | None:
        """Return what is kept under a name."""
        return self._read().get(self._environment.name, {}).get(entry)

    def put(self, entry: str, value: str) -> None:
        """Keep a text under a name, and read it back."""
        with self._changed() as entries:
            entries.setdefault(self._environment.name, {})[entry] = value
        if self.get(entry) != value:
            raise PlaceUnusable(f"{self._path} did not keep it", self._environment)

    def remove(self, entry: str) -> bool:
        """Forget an entry; tell whether there was one."""
        if self.get(entry) is None:
            return False
        with self._changed() as entries:
            entries.get(self._environment.name, {}).pop(entry, None)
        return True

    def clear(self) -> None:
        """Forget every entry of the environment."""
        if read_small(self._path) is not None:
            with self._changed() as entries:
                entries.pop(self._environment.name, None)

    @contextmanager
    def _changed(self) -> Iterator[Entries]:
        """Yield the entries of all environments, and write what becomes of them; nobody else writes meanwhile."""
        try:
            make_private_folder(self._path.parent)
            # who is asked for the passphrase keeps nobody waiting
            self._open()
            with locked(self._path, PATIENCE):
                entries = self._read()
                yield entries
                write_atomically(self._path, self._seal(entries))
        except OSError as error:
            raise unwritten(f"{self._path} cannot be written", error) from error

    def _open(self) -> None:
        """Have the key of the file, or the passphrase of one that is to be made."""
        if read_small(self._path) is None:
            self._known(is_new=True)
        else:
            self._read()

    def _known(self, *, is_new: bool) -> str:
        if self._passphrase is None:
            self._passphrase = _long_enough(self._ask(is_new))
        return self._passphrase

    def _read(self) -> Entries:
        content = read_small(self._path)
        if content is None:
            return {}
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

        salt, nonce, sealed = self._unpack(content)
        try:
            plain = ChaCha20Poly1305(self._key(salt, is_new=False)).decrypt(nonce, sealed, _aad(salt))
        except InvalidTag:
            raise self._refused("the passphrase does not open it, or it was changed") from None
        entries: Entries = json.loads(plain)
        if not isinstance(entries, dict) or not all(isinstance(those, dict) for those in entries.values()):
            raise self._refused("it is no file of tokens")
        return entries

    def _unpack(self, content: bytes) -> tuple[bytes, bytes, bytes]:
        try:
            held = json.loads(content)
            salt, nonce, sealed = (bytes.fromhex(held.pop(name)) for name in ("salt", "nonce", "sealed"))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise self._refused("it is no file of tokens") from None
        if held != _FORM or (len(salt), len(nonce)) != (SALT_BYTES, NONCE_BYTES):
            raise self._refused("another version wrote it, or it is no file of tokens")
        return salt, nonce, sealed

    def _seal(self, entries: Entries) -> bytes:
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

        content = read_small(self._path)
        salt = os.urandom(SALT_BYTES) if content is None else self._unpack(content)[0]
        nonce = os.urandom(NONCE_BYTES)
        key = self._key(salt, is_new=content is None)
        sealed = ChaCha20Poly1305(key).encrypt(nonce, json.dumps(entries).encode(), _aad(salt))
        parts = {**_FORM, "salt": salt.hex(), "nonce": nonce.hex(), "sealed": sealed.hex()}
        whole = json.dumps(parts).encode() + b"\n"
        if len(whole) > LARGEST:
            raise PlaceUnusable(f"{self._path} would be larger than {LARGEST} bytes", self._environment)
        return whole

    def _key(self, salt: bytes, *, is_new: bool) -> bytes:
        if salt not in self._keys:
            self._keys[salt] = _derived(self._known(is_new=is_new), salt)
        return self._keys[salt]

    def _refused(self, why: str) -> NotAuthenticated:
        again = f"give the right passphrase, or remove {self._path} and sign in again"
        return NotAuthenticated(f"{self._path} cannot be opened: {why}", hint=again)


def _aad(salt: bytes) -> bytes:
    return json.dumps(_FORM).encode() + salt


def _long_enough(passphrase: str) -> str:
    if len(passphrase) < SHORTEST:
        raise UsageError(f"a passphrase has {SHORTEST} characters at least")
    return passphrase


def _derived(passphrase: str, salt: bytes) -> bytes:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

    try:
        with _DERIVING:
            opening = Argon2id(salt=salt, length=KEY_BYTES, iterations=PASSES, lanes=LANES, memory_cost=MEMORY_KIB)
            return opening.derive(passphrase.encode())
    except UnsupportedAlgorithm as error:
        raise UsageError("this machine's OpenSSL knows no Argon2id: tokens cannot be kept in a file") from error
