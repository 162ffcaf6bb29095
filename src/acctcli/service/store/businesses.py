"""Businesses: settings, and everything that comes and goes with one."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime
from functools import cache
from typing import Any

from acctcli.law import ZONES
from acctcli.law.days import today_in
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement, delete, insert, insert_many, update
from acctcli.service.store.patterns import holding
from acctcli.service.store.rows import Record

# the `account_*` fields that point at an account
ROLE_NAMES = (
    "account_yle_tax",
    "account_tax_deferrals",
    "account_income_tax_rec",
    "account_income_tax_lia",
    "account_previous_profit",
    "account_vat_receivables",
    "account_vat_liabilities",
    "account_vat_accrual_adjustment",
    "account_trade_receivables",
    "account_payables",
    "account_cash_payment",
)

# the writable texts that may be null, with their lengths
TEXTS: Mapping[str, int | None] = {
    "invoicing_default_email_subject": None,
    "invoicing_default_email_content": None,
    "invoicing_vat_exemption_reason": None,
    "finanzamtsnummer": 16,
    "finanzkasse_iban": 34,
    "finanzkasse_recipient_name": 128,
    "invoicing_electronic_address": 64,
    "invoicing_electronic_address_scheme": 16,
    "contact_phone": 32,
    "invoicing_email": 254,
    "invoicing_iban": 34,
    "invoicing_bic": 11,
    "invoicing_contact": 64,
    "invoicing_street": 64,
    "invoicing_city": 32,
    "invoicing_postal_code": 8,
    "invoicing_country": 2,
    "business_street": 64,
    "business_city": 32,
    "business_postal_code": 8,
    "business_country": 2,
    "taxauthority_latest_reporter_full_name": 300,
    "taxauthority_latest_reporter_phone_number": 32,
}

FLAGS = (
    "has_dauerfristverlaengerung",
    "has_accrual_based_entries_for_invoicing",
    "has_history_before_service",
    "fiscal_period_needs_review",
    "vat_period_needs_review",
    "onboarding_updated_invoicing_settings",
    "onboarding_created_invoicing_contact",
    "onboarding_created_invoicing_product",
    "onboarding_registered_to_collector",
    "einvoicing_enabled",
    "bank_bookkeeping_api_enabled",
    "bank_platform_connection_enabled",
    "is_automatic_debt_collection_enabled",
)


# today where a business is, which in a list is not the same day for all of them
NOWHERE = "today"
DAYS = {code: f"today_{code.lower()}" for code in ZONES}
TODAY = " ".join(
    ("CASE business.country", *(f"WHEN '{code}' THEN :{day}" for code, day in DAYS.items()), f"ELSE :{NOWHERE} END")
)


def _period_id(table: str) -> str:
    """The period that contains today, else the latest (docs/interface.md 3.4)."""
    # what is of the query around stands in no ORDER BY: SQLite knows it there since 3.41 only
    of_this = f"SELECT id FROM {table} WHERE business_id = business.id"
    latest = "ORDER BY start_date DESC LIMIT 1"
    return f"COALESCE(({of_this} AND {TODAY} BETWEEN start_date AND end_date {latest}), ({of_this} {latest}))"


PERIOD_ID, VAT_PERIOD_ID = _period_id("period"), _period_id("vat_period")
SHOWN = f"""SELECT business.*, users.email AS owner_email, users.first_name AS owner_first_name,
    users.last_name AS owner_last_name, {PERIOD_ID} AS period_id, {VAT_PERIOD_ID} AS vat_period_id,
    EXISTS (SELECT 1 FROM tag WHERE tag.business_id = business.id) AS "has_tags [boolean]",
    logo.content_name AS logo_name, logo.content_secret AS logo_secret
    FROM business LEFT JOIN users ON users.id = business.owner_id
    LEFT JOIN business_logo ON business_logo.business_id = business.id
    LEFT JOIN attachment AS logo ON logo.business_id = business.id AND logo.id = business_logo.attachment_id"""
MINE = """EXISTS (
    SELECT 1 FROM usership WHERE usership.business_id = business.id AND usership.user_id = :user_id)"""
NARROWED = {
    "search": r"""(search_text LIKE :search ESCAPE '\' OR EXISTS (
        SELECT 1 FROM identifier WHERE identifier.business_id = business.id
        AND lower(identifier.value) LIKE :search ESCAPE '\'))""",
    "only": "business.slug IN (:only...)",
}
ONE = Query[Record](dict, f"{SHOWN} WHERE business.id = :business_id")
PLACE = Query[tuple[int, str, str, str]](tuple, "SELECT id, slug, form, country FROM business WHERE id = :business_id")
CHART = Statement("SELECT chart FROM business WHERE id = :business_id")
SLUG_TAKEN = Statement("SELECT id FROM business WHERE slug = :slug")
IDENTIFIERS = Query[Record](dict, "SELECT * FROM identifier WHERE business_id IN (:ids...) ORDER BY business_id, id")
ROLES = Query[tuple[int, str, int]](
    tuple, "SELECT business_id, role, account_id FROM system_account WHERE business_id IN (:ids...)"
)


def get(conn: Connection, business_id: int, today: date) -> Record:
    """Return a business that exists, with its owner and the periods of today."""
    (row,) = ONE.all(conn, business_id=business_id, **dict.fromkeys((NOWHERE, *DAYS.values()), today))
    return row


@cache
def _page(wanted: tuple[str, ...]) -> tuple[Statement, Query[Record]]:
    where = " AND ".join((MINE, *(NARROWED[name] for name in wanted)))
    rows = f"{SHOWN} WHERE {where} ORDER BY business.id LIMIT :limit OFFSET :offset"
    return Statement(f"SELECT count(*) FROM business WHERE {where}"), Query[Record](dict, rows)


def page(
    conn: Connection,
    user_id: int,
    search: str | None,
    now: datetime,
    limit: int,
    offset: int,
    only: Collection[str] | None = None,
) -> tuple[int, list[Record]]:
    """Return the number of a user's businesses and one page of them, by id.

    `search` looks into name, slug and identifiers; `only` are the slugs to keep to.
    """
    some: dict[str, Any] = {"search": holding(search)} if search else {}
    if only is not None:
        some["only"] = sorted(only)
    count, rows = _page(tuple(some))
    days = {NOWHERE: today_in(None, now), **{name: today_in(code, now) for code, name in DAYS.items()}}
    number = count.value(conn, user_id=user_id, **some)
    return number, rows.all(conn, user_id=user_id, **some, **days, limit=limit, offset=offset)


def identifiers(conn: Connection, ids: Sequence[int]) -> dict[int, list[Record]]:
    """Return the identifiers of businesses, as they are sent."""
    found: dict[int, list[Record]] = {business_id: [] for business_id in ids}
    for row in IDENTIFIERS.all(conn, ids=ids):
        found[row["business_id"]].append({name: row[name] for name in ("id", "type", "value")})
    return found


def roles(conn: Connection, ids: Sequence[int]) -> dict[int, dict[str, int]]:
    """Return the account ids behind the `account_*` fields of businesses, only those that are set."""
    found: dict[int, dict[str, int]] = {business_id: {} for business_id in ids}
    for business_id, role, account_id in ROLES.all(conn, ids=ids):
        found[business_id][role] = account_id
    return found


def place(conn: Connection, business_id: int) -> tuple[int, str, str, str]:
    """Return id, slug, form and country of a business that exists."""
    (row,) = PLACE.all(conn, business_id=business_id)
    return row


def chart(conn: Connection, business_id: int) -> str | None:
    """Return the name of a business's chart of accounts; None is the usual one of its country."""
    found: str | None = CHART.value(conn, business_id=business_id)
    return found


def slug_taken(conn: Connection, slug: str) -> bool:
    """Whether any business of the database has this slug."""
    return SLUG_TAKEN.value(conn, slug=slug) is not None


def create(conn: Connection, fields: Mapping[str, Any]) -> int:
    """Insert a business and return its id."""
    return insert(conn, "business", fields)


def change(conn: Connection, business_id: int, fields: Mapping[str, Any]) -> None:
    """Set columns of a business."""
    update(conn, "business", fields, id=business_id)


def set_role(conn: Connection, business_id: int, role: str, account_id: int | None) -> None:
    """Point an `account_*` field at an account of the business, or at none."""
    delete(conn, "system_account", business_id=business_id, role=role)
    if account_id is not None:
        insert_many(conn, "system_account", [{"business_id": business_id, "role": role, "account_id": account_id}])


# what a business that was given up is called from then on: no address can name it
GONE = "substr(business.slug, 1, 1) = '~'"
GIVE_UP = Statement("UPDATE business SET slug = '~' || CAST(id AS VARCHAR(15)) WHERE id = :business_id")
THERE = Statement(f"SELECT id FROM business WHERE id = :business_id AND NOT {GONE}")
# as writers of one business wait for each other (people/admission.py)
LOCKED = Statement(f"{THERE.text} FOR NO KEY UPDATE")
GIVEN_UP = Statement(f"SELECT id FROM business WHERE {GONE} ORDER BY id")
# In an order that leaves no reference dangling: PostgreSQL looks after each statement, not after the cascade. Periods
# first: documents do not leave a locked one.
ERASED = (
    "fingerprint",
    "search_block",
    "vat_period",
    "purchase_invoice",
    "sales_payout",
    "period",
    "document",
    "sales_invoice",
    "product",
    "webhook_delivery",
    "workflow_run",
    "event",
    "contact",
    "attachment",
)
PORTION = 250


# how invoices refer to each other, in any direction: a draft may be made the credit note of a newer one
REFERRING = ("is_credit_note_for", "recurrence_parent_id")
LOOSENED = [
    Statement(
        f"""UPDATE sales_invoice SET {column} = NULL WHERE business_id = :business_id AND id IN (
            SELECT id FROM sales_invoice WHERE business_id = :business_id AND {column} IS NOT NULL LIMIT :most)
        RETURNING id"""
    )
    for column in REFERRING
]
# what tells that the business is deleted outlives it
OUTLIVING = {"event": "AND type <> 'business.deleted'"}
PORTIONS = {
    table: Statement(
        f"""DELETE FROM {table} WHERE business_id = :business_id AND id IN (
            SELECT id FROM {table} WHERE business_id = :business_id {OUTLIVING.get(table, "")}
            LIMIT :most)
        RETURNING {"content_name" if table == "attachment" else "id"}"""
    )
    for table in ERASED
}


def lock(conn: Connection, business_id: int) -> bool:
    """Keep other writers of a business away until the commit; return whether it has not been given up."""
    statement = LOCKED if conn.dialect == "postgresql" else THERE
    return statement.value(conn, business_id=business_id) is not None


def give_up(conn: Connection, business_id: int) -> None:
    """Make a business one that nobody can see or name any more; `erase_some` takes away what it has."""
    for table in ("usership", "invitation", "search_mark", "business_logo"):
        delete(conn, table, business_id=business_id)
    GIVE_UP.run(conn, business_id=business_id)


def given_up(conn: Connection) -> list[int]:
    """Return the businesses that were given up and are not yet erased."""
    return GIVEN_UP.values(conn)


def erase_some(conn: Connection, business_id: int, most: int = PORTION) -> tuple[bool, list[str]]:
    """Delete a portion of a business that was given up: in one transaction with all of it others would wait too long.

    Returns whether there is more, and the names of content that no row names any more.
    """
    for loosened in LOOSENED:
        if loosened.values(conn, business_id=business_id, most=most):
            return True, []
    for table, portion in PORTIONS.items():
        if gone := portion.values(conn, business_id=business_id, most=most):
            return True, gone if table == "attachment" else []
    for table in ("trail_seal", "trail_head", "event_block", "system_account", "account", "business"):
        delete(conn, table, **{"id" if table == "business" else "business_id": business_id})
    return False, []
