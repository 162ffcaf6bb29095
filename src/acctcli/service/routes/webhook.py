"""Webhook subscriptions: `/v1/business/{business_slug}/webhook_subscriptions/` (wire facts 1.4, 8.1).

Password and signing secret are encrypted before they are stored, and shown to nobody: the secret only by the reply
that creates the subscription.
"""

from __future__ import annotations

import base64
from collections.abc import Collection, Mapping
from typing import Any

from acctcli.service.identity.keys import NONCE_BYTES
from acctcli.service.problems import Invalid, Missing
from acctcli.service.routes.call import Call, Page
from acctcli.service.store import webhooks

PLAIN = ("name", "target_url", "is_active", "basic_auth_username")
PASSWORD = "basic_auth_password"  # noqa: S105 - a name
FIELDS = (*PLAIN, PASSWORD)
SECRET_PREFIX = "whsec_"  # noqa: S105 - what secrets begin with
SECRET_BYTES = 24


def list_subscriptions(call: Call) -> Page:
    """List subscriptions by id."""
    page = call.page
    count, rows = webhooks.list_page(call.conn, call.business.id, limit=page.size, offset=page.offset)
    return Page(count, [_shown(row) for row in rows])


def create_subscription(call: Call) -> dict[str, Any]:
    """Create a subscription and the secret its deliveries are signed with, in the form of Standard Webhooks."""
    secret = SECRET_PREFIX + base64.b64encode(call.random(SECRET_BYTES)).decode()
    columns = {
        **_columns(call, {}, FIELDS),
        "signing_secret": _sealed(call, "signing_secret", secret),
        "created_at": call.stamp,
        "updated_at": call.stamp,
    }
    shown = _shown(columns | {"id": webhooks.create(call.conn, call.business.id, columns)})
    call.emit("webhook_subscription.created", shown)
    return shown | {"signing_secret": secret}


def get_subscription(call: Call) -> dict[str, Any]:
    """Show a subscription."""
    return _shown(_find(call))


def replace_subscription(call: Call) -> dict[str, Any]:
    """Replace a subscription: fields that are not sent return to their defaults, the signing secret stays."""
    return _change(call, FIELDS)


def update_subscription(call: Call) -> dict[str, Any]:
    """Change the fields that are sent."""
    return _change(call, call.body.model_fields_set)


def delete_subscription(call: Call) -> None:
    """Delete a subscription."""
    row = _find(call, for_update=True)
    webhooks.remove(call.conn, call.business.id, row["id"])
    call.emit("webhook_subscription.deleted", {"id": row["id"]})


def _find(call: Call, *, for_update: bool = False) -> dict[str, Any]:
    row = webhooks.get(call.conn, call.business.id, call.ids["subscription_id"], for_update=for_update)
    if row is None:
        raise Missing("There is no such webhook subscription.")
    return row


def _change(call: Call, names: Collection[str]) -> dict[str, Any]:
    row = _find(call, for_update=True)
    columns = _columns(call, row, names) | {"updated_at": call.stamp}
    webhooks.change(call.conn, call.business.id, row["id"], columns)
    shown = _shown(row | columns)
    call.emit("webhook_subscription.updated", shown)
    return shown


def _columns(call: Call, row: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    """Return the columns behind the fields named; a password goes with its user."""
    columns = {name: getattr(call.body, name) for name in PLAIN if name in names}
    password = getattr(call.body, PASSWORD) if PASSWORD in names else None
    if (columns if "basic_auth_username" in columns else row)["basic_auth_username"] is None:
        if password is not None:
            raise Invalid.field("basic_auth_username", "A password needs a user.")
        columns[PASSWORD] = None
    elif PASSWORD in names:
        columns[PASSWORD] = None if password is None else _sealed(call, PASSWORD, password)
    return columns


def _sealed(call: Call, column: str, secret: str) -> bytes:
    place = secret_place(call.business.id, column)
    return call.installation.seal(secret.encode(), place, call.random(NONCE_BYTES))


def secret_place(business_id: int, column: str) -> str:
    """Name the place a secret is encrypted for: it opens in no other business and no other column."""
    return f"webhook_subscription/{business_id}/{column}"


def _shown(row: Mapping[str, Any]) -> dict[str, Any]:
    return {"id": row["id"], **{name: row[name] for name in (*PLAIN, "created_at", "updated_at")}}
