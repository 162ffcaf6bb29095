"""Accounting periods and VAT periods."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, Date, Index, Integer, UniqueConstraint

from acctcli.service.store.schema.columns import (
    Cents,
    Id,
    Stamp,
    flag,
    id_column,
    inside,
    of_business,
    partial_index,
    stamps,
    table,
)


def locked_index(name: str) -> Index:
    """Find the locked periods that end on or after a day: every posting asks, and for a day of today there are none."""
    return partial_index(name, "business_id", "end_date", where="is_locked")


period = table(
    "period",
    id_column(),
    *stamps(),
    *of_business(),
    Column("start_date", Date, nullable=False),
    Column("end_date", Date, nullable=False),
    flag("is_locked"),
    CheckConstraint("start_date <= end_date", name="dates"),
    UniqueConstraint("business_id", "start_date"),
    locked_index("ix_period_locked"),
)

vat_period = table(
    "vat_period",
    id_column(),
    *stamps(),
    *of_business(),
    Column("start_date", Date, nullable=False),
    Column("end_date", Date, nullable=False),
    Column("due_date", Date, nullable=False),
    Column("period", Integer),
    flag("is_locked"),
    flag("is_reported"),
    flag("is_recapitulative_reported"),
    Column("filing_tax_cents", Cents),
    Column("filing_accepted_at", Stamp),
    Column("purchase_invoice_id", Id),
    Column("netting_document_id", Id),
    inside("purchase_invoice_id", "purchase_invoice"),
    inside("netting_document_id", "document"),
    CheckConstraint("start_date <= end_date", name="dates"),
    UniqueConstraint("business_id", "start_date"),
    locked_index("ix_vat_period_locked"),
)
