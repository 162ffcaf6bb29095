"""What an accepted invoice says stays what it was, in every form, on both databases (docs/interface.md 7.4, 7.7)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest

from acctcli.einvoice.finvoice import finvoice
from tests.service.actor import Actor, World
from tests.service.routes.books import Books, open_books
from tests.service.routes.invoicing.test_steps_delivery import BIRCH, ELECTRONIC, MAIL, OPERATOR, Sender, read

EARLY, LATE = "FI4950009420028730", "FI2112345600000785"


def kept(one: Sender) -> Any:
    """Return what an invoice says."""
    return one.books.invoicing.get(f"{one.path}kept/").body


def named(one: Sender) -> tuple[str, str | None]:
    said = kept(one)
    return said["invoice"]["receiver_info"]["name"], said["business"]["invoicing_iban"]


@pytest.fixture
def sender(shared: World, bookkeeper: Actor, books: Books) -> Callable[..., Sender]:
    return lambda **receiver: Sender(shared, bookkeeper, books, receiver)


@pytest.mark.everywhere
def test_what_becomes_of_contact_and_business_changes_no_invoice(sender: Callable[..., Sender]) -> None:
    one = sender()
    one.books.change("", invoicing_iban=EARLY)
    before = kept(one.accept())
    one.books.change(
        f"contacts/{one.contact_id}/", name="Oak Oy", invoicing_street="Elsewhere 2", phone_number="+358 9 2"
    )
    one.books.change("", name="Renamed Oy", invoicing_iban=LATE, contact_phone="+358 9 1")
    after = kept(one)
    assert (after["today"]["receiver_info"]["name"], after["today"]["business"]["invoicing_iban"]) == ("Oak Oy", LATE)
    assert after | {"today": before["today"]} == before


def test_a_draft_says_nothing_yet(sender: Callable[..., Sender]) -> None:
    one = sender()
    assert one.books.invoicing.get(f"{one.path}kept/").error == (412, "precondition_failed")


def test_what_was_filled_in_for_an_einvoice_stays_as_it_was_sent(
    shared: World, bookkeeper: Actor, books: Books
) -> None:
    """An account that was missing when it was accepted is that of the day it was sent, in later ones as well."""
    one = Sender(shared, bookkeeper, books, OPERATOR)
    books.change("", invoicing_iban=None)
    pdf = one.accept().pdf
    books.change("", invoicing_iban=EARLY)
    assert named(one) == ("Birch Oy", None)
    assert one.send({"delivery_method": "EINVOICE"}).status == 200
    sent = one.only
    books.change("", invoicing_iban=LATE)
    books.change(f"contacts/{one.contact_id}/", name="Oak Oy", invoicing_einvoice_address="003700000000")
    said = kept(one)
    assert named(one) == ("Birch Oy", EARLY)
    assert finvoice(said["invoice"], said["business"], said["original"]) == sent
    assert one.send({"delivery_method": "EINVOICE"}).status == 200
    assert [EARLY.encode() in content for content in _all(one)] == [True, True]
    assert sorted(b"003700000000" in content for content in _all(one)) == [False, True]
    shared.contents.remove([one.invoice["pdf"]["file"].split("/content/")[1].split("/")[0]])
    assert one.pdf == pdf


def _all(one: Sender) -> list[bytes]:
    return [path.read_bytes() for path in one.folder.iterdir() if path.suffix == ".xml"]


@pytest.mark.everywhere
def test_an_xrechnung_that_lacked_something_says_what_was_mailed(shared: World, bookkeeper: Actor) -> None:
    books = open_books(bookkeeper)
    one = Sender(shared, bookkeeper, books, {**ELECTRONIC, "invoicing_city": BIRCH["invoicing_city"]})
    books.change("", contact_phone=None)
    one.accept()
    assert one.invoice["xrechnung_ubl_xml"] is None
    books.change("", contact_phone="+358 40 1234567")
    assert one.send(MAIL | {"delivery_method": "EMAIL_XRECHNUNG"}).status == 200
    books.change("", contact_phone="+358 40 7654321")
    said = kept(one)
    assert said["business"]["contact_phone"] == "+358 40 1234567"
    _, einvoice = read(one.only).iter_attachments()
    assert "+358 40 1234567" in "".join(ElementTree.fromstring(einvoice.get_content()).itertext())
