"""Contacts: `/v1/business/{business_slug}/contacts/` (wire facts 1.3, 2.10)."""

from __future__ import annotations

from acctcli.service.cases.contacts import CONTACTS
from acctcli.service.routes.filters import contact_clauses
from acctcli.service.routes.operation import ONE_BUSINESS, SEARCH, Area, Parameter, keys
from acctcli.service.routes.plain import declare

AREA = Area(
    "contact",
    f"{ONE_BUSINESS}contacts/",
    read=keys("contact", "read", "editor"),
    write=keys("contact", "editor"),
    request="contact:ContactRequest",
    response="contact:Contact",
)
declare(
    AREA,
    CONTACTS,
    SEARCH._replace(description="Name, alias, customer id, business id or e-mail address."),
    Parameter("exclude_id", "integer", "Every contact but this one."),
    Parameter("is_invoicing_enabled", "boolean", "Contacts that are to be invoiced."),
    Parameter("name_iexact", "string", "The whole name, in upper or lower case."),
    clauses=contact_clauses,
)
