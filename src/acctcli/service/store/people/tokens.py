"""Tokens: personal ones, and those that apps get by what they were granted. Only hashes are kept."""

from __future__ import annotations

from typing import NamedTuple

from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement, insert

PERSONAL, ACCESS = "personal", "access"


class Token(NamedTuple):
    """A token as it is listed: whose it is, what it is called, until when it holds."""

    id: int
    user_id: int
    user: str
    name: str
    kind: str
    environment: str
    created_at: str
    expires_at: str | None


IN_FORCE = "token.revoked_at IS NULL AND (token.expires_at IS NULL OR token.expires_at > :stamp)"
LISTED = """SELECT token.id, token.user_id, users.email, token.name, token.kind, token.environment, token.created_at,
    token.expires_at FROM token JOIN users ON users.id = token.user_id"""
ALL = Query(Token, f"{LISTED} WHERE {IN_FORCE} ORDER BY token.id")
OF_USER = Query(
    Token, f"{LISTED} WHERE token.user_id = :user_id AND token.kind = 'personal' AND {IN_FORCE} ORDER BY token.id"
)
ONE = Query(Token, f"{LISTED} WHERE token.id = :token_id AND {IN_FORCE}")
REVOKE = Statement("UPDATE token SET revoked_at = :stamp WHERE id = :token_id AND revoked_at IS NULL")
OF_GRANT = Statement(f"SELECT id FROM token WHERE grant_id = :grant_id AND {IN_FORCE} ORDER BY id")
# they are of use to nobody, and to no trail: that has recorded them
FORGET = Statement("DELETE FROM token WHERE kind = 'access' AND expires_at <= :before")


def add(
    conn: Connection,
    user_id: int,
    name: str,
    hashed: str,
    created: str,
    expires: str | None,
    *,
    environment: str,
    kind: str = PERSONAL,
    grant_id: int | None = None,
    scopes: str | None = None,
) -> int:
    """Insert a token, of which only the hash is kept, and return the id; moments are stamps."""
    row = {"user_id": user_id, "name": name, "hash": hashed, "created_at": created, "expires_at": expires}
    return insert(
        conn, "token", {**row, "environment": environment, "kind": kind, "grant_id": grant_id, "scopes": scopes}
    )


def in_force(conn: Connection, stamp: str) -> list[Token]:
    """Return all tokens in force at a moment, the oldest first."""
    return ALL.all(conn, stamp=stamp)


def personal(conn: Connection, user_id: int, stamp: str) -> list[Token]:
    """Return the personal tokens of a user that are in force at a moment, the oldest first."""
    return OF_USER.all(conn, user_id=user_id, stamp=stamp)


def get(conn: Connection, token_id: int, stamp: str) -> Token | None:
    """Return a token that is in force at a moment."""
    return ONE.one(conn, token_id=token_id, stamp=stamp)


def revoke(conn: Connection, token_id: int, stamp: str) -> bool:
    """Let a token be in force no longer; say whether it was not revoked before."""
    return REVOKE.run(conn, token_id=token_id, stamp=stamp) > 0


def of_grant(conn: Connection, grant_id: int, stamp: str) -> list[int]:
    """Return the tokens in force that came of what was granted to an app."""
    return OF_GRANT.values(conn, grant_id=grant_id, stamp=stamp)


def forget_access(conn: Connection, before: str) -> int:
    """Delete the tokens of apps that ended before a moment, and return how many there were."""
    return FORGET.run(conn, before=before)
