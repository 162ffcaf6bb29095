"""Browsers that people are signed in with; of what they show only a digest is kept."""

from __future__ import annotations

from typing import NamedTuple

from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement, insert


class Session(NamedTuple):
    """A browser, whose it is and since when; `client` is what it calls itself."""

    id: int
    user_id: int
    client: str
    created_at: str
    expires_at: str


IN_FORCE = "environment = :environment AND ended_at IS NULL AND expires_at > :stamp"
COLUMNS = "id, user_id, client, created_at, expires_at"
BY_HASH = Query(Session, f"SELECT {COLUMNS} FROM session WHERE hash = :hash AND {IN_FORCE}")
OF_USER = Query(Session, f"SELECT {COLUMNS} FROM session WHERE user_id = :user_id AND {IN_FORCE} ORDER BY id DESC")
END = Statement("UPDATE session SET ended_at = :stamp WHERE id = :session_id AND ended_at IS NULL")
FORGET = Statement("DELETE FROM session WHERE expires_at <= :before OR ended_at <= :before")


def add(conn: Connection, user_id: int, hashed: str, environment: str, client: str, created: str, expires: str) -> int:
    """Insert a session and return the id; moments are stamps."""
    row = {"user_id": user_id, "hash": hashed, "environment": environment, "client": client}
    return insert(conn, "session", {**row, "created_at": created, "expires_at": expires})


def find(conn: Connection, hashed: str, environment: str, stamp: str) -> Session | None:
    """Return the session of a digest that has neither ended nor run out at a moment."""
    return BY_HASH.one(conn, hash=hashed, environment=environment, stamp=stamp)


def of_user(conn: Connection, user_id: int, environment: str, stamp: str) -> list[Session]:
    """Return the sessions of a user, the newest first."""
    return OF_USER.all(conn, user_id=user_id, environment=environment, stamp=stamp)


def end(conn: Connection, session_id: int, stamp: str) -> bool:
    """End a session; say whether it had not ended before."""
    return END.run(conn, session_id=session_id, stamp=stamp) > 0


def forget(conn: Connection, before: str) -> int:
    """Delete the sessions that ended before a moment, and return how many there were."""
    return FORGET.run(conn, before=before)
