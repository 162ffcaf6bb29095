"""Stored replies that are not sent again go in portions (docs/interface.md 1.6)."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from acctcli.service.problems import InFlight, Unavailable
from acctcli.service.store import idempotency

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

    def run(self) -> int:
        """Take away replies that are not sent again, and return how many."""
        with suppress(InFlight, Unavailable), self.database.hold(CLAIM):
            return self._replies()
        return 0

    def _replies(self) -> int:
        gone = 0
        while True:
            begun = time.monotonic()
            portion = self.database.write(lambda conn: idempotency.expire(conn, self.now, PORTION))
            gone += portion
            if portion < PORTION:
                return gone
            # as long as a portion took: another process does not get its turn to write by itself
            time.sleep(time.monotonic() - begun)
