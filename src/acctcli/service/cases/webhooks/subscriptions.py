"""Webhook subscriptions, and what may be asked of their deliveries (docs/interface.md 11.2, 11.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Raw

from acctcli.models.events import PING
from acctcli.service.cases.records import Columns
from acctcli.service.cases.work import Work, found
from acctcli.service.problems import Precondition
from acctcli.service.store import deliveries
from acctcli.service.store.rows import Record, Rows

if TYPE_CHECKING:
    from acctcli.models.webhook import Event, WebhookDelivery, WebhookSubscription

ROWS = Rows[Record](dict, "webhook_subscription")
PASSWORD, SECRET = "basic_auth_password", "signing_secret"


def secret_place(business_id: int, column: str) -> str:
    """Name the place a secret is encrypted for: it opens in no other business and no other column."""
    return f"webhook_subscription/{business_id}/{column}"


def show_subscription(row: Columns) -> WebhookSubscription:
    """Return a subscription as it is shown."""
    return {
        "id": row["id"],
        "name": row["name"],
        "target_url": row["target_url"],
        "is_active": row["is_active"],
        "basic_auth_username": row["basic_auth_username"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
    }


def show_delivery(row: Columns) -> WebhookDelivery:
    """Return a delivery as it is shown."""
    return {
        "id": row["id"],
        "subscription_id": row["subscription_id"],
        "event_id": row["event_number"],
        "event_type": row["event_type"],
        "status": row["status"],
        "attempts": row["attempts"],
        "next_attempt_at": row["due_at"] if row["status"] == deliveries.WAITING else None,
        "last_attempt_at": row["attempted_at"],
        "last_status": row["last_status"],
        "last_error": row["last_error"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
    }


def begin(work: Work, subscription_id: int) -> None:
    """Let a new subscription be told of what happens from now on."""
    deliveries.begin(work.conn, work.business.id, subscription_id)


def follow(work: Work, before: Columns, after: Columns) -> None:
    """Follow a change of a subscription: an inactive one is told nothing any more, nor what happened meanwhile.

    How its receiver answered says nothing of another one.
    """
    subscription_id = before["id"]
    if before["target_url"] != after["target_url"]:
        deliveries.forget_answers(work.conn, work.business.id, subscription_id)
    if before["is_active"] and not after["is_active"]:
        deliveries.cancel(work.conn, work.business.id, subscription_id, work.stamp)
    elif after["is_active"] and not before["is_active"]:
        deliveries.skip(work.conn, work.business.id, subscription_id)


def end(work: Work, row: Columns) -> None:
    """End what a subscription that is deleted was still to be told."""
    deliveries.end(work.conn, work.business.id, row["id"], work.stamp)


def deactivate(work: Work, subscription_id: int, target_url: str) -> None:
    """Make a subscription inactive whose receiver says that it is gone, unless it has another one by now."""
    row = ROWS.get(work.conn, work.business.id, subscription_id, for_update=True)
    if row is None or not row["is_active"] or row["target_url"] != target_url:
        return
    columns: dict[str, Any] = {"is_active": False, "updated_at": work.stamp}
    ROWS.change(work.conn, work.business.id, subscription_id, columns)
    follow(work, row, {**row, **columns})
    work.emit("webhook_subscription.updated", show_subscription({**row, **columns}))


def show_event(slug: str, row: Columns) -> Event:
    """Return an event of a business as its subscriptions are told."""
    return {
        "id": row["number"],
        "type": row["type"],
        "timestamp": row["created_at"],
        "business_slug": slug,
        "data": Raw(row["data"].encode()),
    }


def ping_subscription(work: Work, subscription_id: int) -> WebhookDelivery:
    """Let a subscription be told of nothing, to see whether it listens."""
    _active(work, subscription_id)
    place = (work.business.id, work.business.slug)
    return show_delivery(deliveries.add_test(work.conn, place, subscription_id, PING, work.stamp))


def redeliver(work: Work, subscription_id: int, delivery_id: int) -> WebhookDelivery:
    """Let a delivery begin anew, whatever came of it."""
    _active(work, subscription_id)
    row = found(deliveries.get(work.conn, work.business.id, subscription_id, delivery_id), "delivery")
    columns = {"status": deliveries.WAITING, "attempts": 0, "due_at": work.stamp, "updated_at": work.stamp}
    deliveries.again(work.conn, row, columns)
    return show_delivery({**row, **columns})


def _active(work: Work, subscription_id: int) -> None:
    row = ROWS.get(work.conn, work.business.id, subscription_id)
    if not found(row, "webhook subscription")["is_active"]:
        text = "The webhook subscription is inactive, and nothing is sent to it: make it active first."
        raise Precondition(text, fields={"is_active": [text]})
