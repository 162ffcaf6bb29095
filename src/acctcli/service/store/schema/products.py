"""Products: what rows of sales invoices are filled in from."""

from __future__ import annotations

from sqlalchemy import Column, Index, Integer, String, Text

from acctcli.service.store.schema.columns import (
    Id,
    Sortable,
    cents,
    flag,
    id_column,
    inside,
    of_business,
    stamps,
    table,
)

product = table(
    "product",
    id_column(),
    *stamps(),
    *of_business(unique_id=True),
    Column("code", String(25)),
    Column("name", String(64), nullable=False),
    Column("sort_name", Sortable, nullable=False),  # casefolded: the order of lists
    Column("search_text", Text, nullable=False),  # casefolded code and name
    Column("unit", String(8), nullable=False),
    *cents("amount_e4"),  # ten-thousandths: a unit may cost less than a cent
    Column("vat_rate", Integer, nullable=False),  # hundredths of a percent
    Column("vat_code", Integer, nullable=False),
    flag("is_vat_inclusive"),
    Column("account_id", Id),
    Column("description", String(128)),
    inside("account_id", "account"),
    Index(None, "business_id", "sort_name", "id"),
    counted=True,
    moved_by="sort_name",
)
