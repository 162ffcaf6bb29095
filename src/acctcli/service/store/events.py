"""The outbox: one row for each change, written in the transaction of the change (wire facts 8.1)."""

from __future__ import annotations

from typing import Any

from msgspec.json import Encoder
from sqlalchemy import Connection, bindparam, func, insert, literal, select

from acctcli.service.store.engine.prepared import Prepared
from acctcli.service.store.schema.log import event

_encode = Encoder(decimal_format="number").encode

# Numbers are given under the lock of the business, so the newest is the highest
RECORD = Prepared(
    insert(event).from_select(
        ["business_id", "number", "type", "data", "created_at"],
        select(
            bindparam("business_id", type_=event.c.business_id.type),
            func.coalesce(func.max(event.c.number), 0) + literal(1),
            bindparam("type", type_=event.c.type.type),
            bindparam("data", type_=event.c.data.type),
            bindparam("stamp", type_=event.c.created_at.type),
        ).where(event.c.business_id == bindparam("business_id")),
    )
)


def record(conn: Connection, business_id: int, event_type: str, data: Any, stamp: str) -> None:
    """Record `<resource>.<verb>` with the resource as GET returns it; numbers increase per business."""
    RECORD.run(conn, business_id=business_id, type=event_type, data=_encode(data).decode(), stamp=stamp)
