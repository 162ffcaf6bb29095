"""Moments as they are stored and sent."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache


@lru_cache(maxsize=32)  # a request writes the same moment seven times
def stamp(moment: datetime) -> str:
    """Write an aware UTC moment as `2026-01-01T00:00:00.000000Z`: text of one width sorts as time does."""
    return f"{moment.replace(tzinfo=None).isoformat(timespec='microseconds')}Z"
