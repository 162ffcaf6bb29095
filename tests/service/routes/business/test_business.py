"""Businesses: every field, the chart and periods of a new one, slugs, settings, deletion.

See docs/interface.md 3.1, 3.4.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import func, select

from acctcli.law.finland.chart import CHART as FINNISH_CHART
from acctcli.models.business import Business
from acctcli.service.store import service_trail
from acctcli.service.store.schema import metadata
from acctcli.service.store.schema.books import period, vat_period
from acctcli.service.store.schema.business import business
from acctcli.service.store.schema.events import event
from tests.replies import check_reply
from tests.service.actor import Actor, World
from tests.service.routes.books import Books
from tests.service.routes.full import fill
from tests.sql import execute

PATH = "/v1/business/"

# interface.md, Resources: Business
FIELDS = """
id created_at updated_at logo name slug business_id country country_config period_id is_billable vat_period_id
vat_posting_method vat_reporting_method form default_vat_period has_dauerfristverlaengerung finanzamtsnummer
invoicing_default_penalty_interest invoicing_default_payment_condition_days invoicing_default_email_subject
invoicing_default_email_content invoicing_vat_exemption_reason has_accrual_based_entries_for_invoicing owner_name
owner_email has_history_before_service fiscal_period_needs_review vat_period_needs_review contact_phone invoicing_email
invoicing_electronic_address invoicing_electronic_address_scheme invoicing_iban finanzkasse_iban
finanzkasse_recipient_name invoicing_tax_code invoicing_bic invoicing_contact invoicing_street invoicing_city
invoicing_postal_code invoicing_country has_business_address business_street business_city business_postal_code
business_country account_yle_tax account_tax_deferrals account_income_tax_rec account_income_tax_lia
account_previous_profit account_vat_receivables account_vat_liabilities account_vat_accrual_adjustment
account_trade_receivables account_payables account_cash_payment subscription_plan subscription_source
billing_customer_id billing_subscription_id billing_plan_status billing_billing_interval billing_lock_reason
billing_payg_checkout_enabled credit_cap can_invoice onboarding_updated_invoicing_settings
onboarding_created_invoicing_contact onboarding_created_invoicing_product onboarding_registered_to_collector
einvoicing_enabled usage_billed_features_enabled einvoicing_address einvoicing_operator einvoicing_operator_name
operator_unique_id operator_transfer_id operator_transfer_key bank_bookkeeping_api_enabled bank_bookkeeping_api_staled
bank_platform_connection_enabled payroll_enabled payroll_account_id demo_days_left
taxauthority_latest_reporter_full_name taxauthority_latest_reporter_phone_number is_eligible_for_einvoicing has_tags
identifiers is_new_invoicer is_automatic_debt_collection_enabled is_agency_business
"""

# what a business in use has rows in
OWN_TABLES = {
    "account", "account_month", "account_total", "attachment", "contact", "document", "document_attachment",
    "document_counter", "document_tag", "entry", "event", "header", "identifier", "period", "relation",
    "system_account", "tag", "tally", "usership", "vat_period",
}  # fmt: skip


@pytest.fixture(scope="module")
def admin(shared: World) -> Actor:
    return shared.user(first_name="Ada", last_name="Byron", language="fi")


def path(made: dict[str, Any], rest: str = "") -> str:
    return f"{PATH}{made['slug']}/{rest}"


def test_every_field_is_there_with_its_type(admin: Actor) -> None:
    made = admin.create_business(business_id="0112038-9")
    assert made.keys() == set(FIELDS.split())
    check_reply(Business, made)
    assert admin.get(path(made)) == made
    assert admin.get(f"{PATH}?search={made['slug']}")["results"] == [made]
    assert next(iter(made)) == "id"


def test_a_new_business(admin: Actor) -> None:
    made = admin.create_business("Kahvila Ässä Oy", business_id="01120389")
    assert re.fullmatch(r"kahvila-a-[0-9a-f]{6}", made["slug"])
    expected = {
        "name": "Kahvila Ässä Oy",
        "form": "FI_OY",
        "country": "FI",
        "business_id": "0112038-9",
        "owner_name": "Ada Byron",
        "owner_email": admin.email,
        "default_vat_period": 0,
        "vat_posting_method": "NET",
        "has_business_address": False,
        "invoicing_default_penalty_interest": Decimal("0.00"),
        "created_at": "2026-03-15T12:00:00.000000Z",
    }
    assert {name: made[name] for name in expected} == expected
    assert [(one["type"], one["value"]) for one in made["identifiers"]] == [("y_tunnus", "0112038-9")]


@pytest.mark.together
@pytest.mark.parametrize(
    ("names", "shown"),
    [({"first_name": "Ada"}, "Ada"), ({"last_name": "Byron"}, "Byron"), ({}, "")],
)
def test_an_owner_is_called_by_the_names_there_are(shared: World, names: dict[str, str], shown: str) -> None:
    assert shared.user(**names).create_business()["owner_name"] == shown


def test_its_chart_is_the_default_one(admin: Actor) -> None:
    made = admin.create_business()
    accounts = admin.get(path(made, "account/?page_size=200"))
    assert accounts["count"] == len(FINNISH_CHART)
    shown = [(one["number"], one["name"], one["type"], one["default_vat_code"]) for one in accounts["results"]]
    assert shown == [(one.number, one.fi, one.type, one.vat_code) for one in FINNISH_CHART]
    numbers = {one["id"]: one["number"] for one in accounts["results"]}
    fields = {one.field: one.number for one in FINNISH_CHART if one.field}
    assert {name: numbers[made[name]] for name in made if name.startswith("account_")} == fields


@pytest.mark.everywhere
@pytest.mark.together
@pytest.mark.parametrize(
    ("form", "kind", "is_later", "expected"),
    [
        ("FI_OY", 0, False, ("2026-03-01", "2026-03-31", "2026-05-12")),
        ("FI_OY", 1, False, ("2026-01-01", "2026-03-31", "2026-05-12")),
        ("FI_OY", 2, False, ("2026-01-01", "2026-12-31", "2027-03-01")),
        ("DE_UG", 0, False, ("2026-03-01", "2026-03-31", "2026-04-10")),
        # a month later than without the extension; the 10th is a Sunday
        ("DE_UG", 0, True, ("2026-03-01", "2026-03-31", "2026-05-11")),
        ("DE_UG", 1, True, ("2026-01-01", "2026-03-31", "2026-05-11")),
        ("FI_OY", -1, False, None),
    ],
)
def test_its_periods_are_those_of_today(
    shared: World, admin: Actor, form: str, kind: int, is_later: bool, expected: tuple[str, str, str] | None
) -> None:
    made = admin.create_business(form=form, default_vat_period=kind, has_dauerfristverlaengerung=is_later)
    with shared.database.read() as conn:
        years = execute(conn, select(period).where(period.c.business_id == made["id"])).mappings().all()
        vats = execute(conn, select(vat_period).where(vat_period.c.business_id == made["id"])).mappings().all()
    assert [(str(row["start_date"]), str(row["end_date"])) for row in years] == [("2026-01-01", "2026-12-31")]
    assert made["period_id"] == years[0]["id"]
    found = [(str(row["start_date"]), str(row["end_date"]), str(row["due_date"])) for row in vats]
    assert found == ([expected] if expected else [])
    assert made["vat_period_id"] == (vats[0]["id"] if expected else None)


@pytest.mark.parametrize(("form", "year", "month"), [("FI_OY", "2027", "2027-01"), ("DE_UG", "2026", "2026-12")])
def test_a_year_has_begun_where_its_country_says_so(
    shared: World, admin: Actor, monkeypatch: pytest.MonkeyPatch, form: str, year: str, month: str
) -> None:
    monkeypatch.setattr(shared.clock, "now", datetime(2026, 12, 31, 22, 30, tzinfo=UTC))
    made = admin.create_business(form=form, default_vat_period=0)
    found = [admin.get(path(made, f"{kind}/"))["results"] for kind in ("period", "vat_period")]
    assert [[(one["start_date"], one["end_date"]) for one in kept] for kept in found] == [
        [(f"{year}-01-01", f"{year}-12-31")],
        [(f"{month}-01", f"{month}-31")],
    ]


@pytest.mark.together
@pytest.mark.parametrize(("form", "kind"), [("FI_OY", 0), ("DE_UG", 1), ("FI_OY", -1)])
def test_its_record_tells_what_came_with_it(admin: Actor, form: str, kind: int) -> None:
    made = admin.create_business(form=form, default_vat_period=kind)
    told = admin.get(path(made, "audit/?type=business.created"))["results"][0]["data"].pop("came_with")
    for word, records in told.items():
        shown = admin.get(path(made, f"{word}/?page_size=200"))["results"]
        assert {one["id"]: one for one in records} == {
            one["id"]: {name: one[name] for name in records[0]} for one in shown
        }
    assert {word: len(records) > 0 for word, records in told.items()} == {
        "account": True, "period": True, "vat_period": kind >= 0
    }  # fmt: skip


def test_a_business_keeps_the_chart_it_was_made_with(admin: Actor) -> None:
    made = admin.create_business(form="DE_UG", country_config={"chart": "skr03", "currency": "DEM"})
    assert (made["country_config"]["chart"], made["country_config"]["currency"]) == ("SKR03", "EUR")
    assert admin.get(path(made, "account/?number=1200"))["results"][0]["type"] == "ASS_PAY"
    # as other fields that are read only: nothing is said of it, and nothing changes
    for method, body in (("PATCH", {}), ("PUT", {"name": "Example", "form": "DE_UG"})):
        changed = admin.send(method, path(made), {**body, "country_config": {"chart": "SKR04"}}).body
        assert changed["country_config"] == made["country_config"]
    # books that moved keep what they were made with
    moved = [admin.send("PATCH", path(made), {"form": form}).body for form in ("FI_OY", "DE_UG")]
    assert [one["country_config"].get("chart") for one in moved] == [None, "SKR03"]
    usual = admin.create_business(form="DE_UG", country_config=None)
    assert (usual["country_config"]["chart"], "chart" in admin.create_business()["country_config"]) == ("SKR04", False)


@pytest.mark.parametrize(
    ("form", "right"),
    [("DE_UG", "Write SKR04 or SKR03."), ("FI_OY", "Businesses of this country have one chart.")],
)
def test_a_chart_that_a_country_has_not_got_is_refused(admin: Actor, form: str, right: str) -> None:
    body = {"name": "Example", "form": form, "country_config": {"chart": "SKR49"}}
    refused = admin.send("POST", "/v1/business/", body)
    assert (refused.status, refused.body["country_config.chart"]) == (400, [right])


def test_country_config(admin: Actor) -> None:
    config = admin.create_business(form="DE_UG")["country_config"]
    assert (config["currency"], config["language"], config["identifier_types"]) == (
        "EUR",
        "de",
        ["steuernummer", "vat_code"],
    )
    finnish = admin.create_business()["country_config"]["vat_rates"]
    assert [rates["default_vat_rate"] for rates in finnish] == ["24.00", "25.50", "25.50"]
    assert finnish[-1] == {
        "effective_from": "2026-01-01",
        "default_vat_rate_label": "standard",
        "default_vat_rate": "25.50",
        "vat_rate_options": [
            {"label": "standard", "rate": "25.50"},
            {"label": "reduced_a", "rate": "13.50"},
            {"label": "reduced_b", "rate": "10.00"},
            {"label": "zero", "rate": "0.00"},
        ],
    }


def test_a_demo_goes_by_its_slug(admin: Actor) -> None:
    made = admin.create_business(form="DEMO", slug="demo-1")
    assert (made["country"], made["business_id"]) == ("FI", "demo-1")
    assert admin.create_business(form="DEMO", business_id="anything")["business_id"] == "anything"


def test_the_form_a_business_is_given_says_whether_its_official_id_is_checked(admin: Actor) -> None:
    made = admin.create_business(form="DEMO", slug="demo-2")
    reply = admin.send("PATCH", path(made), {"form": "FI_OY", "business_id": "0112038-8"})
    assert (reply.status, reply.faults) == (400, ["business_id"])
    assert admin.get(path(made)) == made
    changed = admin.send("PATCH", path(made), {"form": "FI_OY", "business_id": "01120389"}).body
    assert (changed["form"], changed["business_id"]) == ("FI_OY", "0112038-9")
    changed = admin.send("PATCH", path(made), {"form": "DEMO", "business_id": "anything"}).body
    assert (changed["form"], changed["business_id"]) == ("DEMO", "anything")


@pytest.mark.together
@pytest.mark.parametrize(
    ("name", "stem"),
    [("Kahvilat Oy", "kahvilat"), ("-A--B-", "a-b"), ("Työmaa 12345", "tyomaa-12"), ("日本", "business")],
)
def test_a_slug_is_made_of_the_name(admin: Actor, name: str, stem: str) -> None:
    assert re.fullmatch(rf"{stem}-[0-9a-f]{{6}}", admin.create_business(name)["slug"])


@pytest.mark.together
@pytest.mark.parametrize("slug", ["", "a b", "ä", "a/b", "a" * 17, "../x"])
def test_slugs_are_checked(admin: Actor, slug: str) -> None:
    reply = admin.send("POST", PATH, {"name": "x", "slug": slug})
    assert reply.error == (400, "validation_error")
    assert "slug" in reply.body


def test_a_slug_is_taken_once(admin: Actor) -> None:
    admin.create_business(slug="taken")
    other = admin.create_business(slug="other")
    taken = {
        "code": "validation_error",
        "detail": "slug: Another business has this slug.",
        "slug": ["Another business has this slug."],
    }
    assert admin.send("POST", PATH, {"name": "x", "slug": "taken"}).body == taken
    assert admin.send("PATCH", path(other), {"slug": "taken"}).body == taken
    assert admin.send("PATCH", path(other), {"slug": "other"}).status == 200
    assert admin.send("PATCH", path(other), {"slug": "moved"}).body["slug"] == "moved"
    assert admin.send("GET", path(other)).status == 404


@pytest.mark.together
@pytest.mark.parametrize("business_id", ["0112038-8", "123", "FI01120389"])
def test_a_business_id_is_checked(shared: World, admin: Actor, business_id: str) -> None:
    with shared.database.read() as conn:
        before = execute(conn, select(func.count()).select_from(business)).scalar_one()
    reply = admin.send("POST", PATH, {"name": "x", "business_id": business_id})
    assert reply.error == (400, "validation_error")
    assert list(reply.body) == ["business_id", "code", "detail"]
    with shared.database.read() as conn:
        assert execute(conn, select(func.count()).select_from(business)).scalar_one() == before


@pytest.mark.together
@pytest.mark.parametrize("bic", ["XXXX", "NDEAFIHHX", "NDEAZZHH"])
def test_a_bic_is_checked(admin: Actor, bic: str) -> None:
    path = f"{PATH}{admin.create_business()['slug']}/"
    assert admin.send("PATCH", path, {"invoicing_bic": "NDEAFIHH"}).body["invoicing_bic"] == "NDEAFIHH"
    reply = admin.send("PATCH", path, {"invoicing_bic": bic})
    assert (reply.error, list(reply.body)) == ((400, "validation_error"), ["invoicing_bic", "code", "detail"])
    assert admin.send("GET", path).body["invoicing_bic"] == "NDEAFIHH"


@pytest.mark.everywhere
def test_patch_changes_what_is_sent(shared: World, admin: Actor) -> None:
    made = admin.create_business(contact_phone="+358 1", invoicing_default_penalty_interest=8)
    changes = {
        "name": "New",
        "contact_phone": None,
        "invoicing_city": "Oulu",
        "business_street": "Katu 1",
        "business_postal_code": "00100",
        "business_city": "Helsinki",
        "invoicing_default_penalty_interest": 11.5,
        "einvoicing_enabled": True,
        "account_payables": None,
        "account_cash_payment": made["account_payables"],
        "business_id": "1572860-0",
        "id": 1,
        "country": "DE",
        "logo": "x",
    }
    changed = admin.send("PATCH", path(made), changes)
    assert changed.status == 200
    expected = {
        **made,
        **{name: value for name, value in changes.items() if name not in ("id", "country", "logo")},
        "has_business_address": True,
        "identifiers": changed.body["identifiers"],
        "updated_at": changed.body["updated_at"],
    }
    assert changed.body == expected
    assert b'"invoicing_default_penalty_interest":11.50' in changed.raw
    assert admin.get(path(made)) == expected
    assert shared.clock


@pytest.mark.together
@pytest.mark.parametrize("missing", ["business_street", "business_postal_code", "business_city"])
def test_an_address_is_one_when_it_is_whole(admin: Actor, missing: str) -> None:
    whole = {"business_street": "Katu 1", "business_postal_code": "00100", "business_city": "Helsinki"}
    made = admin.create_business(**whole)
    assert made["has_business_address"] is True
    changed = admin.send("PATCH", path(made), {missing: None}).body
    assert changed == {**made, missing: None, "has_business_address": False, "updated_at": changed["updated_at"]}


def test_put_returns_what_is_not_sent_to_its_default(admin: Actor) -> None:
    made = admin.create_business(
        business_id="0112038-9",
        contact_phone="1",
        einvoicing_enabled=True,
        default_vat_period=2,
        has_history_before_service=True,
        invoicing_default_payment_condition_days=30,
    )
    replaced = admin.send("PUT", path(made), {"name": "New"}).body
    assert replaced == {
        **made,
        "name": "New",
        "contact_phone": None,
        "einvoicing_enabled": False,
        "default_vat_period": 0,
        "has_history_before_service": False,
        "invoicing_default_payment_condition_days": 14,
        "updated_at": replaced["updated_at"],
    }
    assert admin.send("PUT", path(made), {}).error == (400, "validation_error")


def test_accounts_of_another_business_are_no_system_accounts(admin: Actor) -> None:
    made, other = admin.create_business(), admin.create_business()
    for number in (other["account_payables"], 999_999, 2**63 - 1):
        reply = admin.send("PATCH", path(made), {"account_payables": number})
        assert (reply.status, list(reply.body)) == (400, ["account_payables", "code", "detail"])
    assert admin.get(path(made)) == made
    assert admin.send("POST", PATH, {"name": "x", "account_payables": made["account_payables"]}).status == 400


@pytest.mark.parametrize(
    ("role", "type_"),
    [
        ("account_vat_liabilities", "LIA_VAT"),
        ("account_vat_receivables", "ASS_VAT"),
        ("account_trade_receivables", "ASS_DUE"),
    ],
)
def test_an_account_that_reports_find_by_its_type_is_of_that_type(books: Books, role: str, type_: str) -> None:
    """Else the VAT of a sale is in the books, and in no return."""
    held = books.get("").body[role]
    refused = books.send("PATCH", "", {role: books.ids["2960"]})
    assert (refused.status, refused.body[role]) == (
        400,
        [f"Account 2960 is of type LIA_ACC: one of type {type_} is needed."],
    )
    refused = books.send("PATCH", f"account/{held}/", {"type": "ASS"})
    assert (refused.status, list(refused.body), role in refused.body["type"][0]) == (
        400,
        ["type", "code", "detail"],
        True,
    )
    assert books.get("").body[role] == held
    names = [{"key": "en", "value": "Another"}]
    other = books.create("account/", {"number": "77", "type": type_, "name_translations": names})["id"]
    books.change("", **{role: other})
    books.change(f"account/{held}/", type="ASS")
    assert books.send("PUT", "", books.get("").body).status == 200


def test_an_account_in_use_by_the_business_stays(admin: Actor) -> None:
    made = admin.create_business()
    reply = admin.send("DELETE", path(made, f"account/{made['account_payables']}/"))
    assert reply.error == (412, "precondition_failed")


@pytest.mark.everywhere
def test_delete_takes_everything(service: World) -> None:
    actor = service.user()
    keep, gone = actor.create_business("Keep", business_id="0112038-9"), fill(actor, "Gone")
    assert tables_of(service, gone.business_id) >= OWN_TABLES
    reply = actor.send("DELETE", f"{PATH}{gone.slug}/")
    assert (reply.status, reply.raw) == (204, b"")
    assert actor.send("GET", f"{PATH}{gone.slug}/").status == 404
    assert actor.get(PATH)["results"] == [keep]
    assert tables_of(service, gone.business_id) == {"event"}
    with service.database.read() as conn:
        events = execute(conn, select(event).where(event.c.business_id == gone.business_id)).mappings().all()
    assert [(row["type"], row["data"]) for row in events] == [("business.deleted", f'{{"id":{gone.business_id}}}')]
    assert actor.create_business("Next")["id"] > gone.business_id


def tables_of(service: World, business_id: int) -> set[str]:
    """The tables that hold something of a business."""
    tables = [table for table in metadata.sorted_tables if "business_id" in table.c]
    with service.database.read() as conn:
        found = [
            table for table in tables if execute(conn, select(1).where(table.c.business_id == business_id)).first()
        ]
    return {table.name for table in found}


@pytest.mark.everywhere
def test_every_change_leaves_one_event(service: World) -> None:
    actor = service.user()
    made = actor.create_business(slug="one")
    actor.send("PATCH", path(made), {"name": "Two"})
    actor.send("PATCH", path(made), {"slug": "not possible"})
    actor.send("GET", path(made))
    with service.database.read() as conn:
        rows = execute(
            conn, select(event.c.number, event.c.type).where(event.c.business_id > 0).order_by(event.c.number)
        ).all()
    assert [tuple(row) for row in rows] == [(1, "business.created"), (2, "business.updated")]


@pytest.mark.everywhere
def test_who_comes_in_is_recorded(service: World) -> None:
    service.user().create_business()
    with service.database.read() as conn:
        assert list(service_trail.unrecorded(conn)) == []
    service.database.write(lambda conn: conn.run("UPDATE token SET expires_at = '2999-01-01T00:00:00.000000Z'"))
    with service.database.read() as conn:
        assert {one.text for one in service_trail.unrecorded(conn)} == {"expires_at: not what the audit trail recorded"}


@pytest.mark.everywhere
def test_who_somebody_is_is_recorded(service: World) -> None:
    actor = service.user()
    assert actor.send("PATCH", "/v1/user/", {"first_name": "Aino", "email": "aino@example.com"}).status == 200
    with service.database.read() as conn:
        assert list(service_trail.unrecorded(conn)) == []
    service.database.write(lambda conn: conn.run("UPDATE users SET email = 'bob@example.com'"))
    with service.database.read() as conn:
        (found,) = service_trail.unrecorded(conn)
    assert found == (f"user {actor.id}", "email: not what the audit trail recorded")


@pytest.mark.everywhere
def test_search_finds_names_slugs_and_identifiers(service: World) -> None:
    actor, other = service.user(), service.user()
    made = actor.create_business("Ääkköset Oy", slug="aakkoset", business_id="0112038-9")
    actor.create_business("Hundert % Süß_GmbH", slug="hundert", form="DE_UG")
    other.create_business("Ääkköset toinen", slug="toinen")
    for text, found in [
        ("ääkkö", ["aakkoset"]),
        ("ÄÄKKÖ", ["aakkoset"]),
        ("KOSET", ["aakkoset"]),
        ("112038-9", ["aakkoset"]),
        ("süss_", ["hundert"]),
        ("%", ["hundert"]),
        ("_", ["hundert"]),
        ("\\", []),
        ("", ["aakkoset", "hundert"]),
        ("toinen", []),
    ]:
        listed = actor.client.get(
            PATH, params={"search": text}, headers={"Authorization": f"Token {actor.token}"}
        ).json()
        assert ([one["slug"] for one in listed["results"]], listed["count"]) == (found, len(found)), text
    assert made["slug"] == "aakkoset"


def test_pages(service: World) -> None:
    actor = service.user()
    slugs = [actor.create_business(slug=f"b{number}")["slug"] for number in range(5)]

    def page(query: str) -> tuple[Any, ...]:
        body = actor.get(f"{PATH}?{query}")
        names = [one["slug"] for one in body["results"]]
        return body["count"], body["next"], body["prev"], body["size"], names

    assert page("") == (5, None, None, 30, slugs)
    assert page("page_size=2") == (5, 2, None, 2, slugs[:2])
    assert page("page_size=2&page=2") == (5, 3, 1, 2, slugs[2:4])
    assert page("page_size=2&page=3") == (5, None, 2, 2, slugs[4:])
    assert page("page_size=5&page=1") == (5, None, None, 5, slugs)
    for size in ("0", "-1", "x", "", "1.5"):
        assert page(f"page_size={size}") == (5, None, None, 30, slugs)
    assert page("page_size=1000")[3] == 200
    for number in ("0", "-1", "x", "4", "99999999999999999999", "1.0"):
        reply = actor.send("GET", f"{PATH}?page_size=2&page={number}")
        assert reply.error == (404, "not_found"), number
    assert service.user().get(f"{PATH}?page=1")["results"] == []
