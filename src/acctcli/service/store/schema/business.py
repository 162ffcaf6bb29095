"""A business, its settings, its members, its official identifiers."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Integer, String, Text, UniqueConstraint

from acctcli.service.store.schema.columns import Id, flag, id_column, of_business, stamps, table

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

business = table(
    "business",
    id_column(),
    *stamps(),
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
    *(flag(name) for name in BUSINESS_FLAGS),
)

usership = table(
    "usership",
    id_column(),
    *stamps(),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    *of_business(),
    Column("permissions", Text, nullable=False),  # keys, separated by spaces, in the order of the enumeration
    UniqueConstraint("user_id", "business_id"),
    Index(None, "business_id"),
)

identifier = table(
    "identifier",
    id_column(),
    *stamps(),
    *of_business(),
    Column("type", String(16), nullable=False),
    Column("value", String(64), nullable=False),
    UniqueConstraint("business_id", "type"),
)
