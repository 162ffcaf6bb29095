"""What has to do with the claims of invoices: the documents tied and related to them, and what those move. SQL only."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import date
from typing import Any, NamedTuple

from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query


class Moved(NamedTuple):
    """What a posted document moves on one account, debit less credit in cents; without entries it has no account.

    `blueprint` is there for documents of invoices only.
    """

    document_id: int
    date: date
    invoice_id: int | None
    role: str | None
    blueprint: str | None
    account_id: int | None
    cents: int


class Tie(NamedTuple):
    """An accepted invoice, what it credits, and a document it is booked by."""

    invoice_id: int
    credited_id: int | None
    document_id: int


MOVED = Query(
    Moved,
    """SELECT document.id, document.date, document.invoice_id, document.invoice_role,
    CASE WHEN document.invoice_id IS NULL THEN NULL ELSE document.blueprint END, entry.account_id,
    CAST(coalesce(sum(CASE WHEN entry.is_debit THEN entry.amount_cents ELSE -entry.amount_cents END), 0) AS BIGINT)
    FROM document LEFT JOIN entry ON entry.business_id = document.business_id AND entry.document_id = document.id
    WHERE document.business_id = :business_id AND document.id IN (:ids...) AND NOT document.is_draft
    GROUP BY document.id, document.date, document.invoice_id, document.invoice_role, document.blueprint,
    entry.account_id""",
)
PAIRS = Query[tuple[int, int]](
    tuple,
    """SELECT low_id, high_id FROM relation WHERE business_id = :business_id AND low_id IN (:ids...)
    UNION SELECT low_id, high_id FROM relation WHERE business_id = :business_id AND high_id IN (:ids...)""",
)
BOOKED = """SELECT invoice.id, invoice.is_credit_note_for, document.id FROM sales_invoice AS invoice
    JOIN document ON document.business_id = invoice.business_id AND document.invoice_id = invoice.id
    WHERE invoice.business_id = :business_id"""
# invoices themselves, what credits them, and what they credit
TIES = Query(
    Tie,
    f"""{BOOKED} AND invoice.id IN (:ids...)
    UNION {BOOKED} AND invoice.is_credit_note_for IN (:ids...)
    UNION {BOOKED} AND invoice.id IN (SELECT is_credit_note_for FROM sales_invoice
        WHERE business_id = :business_id AND id IN (:ids...))""",
)


def moved(conn: Connection, business_id: int, document_ids: Collection[int]) -> list[Moved]:
    """Return what documents move, a row for each account; drafts move nothing and are left out."""
    return MOVED.all(conn, business_id=business_id, ids=document_ids)


def pairs(conn: Connection, business_id: int, document_ids: Collection[int]) -> list[tuple[int, int]]:
    """Return the related documents of which one is named."""
    return PAIRS.all(conn, business_id=business_id, ids=document_ids)


def ties(conn: Connection, business_id: int, invoice_ids: Iterable[Any]) -> list[Tie]:
    """Return the documents of invoices, of their credit notes, and of what they credit."""
    return TIES.all(conn, business_id=business_id, ids=invoice_ids)
