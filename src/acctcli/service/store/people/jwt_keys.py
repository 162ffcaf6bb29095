"""Which key signs JWTs: each has a random name, and only the newest is in force."""

from __future__ import annotations

from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Statement, insert

# before there is another one
FIRST = "0" * 16
NEWEST = f"SELECT coalesce((SELECT kid FROM jwt_key ORDER BY id DESC LIMIT 1), '{FIRST}')"
CURRENT = Statement(NEWEST)


def current(conn: Connection) -> str:
    """Return the name of the key in force."""
    return str(CURRENT.value(conn))


def begin(conn: Connection, kid: str, stamp: str) -> int:
    """Let another key be in force, by a name that none had anywhere; return how many there have been."""
    return insert(conn, "jwt_key", {"kid": kid, "created_at": stamp})
