"""The outbox: one row for each change, written in the transaction of the change (docs/interface.md 11.1)."""

from __future__ import annotations

from typing import Any

from msgspec.json import Encoder

from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Statement

_encode = Encoder(decimal_format="number").encode

# Numbers are given under the lock of the business, so the newest is the highest
RECORD = Statement(
    """INSERT INTO event (business_id, number, type, data, created_at)
    SELECT :business_id, coalesce(max(number), 0) + 1, :type, :data, :stamp
    FROM event WHERE business_id = :business_id"""
)


def record(conn: Connection, business_id: int, event_type: str, data: Any, stamp: str) -> None:
    """Record `<resource>.<verb>` with the resource as GET returns it; numbers increase per business."""
    RECORD.run(conn, business_id=business_id, type=event_type, data=_encode(data).decode(), stamp=stamp)
