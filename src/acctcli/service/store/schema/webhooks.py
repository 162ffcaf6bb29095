"""Webhook subscriptions: where the events of a business are sent to."""

from __future__ import annotations

from sqlalchemy import Column, LargeBinary, String

from acctcli.service.store.schema.columns import flag, id_column, of_business, stamps, table

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
