"""Credit notes over HTTP, on both databases (docs/interface.md 7.3)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from tests.service.actor import World
from tests.service.routes.books import Books
from tests.service.routes.shop import Shop, row

D = Decimal
COLLECTION = {
    "is_registered_to_collector": False,
    "collector_invoice_status": "",
    "automatic_debt_collection_status": "NOT_STARTED",
}


@pytest.fixture
def shop(books: Books) -> Shop:
    return Shop(books)


def credit(shop: Shop, original: Any, count: str = "-2", **fields: object) -> Any:
    return shop.draft(row(count=count), is_credit_note_for=original["id"], **fields)


def assert_ok(shop: Shop, method: str, invoice: Any, body: object = None) -> None:
    assert shop.invoicing.send(method, f"invoice/{invoice['id']}/", body).status in {200, 204}


def try_credit(shop: Shop, original: Any, count: str = "-2", **fields: object) -> Any:
    body = shop.body(row(count=count), is_credit_note_for=original["id"], **fields)
    return shop.invoicing.send("POST", "invoice/", body)


def test_the_original_changes_when_a_credit_note_comes_or_goes(shop: Shop, shared: World) -> None:
    first, second = shop.accepted(), shop.accepted()
    moments = {shop.get(first)["updated_at"]}
    shared.clock.move(timedelta(minutes=1))
    note = credit(shop, first, "-1")
    moments.add(shop.get(first)["updated_at"])
    shared.clock.move(timedelta(minutes=1))
    assert_ok(shop, "PATCH", note, {"is_credit_note_for": second["id"]})
    moments.add(shop.get(first)["updated_at"])
    assert shop.get(second)["updated_at"] in moments
    shared.clock.move(timedelta(minutes=1))
    assert_ok(shop, "PATCH", note, {"description": "for nobody else to know"})
    assert shop.get(second)["updated_at"] in moments
    assert_ok(shop, "DELETE", note)
    assert shop.get(second)["updated_at"] not in moments
    assert len(moments) == 3


def test_a_credit_note_gives_back_what_was_invoiced(shop: Shop) -> None:
    shop.keep_accruals()
    original = shop.accepted()
    draft = credit(shop, original)
    assert draft["original_invoice_collection"] == {"invoice_id": original["id"], **COLLECTION}
    assert (draft["total_vat_amount"], draft["total_amount"]) == (D("-51.00"), D("-251.00"))
    assert shop.get(original) == {**original, "credit_notes": [draft["id"]]}
    note = shop.act(draft, "accept")
    assert (note["friendly_name"], note["invoice_number"], note["pdf"]["name"]) == (
        "Credit note 2",
        2,
        "credit-note-2.pdf",
    )
    assert shop.documents()[1] == (
        "2026-04-01",
        "Credit note 2",
        [
            ("C", "1700", "251.00", 3, "0.00"),
            ("D", "3000", "200.00", 1, "25.50"),
            ("D", "2939", "51.00", 1, "25.50"),
        ],
    )
    assert shop.books.balance("1700") == shop.owed() == "0.00"
    for one in (original, note):
        shop.act(one, "paid")
        assert shop.books.balance("1700") == shop.owed()
    assert (shop.books.balance("1910"), shop.books.balance("2939")) == ("0.00", "0.00")


@pytest.mark.together
@pytest.mark.parametrize("ways", [(), ("paid",), ("credit_loss", "unpaid")])
def test_an_invoice_is_credited_however_it_ended(shop: Shop, ways: tuple[str, ...]) -> None:
    original = shop.accepted()
    for action in ways:
        shop.act(original, action)
    assert shop.act(credit(shop, original), "accept")["status"] == "ACCEPTED"


def test_a_discount_is_credited_with_its_row(shop: Shop) -> None:
    original = shop.accepted(row(), row("10.00", "-1"))
    draft = shop.draft(row(count="-2"), row("10.00", "1"), is_credit_note_for=original["id"])
    assert draft["total_amount"] == -original["total_amount"]


def test_what_cannot_be_credited(shop: Shop) -> None:
    draft, original = shop.draft(), shop.accepted()
    note = shop.act(credit(shop, original, "-1"), "accept")
    stranger = shop.new_customer("Meyer")
    tries: tuple[tuple[Any, dict[str, Any], str], ...] = (
        (draft, {}, "A draft is changed, not credited."),
        (note, {}, "A credit note cannot be credited."),
        (original, {"receiver": stranger}, "The invoice credited has another receiver."),
        ({"id": 999_999}, {}, "Unknown invoice id 999999."),
    )
    for one, fields, text in tries:
        reply = try_credit(shop, one, **fields)
        assert (reply.status, reply.body["is_credit_note_for"]) == (400, [text])
    own = shop.invoicing.send("PATCH", f"invoice/{draft['id']}/", {"is_credit_note_for": draft["id"]})
    assert (own.status, own.faults) == (400, ["is_credit_note_for"])
    owed = try_credit(shop, original, "1")
    text = "A credit note gives back: its total is not above zero."
    assert (owed.status, owed.body["rows"]) == (400, [text])


def test_a_credit_note_does_not_recur(shop: Shop) -> None:
    template: dict[str, Any] = {
        "is_active_recurrence_template": True,
        "recurrence_rule": {"frequency": "MONTHLY", "interval": 1},
    }
    original = shop.accepted(**template)
    reply = try_credit(shop, original, **template)
    text = "A credit note does not recur."
    assert (reply.status, reply.body["is_active_recurrence_template"]) == (400, [text])
    assert shop.get(original)["credit_notes"] == []


def test_no_more_is_credited_than_was_invoiced(shop: Shop) -> None:
    original = shop.accepted()
    shop.act(credit(shop, original, "-1"), "accept")
    text = "Of invoice 1 no more than 100.00 without VAT is left to credit at 25.5 % and VAT code 1."
    reply = try_credit(shop, original, "-1.01")
    assert (reply.status, reply.body) == (
        412,
        {"code": "precondition_failed", "detail": text, "rows": [text]},
    )
    first, second = (credit(shop, original, "-0.75") for _ in range(2))
    shop.act(first, "accept")
    late = shop.try_act(second, "accept")
    left = "Of invoice 1 no more than 25.00 without VAT is left to credit at 25.5 % and VAT code 1."
    assert (late.status, late.body["rows"]) == (412, [left])
    path = f"invoice/{second['id']}/"
    assert shop.invoicing.send("PATCH", path, {"description": "x"}).status == 412
    shop.invoicing.change(path, rows=[row(count="-0.24")])
    assert shop.act(second, "accept")["invoice_number"] == 4
    assert try_credit(shop, original, "-0.02").status == 412
    shop.act(credit(shop, original, "-0.01"), "accept")
    assert shop.books.balance("1700") == "0.00"


def test_no_more_of_a_row_is_credited_than_was_sold_of_it(shop: Shop) -> None:
    work, tool = row(name="Work"), row("30.00", "1", name="Tool")
    original = shop.accepted(work, tool)
    body = shop.body(row(count="-0.5", name="Work"), row("30.00", "-2", name="Tool"), is_credit_note_for=original["id"])
    reply = shop.invoicing.send("POST", "invoice/", body)
    left = "Of invoice 1 no more than 30.00 without VAT is left to credit of 'Tool' at 25.5 %."
    assert (reply.status, reply.body["rows"]) == (412, [left])
    part, goodwill = row("30.00", "-0.5", name="Tool"), row("50.00", "-1", name="Goodwill")
    shop.accepted(part, goodwill, is_credit_note_for=original["id"])
    left = "Of invoice 1 no more than 15.00 without VAT is left to credit of 'Tool' at 25.5 %."
    body = shop.body(row("15.01", "-1", name="tool"), is_credit_note_for=original["id"])
    assert shop.invoicing.send("POST", "invoice/", body).body["detail"] == left.replace("'Tool'", "'tool'")
    shop.accepted(row("15.00", "-1", name="tool"), is_credit_note_for=original["id"])


@pytest.mark.everywhere
def test_credit_notes_accepted_at_once_come_to_no_more(shop: Shop) -> None:
    original = shop.accepted()
    notes = [credit(shop, original, "-0.5") for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(lambda note: shop.try_act(note, "accept"), notes))
    assert sorted(reply.status for reply in replies) == [200] * 4 + [412] * 4
    assert sum(one["total_amount"] for one in map(shop.get, notes) if not one["is_editable"]) == D("-251.00")


def test_an_original_with_credit_notes_tells_them(shop: Shop) -> None:
    original = shop.accepted()
    notes = [credit(shop, original, "-0.5")["id"] for _ in range(2)]
    assert shop.get(original)["credit_notes"] == notes
    assert shop.invoicing.send("DELETE", f"invoice/{notes[0]}/").status == 204
    assert shop.get(original)["credit_notes"] == notes[1:]
