"""Contacts: customers and suppliers."""

from __future__ import annotations

from sqlalchemy import Column, Index, String, Text

from acctcli.service.store.schema.columns import Sortable, flag, id_column, of_business, stamps, table

# (name, length) of the writable texts that may be null (wire facts 2.10)
CONTACT_TEXTS = (
    ("customer_id", 32),
    ("contact_business_id", 16),
    ("xrechnung_buyer_reference", 128),
    ("notes", 8192),
    ("phone_number", 32),
    ("invoicing_email", 254),
    ("invoicing_electronic_address", 64),
    ("invoicing_electronic_address_scheme", 16),
    ("invoicing_einvoice_address", 32),
    ("invoicing_einvoice_operator", 32),
    ("invoicing_tax_code", 16),
    ("invoicing_street", 64),
    ("invoicing_city", 32),
    ("invoicing_postal_code", 8),
    ("invoicing_country", 2),
    ("buyer_postal_address_details_xml_override", None),
)

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
    *(Column(name, Text if length is None else String(length)) for name, length in CONTACT_TEXTS),
    Index(None, "business_id", "sort_name", "id"),
)
