"""Personal access tokens, of which only the hash is kept."""

from __future__ import annotations

from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement, insert
from acctcli.service.store.rows import Record

OF_USER = Query[Record](
    dict, "SELECT id, name, created_at, expires_at, revoked_at FROM token WHERE user_id = :user_id ORDER BY id"
)
REVOKE = Statement(
    "UPDATE token SET revoked_at = :stamp WHERE id = :token_id AND user_id = :user_id AND revoked_at IS NULL"
)


def create(conn: Connection, user_id: int, name: str, hashed: str, created: str, expires: str | None) -> None:
    """Insert a token; moments are stamps."""
    row = {"user_id": user_id, "name": name, "hash": hashed, "created_at": created, "expires_at": expires}
    insert(conn, "token", row)


def of_user(conn: Connection, user_id: int) -> list[Record]:
    """Return id, name, created_at, expires_at and revoked_at of a user's tokens, oldest first."""
    return OF_USER.all(conn, user_id=user_id)


def revoke(conn: Connection, user_id: int, token_id: int, stamp: str) -> bool:
    """Revoke a token at once; False when the user has no such token in force."""
    return REVOKE.run(conn, user_id=user_id, token_id=token_id, stamp=stamp) == 1
