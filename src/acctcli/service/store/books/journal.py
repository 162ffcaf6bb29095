"""The entries of one document. SQL only."""

from __future__ import annotations

from typing import NamedTuple

from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement


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


ENTRIES = Query(
    EntryRow,
    """SELECT entry.id, entry.created_at, entry.updated_at, entry.account_id, account.name, account.number,
    entry.amount_cents, entry.is_debit, entry.description, entry.vat_code, entry.vat_rate
    FROM entry JOIN account ON account.business_id = entry.business_id AND account.id = entry.account_id
    WHERE entry.business_id = :business_id AND entry.document_id = :document_id
    ORDER BY entry.position LIMIT :limit OFFSET :offset""",
)
COUNT = Statement("SELECT count(*) FROM entry WHERE business_id = :business_id AND document_id = :document_id")


def entries_page(
    conn: Connection, business_id: int, document_id: int, *, limit: int, offset: int
) -> tuple[int, list[EntryRow]]:
    """Return the number of entries of a document and one page of them in the order they were posted."""
    this = {"business_id": business_id, "document_id": document_id}
    return COUNT.value(conn, **this), ENTRIES.all(conn, **this, limit=limit, offset=offset)
