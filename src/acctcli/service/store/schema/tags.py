"""Tags: what documents are grouped by."""

from __future__ import annotations

from sqlalchemy import Column, String, Text, UniqueConstraint

from acctcli.service.store.schema.columns import id_column, of_business, stamps, table

tag = table(
    "tag",
    id_column(),
    *stamps(),
    *of_business(unique_id=True),
    Column("name", String(32)),
    Column("search_name", Text, nullable=False),  # casefolded, empty for a tag without a name
    Column("description", String(256)),
    Column("color", String(16)),
    UniqueConstraint("business_id", "name"),
    counted=True,
)
