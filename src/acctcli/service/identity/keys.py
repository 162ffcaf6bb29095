"""The key of the installation: what signs JWTs and encrypts secrets at rest, kept in a file, never in the database.

Whoever has a copy of the database alone can neither make a token nor read a secret. Machines that share a database
share the file.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

from acctcli.service.problems import KeyDamaged, SecretUnreadable
from acctcli.service.store.contents import settle

KEY_BYTES = 32
NONCE_BYTES = 12


class InstallationKey:
    """Keys for each purpose, derived from one, which is read when it is first needed."""

    def __init__(self, load: Callable[[], bytes]) -> None:
        self._load = load

    @cached_property
    def _root(self) -> bytes:
        root = self._load()
        # an empty file would do for HMAC: anybody could sign with that
        if len(root) != KEY_BYTES:
            raise KeyDamaged
        return root

    def derive(self, purpose: str) -> bytes:
        """Return 32 bytes for one purpose: a block of HKDF-Expand with SHA-256 (RFC 5869)."""
        return hmac.digest(self._root, f"acctcli {purpose}\x01".encode(), hashlib.sha256)

    def mark(self, content: bytes) -> str:
        """Return a digest in hex that nobody without the key can compare guesses with."""
        return hmac.new(self.derive("marks"), content, hashlib.sha256).hexdigest()

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


def read_key(file: Path, entropy: Callable[[int], bytes]) -> bytes:
    """Return the key a file holds; one that is not there is made."""
    return settle(file, entropy(KEY_BYTES))
