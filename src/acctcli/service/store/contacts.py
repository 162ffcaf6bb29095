"""Contacts: SQL only. A row is a mapping with the names of the columns; `name_aliases` is JSON text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Statement
from acctcli.service.store.rows import Record, Rows

# the writable texts that may be null, with their lengths
TEXTS: Mapping[str, int | None] = {
    "customer_id": 32,
    "contact_business_id": 16,
    "xrechnung_buyer_reference": 128,
    "notes": 8192,
    "phone_number": 32,
    "invoicing_email": 254,
    "invoicing_electronic_address": 64,
    "invoicing_electronic_address_scheme": 16,
    "invoicing_einvoice_address": 32,
    "invoicing_einvoice_operator": 32,
    "invoicing_tax_code": 16,
    "invoicing_street": 64,
    "invoicing_city": 32,
    "invoicing_postal_code": 8,
    "invoicing_country": 2,
    "buyer_postal_address_details_xml_override": None,
}

ROWS = Rows[Record](
    dict,
    "contact",
    "sort_name, id",
    {
        "exclude_id": "id <> :exclude_id",
        "is_invoicing_enabled": "is_invoicing_enabled = :is_invoicing_enabled",
        "name_iexact": "sort_name = :name_iexact",
    },
    searched="search_text",
)
NAMED_BY_DOCUMENTS = Statement(
    "SELECT id FROM document WHERE business_id = :business_id AND contact_id = :contact_id LIMIT 1"
)


def of_ids(conn: Connection, business_id: int, contact_ids: Iterable[int]) -> dict[int, Record]:
    """Return contacts of the business by id; ids without a contact are left out."""
    return {row["id"]: row for row in ROWS.several(conn, business_id, contact_ids)}


def is_named_by_documents(conn: Connection, business_id: int, contact_id: int) -> bool:
    """Say whether a document or a draft refers to a contact."""
    return NAMED_BY_DOCUMENTS.value(conn, business_id=business_id, contact_id=contact_id) is not None
