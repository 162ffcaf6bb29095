"""The trail of what happened, and the webhook subscriptions that are told of it."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Index,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from acctcli.service.store.schema.columns import (
    Id,
    Stamp,
    flag,
    id_column,
    inside,
    metadata,
    of_business,
    partial_index,
    stamps,
    table,
)

# The trail: every change and who made it, chained by hashes (docs/interface.md 11.1, 11.4). No reference to business:
# `business.deleted` outlives it. What has no hash is from before the trail, and nobody knows who made it.
event = table(
    "event",
    id_column(),
    Column("business_id", Id, nullable=False),
    Column("number", BigInteger, nullable=False),  # increasing per business
    Column("type", String(64), nullable=False),
    Column("data", Text, nullable=False),
    Column("created_at", Stamp, nullable=False),
    UniqueConstraint("business_id", "number"),
    Column("record_id", BigInteger),  # the id in the data
    Column("user_id", BigInteger),
    Column("author", Text),  # name and address, as they were then
    Column("client", Text),
    Column("via", String(16)),
    Column("request_id", String(32)),
    Column("operation", String(96)),
    Column("hash", String(64)),
    Index(None, "business_id", "record_id", "number"),
    Index(None, "business_id", "type", "number"),
)

# How many records of each type are among a thousand of a trail, of whole thousands up to the number `until`.
event_block = Table(
    "event_block",
    metadata,
    Column("business_id", Id, nullable=False, autoincrement=False),
    Column("until", BigInteger, nullable=False, autoincrement=False),
    Column("type", String(64), nullable=False),
    Column("count", Integer, nullable=False),
    PrimaryKeyConstraint("business_id", "type", "until"),
)

# The newest record of a trail, marked with the key of the installation.
trail_head = Table(
    "trail_head",
    metadata,
    Column("business_id", Id, nullable=False, autoincrement=False),
    Column("number", BigInteger, nullable=False),
    Column("hash", String(64), nullable=False),
    Column("created_at", Stamp, nullable=False),
    Column("mark", String(64), nullable=False),
    PrimaryKeyConstraint("business_id"),
)

# The end of each day of a trail, marked alike.
trail_seal = Table(
    "trail_seal",
    metadata,
    Column("business_id", Id, nullable=False, autoincrement=False),
    Column("day", String(10), nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("hash", String(64), nullable=False),
    Column("mark", String(64), nullable=False),
    PrimaryKeyConstraint("business_id", "day"),
)

webhook_subscription = table(
    "webhook_subscription",
    id_column(),
    *stamps(),
    *of_business(unique_id=True),
    Column("name", String(128), nullable=False),
    Column("target_url", String(2048), nullable=False),
    flag("is_active"),
    Column("basic_auth_username", String(255)),
    Column("basic_auth_password", LargeBinary),  # encrypted with the installation's key, as is the secret
    Column("signing_secret", LargeBinary, nullable=False),
    counted=True,
)

# How far the events of its business have become deliveries of a subscription: the number of the last one; and how its
# receiver answers.
webhook_position = Table(
    "webhook_position",
    metadata,
    *of_business(),
    Column("subscription_id", Id, nullable=False),
    Column("number", BigInteger, nullable=False),
    # in time, one after another, as far as that counts; less than 0 where it stood still
    Column("answers", Integer, nullable=False, server_default="0"),
    PrimaryKeyConstraint("business_id", "subscription_id"),
    inside("subscription_id", "webhook_subscription", ondelete="CASCADE"),
)


def delivery_kind() -> tuple[Column[Any], ...]:
    """Say of which kind deliveries are, and how many."""
    return (
        Column("subscription_id", Id, nullable=False),
        Column("status", String(16), nullable=False),
        Column("event_type", String(64), nullable=False),
        Column("count", BigInteger, nullable=False),
    )


# What a subscription is to be told: an event, or a test without one. It outlives the subscription.
webhook_delivery = table(
    "webhook_delivery",
    id_column(),
    *stamps(),
    *of_business(),
    Column("subscription_id", Id, nullable=False),
    Column("event_number", BigInteger),
    Column("event_type", String(64), nullable=False),
    Column("slug", String(16), nullable=False),  # that the business had then: every attempt says the same
    Column("status", String(16), nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("due_at", Stamp, nullable=False),  # while somebody is at it: from when on others may be
    Column("attempted_at", Stamp),
    Column("last_status", Integer),
    Column("last_error", String(32)),
    UniqueConstraint("subscription_id", "event_number"),
    Index(None, "business_id", "id"),
    # what lists are narrowed by
    Index(None, "subscription_id", "status", "id"),
    Index(None, "subscription_id", "event_type", "status", "id"),
    partial_index("ix_webhook_delivery_due", "subscription_id", "due_at", where="status = 'waiting'"),
)

# How many deliveries of a kind there are, so that lists do not count: what was added up, and numbers that come on top,
# below zero for those that left a kind. Who delivers only adds rows, so that processes do not wait for each other.
webhook_tally = Table(
    "webhook_tally",
    metadata,
    *of_business(),
    *delivery_kind(),
    PrimaryKeyConstraint("business_id", "subscription_id", "status", "event_type"),
)
webhook_tally_part = table(
    "webhook_tally_part",
    id_column(),
    *of_business(),
    *delivery_kind(),
    Index(None, "business_id"),
)
