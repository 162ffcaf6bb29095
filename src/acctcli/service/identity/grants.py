"""Users, tokens and passwords as whoever owns the database gives them, or people for themselves; the trail has it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from acctcli.service.identity.tokens import LOCAL, PREFIX, new_token, token_hash
from acctcli.service.store import service_trail
from acctcli.service.store.events import Author
from acctcli.service.store.moments import stamp
from acctcli.service.store.people import invitations, tokens, users

if TYPE_CHECKING:
    from acctcli.service.identity.keys import InstallationKey
    from acctcli.service.store.engine.database import Connection

# what the address ends in of who wrote another person's; no mail goes there (RFC 2606)
RELEASED = "@released.invalid"


def create_user(conn: Connection, email: str, now: datetime, author: Author, **fields: str | bool | None) -> int:
    """Create a user and return the id; `fields` are columns of `users` such as first_name or language."""
    user_id = users.create(conn, email, stamp(now), **fields)
    service_trail.record(conn, "user.created", {"id": user_id, "email": email, **fields}, stamp(now), author)
    return user_id


def release_address(
    conn: Connection, user_id: int, now: datetime, author: Author, entropy: Callable[[int], bytes]
) -> None:
    """Take an address that a user wrote themselves from them: they get one that is nobody's, and keep all else."""
    fields = {"email": f"{entropy(8).hex()}{RELEASED}", "email_changed_at": stamp(now), "updated_at": stamp(now)}
    email = users.get(conn, user_id)["email"]
    users.change(conn, user_id, fields)
    invitations.free(conn, user_id, email)
    told = {"id": user_id, "email": fields["email"]}
    service_trail.record(conn, "user.updated", told, stamp(now), author)


def create_token(
    conn: Connection,
    user_id: int,
    name: str,
    now: datetime,
    author: Author,
    *,
    entropy: Callable[[int], bytes],
    expires: datetime | None = None,
    environment: str = LOCAL,
) -> str:
    """Create a personal access token; only its hash is stored, so this is the one time it can be seen."""
    secret = new_token(entropy, PREFIX)
    keep_token(conn, secret, user_id, name, now, author, expires=expires, environment=environment)
    return secret


def keep_token(
    conn: Connection,
    secret: str,
    user_id: int,
    name: str,
    now: datetime,
    author: Author,
    *,
    expires: datetime | None,
    environment: str,
    kind: str = tokens.PERSONAL,
    grant_id: int | None = None,
    scopes: str | None = None,
) -> int:
    """Store the hash of a token, and record what it is; return the id."""
    hashed, until = token_hash(secret), stamp(expires) if expires else None
    token_id = tokens.add(
        conn,
        user_id,
        name,
        hashed,
        stamp(now),
        until,
        environment=environment,
        kind=kind,
        grant_id=grant_id,
        scopes=scopes,
    )
    known_by = {"hash_sha256": service_trail.hash_of(hashed)}
    belongs = {"kind": kind, "environment": environment}
    made = {"id": token_id, "user_id": user_id, "name": name, "expires_at": until, **belongs, **known_by}
    service_trail.record(conn, "token.created", made, stamp(now), author)
    return token_id


def set_password(conn: Connection, user_id: int, hashed: str, now: datetime, author: Author) -> None:
    """Set the password of a user, given as its hash."""
    from acctcli.service.store.people import passwords

    passwords.put(conn, user_id, hashed, stamp(now))
    changed = {"id": user_id, "hash_sha256": service_trail.hash_of(hashed)}
    service_trail.record(conn, "password.changed", changed, stamp(now), author)


def local_author(conn: Connection, operation: str, installation: InstallationKey) -> Author:
    """Return who the trail names for what is done at this machine: its user, if there is one yet."""
    user_id, name = users.local(conn) or (None, "")
    marker = installation.trail_marker
    return Author(user_id, name, via="process", operation=operation, marker=marker)
