"""Users, tokens and permissions as whoever owns the database gives them; no operation of the API does."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from acctcli.models.enums import PermissionKey
from acctcli.service.identity.tokens import new_token, token_hash
from acctcli.service.store.moments import stamp
from acctcli.service.store.people import memberships, tokens, users

if TYPE_CHECKING:
    from acctcli.service.store.engine.database import Connection


def create_user(conn: Connection, email: str, now: datetime, **fields: str | bool | None) -> int:
    """Create a user and return the id; `fields` are columns of `users` such as first_name or language."""
    return users.create(conn, email, stamp(now), **fields)


def create_token(
    conn: Connection,
    user_id: int,
    name: str,
    now: datetime,
    *,
    entropy: Callable[[int], bytes],
    expires: datetime | None = None,
) -> str:
    """Create a personal access token; only its hash is stored, so this is the one time it can be seen."""
    secret = new_token(entropy)
    tokens.create(conn, user_id, name, token_hash(secret), stamp(now), stamp(expires) if expires else None)
    return secret


def list_tokens(conn: Connection, user_id: int) -> list[dict[str, Any]]:
    """Return id, name, created_at, expires_at and revoked_at of a user's tokens, oldest first."""
    return tokens.of_user(conn, user_id)


def revoke_token(conn: Connection, user_id: int, token_id: int, now: datetime) -> bool:
    """Revoke a token at once; False when the user has no such token in force."""
    return tokens.revoke(conn, user_id, token_id, stamp(now))


def permission_text(keys: Iterable[str]) -> str:
    """Write permission keys as they are stored: in the order of the enumeration; ValueError for an unknown one."""
    wanted = {PermissionKey(key) for key in keys}
    return " ".join(key.value for key in PermissionKey if key in wanted)


def set_permissions(conn: Connection, user_id: int, business_id: int, keys: Iterable[str], now: datetime) -> None:
    """Give a user exactly these permissions in a business; who becomes a member if none yet."""
    memberships.put(conn, user_id, business_id, permission_text(keys), stamp(now))


def remove_member(conn: Connection, user_id: int, business_id: int) -> None:
    """Take a business away from a user."""
    memberships.remove(conn, user_id, business_id)
