"""Events: `/v1/business/{business_slug}/events/`, as subscriptions are told them (docs/interface.md 11.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from acctcli.service.cases.webhooks.subscriptions import show_event
from acctcli.service.routes.call import Call
from acctcli.service.routes.operation import INTEGRATIONS, ONE_BUSINESS, Area
from acctcli.service.routes.parameters import Parameter
from acctcli.service.routes.query import Page
from acctcli.service.store import told

if TYPE_CHECKING:
    from acctcli.models.webhook import Event


def list_events(call: Call) -> Page[Event]:
    """List what happened in the business, the oldest first."""
    page, slug = call.page, call.business.slug
    of = {"limit": page.size, "offset": page.offset}
    total, rows = told.page_of_events(call.conn, call.business.id, call.clauses, **of)
    return Page(total, [show_event(slug, row) for row in rows])


AREA = Area("event", f"{ONE_BUSINESS}events/", "event", one="", read=INTEGRATIONS)
AREA.page(
    "",
    list_events,
    "List what happened in the business, the oldest first.",
    Parameter("after", "integer", "Only events with a higher id."),
    Parameter("type", "string", "Only events of this type, such as document.created."),
    response="webhook:Event",
    local=True,
)
