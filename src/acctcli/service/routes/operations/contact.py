"""Customers and suppliers."""

from __future__ import annotations

from acctcli.service.routes.route import ONE_BUSINESS, PAGING, Parameter, area, resource

CONTACTS = resource(
    "contact",
    "contact",
    f"{ONE_BUSINESS}contacts/",
    "contact",
    models=("contact:ContactRequest", "contact:Contact"),
    read=area("contact", "read", "editor"),
    write=area("contact", "editor"),
    filters=(
        *PAGING,
        Parameter("search", "string", "Name, alias, customer id, business id or e-mail address."),
        Parameter("exclude_id", "integer", "Every contact but this one."),
        Parameter("is_invoicing_enabled", "boolean", "Contacts that are to be invoiced."),
        Parameter("name_iexact", "string", "The whole name, in upper or lower case."),
    ),
)
