"""Webhook subscriptions: SQL only. A row is a mapping with the names of the columns; secrets are encrypted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from acctcli.service.store.listing import Clauses, Listing
from acctcli.service.store.schema.webhooks import webhook_subscription

KEY = (
    webhook_subscription.c.business_id == bindparam("business_id"),
    webhook_subscription.c.id == bindparam("subscription_id"),
)
LISTING = Listing(webhook_subscription, tuple(webhook_subscription.c), (webhook_subscription.c.id,), {})
ONE = select(webhook_subscription).where(*KEY)
ONE_FOR_UPDATE = ONE.with_for_update()
INSERT = insert(webhook_subscription).returning(webhook_subscription.c.id)
# an update takes a parameter named like a column for a value to set: hence `of_business`
UPDATE = update(webhook_subscription).where(
    webhook_subscription.c.business_id == bindparam("of_business"),
    webhook_subscription.c.id == bindparam("of_subscription"),
)
DELETE = delete(webhook_subscription).where(*KEY)


def list_page(
    conn: Connection, business_id: int, clauses: Clauses, *, limit: int, offset: int
) -> tuple[int, list[dict[str, Any]]]:
    """Return how many subscriptions there are, and one page of them by id."""
    count, rows = LISTING.page(conn, business_id, clauses, limit=limit, offset=offset)
    return count, [dict(row._mapping) for row in rows]


def get(conn: Connection, business_id: int, subscription_id: int, *, for_update: bool = False) -> dict[str, Any] | None:
    """Return a subscription of the business, or None."""
    key = {"business_id": business_id, "subscription_id": subscription_id}
    row = conn.execute(ONE_FOR_UPDATE if for_update else ONE, key).mappings().one_or_none()
    return None if row is None else dict(row)


def create(conn: Connection, business_id: int, values: Mapping[str, Any]) -> int:
    """Insert a subscription and return its id."""
    return int(conn.execute(INSERT, {"business_id": business_id, **values}).scalar_one())


def change(conn: Connection, business_id: int, subscription_id: int, values: Mapping[str, Any]) -> None:
    """Write some columns of a subscription."""
    conn.execute(UPDATE, {**values, "of_business": business_id, "of_subscription": subscription_id})


def remove(conn: Connection, business_id: int, subscription_id: int) -> None:
    """Delete a subscription."""
    conn.execute(DELETE, {"business_id": business_id, "subscription_id": subscription_id})
