"""Contacts: customers and suppliers."""

from __future__ import annotations

from sqlalchemy import Column, Index, String, Text

from acctcli.service.store.contacts import TEXTS
from acctcli.service.store.schema.columns import Sortable, flag, id_column, of_business, stamps, table

contact = table(
    "contact",
    id_column(),
    *stamps(),
    *of_business(unique_id=True),
    Column("type", String(16), nullable=False),
    Column("name", String(256), nullable=False),
    Column("sort_name", Sortable, nullable=False),  # casefolded: the order of lists
    Column("name_aliases", Text, nullable=False),  # JSON array of texts
    Column("search_text", Text, nullable=False),  # casefolded name, aliases, customer id, business id, e-mail
    flag("is_invoicing_enabled"),
    Column("invoicing_language", String(2), nullable=False),
    *(Column(name, Text if length is None else String(length)) for name, length in TEXTS.items()),
    Index(None, "business_id", "sort_name", "id"),
    counted=True,
    moved_by="sort_name",
)
