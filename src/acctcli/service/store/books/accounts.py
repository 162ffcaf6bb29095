"""Accounts: SQL only. Amounts are cents; every statement names the business."""

from __future__ import annotations

from typing import NamedTuple

from acctcli.models.enums import AccountType
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement
from acctcli.service.store.rows import Rows


class AccountRow(NamedTuple):
    """An account as it is stored; `name_translations` is JSON text."""

    id: int
    created_at: str
    updated_at: str
    number: str
    padded_number: int
    name: str
    name_translations: str
    header_id: int | None
    description: str | None
    type: str
    default_vat_code: int
    default_vat_rate_label: str
    opening_cents: int
    is_shown: bool


class Movements(NamedTuple):
    """Posted movements of an account over all time, in cents, and the number of entries."""

    debit: int
    credit: int
    entries: int


NO_MOVEMENTS = Movements(0, 0, 0)


USED = """EXISTS (SELECT 1 FROM account_total AS moved WHERE moved.business_id = account.business_id
    AND moved.account_id = account.id AND moved.entry_count > 0)"""
# drafts have no entries; the documents are collected once, not for each account
OF_TAGGED = """SELECT entry.account_id FROM entry JOIN document_tag AS tagged
    ON tagged.business_id = entry.business_id AND tagged.document_id = entry.document_id
    WHERE tagged.business_id = :business_id AND tagged.tag_id = :tags"""

ROWS = Rows(
    AccountRow,
    "account",
    "padded_number, id",
    # each takes the parameter of its own name, if any
    {
        "is_shown": "is_shown = :is_shown",
        "is_used": USED,
        "is_unused": f"NOT {USED}",
        "number": "number = :number",
        "number_gte": "padded_number >= :number_gte",
        "number_lte": "padded_number <= :number_lte",
        "search": r"(number LIKE :search_number ESCAPE '\' OR search_name LIKE :search_name ESCAPE '\')",
        "types": "type IN (:types...)",
        "tags": f"id IN ({OF_TAGGED})",
    },
    has_unique=True,
)
list_page, get, create, change, remove = ROWS.list_page, ROWS.get, ROWS.create, ROWS.change, ROWS.remove

OF_ACCOUNT = "business_id = :business_id AND account_id = :account_id"
MOVEMENTS = Query(Movements, f"SELECT debit_cents, credit_cents, entry_count FROM account_total WHERE {OF_ACCOUNT}")
INVOICED_TO = Statement(
    f"SELECT 1 FROM product WHERE {OF_ACCOUNT} UNION ALL SELECT 1 FROM sales_invoice_row WHERE {OF_ACCOUNT} LIMIT 1"
)
ROLES = Statement(f"SELECT role FROM system_account WHERE {OF_ACCOUNT} ORDER BY role")
REBALANCE = Statement(
    """UPDATE document SET balance_cents = (
        SELECT coalesce(sum(CASE WHEN entry.is_debit THEN entry.amount_cents ELSE -entry.amount_cents END), 0)
        FROM entry WHERE entry.business_id = document.business_id AND entry.document_id = document.id
        AND entry.account_id IN (SELECT id FROM account WHERE business_id = :business_id AND type = :money))
    WHERE business_id = :business_id AND id IN (
        SELECT document_id FROM entry WHERE business_id = :business_id AND account_id = :account_id)"""
)


def movements(conn: Connection, business_id: int, account_id: int) -> Movements:
    """Return what was ever posted to an account."""
    return MOVEMENTS.one(conn, business_id=business_id, account_id=account_id) or NO_MOVEMENTS


def is_invoiced_to(conn: Connection, business_id: int, account_id: int) -> bool:
    """Say whether a product, or a row of a sales invoice, posts to an account."""
    return INVOICED_TO.value(conn, business_id=business_id, account_id=account_id) is not None


def roles(conn: Connection, business_id: int, account_id: int) -> list[str]:
    """Return the business fields that point at an account."""
    return ROLES.values(conn, business_id=business_id, account_id=account_id)


def rebalance_documents(conn: Connection, business_id: int, account_id: int) -> None:
    """Recompute the balance of documents with entries on an account that became money or ceased to be."""
    REBALANCE.run(conn, business_id=business_id, account_id=account_id, money=AccountType.ASS_PAY.value)
