"""Randomness that never repeats and never surprises."""

from __future__ import annotations

import hashlib
import itertools


class Entropy:
    """Bytes from a counter, hashed; iterating a counter is atomic, so threads never get the same."""

    def __init__(self) -> None:
        self._numbers = itertools.count()

    def __call__(self, size: int) -> bytes:
        """Return `size` bytes, at most 32."""
        return hashlib.sha256(str(next(self._numbers)).encode()).digest()[:size]
