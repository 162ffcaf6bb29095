"""The events there are: `<resource>.<verb>` (docs/interface.md 11.1). Plain data: nothing is imported for it."""

from __future__ import annotations

RESOURCES = (
    "business",
    "identifier",
    "account",
    "header",
    "document",
    "relation",
    "contact",
    "product",
    "sales_invoice",
    "purchase_invoice",
    "vat_period",
    "period",
    "tag",
    "file",
    "sales_payout",
    "workflow",
    "webhook_subscription",
)
MORE = (
    "document.locked",
    "document.unlocked",
    "document.flagged",
    "document.unflagged",
    "sales_invoice.accepted",
    "sales_invoice.sent",
    "sales_invoice.paid",
    "sales_invoice.unpaid",
    "sales_invoice.credit_loss",
    "sales_invoice.recurrence_disabled",
    "purchase_invoice.paid",
    "purchase_invoice.unpaid",
    "vat_period.locked",
    "vat_period.unlocked",
    "vat_period.reported",
    "period.locked",
    "period.unlocked",
)
EVENT_TYPES = (*(f"{name}.{verb}" for name in RESOURCES for verb in ("created", "updated", "deleted")), *MORE)
