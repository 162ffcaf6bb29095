"""Businesses: `/v1/business/` and `/v1/business/{business_slug}/` (docs/interface.md 3.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from acctcli.service.cases import businesses
from acctcli.service.routes.call import Call
from acctcli.service.routes.operation import ADMIN, MEMBER, Area
from acctcli.service.routes.parameters import Parameter
from acctcli.service.routes.query import Page
from acctcli.service.store.businesses import page as page_of_user

if TYPE_CHECKING:
    from acctcli.models.business import Business


def list_businesses(call: Call) -> Page[Business]:
    """List the businesses of the caller, or those of them that a JWT is restricted to."""
    page, search, only = call.page, call.query.text("search"), call.credential.selection
    total, rows = page_of_user(call.conn, call.user.id, search, call.now, page.size, page.offset, only)
    return Page(total, businesses.show_businesses(call, rows))


AREA = Area(
    "business",
    "/v1/business/",
    "business",
    one="{business_slug}/",
    write=ADMIN,
    request="business:BusinessRequest",
    response="business:Business",
)
SEARCH = Parameter("search", "string", "Name, slug or identifier value.")
AREA.page("", list_businesses, "List the caller's businesses.", SEARCH)
AREA.create(
    businesses.create_business,
    summary="Create a business with the chart of accounts.",
    needs=MEMBER,
    request="business:NewBusiness",
    forms=True,
)
AREA.get(businesses.show_business)
SUMMARIES = "Replace the settings of a business.", "Change settings of a business."
AREA.change(businesses.change_business, *SUMMARIES, forms=True)
AREA.delete(businesses.delete_business, summary="Delete a business with all its data.")
