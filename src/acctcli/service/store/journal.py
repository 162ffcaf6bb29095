"""Entries as they are read: of one document, and of a range of days. SQL only."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from itertools import groupby
from typing import NamedTuple

from sqlalchemy import Connection, and_, bindparam, func, select

from acctcli.service.store.schema import account, account_total, document, entry


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


class JournalLine(NamedTuple):
    """One entry in the journal, cents >= 0 on one side."""

    account_id: int
    is_debit: bool
    amount: int
    description: str


class JournalDocument(NamedTuple):
    """A posted document in the journal; an empty one has no lines."""

    id: int
    number: str
    date: date
    lines: list[JournalLine]


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


USED_ACCOUNTS = (
    select(account.c.id, account.c.number, account.c.name)
    .join(
        account_total,
        and_(account_total.c.business_id == account.c.business_id, account_total.c.account_id == account.c.id),
    )
    .where(account.c.business_id == bindparam("business_id"), account_total.c.entry_count > 0)
)


def used_accounts(conn: Connection, business_id: int) -> dict[int, tuple[str, str]]:
    """Return number and name of every account that has entries."""
    rows = conn.execute(USED_ACCOUNTS, {"business_id": business_id})
    return {account_id: (number, name) for account_id, number, name in rows}


# in index order, so that nothing is sorted and rows can be taken one after another
JOURNAL = (
    select(
        document.c.id,
        document.c.number,
        document.c.date,
        entry.c.account_id,
        entry.c.is_debit,
        entry.c.amount_cents,
        entry.c.description,
    )
    .outerjoin(
        entry,
        and_(entry.c.business_id == document.c.business_id, entry.c.document_id == document.c.id),
    )
    .where(
        document.c.business_id == bindparam("business_id"),
        document.c.is_draft.is_(False),
        document.c.date.between(bindparam("date_from"), bindparam("date_to")),
    )
    .order_by(document.c.date, document.c.id, entry.c.position)
)


def posted(conn: Connection, business_id: int, date_from: date, date_to: date) -> Iterator[JournalDocument]:
    """Yield the posted documents of a range, both days included, by date and id, with their entries."""
    values = {"business_id": business_id, "date_from": date_from, "date_to": date_to}
    rows = conn.execute(JOURNAL, values)
    for (document_id, number, day), group in groupby(rows, key=lambda row: (row[0], row[1], row[2])):
        lines = [
            JournalLine(account_id, is_debit, amount, description)
            for _, _, _, account_id, is_debit, amount, description in group
            if account_id is not None
        ]
        yield JournalDocument(document_id, number, day, lines)
