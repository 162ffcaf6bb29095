"""The key of the installation: what signs JWTs and encrypts secrets at rest, kept in a file, never in the database.

Whoever has a copy of the database alone can neither make a token nor read a secret. Machines that share a database
share the file.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from acctcli.service.identity.tokens import LOCAL
from acctcli.service.problems import KeyDamaged, SecretUnreadable
from acctcli.service.store.contents import settle

KEY_BYTES = 32
NONCE_BYTES = 12


class InstallationKey:
    """Keys for each purpose, derived from one, which is read when it is first needed, and when it has changed.

    `version` says which one it is, None that there is none just now. `environment` is what the service is called that
    it belongs to: what is signed under one name is nothing under another.
    """

    def __init__(
        self, load: Callable[[], bytes], version: Callable[[], object] = lambda: None, environment: str = LOCAL
    ) -> None:
        self.environment = environment
        self._load = load
        self._version = version
        self._known: tuple[object, bytes] | None = None
        self._trail: tuple[bytes, bytes] | None = None

    @property
    def _root(self) -> bytes:
        version = self._version()
        if self._known is None or version not in (None, self._known[0]):
            root = self._load()
            # an empty file would do for HMAC: anybody could sign with that
            if len(root) != KEY_BYTES:
                raise KeyDamaged
            self._known = version, root
        return self._known[1]

    def derive(self, purpose: str) -> bytes:
        """Return 32 bytes for one purpose: a block of HKDF-Expand with SHA-256 (RFC 5869)."""
        return hmac.digest(self._root, f"acctcli {purpose}\x01".encode(), hashlib.sha256)

    def mark(self, content: bytes) -> str:
        """Return a digest in hex that nobody without the key can compare guesses with."""
        return hmac.new(self.derive("marks"), content, hashlib.sha256).hexdigest()

    def trail_marker(self) -> Callable[[bytes], str]:
        """Return what makes the marks of trails, which show what was recorded here (docs/interface.md 11.4)."""
        root = self._root
        if self._trail is None or self._trail[0] is not root:
            self._trail = root, self.derive("trail")
        key = self._trail[1]
        # every change makes two: half the time of an HMAC
        return lambda content: hashlib.blake2b(content, key=key, digest_size=32).hexdigest()

    def seal(self, secret: bytes, place: str, nonce: bytes) -> bytes:
        """Encrypt and authenticate a secret (ChaCha20-Poly1305); it opens at no other place, which is no secret itself.

        The nonce has 12 bytes, and never comes twice.
        """
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

        return nonce + ChaCha20Poly1305(self.derive("secrets")).encrypt(nonce, secret, place.encode())

    def unseal(self, sealed: bytes, place: str) -> bytes:
        """Return the secret; SecretUnreadable when it was sealed with another key or for another place."""
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

        nonce, encrypted = sealed[:NONCE_BYTES], sealed[NONCE_BYTES:]
        try:
            return ChaCha20Poly1305(self.derive("secrets")).decrypt(nonce, encrypted, place.encode())
        except InvalidTag as fault:
            raise SecretUnreadable from fault


def open_key(file: Path, entropy: Callable[[int], bytes], environment: str = LOCAL) -> InstallationKey:
    """Return the key that a file holds, whichever that is at the moment: a restore may bring another one."""

    place = os.fspath(file)

    def version() -> tuple[int, int] | None:
        try:
            facts = os.stat(place)  # noqa: PTH116 - at every change, and a Path takes twice as long
        except FileNotFoundError:
            return None
        return facts.st_ino, facts.st_mtime_ns

    return InstallationKey(partial(read_key, file, entropy), version, environment)


def read_key(file: Path, entropy: Callable[[int], bytes]) -> bytes:
    """Return the key a file holds; one that is not there is made."""
    return settle(file, entropy(KEY_BYTES))
