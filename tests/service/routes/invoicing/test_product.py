"""Products over HTTP, on both databases (docs/interface.md 1.4, 6.4)."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from acctcli.models.product import Product
from tests.replies import check_reply
from tests.service.routes.books import Books

D = Decimal
HOUR = {"name": "Consulting", "unit": "h", "amount": D("100.00"), "vat_rate": D("25.50"), "vat_code": 1}
DEFAULTS: dict[str, Any] = {
    "code": None,
    "vat_rate": D("0.00"),
    "vat_code": 3,
    "is_vat_inclusive": False,
    "account_id": None,
    "description": None,
}


def made(product: dict[str, Any]) -> dict[str, Any]:
    """What of a reply nobody asked for."""
    return {name: product[name] for name in ("id", "created_at", "updated_at")}


def priced(exclusive: str, vat: str, inclusive: str) -> dict[str, Decimal]:
    return {"vat_exclusive_amount": D(exclusive), "vat_inclusive_amount": D(inclusive), "vat_amount": D(vat)}


def names(invoicing: Books, **query: str) -> list[str]:
    reply = invoicing.get("product/", **query)
    assert reply.status == 200, reply
    assert reply.body["count"] == len(reply.body["results"])
    return [product["name"] for product in reply.body["results"]]


def test_a_product_has_every_field(books: Books, invoicing: Books) -> None:
    body = HOUR | {
        "code": "C-1",
        "account_id": books.ids["3000"],
        "description": "By the hour",
        "is_vat_inclusive": True,
    }
    created = invoicing.create("product/", body)
    assert created == {**made(created), **body, **priced("79.68", "20.32", "100.00")}
    assert list(created) == list(Product.__annotations__)
    check_reply(Product, created)
    assert invoicing.get(f"product/{created['id']}/").body == created
    assert invoicing.get("product/").body["results"] == [created]


def test_a_product_needs_a_name_a_unit_and_a_price(invoicing: Books) -> None:
    created = invoicing.create("product/", {"name": "Nail", "unit": "kpl", "amount": D("0.0125")})
    own = {"name": "Nail", "unit": "kpl", "amount": D("0.0125")}
    assert created == {**made(created), **DEFAULTS, **own, **priced("0.0125", "0.00", "0.0125")}
    reply = invoicing.send("POST", "product/", {})
    assert (reply.status, reply.faults) == (400, ["name", "unit", "amount"])


def test_prices_are_written_with_two_decimals_or_as_many_as_they_take(invoicing: Books) -> None:
    reply = invoicing.send("POST", "product/", HOUR | {"amount": D("0.1250")})
    assert (
        b'"amount":0.125,"vat_exclusive_amount":0.125,"vat_inclusive_amount":0.1569,"vat_amount":0.0319,' in reply.raw
    )
    reply = invoicing.send("POST", "product/", HOUR | {"amount": D("99.9900")})
    assert b'"amount":99.99,"vat_exclusive_amount":99.99,"vat_inclusive_amount":125.49,"vat_amount":25.50,' in reply.raw


@pytest.mark.together
@pytest.mark.parametrize("code", [1, 3, 4, 5, 6, 10, 12, 13])
def test_a_product_carries_a_vat_code_of_sales(invoicing: Books, code: int) -> None:
    assert invoicing.create("product/", HOUR | {"vat_code": code})["vat_code"] == code


@pytest.mark.together
@pytest.mark.parametrize(
    ("change", "field"),
    [
        *(({"vat_code": code}, "vat_code") for code in (0, 2, 7, 8, 9, 11, 14, 15, 16, None, True)),
        ({"name": ""}, "name"),
        ({"name": "x" * 65}, "name"),
        ({"unit": ""}, "unit"),
        ({"unit": "x" * 9}, "unit"),
        ({"unit": None}, "unit"),
        ({"description": "x" * 129}, "description"),
        ({"amount": D("0.00001")}, "amount"),
        ({"amount": 10**14}, "amount"),
        ({"amount": None}, "amount"),
        ({"vat_rate": D("-1")}, "vat_rate"),
        ({"vat_rate": 1000}, "vat_rate"),
        ({"is_vat_inclusive": "perhaps"}, "is_vat_inclusive"),
        ({"account_id": 10**9}, "account_id"),
        ({"name": "nul\0"}, "name"),
    ],
)
def test_a_wrong_product_is_refused(invoicing: Books, change: dict[str, Any], field: str) -> None:
    reply = invoicing.send("POST", "product/", HOUR | change)
    assert (reply.status, reply.faults) == (400, [field])
    assert invoicing.get("product/").body["count"] == 0


def test_a_wrong_code_is_told_in_words(invoicing: Books) -> None:
    """A field named `code` keeps its key in an error; the word for programs gives way to it."""
    reply = invoicing.send("POST", "product/", HOUR | {"code": "x" * 26})
    told = "code: String should have at most 25 characters."
    assert (reply.status, reply.body) == (
        400,
        {"code": ["String should have at most 25 characters."], "error_code": "validation_error", "detail": told},
    )


@pytest.mark.everywhere
def test_patch_keeps_and_put_resets_what_is_not_sent(books: Books, invoicing: Books) -> None:
    created = invoicing.create("product/", HOUR | {"code": "C-1", "account_id": books.ids["3000"]})
    path = f"product/{created['id']}/"
    changed = invoicing.change(path, amount=D("119.99"), id=1, vat_amount=0)
    assert changed == {**created, "amount": D("119.99"), **priced("119.99", "30.60", "150.59")}
    replaced = invoicing.send("PUT", path, {"name": "Nail", "unit": "kpl", "amount": 1}).body
    assert replaced == {
        **changed, **DEFAULTS, "name": "Nail", "unit": "kpl", "amount": D("1.00"), **priced("1.00", "0.00", "1.00"),
    }  # fmt: skip
    assert invoicing.get(path).body == replaced
    refused = invoicing.send("PUT", path, {"name": "x"})
    assert (refused.status, refused.faults) == (400, ["unit", "amount"])
    assert invoicing.get(path).body == replaced


def test_an_account_of_another_business_is_unknown(other_books: Books, invoicing: Books) -> None:
    reply = invoicing.send("POST", "product/", HOUR | {"account_id": other_books.ids["3000"]})
    assert (reply.status, reply.faults) == (400, ["account_id"])


@pytest.mark.everywhere
def test_an_account_that_a_product_names_stays(books: Books, invoicing: Books) -> None:
    account = books.ids["3900"]
    product = invoicing.create("product/", HOUR | {"account_id": account})
    reply = books.send("DELETE", f"account/{account}/")
    told = {"code": "precondition_failed", "detail": "Products or rows of invoices name account 3900."}
    assert (reply.status, reply.body) == (412, told)
    invoicing.change(f"product/{product['id']}/", account_id=None)
    assert books.send("DELETE", f"account/{account}/").status == 204


def test_an_account_that_a_row_of_an_invoice_names_stays(books: Books, invoicing: Books) -> None:
    account = books.ids["3900"]
    row = HOUR | {"product_count": 1, "account_id": account}
    body = {"receiver": books.contact(), "invoicing_date": "2026-04-01", "payment_condition_days": 14, "rows": [row]}
    draft = invoicing.create("invoice/", body)
    reply = books.send("DELETE", f"account/{account}/")
    told = {"code": "precondition_failed", "detail": "Products or rows of invoices name account 3900."}
    assert (reply.status, reply.body) == (412, told)
    invoicing.send("DELETE", f"invoice/{draft['id']}/")
    assert books.send("DELETE", f"account/{account}/").status == 204


def test_a_product_can_be_deleted(invoicing: Books) -> None:
    path = f"product/{invoicing.create('product/', HOUR)['id']}/"
    reply = invoicing.send("DELETE", path)
    assert (reply.status, reply.raw) == (204, b"")
    assert invoicing.get(path).status == 404
    assert invoicing.get("product/").body["count"] == 0


def test_a_product_that_an_invoice_names_stays(books: Books, invoicing: Books) -> None:
    product = invoicing.create("product/", HOUR)
    path = f"product/{product['id']}/"
    copied = {name: product[name] for name in ("name", "unit", "vat_rate", "vat_code")}
    row = copied | {"product": product["id"], "amount": product["vat_exclusive_amount"], "product_count": 2}
    terms = {"receiver": books.contact(), "invoicing_date": "2026-04-01", "payment_condition_days": 14}
    invoice = invoicing.create("invoice/", terms | {"rows": [row]})
    refused = {"code": "precondition_failed", "detail": "Rows of invoices name the product Consulting."}
    reply = invoicing.send("DELETE", path)
    assert (reply.status, reply.body) == (412, refused)
    assert invoicing.get(f"invoice/{invoice['id']}/").body == invoice
    assert invoicing.send("DELETE", f"invoice/{invoice['id']}/").status == 204
    assert invoicing.send("DELETE", path).status == 204


@pytest.mark.everywhere
def test_products_are_listed_by_name_then_id(invoicing: Books) -> None:
    for name in ("Öl", "hammer", "Ahle", "HAMMER 2"):
        invoicing.create("product/", HOUR | {"name": name})
    assert names(invoicing) == ["Ahle", "hammer", "HAMMER 2", "Öl"]
    page = invoicing.get("product/", page="2", page_size="3").body
    assert (page["count"], page["next"], page["prev"], page["size"]) == (4, None, 1, 3)


@pytest.mark.everywhere
@pytest.mark.parametrize(
    ("search", "found"),
    [("MUTTERI", ["Mutteri M8"]), ("äää", ["Öljy"]), ("m8", ["Mutteri M8"]), ("%", []), ("kpl", []), ("ö", ["Öljy"])],
)
def test_a_search_looks_into_code_and_name(invoicing: Books, search: str, found: list[str]) -> None:
    invoicing.create("product/", HOUR | {"name": "Mutteri M8", "unit": "kpl"})
    product = invoicing.create("product/", HOUR | {"name": "Rasva", "code": "ÄÄÄ-1"})
    invoicing.change(f"product/{product['id']}/", name="Öljy")
    assert names(invoicing, search=search) == found


def test_every_change_leaves_one_event(invoicing: Books, events: Callable[[Books], list[tuple[str, Any]]]) -> None:
    created = invoicing.create("product/", HOUR)
    path = f"product/{created['id']}/"
    changed = invoicing.change(path, name="y")
    assert invoicing.change(path, name="y") == changed
    assert invoicing.change(path) == changed
    invoicing.send("PATCH", path, {"vat_code": 2})
    invoicing.send("DELETE", path)
    assert [event for event in events(invoicing) if event[0].startswith("product.")] == [
        ("product.created", created),
        ("product.updated", changed),
        ("product.deleted", {"id": created["id"]}),
    ]
