"""What deleted businesses leave goes in portions, between the transactions of others (docs/interface.md 3.1)."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from acctcli.service.problems import InFlight, Unavailable
from acctcli.service.store import businesses

if TYPE_CHECKING:
    from acctcli.service.store.contents import Contents
    from acctcli.service.store.engine.database import Database

# one run at a time
CLAIM = int.from_bytes(b"erase", "big")
# so long the request waits that deleted the business: small ones are gone when it is answered
PATIENCE_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Erasure:
    """Takes away what is left; whoever is interrupted leaves the rest to the next one."""

    database: Database
    contents: Contents

    def begin(self) -> None:
        """Take away what can be in a moment, and the rest after that, as long as this process lives."""
        if not self.run(PATIENCE_SECONDS):
            threading.Thread(target=self.run, daemon=True).start()

    def run(self, seconds: float = float("inf")) -> bool:
        """Take away what there is, for so long at most; return whether nothing is left for this run."""
        until = time.monotonic() + seconds
        with suppress(InFlight, Unavailable), self.database.hold(CLAIM):
            while time.monotonic() < until:
                more, names = self.database.write(businesses.erase_some)
                self.contents.remove(names)
                if not more:
                    return True
            return False
        return True
