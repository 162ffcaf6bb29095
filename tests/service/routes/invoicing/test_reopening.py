"""What the books have opened again is settled again, on both databases (docs/interface.md 7.1, 7.5)."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from tests.service.routes.books import Books
from tests.service.routes.invoicing.test_settlement import bank, pay, relate, report, stands
from tests.service.routes.shop import Shop

D = Decimal


@pytest.fixture
def shop(books: Books) -> Shop:
    found = Shop(books)
    found.keep_accruals()
    return found


def balances(shop: Shop) -> tuple[str, ...]:
    return tuple(shop.books.balance(number) for number in ("1700", "1910"))


def part_taken_off(shop: Shop) -> tuple[Any, int]:
    """Return an invoice whose rest was paid by a word, after a part of 100 whose relation is deleted now."""
    invoice = shop.accepted()
    document_id = bank(shop, "2026-04-01", "100.00")
    relation_id = relate(shop, document_id, invoice)
    shop.act(invoice, "paid")
    assert stands(shop, invoice) == [("PAID", "2026-04-02")]
    assert shop.books.send("DELETE", f"document/{document_id}/relation/{relation_id}/").status == 204
    assert stands(shop, invoice) == [("ACCEPTED", None)]
    return invoice, document_id


def test_what_is_open_again_is_paid_by_a_second_document(shop: Shop, events: Any) -> None:
    invoice, _ = part_taken_off(shop)
    first = shop.documents()[-1]
    shop.act(invoice, "paid")
    assert (stands(shop, invoice), balances(shop)) == ([("PAID", "2026-04-02")], ("-100.00", "351.00"))
    documents = shop.documents()
    assert documents[-2:] == [
        first,
        (*first[:2], [("D", "1910", "100.00", 3, "0.00"), ("C", "1700", "100.00", 3, "0.00")]),
    ]
    assert [kind for kind, _ in events(shop.books)[-3:]] == [
        "document.created",
        "relation.created",
        "sales_invoice.paid",
    ]
    # the first stays with the invoice, and still counts until it is taken back, too
    shop.act(invoice, "unpaid")
    assert (stands(shop, invoice), shop.documents()) == ([("ACCEPTED", None)], documents[:-1])
    shop.act(invoice, "unpaid")
    assert (stands(shop, invoice), shop.documents()) == ([("ACCEPTED", None)], documents[:-2])
    assert balances(shop) == ("151.00", "100.00")
    assert shop.act(invoice, "unpaid") == shop.get(invoice)


@pytest.mark.everywhere
def test_what_is_open_again_is_lost(shop: Shop) -> None:
    invoice, _ = part_taken_off(shop)
    shop.act(invoice, "credit_loss")
    assert (stands(shop, invoice), shop.books.balance("8600")) == ([("CREDIT_LOSS", None)], "79.68")


def test_a_payment_by_a_word_makes_room_for_that_of_the_bank(shop: Shop) -> None:
    """Whoever marked an invoice as paid, and then relates what the bank says, takes the first one back."""
    invoice = shop.accepted()
    shop.act(invoice, "paid")
    pay(shop, "2026-04-10", "251.00", invoice)
    assert (stands(shop, invoice), balances(shop)) == ([("ACCEPTED", None)], ("-251.00", "502.00"))
    shop.act(invoice, "unpaid")
    assert (stands(shop, invoice), balances(shop)) == ([("PAID", "2026-04-10")], ("0.00", "251.00"))


def test_what_was_lost_and_is_paid_after_all(shop: Shop, events: Any) -> None:
    invoice = shop.accepted()
    shop.act(invoice, "credit_loss")
    document_id = pay(shop, "2026-04-10", "50.00", invoice)
    assert (stands(shop, invoice), balances(shop)) == ([("ACCEPTED", None)], ("-50.00", "50.00"))
    path = f"document/{document_id}/relation/{shop.books.get(f'document/{document_id}/').body['relations'][0]['id']}/"
    assert shop.books.send("DELETE", path).status == 204
    assert stands(shop, invoice) == [("CREDIT_LOSS", None)]
    assert [kind for kind, _ in events(shop.books) if kind.startswith("sales_invoice.")][-2:] == [
        "sales_invoice.unpaid",
        "sales_invoice.credit_loss",
    ]
    relate(shop, document_id, invoice)
    shop.act(invoice, "unpaid")
    assert balances(shop) == ("201.00", "50.00")
    shop.act(invoice, "credit_loss")
    assert (stands(shop, invoice), balances(shop)) == ([("CREDIT_LOSS", None)], ("0.00", "50.00"))
    assert shop.books.balance("8600") == "160.16"


def test_what_is_related_to_a_payment_alone_opens_and_settles_too(shop: Shop) -> None:
    """What was given back of a payment goes where the payment went, whichever of the two came last."""
    invoice, other = shop.accepted(), shop.accepted()
    paid = pay(shop, "2026-04-05", "300.00", invoice)
    assert stands(shop, invoice) == [("ACCEPTED", None)]
    given = bank(shop, "2026-04-08", "-49.00")
    shop.books.create(f"document/{given}/relation/", {"related_document": paid, "role": "SETTLEMENT"})
    assert stands(shop, invoice) == [("PAID", "2026-04-08")]
    more = {"blueprint": shop.books.sales("1910", [shop.books.row("1700", "-50.00")])}
    shop.books.change(f"document/{given}/", **more)
    assert stands(shop, invoice, other) == [("ACCEPTED", None)] * 2


def test_what_closed_a_claim_is_not_parted_from_it(shop: Shop) -> None:
    invoice, other = shop.accepted(), shop.accepted()
    shop.act(invoice, "paid")
    claim = shop.get(invoice)["document"]
    (relation,) = claim["relations"]
    before = (shop.get(invoice), shop.get(other), shop.documents())
    for document_id in (claim["id"], relation["related_document"]):
        path = f"document/{document_id}/relation/{relation['id']}/"
        moved = {"related_document": shop.get(other)["document"]["id"]}
        for method, body in (("DELETE", None), ("PATCH", moved)):
            reply = shop.books.send(method, path, body)
            assert (reply.status, "the actions of the invoice" in reply.body["detail"]) == (412, True)
    assert (shop.get(invoice), shop.get(other), shop.documents()) == before


@pytest.mark.parametrize("last", ["credit_loss", "paid"])
def test_what_was_lost_before_is_not_parted_nor_its_vat_given_back_again(shop: Shop, last: str) -> None:
    """The part of 100 is taken off after the loss of the rest, and what is open again then is lost or paid as well."""
    invoice = shop.accepted()
    document_id = bank(shop, "2026-04-01", "100.00")
    relation_id = relate(shop, document_id, invoice)
    shop.act(invoice, "credit_loss")
    assert shop.books.send("DELETE", f"document/{document_id}/relation/{relation_id}/").status == 204
    shop.act(invoice, last)
    vat = {"credit_loss": D(0), "paid": D("20.32")}[last]
    assert report(shop)["domestic_sales"]["25.50"]["vat"] == vat
    claim = shop.get(invoice)["document"]
    for relation in claim["relations"]:
        reply = shop.books.send("DELETE", f"document/{claim['id']}/relation/{relation['id']}/")
        assert (reply.status, "the actions of the invoice" in reply.body["detail"]) == (412, True)
    shop.act(invoice, "unpaid")
    shop.act(invoice, "credit_loss")
    assert (stands(shop, invoice), report(shop)["domestic_sales"]["25.50"]["vat"]) == ([("CREDIT_LOSS", None)], D(0))
    # both losses are taken back, and the sale stands as it was
    shop.act(invoice, "unpaid")
    shop.act(invoice, "unpaid")
    assert (stands(shop, invoice), balances(shop)) == ([("ACCEPTED", None)], ("151.00", "100.00"))
    assert report(shop)["domestic_sales"]["25.50"]["vat"] == D(51)
