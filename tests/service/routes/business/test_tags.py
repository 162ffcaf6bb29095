"""Tags over HTTP, on both databases (docs/interface.md 6.1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from acctcli.models.tag import Tag
from tests.service.routes.books import Books


def names(books: Books, **query: str) -> list[str | None]:
    reply = books.get("tags/", **query)
    assert (reply.status, reply.body["count"]) == (200, len(reply.body["results"])), reply
    return [tag["name"] for tag in reply.body["results"]]


def test_a_tag_has_every_field(books: Books) -> None:
    sent = {"name": "Züri", "description": "The branch", "color": "#ff0000"}
    created = books.create("tags/", sent)
    assert created == {name: created[name] for name in ("id", "created_at", "updated_at")} | sent
    assert list(created) == list(Tag.__annotations__)
    assert books.get(f"tags/{created['id']}/").body == created
    assert books.get("tags/").body["results"] == [created]


@pytest.mark.everywhere
def test_nothing_is_required_and_tags_without_a_name_are_many(books: Books) -> None:
    first, second = books.create("tags/", {}), books.create("tags/", {"name": None})
    assert first | {"id": 0} == second | {"id": 0}
    assert (first["name"], first["description"], first["color"]) == (None, None, None)
    assert names(books) == [None, None]


@pytest.mark.together
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"name": "x" * 33}, "name"),
        ({"description": "x" * 257}, "description"),
        ({"color": "x" * 17}, "color"),
    ],
)
def test_a_wrong_tag_is_refused(books: Books, body: dict[str, Any], field: str) -> None:
    reply = books.send("POST", "tags/", body)
    assert (reply.status, reply.faults) == (400, [field])
    assert names(books) == []


@pytest.mark.everywhere
def test_a_name_is_taken_once(books: Books, other_books: Books) -> None:
    taken = books.create("tags/", {"name": "Oulu"})
    other = books.create("tags/", {"name": "Turku", "color": "blue"})
    refusal = {
        "code": "validation_error",
        "detail": "name: Another tag has this name.",
        "name": ["Another tag has this name."],
    }
    path = f"tags/{other['id']}/"
    tries = [("POST", "tags/"), ("PATCH", path), ("PUT", path)]
    for method, address in tries:
        reply = books.send(method, address, {"name": "Oulu", "color": "red"})
        assert (reply.status, reply.body) == (400, refusal), method
    assert books.get("tags/").body["results"] == [taken, other]
    assert books.change(f"tags/{taken['id']}/", name="Oulu")["name"] == "Oulu"
    assert other_books.create("tags/", {"name": "Oulu"})["name"] == "Oulu"


@pytest.mark.everywhere
def test_patch_keeps_and_put_empties_what_is_not_sent(books: Books) -> None:
    created = books.create("tags/", {"name": "Oulu", "description": "North", "color": "blue"})
    path = f"tags/{created['id']}/"
    changed = books.change(path, description="Up north", id=7)
    assert changed == created | {"description": "Up north"}
    assert books.change(path) == changed
    replaced = books.send("PUT", path, {"color": "red"}).body
    assert replaced == changed | {"name": None, "description": None, "color": "red"}
    assert books.get(path).body == replaced
    assert names(books, search="oulu") == []


@pytest.mark.everywhere
def test_search_looks_into_names_in_any_case(books: Books) -> None:
    for name in ("Ääni", "ääni 2", "100 %", "Straße"):
        books.create("tags/", {"name": name, "description": "xyz"})
    books.create("tags/", {})
    assert names(books, search="ÄÄNI") == ["Ääni", "ääni 2"]
    assert names(books, search="%") == ["100 %"]
    assert names(books, search="STRASSE") == ["Straße"]
    assert names(books, search="xyz") == []
    assert len(names(books)) == 5


def test_a_deleted_tag_comes_off_its_documents(books: Books) -> None:
    gone, kept = (books.create("tags/", {"name": name})["id"] for name in ("gone", "kept"))
    document = books.document("2026-04-02", "5.00", tag_ids=[gone, kept])
    books.act(f"document/{document['id']}/action/lock/")
    reply = books.send("DELETE", f"tags/{gone}/")
    assert (reply.status, reply.raw) == (204, b"")
    assert books.get(f"tags/{gone}/").status == 404
    shown = books.get(f"document/{document['id']}/").body
    assert (shown["tag_ids"], str(shown["balance"])) == ([kept], "5.00")


def test_a_business_says_whether_it_has_tags(books: Books) -> None:
    assert books.get("").body["has_tags"] is False
    tag = books.create("tags/", {"name": "x"})
    assert books.get("").body["has_tags"] is True
    books.send("DELETE", f"tags/{tag['id']}/")
    assert books.get("").body["has_tags"] is False


def test_tags_of_another_business_do_not_exist_here(books: Books, other_books: Books) -> None:
    foreign = other_books.create("tags/", {"name": "x"})
    path = f"tags/{foreign['id']}/"
    for method, body in [("GET", None), ("PATCH", {"name": "y"}), ("PUT", {"name": "y"}), ("DELETE", None)]:
        reply = books.send(method, path, body)
        assert (reply.status, reply.body["code"]) == (404, "not_found"), method
    assert other_books.get(path).body == foreign
    assert (names(books), books.get("").body["has_tags"]) == ([], False)


def test_every_change_leaves_one_event(books: Books, events: Callable[[Books], list[tuple[str, Any]]]) -> None:
    created = books.create("tags/", {"name": "x"})
    path = f"tags/{created['id']}/"
    changed = books.change(path, name="y")
    books.send("POST", "tags/", {"name": "y"})
    books.send("DELETE", path)
    assert [event for event in events(books) if event[0].startswith("tag.")] == [
        ("tag.created", created),
        ("tag.updated", changed),
        ("tag.deleted", {"id": created["id"]}),
    ]
