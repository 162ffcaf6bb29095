"""Lists of sales invoices over HTTP, on both databases (docs/interface.md 1.4)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.service.actor import World
from tests.service.routes.books import Books
from tests.service.routes.shop import Shop, row

FIRST, SECOND, THIRD, NOTE = range(4)


@pytest.fixture
def shop(books: Books) -> Shop:
    return Shop(books)


@pytest.fixture
def ids(shop: Shop, shared: World) -> list[int]:
    """Four invoices, made on four days: paid, accepted, a draft, and a credit note of the second."""
    shared.clock.now = datetime(2026, 3, 1, 23, 59, tzinfo=UTC)
    meyer = shop.new_customer("Meyer & Söhne")
    first = shop.accepted(invoicing_date="2026-03-01", description="Work in March")
    shared.clock.move(timedelta(days=1))
    second = shop.accepted(invoicing_date="2026-03-02", payment_condition_days=30, receiver=meyer)
    shared.clock.move(timedelta(days=1))
    third = shop.draft(invoicing_date="2026-03-03", description="100 % ready_made, Süße Straße 5")
    shared.clock.move(timedelta(days=1))
    note = shop.draft(row(count="-1"), receiver=meyer, is_credit_note_for=second["id"])
    shop.act(first, "paid")
    return [invoice["id"] for invoice in (first, second, third, note)]


def test_an_invoice_below_zero_that_credits_nothing_is_no_credit_note(shop: Shop) -> None:
    below = shop.draft(row(count="-1"))
    assert (shop.listed(is_credit_note="false"), shop.listed(is_credit_note="true")) == ([below["id"]], [])


def test_midnight_belongs_to_the_day_that_begins(shop: Shop, shared: World) -> None:
    shared.clock.now = datetime(2026, 3, 2, tzinfo=UTC)
    at_midnight = [shop.accepted(invoicing_date="2026-03-02")["id"]]
    for name in ("created_at", "updated_at"):
        assert shop.listed(**{f"{name}_lte": "2026-03-01"}) == []
        assert shop.listed(**{f"{name}_gte": "2026-03-02"}) == at_midnight
    asked = {"status_changed_to": "ACCEPTED"}
    assert shop.listed(**asked, status_changed_at_lte="2026-03-01") == []
    assert shop.listed(**asked, status_changed_at_gte="2026-03-02") == at_midnight


@pytest.mark.everywhere
@pytest.mark.together
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({}, [NOTE, THIRD, SECOND, FIRST]),
        ({"search": ""}, [NOTE, THIRD, SECOND, FIRST]),
        ({"search": "MEYER & SÖ"}, [NOTE, SECOND]),
        ({"search": "in march"}, [FIRST]),
        ({"search": "10029"}, [SECOND]),
        ({"search": "2"}, [SECOND]),
        ({"search": "%"}, [THIRD]),
        ({"search": "ready_"}, [THIRD]),
        ({"search": "y_m"}, [THIRD]),
        ({"search": "SÜSSE STRASSE"}, [THIRD]),
        ({"search": "süße straße"}, [THIRD]),
        ({"search": "nothing"}, []),
        ({"status": "DRAFT"}, [NOTE, THIRD]),
        ({"status": ["DRAFT", "PAID"]}, [NOTE, THIRD, FIRST]),
        ({"status": "ACCEPTED,PAID"}, [SECOND, FIRST]),
        ({"status": ["ACCEPTED,PAID", "DRAFT"]}, [NOTE, THIRD, SECOND, FIRST]),
        ({"status": "CREDIT_LOSS"}, []),
        ({"is_credit_note": "true"}, [NOTE]),
        ({"is_credit_note": "0"}, [THIRD, SECOND, FIRST]),
        ({"invoice_number": "2"}, [SECOND]),
        ({"invoicing_date_gte": "2026-03-02", "invoicing_date_lte": "2026-03-03"}, [THIRD, SECOND]),
        ({"due_date_gte": "2026-04-01"}, [NOTE, SECOND]),
        ({"due_date_lte": "2026-03-15"}, [FIRST]),
        ({"created_at_gte": "2026-03-03"}, [NOTE, THIRD]),
        ({"created_at_lte": "2026-03-02"}, [SECOND, FIRST]),
        ({"created_at_lte": "9999-12-31"}, [NOTE, THIRD, SECOND, FIRST]),
        ({"updated_at_gte": "2026-03-04"}, [NOTE, SECOND, FIRST]),
        ({"updated_at_lte": "2026-03-03"}, [THIRD]),
        ({"status_changed_to": "ACCEPTED"}, [SECOND, FIRST]),
        ({"status_changed_to": "DRAFT"}, [NOTE, THIRD, SECOND, FIRST]),
        ({"status_changed_to": "CREDIT_LOSS"}, []),
        ({"status_changed_to": "ACCEPTED", "status_changed_at_gte": "2026-03-02"}, [SECOND]),
        ({"status_changed_to": "ACCEPTED", "status_changed_at_lte": "2026-03-01"}, [FIRST]),
        (
            {
                "status_changed_to": "PAID",
                "status_changed_at_gte": "2026-03-04",
                "status_changed_at_lte": "2026-03-04",
            },
            [FIRST],
        ),
        ({"status_changed_to": "ACCEPTED", "status": "PAID"}, [FIRST]),
    ],
)
def test_filters(shop: Shop, ids: list[int], query: dict[str, str | list[str]], found: list[int]) -> None:
    assert shop.listed(**query) == [ids[place] for place in found]


@pytest.mark.together
@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"status": "SENT"}, "status"),
        ({"status": "DRAFT,SENT"}, "status"),
        ({"status_changed_to": "SENT"}, "status_changed_to"),
        ({"status_changed_at_gte": "2026-03-01"}, "status_changed_to"),
        ({"status_changed_at_lte": "2026-03-01"}, "status_changed_to"),
        ({"status_changed_to": "PAID", "status_changed_at_gte": "yesterday"}, "status_changed_at_gte"),
        ({"is_credit_note": "perhaps"}, "is_credit_note"),
        ({"invoice_number": "x"}, "invoice_number"),
        ({"due_date_gte": "2026-02-30"}, "due_date_gte"),
        ({"created_at_lte": "2026-03-01T00:00:00"}, "created_at_lte"),
    ],
)
def test_a_filter_of_the_wrong_type_is_refused(shop: Shop, query: dict[str, str], field: str) -> None:
    reply = shop.invoicing.get("invoice/", **query)
    assert (reply.status, reply.faults) == (400, [field])


def test_pages(shop: Shop, ids: list[int]) -> None:
    page = shop.invoicing.get("invoice/", page="2", page_size="3").body
    assert (page["count"], page["next"], page["prev"], page["size"]) == (4, None, 1, 3)
    assert [invoice["id"] for invoice in page["results"]] == ids[:1]
    assert page["results"] == [shop.invoicing.get(f"invoice/{ids[0]}/").body]


def test_invoices_of_another_business_do_not_exist_here(shop: Shop, other_books: Books) -> None:
    foreign = Shop(other_books).accepted()
    for action in ("accept", "paid", "unpaid", "credit_loss", "disable_recurrence"):
        assert shop.try_act(foreign, action).status == 404
    for method in ("GET", "PATCH", "PUT", "DELETE"):
        reply = shop.invoicing.send(method, f"invoice/{foreign['id']}/", shop.body())
        assert (reply.status, reply.body["code"]) == (404, "not_found"), method
    refused = shop.invoicing.send("POST", "invoice/", shop.body(is_credit_note_for=foreign["id"]))
    assert (refused.status, refused.faults) == (400, ["is_credit_note_for"])
    assert shop.listed() == []
    assert shop.accepted()["invoice_number"] == 1
