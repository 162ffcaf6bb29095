"""The tables of the service.

Conventions: every row of a business carries `business_id`, and references inside a business are composite, so that a
row of another business cannot be referenced. Amounts are integer cents. Moments are ISO 8601 UTC text of one width,
equal on both databases and sent as they are stored. Ids are never used twice.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Date,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
)

Id = BigInteger().with_variant(Integer, "sqlite")
Cents = BigInteger()
Stamp = String(27)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _table(name: str, *parts: Any) -> Table:
    return Table(name, metadata, *parts, sqlite_autoincrement=True)


def _id() -> Column[int]:
    return Column("id", Id, primary_key=True)


def _stamps() -> tuple[Column[str], Column[str]]:
    return Column("created_at", Stamp, nullable=False), Column("updated_at", Stamp, nullable=False)


def _business(*, unique_id: bool = False) -> tuple[Any, ...]:
    """Belong to a business; with `unique_id` other tables can reference the pair (business_id, id)."""
    column = Column("business_id", Id, ForeignKey("business.id", ondelete="CASCADE"), nullable=False)
    return (column, UniqueConstraint("business_id", "id")) if unique_id else (column,)


def _inside(local: str, table: str, *, ondelete: str | None = None) -> ForeignKeyConstraint:
    """Reference a row of the same business."""
    return ForeignKeyConstraint(["business_id", local], [f"{table}.business_id", f"{table}.id"], ondelete=ondelete)


def _cents(name: str, *, check: str = "") -> tuple[Column[int], CheckConstraint, *tuple[CheckConstraint, ...]]:
    """Hold integer cents: SQLite would turn a sum beyond 64 bits into a float, the check refuses it."""
    whole = CheckConstraint(f"typeof({name}) = 'integer'", name=f"{name}_integer").ddl_if(dialect="sqlite")
    extra = (CheckConstraint(f"{name} {check}", name=f"{name}_range"),) if check else ()
    return Column(name, Cents, nullable=False), whole, *extra


def _flag(name: str) -> Column[bool]:
    return Column(name, Boolean, nullable=False)


users = _table(
    "users",
    _id(),
    *_stamps(),
    Column("email", String(254), nullable=False, unique=True),
    Column("first_name", String(150), nullable=False),
    Column("last_name", String(150), nullable=False),
    Column("language", String(2)),
    _flag("show_get_started_info"),
    Column("last_login", Stamp),
    Column("date_joined", Stamp, nullable=False),
    Column("last_active_business_id", Id),
    Column("last_active_business_slug", String(16)),
)

token = _table(
    "token",
    _id(),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("name", String(128), nullable=False),
    Column("hash", String(64), nullable=False, unique=True),
    Column("created_at", Stamp, nullable=False),
    Column("expires_at", Stamp),
    Column("revoked_at", Stamp),
)

SYSTEM_ACCOUNTS = (
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

# (name, length) of the writable texts that may be null
BUSINESS_TEXTS = (
    ("invoicing_default_email_subject", None),
    ("invoicing_default_email_content", None),
    ("invoicing_vat_exemption_reason", None),
    ("finanzamtsnummer", 16),
    ("finanzkasse_iban", 34),
    ("finanzkasse_recipient_name", 128),
    ("invoicing_electronic_address", 64),
    ("invoicing_electronic_address_scheme", 16),
    ("contact_phone", 32),
    ("invoicing_email", 254),
    ("invoicing_iban", 34),
    ("invoicing_bic", 11),
    ("invoicing_contact", 64),
    ("invoicing_street", 64),
    ("invoicing_city", 32),
    ("invoicing_postal_code", 8),
    ("invoicing_country", 2),
    ("business_street", 64),
    ("business_city", 32),
    ("business_postal_code", 8),
    ("business_country", 2),
    ("taxauthority_latest_reporter_full_name", 300),
    ("taxauthority_latest_reporter_phone_number", 32),
)

BUSINESS_FLAGS = (
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

business = _table(
    "business",
    _id(),
    *_stamps(),
    Column("name", String(256), nullable=False),
    Column("slug", String(16), nullable=False, unique=True),
    Column("search_text", Text, nullable=False),  # casefolded name and slug: lower() of SQLite knows ASCII only
    Column("country", String(2), nullable=False),
    Column("form", String(16), nullable=False),
    Column("vat_posting_method", String(16), nullable=False),
    Column("vat_reporting_method", String(16), nullable=False),
    Column("default_vat_period", Integer, nullable=False),
    Column("invoicing_default_penalty_interest", String(20), nullable=False),  # decimal text
    Column("invoicing_default_payment_condition_days", Integer, nullable=False),
    Column("owner_id", Id, ForeignKey("users.id", ondelete="SET NULL"), index=True),
    *(Column(name, Text if length is None else String(length)) for name, length in BUSINESS_TEXTS),
    *(_flag(name) for name in BUSINESS_FLAGS),
)

usership = _table(
    "usership",
    _id(),
    *_stamps(),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    *_business(),
    Column("permissions", Text, nullable=False),  # keys, separated by spaces, in the order of the enumeration
    UniqueConstraint("user_id", "business_id"),
    Index(None, "business_id"),
)

identifier = _table(
    "identifier",
    _id(),
    *_stamps(),
    *_business(),
    Column("type", String(16), nullable=False),
    Column("value", String(64), nullable=False),
    UniqueConstraint("business_id", "type"),
)

period = _table(
    "period",
    _id(),
    *_stamps(),
    *_business(),
    Column("start_date", Date, nullable=False),
    Column("end_date", Date, nullable=False),
    _flag("is_locked"),
    CheckConstraint("start_date <= end_date", name="dates"),
    UniqueConstraint("business_id", "start_date"),
)

vat_period = _table(
    "vat_period",
    _id(),
    *_stamps(),
    *_business(),
    Column("start_date", Date, nullable=False),
    Column("end_date", Date, nullable=False),
    Column("due_date", Date, nullable=False),
    Column("period", Integer),
    _flag("is_locked"),
    _flag("is_reported"),
    CheckConstraint("start_date <= end_date", name="dates"),
    UniqueConstraint("business_id", "start_date"),
)

account = _table(
    "account",
    _id(),
    *_stamps(),
    *_business(unique_id=True),
    Column("number", String(7), nullable=False),
    Column("padded_number", Integer, nullable=False),  # right-padded with zeros to 7 digits: the order of lists
    Column("name", Text, nullable=False),
    Column("search_name", Text, nullable=False),  # casefolded: lower() of SQLite knows ASCII only
    Column("name_translations", Text, nullable=False),  # JSON array of {key, value}
    Column("header_id", Id),
    Column("description", String(8192)),
    Column("type", String(16), nullable=False),
    Column("default_vat_code", Integer, nullable=False),
    Column("default_vat_rate_label", String(16), nullable=False),
    *_cents("opening_cents"),
    _flag("is_shown"),
    UniqueConstraint("business_id", "number"),
    Index(None, "business_id", "padded_number", "id"),
)

# The `account_*` fields of a business: one row for each that is set, `role` is the field's name.
system_account = Table(
    "system_account",
    metadata,
    *_business(),
    Column("role", String(32), nullable=False),
    Column("account_id", Id, nullable=False),
    PrimaryKeyConstraint("business_id", "role"),
    _inside("account_id", "account"),
    Index(None, "business_id", "account_id"),
)

# Posted movements of an account, all time and by month, kept by triggers; `entry_count` > 0 means the account is used.
account_total = Table(
    "account_total",
    metadata,
    *_business(),
    Column("account_id", Id, nullable=False),
    *_cents("debit_cents", check=">= 0"),
    *_cents("credit_cents", check=">= 0"),
    Column("entry_count", BigInteger, nullable=False),
    PrimaryKeyConstraint("business_id", "account_id"),
    _inside("account_id", "account", ondelete="CASCADE"),
)

account_month = Table(
    "account_month",
    metadata,
    *_business(),
    Column("account_id", Id, nullable=False),
    Column("month", String(7), nullable=False),  # YYYY-MM
    *_cents("debit_cents", check=">= 0"),
    *_cents("credit_cents", check=">= 0"),
    PrimaryKeyConstraint("business_id", "account_id", "month"),
    _inside("account_id", "account", ondelete="CASCADE"),
)

# A document is born a draft, gets its entries, and is posted by setting `is_draft` to false: a trigger refuses that
# unless debit = credit, and from then on refuses every change of its entries and of its date. To change a posted
# document make it a draft, replace the entries, post it again. Entries exist for posted documents only.
document = _table(
    "document",
    _id(),
    *_stamps(),
    *_business(unique_id=True),
    Column("number", String(16)),  # null until the first posting; stays when the document becomes a draft again
    Column("date", Date, nullable=False),
    _flag("is_draft"),
    _flag("is_locked"),
    _flag("is_flagged"),
    Column("description", String(256), nullable=False),
    Column("search_text", Text, nullable=False),  # casefolded number and description
    Column("contact_id", Id),
    Column("type", Integer, nullable=False),
    Column("blueprint", Text, nullable=False),  # JSON with the digits as they were sent
    Column("blueprint_type", String(16), nullable=False),
    *_cents("balance_cents"),
    *_cents("total_cents"),
    CheckConstraint("is_draft OR number IS NOT NULL", name="posted_has_number"),
    UniqueConstraint("business_id", "number"),
    Index(None, "business_id", "date", "id"),
)

entry = _table(
    "entry",
    _id(),
    *_stamps(),
    *_business(),
    Column("document_id", Id, nullable=False),
    Column("account_id", Id, nullable=False),
    Column("date", Date, nullable=False),  # the date of the document
    _flag("is_debit"),
    *_cents("amount_cents", check=">= 0"),
    Column("description", String(256), nullable=False),
    Column("vat_code", Integer, nullable=False),
    Column("vat_rate", Integer, nullable=False),  # hundredths of a percent: 2550 is 25.50 %
    Column("position", Integer, nullable=False),
    _inside("document_id", "document", ondelete="CASCADE"),
    _inside("account_id", "account"),
    UniqueConstraint("business_id", "document_id", "position"),
    Index(None, "business_id", "account_id", "date", "is_debit", "amount_cents"),
)

# The last N of `YYMMDD-N` per business and date; a deleted document leaves a gap, its number is not given again.
document_counter = Table(
    "document_counter",
    metadata,
    *_business(),
    Column("date", Date, nullable=False),
    Column("last", Integer, nullable=False),
    PrimaryKeyConstraint("business_id", "date"),
)

# How many rows a list has, kept by triggers: `kind` is the table's name.
tally = Table(
    "tally",
    metadata,
    *_business(),
    Column("kind", String(32), nullable=False),
    Column("count", BigInteger, nullable=False),
    PrimaryKeyConstraint("business_id", "kind"),
)

# The outbox. No reference to business: `business.deleted` outlives it.
event = _table(
    "event",
    _id(),
    Column("business_id", Id, nullable=False),
    Column("number", BigInteger, nullable=False),  # increasing per business
    Column("type", String(64), nullable=False),
    Column("data", Text, nullable=False),
    Column("created_at", Stamp, nullable=False),
    UniqueConstraint("business_id", "number"),
)

# Stored replies for Idempotency-Key (wire facts 7.5).
stored_reply = Table(
    "stored_reply",
    metadata,
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("key", String(255), nullable=False),
    Column("fingerprint", String(64), nullable=False),
    Column("status", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("created_at", Stamp, nullable=False, index=True),
    PrimaryKeyConstraint("user_id", "key"),
)

COUNTED = ("account", "document")
