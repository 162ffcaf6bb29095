"""When a request may be sent again, and how long to wait first.

GET, PUT, DELETE and keyed POST may be repeated after any fault: repeating them cannot do the work twice.
A PATCH is repeated only when the connection was never made, because its effect may depend on what it finds.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import SystemRandom

# what is also said of a request that goes on behind who says it
OPEN = frozenset({502, 503, 504})
# what a service answers that may do better in a moment
TRANSIENT = OPEN | {429}
IN_FLIGHT = 409


@dataclass(frozen=True)
class Policy:
    """Limits of one request, in seconds and bytes; `deadline` covers all its tries together."""

    connect: float = 10.0
    read: float = 30.0
    deadline: float = 120.0
    attempts: int = 6
    base: float = 0.5
    cap: float = 10.0

    def timeouts(self, left: float) -> tuple[float, float, float, float]:
        """Return how long one try may connect, read, write and wait for a connection, with so much time `left`."""
        read = min(self.read, left)
        return min(self.connect, left), read, read, left


@dataclass(frozen=True)
class Timing:
    """Clock, sleep and randomness, replaceable in tests."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    uniform: Callable[[float, float], float] = field(default_factory=lambda: SystemRandom().uniform)


def repeatable(method: str, key: str | None) -> bool:
    """Tell whether repeating the request can do no harm even if an earlier try was processed."""
    return method in {"GET", "HEAD", "PUT", "DELETE"} or (method == "POST" and key is not None)


def worth_repeating(status: int, method: str, key: str | None) -> bool:
    """Tell whether a reply with `status` may turn into success when the request is repeated."""
    if not repeatable(method, key):
        return False
    return status in TRANSIENT or (status == IN_FLIGHT and method == "POST")


def backoff(attempt: int, policy: Policy, timing: Timing) -> float:
    """Full jitter: anything between nothing and an exponentially growing bound."""
    return timing.uniform(0.0, min(policy.cap, policy.base * 2 ** (attempt - 1)))


def retry_after(value: str | None, now: datetime | None = None) -> float:
    """Read a `Retry-After` header (seconds, or an HTTP date); 0.0 when absent, past or unreadable."""
    if not value:
        return 0.0
    if value.isascii() and value.strip().isdigit():
        return float(value)
    from email.utils import parsedate_to_datetime

    try:
        moment = parsedate_to_datetime(value)
        # a date without an offset is of UTC, as HTTP's all are
        left = moment.replace(tzinfo=moment.tzinfo or UTC) - (now or datetime.now(UTC))
    except (ValueError, OverflowError):
        return 0.0
    return max(0.0, left.total_seconds())
