"""Official identifiers: `/v1/business/{business_slug}/identifiers/` (wire facts 1.1, 2.4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from acctcli.service.cases import identifiers
from acctcli.service.routes.call import Call, Page
from acctcli.service.routes.operation import ADMIN, ONE_BUSINESS, Area
from acctcli.service.store.identifiers import page as page_of_business

if TYPE_CHECKING:
    from acctcli.models.business import Identifier

AREA = Area(
    "identifiers",
    f"{ONE_BUSINESS}identifiers/",
    write=ADMIN,
    request="business:IdentifierRequest",
    response="business:Identifier",
    one="{identifier_id}/",
)


@AREA.page()
def list_identifiers(call: Call) -> Page:
    """List business identifiers."""
    page = call.page
    count, rows = page_of_business(call.conn, call.business.id, page.size, page.offset)
    return Page(count, _shown(rows))


@AREA.create()
def create_identifier(call: Call) -> Identifier:
    """Create a business identifier.

    A business has one of each type: that of a type which is there already is changed.
    """
    kind = call.body.type
    value = identifiers.checked(kind, call.body.value, is_demo=call.business.is_demo, field="value")
    return identifiers.put_identifier(call, kind, value)


@AREA.get()
def get_identifier(call: Call) -> Identifier:
    """Show a business identifier."""
    return _shown([identifiers.find_identifier(call, call.ids["identifier_id"])])[0]


@AREA.replace()
def replace_identifier(call: Call) -> Identifier:
    """Replace a business identifier."""
    return identifiers.change_identifier(call, call.ids["identifier_id"], call.body)


@AREA.update()
def update_identifier(call: Call) -> Identifier:
    """Change a business identifier."""
    return identifiers.change_identifier(call, call.ids["identifier_id"], call.body)


@AREA.delete()
def delete_identifier(call: Call) -> None:
    """Delete a business identifier."""
    identifiers.delete_identifier(call, call.ids["identifier_id"])


def _shown(rows: Iterable[Mapping[str, Any]]) -> list[Identifier]:
    return [{"id": row["id"], "type": row["type"], "value": row["value"]} for row in rows]
