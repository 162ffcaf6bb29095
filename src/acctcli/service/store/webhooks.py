"""Webhook subscriptions: SQL only. A row is a mapping with the names of the columns; secrets are encrypted."""

from __future__ import annotations

from acctcli.service.store.rows import Record, Rows

ROWS = Rows[Record](dict, "webhook_subscription")
list_page, get, create, change, remove = ROWS.list_page, ROWS.get, ROWS.create, ROWS.change, ROWS.remove
