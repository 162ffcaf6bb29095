"""Which day it is: that of the place where books are kept, not of a machine (docs/interface.md 1.8)."""

from __future__ import annotations

from datetime import UTC, date, datetime, tzinfo
from functools import cache

from acctcli.errors import UsageError
from acctcli.law import ZONES


def today_in(code: str | None, now: datetime) -> date:
    """Return the day of a moment in a country whose law is known; elsewhere that of UTC."""
    zone = _zone(ZONES[code]) if code in ZONES else UTC
    return now.astimezone(zone).date()


def days_of(now: datetime) -> frozenset[date]:
    """Return every day that a moment is somewhere: one, but for some hours of the night."""
    return frozenset(today_in(code, now) for code in (None, *ZONES))


@cache
def _zone(name: str) -> tzinfo:
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(name)
    except ZoneInfoNotFoundError:
        raise UsageError(
            f"this system does not know the time zone {name}",
            hint="install its package of time zones, tzdata, or: pip install tzdata",
        ) from None
