"""Businesses: `/v1/business/` (interface: Business; wire facts 1.1, 2.3, 4.4)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING, Any

from msgspec import Raw
from msgspec.json import encode

from acctcli import law
from acctcli.law.identifiers import check_account, check_einvoice_address
from acctcli.models.enums import DefaultVatPeriod, VatRateLabel
from acctcli.service.problems import Invalid
from acctcli.service.routes import identifiers
from acctcli.service.routes.call import Call, Page
from acctcli.service.routes.constant import show_rates
from acctcli.service.rules.identifiers import Checks, alone
from acctcli.service.rules.periods import calendar_year, vat_span
from acctcli.service.store import attachments, businesses
from acctcli.service.store.books import periods, vat_periods
from acctcli.service.store.books.charts import insert_chart
from acctcli.service.store.people import memberships

if TYPE_CHECKING:
    from acctcli.law.decisions import Country
    from acctcli.models.business import BusinessRequest

SLUG_NAME = 9
SLUG_HEX = 3

# Columns a body sets under their own names
SETTINGS = (
    "name",
    "form",
    "vat_posting_method",
    "vat_reporting_method",
    "default_vat_period",
    "invoicing_default_penalty_interest",
    "invoicing_default_payment_condition_days",
    *businesses.TEXTS,
    *businesses.FLAGS,
)

NUMBERS: Checks = {
    "invoicing_iban": alone(check_account),
    "finanzkasse_iban": alone(check_account),
    "invoicing_electronic_address": alone(check_einvoice_address),
}

# `id` first: clients that stream rows look for it there
PLAIN = ("id", "created_at", "updated_at", "slug", "country", "period_id", "vat_period_id", *SETTINGS)

# What the wire has and a business of one's own has not
ABSENT: dict[str, Any] = {
    "logo": None,
    "is_billable": False,
    "subscription_plan": "",
    "subscription_source": "",
    "billing_customer_id": None,
    "billing_subscription_id": None,
    "billing_plan_status": None,
    "billing_billing_interval": None,
    "billing_lock_reason": None,
    "billing_payg_checkout_enabled": False,
    "credit_cap": 0,
    "can_invoice": True,
    "usage_billed_features_enabled": False,
    "einvoicing_address": None,
    "einvoicing_operator": None,
    "einvoicing_operator_name": None,
    "operator_unique_id": None,
    "operator_transfer_id": None,
    "operator_transfer_key": None,
    "bank_bookkeeping_api_staled": False,
    "payroll_enabled": False,
    "payroll_account_id": None,
    "demo_days_left": 0,
    "is_eligible_for_einvoicing": False,
    "is_new_invoicer": True,
    "is_agency_business": False,
}


def list_businesses(call: Call) -> Page:
    """List the caller's businesses, by id; `search` looks into name, slug and identifier values."""
    page = call.page
    search = call.query.text("search")
    only = call.credential.selection
    count, rows = businesses.page(call.conn, call.user.id, search, call.today, page.size, page.offset, only)
    return Page(count, _shown(call, rows))


def get_business(call: Call) -> dict[str, Any]:
    """Show a business."""
    return show_business(call, call.business.id)


def create_business(call: Call) -> dict[str, Any]:
    """Create a business: chart of accounts, periods of today, the caller as its administrator."""
    body: BusinessRequest = call.body
    slug = body.slug or _free_slug(call, body.name)
    _check_slug(call, slug)
    fields = {**_columns(body, set(SETTINGS)), **_derived(body.name, slug, body.form), "owner_id": call.user.id}
    identifiers.refuse_wrong_numbers(NUMBERS, fields)
    business_id = businesses.create(call.conn, {**fields, "created_at": call.stamp, "updated_at": call.stamp})
    memberships.put(call.conn, call.user.id, business_id, "admin", call.stamp)
    country = law.country(fields["country"])
    language = country.own_language or call.user.language or "en"
    insert_chart(call.conn, business_id, country.chart(), language, call.stamp)
    _add_periods(call, business_id, body, country)
    _put_official_id(call, business_id, body, slug, country)
    _put_roles(call, business_id, body)
    shown = show_business(call, business_id)
    call.emit("business.created", shown, business_id=business_id)
    return shown


def replace_business(call: Call) -> dict[str, Any]:
    """Replace the settings: what is not sent returns to its default.

    Except what makes the business what it is: slug, official id, and the accounts its books rest on stay.
    """
    return _change(call, set(SETTINGS))


def update_business(call: Call) -> dict[str, Any]:
    """Change the settings that are sent."""
    return _change(call, call.body.model_fields_set)


def delete_business(call: Call) -> None:
    """Delete a business with all its data (Q17)."""
    call.discarded.extend(attachments.content_names(call.conn, call.business.id))
    businesses.erase(call.conn, call.business.id)
    call.emit("business.deleted", {"id": call.business.id})


def _change(call: Call, names: set[str]) -> dict[str, Any]:
    body: BusinessRequest = call.body
    before = businesses.get(call.conn, call.business.id, call.today)
    slug = body.slug or before["slug"]
    if slug != before["slug"]:
        _check_slug(call, slug)
    fields = _columns(body, names)
    identifiers.refuse_wrong_numbers(NUMBERS, {**before, **fields}, before)
    derived = _derived(fields.get("name", before["name"]), slug, fields.get("form", before["form"]))
    businesses.change(call.conn, call.business.id, {**fields, **derived, "updated_at": call.stamp})
    _put_official_id(call, call.business.id, body, slug, law.country(derived["country"]))
    _put_roles(call, call.business.id, body)
    shown = show_business(call, call.business.id)
    call.emit("business.updated", shown)
    return shown


def _columns(body: BusinessRequest, names: set[str]) -> dict[str, Any]:
    """Return the columns of the settings named; decimals are kept as text, with their digits."""
    columns = {name: getattr(body, name) for name in SETTINGS if name in names}
    return {name: str(value) if isinstance(value, Decimal) else value for name, value in columns.items()}


def _derived(name: str, slug: str, form: str) -> dict[str, str]:
    """Return the columns that follow from others."""
    country = law.country_of_form(form)
    return {"slug": slug, "country": country.code, "search_text": f"{name}\n{slug}".casefold()}


def _check_slug(call: Call, slug: str) -> None:
    if businesses.slug_taken(call.conn, slug):
        raise Invalid.field("slug", "Another business has this slug.")


def _free_slug(call: Call, name: str) -> str:
    """Make a slug of a name: its letters and digits cut to 9, and 6 random hex digits (wire facts 2.3)."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    stem = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:SLUG_NAME].rstrip("-") or "business"
    while businesses.slug_taken(call.conn, slug := f"{stem}-{call.random(SLUG_HEX).hex()}"):
        pass
    return slug


def _add_periods(call: Call, business_id: int, body: BusinessRequest, country: Country) -> None:
    """Open the calendar year, and the VAT period of today unless the business is not liable (wire facts 4.4)."""
    periods.create(call.conn, business_id, calendar_year(call.today), call.stamp)
    kind = body.default_vat_period
    if kind == DefaultVatPeriod.NONE:
        return
    span = vat_span(kind, call.today)
    due = country.vat_due_date(span.end, kind, has_extension=body.has_dauerfristverlaengerung)
    dates = {"start_date": span.start, "end_date": span.end, "due_date": due, "period": kind}
    vat_periods.create(call.conn, business_id, dates, call.stamp)


def _put_official_id(call: Call, business_id: int, body: BusinessRequest, slug: str, country: Country) -> None:
    """Keep `business_id` as the identifier its country demands; a demo without one goes by its slug."""
    is_demo = body.form == "DEMO" if "form" in body.model_fields_set else _is_demo(call)
    value = body.business_id if "business_id" in body.model_fields_set else ""
    if not value and is_demo and call.scope is None:
        value = slug
    if value:
        kind = country.official_id.type
        value = identifiers.checked(kind, value, is_demo=is_demo, field="business_id")
        identifiers.put(call, business_id, kind, value)


def _is_demo(call: Call) -> bool:
    return call.scope is not None and call.scope.is_demo


def _put_roles(call: Call, business_id: int, body: BusinessRequest) -> None:
    """Point the `account_*` fields that were sent at accounts of the business."""
    for role in businesses.ROLE_NAMES:
        if role in body.model_fields_set and not businesses.set_role(call.conn, business_id, role, getattr(body, role)):
            raise Invalid.field(role, "There is no such account in this business.")


def show_business(call: Call, business_id: int) -> dict[str, Any]:
    """Return a business as it is shown."""
    return _shown(call, [businesses.get(call.conn, business_id, call.today)])[0]


def _shown(call: Call, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    ids = [row["id"] for row in rows]
    official = businesses.identifiers(call.conn, ids)
    roles = businesses.roles(call.conn, ids)
    return [_reply(row, official[row["id"]], roles[row["id"]]) for row in rows]


def _reply(row: Mapping[str, Any], official: Sequence[Mapping[str, Any]], roles: Mapping[str, int]) -> dict[str, Any]:
    """Return a business with every field of the interface."""
    values = {identifier["type"]: identifier["value"] for identifier in official}
    address = (row["business_street"], row["business_postal_code"], row["business_city"])
    return {
        **{name: row[name] for name in PLAIN},
        **ABSENT,
        **{name: roles.get(name) for name in businesses.ROLE_NAMES},
        "business_id": values.get(law.country(row["country"]).official_id.type, ""),
        "country_config": country_config(row["country"]),
        "identifiers": official,
        "invoicing_default_penalty_interest": Decimal(row["invoicing_default_penalty_interest"]),
        "invoicing_tax_code": values.get("vat_code"),
        "has_business_address": all(address),
        "has_tags": row["has_tags"],
        "owner_name": f"{row['owner_first_name'] or ''} {row['owner_last_name'] or ''}".strip(),
        "owner_email": row["owner_email"] or "",
    }


@cache
def country_config(code: str) -> Raw:
    """Return currency, language, VAT rates and identifier types of a country, encoded once (wire facts 2.3)."""
    country = law.country(code)
    rates = [show_rates(known) for known in country.rates]
    config = {
        "currency": "EUR",
        "language": country.language,
        "default_vat_rate_label": VatRateLabel.STANDARD,
        "vat_rates": rates,
        "identifier_types": [country.official_id.type, "vat_code"],
    }
    return Raw(encode(config))
