"""Who may use the service: users and their tokens."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, String

from acctcli.service.store.schema.columns import Id, Stamp, flag, id_column, stamps, table

users = table(
    "users",
    id_column(),
    *stamps(),
    Column("email", String(254), nullable=False, unique=True),
    Column("first_name", String(150), nullable=False),
    Column("last_name", String(150), nullable=False),
    Column("language", String(2)),
    flag("show_get_started_info"),
    Column("last_login", Stamp),
    Column("date_joined", Stamp, nullable=False),
    Column("last_active_business_id", Id),
    Column("last_active_business_slug", String(16)),
)

token = table(
    "token",
    id_column(),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("name", String(128), nullable=False),
    Column("hash", String(64), nullable=False, unique=True),
    Column("created_at", Stamp, nullable=False),
    Column("expires_at", Stamp),
    Column("revoked_at", Stamp),
)
