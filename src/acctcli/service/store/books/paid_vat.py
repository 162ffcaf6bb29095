"""What VAT by payments is worked out from: documents on trade receivables and payables, what ties them. SQL only."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from acctcli.models.enums import AccountType, DocumentType
from acctcli.service.rules.claims import OpenItems, Origin, Posted
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement

DUE = f"business_id = :business_id AND type IN ('{AccountType.ASS_DUE.value}', '{AccountType.LIA_DUE.value}')"
# the documents that move such an account, those of type 3 left out
MOVING = f"""SELECT entry.document_id FROM entry JOIN document
    ON document.business_id = entry.business_id AND document.id = entry.document_id
    WHERE entry.business_id = :business_id AND entry.date <= :until AND document.type <> {DocumentType.VAT.value}
    AND entry.account_id IN (SELECT id FROM account WHERE {DUE})"""
POSTED = Query(
    Posted,
    f"""SELECT entry.document_id, entry.date, account.id, account.type, entry.vat_code, entry.vat_rate,
    CAST(sum(CASE WHEN entry.is_debit THEN entry.amount_cents ELSE -entry.amount_cents END) AS BIGINT)
    FROM entry JOIN account ON account.business_id = entry.business_id AND account.id = entry.account_id
    WHERE entry.business_id = :business_id AND entry.document_id IN ({MOVING})
    GROUP BY entry.document_id, entry.date, account.id, account.type, entry.vat_code, entry.vat_rate""",
)
ORIGINS = Query(
    Origin,
    f"""SELECT document.id, document.contact_id, document.invoice_id, sales_invoice.is_credit_note_for,
    coalesce(document.invoice_role = 'ACCRUAL', false) AS "is_claim [boolean]",
    sales_invoice.settlement_date
    FROM document LEFT JOIN sales_invoice
    ON sales_invoice.business_id = document.business_id AND sales_invoice.id = document.invoice_id
    WHERE document.business_id = :business_id AND document.id IN ({MOVING})""",
)
RELATED = Query[tuple[int, int]](
    tuple,
    f"""SELECT low_id, high_id FROM relation WHERE business_id = :business_id
    AND low_id IN ({MOVING}) AND high_id IN ({MOVING})""",
)
OPENINGS = Query[tuple[Any, ...]](tuple, f"SELECT id, opening_cents FROM account WHERE {DUE}")
TAGGED = Statement("SELECT document_id FROM document_tag WHERE business_id = :business_id AND tag_id IN (:tag_ids...)")


def ledger(conn: Connection, business_id: int, until: date, tag_ids: Sequence[int] = ()) -> OpenItems:
    """Return what was posted to such accounts until a day; with `tag_ids` only the VAT of tagged documents counts."""
    values = {"business_id": business_id, "until": until}
    tagged = set(TAGGED.values(conn, business_id=business_id, tag_ids=tag_ids)) if tag_ids else None
    return OpenItems(
        POSTED.all(conn, **values),
        {one.document_id: one for one in ORIGINS.all(conn, **values)},
        RELATED.all(conn, **values),
        dict(OPENINGS.all(conn, business_id=business_id)),
        tagged,
    )
