"""What deleted businesses leave goes in portions, between the transactions of others (docs/interface.md 3.1)."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from acctcli.service.problems import Problem
from acctcli.service.store import businesses
from acctcli.service.store.engine.connection import DatabaseFault

if TYPE_CHECKING:
    from acctcli.service.store.contents import Contents
    from acctcli.service.store.engine.database import Database

# one run at a time
CLAIM = int.from_bytes(b"erase", "big")
# so long the request waits that deleted the business: small ones are gone when it is answered
PATIENCE_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Erasure:
    """Takes away what is left; whoever is interrupted leaves the rest to the next one.

    `faults` are those of businesses that could not be taken away, by their ids: the others are, all the same.
    """

    database: Database
    contents: Contents
    faults: dict[int, DatabaseFault] = field(default_factory=dict)

    def begin(self) -> None:
        """Take away what can be in a moment, and the rest after that, as long as this process lives."""
        if not self.run(PATIENCE_SECONDS):
            with suppress(RuntimeError):  # where the system grants no thread, the next one takes it away
                threading.Thread(target=self.run, daemon=True).start()

    def run(self, seconds: float = float("inf")) -> bool:
        """Take away what there is, for so long at most; return whether nothing is left for this run.

        Never raises: the business is deleted, whatever becomes of what it had.
        """
        until = time.monotonic() + seconds
        with suppress(Problem, DatabaseFault), self.database.hold(CLAIM):
            while (business_id := self._next()) is not None:
                try:
                    if not self._erase(business_id, until):
                        return False
                except DatabaseFault as fault:
                    self.faults[business_id] = fault
        return True

    def _next(self) -> int | None:
        with self.database.read() as conn:
            return next((one for one in businesses.given_up(conn) if one not in self.faults), None)

    def _erase(self, business_id: int, until: float) -> bool:
        """Take away one business; return whether that was done in time."""
        while time.monotonic() < until:
            more, names = self.database.write(partial(businesses.erase_some, business_id=business_id))
            self.contents.remove(names)
            if not more:
                return True
        return False
