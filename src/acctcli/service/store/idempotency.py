"""Stored replies: what a keyed POST answered, for 24 hours, per user (docs/interface.md 1.6)."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from typing import NamedTuple

from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement, columns
from acctcli.service.store.moments import stamp

RETENTION = timedelta(hours=24)
# Every 64th stored reply takes old ones away, more than came: the table stays small and single writes stay fast
SWEEP, SWEPT = 64, 256


class StoredReply(NamedTuple):
    """A reply as it was sent, and what asked for it."""

    fingerprint: str
    status: int
    body: bytes


FIND = Query(
    StoredReply,
    f"SELECT {columns(StoredReply)} FROM stored_reply WHERE user_id = :user_id AND key = :key AND created_at > :since",
)
# An expired reply under the same key gives way
STORE = Statement(
    """INSERT INTO stored_reply (user_id, key, fingerprint, status, body, created_at)
    VALUES (:user_id, :key, :fingerprint, :status, :body, :created_at)
    ON CONFLICT (user_id, key) DO UPDATE SET fingerprint = excluded.fingerprint, status = excluded.status,
    body = excluded.body, created_at = excluded.created_at"""
)
EXPIRE = Statement(
    """DELETE FROM stored_reply WHERE (user_id, key) IN (
        SELECT user_id, key FROM stored_reply WHERE created_at <= :since ORDER BY created_at LIMIT :most)"""
)


def claim_number(user_id: int, key: str) -> int:
    """Return the 62-bit number that stands for a key of a user while its first request runs."""
    digest = hashlib.sha256(f"{user_id}\0{key}".encode("utf-8", "replace")).digest()
    return int.from_bytes(digest[:8], "big") >> 2


def find(conn: Connection, user_id: int, key: str, now: datetime) -> StoredReply | None:
    """Return the reply stored under a key in the last 24 hours."""
    return FIND.one(conn, user_id=user_id, key=key, since=stamp(now - RETENTION))


def store(conn: Connection, user_id: int, key: str, reply: StoredReply, now: datetime) -> None:
    """Store a reply for 24 hours."""
    STORE.run(conn, user_id=user_id, key=key, created_at=stamp(now), **reply._asdict())
    if not claim_number(user_id, key) % SWEEP:
        expire(conn, now, SWEPT)


def expire(conn: Connection, now: datetime, most: int) -> int:
    """Take away replies that are not sent again, the oldest first; return how many of at most so many there were."""
    return EXPIRE.run(conn, since=stamp(now - RETENTION), most=most)
