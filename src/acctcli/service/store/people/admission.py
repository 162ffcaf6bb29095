"""Who is calling, which business it is about, and what he may do there: one statement for every request."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, bindparam, select

from acctcli.service.store.engine.prepared import Prepared
from acctcli.service.store.people.users import Caller
from acctcli.service.store.schema.business import business, usership
from acctcli.service.store.schema.people import token, users

IN_FORCE = (
    token.c.hash == bindparam("hash"),
    token.c.revoked_at.is_(None),
    token.c.expires_at.is_(None) | (token.c.expires_at > bindparam("stamp")),
)
CALLER = (users.c.id, users.c.email, users.c.language, token.c.id.label("token_id"))
ALONE = Prepared(select(*CALLER).join_from(token, users).where(*IN_FORCE))
IN_BUSINESS = Prepared(
    select(*CALLER, business.c.id.label("scope_id"), business.c.form, business.c.country, usership.c.permissions)
    .join_from(token, users)
    .outerjoin(business, business.c.slug == bindparam("slug"))
    .outerjoin(usership, (usership.c.user_id == users.c.id) & (usership.c.business_id == business.c.id))
    .where(*IN_FORCE)
)
# Writers of one business wait for each other at its row, so each sees what the one before did; SQLite has one writer
LOCK = select(business.c.id).where(business.c.slug == bindparam("slug")).with_for_update(key_share=True)


class Scope(NamedTuple):
    """The business of a path, and what the caller may do in it."""

    id: int
    slug: str
    form: str
    country: str
    permissions: frozenset[str]

    @property
    def is_demo(self) -> bool:
        """Demo businesses skip the check of identifiers (wire facts 2.4)."""
        return self.form == "DEMO"


class Admission(NamedTuple):
    """A caller; `exists` says whether the slug is known, `scope` is None unless the caller is a member there."""

    caller: Caller
    exists: bool = False
    scope: Scope | None = None


def admit(conn: Connection, hashed: str, stamp: str, slug: str | None, *, to_write: bool) -> Admission | None:
    """Return who calls with a token that is neither revoked nor expired at the moment `stamp`, None for nobody."""
    if slug is None:
        alone = ALONE.one(conn, hash=hashed, stamp=stamp)
        return None if alone is None else Admission(Caller(*alone))
    if to_write and conn.dialect.name == "postgresql":
        conn.execute(LOCK, {"slug": slug})
    row = IN_BUSINESS.one(conn, hash=hashed, stamp=stamp, slug=slug)
    if row is None:
        return None
    *who, scope_id, form, country, permissions = row
    if permissions is None:
        return Admission(Caller(*who), scope_id is not None)
    return Admission(Caller(*who), True, Scope(scope_id, slug, form, country, frozenset(permissions.split())))
