"""Apps that were registered, what they were granted, and the codes and refresh tokens of that."""

from __future__ import annotations

from typing import NamedTuple

from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement, columns, delete, insert, insert_many, update


class AppRow(NamedTuple):
    """A registered app; `redirects` and `scopes` are separated by spaces, a public app has no `secret_hash`."""

    id: int
    client_id: str
    name: str
    secret_hash: str | None
    redirects: str
    scopes: str
    created_at: str
    removed_at: str | None


class CodeRow(NamedTuple):
    """A code that an app was given; `grant_id` says that it was used."""

    id: int
    app_id: int
    user_id: int
    redirect: str
    scopes: str
    nonce: str | None
    challenge: str
    signed_in_at: str
    expires_at: str
    grant_id: int | None


class RefreshRow(NamedTuple):
    """A refresh token and what it was granted by; `used_at` says that it gave way to another one."""

    id: int
    used_at: str | None
    grant_id: int
    app_id: int
    user_id: int
    scopes: str
    signed_in_at: str
    revoked_at: str | None


class GrantRow(NamedTuple):
    """What a user lets an app do, as it is listed."""

    id: int
    client_id: str
    name: str
    scopes: str
    created_at: str


class AccessRow(NamedTuple):
    """An access token in force: whose it is, and what it was granted by."""

    id: int
    user_id: int
    grant_id: int
    app_id: int
    scopes: str


class KeyRow(NamedTuple):
    """A key that ID tokens are signed with, sealed."""

    kid: str
    sealed: bytes
    created_at: str


APP = f"SELECT {columns(AppRow)} FROM app WHERE environment = :environment"
ONE = Query(AppRow, f"{APP} AND client_id = :client_id")
ALL = Query(AppRow, f"{APP} AND removed_at IS NULL ORDER BY id")
# who asks second waits, and sees that it was used
CODE = Query(
    CodeRow, f"SELECT {columns(CodeRow)} FROM app_code WHERE hash = :hash AND environment = :environment FOR UPDATE"
)
REFRESH = Query(
    RefreshRow,
    """SELECT refresh_token.id, refresh_token.used_at, app_grant.id, app_grant.app_id, app_grant.user_id,
        app_grant.scopes, app_grant.signed_in_at, app_grant.revoked_at
    FROM refresh_token JOIN app_grant ON app_grant.id = refresh_token.app_grant_id
    WHERE refresh_token.hash = :hash AND refresh_token.environment = :environment FOR UPDATE""",
)
ACCESS = Query(
    AccessRow,
    """SELECT token.id, token.user_id, token.grant_id, app_grant.app_id, token.scopes
    FROM token JOIN app_grant ON app_grant.id = token.grant_id
    WHERE token.hash = :hash AND token.kind = 'access' AND token.environment = :environment
    AND token.revoked_at IS NULL AND token.expires_at > :stamp""",
)
GRANTS = Query(
    GrantRow,
    """SELECT app_grant.id, app.client_id, app.name, app_grant.scopes, app_grant.created_at
    FROM app_grant JOIN app ON app.id = app_grant.app_id
    WHERE app_grant.user_id = :user_id AND app_grant.environment = :environment AND app_grant.revoked_at IS NULL
    AND (EXISTS (SELECT 1 FROM refresh_token WHERE refresh_token.app_grant_id = app_grant.id
            AND refresh_token.used_at IS NULL)
        OR EXISTS (SELECT 1 FROM token WHERE token.grant_id = app_grant.id AND token.revoked_at IS NULL
            AND token.expires_at > :stamp))
    ORDER BY app_grant.id DESC""",
)
OF_USER = Statement("SELECT id FROM app_grant WHERE user_id = :user_id AND revoked_at IS NULL ORDER BY id")
OF_APP = Statement("SELECT id FROM app_grant WHERE app_id = :app_id AND revoked_at IS NULL ORDER BY id")
REVOKE = Statement("UPDATE app_grant SET revoked_at = :stamp WHERE id = :grant_id AND revoked_at IS NULL")
USED = Statement("UPDATE refresh_token SET used_at = :stamp WHERE id = :token_id AND used_at IS NULL")
KEYS = Query(KeyRow, "SELECT kid, sealed, created_at FROM signing_key ORDER BY created_at, kid")
FORGET_CODES = Statement("DELETE FROM app_code WHERE expires_at <= :before")
# a token that was used that long ago is refused like one that never was
FORGET_USED = Statement("DELETE FROM refresh_token WHERE used_at <= :before")


def find(conn: Connection, client_id: str, environment: str) -> AppRow | None:
    """Return an app, also one that was removed."""
    return ONE.one(conn, client_id=client_id, environment=environment)


def registered(conn: Connection, environment: str) -> list[AppRow]:
    """Return the apps that are registered, the oldest first."""
    return ALL.all(conn, environment=environment)


def add(conn: Connection, environment: str, fields: dict[str, str | None]) -> int:
    """Insert an app and return the id."""
    return insert(conn, "app", {"environment": environment, **fields})


def change(conn: Connection, app_id: int, fields: dict[str, str | None]) -> None:
    """Set columns of an app."""
    update(conn, "app", fields, id=app_id)


def add_code(conn: Connection, hashed: str, environment: str, fields: dict[str, int | str | None]) -> None:
    """Insert a code, of which only the digest is kept."""
    insert(conn, "app_code", {"hash": hashed, "environment": environment, **fields})


def find_code(conn: Connection, hashed: str, environment: str) -> CodeRow | None:
    """Return a code, also one that was used; nobody else may use it before this transaction ends."""
    return CODE.one(conn, hash=hashed, environment=environment)


def use_code(conn: Connection, code_id: int, grant_id: int) -> None:
    """Say what came of a code."""
    update(conn, "app_code", {"grant_id": grant_id}, id=code_id)


def forget_codes(conn: Connection, **of: int) -> None:
    """Delete the codes of a user (`user_id`), or of an app (`app_id`)."""
    delete(conn, "app_code", **of)


def add_grant(conn: Connection, environment: str, fields: dict[str, int | str]) -> int:
    """Insert what a user grants an app, and return the id."""
    return insert(conn, "app_grant", {"environment": environment, **fields})


def grants_of(conn: Connection, user_id: int, environment: str, stamp: str) -> list[GrantRow]:
    """Return what a user grants apps that can still do something, the newest first."""
    return GRANTS.all(conn, user_id=user_id, environment=environment, stamp=stamp)


def open_grants(conn: Connection, *, user_id: int | None = None, app_id: int | None = None) -> list[int]:
    """Return what was granted by a user, or to an app, and is not revoked."""
    if user_id is not None:
        return OF_USER.values(conn, user_id=user_id)
    return OF_APP.values(conn, app_id=app_id)


def revoke_grant(conn: Connection, grant_id: int, stamp: str) -> bool:
    """End what was granted; say whether it had not ended before."""
    return REVOKE.run(conn, grant_id=grant_id, stamp=stamp) > 0


def add_refresh(conn: Connection, grant_id: int, hashed: str, environment: str, stamp: str) -> None:
    """Insert a refresh token, of which only the digest is kept."""
    row = {"app_grant_id": grant_id, "hash": hashed, "environment": environment, "created_at": stamp}
    insert(conn, "refresh_token", row)


def find_refresh(conn: Connection, hashed: str, environment: str) -> RefreshRow | None:
    """Return a refresh token, also one that was used; nobody else may use it before this transaction ends."""
    return REFRESH.one(conn, hash=hashed, environment=environment)


def use_refresh(conn: Connection, token_id: int, stamp: str) -> None:
    """Say that a refresh token gave way to another one."""
    USED.run(conn, token_id=token_id, stamp=stamp)


def find_access(conn: Connection, hashed: str, environment: str, stamp: str) -> AccessRow | None:
    """Return an access token of an app that is in force at a moment."""
    return ACCESS.one(conn, hash=hashed, environment=environment, stamp=stamp)


def signing_keys(conn: Connection) -> list[KeyRow]:
    """Return the keys that ID tokens are signed with, the oldest first."""
    return KEYS.all(conn)


def add_key(conn: Connection, key: KeyRow) -> None:
    """Insert a key."""
    insert_many(conn, "signing_key", [key._asdict()])


def forget_key(conn: Connection, kid: str) -> None:
    """Delete a key."""
    delete(conn, "signing_key", kid=kid)


def forget(conn: Connection, codes_before: str, used_before: str) -> int:
    """Delete codes that ended, and refresh tokens that were used, before moments; return how many there were."""
    return FORGET_CODES.run(conn, before=codes_before) + FORGET_USED.run(conn, before=used_before)
