"""Tokens: how they look, and what of them is kept."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable

PREFIX = "acct_pat_"
TOKEN_BYTES = 30
# the name of a service that has none of its own
LOCAL = "local"


def new_token(entropy: Callable[[int], bytes], prefix: str = PREFIX) -> str:
    """Make a token: the prefix tells people and secret scanners what it is, 240 random bits follow."""
    return prefix + base64.urlsafe_b64encode(entropy(TOKEN_BYTES)).decode()


def token_hash(token: str) -> str:
    """Return what is stored: the SHA-256 in hex. The token itself is random enough to need no salt."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
