"""Sales payouts over HTTP, on both databases (docs/interface.md 8.2)."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.models.sales_payout import SalesPayout, SalesPayoutItemRequest, SalesPayoutRequest
from acctcli.service.problems import Invalid
from acctcli.service.routes.business.sales_payouts import _check_sum
from tests.replies import check_reply
from tests.service.routes.books import Books

D = Decimal
PATH = "sales_payouts/"
SALES = {
    "amount": D("125.50"),
    "description": "Sales",
    "vat_code": 1,
    "vat_rate": "25.50",
    "account_number": "3000",
}
FEE = {"amount": D("-3.10"), "description": "Fee", "vat_code": 3, "vat_rate": "0.00", "account_number": "8500"}
REFUND = {"amount": D("-20.00"), "description": "", "vat_code": 3, "vat_rate": "0.00", "account_number": "03000"}
PAYOUT = {
    "external_id": "po_1",
    "end_to_end_id": "E2E-1",
    "source": "shop",
    "date": "2026-04-01",
    "amount": D("102.40"),
    "currency": "EUR",
    "description": "Week 13",
    "items": [SALES, FEE, REFUND],
}


def made(record: dict[str, Any]) -> dict[str, Any]:
    """What of a reply nobody asked for."""
    return {name: record[name] for name in ("id", "created_at", "updated_at")}


@pytest.mark.everywhere
def test_the_files_of_a_payout_are_used(books: Books) -> None:
    file_id, _ = books.file("a.csv"), books.file("b.csv")
    books.create(PATH, PAYOUT | {"attachments": [file_id]})
    assert [one["id"] for one in books.get("files/", is_used="true").body["results"]] == [file_id]
    assert books.send("DELETE", f"files/{file_id}/").body["code"] == "precondition_failed"


def test_a_payout_has_every_field(books: Books) -> None:
    files = [books.file("b.csv"), books.file("a.csv")][::-1]
    created = books.create(PATH, PAYOUT | {"attachments": [*files, files[0]]})
    items = [
        {**made(shown), **sent}
        for shown, sent in zip(created["items"], PAYOUT["items"], strict=True)  # type: ignore[call-overload]
    ]
    assert created == {**made(created), **PAYOUT, "attachments": files, "items": items}
    assert (list(created), list(created["items"][0])) == (
        list(SalesPayout.__annotations__),
        ["id", "created_at", "updated_at", *SALES],
    )
    check_reply(SalesPayout, created)
    assert books.get(f"{PATH}{created['id']}/").body == created
    assert books.get(PATH).body["results"] == [created]
    assert books.send("DELETE", f"files/{files[0]}/").status == 412


def test_what_is_not_sent_has_a_default(books: Books) -> None:
    item = {"amount": 5, "account_number": "3000"}
    created = books.create(
        PATH, {"external_id": "x", "source": "shop", "date": "2026-04-01", "amount": 5, "items": [item]}
    )
    assert (created["end_to_end_id"], created["currency"], created["description"], created["attachments"]) == (
        None, "EUR", "", [],
    )  # fmt: skip
    (shown,) = created["items"]
    defaults = {"amount": D("5.00"), "description": "", "vat_code": 3, "vat_rate": "0.00", "account_number": "3000"}
    assert shown == {**made(shown), **defaults}
    reply = books.send("POST", PATH, {})
    assert (reply.status, reply.faults) == (400, ["external_id", "source", "date", "amount", "items"])


@pytest.mark.together
@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"amount": D("102.41")}, {"items": ["The items come to 102.40 and the payout to 102.41."]}),
        ({"items": []}, {"items": ["List should have at least 1 item after validation, not 0."]}),
        ({"items": [SALES, FEE | {"vat_code": 16}]}, None),
        (
            {"amount": D("92233720368547758.08"), "items": [SALES | {"amount": D("92233720368547758.08")}]},
            {"amount": ["Amounts go up to 92233720368547758.07."]},
        ),
        (
            {"amount": 0, "items": [FEE | {"amount": D(f"{sign}92233720368547758.08")} for sign in "+-"]},
            {"items": ["Amounts go up to 92233720368547758.07."]},
        ),
        ({"external_id": ""}, None),
        ({"external_id": "x" * 129}, None),
        ({"source": None}, None),
        ({"date": "2026-02-30"}, None),
        ({"attachments": [10**9]}, {"attachments": ["Unknown attachment id 1000000000."]}),
    ],
)
def test_a_wrong_payout_is_refused(books: Books, change: dict[str, Any], fault: dict[str, Any] | None) -> None:
    reply = books.send("POST", PATH, PAYOUT | change)
    told = {name: reply.body[name] for name in reply.faults}
    assert (reply.status, list(told) if fault is None else told) == (400, list(change) if fault is None else fault)
    assert books.get(PATH).body["count"] == 0


@pytest.mark.together
@pytest.mark.parametrize("number", ["", "12345678", "30a", "٣", "3000\n", 30.5, True])
def test_an_item_names_its_account_by_number(books: Books, number: object) -> None:
    reply = books.send("POST", PATH, PAYOUT | {"items": [SALES, FEE | {"account_number": number}]})
    assert (reply.status, list(reply.body["items"][1])) == (400, ["account_number"])


def test_an_external_id_comes_once_a_business(books: Books, other_books: Books) -> None:
    created = books.create(PATH, PAYOUT)
    reply = books.send("POST", PATH, PAYOUT | {"date": "2026-04-02"})
    told = ["Another payout has this external id."]
    assert (reply.status, reply.faults, reply.body["external_id"]) == (400, ["external_id"], told)
    assert books.get(PATH).body["results"] == [created]
    assert other_books.create(PATH, PAYOUT)["external_id"] == "po_1"


@pytest.mark.everywhere
def test_payouts_are_listed_the_newest_first(books: Books) -> None:
    rows = [books.create(PATH, PAYOUT | {"external_id": str(number)}) for number in range(3)]
    page = books.get(PATH, page_size="2").body
    assert (page["count"], page["next"], page["prev"], page["size"]) == (3, 2, None, 2)
    assert page["results"] == rows[:0:-1]


@pytest.mark.everywhere
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"external_id": "po_1"}, [1]),
        ({"external_id": "po"}, []),
        ({"source": "shop"}, [2, 0]),
        ({"source": "Shop"}, []),
        ({"date_from": "2026-04-02"}, [2, 1]),
        ({"date_to": "2026-04-02"}, [1, 0]),
        ({"date_from": "2026-04-02", "date_to": "2026-04-02", "source": "till"}, [1]),
        ({"source": "", "unknown": "x"}, [2, 1, 0]),
    ],
)
def test_filters(books: Books, query: dict[str, str], found: list[int]) -> None:
    rows = [
        books.create(PATH, PAYOUT | {"external_id": f"po_{number}", "source": source, "date": f"2026-04-0{number + 1}"})
        for number, source in enumerate(("shop", "till", "shop"))
    ]
    page = books.get(PATH, **query).body
    assert (page["count"], page["results"]) == (len(found), [rows[number] for number in found])


@pytest.mark.parametrize("name", ["date_from", "date_to"])
def test_a_filter_of_the_wrong_type_is_refused(books: Books, name: str) -> None:
    reply = books.get(PATH, **{name: "2026-02-30"})
    assert (reply.status, reply.faults) == (400, [name])


def test_payouts_of_another_business_do_not_exist_here(books: Books, other_books: Books) -> None:
    foreign = other_books.create(PATH, PAYOUT)
    assert books.get(f"{PATH}{foreign['id']}/").status == 404
    assert books.get(PATH).body["results"] == []


def test_a_payout_leaves_one_event(books: Books, events: Callable[[Books], list[tuple[str, Any]]]) -> None:
    created = books.create(PATH, PAYOUT)
    books.send("POST", PATH, PAYOUT)
    assert [event for event in events(books) if event[0].startswith("sales_payout.")] == [
        ("sales_payout.created", created)
    ]


@given(st.lists(st.integers(-(10**12), 10**12), min_size=1), st.integers(-2, 2))
def test_a_cent_is_not_lost_in_a_sum(cents: list[int], off: int) -> None:
    items = [SalesPayoutItemRequest(amount=D(one).scaleb(-2), account_number="3000") for one in cents]
    amount = D(sum(cents) + off).scaleb(-2)
    payout = SalesPayoutRequest.model_construct(items=items, amount=amount)
    if off:
        with pytest.raises(Invalid):
            _check_sum(payout)
    else:
        _check_sum(payout)
