"""A business, its settings, its members, its official identifiers."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Integer, String, Text, UniqueConstraint

from acctcli.service.store.businesses import FLAGS, TEXTS
from acctcli.service.store.schema.columns import Id, flag, id_column, of_business, stamps, table

business = table(
    "business",
    id_column(),
    *stamps(),
    Column("name", String(256), nullable=False),
    Column("slug", String(16), nullable=False, unique=True),
    Column("search_text", Text, nullable=False),  # casefolded name and slug: lower() of SQLite knows ASCII only
    Column("country", String(2), nullable=False),
    Column("form", String(16), nullable=False),
    Column("vat_posting_method", String(16), nullable=False),
    Column("vat_reporting_method", String(16), nullable=False),
    Column("default_vat_period", Integer, nullable=False),
    Column("invoicing_default_penalty_interest", String(20), nullable=False),  # decimal text
    Column("invoicing_default_payment_condition_days", Integer, nullable=False),
    Column("owner_id", Id, ForeignKey("users.id", ondelete="SET NULL"), index=True),
    *(Column(name, Text if length is None else String(length)) for name, length in TEXTS.items()),
    *(flag(name) for name in FLAGS),
)

usership = table(
    "usership",
    id_column(),
    *stamps(),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    *of_business(),
    Column("permissions", Text, nullable=False),  # keys, separated by spaces, in the order of the enumeration
    UniqueConstraint("user_id", "business_id"),
    Index(None, "business_id"),
)

identifier = table(
    "identifier",
    id_column(),
    *stamps(),
    *of_business(),
    Column("type", String(16), nullable=False),
    Column("value", String(64), nullable=False),
    UniqueConstraint("business_id", "type"),
)
