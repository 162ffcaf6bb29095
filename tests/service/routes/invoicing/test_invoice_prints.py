"""The prints of accepted invoices over HTTP, on both databases (docs/interface.md 7.7)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from httpx import Response

from tests.service.actor import Actor, World
from tests.service.routes.books import Books, open_books
from tests.service.routes.shop import Shop, row

SELLER = {
    "invoicing_iban": "DE89370400440532013000",
    "invoicing_bic": "COBADEFF",
    "invoicing_contact": "Erika Muster",
    "contact_phone": "+49 30 1",
    "invoicing_email": "rechnung@example.com",
    "invoicing_street": "Hauptstr. 1",
    "invoicing_city": "Berlin",
    "invoicing_postal_code": "10115",
    "invoicing_country": "DE",
    "business_street": "Hauptstr. 1",
    "business_city": "Berlin",
    "business_postal_code": "10115",
    "business_country": "DE",
}
BUYER = {
    "invoicing_street": "Am Markt 2",
    "invoicing_city": "Bremen",
    "invoicing_postal_code": "28195",
    "invoicing_country": "DE",
    "invoicing_email": "einkauf@example.com",
    "xrechnung_buyer_reference": "04011000-12345-03",
    "invoicing_tax_code": "DE136695976",
}
# the reference of one order stands on its invoice
NAMELESS = {"xrechnung_buyer_reference": None}


@pytest.fixture
def shop(books: Books) -> Shop:
    return Shop(books)


@pytest.fixture
def german(bookkeeper: Actor) -> Shop:
    """A German business that has all an XRechnung needs."""
    books = open_books(bookkeeper, form="DE_UG", **SELLER)
    books.create("identifiers/", {"type": "vat_code", "value": "DE136695976"})
    return Shop(books)


def fetch(shared: World, address: str) -> Response:
    """Fetch content as anybody who has its address."""
    return shared.client.get(address)


def test_a_draft_has_no_prints(shop: Shop) -> None:
    draft = shop.draft()
    assert (draft["pdf"], draft["xrechnung_ubl_xml"]) == (None, None)


def test_the_pdf_is_a_file_of_the_business(shop: Shop, shared: World) -> None:
    pdf = shop.accepted()["pdf"]
    assert shop.books.get(f"files/{pdf['id']}/").body == pdf
    assert [one["id"] for one in shop.books.get("files/", is_used="true").body["results"]] == [pdf["id"]]
    assert shop.books.send("DELETE", f"files/{pdf['id']}/").status == 412
    reply = fetch(shared, pdf["file"])
    assert (reply.status_code, reply.headers["content-type"]) == (200, "application/pdf")
    assert reply.content.startswith(b"%PDF-")
    assert int(reply.headers["content-length"]) == len(reply.content)
    assert 'filename="invoice-1.pdf"' in reply.headers["content-disposition"]


def test_whoever_asks_first_the_bytes_are_the_same(shop: Shop, shared: World) -> None:
    pdf = shop.accepted()["pdf"]
    with ThreadPoolExecutor(4) as pool:
        replies = list(pool.map(lambda _: fetch(shared, pdf["file"]), range(4)))
    assert {reply.status_code for reply in replies} == {200}
    assert len({reply.content for reply in replies}) == 1
    shared.contents.remove([pdf["file"].split("/content/")[1].split("/")[0]])
    assert fetch(shared, pdf["file"]).content == replies[0].content


@pytest.mark.everywhere
def test_what_happens_later_is_not_printed(shop: Shop, shared: World) -> None:
    """The paper shows customer and business as they were when the invoice was accepted."""
    early, late = shop.accepted(), shop.accepted()
    before = fetch(shared, early["pdf"]["file"]).content
    shop.books.change(f"contacts/{shop.customer}/", name="Oak Oy", invoicing_street="Elsewhere 2")
    shop.books.change("", name="Renamed Oy", invoicing_iban="FI2112345600000785")
    shop.act(late, "paid")
    shared.contents.remove([early["pdf"]["file"].split("/content/")[1].split("/")[0]])
    assert fetch(shared, early["pdf"]["file"]).content == before
    assert fetch(shared, late["pdf"]["file"]).content != fetch(shared, shop.accepted()["pdf"]["file"]).content


def test_an_address_of_a_print_is_signed(shop: Shop, shared: World) -> None:
    address = shop.accepted()["pdf"]["file"]
    assert fetch(shared, address[:-1] + ("0" if address[-1] != "0" else "1")).status_code == 404


def test_a_german_invoice_is_an_xrechnung(german: Shop, shared: World) -> None:
    accepted = german.accepted(row(rate="19.00"), receiver=german.new_customer("Käufer GmbH", **BUYER))
    reply = fetch(shared, accepted["xrechnung_ubl_xml"])
    assert (reply.status_code, reply.headers["content-type"]) == (200, "application/xml")
    assert b"04011000-12345-03" in reply.content
    assert b"238.00" in reply.content
    note = german.accepted(
        row(rate="19.00", count="-1"), receiver=accepted["receiver"], is_credit_note_for=accepted["id"]
    )
    assert b"CreditNote" in fetch(shared, note["xrechnung_ubl_xml"]).content


def test_a_german_invoice_is_one_without_the_customer_asking(german: Shop) -> None:
    receiver = german.new_customer("Käufer GmbH", **{**BUYER, "xrechnung_buyer_reference": None})
    accepted = german.accepted(row(rate="19.00"), receiver=receiver, buyer_reference="PO-1")
    assert accepted["xrechnung_ubl_xml"] is not None


@pytest.mark.parametrize(
    ("buyer", "seller"),
    [({"xrechnung_buyer_reference": None}, {}), ({}, {"contact_phone": None}), ({}, {"invoicing_iban": None})],
)
def test_what_lacks_something_is_no_xrechnung(german: Shop, buyer: dict[str, Any], seller: dict[str, Any]) -> None:
    german.books.change("", **seller)
    receiver = german.new_customer("Käufer GmbH", **{**BUYER, **buyer})
    accepted = german.accepted(row(rate="19.00"), receiver=receiver)
    assert (accepted["xrechnung_ubl_xml"], accepted["pdf"] is None) == (None, False)


def test_a_finnish_invoice_to_a_finnish_customer_is_none(shop: Shop) -> None:
    assert shop.accepted()["xrechnung_ubl_xml"] is None


@pytest.mark.everywhere
@pytest.mark.together
@pytest.mark.parametrize(
    ("buyer", "is_one"),
    [
        ({}, True),
        ({**NAMELESS, "invoicing_electronic_address": "einkauf@example.com"}, True),
        (NAMELESS, False),
    ],
)
def test_a_finnish_invoice_is_an_xrechnung_for_a_customer_who_asks_for_one(
    shop: Shop, buyer: dict[str, Any], is_one: bool
) -> None:
    shop.books.change("", **SELLER)
    shop.books.create("identifiers/", {"type": "vat_code", "value": "FI01120389"})
    receiver = shop.new_customer("Käufer GmbH", **{**BUYER, **buyer})
    accepted = shop.accepted(receiver=receiver, buyer_reference="PO-1")
    assert (accepted["xrechnung_ubl_xml"] is not None) == is_one


def language_of(shop: Shop, invoice: Any, shared: World) -> tuple[str | None, bool]:
    """Return what is kept of an invoice's language, and whether its paper is German."""
    paper = fetch(shared, shop.get(invoice)["pdf"]["file"]).content
    kept = shop.invoicing.get(f"invoice/{invoice['id']}/kept/").body["invoice"]
    return kept.get("language"), b"/Lang (de)" in paper


def test_an_invoice_is_in_the_language_that_is_asked_for_and_stays_in_it(shop: Shop, shared: World) -> None:
    sold, other = shop.draft(), shop.accepted()
    accept = f"invoice/{sold['id']}/actions/accept/"
    assert shop.invoicing.send("POST", accept, {"language": "et"}).status == 400
    sold = shop.invoicing.act(accept, {"language": "de"})
    assert [language_of(shop, one, shared) for one in (sold, other)] == [("de", True), (None, False)]
    # what is accepted stays as it is, and says so
    assert shop.invoicing.act(accept, {"language": "de"}) == shop.invoicing.act(accept) == sold
    refused = shop.invoicing.send("POST", accept, {"language": "fi"})
    assert refused.error == (412, "precondition_failed")
    assert refused.body["detail"] == "Invoice 2 is accepted, and stays in the language that it has: de."
    shop.books.change(f"contacts/{shop.customer}/", invoicing_language="sv")
    assert language_of(shop, sold, shared) == ("de", True)
    # what credits it is read by the same people
    note = shop.accepted(row(count="-1"), is_credit_note_for=sold["id"])
    assert language_of(shop, note, shared) == ("de", True)


def test_the_xrechnung_of_a_german_seller_is_in_the_language_that_was_asked_for(german: Shop, shared: World) -> None:
    receiver = german.new_customer("Käufer GmbH", **BUYER)
    english, usual = (german.draft(row(rate="19.00"), receiver=receiver) for _ in range(2))
    english = german.invoicing.act(f"invoice/{english['id']}/actions/accept/", {"language": "en"})
    usual = german.act(usual, "accept")
    written = [fetch(shared, one["xrechnung_ubl_xml"]).content for one in (english, usual)]
    assert [(b"14 days net" in one, b"14 Tage netto" in one) for one in written] == [(True, False), (False, True)]
