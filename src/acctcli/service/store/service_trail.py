"""The trail of the service itself: who may come in, and what businesses there are (docs/interface.md 11.5).

It is a trail like those of businesses, under a number that no business has.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from acctcli.service.store import events
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Statement
from acctcli.service.store.moments import stamp as stamped

# writers of a business wait for each other at its row, those of the service at its newest record
LOCK = Statement(f"SELECT number FROM trail_head WHERE business_id = {events.SERVICE} FOR UPDATE")


def begin(conn: Connection, marker: Callable[[], events.Mark]) -> None:
    """Begin the trail of books that have none; what was before it is not known."""
    author = events.Author(via="process", marker=marker)
    events.begin(conn, events.SERVICE, author)
    events.record(conn, events.SERVICE, events.BEGUN, {"id": None}, stamped(datetime.now(UTC)), author)


def record(conn: Connection, event_type: str, data: Any, stamp: str, author: events.Author) -> None:
    """Record a change that belongs to no business; of a transaction the last thing that others may wait for."""
    if conn.dialect == "postgresql":
        LOCK.value(conn)
    events.record(conn, events.SERVICE, event_type, data, stamp, author)
