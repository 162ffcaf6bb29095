"""Accounts: SQL only. Amounts are cents; every statement names the business."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import (
    BindParameter,
    Connection,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    union_all,
    update,
)
from sqlalchemy.exc import IntegrityError

from acctcli.models.enums import AccountType
from acctcli.service.store.listing import Clauses, Listing
from acctcli.service.store.schema.books import document, document_tag, entry
from acctcli.service.store.schema.chart import account, account_total, system_account
from acctcli.service.store.schema.invoices import sales_invoice_row
from acctcli.service.store.schema.products import product


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

IN_BUSINESS = account.c.business_id == bindparam("business_id")
ROW = tuple(account.c[name] for name in AccountRow._fields)
USED = exists().where(
    account_total.c.business_id == account.c.business_id,
    account_total.c.account_id == account.c.id,
    account_total.c.entry_count > 0,
)
# drafts have no entries; the documents are collected once, not for each account
OF_TAGGED = (
    select(entry.c.account_id)
    .join(
        document_tag,
        and_(document_tag.c.business_id == entry.c.business_id, document_tag.c.document_id == entry.c.document_id),
    )
    .where(document_tag.c.business_id == bindparam("business_id"), document_tag.c.tag_id == bindparam("tags"))
)

# the clauses a list may be narrowed by; each takes the parameter of its own name, if any
FILTERS = {
    "is_shown": account.c.is_shown == bindparam("is_shown"),
    "is_used": USED,
    "is_unused": ~USED,
    "number": account.c.number == bindparam("number"),
    "number_gte": account.c.padded_number >= bindparam("number_gte"),
    "number_lte": account.c.padded_number <= bindparam("number_lte"),
    "search": or_(
        account.c.number.like(bindparam("search_number"), escape="\\"),
        account.c.search_name.like(bindparam("search_name"), escape="\\"),
    ),
    "types": account.c.type.in_(bindparam("types", expanding=True)),
    "tags": account.c.id.in_(OF_TAGGED),
}
LISTING = Listing(account, ROW, (account.c.padded_number, account.c.id), FILTERS)


def list_page(
    conn: Connection, business_id: int, clauses: Clauses, *, limit: int, offset: int
) -> tuple[int, list[AccountRow]]:
    """Return how many accounts pass the clauses, and one page of them by padded number."""
    count, rows = LISTING.page(conn, business_id, clauses, limit=limit, offset=offset)
    return count, [AccountRow._make(row) for row in rows]


ONE = select(*ROW).where(IN_BUSINESS, account.c.id == bindparam("account_id"))
ONE_FOR_UPDATE = ONE.with_for_update()
MOVEMENTS = select(account_total.c.debit_cents, account_total.c.credit_cents, account_total.c.entry_count).where(
    account_total.c.business_id == bindparam("business_id"),
    account_total.c.account_id == bindparam("account_id"),
)


def get(conn: Connection, business_id: int, account_id: int, *, for_update: bool = False) -> AccountRow | None:
    """Return an account of the business, or None."""
    statement = ONE_FOR_UPDATE if for_update else ONE
    row = conn.execute(statement, {"business_id": business_id, "account_id": account_id}).one_or_none()
    return None if row is None else AccountRow._make(row)


def movements(conn: Connection, business_id: int, account_id: int) -> Movements:
    """Return what was ever posted to an account."""
    row = conn.execute(MOVEMENTS, {"business_id": business_id, "account_id": account_id}).one_or_none()
    return NO_MOVEMENTS if row is None else Movements._make(row)


INSERT = insert(account).returning(account.c.id)
UPDATE = update(account).where(
    account.c.business_id == bindparam("of_business"), account.c.id == bindparam("of_account")
)
DELETE = delete(account).where(IN_BUSINESS, account.c.id == bindparam("account_id"))


class NumberTaken(Exception):
    """Another account of the business has this number."""


def create(conn: Connection, business_id: int, values: Mapping[str, Any]) -> int:
    """Insert an account and return its id; NumberTaken leaves the transaction usable."""
    try:
        with conn.begin_nested():
            return int(conn.execute(INSERT, {"business_id": business_id, **values}).scalar_one())
    except IntegrityError as fault:
        raise NumberTaken from fault


def change(conn: Connection, business_id: int, account_id: int, values: Mapping[str, Any]) -> None:
    """Write some columns of an account; NumberTaken leaves the transaction usable."""
    try:
        with conn.begin_nested():
            conn.execute(UPDATE, {**values, "of_business": business_id, "of_account": account_id})
    except IntegrityError as fault:
        raise NumberTaken from fault


def remove(conn: Connection, business_id: int, account_id: int) -> None:
    """Delete an account that has no entries."""
    conn.execute(DELETE, {"business_id": business_id, "account_id": account_id})


INVOICED_TO = union_all(
    *(
        select(of.c.id).where(of.c.business_id == bindparam("business_id"), of.c.account_id == bindparam("account_id"))
        for of in (product, sales_invoice_row)
    )
).limit(1)


def is_invoiced_to(conn: Connection, business_id: int, account_id: int) -> bool:
    """Say whether a product, or a row of a sales invoice, posts to an account."""
    return conn.execute(INVOICED_TO, {"business_id": business_id, "account_id": account_id}).first() is not None


ROLES = (
    select(system_account.c.role)
    .where(
        system_account.c.business_id == bindparam("business_id"),
        system_account.c.account_id == bindparam("account_id"),
    )
    .order_by(system_account.c.role)
)


def roles(conn: Connection, business_id: int, account_id: int) -> list[str]:
    """Return the business fields that point at an account."""
    found = conn.execute(ROLES, {"business_id": business_id, "account_id": account_id})
    return list(found.scalars())


# an update takes a parameter named like a column for a value to set: hence `of_business`
OF_BUSINESS: BindParameter[int] = bindparam("of_business")
MONEY = select(account.c.id).where(account.c.business_id == OF_BUSINESS, account.c.type == AccountType.ASS_PAY.value)
ON_ACCOUNT = select(entry.c.document_id).where(
    entry.c.business_id == OF_BUSINESS, entry.c.account_id == bindparam("of_account")
)
MONEY_OF_DOCUMENT = (
    select(
        func.coalesce(func.sum(entry.c.amount_cents).filter(entry.c.is_debit), 0)
        - func.coalesce(func.sum(entry.c.amount_cents).filter(~entry.c.is_debit), 0)
    )
    .where(
        entry.c.business_id == document.c.business_id,
        entry.c.document_id == document.c.id,
        entry.c.account_id.in_(MONEY),
    )
    .scalar_subquery()
)
REBALANCE = (
    update(document)
    .where(document.c.business_id == OF_BUSINESS, document.c.id.in_(ON_ACCOUNT))
    .values(balance_cents=MONEY_OF_DOCUMENT)
)


def rebalance_documents(conn: Connection, business_id: int, account_id: int) -> None:
    """Recompute the balance of documents with entries on an account that became money or ceased to be."""
    conn.execute(REBALANCE, {"of_business": business_id, "of_account": account_id})
