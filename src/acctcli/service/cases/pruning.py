"""What is of no more use goes, in portions: stored replies (docs/interface.md 1.6), deliveries, runs, sign-ins."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from acctcli.service.problems import InFlight, Unavailable
from acctcli.service.store import deliveries, idempotency, told, workflows
from acctcli.service.store.moments import stamp
from acctcli.service.store.people import apps, passwords, sessions, tokens

if TYPE_CHECKING:
    from acctcli.service.store.engine.database import Connection, Database

# one run at a time
CLAIM = int.from_bytes(b"prune", "big")
PORTION = 250
# who uses a refresh token again that is older than this is refused, and ends nothing any more
USED_FOR = timedelta(days=90)
# deliveries that have ended can be repeated so long
TOLD_FOR = timedelta(days=90)
# what runs of workflows that are over did can be looked up so long
RAN_FOR = timedelta(days=90)


@dataclass(frozen=True, slots=True)
class Pruning:
    """Takes away what is too old at a moment; whoever is interrupted leaves the rest to the next one."""

    database: Database
    now: datetime

    def run(self) -> int:
        """Take away replies that are not sent again, and return how many; and what ended of signing in."""
        with suppress(InFlight, Unavailable), self.database.hold(CLAIM):
            self.database.write(self._sign_ins)
            before = stamp(self.now - TOLD_FOR)
            self._portions(lambda conn: deliveries.forget(conn, before, PORTION))
            self.database.write(lambda conn: told.add_up(conn, is_little=True))
            ran = stamp(self.now - RAN_FOR)
            self._portions(lambda conn: workflows.forget(conn, ran, PORTION))
            self._portions(lambda conn: workflows.forget_versions(conn, PORTION))
            return self._portions(lambda conn: idempotency.expire(conn, self.now, PORTION))
        return 0

    def _sign_ins(self, conn: Connection) -> None:
        """Forget codes, tokens of apps and guesses that are over, and refresh tokens that nobody uses again."""
        day_ago, used = stamp(self.now - timedelta(days=1)), stamp(self.now - USED_FOR)
        apps.forget(conn, day_ago, used)
        tokens.forget_access(conn, day_ago)
        sessions.forget(conn, used)
        passwords.forget_old_guesses(conn, day_ago)

    def _portions(self, forget: Callable[[Connection], int]) -> int:
        gone = 0
        while True:
            begun = time.monotonic()
            portion = self.database.write(forget)
            gone += portion
            if portion < PORTION:
                return gone
            # as long as a portion took: another process does not get its turn to write by itself
            time.sleep(time.monotonic() - begun)
