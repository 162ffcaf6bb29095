"""Purchase invoices: SQL only. A row is a mapping with the names of the columns; amounts are cents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, NamedTuple

from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Statement
from acctcli.service.store.links import LinkTable
from acctcli.service.store.rows import Record, Rows

# the writable texts that may be null, with their lengths
TEXTS: Mapping[str, int | None] = {
    "invoice_number": 32,
    "sender_vat": 32,
    "sender_name": 128,
    "sender_bank_account": 64,
    "sender_bank_bic": 16,
    "receiver_vat": 32,
    "receiver_name": 128,
    "reference": 32,
    "message": 140,
}
SEARCHED = ("invoice_number", "sender_name", "reference")
ATTACHMENTS = LinkTable("purchase_invoice_attachment", "purchase_invoice_id", "attachment_id")
TAGS = LinkTable("purchase_invoice_tag", "purchase_invoice_id", "tag_id")

PAST_DUE = "(NOT is_paid AND coalesce(due_date < :today, false))"
# days have both ends inside their range; moments are text, and end before the day after their last
DAYS, MOMENTS = ("invoicing_date", "due_date", "payment_date"), ("created_at", "updated_at")
ROWS = Rows[Record](
    dict,
    "purchase_invoice",
    "id DESC",
    {
        "invoice_number": "invoice_number = :invoice_number",
        "import_source": "import_source = :import_source",
        "is_paid": "is_paid = :is_paid",
        "is_past_due": PAST_DUE,
        "is_not_past_due": f"NOT {PAST_DUE}",
        **{f"{name}_gte": f"{name} >= :{name}_gte" for name in (*DAYS, *MOMENTS)},
        **{f"{name}_lte": f"{name} <= :{name}_lte" for name in DAYS},
        **{f"{name}_lte": f"{name} < :{name}_lte" for name in MOMENTS},
    },
    searched="search_text",
)
# an invoice that a VAT period owes is not removed
list_page, get, remove = ROWS.list_page, ROWS.get, ROWS.remove


class VatDebt(NamedTuple):
    """What a reported VAT period makes the business owe, and to whom it is paid where that is known."""

    invoicing_date: date
    due_date: date
    amount_cents: int
    message: str
    sender_name: str | None
    sender_bank_account: str | None
    receiver_name: str


def create(conn: Connection, business_id: int, values: Mapping[str, Any]) -> int:
    """Insert a purchase invoice and return its id."""
    return ROWS.create(conn, business_id, {**values, "search_text": search_text(values)})


def create_vat_debt(conn: Connection, business_id: int, debt: VatDebt, stamp: str) -> int:
    """Insert the unpaid invoice of a reported VAT period and return its id (docs/interface.md 9.3)."""
    values = debt._asdict() | {"currency": "EUR", "import_source": "VAT_PURCHASE_INVOICE", "is_paid": False}
    return create(conn, business_id, values | {"created_at": stamp, "updated_at": stamp})


# what two related documents post adds up to nothing on every account: one takes the other back
UNPAID_BY = Statement(
    """SELECT purchase_invoice.id FROM purchase_invoice JOIN relation
    ON relation.business_id = purchase_invoice.business_id
    AND purchase_invoice.document_id IN (relation.low_id, relation.high_id)
    WHERE purchase_invoice.business_id = :business_id AND purchase_invoice.import_source = 'VAT_PURCHASE_INVOICE'
    AND purchase_invoice.document_id IN (:ids...)
    AND (SELECT count(DISTINCT entry.document_id) FROM entry WHERE entry.business_id = relation.business_id
        AND entry.document_id IN (relation.low_id, relation.high_id)) = 2
    AND NOT EXISTS (SELECT 1 FROM entry WHERE entry.business_id = relation.business_id
        AND entry.document_id IN (relation.low_id, relation.high_id) GROUP BY entry.account_id
        HAVING sum(CASE WHEN entry.is_debit THEN entry.amount_cents ELSE -entry.amount_cents END) <> 0)
    ORDER BY purchase_invoice.id"""
)


def vat_debts_unpaid(conn: Connection, business_id: int, document_ids: Iterable[int]) -> list[int]:
    """Return the taxes of VAT periods whose payment is among these documents and is taken back by another one."""
    return list(dict.fromkeys(UNPAID_BY.values(conn, business_id=business_id, ids=document_ids)))


def change(conn: Connection, business_id: int, invoice_id: int, values: Mapping[str, Any]) -> None:
    """Write a purchase invoice, all its texts among the values."""
    ROWS.change(conn, business_id, invoice_id, {**values, "search_text": search_text(values)})


def search_text(values: Mapping[str, Any]) -> str:
    """Return what a search looks into."""
    return "\n".join(values.get(name) or "" for name in SEARCHED).casefold()
