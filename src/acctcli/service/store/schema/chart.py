"""The chart of accounts, and what each account has moved."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, Integer, PrimaryKeyConstraint, String, Table, Text, UniqueConstraint

from acctcli.service.store.schema.columns import (
    Id,
    cents,
    flag,
    id_column,
    inside,
    metadata,
    of_business,
    stamps,
    table,
)

header = table(
    "header",
    id_column(),
    *stamps(),
    *of_business(unique_id=True),
    Column("name", Text, nullable=False),
    Column("search_name", Text, nullable=False),  # casefolded
    Column("name_translations", Text, nullable=False),  # JSON array of {key, value}
    Column("type", String(1), nullable=False),  # B balance sheet, I income statement
    Column("parent_id", Id),
    inside("parent_id", "header"),
    counted=True,
)

account = table(
    "account",
    id_column(),
    *stamps(),
    *of_business(unique_id=True),
    Column("number", String(7), nullable=False),
    Column("padded_number", Integer, nullable=False),  # right-padded with zeros to 7 digits: the order of lists
    Column("name", Text, nullable=False),
    Column("search_name", Text, nullable=False),  # casefolded: lower() of SQLite knows ASCII only
    Column("name_translations", Text, nullable=False),  # JSON array of {key, value}
    Column("header_id", Id),
    Column("description", String(8192)),
    Column("type", String(16), nullable=False),
    Column("default_vat_code", Integer, nullable=False),
    Column("default_vat_rate_label", String(16), nullable=False),
    *cents("opening_cents"),
    flag("is_shown"),
    inside("header_id", "header"),
    UniqueConstraint("business_id", "number"),
    Index(None, "business_id", "padded_number", "id"),
    counted=True,
    moved_by="padded_number",
)

# The `account_*` fields of a business: one row for each that is set, `role` is the field's name.
system_account = Table(
    "system_account",
    metadata,
    *of_business(),
    Column("role", String(32), nullable=False),
    Column("account_id", Id, nullable=False),
    PrimaryKeyConstraint("business_id", "role"),
    inside("account_id", "account"),
    Index(None, "business_id", "account_id"),
)

# Posted movements of an account, all time and by month, kept by triggers; `entry_count` > 0 means the account is used.
account_total = Table(
    "account_total",
    metadata,
    *of_business(),
    Column("account_id", Id, nullable=False),
    *cents("debit_cents", check=">= 0"),
    *cents("credit_cents", check=">= 0"),
    Column("entry_count", BigInteger, nullable=False),
    PrimaryKeyConstraint("business_id", "account_id"),
    inside("account_id", "account", ondelete="CASCADE"),
)

account_month = Table(
    "account_month",
    metadata,
    *of_business(),
    Column("account_id", Id, nullable=False),
    Column("month", String(7), nullable=False),  # YYYY-MM
    *cents("debit_cents", check=">= 0"),
    *cents("credit_cents", check=">= 0"),
    PrimaryKeyConstraint("business_id", "account_id", "month"),
    inside("account_id", "account", ondelete="CASCADE"),
)
