"""Purchase invoices: SQL only. Amounts are cents."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from sqlalchemy import Connection, insert

from acctcli.service.store.schema import purchase_invoice


class VatDebt(NamedTuple):
    """What a reported VAT period makes the business owe, and to whom it is paid where that is known."""

    invoicing_date: date
    due_date: date
    amount_cents: int
    message: str
    sender_name: str | None
    sender_bank_account: str | None
    receiver_name: str


INSERT = insert(purchase_invoice).returning(purchase_invoice.c.id)


def create_vat_debt(conn: Connection, business_id: int, debt: VatDebt, stamp: str) -> int:
    """Insert the unpaid invoice of a reported VAT period and return its id (wire facts 6.3)."""
    values = debt._asdict() | {"currency": "EUR", "import_source": "VAT_PURCHASE_INVOICE", "is_paid": False}
    stamps = {"created_at": stamp, "updated_at": stamp}
    return int(conn.execute(INSERT, {"business_id": business_id, **values, **stamps}).scalar_one())
