"""Businesses: made with their chart and periods, set up, deleted, shown (docs/interface.md 3.1, 3.4)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from msgspec import Raw
from msgspec.json import encode

from acctcli import law
from acctcli.law.identifiers import check_account, check_bic, check_einvoice_address
from acctcli.models.enums import DefaultVatPeriod, PermissionKey, VatRateLabel, VatReportingMethod
from acctcli.service.cases.bodies import refuse_wrong_numbers
from acctcli.service.cases.closed import has_closed_figures, latest, refuse_settings
from acctcli.service.cases.identifiers import checked, put_identifier
from acctcli.service.cases.invoices.books import book_open_claims
from acctcli.service.cases.periods.accounting import show_period
from acctcli.service.cases.periods.vat import get_vat_period, move_due_dates
from acctcli.service.cases.work import Work
from acctcli.service.identity.signatures import content_address
from acctcli.service.problems import Invalid, Locked
from acctcli.service.rules.accounts import TYPE_OF_ROLE
from acctcli.service.rules.identifiers import Checks, alone
from acctcli.service.rules.money import from_cents
from acctcli.service.rules.periods import calendar_year, vat_span
from acctcli.service.store import businesses, events
from acctcli.service.store.books import accounts, periods, vat_periods
from acctcli.service.store.books.charts import insert_chart
from acctcli.service.store.people import memberships
from acctcli.service.store.people.admission import Scope

if TYPE_CHECKING:
    from acctcli.law.chart import ChartAccount
    from acctcli.law.decisions import Chart, Country, VatRates
    from acctcli.models.business import Business, BusinessRequest, NewBusiness
    from acctcli.models.constants import VatRateOption
    from acctcli.models.constants import VatRates as ShownRates

DEMO = "DEMO"
VAT_METHOD = "vat_reporting_method"
DUE_LATER = "has_dauerfristverlaengerung"
BY_CLAIMS = "has_accrual_based_entries_for_invoicing"
SLUG_NAME = 9
SLUG_HEX = 3

# Columns a body sets under their own names
SETTINGS = (
    "name",
    "form",
    "vat_posting_method",
    VAT_METHOD,
    "default_vat_period",
    "invoicing_default_penalty_interest",
    "invoicing_default_payment_condition_days",
    *businesses.TEXTS,
    *businesses.FLAGS,
)

# what reports of any day read
READ_BY_REPORTS = ("form", VAT_METHOD)

NUMBERS: Checks = {
    "invoicing_iban": alone(check_account),
    "invoicing_bic": alone(check_bic),
    "finanzkasse_iban": alone(check_account),
    "invoicing_electronic_address": alone(check_einvoice_address),
}

# `id` first: clients that stream rows look for it there
PLAIN = ("id", "created_at", "updated_at", "slug", "country", "period_id", "vat_period_id", *SETTINGS)

# What the wire has and a business of one's own has not
ABSENT: dict[str, Any] = {
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


def create_business(work: Work, body: NewBusiness) -> Business:
    """Create a business: chart of accounts, periods of today, the user as its administrator."""
    slug = body.slug or _free_slug(work, body.name)
    _check_slug(work, slug)
    derived = _derived(body.name, slug, body.form)
    country = law.country(derived["country"])
    chart = _chosen_chart(country, body)
    fields = {**_columns(body, SETTINGS, body.form), **derived, "chart": chart.name, "owner_id": work.user.id}
    refuse_wrong_numbers(NUMBERS, fields)
    _check_vat_method(fields)
    business_id = businesses.create(work.conn, {**fields, **work.born})
    events.begin(work.conn, business_id, work.author)
    memberships.put(work.conn, work.user.id, business_id, PermissionKey.ADMIN.value, work.stamp)
    language = country.own_language or work.user.language or "en"
    accounts_of_chart = chart.accounts()
    ids = insert_chart(work.conn, business_id, accounts_of_chart, language, work.stamp)
    scope = Scope(business_id, slug, fields["form"], country.code, frozenset({PermissionKey.ADMIN.value}))
    inside = replace(work, scope=scope)
    came_with = {"account": _charted(accounts_of_chart, ids), **_add_periods(inside, body, country)}
    is_demo = body.form == DEMO
    _put_official_id(inside, body.business_id or (slug if is_demo else ""), country, is_demo=is_demo)
    shown = _set_up(inside, body, "created", {"came_with": came_with})
    work.tell("business.created", {"id": business_id, "slug": slug, "name": body.name})
    work.tell(
        "usership.created",
        {"user_id": work.user.id, "business_id": business_id, "permissions": [PermissionKey.ADMIN.value]},
    )
    return shown


def change_business(work: Work, body: BusinessRequest, names: Collection[str]) -> Business:
    """Write the settings of these names.

    What makes the business what it is, slug, official id, and the accounts its books rest on, stays unless sent.
    """
    before = businesses.get(work.conn, work.business.id, work.today)
    slug = body.slug or before["slug"]
    if slug != before["slug"]:
        _check_slug(work, slug)
    fields = _columns(body, names, body.form if "form" in names else before["form"])
    after = before | fields
    refuse_wrong_numbers(NUMBERS, after, before)
    changed = [name for name in READ_BY_REPORTS if after[name] != before[name]]
    refuse_settings(work, changed)
    if changed:
        _check_vat_method(after)
    derived = _derived(after["name"], slug, after["form"])
    businesses.change(work.conn, work.business.id, {**fields, **derived, "updated_at": work.stamp})
    sent = body.model_fields_set
    is_demo = body.form == DEMO if "form" in sent else work.business.is_demo
    official_id = body.business_id if "business_id" in sent else ""
    _put_official_id(work, official_id, law.country(derived["country"]), is_demo=is_demo)
    shown = _set_up(work, body, "updated")
    if DUE_LATER in fields or derived["country"] != before["country"]:
        move_due_dates(replace(work, scope=work.business._replace(form=after["form"], country=derived["country"])))
    if after[BY_CLAIMS] and not before[BY_CLAIMS]:
        book_open_claims(work)
    return shown


def _chosen_chart(country: Country, body: NewBusiness) -> Chart:
    named = body.country_config.chart if body.country_config else None
    try:
        return country.choose_chart(named) if named else country.chart(None)
    except ValueError as problem:
        raise Invalid.field("country_config.chart", str(problem)) from problem


def delete_business(work: Work) -> None:
    """Delete a business; what it had is taken away once this is committed (docs/interface.md 3.1)."""
    if (closing := latest(work)) is not None:
        raise Locked(f"{closing}: a business whose books were closed stays.")
    shown, trail = businesses.get(work.conn, work.business.id, work.today), events.newest(work.conn, work.business.id)
    businesses.give_up(work.conn, work.business.id)
    work.emit("business.deleted", {"id": work.business.id})
    # by the hash a copy that was exported is known, by the mark that it was recorded here
    ended = {"last_id": trail.number, "last_hash": trail.hash, "mark": trail.mark}
    work.tell("business.deleted", {"id": work.business.id, "slug": shown["slug"], "name": shown["name"], **ended})
    work.gave_up = True


def _charted(chart: Iterable[ChartAccount], ids: Mapping[str, int]) -> list[dict[str, Any]]:
    """Return what decides of the accounts of a chart where they stand and what is posted to them."""
    return [
        {
            "id": ids[one.number],
            "number": one.number,
            "type": one.type,
            "header_id": None,
            "default_vat_code": one.vat_code,
            "default_vat_rate_label": one.rate_label,
            "opening_balance": from_cents(0),
        }
        for one in chart
    ]


def _set_up(work: Work, body: BusinessRequest, verb: str, more: Mapping[str, Any] | None = None) -> Business:
    """Point the `account_*` fields that were sent at accounts of the business, and tell of the whole change.

    `more` is told besides.
    """
    sent = {role: getattr(body, role) for role in businesses.ROLE_NAMES if role in body.model_fields_set}
    _refuse_roles(work, sent)
    for role, account_id in sent.items():
        businesses.set_role(work.conn, work.business.id, role, account_id)
    shown = show_business(work)
    work.emit(f"business.{verb}", {**shown, **(more or {})})
    return shown


def _refuse_roles(work: Work, sent: Mapping[str, int | None]) -> None:
    """Refuse accounts that cannot do what a role needs, and to take one from an account of reports of closed days.

    These would not tie to it.
    """
    held = businesses.roles(work.conn, [work.business.id])[work.business.id] if sent else {}
    changed = {role: account_id for role, account_id in sent.items() if held.get(role) != account_id}
    refuse_settings(work, (role for role in changed if role in held and has_closed_figures(work, held[role], 0)))
    for role, account_id in changed.items():
        if account_id is not None:
            _check_role(work, role, account_id)


def _check_role(work: Work, role: str, account_id: int) -> None:
    row, needed = accounts.get(work.conn, work.business.id, account_id), TYPE_OF_ROLE.get(role)
    if row is None:
        raise Invalid.field(role, "There is no such account in this business.")
    if needed is not None and row.type != needed:
        raise Invalid.field(role, f"Account {row.number} is of type {row.type}: one of type {needed.value} is needed.")


def _columns(body: BusinessRequest, names: Collection[str], form: str) -> dict[str, Any]:
    """Return the columns of the settings named; decimals are kept as text, with their digits."""
    columns = {name: getattr(body, name) for name in SETTINGS if name in names}
    if BY_CLAIMS in names and BY_CLAIMS not in body.model_fields_set:
        columns[BY_CLAIMS] = form not in law.country_of_form(form).forms_on_payment
    return {name: str(value) if isinstance(value, Decimal) else value for name, value in columns.items()}


def _check_vat_method(fields: Mapping[str, Any]) -> None:
    """Refuse the payment basis of another country, which would decide nothing."""
    country = law.country_of_form(fields["form"])
    methods = [VatReportingMethod.DEFAULT, *([country.payment_basis.method] if country.payment_basis else [])]
    if fields[VAT_METHOD] not in methods:
        told = " or ".join(methods)
        raise Invalid.field(VAT_METHOD, f"A business of this form reports its VAT by {told}.")


def _derived(name: str, slug: str, form: str) -> dict[str, str]:
    """Return the columns that follow from others."""
    country = law.country_of_form(form)
    return {"slug": slug, "country": country.code, "search_text": f"{name}\n{slug}".casefold()}


def _check_slug(work: Work, slug: str) -> None:
    if businesses.slug_taken(work.conn, slug):
        raise Invalid.field("slug", "Another business has this slug.")


def _free_slug(work: Work, name: str) -> str:
    """Make a slug of a name: its letters and digits cut to 9, and 6 random hex digits (docs/interface.md 3.1)."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    stem = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:SLUG_NAME].rstrip("-") or "business"
    while businesses.slug_taken(work.conn, slug := f"{stem}-{work.random(SLUG_HEX).hex()}"):
        pass
    return slug


def _add_periods(work: Work, body: BusinessRequest, country: Country) -> dict[str, list[Any]]:
    """Open the calendar year, and the VAT period of today unless the business is not liable (docs/interface.md 3.4).

    Returns them as they are shown.
    """
    year = periods.create(work.conn, work.business.id, calendar_year(work.today), work.stamp)
    shown: dict[str, list[Any]] = {"period": [show_period(work, year)], "vat_period": []}
    kind = body.default_vat_period
    if kind == DefaultVatPeriod.NONE:
        return shown
    span = vat_span(kind, work.today)
    due = country.vat_due_date(span.end, kind, has_extension=body.has_dauerfristverlaengerung)
    dates = {"start_date": span.start, "end_date": span.end, "due_date": due, "period": kind}
    vat_period_id = vat_periods.create(work.conn, work.business.id, dates, work.stamp)
    shown["vat_period"].append(get_vat_period(work, vat_period_id))
    return shown


def _put_official_id(work: Work, value: str | None, country: Country, *, is_demo: bool) -> None:
    """Keep `business_id`, when there is one, as the identifier its country demands; a new demo goes by its slug."""
    if value:
        kind = country.official_id.type
        put_identifier(work, kind, checked(kind, value, is_demo=is_demo, field="business_id"))


def show_business(work: Work) -> Business:
    """Return the business as it is shown."""
    return show_businesses(work, [businesses.get(work.conn, work.business.id, work.today)])[0]


def show_businesses(work: Work, rows: Sequence[Mapping[str, Any]]) -> list[Business]:
    """Return businesses as they are shown."""
    ids = [row["id"] for row in rows]
    official = businesses.identifiers(work.conn, ids)
    roles = businesses.roles(work.conn, ids)
    return [_reply(work, row, official[row["id"]], roles[row["id"]]) for row in rows]


def _reply(
    work: Work, row: Mapping[str, Any], official: Sequence[Mapping[str, Any]], roles: Mapping[str, int]
) -> Business:
    """Return a business with every field of the interface."""
    values = {identifier["type"]: identifier["value"] for identifier in official}
    address = (row["business_street"], row["business_postal_code"], row["business_city"])
    shown = {
        **{name: row[name] for name in PLAIN},
        **ABSENT,
        "logo": row["logo_name"] and content_address(work.origin, row["logo_name"], row["logo_secret"], work.now),
        **{name: roles.get(name) for name in businesses.ROLE_NAMES},
        "business_id": values.get(law.country(row["country"]).official_id.type, ""),
        "country_config": country_config(row["country"], row["chart"]),
        "identifiers": official,
        "invoicing_default_penalty_interest": Decimal(row["invoicing_default_penalty_interest"]),
        "invoicing_tax_code": values.get("vat_code"),
        "has_business_address": all(address),
        "has_tags": row["has_tags"],
        "owner_name": f"{row['owner_first_name'] or ''} {row['owner_last_name'] or ''}".strip(),
        "owner_email": row["owner_email"] or "",
    }
    # its keys come from tables: a test compares them with those of the type
    return cast("Business", shown)


@cache
def country_config(code: str, chart: str | None) -> Raw:
    """Return currency, language, VAT rates and identifier types of a country, encoded once (docs/interface.md 3.1).

    The name of the chart goes with them where the country has several.
    """
    country = law.country(code)
    named = country.chart(chart).name
    rates = [show_rates(known) for known in country.rates]
    config = {
        "currency": "EUR",
        "language": country.language,
        "default_vat_rate_label": VatRateLabel.STANDARD,
        "vat_rates": rates,
        "identifier_types": [country.official_id.type, "vat_code"],
        **({"chart": named} if named else {}),
    }
    return Raw(encode(config))


def show_rates(rates: VatRates) -> ShownRates:
    """Return rates and the day they began, as decimal texts in percent."""
    options: list[VatRateOption] = [{"label": label, "rate": str(rates.rate(label))} for label in VatRateLabel]
    return {
        "effective_from": rates.effective_from,
        "default_vat_rate_label": VatRateLabel.STANDARD,
        "default_vat_rate": options[0]["rate"],
        "vat_rate_options": options,
    }
