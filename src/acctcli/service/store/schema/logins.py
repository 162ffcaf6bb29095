"""How people sign in: passwords, sessions of browsers, apps and what was granted to them (docs/interface.md 12.1).

What is shown once is kept as a hash: of tokens the SHA-256, of all else a digest that takes the key of the installation
to make, so that whoever may write the database alone can make no session and no code. `environment` is the name of the
service that they were made by; another one does not take them.
"""

from __future__ import annotations

from sqlalchemy import (
    Column,
    ForeignKey,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from acctcli.service.store.schema.columns import Id, Stamp, id_column, metadata, table

ENVIRONMENT = 40
HASH = 64


def _of(name: str, *, index: bool = True) -> Column[int]:
    """Belong to a row of another table, and go with it."""
    target = {"user_id": "users.id"}.get(name, f"{name.removesuffix('_id')}.id")
    return Column(name, Id, ForeignKey(target, ondelete="CASCADE"), nullable=False, index=index)


password = Table(
    "password",
    metadata,
    _of("user_id", index=False),
    Column("hash", Text, nullable=False),  # argon2id, as a PHC string
    Column("changed_at", Stamp, nullable=False),
    PrimaryKeyConstraint("user_id"),
)

# Wrong passwords since a moment, by the digest of who was tried and from where.
guess = Table(
    "guess",
    metadata,
    Column("name", String(HASH), nullable=False),
    Column("failures", Integer, nullable=False),
    Column("since", Stamp, nullable=False),
    PrimaryKeyConstraint("name"),
)

# A browser that somebody signed in with.
session = table(
    "session",
    id_column(),
    _of("user_id"),
    Column("environment", String(ENVIRONMENT), nullable=False),
    Column("hash", String(HASH), nullable=False, unique=True),
    Column("client", Text, nullable=False),
    Column("created_at", Stamp, nullable=False),
    Column("expires_at", Stamp, nullable=False),
    Column("ended_at", Stamp),
)

# An app that was registered: a public one has no secret. One that was removed keeps its row, and its id.
app = table(
    "app",
    id_column(),
    Column("environment", String(ENVIRONMENT), nullable=False),
    Column("client_id", String(64), nullable=False),
    Column("name", String(128), nullable=False),
    Column("secret_hash", String(HASH)),
    Column("redirects", Text, nullable=False),  # addresses, separated by spaces
    Column("scopes", String(128), nullable=False),
    Column("created_at", Stamp, nullable=False),
    Column("removed_at", Stamp),
    UniqueConstraint("environment", "client_id"),
)

# What somebody let an app do: its tokens end with it.
app_grant = table(
    "app_grant",
    id_column(),
    _of("app_id"),
    _of("user_id"),
    Column("environment", String(ENVIRONMENT), nullable=False),
    Column("scopes", String(128), nullable=False),
    Column("signed_in_at", Stamp, nullable=False),
    Column("created_at", Stamp, nullable=False),
    Column("revoked_at", Stamp),
)

# `grant_id` is what came of a code that was used.
app_code = table(
    "app_code",
    id_column(),
    _of("app_id"),
    _of("user_id"),
    Column("environment", String(ENVIRONMENT), nullable=False),
    Column("hash", String(HASH), nullable=False, unique=True),
    Column("redirect", Text, nullable=False),
    Column("scopes", String(128), nullable=False),
    Column("nonce", Text),
    Column("challenge", String(128), nullable=False),
    Column("signed_in_at", Stamp, nullable=False),
    Column("expires_at", Stamp, nullable=False),
    Column("grant_id", Id),
)

refresh_token = table(
    "refresh_token",
    id_column(),
    _of("app_grant_id"),
    Column("environment", String(ENVIRONMENT), nullable=False),
    Column("hash", String(HASH), nullable=False, unique=True),
    Column("created_at", Stamp, nullable=False),
    Column("used_at", Stamp),
)

# Keys that ID tokens are signed with, sealed with that of the installation.
signing_key = Table(
    "signing_key",
    metadata,
    Column("kid", String(43), nullable=False),
    Column("sealed", LargeBinary, nullable=False),
    Column("created_at", Stamp, nullable=False),
    PrimaryKeyConstraint("kid"),
)
