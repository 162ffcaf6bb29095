"""Users and tokens as whoever owns the database gives them; no operation of the API does."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from acctcli.service.identity.tokens import new_token, token_hash
from acctcli.service.store import service_trail
from acctcli.service.store.events import Author
from acctcli.service.store.moments import stamp
from acctcli.service.store.people import users

if TYPE_CHECKING:
    from acctcli.service.store.engine.database import Connection


def create_user(conn: Connection, email: str, now: datetime, author: Author, **fields: str | bool | None) -> int:
    """Create a user and return the id; `fields` are columns of `users` such as first_name or language."""
    user_id = users.create(conn, email, stamp(now), **fields)
    service_trail.record(conn, "user.created", {"id": user_id, "email": email, **fields}, stamp(now), author)
    return user_id


def create_token(
    conn: Connection,
    user_id: int,
    name: str,
    now: datetime,
    author: Author,
    *,
    entropy: Callable[[int], bytes],
    expires: datetime | None = None,
) -> str:
    """Create a personal access token; only its hash is stored, so this is the one time it can be seen."""
    secret, until = new_token(entropy), stamp(expires) if expires else None
    hashed = token_hash(secret)
    token_id = users.add_token(conn, user_id, name, hashed, stamp(now), until)
    known_by = {"hash_sha256": service_trail.hash_of(hashed)}
    made = {"id": token_id, "user_id": user_id, "name": name, "expires_at": until, **known_by}
    service_trail.record(conn, "token.created", made, stamp(now), author)
    return secret
