"""Businesses and their identifiers (docs/interface.md 3.1, 3.2)."""

from __future__ import annotations

from typing import Annotated, Any, cast

from pydantic import Field, StringConstraints
from typing_extensions import TypedDict

from acctcli.models.base import (
    NO_NUL,
    SLUG,
    Country,
    Email,
    Id,
    Integer,
    Name256,
    Phone,
    Rate,
    Request,
    Text8,
    Text11,
    Text16,
    Text32,
    Text34,
    Text64,
    Text128,
    Text300,
    Text8192,
    hide_default,
    whole,
    zero,
)
from acctcli.models.enums import (
    BusinessForm,
    DefaultVatPeriod,
    IdentifierType,
    VatPostingMethod,
    VatReportingMethod,
)
from acctcli.models.placeholders import MailLine, MailText
from acctcli.models.reply import Stored

Slug = Annotated[str, StringConstraints(min_length=1, max_length=16, pattern=SLUG)]
Days = Annotated[int, Field(ge=0, le=999), whole]


class BusinessRequest(Request):
    """Settings of a business that its administrators may write; only `name` is required."""

    name: Name256
    slug: Slug | None = None
    business_id: Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=NO_NUL)] = ""
    vat_posting_method: VatPostingMethod = VatPostingMethod.NET
    vat_reporting_method: VatReportingMethod = VatReportingMethod.DEFAULT
    form: BusinessForm = BusinessForm.FI_OY
    default_vat_period: Annotated[DefaultVatPeriod, whole] = DefaultVatPeriod.MONTH
    has_dauerfristverlaengerung: bool = False
    finanzamtsnummer: Text16 | None = None
    finanzkasse_iban: Text34 | None = None
    finanzkasse_recipient_name: Text128 | None = None
    invoicing_default_penalty_interest: Rate = zero()
    invoicing_default_payment_condition_days: Days = 14
    invoicing_default_email_subject: MailLine | None = None
    invoicing_default_email_content: MailText | None = None
    invoicing_vat_exemption_reason: Text8192 | None = None
    # by the form of the business when absent
    has_accrual_based_entries_for_invoicing: bool = Field(default=cast(bool, None), json_schema_extra=hide_default)
    has_history_before_service: bool = False
    fiscal_period_needs_review: bool = False
    vat_period_needs_review: bool = False
    contact_phone: Phone | None = None
    invoicing_email: Email | None = None
    invoicing_electronic_address: Text64 | None = None
    invoicing_electronic_address_scheme: Text16 | None = None
    invoicing_iban: Text34 | None = None
    invoicing_bic: Text11 | None = None
    invoicing_contact: Text64 | None = None
    invoicing_street: Text64 | None = None
    invoicing_city: Text32 | None = None
    invoicing_postal_code: Text8 | None = None
    invoicing_country: Country | None = None
    business_street: Text64 | None = None
    business_city: Text32 | None = None
    business_postal_code: Text8 | None = None
    business_country: Country | None = None
    account_yle_tax: Id | None = None
    account_tax_deferrals: Id | None = None
    account_income_tax_rec: Id | None = None
    account_income_tax_lia: Id | None = None
    account_previous_profit: Id | None = None
    account_vat_receivables: Id | None = None
    account_vat_liabilities: Id | None = None
    account_vat_accrual_adjustment: Id | None = None
    account_trade_receivables: Id | None = None
    account_payables: Id | None = None
    account_cash_payment: Id | None = None
    onboarding_updated_invoicing_settings: bool = False
    onboarding_created_invoicing_contact: bool = False
    onboarding_created_invoicing_product: bool = False
    onboarding_registered_to_collector: bool = False
    einvoicing_enabled: bool = False
    bank_bookkeeping_api_enabled: bool = False
    bank_platform_connection_enabled: bool = False
    taxauthority_latest_reporter_full_name: Text300 | None = None
    taxauthority_latest_reporter_phone_number: Phone | None = None
    is_automatic_debt_collection_enabled: bool = False


class ChartChoice(Request):
    """What of the settings of its country a business has a choice in."""

    chart: Text16 | None = None


class NewBusiness(BusinessRequest):
    """A business to be made: its settings, and what is decided once (docs/interface.md 3.1)."""

    country_config: ChartChoice | None = None


class IdentifierRequest(Request):
    """One official identifier; POST replaces the value of its type."""

    type: IdentifierType
    value: Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=NO_NUL)]


class Identifier(TypedDict):
    """A stored identifier."""

    id: int
    type: str
    value: str


class Business(Stored):
    """A business as the service shows it."""

    logo: str | None
    name: str
    slug: str
    business_id: str
    country: str
    country_config: dict[str, Any]
    period_id: int | None
    is_billable: bool
    vat_period_id: int | None
    vat_posting_method: str
    vat_reporting_method: str
    form: str
    default_vat_period: int
    has_dauerfristverlaengerung: bool
    finanzamtsnummer: str | None
    invoicing_default_penalty_interest: Rate
    invoicing_default_payment_condition_days: Integer
    invoicing_default_email_subject: str | None
    invoicing_default_email_content: str | None
    invoicing_vat_exemption_reason: str | None
    has_accrual_based_entries_for_invoicing: bool
    owner_name: str
    owner_email: str
    has_history_before_service: bool
    fiscal_period_needs_review: bool
    vat_period_needs_review: bool
    contact_phone: str | None
    invoicing_email: str | None
    invoicing_electronic_address: str | None
    invoicing_electronic_address_scheme: str | None
    invoicing_iban: str | None
    finanzkasse_iban: str | None
    finanzkasse_recipient_name: str | None
    invoicing_tax_code: str | None
    invoicing_bic: str | None
    invoicing_contact: str | None
    invoicing_street: str | None
    invoicing_city: str | None
    invoicing_postal_code: str | None
    invoicing_country: str | None
    has_business_address: bool
    business_street: str | None
    business_city: str | None
    business_postal_code: str | None
    business_country: str | None
    account_yle_tax: int | None
    account_tax_deferrals: int | None
    account_income_tax_rec: int | None
    account_income_tax_lia: int | None
    account_previous_profit: int | None
    account_vat_receivables: int | None
    account_vat_liabilities: int | None
    account_vat_accrual_adjustment: int | None
    account_trade_receivables: int | None
    account_payables: int | None
    account_cash_payment: int | None
    subscription_plan: str
    subscription_source: str
    billing_customer_id: str | None
    billing_subscription_id: str | None
    billing_plan_status: str | None
    billing_billing_interval: str | None
    billing_lock_reason: str | None
    billing_payg_checkout_enabled: bool
    credit_cap: int
    can_invoice: bool
    onboarding_updated_invoicing_settings: bool
    onboarding_created_invoicing_contact: bool
    onboarding_created_invoicing_product: bool
    onboarding_registered_to_collector: bool
    einvoicing_enabled: bool
    usage_billed_features_enabled: bool
    einvoicing_address: str | None
    einvoicing_operator: str | None
    einvoicing_operator_name: str | None
    operator_unique_id: str | None
    operator_transfer_id: str | None
    operator_transfer_key: str | None
    bank_bookkeeping_api_enabled: bool
    bank_bookkeeping_api_staled: bool
    bank_platform_connection_enabled: bool
    payroll_enabled: bool
    payroll_account_id: str | None
    demo_days_left: int
    taxauthority_latest_reporter_full_name: str | None
    taxauthority_latest_reporter_phone_number: str | None
    is_eligible_for_einvoicing: bool
    has_tags: bool
    identifiers: list[Identifier]
    is_new_invoicer: bool
    is_automatic_debt_collection_enabled: bool
    is_agency_business: bool
