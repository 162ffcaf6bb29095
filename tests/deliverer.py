"""`python -m tests.deliverer URL [HURRY]`: a process that delivers until it is told to end, or killed.

In a hurry it waits for receivers, for the next attempt and for the leases of others a fraction of the usual time, and
gives up after more attempts.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import sys
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from unittest.mock import patch

from acctcli.service.cases.webhooks import delivering
from acctcli.service.delivery.posting import SECONDS, Post
from acctcli.service.http.app import utc_now
from acctcli.service.http.delivering import Lanes
from acctcli.service.store import deliveries, told
from acctcli.service.store.deliveries import Lane
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.database import Database
from acctcli.service.store.engine.opening import open_database
from acctcli.service.store.moments import stamp
from tests.service.actor import INSTALLATION

HURRIED_SECONDS = 1.0


def lanes_of(database: Database, seconds: float = SECONDS) -> Lanes:
    """What delivers what is in a database of the tests."""
    post = Post(allows_private=True, seconds=seconds)
    return Lanes(delivering.Delivering(database, INSTALLATION, utc_now, secrets.token_bytes, post))


def up_to(most: int) -> Callable[[Sequence[Lane]], dict[int, int]]:
    """Return what lets each subscription that something is due to have so many attempts."""
    return lambda lanes: {lane.subscription_id: most for lane in lanes}


def hurry() -> None:
    delivering.WAITS = (timedelta(seconds=0.2),) * 40
    delivering.LEASE = timedelta(seconds=4)


def die(*_: object, **__: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def add_up(conn: Connection) -> None:
    told.add_up(conn, is_little=True)


def forget(conn: Connection) -> None:
    """Delete two deliveries that have ended."""
    deliveries.forget(conn, stamp(datetime.max), 2)


def make(conn: Connection) -> None:
    """Make deliveries of what has happened."""
    deliveries.spread(conn, stamp(datetime.min))


# what is written, and what of it is never reached; in the last three that is the commit alone
DEATHS: dict[str, tuple[Callable[[Connection], None], str | None]] = {
    "deleted, not noted": (forget, "deliveries.note"),
    "locked, not taken": (add_up, "told.TAKEN.all"),
    "taken, not added": (add_up, "told.ADDED.many"),
    "moved, not made": (make, "deliveries.SPREAD.values"),
    "made, not noted": (make, "deliveries.note"),
    "made": (make, None),
    "added": (add_up, None),
    "deleted and noted": (forget, None),
}


def die_counting(url: str, death: str) -> None:
    """Keep numbers of deliveries, and die of it before the commit."""
    work, last = DEATHS[death]
    if last is not None:
        patch(f"acctcli.service.store.{last}", die).start()

    def ending(conn: Connection) -> None:
        work(conn)
        die()

    with contextlib.closing(open_database(url)) as database:
        database.write(ending)


def main(url: str, hurried: str = "") -> None:
    if hurried:
        hurry()
    with contextlib.closing(open_database(url)) as database:
        lanes = lanes_of(database, HURRIED_SECONDS if hurried else SECONDS)
        signal.signal(signal.SIGTERM, lambda *_: lanes.end())
        print("begun", flush=True)
        lanes.run()


if __name__ == "__main__":
    main(*sys.argv[1:])
