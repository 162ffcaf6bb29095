"""Files attached to documents over HTTP, on SQLite and on PostgreSQL, and those that are suggested."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from acctcli.models.file import AttachmentListItem
from tests.service.actor import Actor, World
from tests.service.routes.books import Books
from tests.service.routes.conftest import NOW

Lock = Callable[[str, str, str], str]
LATER = "2026-04-02T11:00:00.000000Z"
ACTIONS = ("attach_files", "detach_files", "set_files")


@pytest.fixture
def files(books: Books) -> list[int]:
    return [books.file(name) for name in ("a.txt", "b.txt", "c.txt")]


@pytest.fixture
def document(shared: World, books: Books, files: list[int]) -> Any:
    """A document with the second file, an hour old."""
    made = books.document("2026-03-31", "5.00", attachment_ids=[files[1]])
    shared.clock.now = NOW + timedelta(hours=1)
    return made


@pytest.mark.parametrize(
    ("action", "given", "left"),
    [
        ("attach_files", [0], [1, 0]),
        ("attach_files", [2, 1, 0, 2], [1, 2, 0]),
        ("detach_files", [1], []),
        ("detach_files", [0, 1, 1], []),
        ("set_files", [2, 1, 2], [2, 1]),
        ("set_files", [0], [0]),
        ("set_files", [], []),
    ],
)
def test_files_come_and_go(
    books: Books,
    document: Any,
    files: list[int],
    events: Callable[[Books], list[tuple[str, Any]]],
    action: str,
    given: list[int],
    left: list[int],
) -> None:
    path = f"document/{document['id']}/"
    before = events(books)
    changed = books.act(f"{path}action/{action}/", {"attachment_ids": [files[n] for n in given]})
    assert changed == document | {"updated_at": LATER, "attachment_ids": [files[n] for n in left]}
    assert books.get(path).body == changed
    assert events(books)[len(before) :] == [("document.updated", changed)]


@pytest.mark.parametrize(
    ("action", "given"),
    [("attach_files", [1]), ("attach_files", []), ("detach_files", [0, 2]), ("detach_files", []), ("set_files", [1])],
)
def test_what_changes_nothing_says_nothing(
    books: Books,
    document: Any,
    files: list[int],
    events: Callable[[Books], list[tuple[str, Any]]],
    action: str,
    given: list[int],
) -> None:
    before = events(books)
    reply = books.act(f"document/{document['id']}/action/{action}/", {"attachment_ids": [files[n] for n in given]})
    assert reply == document
    assert events(books) == before


@pytest.mark.parametrize("action", ACTIONS)
def test_files_of_nobody_and_of_others_are_refused(
    books: Books, other_books: Books, document: Any, files: list[int], action: str
) -> None:
    path = f"document/{document['id']}/"
    for wrong in (other_books.file("theirs.txt"), 99_999_999):
        reply = books.send("POST", f"{path}action/{action}/", {"attachment_ids": [*files, wrong]})
        assert (reply.status, reply.body["attachment_ids"]) == (400, [f"Unknown attachment id {wrong}."])
    nothing: list[dict[str, Any]] = [{}, {"attachment_ids": None}]
    for body in ({"attachment_ids": ["x"]}, *(nothing if action != "set_files" else ())):
        reply = books.send("POST", f"{path}action/{action}/", body)
        assert (reply.status, reply.faults) == (400, ["attachment_ids"]), body
    assert books.get(path).body == document


def test_setting_files_without_a_word_of_files_changes_nothing(
    books: Books, document: Any, events: Callable[[Books], list[tuple[str, Any]]]
) -> None:
    before = events(books)
    for body in ({}, {"attachment_ids": None}, {"description": "other"}):
        assert books.act(f"document/{document['id']}/action/set_files/", body) == document
    assert events(books) == before


@pytest.mark.parametrize("action", ACTIONS)
def test_locked_documents_keep_their_files(books: Books, document: Any, files: list[int], action: str) -> None:
    path = f"document/{document['id']}/"
    locked = books.act(f"{path}action/lock/")
    reply = books.send("POST", f"{path}action/{action}/", {"attachment_ids": files[:2]})
    assert (reply.status, reply.body) == (423, {"code": "locked", "detail": "Document 260331-1 is locked."})
    assert books.get(path).body == locked


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("table", ["period", "vat_period"])
def test_documents_of_a_locked_period_keep_their_files(
    books: Books, document: Any, files: list[int], lock_days: Lock, action: str, table: str
) -> None:
    closed = lock_days(table, "2026-03-01", "2026-03-31")
    path = f"document/{document['id']}/"
    reply = books.send("POST", f"{path}action/{action}/", {"attachment_ids": files[:2]})
    assert (reply.status, reply.body["detail"]) == (423, closed)
    assert books.get(path).body == document


def test_a_file_of_a_document_cannot_be_deleted_until_it_is_detached(books: Books, files: list[int]) -> None:
    document = books.create("document/", {"attachment_ids": files[:1]})
    assert books.send("DELETE", f"files/{files[0]}/").status == 412
    books.act(f"document/{document['id']}/action/detach_files/", {"attachment_ids": files[:1]})
    assert books.send("DELETE", f"files/{files[0]}/").status == 204


def test_the_key_for_attachments_sees_documents_brings_files_and_attaches_them(
    shared: World, bookkeeper: Actor, books: Books, document: Any, files: list[int]
) -> None:
    clerk = shared.user()
    shared.permit(clerk, books.business_id, "bookkeeping_attachment")
    path = f"{books.path}document/{document['id']}/"
    brought = clerk.send("POST", f"{books.path}file_upload/", {"name": "b", "file": "QUJD"}).body["id"]
    body = {"attachment_ids": [*files, brought]}
    statuses = [clerk.send("POST", f"{path}action/{action}/", body).status for action in ACTIONS]
    assert statuses == [200, 200, 403]
    assert clerk.send("PATCH", path, body).status == 403
    assert clerk.send("GET", path).body == bookkeeper.get(path)
    assert clerk.get(f"{books.path}document/")["count"] == 1
    for closed in ("entry/", "relation/", "comments/"):
        assert clerk.send("GET", f"{path}{closed}").status == 403
    assert bookkeeper.get(path)["attachment_ids"] == []


# --- suggestions ---


@pytest.mark.everywhere
@pytest.mark.parametrize(
    ("name", "is_suggested"),
    [
        ("260331-1.pdf", True),
        ("Receipt 125.50 EUR.pdf", True),
        ("kuitti 125,50.pdf", True),
        ("fee 122,60 paid out.pdf", True),
        ("BÄRLIND AB maaliskuu.pdf", True),
        ("bärlind.pdf", False),
        ("125-50.pdf", False),
        ("receipt.pdf", False),
    ],
)
def test_unused_files_are_suggested_by_their_names(books: Books, name: str, is_suggested: bool) -> None:
    sale = books.sales("1910", [books.row("3000", "125.50", 1, "25.5")], [books.row("8500", "2.90")])
    fields = {"date": "2026-03-31", "contact_id": books.contact("Bärlind AB"), "blueprint": sale}
    path = f"document/{books.create('document/', fields)['id']}/"
    books.file(name)
    reply = books.get(f"{path}suggest_attachments/")
    listed = books.get("files/").body["results"]
    assert (reply.status, reply.body) == (200, listed if is_suggested else [])
    for item in reply.body:
        assert list(item) == list(AttachmentListItem.__annotations__)


@pytest.mark.everywhere
def test_used_files_are_not_suggested_and_the_newest_stand_first(books: Books) -> None:
    files = [books.file(f"{n}: 5.00.txt") for n in range(23)]
    document = books.document("2026-03-31", "5.00", attachment_ids=[files[20]])
    found = [item["id"] for item in books.get(f"document/{document['id']}/suggest_attachments/").body]
    assert found == [file for file in files[::-1] if file != files[20]][:20]


def test_a_document_that_says_nothing_finds_nothing(books: Books, files: list[int]) -> None:
    draft = books.create("document/", {"is_draft": True})
    assert books.get(f"document/{draft['id']}/suggest_attachments/").body == []


@pytest.mark.everywhere
def test_the_signs_of_a_pattern_are_letters_like_others(books: Books) -> None:
    draft = books.create("document/", {"is_draft": True, "contact_id": books.contact("100%_\\")})
    books.file("100 and more.txt")
    wanted = books.file("100%_\\.txt")
    found = books.get(f"document/{draft['id']}/suggest_attachments/").body
    assert [item["id"] for item in found] == [wanted]
