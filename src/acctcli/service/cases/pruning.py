"""What has grown old goes in portions: stored replies, and events (docs/interface.md 1.6, 11.1)."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from acctcli.service.problems import InFlight, Unavailable
from acctcli.service.store import events, idempotency

if TYPE_CHECKING:
    from acctcli.service.store.engine.database import Database

# one run at a time
CLAIM = int.from_bytes(b"prune", "big")
PORTION = 250


@dataclass(frozen=True, slots=True)
class Pruning:
    """Takes away what is too old at a moment; whoever is interrupted leaves the rest to the next one."""

    database: Database
    now: datetime

    def run(self, event_days: int | None) -> int:
        """Take away replies that are not sent again, and events older than so many days; return how many of both."""
        with suppress(InFlight, Unavailable), self.database.hold(CLAIM):
            return self._replies() + (0 if event_days is None else self._events(self.now - timedelta(days=event_days)))
        return 0

    def _replies(self) -> int:
        gone = 0
        while True:
            begun = time.monotonic()
            portion = self.database.write(lambda conn: idempotency.expire(conn, self.now, PORTION))
            gone += portion
            if portion < PORTION:
                return gone
            _leave_room(begun)

    def _events(self, before: datetime) -> int:
        """Look through the events, the oldest first, and end at a portion in which none is old."""
        gone = last = 0
        while True:
            begun = time.monotonic()
            with self.database.read() as conn:
                portion = events.portion(conn, last, PORTION, before)
            if not any(event.is_old for event in portion):
                return gone
            if ids := [event.id for event in portion if event.is_old and not event.is_newest]:
                self.database.write(partial(events.remove, ids=ids))
                gone += len(ids)
                _leave_room(begun)
            last = portion[-1].id


def _leave_room(begun: float) -> None:
    """Wait as long as a portion took: another process does not get its turn to write by itself."""
    time.sleep(time.monotonic() - begun)
