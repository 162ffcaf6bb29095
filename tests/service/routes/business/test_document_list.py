"""Lists of documents over HTTP, on SQLite and on PostgreSQL: order, pages, filters."""

from __future__ import annotations

import pytest

from tests.service.routes.books import Books, Row


@pytest.mark.everywhere
def test_documents_are_listed_newest_first(books: Books) -> None:
    books.keep_books(2025)
    days = ["2026-01-05", "2026-03-01", "2026-01-05", "2025-12-31"]
    ids = [books.document(day, "1.00")["id"] for day in days]
    assert books.listed() == [ids[1], ids[2], ids[0], ids[3]]
    page = books.get("document/", page="2", page_size="2").body
    assert {name: page[name] for name in ("count", "next", "prev", "size")} == {
        "count": 4,
        "next": None,
        "prev": 1,
        "size": 2,
    }
    assert [document["id"] for document in page["results"]] == [ids[0], ids[3]]
    assert page["results"][0] == books.get(f"document/{ids[0]}/").body
    assert books.get("document/", page="3", page_size="2").status == 404


@pytest.fixture
def ids(books: Books) -> dict[str, int]:
    """A contact, a tag and a file that some documents have, and one of each that none has."""
    return {
        "contact": books.contact("Ääkkönen & Co_"),
        "tag": books.tag("North"),
        "file": books.file("a.txt"),
        "other contact": books.contact("Nobody"),
        "other tag": books.tag("South"),
        "other file": books.file("b.txt"),
    }


@pytest.fixture
def shelf(books: Books, ids: dict[str, int]) -> dict[str, int]:
    """Documents that differ in what filters ask for."""
    sale = books.sales("1910", [books.row("3000", "125.50", 1, "25.5")])
    rent = books.purchase("1910", [books.row("7160", "10.00", 2, "13.5")])
    files, tags = [ids["file"]], [ids["tag"]]
    bodies: dict[str, Row] = {
        "sale": {"date": "2026-01-10", "description": "Ääni 50% off", "tag_ids": tags, "blueprint": sale},
        "rent": {"date": "2026-02-10", "contact_id": ids["contact"], "blueprint": rent},
        "draft": {
            "date": "2026-03-10",
            "is_draft": True,
            "description": "Süße Straße 5",
            "attachment_ids": files,
            "blueprint": books.simple("1.00"),
        },
        "flag": {
            "date": "2026-04-10",
            "is_flagged": True,
            "contact_id": ids["contact"],
            "tag_ids": tags,
            "blueprint": books.simple("1.00", "1900", "1910"),
        },
    }
    made = {name: books.create("document/", body)["id"] for name, body in bodies.items()}
    books.act(f"document/{made['flag']}/action/lock/")
    return made


@pytest.mark.everywhere
@pytest.mark.together
@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({}, "flag draft rent sale"),
        ({"search": "ÄÄNI"}, "sale"),
        ({"search": "0%"}, "sale"),
        ({"search": "260210-1"}, "rent"),
        ({"search": "_"}, "flag rent"),
        ({"search": "ÄÄKKÖNEN &"}, "flag rent"),
        ({"search": "ää"}, "flag rent sale"),
        ({"search": "SÜSSE STRASSE"}, "draft"),
        ({"search": "süße straße"}, "draft"),
        ({"search": "\\"}, ""),
        ({"number": "260410-1"}, "flag"),
        ({"number": "260410"}, ""),
        ({"date_from": "2026-02-10"}, "flag draft rent"),
        ({"date_to": "2026-02-10"}, "rent sale"),
        ({"date_from": "2026-02-10", "date_to": "2026-03-10"}, "draft rent"),
        ({"is_draft": "true"}, "draft"),
        ({"is_draft": "0"}, "flag rent sale"),
        ({"is_flagged": "1"}, "flag"),
        ({"is_locked": "true"}, "flag"),
        ({"income": "true"}, "sale"),
        ({"income": "false"}, "flag draft rent"),
        ({"expense": "true"}, "rent"),
        ({"expense": "false"}, "flag draft sale"),
        ({"account_type": "REV_SAL"}, "sale"),
        ({"account_type": ["EXP", "REV_SAL"]}, "rent sale"),
        ({"vat_code": "2"}, "rent"),
        ({"vat_rate": "13.5"}, "rent"),
        ({"vat_rate": "13.50"}, "rent"),
        ({"vat_rate": "100.00"}, ""),
        ({"vat_rate": "25.5", "vat_code": "1"}, "sale"),
        ({"tagged": "1"}, ""),
        ({"rule": "1"}, ""),
        ({"has_rule": "true"}, ""),
        ({"has_rule": "false"}, "flag draft rent sale"),
        ({"has_attachments": "true"}, "draft"),
        ({"has_attachments": "false"}, "flag rent sale"),
        ({"has_attachments": "0", "is_flagged": "1"}, "flag"),
        ({"search": "ää", "date_from": "2026-01-10", "date_to": "2026-02-10"}, "rent sale"),
        ({"search": "ää", "date_from": "2026-01-11", "date_to": "2026-04-09"}, "rent"),
        ({"number": "260210-1", "date_to": "2026-02-10"}, "rent"),
        ({"number": "260210-1", "date_to": "2026-02-09"}, ""),
        ({"unheard_of": "x"}, "flag draft rent sale"),
        ({"is_draft": ""}, "flag draft rent sale"),
    ],
)
def test_filters(books: Books, shelf: dict[str, int], query: dict[str, str | list[str]], names: str) -> None:
    assert books.listed(**query) == [shelf[name] for name in names.split()]


@pytest.mark.everywhere
def test_the_account_filter_takes_an_id(books: Books, shelf: dict[str, int]) -> None:
    assert books.listed(account=str(books.ids["1910"])) == [shelf["flag"], shelf["rent"], shelf["sale"]]
    assert books.listed(account=str(books.ids["1900"])) == [shelf["flag"]]


@pytest.mark.everywhere
@pytest.mark.together
@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({"contact": "contact"}, "flag rent"),
        ({"contact": "other contact"}, ""),
        ({"tags": "tag"}, "flag sale"),
        ({"tags": "other tag"}, ""),
        ({"file": "file"}, "draft"),
        ({"file": "other file"}, ""),
        ({"contact": "contact", "tags": "tag"}, "flag"),
        ({"contact": "contact", "file": "file"}, ""),
        ({"contact": "contact", "date_from": "2026-02-10", "date_to": "2026-02-10"}, "rent"),
        ({"contact": "contact", "date_from": "2026-02-11", "date_to": "2026-04-09"}, ""),
        ({"tags": "tag", "date_from": "2026-04-10"}, "flag"),
        ({"tags": "tag", "date_to": "2026-01-10"}, "sale"),
        ({"contact": "contact", "is_flagged": "false"}, "rent"),
        ({"tags": "tag", "is_locked": "true"}, "flag"),
        ({"file": "file", "is_draft": "false"}, ""),
        ({"contact": "contact", "number": "260210-1"}, "rent"),
        ({"contact": "contact", "number": "260110-1"}, ""),
        ({"contact": "contact", "search": "260410"}, "flag"),
        ({"tags": "tag", "search": "ää", "date_to": "2026-04-09"}, "sale"),
    ],
)
def test_filters_by_what_documents_are_linked_with(
    books: Books, shelf: dict[str, int], ids: dict[str, int], query: dict[str, str], names: str
) -> None:
    wanted = {name: str(ids.get(value, value)) for name, value in query.items()}
    assert books.listed(**wanted) == [shelf[name] for name in names.split()]


@pytest.mark.everywhere
def test_filters_know_nothing_of_another_business(
    books: Books, other_books: Books, shelf: dict[str, int], ids: dict[str, int]
) -> None:
    links = {"contact": "contact", "tags": "tag", "file": "file"}
    for name, kind in links.items():
        assert other_books.listed(**{name: str(ids[kind])}) == []
    assert other_books.listed(search="Ääkkönen") == []


@pytest.mark.together
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("is_draft", "maybe"),
        ("income", "2"),
        ("date_from", "2026-02-30"),
        ("date_to", "20260210"),
        ("account", "bank"),
        ("account_type", "BANK"),
        ("contact", "1.5"),
        ("tags", "x"),
        ("tagged", "x"),
        ("file", "x"),
        ("rule", "x"),
        ("has_rule", "x"),
        ("has_attachments", "x"),
        ("vat_code", "x"),
        ("vat_rate", "25,5"),
        ("vat_rate", "25.555"),
        ("vat_rate", ".5"),
        ("vat_rate", "-1"),
    ],
)
def test_a_filter_of_the_wrong_type_is_refused(books: Books, name: str, value: str) -> None:
    reply = books.get("document/", **{name: value})
    assert (reply.status, reply.faults) == (400, [name])


@pytest.mark.everywhere
@pytest.mark.together
@pytest.mark.parametrize("name", ["search", "number"])
@pytest.mark.parametrize("text", ["\x00", "a\x00b", "\N{GRINNING FACE}", "%", "'"])
def test_odd_texts_find_nothing_and_break_nothing(books: Books, name: str, text: str) -> None:
    reply = books.get("document/", **{name: text})
    assert (reply.status, reply.faults if reply.status == 400 else reply.body["count"]) in ((200, 0), (400, [name]))


def test_no_documents_are_proposed_for_imports(books: Books, shelf: dict[str, int]) -> None:
    page: Row = {"count": 0, "next": None, "prev": None, "size": 30, "results": []}
    queries: list[dict[str, str]] = [{}, {"document": str(shelf["draft"])}]
    for query in queries:
        assert books.get("accounting_suggestions/", **query).body == page
    reply = books.get("accounting_suggestions/", document="x")
    assert (reply.status, reply.faults) == (400, ["document"])
