"""Who is calling, which business it is about, and what they may do there: one statement for every request."""

from __future__ import annotations

from typing import Any, NamedTuple

from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement
from acctcli.service.store.people.users import Caller

CALLER = "users.id, users.email, users.language, token.id, trim(users.first_name || ' ' || users.last_name) AS name"
IN_FORCE = """token.hash = :hash AND token.environment = :environment AND token.revoked_at IS NULL
    AND (token.expires_at IS NULL OR token.expires_at > :stamp)"""
ALONE = Query(Caller, f"SELECT {CALLER} FROM token JOIN users ON users.id = token.user_id WHERE {IN_FORCE}")
IN_BUSINESS = Query[tuple[Any, ...]](
    tuple,
    f"""SELECT {CALLER}, business.id, business.form, business.country, usership.permissions
    FROM token JOIN users ON users.id = token.user_id
    LEFT JOIN business ON business.slug = :slug
    LEFT JOIN usership ON usership.user_id = users.id AND usership.business_id = business.id
    WHERE {IN_FORCE}""",
)
# Writers of one business wait for each other at its row, so each sees what the one before did; SQLite has one writer
LOCK = Statement("SELECT id FROM business WHERE slug = :slug FOR NO KEY UPDATE")


class Scope(NamedTuple):
    """The business of a path, and what the caller may do in it."""

    id: int
    slug: str
    form: str
    country: str
    permissions: frozenset[str]

    @property
    def is_demo(self) -> bool:
        """Demo businesses skip the check of identifiers (docs/interface.md 3.2)."""
        return self.form == "DEMO"


class Admission(NamedTuple):
    """A caller; `exists` says whether the slug is known, `scope` is None unless the caller is a member there."""

    caller: Caller
    exists: bool = False
    scope: Scope | None = None


def admit(
    conn: Connection, hashed: str, stamp: str, slug: str | None, *, to_write: bool, environment: str = "local"
) -> Admission | None:
    """Return who calls with a token of an environment that is in force at the moment `stamp`, None for nobody."""
    if slug is None:
        alone = ALONE.one(conn, hash=hashed, stamp=stamp, environment=environment)
        return None if alone is None else Admission(alone)
    if to_write:
        lock(conn, slug)
    row = IN_BUSINESS.one(conn, hash=hashed, stamp=stamp, slug=slug, environment=environment)
    if row is None:
        return None
    *who, scope_id, form, country, permissions = row
    if permissions is None:
        return Admission(Caller(*who), scope_id is not None)
    return Admission(Caller(*who), True, Scope(scope_id, slug, form, country, frozenset(permissions.split())))


def lock(conn: Connection, slug: str) -> None:
    """Keep other writers of a business away until the commit; SQLite has one writer anyway."""
    if conn.dialect == "postgresql":
        LOCK.value(conn, slug=slug)
