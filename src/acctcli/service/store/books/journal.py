"""The entries of one document. SQL only."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, and_, bindparam, func, select

from acctcli.service.store.schema.books import entry
from acctcli.service.store.schema.chart import account


class EntryRow(NamedTuple):
    """One entry with the account it stands on."""

    id: int
    created_at: str
    updated_at: str
    account_id: int
    account_name: str
    account_number: str
    amount_cents: int
    is_debit: bool
    description: str
    vat_code: int
    vat_rate: int


OF_DOCUMENT = and_(entry.c.business_id == bindparam("business_id"), entry.c.document_id == bindparam("document_id"))
ENTRIES = (
    select(
        entry.c.id,
        entry.c.created_at,
        entry.c.updated_at,
        entry.c.account_id,
        account.c.name,
        account.c.number,
        entry.c.amount_cents,
        entry.c.is_debit,
        entry.c.description,
        entry.c.vat_code,
        entry.c.vat_rate,
    )
    .join(account, and_(account.c.business_id == entry.c.business_id, account.c.id == entry.c.account_id))
    .where(OF_DOCUMENT)
    .order_by(entry.c.position)
    .limit(bindparam("limit"))
    .offset(bindparam("offset"))
)
COUNT = select(func.count()).select_from(entry).where(OF_DOCUMENT)


def entries_page(
    conn: Connection, business_id: int, document_id: int, *, limit: int, offset: int
) -> tuple[int, list[EntryRow]]:
    """Return the number of entries of a document and one page of them in the order they were posted."""
    values = {"business_id": business_id, "document_id": document_id}
    count = conn.execute(COUNT, values).scalar_one()
    rows = conn.execute(ENTRIES, {**values, "limit": limit, "offset": offset})
    return count, [EntryRow._make(row) for row in rows]
