"""Webhook subscriptions: `/v1/business/{business_slug}/webhook_subscriptions/` (docs/interface.md 11.2).

Password and signing secret are encrypted before they are stored, and shown to nobody: the secret only by the reply
that creates the subscription.
"""

from __future__ import annotations

import base64
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any

from acctcli.service.cases.records import Columns, Records
from acctcli.service.identity.keys import NONCE_BYTES
from acctcli.service.problems import Invalid
from acctcli.service.routes.call import Call
from acctcli.service.routes.operation import INTEGRATIONS, ONE_BUSINESS, Area
from acctcli.service.store.rows import Record, Rows

if TYPE_CHECKING:
    from acctcli.models.webhook import NewWebhookSubscription, WebhookRequest, WebhookSubscription

PASSWORD = "basic_auth_password"  # noqa: S105 - a name
SECRET_PREFIX = "whsec_"  # noqa: S105 - what secrets begin with
SECRET_BYTES = 24


def _columns(call: Call, sent: dict[str, Any], row: Columns) -> dict[str, Any]:
    """Return the columns of what was sent; a password goes with its user."""
    password = sent.get(PASSWORD)
    if {**row, **sent}["basic_auth_username"] is None:
        if password is not None:
            raise Invalid.field("basic_auth_username", "A password needs a user.")
        return {**sent, PASSWORD: None}
    return sent if password is None else {**sent, PASSWORD: _sealed(call, PASSWORD, password)}


def _sealed(call: Call, column: str, secret: str) -> bytes:
    place = secret_place(call.business.id, column)
    return call.installation.seal(secret.encode(), place, call.random(NONCE_BYTES))


def secret_place(business_id: int, column: str) -> str:
    """Name the place a secret is encrypted for: it opens in no other business and no other column."""
    return f"webhook_subscription/{business_id}/{column}"


def _shown(row: Columns) -> WebhookSubscription:
    return {
        "id": row["id"],
        "name": row["name"],
        "target_url": row["target_url"],
        "is_active": row["is_active"],
        "basic_auth_username": row["basic_auth_username"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
    }


WEBHOOKS = Records("webhook_subscription", Rows[Record](dict, "webhook_subscription"), _columns, _shown)


def _create(call: Call, body: WebhookRequest) -> NewWebhookSubscription:
    """Create a subscription and the secret its deliveries are signed with, in the form of Standard Webhooks."""
    secret = SECRET_PREFIX + base64.b64encode(call.random(SECRET_BYTES)).decode()
    shown = WEBHOOKS.create(call, body, signing_secret=_sealed(call, "signing_secret", secret))
    return {**shown, "signing_secret": secret}


def _change(call: Call, subscription_id: int, body: WebhookRequest, names: AbstractSet[str]) -> WebhookSubscription:
    """Write the fields of these names, the password only if it was sent: what is never shown cannot be sent back."""
    kept = {PASSWORD} - body.model_fields_set
    return WEBHOOKS.change(call, subscription_id, body, names - kept)


AREA = Area(
    "webhook",
    f"{ONE_BUSINESS}webhook_subscriptions/",
    "subscription",
    name="webhook subscription",
    read=INTEGRATIONS,
    write=INTEGRATIONS,
    request="webhook:WebhookRequest",
    response="webhook:WebhookSubscription",
)
AREA.plain(WEBHOOKS, creates=False, change=_change)
AREA.create(_create, response="webhook:NewWebhookSubscription", sealed=True)
