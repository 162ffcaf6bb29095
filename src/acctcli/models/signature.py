"""Signatures of deliveries, as Standard Webhooks describes them (docs/interface.md 11.2).

Signed is `id.timestamp.body` with HMAC-SHA256; a secret is `whsec_` and the key in Base64.
"""

from __future__ import annotations

import hmac
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Iterable
from hashlib import sha256

PREFIX = "whsec_"
VERSION = "v1"
ID, TIMESTAMP, SIGNATURE = "webhook-id", "webhook-timestamp", "webhook-signature"
# how far the clock of who signed may be from that of who receives, in seconds
MOST_SKEW = 300


def read_secret(secret: str) -> bytes:
    """Return the key of a secret; raise ValueError, without the secret, for what is none."""
    try:
        key = b64decode(secret.strip().removeprefix(PREFIX), validate=True)
    except (NotBase64, ValueError):
        key = b""
    if not key:
        raise ValueError(f"a secret is {PREFIX} and Base64")
    return key


def sign(key: bytes, delivery: str, timestamp: int, body: bytes) -> str:
    """Return the signature of a delivery, made at a moment in seconds since 1970."""
    return f"{VERSION},{_digest(key, delivery, str(timestamp), body)}"


def find_fault(
    key: bytes, delivery: str, timestamp: str, signatures: str, body: bytes, now: float | None
) -> str | None:
    """Return why a delivery is not one of who has the key, in a few words, or None.

    Several signatures stand beside each other while a key is changed. Without `now` its age is not looked at.
    """
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= len("253402300799")):
        return "its timestamp is no number of seconds"
    given = [one.partition(",")[2] for one in signatures.split() if one.startswith(f"{VERSION},")]
    if not given:
        return f"it has no signature of version {VERSION}"
    if not _is_among(_digest(key, delivery, timestamp, body), given):
        return "no signature fits its id, timestamp and body"
    skew = 0 if now is None else abs(int(now) - int(timestamp))
    return None if skew <= MOST_SKEW else f"its timestamp is {skew} s away from the clock here, and {MOST_SKEW} may be"


def _is_among(right: str, given: Iterable[str]) -> bool:
    """Compare with all of them, each in constant time."""
    return any([hmac.compare_digest(right.encode(), one.encode("utf-8", "replace")) for one in given])  # noqa: C419


def _digest(key: bytes, delivery: str, timestamp: str, body: bytes) -> str:
    signed = f"{delivery}.{timestamp}.".encode("utf-8", "replace") + body
    return b64encode(hmac.new(key, signed, sha256).digest()).decode()
