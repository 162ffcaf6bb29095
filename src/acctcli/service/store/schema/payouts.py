"""Sales payouts: what a shop's payment provider paid out, and what it was made of."""

from __future__ import annotations

from sqlalchemy import Column, Date, Integer, String, UniqueConstraint

from acctcli.service.store.schema.columns import (
    Id,
    cents,
    files_of,
    id_column,
    inside,
    of_business,
    stamps,
    table,
)

sales_payout = table(
    "sales_payout",
    id_column(),
    *stamps(),
    *of_business(unique_id=True),
    Column("external_id", String(128), nullable=False),
    Column("end_to_end_id", String(64)),
    Column("source", String(64), nullable=False),
    Column("date", Date, nullable=False),
    *cents("amount_cents"),
    Column("currency", String(16), nullable=False),
    Column("description", String(256), nullable=False),
    UniqueConstraint("business_id", "external_id"),
    counted=True,
)

sales_payout_item = table(
    "sales_payout_item",
    id_column(),
    *stamps(),
    *of_business(),
    Column("sales_payout_id", Id, nullable=False),
    Column("position", Integer, nullable=False),  # the order they were given in
    *cents("amount_cents"),
    Column("description", String(256), nullable=False),
    Column("vat_code", Integer, nullable=False),
    Column("vat_rate", Integer, nullable=False),  # hundredths of a percent
    Column("account_number", String(7), nullable=False),
    inside("sales_payout_id", "sales_payout", ondelete="CASCADE"),
    UniqueConstraint("business_id", "sales_payout_id", "position"),
)

sales_payout_attachment = files_of("sales_payout")
