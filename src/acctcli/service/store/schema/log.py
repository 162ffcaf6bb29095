"""What the service keeps beside the books: row counts, the outbox, replies to be replayed."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
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

from acctcli.service.store.schema.columns import Id, Stamp, id_column, metadata, of_business, table

# How many rows a list has, kept by triggers: `kind` is the table's name.
tally = Table(
    "tally",
    metadata,
    *of_business(),
    Column("kind", String(32), nullable=False),
    Column("count", BigInteger, nullable=False),
    # random, and another one whenever a row comes, goes, or moves: what is known of the order holds as long as it stays
    Column("state", BigInteger, nullable=False),
    PrimaryKeyConstraint("business_id", "kind"),
)

# The outbox. No reference to business: `business.deleted` outlives it.
event = table(
    "event",
    id_column(),
    Column("business_id", Id, nullable=False),
    Column("number", BigInteger, nullable=False),  # increasing per business
    Column("type", String(64), nullable=False),
    Column("data", Text, nullable=False),
    Column("created_at", Stamp, nullable=False),
    UniqueConstraint("business_id", "number"),
)

# Stored replies for Idempotency-Key (wire facts 7.5).
stored_reply = Table(
    "stored_reply",
    metadata,
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("key", String(255), nullable=False),
    Column("fingerprint", String(64), nullable=False),
    Column("status", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("created_at", Stamp, nullable=False, index=True),
    PrimaryKeyConstraint("user_id", "key"),
)

# How far the schema has come (store/migrations): one row.
schema_revision = Table("schema_revision", metadata, Column("number", String(4), nullable=False))
