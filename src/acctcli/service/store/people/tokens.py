"""Personal access tokens, of which only the hash is kept."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, update

from acctcli.service.store.schema.people import token

OF_USER = (
    select(token.c.id, token.c.name, token.c.created_at, token.c.expires_at, token.c.revoked_at)
    .where(token.c.user_id == bindparam("user_id"))
    .order_by(token.c.id)
)
REVOKE = update(token).where(
    token.c.id == bindparam("token_id"), token.c.user_id == bindparam("owner"), token.c.revoked_at.is_(None)
)


def create(conn: Connection, user_id: int, name: str, hashed: str, created: str, expires: str | None) -> None:
    """Insert a token; moments are stamps."""
    row: dict[str, Any] = {"user_id": user_id, "name": name, "hash": hashed}
    conn.execute(insert(token), row | {"created_at": created, "expires_at": expires})


def of_user(conn: Connection, user_id: int) -> list[dict[str, Any]]:
    """Return id, name, created_at, expires_at and revoked_at of a user's tokens, oldest first."""
    return [dict(row) for row in conn.execute(OF_USER, {"user_id": user_id}).mappings()]


def revoke(conn: Connection, user_id: int, token_id: int, stamp: str) -> bool:
    """Revoke a token at once; False when the user has no such token in force."""
    changed = conn.execute(REVOKE.values(revoked_at=stamp), {"owner": user_id, "token_id": token_id})
    return changed.rowcount == 1
