"""Businesses: `/v1/business/` and `/v1/business/{business_slug}/` (interface: Business; wire facts 1.1, 2.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from acctcli.service.cases import businesses
from acctcli.service.routes.call import Call, Page
from acctcli.service.routes.operation import ADMIN, MEMBER, Area
from acctcli.service.routes.parameters import Parameter
from acctcli.service.store.businesses import page as page_of_user

if TYPE_CHECKING:
    from acctcli.models.business import Business

AREA = Area(
    "business",
    "/v1/business/",
    write=ADMIN,
    request="business:BusinessRequest",
    response="business:Business",
    one="{business_slug}/",
)


@AREA.page(Parameter("search", "string", "Name, slug or identifier value."))
def list_businesses(call: Call) -> Page:
    """List the caller's businesses."""
    page, search, only = call.page, call.query.text("search"), call.credential.selection
    count, rows = page_of_user(call.conn, call.user.id, search, call.today, page.size, page.offset, only)
    return Page(count, businesses.show_businesses(call, rows))


@AREA.create(needs=MEMBER, forms=True)
def create_business(call: Call) -> Business:
    """Create a business with the default chart of accounts."""
    return businesses.create_business(call, call.body)


@AREA.get()
def get_business(call: Call) -> Business:
    """Show a business."""
    return businesses.show_business(call)


@AREA.replace(forms=True)
def replace_business(call: Call) -> Business:
    """Replace the settings of a business."""
    return businesses.change_business(call, call.body)


@AREA.update(forms=True)
def update_business(call: Call) -> Business:
    """Change settings of a business."""
    return businesses.change_business(call, call.body, call.body.model_fields_set)


@AREA.delete()
def delete_business(call: Call) -> None:
    """Delete a business with all its data."""
    businesses.delete_business(call)
