"""Webhook subscriptions: `/v1/business/{business_slug}/webhook_subscriptions/` (docs/interface.md 11.2, 11.6).

Password and signing secret are encrypted before they are stored, and shown to nobody: the secret only by the reply
that creates the subscription. Their deliveries are shown and repeated below.
"""

from __future__ import annotations

import base64
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from acctcli.models.enums import DeliveryStatus
from acctcli.models.signature import PREFIX
from acctcli.service.cases.records import Columns, Records
from acctcli.service.cases.webhooks.subscriptions import (
    PASSWORD,
    ROWS,
    SECRET,
    begin,
    end,
    follow,
    ping_subscription,
    redeliver,
    secret_place,
    show_delivery,
    show_subscription,
)
from acctcli.service.identity.keys import NONCE_BYTES
from acctcli.service.problems import Invalid
from acctcli.service.routes.call import Call
from acctcli.service.routes.operation import INTEGRATIONS, ONE_BUSINESS, Area
from acctcli.service.routes.parameters import Parameter
from acctcli.service.routes.query import Page
from acctcli.service.store import told

if TYPE_CHECKING:
    from acctcli.models.webhook import (
        NewWebhookSubscription,
        WebhookDelivery,
        WebhookRequest,
        WebhookSubscription,
    )

SECRET_BYTES = 24


def _columns(call: Call, sent: dict[str, Any], row: Columns) -> dict[str, Any]:
    """Return the columns of what was sent; a password goes with its user."""
    password = sent.get(PASSWORD)
    if {**row, **sent}["basic_auth_username"] is None:
        if password is not None:
            raise Invalid.field("basic_auth_username", "A password needs a user.")
        return {**sent, PASSWORD: None}
    if PASSWORD not in sent and row and row[PASSWORD] is not None and _place(row) != _place({**row, **sent}):
        raise Invalid.field(PASSWORD, "The password is for another host: send it again, or null, with this address.")
    return sent if password is None else {**sent, PASSWORD: _sealed(call, PASSWORD, password)}


def _place(row: Columns) -> tuple[str, str | None, int | None]:
    """Return whom a subscription sends to: scheme, host and port."""
    parts = urlsplit(row["target_url"])
    return parts.scheme, parts.hostname, parts.port


def _sealed(call: Call, column: str, secret: str) -> bytes:
    place = secret_place(call.business.id, column)
    return call.installation.seal(secret.encode(), place, call.random(NONCE_BYTES))


WEBHOOKS = Records("webhook_subscription", ROWS, _columns, show_subscription, end)


def _create(call: Call, body: WebhookRequest) -> NewWebhookSubscription:
    """Create a subscription and the secret its deliveries are signed with, in the form of Standard Webhooks."""
    secret = PREFIX + base64.b64encode(call.random(SECRET_BYTES)).decode()
    shown = WEBHOOKS.create(call, body, **{SECRET: _sealed(call, SECRET, secret)})
    begin(call, shown["id"])
    return {**shown, "signing_secret": secret}


def _change(call: Call, subscription_id: int, body: WebhookRequest, names: AbstractSet[str]) -> WebhookSubscription:
    """Write the fields of these names, the password only if it was sent: what is never shown cannot be sent back."""
    kept = {PASSWORD} - body.model_fields_set
    before = WEBHOOKS.find(call, subscription_id, for_update=True)
    shown = WEBHOOKS.change(call, subscription_id, body, names - kept)
    follow(call, before, shown)
    return shown


def list_webhook_deliveries(call: Call) -> Page[WebhookDelivery]:
    """List what the subscriptions of the business are told, the newest first."""
    page = call.page
    total, rows = told.page(call.conn, call.business.id, call.clauses, limit=page.size, offset=page.offset)
    return Page(total, list(map(show_delivery, rows)))


def list_subscription_deliveries(call: Call) -> Page[WebhookDelivery]:
    """List what one subscription is told, the newest first."""
    page, subscription_id = call.page, call.ids["subscription_id"]
    WEBHOOKS.find(call, subscription_id)
    clauses = {**call.clauses, "subscription": {"subscription": subscription_id}}
    total, rows = told.page(call.conn, call.business.id, clauses, limit=page.size, offset=page.offset)
    return Page(total, list(map(show_delivery, rows)))


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

FILTERS = (
    Parameter("status", "string", "How far they have come.", choices=tuple(DeliveryStatus)),
    Parameter("event", "integer", "The id of the event."),
    Parameter("type", "string", "The type of the event, such as document.created."),
)
DELIVERY = "webhook:WebhookDelivery"
AREA.page(
    "deliveries/",
    list_webhook_deliveries,
    "List what the webhook subscriptions are told, the newest first.",
    Parameter("subscription", "integer", "The id of the subscription, also of one that was deleted."),
    *FILTERS,
    response=DELIVERY,
    local=True,
)
AREA.page(
    f"{AREA.one}deliveries/",
    list_subscription_deliveries,
    "List what a webhook subscription is told, the newest first.",
    *FILTERS,
    response=DELIVERY,
    local=True,
)
AREA.act(
    "action/ping/",
    ping_subscription,
    "Tell a webhook subscription of nothing, to see whether it listens.",
    response=DELIVERY,
    status=201,
    local=True,
)
AREA.act(
    "deliveries/{delivery_id}/action/redeliver/",
    redeliver,
    "Deliver once more, whatever came of it.",
    name="redeliver_webhook",
    response=DELIVERY,
    local=True,
)
