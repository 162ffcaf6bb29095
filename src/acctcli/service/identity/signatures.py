"""Addresses that are their own permission: content is fetched without a token, for an hour or a little more.

Each file has a secret of its own, so an address cannot be made for another file, nor for longer.
"""

from __future__ import annotations

import hashlib
import hmac
from datetime import datetime
from urllib.parse import urlencode

CONTENT_PATH = "/v1/content/"
LIFETIME_SECONDS = 3600
# Addresses of one file stay the same for a quarter of an hour: who reads a record twice sees no change
STEP_SECONDS = 900
LONGEST_MOMENT = 12


def content_address(origin: str, name: str, secret: str, now: datetime) -> str:
    """Return where content can be fetched from; `origin` is scheme and host."""
    end = int(now.timestamp()) + LIFETIME_SECONDS
    expires = str(end + -end % STEP_SECONDS)
    query = urlencode({"expires": expires, "signature": _sign(secret, name, expires)})
    return f"{origin}{CONTENT_PATH}{name}/?{query}"


def is_in_force(name: str, secret: str, expires: str, signature: str, now: datetime) -> bool:
    """Whether a signature is that of the address and its time is not over."""
    is_right = hmac.compare_digest(_sign(secret, name, expires).encode(), signature.encode("utf-8", "replace"))
    is_moment = expires.isascii() and expires.isdigit() and len(expires) <= LONGEST_MOMENT
    return is_right and is_moment and now.timestamp() < int(expires)


def _sign(secret: str, name: str, expires: str) -> str:
    message = f"{name}\n{expires}".encode("utf-8", "replace")
    return hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()
