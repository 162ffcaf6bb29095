"""Finding the entries that clear others: on the same account, of the same amount, on the other side. SQL only.

A book may hold a million entries on one account, and the index on entries orders them by day before it orders them by
amount. So the days of the account are walked, one step of the index each, and every day is asked for the amount: the
cost grows with the days of the book, not with its documents, and posting pays for no further index.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import (
    CTE,
    BindParameter,
    Connection,
    Select,
    and_,
    bindparam,
    func,
    select,
    union,
)
from sqlalchemy.sql import ColumnElement

from acctcli.service.rules.relations import Movement
from acctcli.service.store.engine.prepared import Prepared
from acctcli.service.store.id_lists import among, portions
from acctcli.service.store.schema.books import document, entry
from acctcli.service.store.schema.chart import account

# how many documents are looked at for one item: those nearest in time on either side, and the newest of the contact
NEAREST, NEWEST_OF_CONTACT = 200, 1000

BUSINESS: BindParameter[int] = bindparam("business_id")
ACCOUNT: BindParameter[int] = bindparam("account_id")
MATCHES = and_(entry.c.is_debit == bindparam("is_debit"), entry.c.amount_cents == bindparam("amount"))


def _on_account(of: Any) -> ColumnElement[bool]:
    return and_(of.c.business_id == BUSINESS, of.c.account_id == ACCOUNT)


def _days(*, later: bool) -> CTE:
    """Walk the days of the account from the date on, or back from the day before it; the last row is null."""
    nearest = func.min if later else func.max
    start = entry.c.date >= bindparam("date") if later else entry.c.date < bindparam("date")
    walked = select(nearest(entry.c.date).label("date")).where(_on_account(entry), start)
    days = walked.cte("later" if later else "earlier", recursive=True)
    one = entry.alias()
    beyond = one.c.date > days.c.date if later else one.c.date < days.c.date
    step = select(nearest(one.c.date)).where(_on_account(one), beyond).scalar_subquery()
    return days.union_all(select(step).where(days.c.date.is_not(None)))


def _nearest(*, later: bool) -> Select[Any]:
    days = select(_days(later=later).c.date)
    order = entry.c.date if later else entry.c.date.desc()
    found = select(entry.c.document_id).where(_on_account(entry), entry.c.date.in_(days), MATCHES)
    return select(found.order_by(order).limit(NEAREST).subquery())


def _of_contact() -> Select[Any]:
    newest = (
        select(document.c.id)
        .where(document.c.business_id == BUSINESS, document.c.contact_id == bindparam("contact_id"))
        .order_by(document.c.date.desc(), document.c.id.desc())
        .limit(NEWEST_OF_CONTACT)
    )
    # The zero keeps SQLite from walking the whole account for each of them
    on_account = entry.c.account_id + 0 == ACCOUNT
    these = (entry.c.business_id == BUSINESS, entry.c.document_id.in_(select(newest.subquery())))
    return select(entry.c.document_id).where(*these, on_account, MATCHES)


MEETING = Prepared(union(_nearest(later=False), _nearest(later=True), _of_contact()))


def meeting(conn: Connection, business_id: int, item: Movement, day: date, contact_id: int | None) -> list[int]:
    """Return documents with an entry that would clear the item, nearest to the day or of the contact."""
    wanted = {"account_id": item.account_id, "is_debit": not item.is_debit, "amount": item.amount}
    rows = MEETING.all(conn, business_id=business_id, date=day, contact_id=contact_id, **wanted)
    return [document_id for (document_id,) in rows]


@cache
def _movements(length: int) -> Prepared:
    own = (entry.c.document_id, account.c.id, account.c.number, account.c.type, entry.c.is_debit, entry.c.amount_cents)
    of_entry = and_(account.c.business_id == entry.c.business_id, account.c.id == entry.c.account_id)
    among_these = (entry.c.business_id == BUSINESS, among(entry.c.document_id, length))
    return Prepared(select(*own).join_from(entry, account, of_entry).where(*among_these))


def movements(conn: Connection, business_id: int, document_ids: Iterable[int]) -> dict[int, list[Movement]]:
    """Return the entries of documents by document; drafts have none and are left out."""
    found: dict[int, list[Movement]] = {}
    for length, values in portions(document_ids):
        for document_id, *parts in _movements(length).all(conn, business_id=business_id, **values):
            found.setdefault(document_id, []).append(Movement(*parts))
    return found


class Heading(NamedTuple):
    """What a posted document is called, its date and its contact."""

    document_id: int
    number: str
    date: date
    contact_id: int | None


@cache
def _headings(length: int) -> Prepared:
    heading = (document.c.id, document.c.number, document.c.date, document.c.contact_id)
    among_these = (document.c.business_id == BUSINESS, among(document.c.id, length))
    return Prepared(select(*heading).where(*among_these))


def headings(conn: Connection, business_id: int, document_ids: Iterable[int]) -> list[Heading]:
    """Return the headings of posted documents."""
    lists = portions(document_ids)
    return [
        Heading._make(row)
        for length, values in lists
        for row in _headings(length).all(conn, business_id=business_id, **values)
    ]
