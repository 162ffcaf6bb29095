"""Comments on documents, and whether they were seen as they are: both stand in the trail and change no figure."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from acctcli.service.store import trail
from tests.service.actor import Actor, World
from tests.service.routes.books import Books, open_books

FIELDS = ("last_seen_at", "last_mention_at", "last_comment_at", "has_unseen_actions")


@pytest.fixture
def books(service: World) -> Books:
    """A business with two more members: an auditor who may only read, and a bookkeeper."""
    made = open_books(service.user("owner@example.com"), slug="alder")
    for name, key in (("auditor", "bookkeeping_read"), ("Keeper", "bookkeeping_editor")):
        service.permit(service.user(f"{name}@example.com", first_name=name), made.business_id, key)
    return made


def member(service: World, books: Books, email: str) -> Actor:
    """One of the members, with a token of their own."""
    with service.database.read() as conn:
        ((user_id,),) = conn.fetch(f"SELECT id FROM users WHERE email = '{email}'")[1]
    return Actor(books.actor.client, user_id, email, service.token(user_id))


def told(books: Books, document: int) -> dict[str, Any]:
    shown = books.actor.get(f"{books.path}document/{document}/")
    return {name: shown[f"audit_trail_{name}"] for name in FIELDS}


def act(actor: Actor, books: Books, document: int, action: str, body: object = None) -> Any:
    reply = actor.send("POST", f"{books.path}document/{document}/action/{action}/", body)
    assert reply.status == 200, reply
    return reply.body


def unseen(books: Books, query: str = "") -> list[int]:
    return [one["id"] for one in books.actor.get(f"{books.path}audit/unseen/{query}")["results"]]


@pytest.mark.everywhere
def test_a_document_is_seen_until_something_is_done_to_it(service: World, books: Books) -> None:
    auditor = member(service, books, "auditor@example.com")
    first, second = (books.document("2026-03-02", amount)["id"] for amount in ("1.00", "2.00"))
    assert told(books, first) == dict(zip(FIELDS, (None, None, None, True), strict=True))
    assert (unseen(books), unseen(books, "?seen_before=true")) == ([second, first], [])
    service.clock.move(timedelta(hours=1))
    shown = act(auditor, books, first, "mark_seen")
    assert shown["audit_trail_last_seen_at"] == told(books, first)["last_seen_at"] is not None
    assert told(books, first)["has_unseen_actions"] is False
    assert unseen(books) == [second]
    # whatever the clock says: what is done afterwards has not been seen
    service.clock.move(timedelta(hours=-3))
    books.actor.send("PATCH", f"{books.path}document/{first}/", {"description": "Rent"})
    assert told(books, first)["has_unseen_actions"] is True
    assert (unseen(books), unseen(books, "?seen_before=true")) == ([second, first], [first])
    assert unseen(books, "?date_to=2026-03-01") == []


@pytest.mark.parametrize("action", ["lock", "flag", "relate", "part", "delete and undo"])
def test_whatever_is_done_to_a_document_has_not_been_seen(service: World, books: Books, action: str) -> None:
    first, second = (books.document("2026-03-02", amount)["id"] for amount in ("1.00", "2.00"))
    path = f"{books.path}document/{first}/"
    pair = {"related_document": second, "role": "ACCRUAL"}
    if action == "part":
        relation = books.actor.send("POST", f"{path}relation/", pair).body["id"]
    for document in (first, second):
        act(books.actor, books, document, "mark_seen")
    assert unseen(books) == []
    if action == "relate":
        assert books.actor.send("POST", f"{path}relation/", pair).status == 201
    elif action == "part":
        assert books.actor.send("DELETE", f"{path}relation/{relation}/").status == 204
    elif action == "delete and undo":
        assert books.actor.send("PUT", path, {"is_draft": True}).status == 200
    else:
        act(books.actor, books, first, action)
    assert unseen(books) == ([second, first] if action in ("relate", "part") else [first])
    assert told(books, first)["last_seen_at"] is not None


@pytest.mark.everywhere
def test_a_comment_of_another_has_not_been_seen(service: World, books: Books) -> None:
    auditor, keeper = (member(service, books, f"{name}@example.com") for name in ("auditor", "Keeper"))
    document = books.document("2026-03-02", "1.00")["id"]
    act(auditor, books, document, "mark_seen")
    shown = act(auditor, books, document, "comment", {"text": " Where is the receipt, @keeper@example.com? "})
    assert (shown["audit_trail_has_unseen_actions"], shown["audit_trail_last_mention_at"]) == (
        False,
        shown["audit_trail_last_comment_at"],
    )
    act(keeper, books, document, "comment", {"text": "At home. Write to home@example.com"})
    assert told(books, document)["has_unseen_actions"] is True
    comments = auditor.get(f"{books.path}document/{document}/comments/")["results"]
    assert [(one["author"], one["text"], one["mentions"]) for one in comments] == [
        ("Keeper <Keeper@example.com>", "At home. Write to home@example.com", []),
        ("auditor <auditor@example.com>", "Where is the receipt, @keeper@example.com?", ["Keeper@example.com"]),
    ]
    listed = books.actor.get(f"{books.path}document/?tagged={keeper.id}")
    assert [one["id"] for one in listed["results"]] == [document]
    assert books.actor.get(f"{books.path}document/?tagged={auditor.id}")["count"] == 0
    for text in ("", "1", "nothing"):
        found = books.actor.get(f"{books.path}document/?tagged={keeper.id}&search={text}&is_draft=false")
        assert found["count"] == (text != "nothing"), text


@pytest.mark.together
@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("see @stranger@example.com, and @keeper@example.com", "text: Nobody of this business has the address "),
        (" ", "text"),
        ("x" * 2001, "text"),
    ],
)
def test_a_comment_that_mentions_a_stranger_or_says_nothing_is_refused(books: Books, text: str, fault: str) -> None:
    document = books.document("2026-03-02", "1.00")["id"]
    path = f"{books.path}document/{document}/action/comment/"
    reply = books.actor.send("POST", path, {"text": text})
    assert (reply.status, reply.faults) == (400, ["text"])
    assert fault in reply.body["detail"]
    assert "stranger@example.com." in reply.body["detail"] or "stranger" not in text
    assert books.actor.get(f"{books.path}document/{document}/comments/")["count"] == 0


@pytest.mark.everywhere
def test_neither_a_lock_nor_a_closed_day_is_in_the_way(service: World, books: Books) -> None:
    document = books.document("2026-03-02", "1.00")["id"]
    act(books.actor, books, document, "lock")
    (period,) = books.actor.get(f"{books.path}period/")["results"]
    act_on = f"{books.path}period/{period['id']}/action/lock/"
    assert books.actor.send("POST", act_on).status == 200
    before = books.actor.get(f"{books.path}document/{document}/")
    act(books.actor, books, document, "comment", {"text": "closed"})
    act(books.actor, books, document, "mark_seen")
    after = books.actor.get(f"{books.path}document/{document}/")
    changed = {name for name in after if after[name] != before[name]}
    assert changed == {f"audit_trail_{name}" for name in FIELDS} - {"audit_trail_last_mention_at"}
    with service.database.read() as conn:
        rows = conn.fetch("SELECT type, operation FROM event ORDER BY id DESC LIMIT 2")[1]
        finding = trail.verify(conn, books.business_id, service.installation.trail_marker())
    assert rows == [
        ("document.seen", "POST mark_document_seen"),
        ("document.commented", "POST comment_document"),
    ]
    assert finding.faults == []
    (fingerprint,) = books.actor.get(f"{books.path}fingerprint/")["results"]
    assert books.actor.get(f"{books.path}fingerprint/{fingerprint['id']}/")["differing"] == []


def test_a_document_with_comments_goes_with_its_mentions(service: World, books: Books) -> None:
    document = books.document("2026-03-02", "1.00")["id"]
    act(books.actor, books, document, "comment", {"text": "@owner@example.com"})
    assert books.actor.send("DELETE", f"{books.path}document/{document}/").status == 204
    assert books.actor.get(f"{books.path}document/?tagged={books.actor.id}")["count"] == 0
    assert books.actor.send("POST", f"{books.path}document/{document}/action/mark_seen/").status == 404
