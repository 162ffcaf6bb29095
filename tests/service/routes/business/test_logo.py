"""The logo of a business, and that invoices keep theirs, on both databases (docs/interface.md 3.7)."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import pytest

from acctcli.printing.logos import made_fit
from tests.pictures import inks, picture
from tests.service.actor import Reply, World
from tests.service.routes.books import Books
from tests.service.routes.shop import Shop

RED, BLUE = picture(), picture(ink=(20, 40, 200, 255))
BELOW = "logo/"


@pytest.fixture
def shop(books: Books) -> Shop:
    return Shop(books)


def put(books: Books, content: bytes) -> Reply:
    return books.send("PUT", BELOW, {"file": b64encode(content).decode()})


def fetched(shared: World, address: str) -> bytes:
    reply = shared.client.get(address)
    assert reply.status_code == 200
    return reply.content


def paper(shared: World, invoice: Any) -> bytes:
    """Return an invoice on paper, drawn anew."""
    address = invoice["pdf"]["file"]
    shared.contents.remove([address.split("/content/")[1].split("/")[0]])
    return fetched(shared, address)


def files(books: Books) -> list[str]:
    return [one["name"] for one in books.get("files/").body["results"]]


def test_it_is_kept_fit_for_paper_and_shown_where_the_business_is(books: Books, shared: World) -> None:
    assert books.get("").body["logo"] is None
    shown = put(books, RED).body
    assert books.get("").body == shown
    assert books.actor.get("/v1/business/")["results"][-1]["logo"] == shown["logo"]
    assert fetched(shared, shown["logo"]) == made_fit(RED)
    (file,) = books.get("files/", is_used="true").body["results"]
    assert (file["name"], file["type"], file["file"]) == ("logo.png", "image/png", shown["logo"])
    assert books.send("DELETE", f"files/{file['id']}/").status == 412


def test_the_same_logo_changes_nothing_and_another_takes_its_place(books: Books, shared: World) -> None:
    first = put(books, RED).body
    before = set(shared.contents.names())
    assert put(books, RED).body == first
    assert set(shared.contents.names()) == before
    second = put(books, BLUE).body
    assert fetched(shared, second["logo"]) == made_fit(BLUE)
    assert shared.client.get(first["logo"]).status_code == 404
    assert files(books) == ["logo.png"]
    assert [books.send("DELETE", BELOW).status for _ in range(2)] == [204, 204]
    assert (books.get("").body["logo"], files(books)) == (None, [])
    told = [one["type"] for one in books.get("audit/", page_size="20").body["results"]]
    assert told[:9] == [
        "business.unchanged", "file.deleted", "business.updated",
        "file.deleted", "business.updated", "file.created",
        "business.unchanged", "business.updated", "file.created",
    ]  # fmt: skip


def test_what_is_no_logo_leaves_nothing(books: Books, shared: World) -> None:
    before = set(shared.contents.names())
    for content, why in ((b"GIF89a", "neither"), (RED[:-60], "not whole"), (RED + bytes(2**20), "1 MiB")):
        refused = put(books, content)
        assert refused.status == 400
        assert why in refused.body["file"][0]
    assert books.send("PUT", BELOW, {}).faults == ["file"]
    assert set(shared.contents.names()) == before
    assert books.get("").body["logo"] is None


def test_only_an_administrator_sets_one(books: Books, shared: World) -> None:
    editor = shared.user()
    shared.permit(editor, books.get("").body["id"], "files_editor", "invoicing_admin")
    theirs = Books(editor, books.path.split("/")[3])
    assert put(theirs, RED).status == theirs.send("DELETE", BELOW).status == 403


def test_an_invoice_keeps_the_logo_that_it_was_accepted_with(shop: Shop, shared: World) -> None:
    plain = shop.accepted()
    put(shop.books, RED)
    red = shop.accepted()
    papers = [paper(shared, one) for one in (plain, red)]
    assert [inks(one) for one in papers] == [[], [(200, 60, 30)]]
    put(shop.books, BLUE)
    blue = shop.accepted()
    shop.books.send("DELETE", BELOW)
    bare = shop.accepted()
    assert [paper(shared, one) for one in (plain, red)] == papers
    assert [inks(paper(shared, one)) for one in (blue, bare)] == [[(20, 40, 200)], []]
    kept = [shop.books.invoicing.get(f"invoice/{one['id']}/kept/").body for one in (plain, red, blue, bare)]
    logos = [one["business"]["logo"] and fetched(shared, one["business"]["logo"]) for one in kept]
    assert logos == [None, made_fit(RED), made_fit(BLUE), None]
    assert {one["today"]["business"]["logo"] for one in kept} == {None}
    assert sorted(files(shop.books)).count("logo.png") == 2


def test_a_logo_that_is_gone_or_another_prints_nothing(shop: Shop, shared: World) -> None:
    address = put(shop.books, RED).body["logo"]
    invoice = shop.accepted()
    shared.contents.keep(address.split("/content/")[1].split("/")[0], [made_fit(BLUE)])
    reply = shared.client.get(invoice["pdf"]["file"])
    assert reply.status_code == 500
    assert "The logo of this invoice is missing, or not what was uploaded" in reply.json()["detail"]
