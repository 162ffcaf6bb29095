"""Contacts: `/v1/business/{business_slug}/contacts/` (docs/interface.md 6.3)."""

from __future__ import annotations

from acctcli.service.cases.contacts import CONTACTS
from acctcli.service.routes.operation import CONTACTS_READ, CONTACTS_WRITE, ONE_BUSINESS, Area
from acctcli.service.routes.parameters import SEARCH, Asked, Clauses, Parameter, clause


def _whole_name(call: Asked, name: str) -> Clauses:
    text = call.query.text(name)
    return clause(name, None if text is None else text.casefold())


AREA = Area(
    "contact",
    f"{ONE_BUSINESS}contacts/",
    "contact",
    read=CONTACTS_READ,
    write=CONTACTS_WRITE,
    request="contact:ContactRequest",
    response="contact:Contact",
)
AREA.plain(
    CONTACTS,
    SEARCH._replace(description="Name, alias, customer id, business id or e-mail address."),
    Parameter("exclude_id", "integer", "Every contact but this one."),
    Parameter("is_invoicing_enabled", "boolean", "Contacts that are to be invoiced."),
    Parameter("name_iexact", "string", "The whole name, in upper or lower case.", narrow=_whole_name),
)
