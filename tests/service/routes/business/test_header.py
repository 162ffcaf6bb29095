"""Headers over HTTP, on both databases, and the accounts that stand under them (docs/interface.md 4.1, 4.2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from acctcli.models.header import Header
from tests.service.actor import Actor
from tests.service.routes.books import Books, open_books


def add(books: Books, name: str, parent: int | None = None, type_: str = "B") -> Any:
    body = {"name_translations": [{"key": "en", "value": name}], "type": type_}
    return books.create("header/", body if parent is None else {**body, "parent_id": parent})


def test_a_root_and_what_stands_under_it(books: Books) -> None:
    root = add(books, "Assets")
    assert root == {
        "id": root["id"],
        "name": "Assets",
        "name_translations": [{"key": "en", "value": "Assets"}],
        "type": "B",
        "parent_id": None,
        "parent_ids": [],
        "level": 0,
    }
    assert list(root) == list(Header.__annotations__)
    middle = add(books, "Current", root["id"])
    leaf = add(books, "Cash", middle["id"])
    assert (leaf["parent_id"], leaf["parent_ids"], leaf["level"]) == (middle["id"], [root["id"], middle["id"]], 2)
    assert books.get(f"header/{leaf['id']}/").body == leaf
    assert books.get("header/").body["results"] == [root, middle, leaf]


def test_the_name_is_that_of_the_readers_language(books: Books, bookkeeper: Actor) -> None:
    names = [{"key": "fi", "value": "Vastaavaa"}, {"key": "de", "value": "Aktiva"}, {"key": "en", "value": "Assets"}]
    german = open_books(bookkeeper, form="DE_UG")
    body = {"name_translations": names, "type": "B"}
    assert [one.create("header/", body)["name"] for one in (books, german)] == ["Assets", "Aktiva"]


@pytest.mark.together
@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"type": "X"}, "type"),
        ({"type": None}, "type"),
        ({"name_translations": []}, "name_translations"),
        ({"name_translations": [{"key": "französisch", "value": "x"}]}, "name_translations"),
        ({"parent_id": 0}, "parent_id"),
        ({"parent_id": 2**62}, "parent_id"),
    ],
)
def test_a_wrong_header_is_refused(books: Books, change: dict[str, Any], field: str) -> None:
    body = {"name_translations": [{"key": "en", "value": "x"}], "type": "B", **change}
    reply = books.send("POST", "header/", body)
    assert (reply.status, reply.faults) == (400, [field])
    assert books.get("header/").body["count"] == 0


def test_a_header_stands_under_one_of_its_type(books: Books, other_books: Books) -> None:
    for parent in (add(books, "Revenue", type_="I"), add(other_books, "Assets")):
        body = {"name_translations": [{"key": "en", "value": "x"}], "type": "B", "parent_id": parent["id"]}
        reply = books.send("POST", "header/", body)
        assert (reply.status, reply.faults) == (400, ["parent_id"])


def test_headers_stand_at_most_nine_levels_deep(books: Books) -> None:
    header = add(books, "0")
    for level in range(1, 10):
        header = add(books, str(level), header["id"])
    assert (header["level"], len(header["parent_ids"])) == (9, 9)
    body = {"name_translations": [{"key": "en", "value": "x"}], "type": "B", "parent_id": header["id"]}
    reply = books.send("POST", "header/", body)
    assert (reply.status, reply.faults) == (400, ["parent_id"])


@pytest.mark.everywhere
def test_search_looks_into_names(books: Books) -> None:
    for name in ("Käteisvarat", "Saamiset"):
        add(books, name)
    found = books.get("header/", search="KÄTEIS").body
    assert (found["count"], [one["name"] for one in found["results"]]) == (1, ["Käteisvarat"])
    roads = add(books, "Straßen")
    for text in ("STRASSEN", "straßen"):
        assert books.get("header/", search=text).body["results"] == [roads]


def test_headers_are_made_and_read_only(books: Books) -> None:
    header = add(books, "Assets")
    for method in ("PUT", "PATCH", "DELETE"):
        reply = books.send(method, f"header/{header['id']}/", {} if method != "DELETE" else None)
        assert (reply.status, reply.body["code"]) == (405, "method_not_allowed")


def test_headers_of_another_business_do_not_exist_here(books: Books, other_books: Books) -> None:
    reply = books.get(f"header/{add(other_books, 'x')['id']}/")
    assert (reply.status, reply.body["code"]) == (404, "not_found")
    assert books.get("header/").body["results"] == []


def test_a_new_header_is_an_event(books: Books, events: Callable[[Books], list[tuple[str, Any]]]) -> None:
    header = add(books, "Assets")
    assert [event for event in events(books) if event[0].startswith("header.")] == [("header.created", header)]


# --- accounts under headers ---


def test_accounts_show_the_way_to_their_header(books: Books) -> None:
    root = add(books, "Assets")
    leaf = add(books, "Cash", root["id"])
    path = f"account/{books.ids['1910']}/"
    changed = books.change(path, header_id=leaf["id"])
    assert (changed["header_id"], changed["header_path"]) == (leaf["id"], ["Assets", "Cash"])
    assert books.get(path).body == changed
    body = {"number": "1930", "name_translations": [{"key": "en", "value": "x"}], "header_id": root["id"]}
    assert books.create("account/", body)["header_path"] == ["Assets"]
    listed = books.get("account/", number_gte="1910", number_lte="1930").body["results"]
    assert [(one["number"], one["header_path"]) for one in listed] == [
        ("1910", ["Assets", "Cash"]),
        ("1920", []),
        ("1930", ["Assets"]),
    ]
    assert books.change(path, header_id=None)["header_path"] == []


def test_an_account_stands_under_a_header_of_its_business(books: Books, other_books: Books) -> None:
    before = books.account("1910")
    for number in (add(other_books, "x")["id"], 2**62):
        reply = books.send("PATCH", f"account/{books.ids['1910']}/", {"header_id": number})
        assert (reply.status, reply.body["header_id"]) == (400, [f"Unknown header id {number}."])
    assert books.account("1910") == before
