"""Businesses: settings, and everything that comes and goes with one."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Any

from sqlalchemy import (
    Connection,
    Integer,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    update,
)

from acctcli.service.store.schema.books import document
from acctcli.service.store.schema.business import (
    BUSINESS_FLAGS,
    BUSINESS_TEXTS,
    SYSTEM_ACCOUNTS,
    business,
    identifier,
    usership,
)
from acctcli.service.store.schema.chart import account, system_account
from acctcli.service.store.schema.invoices import sales_invoice
from acctcli.service.store.schema.log import event
from acctcli.service.store.schema.payouts import sales_payout
from acctcli.service.store.schema.people import users
from acctcli.service.store.schema.periods import period, vat_period
from acctcli.service.store.schema.products import product
from acctcli.service.store.schema.purchases import purchase_invoice
from acctcli.service.store.schema.tags import tag

TEXTS = tuple(name for name, _ in BUSINESS_TEXTS)
FLAGS = BUSINESS_FLAGS
ROLE_NAMES = SYSTEM_ACCOUNTS


def _period_id(table: Any) -> Any:
    """The period that contains `today`, else the latest (wire facts 4.4)."""
    today = bindparam("today", type_=table.c.start_date.type)
    holds = case((table.c.start_date.__le__(today) & table.c.end_date.__ge__(today), 0), else_=1)
    return (
        select(table.c.id)
        .where(table.c.business_id == business.c.id)
        .order_by(holds, table.c.start_date.desc())
        .limit(1)
        .scalar_subquery()
    )


SHOWN = (
    select(
        business,
        users.c.email.label("owner_email"),
        users.c.first_name.label("owner_first_name"),
        users.c.last_name.label("owner_last_name"),
        _period_id(period).label("period_id"),
        _period_id(vat_period).label("vat_period_id"),
        exists().where(tag.c.business_id == business.c.id).label("has_tags"),
    )
    .select_from(business)
    .outerjoin(users, users.c.id == business.c.owner_id)
)
ONE = SHOWN.where(business.c.id == bindparam("business_id"))
MINE = exists().where(usership.c.business_id == business.c.id, usership.c.user_id == bindparam("user_id"))
WANTED = or_(
    business.c.search_text.contains(bindparam("wanted"), autoescape=False, escape="\\"),
    exists().where(
        identifier.c.business_id == business.c.id,
        func.lower(identifier.c.value).contains(bindparam("wanted"), escape="\\"),
    ),
)
LIMIT, OFFSET = bindparam("limit", type_=Integer), bindparam("offset", type_=Integer)
PAGE = SHOWN.where(MINE).order_by(business.c.id).limit(LIMIT).offset(OFFSET)
COUNT = select(func.count()).select_from(usership).where(usership.c.user_id == bindparam("user_id"))
COUNT_MINE = select(func.count()).select_from(business).where(MINE)
ONLY = business.c.slug.in_(bindparam("only", expanding=True))
SLUG_TAKEN = select(business.c.id).where(business.c.slug == bindparam("slug"))
INSERT = insert(business).returning(business.c.id)
IDENTIFIERS = (
    select(identifier)
    .where(identifier.c.business_id.in_(bindparam("ids", expanding=True)))
    .order_by(identifier.c.business_id, identifier.c.id)
)
ROLES = select(system_account).where(system_account.c.business_id.in_(bindparam("ids", expanding=True)))
ROLE = select(system_account.c.role).where(
    system_account.c.business_id == bindparam("business_id"),
    system_account.c.account_id == bindparam("account_id"),
)
KNOWN_ACCOUNT = select(account.c.id).where(
    account.c.business_id == bindparam("business_id"), account.c.id == bindparam("account_id")
)


def get(conn: Connection, business_id: int, today: date) -> dict[str, Any]:
    """Return a business that exists, with its owner and the periods of today."""
    return dict(conn.execute(ONE, {"business_id": business_id, "today": today}).mappings().one())


def escape_like(text: str) -> str:
    """Escape what LIKE would read as a pattern, and fold the case as stored search texts are."""
    return text.casefold().replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def page(
    conn: Connection,
    user_id: int,
    search: str | None,
    today: date,
    limit: int,
    offset: int,
    only: Collection[str] | None = None,
) -> tuple[int, list[dict[str, Any]]]:
    """Return the number of a user's businesses and one page of them, by id.

    `search` looks into name, slug and identifiers; `only` are the slugs to keep to.
    """
    some: dict[str, Any] = {"user_id": user_id}
    narrowed = []
    if search:
        some["wanted"] = escape_like(search)
        narrowed.append(WANTED)
    if only is not None:
        some["only"] = sorted(only)
        narrowed.append(ONLY)
    rows = conn.execute(PAGE.where(*narrowed), some | {"today": today, "limit": limit, "offset": offset})
    count = conn.execute(COUNT_MINE.where(*narrowed) if narrowed else COUNT, some).scalar_one()
    return count, [dict(row) for row in rows.mappings()]


def identifiers(conn: Connection, ids: Sequence[int]) -> dict[int, list[dict[str, Any]]]:
    """Return the identifiers of businesses, as they are sent."""
    found: dict[int, list[dict[str, Any]]] = {business_id: [] for business_id in ids}
    for row in conn.execute(IDENTIFIERS, {"ids": list(ids)}):
        found[row.business_id].append({"id": row.id, "type": row.type, "value": row.value})
    return found


def roles(conn: Connection, ids: Sequence[int]) -> dict[int, dict[str, int]]:
    """Return the account ids behind the `account_*` fields of businesses, only those that are set."""
    found: dict[int, dict[str, int]] = {business_id: {} for business_id in ids}
    for row in conn.execute(ROLES, {"ids": list(ids)}):
        found[row.business_id][row.role] = row.account_id
    return found


def slug_taken(conn: Connection, slug: str) -> bool:
    """Whether any business of the database has this slug."""
    return conn.execute(SLUG_TAKEN, {"slug": slug}).first() is not None


def create(conn: Connection, fields: Mapping[str, Any]) -> int:
    """Insert a business and return its id."""
    return int(conn.execute(INSERT, fields).scalar_one())


def change(conn: Connection, business_id: int, fields: Mapping[str, Any]) -> None:
    """Set columns of a business."""
    conn.execute(update(business).where(business.c.id == business_id).values(**fields))


def set_role(conn: Connection, business_id: int, role: str, account_id: int | None) -> bool:
    """Point an `account_*` field at an account of the business; False when there is no such account."""
    key = {"business_id": business_id, "role": role}
    conn.execute(delete(system_account).filter_by(**key))
    if account_id is None:
        return True
    known = conn.execute(KNOWN_ACCOUNT, {"business_id": business_id, "account_id": account_id}).first()
    if known is not None:
        conn.execute(insert(system_account), key | {"account_id": account_id})
    return known is not None


def role_of(conn: Connection, business_id: int, account_id: int) -> str | None:
    """Return an `account_*` field that points at an account."""
    return conn.execute(ROLE, {"business_id": business_id, "account_id": account_id}).scalar()


ERASED = (
    vat_period,
    purchase_invoice,
    sales_payout,
    period,
    document,
    sales_invoice,
    product,
    system_account,
    account,
    event,
)


def erase(conn: Connection, business_id: int) -> None:
    """Delete a business with everything that is its own, the events included (Q17).

    In an order that leaves no reference dangling: PostgreSQL looks after each statement, not after the cascade. The
    periods first: documents do not leave a locked one.
    """
    for table in ERASED:
        conn.execute(delete(table).where(table.c.business_id == business_id))
    conn.execute(delete(business).where(business.c.id == business_id))
