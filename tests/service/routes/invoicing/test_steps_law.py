"""What the law would call void is not accepted (docs/law.md 7.1), and templates keep to the rates of their days."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from tests.service.actor import Actor
from tests.service.routes.books import Books
from tests.service.routes.shop import Shop, row


@pytest.fixture
def shop(books: Books) -> Shop:
    """A company that sells."""
    return Shop(books)


def refused(shop: Shop, draft: Any) -> dict[str, Any]:
    """Return what keeps a draft from being accepted; it stays a draft, and no number is used."""
    reply = shop.try_act(draft, "accept")
    assert reply.status == 412, reply
    shown = shop.invoicing.get(f"invoice/{draft['id']}/").body
    assert (shown["status"], shown["invoice_number"]) == ("DRAFT", None)
    return {name: told for name, told in reply.body.items() if name not in {"code", "detail"}}


@pytest.mark.everywhere
def test_a_seller_says_who_and_where_it_is(bookkeeper: Actor) -> None:
    nobody = dict.fromkeys(("invoicing_street", "invoicing_postal_code", "invoicing_city"))
    actor = bookkeeper.create_business("Nobody Oy", form="FI_OY", **nobody)
    shop = Shop(Books(bookkeeper, actor["slug"]))
    draft = shop.draft()
    address, number = refused(shop, draft)["business"]
    assert address == (
        "The business has no invoicing_street, invoicing_postal_code, invoicing_city: an invoice names the seller's "
        "address (AVL 209 e §)."
    )
    shop.books.change("", invoicing_street="Satama 1", invoicing_city="Turku", invoicing_postal_code="20100")
    assert refused(shop, draft)["business"] == [number]
    shop.books.change("", business_id="0112038-9")
    assert shop.act(draft, "accept")["status"] == "ACCEPTED"


def test_a_demo_is_no_seller_of_law(bookkeeper: Actor) -> None:
    made = bookkeeper.create_business("Demo", form="DEMO")
    assert Shop(Books(bookkeeper, made["slug"])).accepted()["status"] == "ACCEPTED"


@pytest.mark.together
@pytest.mark.parametrize(
    ("rate", "days", "right"),
    [
        ("24.00", {}, "the rate is 25.5 % on that day"),
        ("14.00", {"settlement_date": "2026-01-01"}, "the rate is 13.5 % on that day"),
        ("19.00", {}, "the rates are 25.5, 13.5 and 10 %"),
    ],
)
def test_a_rate_the_law_lacks_is_not_charged(shop: Shop, rate: str, days: dict[str, str], right: str) -> None:
    (told,) = refused(shop, shop.draft(row(rate=rate), **days))["vat"]
    assert told.endswith(f"{right} (AVL 84, 85 and 85 a §).")


def test_the_day_of_delivery_has_the_rate(shop: Shop) -> None:
    assert shop.accepted(row(rate="14.00"), settlement_date="2025-12-31")["total_vat_amount"] == Decimal("28.00")


def test_what_was_prepaid_comes_off_at_the_rate_it_was_taxed_at(shop: Shop) -> None:
    sold, prepaid = row("100.00", "1"), row("50.00", "-1", "24.00", name="Prepaid in August 2024")
    invoice = shop.accepted(sold, prepaid)
    assert (invoice["total_vat_amount"], invoice["total_amount"]) == (Decimal("13.50"), Decimal("63.50"))
    (told,) = refused(shop, shop.draft(sold, row("50.00", "-1", "19.00")))["vat"]
    assert told.startswith("19 % is no VAT rate")


def test_a_credit_note_takes_back_what_was_charged_before(shop: Shop) -> None:
    charged = shop.accepted(row(rate="14.00"), invoicing_date="2025-12-30")
    credit = shop.accepted(row("-100.00", "2", "14.00"), is_credit_note_for=charged["id"])
    assert credit["total_amount"] == Decimal("-228.00")


def test_what_was_sold_can_be_credited_whoever_the_customer_is_by_now(shop: Shop) -> None:
    shop.customer = shop.new_customer(invoicing_country="SE", invoicing_tax_code="SE556000461501")
    shop.books.create("identifiers/", {"type": "vat_code", "value": "FI01120389"})
    sold = shop.accepted(row(rate="0.00", vat_code=5))
    shop.books.change(f"contacts/{shop.customer}/", invoicing_tax_code="", invoicing_country="NO")
    assert refused(shop, shop.draft(row(rate="0.00", vat_code=5)))
    credit = shop.accepted(row("-100.00", rate="0.00", vat_code=5), is_credit_note_for=sold["id"])
    assert credit["total_amount"] == Decimal("-200.00")


@pytest.mark.everywhere
def test_everything_void_is_said_at_once(shop: Shop) -> None:
    shop.books.change("", invoicing_vat_exemption_reason="", invoicing_street="")
    rows = [row(rate="0.00", vat_code=code) for code in (3, 5, 6, 10, 12, 13)]
    shop.customer = shop.new_customer("Aino Koivu", type="PERSON")
    told = refused(shop, shop.draft(*rows, row(rate="24.00")))
    # its address, and its VAT id twice
    assert (len(told["business"]), len(told["vat"])) == (3, 7)


def test_what_would_be_boxes_on_paper_is_named(shop: Shop) -> None:
    draft = shop.draft(row(), row(name="茶碗"), description="👍")
    right = "write it in Latin, Greek or Cyrillic letters."
    assert refused(shop, draft) == {
        "rows": [f"name has letters that the font of invoices lacks, 茶 碗, in '茶碗': {right}"],
        "description": [f"description has letters that the font of invoices lacks, 👍, in '👍': {right}"],
    }


def test_a_credit_note_takes_back_what_was_sold_however_it_is_written(shop: Shop) -> None:
    sold = shop.accepted()
    note = shop.draft(row(count="-1", name="茶碗"), is_credit_note_for=sold["id"])
    assert shop.act(note, "accept")["status"] in {"ACCEPTED", "PAID"}
