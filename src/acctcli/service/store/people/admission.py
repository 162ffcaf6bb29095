"""Who is calling, which business it is about, and what they may do there: one statement for every request."""

from __future__ import annotations

from typing import Any, NamedTuple

from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement
from acctcli.service.store.people.jwt_keys import NEWEST
from acctcli.service.store.people.users import Caller

CALLER = "users.id, users.email, users.language, token.id, trim(users.first_name || ' ' || users.last_name) AS name"
IN_FORCE = """token.hash = :hash AND token.environment = :environment AND token.revoked_at IS NULL
    AND (token.expires_at IS NULL OR token.expires_at > :stamp)"""
# a JWT of a token is in force as long as the token, and the key that signed it
SIGNED = f"{IN_FORCE} AND :kid = ({NEWEST})"
# the session of a browser stands in place of a token
SESSION = "session AS token"
SIGNED_IN = """token.hash = :hash AND token.environment = :environment AND token.ended_at IS NULL
    AND token.expires_at > :stamp"""


def _alone(in_force: str, shown: str = "token") -> Query[Caller]:
    return Query(Caller, f"SELECT {CALLER} FROM {shown} JOIN users ON users.id = token.user_id WHERE {in_force}")


def _in_business(in_force: str, shown: str = "token") -> Query[tuple[Any, ...]]:
    return Query[tuple[Any, ...]](
        tuple,
        f"""SELECT {CALLER}, token.expires_at, business.id, business.form, business.country, usership.permissions
        FROM {shown} JOIN users ON users.id = token.user_id
        LEFT JOIN business ON business.slug = :slug
        LEFT JOIN usership ON usership.user_id = users.id AND usership.business_id = business.id
        WHERE {in_force}""",
    )


ALONE, ALONE_BY_JWT = _alone(IN_FORCE), _alone(SIGNED)
IN_BUSINESS, IN_BUSINESS_BY_JWT = _in_business(IN_FORCE), _in_business(SIGNED)
ALONE_IN_SESSION, IN_BUSINESS_IN_SESSION = _alone(SIGNED_IN, SESSION), _in_business(SIGNED_IN, SESSION)
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


class Known(NamedTuple):
    """Who calls with a token that is in force until a moment, None for ever."""

    until: str | None
    admission: Admission | None


NOBODY = Known("", None)


def admit(
    conn: Connection,
    hashed: str,
    stamp: str,
    slug: str | None,
    *,
    to_write: bool,
    environment: str = "local",
    kid: str = "",
    in_session: bool = False,
) -> Admission | None:
    """Return who calls with a token of an environment that is in force at the moment `stamp`, None for nobody.

    `kid` names the key that a JWT of the token was signed with, empty for the token itself. `in_session`: what is shown
    is no token, but the session of a browser.
    """
    shown = {"hash": hashed, "stamp": stamp, "environment": environment, **({"kid": kid} if kid else {})}
    alone, in_business = ALONE, IN_BUSINESS
    if in_session:
        alone, in_business = ALONE_IN_SESSION, IN_BUSINESS_IN_SESSION
    elif kid:
        alone, in_business = ALONE_BY_JWT, IN_BUSINESS_BY_JWT
    if slug is None:
        caller = alone.one(conn, **shown)
        return None if caller is None else Admission(caller)
    if to_write:
        lock(conn, slug)
    known: Known = conn.memory.get((Admission, hashed, environment, kid, slug), NOBODY)
    if known.until is not None and known.until <= stamp:
        known = conn.memory[Admission, hashed, environment, kid, slug] = _read(
            in_business.one(conn, **shown, slug=slug), slug
        )
    return known.admission


def _read(row: tuple[Any, ...] | None, slug: str) -> Known:
    if row is None:
        return NOBODY
    *who, until, scope_id, form, country, permissions = row
    if permissions is None:
        return Known(until, Admission(Caller(*who), scope_id is not None))
    scope = Scope(scope_id, slug, form, country, frozenset(permissions.split()))
    return Known(until, Admission(Caller(*who), True, scope))


def lock(conn: Connection, slug: str) -> None:
    """Keep other writers of a business away until the commit; SQLite has one writer anyway."""
    if conn.dialect == "postgresql":
        LOCK.value(conn, slug=slug)
