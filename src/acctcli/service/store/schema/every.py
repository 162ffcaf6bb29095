"""Every table, for whoever looks at all of them; a command declares only the tables it uses."""

from __future__ import annotations

from acctcli.service.store.schema import (  # noqa: F401 - each declares its tables
    attachments,
    books,
    business,
    chart,
    contacts,
    invoices,
    log,
    payouts,
    people,
    periods,
    products,
    purchases,
    tags,
    webhooks,
    workflows,
)
from acctcli.service.store.schema.columns import metadata

# tables whose rows are counted by triggers, so that lists need not
COUNTED = (
    "account",
    "attachment",
    "contact",
    "document",
    "header",
    "product",
    "purchase_invoice",
    "sales_invoice",
    "sales_payout",
    "tag",
    "webhook_subscription",
    "workflow",
)

__all__ = ["COUNTED", "metadata"]
