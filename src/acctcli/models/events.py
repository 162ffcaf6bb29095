"""The events there are: `<resource>.<verb>` (docs/interface.md 11.1).

A module of this package is a resource, which is created, updated and deleted, unless it is named below.
"""

from __future__ import annotations

from pathlib import Path

# modules that are no resource, or not by their own name
OTHERS = {
    "audit", "base", "constants", "delivery", "enums", "events", "fields", "graph", "invoice", "jwt", "placeholders",
    "reply", "report", "signature", "user", "webhook",
}  # fmt: skip
# resources that have no module of their name
UNNAMED = {"identifier", "sales_invoice", "webhook_subscription"}
RESOURCES = sorted({path.stem for path in Path(__file__).parent.glob("[!_]*.py")} - OTHERS | UNNAMED)
MORE = (
    "document.locked",
    "document.unlocked",
    "document.flagged",
    "document.unflagged",
    "document.commented",
    "document.seen",
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
    "vat_period.reopened",
    "period.locked",
    "period.unlocked",
    "workflow_run.started",
    "workflow_run.cancelled",
    "business.restored",
    "business.chained",
    "service.begun",
    "service.restored",
    "user.created",
    "user.updated",
    "usership.created",
    "usership.updated",
    "usership.deleted",
    "invitation.created",
    "invitation.accepted",
    "invitation.rejected",
    "invitation.deleted",
    "jwt_key.created",
    "token.created",
    "token.revoked",
    "password.changed",
    "app.created",
    "app.deleted",
    "app_grant.created",
    "app_grant.revoked",
    "session.created",
    "session.ended",
)
# what a subscription is told that is asked whether it listens, and is no event
PING = "webhook.ping"
EVENT_TYPES = (*(f"{name}.{verb}" for name in RESOURCES for verb in ("created", "updated", "deleted")), *MORE)
