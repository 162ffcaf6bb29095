"""The outbox: one row for each change, written in the transaction of the change (docs/interface.md 11.1)."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any, NamedTuple

from msgspec.json import Encoder

from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement
from acctcli.service.store.moments import stamp as stamped

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


class Aged(NamedTuple):
    """An event, whether it is from before a moment, and whether it is the newest of its business."""

    id: int
    is_old: bool
    is_newest: bool


PORTION = Query(
    Aged,
    """SELECT id, created_at < :before AS "is_old [boolean]", NOT EXISTS (
        SELECT 1 FROM event AS newer WHERE newer.business_id = event.business_id AND newer.number > event.number
    ) AS "is_newest [boolean]" FROM event WHERE id > :after ORDER BY id LIMIT :most""",
)
REMOVE = Statement("DELETE FROM event WHERE id IN (:ids...)")


def portion(conn: Connection, after: int, most: int, before: datetime) -> list[Aged]:
    """Return the next events in the order in which they were recorded, so many at most."""
    return PORTION.all(conn, after=after, most=most, before=stamped(before))


def remove(conn: Connection, ids: Collection[int]) -> None:
    """Delete events; the newest of a business has to stay, or numbers begin again."""
    REMOVE.run(conn, ids=ids)
