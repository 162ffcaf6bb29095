"""Contacts, tags and files of documents over HTTP, on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Form, Statement
from tests.service.routes.books import Books, Row

NOBODY = 99_999_999


def links(document: Any) -> tuple[Any, ...]:
    """Return what a document says of its contact, tags and files."""
    return tuple(document[name] for name in ("contact_id", "contact_name", "tag_ids", "attachment_ids"))


@pytest.fixture
def linked(books: Books) -> Any:
    """A document with a contact, two tags and two files; the later one of each was given first."""
    contact = books.contact("Birch Oy")
    tags = [books.tag("North"), books.tag("South")]
    files = [books.file("a.txt"), books.file("b.txt")]
    return books.document("2026-04-02", "5.00", contact_id=contact, tag_ids=tags[::-1], attachment_ids=files[::-1])


def test_contact_tags_and_files_are_shown_everywhere(books: Books, linked: Any) -> None:
    contact = books.get("contacts/").body["results"][0]
    tags = [tag["id"] for tag in books.get("tags/").body["results"]]
    newest_first = [file["id"] for file in books.get("files/").body["results"]]
    assert links(linked) == (contact["id"], "Birch Oy", sorted(tags), newest_first)
    assert books.get(f"document/{linked['id']}/").body == linked
    assert books.get("document/").body["results"] == [linked]


@pytest.mark.everywhere
def test_what_is_given_twice_counts_once(books: Books) -> None:
    tag, files = books.tag("North"), [books.file("a.txt"), books.file("b.txt")]
    document = books.create("document/", {"tag_ids": [tag, tag], "attachment_ids": [*files[::-1], files[1], files[0]]})
    assert (document["tag_ids"], document["attachment_ids"]) == ([tag], files[::-1])
    assert books.get(f"document/{document['id']}/").body == document


def test_patch_keeps_what_is_not_sent_and_replaces_whole_sets(books: Books, linked: Any) -> None:
    path = f"document/{linked['id']}/"
    assert books.change(path, description="x") == linked | {"description": "x"}
    one_tag, one_file = linked["tag_ids"][:1], linked["attachment_ids"][1:]
    changed = books.change(path, tag_ids=one_tag, attachment_ids=one_file)
    assert links(changed) == (linked["contact_id"], "Birch Oy", one_tag, one_file)
    assert books.get(path).body == changed
    turned = books.change(path, attachment_ids=linked["attachment_ids"][::-1])
    assert turned["attachment_ids"] == linked["attachment_ids"][::-1]
    assert books.get(path).body == turned
    assert links(books.change(path, contact_id=None, tag_ids=[], attachment_ids=[])) == (None, None, [], [])


def test_put_takes_off_what_is_not_sent(books: Books, linked: Any) -> None:
    path = f"document/{linked['id']}/"
    replaced = books.send("PUT", path, {"tag_ids": linked["tag_ids"]})
    assert replaced.status == 200
    assert links(replaced.body) == (None, None, linked["tag_ids"], [])
    assert books.get(path).body == replaced.body


def test_a_copy_has_the_contact_and_the_tags_but_not_the_files(books: Books, linked: Any) -> None:
    path = f"document/{linked['id']}/action/copy/"
    copy = books.act(path)
    assert links(copy) == (linked["contact_id"], "Birch Oy", linked["tag_ids"], [])
    assert books.get(f"document/{copy['id']}/").body == copy
    sent = {"contact_id": None, "tag_ids": [], "attachment_ids": linked["attachment_ids"]}
    assert links(books.act(path, sent)) == (None, None, [], linked["attachment_ids"])


def test_a_contact_that_is_renamed_is_shown_by_its_new_name(books: Books, linked: Any) -> None:
    books.change(f"contacts/{linked['contact_id']}/", name="Rowan Oy")
    assert books.get("document/").body["results"] == [linked | {"contact_name": "Rowan Oy"}]


def test_a_tag_that_is_deleted_leaves_the_document(books: Books, linked: Any) -> None:
    first, second = linked["tag_ids"]
    assert books.send("DELETE", f"tags/{first}/").status == 204
    assert books.get(f"document/{linked['id']}/").body == linked | {"tag_ids": [second]}


def test_a_business_goes_with_all_that_is_linked(books: Books, linked: Any) -> None:
    other = books.document("2026-04-02", "5.00")
    pair = {"related_document": other["id"], "role": "ACCRUAL", "type": "ACCRUAL_PAIR"}
    books.create(f"document/{linked['id']}/relation/", pair)
    assert books.send("DELETE", "").status == 204
    assert books.get("document/").status == 404


@pytest.mark.parametrize(
    ("field", "noun", "make"),
    [
        ("contact_id", "contact", lambda books: books.contact()),
        ("tag_ids", "tag", lambda books: books.tag("Theirs")),
        ("attachment_ids", "attachment", lambda books: books.file("theirs.txt")),
    ],
)
def test_ids_of_nobody_and_of_others_are_refused(
    books: Books, other_books: Books, linked: Any, field: str, noun: str, make: Callable[[Books], int]
) -> None:
    path = f"document/{linked['id']}/"
    writes = [("POST", "document/"), ("PUT", path), ("PATCH", path), ("POST", f"{path}action/copy/")]
    for wrong in (make(other_books), NOBODY):
        value = wrong if field == "contact_id" else [*linked[field], wrong]
        for method, address in writes:
            reply = books.send(method, address, {field: value})
            fault = {field: [f"Unknown {noun} id {wrong}."]}
            assert reply.status == 400
            assert reply.body == {"code": "validation_error", "detail": reply.body["detail"], **fault}
    assert books.get("document/").body["results"] == [linked]


def test_more_links_than_one_look_up_takes_are_all_looked_up(books: Books) -> None:
    files = [books.file("a.txt"), *range(9_000_000, 9_001_100)]
    reply = books.send("POST", "document/", {"attachment_ids": files})
    assert (reply.status, reply.body["attachment_ids"]) == (400, ["Unknown attachment id 9000000."])


# --- sales to other EU countries ---

VAT_ID = {"invoicing_tax_code": "SE556677889901"}


@pytest.mark.together
@pytest.mark.parametrize(
    ("contact", "missing", "private"),
    [
        (None, True, False),
        ({}, True, False),
        (VAT_ID, False, False),
        ({"contact_business_id": "556677-8899"}, False, False),
        ({"invoicing_tax_code": ""}, True, False),
        ({"invoicing_tax_code": " ", "contact_business_id": "\t"}, True, False),
        ({"invoicing_tax_code": " ", "contact_business_id": "556677-8899"}, False, False),
        ({"type": "BUSINESS"} | VAT_ID, False, False),
        ({"type": "PERSON"}, True, True),
        ({"type": "PERSON"} | VAT_ID, False, True),
    ],
)
@pytest.mark.parametrize("code", [5, 6])
def test_what_a_sale_to_the_eu_lacks(
    books: Books, code: int, contact: Row | None, missing: bool, private: bool
) -> None:
    contact_id = None if contact is None else books.contact("Björk AB", **contact)
    sale = books.sales("1700", [books.row("3380", "500.00", code)])
    document = books.create("document/", {"contact_id": contact_id, "blueprint": sale})
    path = f"document/{document['id']}/"
    flags = {"eu_b2b_vat_details_missing": missing, "eu_sale_to_private_person": private}
    assert document == document | flags
    assert books.get(path).body == document
    neither = dict.fromkeys(flags, False)
    draft = books.change(path, is_draft=True)
    assert draft == draft | neither, "a draft has no entries"
    domestic = books.change(path, is_draft=False, blueprint=books.simple("1.00"))
    assert domestic == domestic | neither


# --- statements ---


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is asked of the database."""
    asked: list[str] = []
    form = Statement.form

    def note(statement: Statement, conn: Connection) -> Form:
        asked.append(statement.text)
        return form(statement, conn)

    monkeypatch.setattr(Statement, "form", note)
    return asked


@pytest.mark.everywhere
def test_a_list_asks_as_much_for_many_documents_as_for_one(books: Books, linked: Any, statements: list[str]) -> None:
    books.get("document/")
    for_one = len(statements)
    for _ in range(9):
        fields = {name: linked[name] for name in ("contact_id", "tag_ids", "attachment_ids")}
        other = books.document("2026-04-02", "5.00", **fields)
        pair = {"related_document": other["id"], "role": "ACCRUAL", "type": "ACCRUAL_PAIR"}
        books.create(f"document/{linked['id']}/relation/", pair)
    statements.clear()
    assert books.get("document/").body["count"] == 10
    assert len(statements) == for_one


def test_a_document_without_links_asks_nothing_about_them(books: Books, statements: list[str]) -> None:
    books.document("2026-04-02", "5.00")
    linking = ("document_tag", "document_attachment", "contact.", "relation")
    assert [text for text in statements if any(table in text for table in linking)] == []


@pytest.mark.everywhere
def test_links_are_looked_up_at_once(books: Books, linked: Any, statements: list[str]) -> None:
    books.document("2026-04-02", "5.00")
    plain = len(statements)
    statements.clear()
    fields = {name: linked[name] for name in ("contact_id", "tag_ids", "attachment_ids")}
    books.document("2026-04-02", "5.00", **fields)
    assert len(statements) == plain + 3, "one to look up, one to write each kind"
