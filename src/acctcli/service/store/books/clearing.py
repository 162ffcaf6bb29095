"""Finding the entries that clear others: on the same account, of the same amount, on the other side. SQL only.

A book may hold a million entries on one account, and the index on entries orders them by day before it orders them by
amount. So the days of the account are walked, one step of the index each, and every day is asked for the amount: the
cost grows with the days of the book, not with its documents, and posting pays for no further index.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any, NamedTuple

from acctcli.service.rules.relations import Movement
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement

# how many documents are looked at for one item: those nearest in time on either side, and the newest of the contact
NEAREST, NEWEST_OF_CONTACT = 200, 1000

ON_ACCOUNT = "business_id = :business_id AND account_id = :account_id"
MATCHES = "is_debit = :is_debit AND amount_cents = :amount"


def _nearest(days: str, nearest: str, start: str, beyond: str, order: str) -> str:
    """Walk the days of the account, each found beyond the one before; the last is null."""
    return f"""SELECT document_id FROM (
        WITH RECURSIVE {days}(date) AS (
            SELECT {nearest}(date) FROM entry WHERE {ON_ACCOUNT} AND date {start} :date
            UNION ALL
            SELECT (SELECT {nearest}(entry.date) FROM entry WHERE {ON_ACCOUNT} AND entry.date {beyond} {days}.date)
            FROM {days} WHERE {days}.date IS NOT NULL)
        SELECT document_id FROM entry WHERE {ON_ACCOUNT} AND date IN (SELECT date FROM {days}) AND {MATCHES}
        ORDER BY date {order} LIMIT {NEAREST}) AS on_{days}"""


EARLIER, LATER = _nearest("earlier", "max", "<", "<", "DESC"), _nearest("later", "min", ">=", ">", "ASC")
# The zero keeps SQLite from walking the whole account for each of them
OF_CONTACT = f"""SELECT document_id FROM entry WHERE business_id = :business_id AND document_id IN (
        SELECT id FROM document WHERE business_id = :business_id AND contact_id = :contact_id
        ORDER BY date DESC, id DESC LIMIT {NEWEST_OF_CONTACT})
    AND account_id + 0 = :account_id AND {MATCHES}"""
MEETING = Statement(f"{EARLIER} UNION {LATER} UNION {OF_CONTACT}")


def meeting(conn: Connection, business_id: int, item: Movement, day: date, contact_id: int | None) -> list[int]:
    """Return documents with an entry that would clear the item, nearest to the day or of the contact."""
    wanted = {"account_id": item.account_id, "is_debit": not item.is_debit, "amount": item.amount}
    return MEETING.values(conn, business_id=business_id, date=day, contact_id=contact_id, **wanted)


MOVEMENTS = Query[tuple[Any, ...]](
    tuple,
    """SELECT entry.document_id, account.id, account.number, account.type, entry.is_debit, entry.amount_cents
    FROM entry JOIN account ON account.business_id = entry.business_id AND account.id = entry.account_id
    WHERE entry.business_id = :business_id AND entry.document_id IN (:ids...)""",
)


def movements(conn: Connection, business_id: int, document_ids: Iterable[int]) -> dict[int, list[Movement]]:
    """Return the entries of documents by document; drafts have none and are left out."""
    found: dict[int, list[Movement]] = {}
    for document_id, *parts in MOVEMENTS.all(conn, business_id=business_id, ids=document_ids):
        found.setdefault(document_id, []).append(Movement(*parts))
    return found


class Heading(NamedTuple):
    """What a posted document is called, its date and its contact."""

    document_id: int
    number: str
    date: date
    contact_id: int | None


HEADINGS = Query(
    Heading, "SELECT id, number, date, contact_id FROM document WHERE business_id = :business_id AND id IN (:ids...)"
)


def headings(conn: Connection, business_id: int, document_ids: Iterable[int]) -> list[Heading]:
    """Return the headings of posted documents."""
    return HEADINGS.all(conn, business_id=business_id, ids=document_ids)
