"""Official identifiers: `/v1/business/{business_slug}/identifiers/` (docs/interface.md 3.2)."""

from __future__ import annotations

from acctcli.service.cases import identifiers
from acctcli.service.routes.operation import ADMIN, ONE_BUSINESS, Area
from acctcli.service.store.identifiers import list_page

AREA = Area(
    "identifiers",
    f"{ONE_BUSINESS}identifiers/",
    "identifier",
    name="business identifier",
    write=ADMIN,
    request="business:IdentifierRequest",
    response="business:Identifier",
)
AREA.list(list_page, identifiers.show_identifiers)
AREA.create(identifiers.create_identifier)
AREA.get(identifiers.get_identifier)
AREA.replace(identifiers.change_identifier)
AREA.update(identifiers.change_identifier)
AREA.delete(identifiers.delete_identifier)
