"""What posting needs and leaves behind: accounts to post to, document numbers, entries. SQL only."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import (
    Connection,
    Date,
    String,
    and_,
    bindparam,
    delete,
    insert,
    literal_column,
    or_,
    select,
    text,
    union_all,
)
from sqlalchemy.sql import ColumnElement

from acctcli.service.rules.posting import EntryLine, VatAccounts
from acctcli.service.store.engine.prepared import Prepared
from acctcli.service.store.id_lists import LONGEST, among, padded, portions
from acctcli.service.store.schema.books import entry
from acctcli.service.store.schema.chart import account, system_account
from acctcli.service.store.schema.periods import period, vat_period

VAT_ROLES = ("account_vat_receivables", "account_vat_liabilities")


class AccountFacts(NamedTuple):
    """What posting and showing need to know of an account."""

    number: str
    name: str
    type: str


class Ground(NamedTuple):
    """Where a document is going to be posted."""

    accounts: dict[int, AccountFacts]
    vat_accounts: VatAccounts
    is_closed: bool


def _closed(table: Any) -> Any:
    days = and_(table.c.start_date <= bindparam("date"), table.c.end_date >= bindparam("date"))
    return select(1).where(table.c.business_id == bindparam("business_id"), table.c.is_locked, days).exists()


CLOSED = or_(_closed(period), _closed(vat_period))
IS_CLOSED = select(CLOSED)
FACTS = (account.c.id, account.c.number, account.c.name, account.c.type)


def _named(length: int) -> ColumnElement[bool]:
    return and_(account.c.business_id == bindparam("business_id"), among(account.c.id, length))


@cache
def _accounts(length: int) -> Prepared:
    return Prepared(select(*FACTS).where(_named(length)))


@cache
def _ground(length: int) -> Prepared:
    """Ask in one round trip for everything a posting depends on.

    The accounts named, those of VAT with their role, and a row of its own when the day is closed. A union, because
    SQLite answers the same asked as one join with a scan.
    """
    note = literal_column("''", String)
    of_vat = and_(account.c.business_id == system_account.c.business_id, account.c.id == system_account.c.account_id)
    return Prepared(
        union_all(
            select(note, *FACTS).where(_named(length)),
            select(system_account.c.role, *FACTS)
            .join(account, of_vat)
            .where(
                system_account.c.business_id == bindparam("business_id"),
                system_account.c.role.in_([literal_column(f"'{role}'") for role in VAT_ROLES]),
            ),
            select(literal_column("'closed'"), literal_column("0"), note, note, note).where(CLOSED),
        )
    )


def ground(conn: Connection, business_id: int, day: date, account_ids: Iterable[int]) -> Ground:
    """Return the accounts asked for and those of VAT, and whether the day lies in a locked period."""
    ids = list(account_ids)
    length, values = padded(ids[:LONGEST])
    accounts = account_facts(conn, business_id, ids[LONGEST:])
    roles: dict[str, int] = {}
    rows = _ground(length).all(conn, business_id=business_id, date=day, **values)
    for role, account_id, number, name, type_ in rows:
        roles[role] = account_id
        accounts[account_id] = AccountFacts(number, name, type_)
    return Ground(accounts, VatAccounts(*(roles.get(role) for role in VAT_ROLES)), "closed" in roles)


def is_closed(conn: Connection, business_id: int, day: date) -> bool:
    """Say whether the day lies in a locked accounting or VAT period."""
    return bool(conn.execute(IS_CLOSED, {"business_id": business_id, "date": day}).scalar_one())


def account_facts(conn: Connection, business_id: int, account_ids: Iterable[int]) -> dict[int, AccountFacts]:
    """Return number, name and type of accounts; ids without an account are left out."""
    found: dict[int, AccountFacts] = {}
    for length, values in portions(account_ids):
        rows = _accounts(length).all(conn, business_id=business_id, **values)
        found |= {account_id: AccountFacts(number, name, type_) for account_id, number, name, type_ in rows}
    return found


# plain SQL: both databases know this upsert, SQLAlchemy spells it per dialect
NEXT_SERIAL = Prepared(
    text(
        "INSERT INTO document_counter (business_id, date, last) VALUES (:business_id, :date, 1) "
        "ON CONFLICT (business_id, date) DO UPDATE SET last = document_counter.last + 1 RETURNING last"
    ).bindparams(bindparam("date", type_=Date))
)


def next_serial(conn: Connection, business_id: int, day: date) -> int:
    """Take the next serial of a day; a rollback gives it back, so numbers have no gaps."""
    row = NEXT_SERIAL.one(conn, business_id=business_id, date=day)
    assert row is not None
    return int(row[0])


INSERT_ENTRIES = Prepared(insert(entry), *(column.name for column in entry.columns if not column.primary_key))
DELETE_ENTRIES = delete(entry).where(
    entry.c.business_id == bindparam("of_business"), entry.c.document_id == bindparam("of_document")
)


def add_entries(
    conn: Connection, business_id: int, document_id: int, day: date, lines: Iterable[EntryLine], *, stamp: str
) -> None:
    """Insert the entries of an unsealed document in their order."""
    rows = [
        {
            "created_at": stamp,
            "updated_at": stamp,
            "business_id": business_id,
            "document_id": document_id,
            "account_id": line.account_id,
            "date": day,
            "is_debit": line.is_debit,
            "amount_cents": line.amount,
            "description": line.description,
            "vat_code": line.vat_code,
            "vat_rate": line.vat_rate,
            "position": position,
        }
        for position, line in enumerate(lines)
    ]
    if rows:
        INSERT_ENTRIES.many(conn, rows)


def drop_entries(conn: Connection, business_id: int, document_id: int) -> None:
    """Delete the entries of an unsealed document."""
    conn.execute(DELETE_ENTRIES, {"of_business": business_id, "of_document": document_id})
