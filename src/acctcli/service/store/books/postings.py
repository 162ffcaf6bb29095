"""What posting needs and leaves behind: accounts to post to, document numbers, entries. SQL only."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from acctcli.service.rules.posting import EntryLine, VatAccounts
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement, delete, insert_many

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
    has_period: bool


# a day before a locked period is closed with it: what is posted there would change what that period opens with
CLOSING = "business_id = :business_id AND end_date >= :date AND is_locked"
CLOSED = f"(EXISTS (SELECT 1 FROM period WHERE {CLOSING}) OR EXISTS (SELECT 1 FROM vat_period WHERE {CLOSING}))"
ACCOUNTS = Query[tuple[int, str, str, str]](
    tuple, "SELECT id, number, name, type FROM account WHERE business_id = :business_id AND id IN (:ids...)"
)
# In one round trip everything a posting depends on: the accounts named, those of VAT with their role, and rows of their
# own when the day is closed and when it lies in an accounting period. A union, because SQLite answers the same asked as
# one join with a scan.
GROUND = Query[tuple[str, int, str, str, str]](
    tuple,
    f"""SELECT '', id, number, name, type FROM account WHERE business_id = :business_id AND id IN (:ids...)
    UNION ALL SELECT held.role, account.id, account.number, account.name, account.type FROM system_account AS held
    JOIN account ON account.business_id = held.business_id AND account.id = held.account_id
    WHERE held.business_id = :business_id AND held.role IN ('{VAT_ROLES[0]}', '{VAT_ROLES[1]}')
    UNION ALL SELECT 'closed', 0, '', '', '' WHERE {CLOSED}
    UNION ALL SELECT 'period', 0, '', '', '' WHERE EXISTS (SELECT 1 FROM period
    WHERE business_id = :business_id AND start_date <= :date AND end_date >= :date)""",
)


def ground(conn: Connection, business_id: int, day: date, account_ids: Iterable[int]) -> Ground:
    """Return the accounts asked for and those of VAT, whether the day is closed, and whether it lies in a period."""
    ids = frozenset(account_ids)
    known: Ground | None = conn.memory.get((Ground, business_id, day, ids))
    if known is None:
        known = conn.memory[Ground, business_id, day, ids] = _look_up(conn, business_id, day, ids)
    return known


def _look_up(conn: Connection, business_id: int, day: date, account_ids: Iterable[int]) -> Ground:
    accounts: dict[int, AccountFacts] = {}
    roles: dict[str, int] = {}
    for role, account_id, *facts in GROUND.all(conn, business_id=business_id, date=day, ids=account_ids):
        roles[role] = account_id
        accounts[account_id] = AccountFacts(*facts)
    vat_accounts = VatAccounts(*(roles.get(role) for role in VAT_ROLES))
    return Ground(accounts, vat_accounts, "closed" in roles, "period" in roles)


def account_facts(conn: Connection, business_id: int, account_ids: Iterable[int]) -> dict[int, AccountFacts]:
    """Return number, name and type of accounts; ids without an account are left out."""
    rows = ACCOUNTS.all(conn, business_id=business_id, ids=account_ids)
    return {account_id: AccountFacts(*facts) for account_id, *facts in rows}


NEXT_SERIAL = Statement(
    """INSERT INTO document_counter (business_id, date, last) VALUES (:business_id, :date, 1)
    ON CONFLICT (business_id, date) DO UPDATE SET last = document_counter.last + 1 RETURNING last"""
)


def next_serial(conn: Connection, business_id: int, day: date) -> int:
    """Take the next serial of a day; a rollback gives it back, so numbers have no gaps."""
    return int(NEXT_SERIAL.value(conn, business_id=business_id, date=day))


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
    insert_many(conn, "entry", rows)


def drop_entries(conn: Connection, business_id: int, document_id: int) -> None:
    """Delete the entries of an unsealed document."""
    delete(conn, "entry", business_id=business_id, document_id=document_id)
