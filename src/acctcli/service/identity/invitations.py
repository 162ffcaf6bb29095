"""The code of an invitation, which its mail has and nobody else: it shows that the mail was read.

It follows from the letter, so that a letter that has left is recorded with the code that stands in it.
"""

from __future__ import annotations

import hmac
from hashlib import sha256

from acctcli.service.identity.keys import InstallationKey

# where people come in with a code
PAGE = "/identity/invitation"
PURPOSE = "invitations"
DIGITS = 32


def new_code(key: InstallationKey, letter: str) -> str:
    """Return the code that goes with a letter, 128 bits in hex."""
    return hmac.new(key.derive(PURPOSE), letter.encode(), sha256).hexdigest()[:DIGITS]


def code_hash(code: str) -> str:
    """Return what is kept of a code: the SHA-256 in hex."""
    return sha256(code.strip().lower().encode("utf-8", "replace")).hexdigest()


def is_code(code: str | None, hashed: str) -> bool:
    """Whether this is the code that the hash is of."""
    return code is not None and hmac.compare_digest(code_hash(code), hashed)
