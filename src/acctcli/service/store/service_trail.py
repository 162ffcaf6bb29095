"""The trail of the service itself: who may come in, and what businesses there are (docs/interface.md 11.5).

It is a trail like those of businesses, under a number that no business has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec

from acctcli.service.store import events
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement
from acctcli.service.store.moments import stamp as stamped

# writers of a business wait for each other at its row, those of the service at its newest record
LOCK = Statement(f"SELECT number FROM trail_head WHERE business_id = {events.SERVICE} FOR UPDATE")


def begin(conn: Connection, marker: Callable[[], events.Mark]) -> None:
    """Begin the trail of books that have none, with the tokens and rights there are; how they came is not known."""
    author = events.Author(via="process", marker=marker)
    begun = {"id": None, CAME_WITH: granted(conn)}
    events.begin(conn, events.SERVICE, author)
    events.record(conn, events.SERVICE, events.BEGUN, begun, stamped(datetime.now(UTC)), author)


def record(conn: Connection, event_type: str, data: Any, stamp: str, author: events.Author) -> None:
    """Record a change that belongs to no business; of a transaction the last thing that others may wait for."""
    if conn.dialect == "postgresql":
        LOCK.value(conn)
    events.record(conn, events.SERVICE, event_type, data, stamp, author)


CAME_WITH = "came_with"
TOKEN_FIELDS = ("id", "user_id", "expires_at", "revoked_at", "kind", "environment")
APP_FIELDS = ("id", "client_id", "redirects", "scopes")
TOKENS = Query[tuple[Any, ...]](tuple, f"SELECT {', '.join(TOKEN_FIELDS)}, hash FROM token ORDER BY id")
PASSWORDS = Query[tuple[int, str]](tuple, "SELECT user_id, hash FROM password ORDER BY user_id")
APPS = Query[tuple[Any, ...]](
    tuple, f"SELECT {', '.join(APP_FIELDS)}, secret_hash FROM app WHERE removed_at IS NULL ORDER BY id"
)
RIGHTS = Query[tuple[Any, ...]](
    tuple, "SELECT user_id, business_id, permissions FROM usership ORDER BY business_id, user_id"
)
PEOPLE = Query[tuple[Any, ...]](tuple, "SELECT id, email, first_name, last_name FROM users ORDER BY id")
BUSINESSES = Query[tuple[int, str]](tuple, "SELECT id, slug FROM business ORDER BY id")
GRANTS = Query[tuple[str, str]](
    tuple,
    f"""SELECT type, data FROM event WHERE business_id = {events.SERVICE}
    AND type IN ('{events.BEGUN}', 'user.created', 'user.updated', 'token.created', 'token.revoked', 'usership.created',
    'usership.updated', 'usership.deleted', 'business.created', 'business.deleted', 'password.changed', 'app.created',
    'app.deleted') ORDER BY number""",
)
_read = msgspec.json.Decoder(dict[str, Any]).decode


class Unrecorded(NamedTuple):
    """What lets somebody in, or a business, that is not as the trail recorded it, and what is wrong with it."""

    record: str
    text: str


def hash_of(hashed: str) -> str:
    """Return what the trail knows a token by: not what it is stored as, which is what a request is compared with."""
    return sha256(hashed.encode()).hexdigest()


def granted(conn: Connection) -> dict[str, list[dict[str, Any]]]:
    """Return people, tokens, passwords, apps, rights and businesses, also those given up, as the trail has them."""
    return {
        "user": [
            {"id": user_id, "email": email, "first_name": first_name, "last_name": last_name}
            for user_id, email, first_name, last_name in PEOPLE.all(conn)
        ],
        "token": [
            {**dict(zip(TOKEN_FIELDS, said, strict=True)), "hash_sha256": hash_of(hashed)}
            for *said, hashed in TOKENS.all(conn)
        ],
        "password": [{"id": user_id, "hash_sha256": hash_of(hashed)} for user_id, hashed in PASSWORDS.all(conn)],
        "app": [
            {**dict(zip(APP_FIELDS, said, strict=True)), "secret_sha256": secret and hash_of(secret)}
            for *said, secret in APPS.all(conn)
        ],
        "usership": [
            {"user_id": user_id, "business_id": business_id, "permissions": permissions.split()}
            for user_id, business_id, permissions in RIGHTS.all(conn)
        ],
        "business": [
            {"id": business_id, "is_deleted": slug.startswith("~")} for business_id, slug in BUSINESSES.all(conn)
        ],
    }


def unrecorded(conn: Connection) -> Iterator[Unrecorded]:
    """Yield what lets people in, and the businesses, that the trail has not recorded, or not as they are.

    Somebody who was not recorded can do nothing without a token.
    """
    recorded = _recorded(conn)
    if recorded is None:
        return
    for word, rows in granted(conn).items():
        for row in rows:
            was = recorded.pop(name := _named(word, row), None)
            is_new = was is None or (word == "usership" and was.get("is_deleted"))
            if is_new and word != "user":
                yield Unrecorded(name, "the audit trail has not recorded that it was made")
            elif others := [field for field, value in row.items() if was and was.get(field, value) != value]:
                yield Unrecorded(name, f"{', '.join(others)}: not what the audit trail recorded")
    for name, was in recorded.items():
        if name.startswith("business") and not was.get("is_deleted"):
            yield Unrecorded(name, "it is gone, and the audit trail has not recorded that it was deleted")


def _recorded(conn: Connection) -> dict[str, dict[str, Any]] | None:
    """Return what was recorded last of each; None where a trail does not say what there was when it began."""
    found: dict[str, dict[str, Any]] = {}
    for event_type, data in GRANTS.all(conn):
        told = _read(data)
        if event_type != events.BEGUN:
            word, _, done = event_type.partition(".")
            name = _named(word, told)
            if event_type == "app.deleted":
                found.pop(name, None)
                continue
            found[name] = {**found.get(name, {}), **told, "is_deleted": done == "deleted"}
        elif CAME_WITH in told:
            found |= {_named(word, one): one for word, those in told[CAME_WITH].items() for one in those}
        else:
            return None
    return found


def _named(word: str, data: dict[str, Any]) -> str:
    is_right = word == "usership"
    return f"rights of user {data['user_id']} in {data['business_id']}" if is_right else f"{word} {data['id']}"
