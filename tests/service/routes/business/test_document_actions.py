"""Locks and flags of documents over HTTP, on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.service.routes.books import Books


def test_a_locked_document_does_not_change(books: Books) -> None:
    document = books.document("2026-04-02", "5.00")
    path = f"document/{document['id']}/"
    locked = books.act(f"{path}action/lock/")
    assert locked == document | {"is_locked": True, "is_deletable": False}
    for method, body in (("PATCH", {"description": "x"}), ("PUT", {}), ("DELETE", None)):
        reply = books.send(method, path, body)
        assert (reply.status, reply.body) == (
            423,
            {"code": "locked", "detail": "Document 260402-1 is locked."},
        )
    assert books.get(path).body == locked
    assert books.act(f"{path}action/flag/")["is_flagged"] is True
    assert books.act(f"{path}action/unflag/")["is_flagged"] is False
    assert books.act(f"{path}action/unlock/") == document
    assert books.change(path, description="x")["description"] == "x"


@pytest.mark.parametrize("table", ["period", "vat_period"])
def test_nothing_is_written_into_a_locked_period(
    books: Books, lock_days: Callable[[str, str, str], str], table: str
) -> None:
    inside = books.document("2026-01-31", "5.00")
    outside = books.document("2026-02-01", "5.00")
    closed = lock_days(table, "2026-01-01", "2026-01-31")
    locked = {"code": "locked", "detail": closed}
    writes: list[tuple[str, str, Any]] = [
        ("POST", "document/", {"date": "2026-01-31"}),
        ("POST", "document/", {"date": "2026-01-31", "is_draft": True}),
        ("PATCH", f"document/{inside['id']}/", {"description": "x"}),
        ("PATCH", f"document/{inside['id']}/", {"date": "2026-02-01"}),
        ("PATCH", f"document/{outside['id']}/", {"date": "2026-01-31"}),
        ("DELETE", f"document/{inside['id']}/", None),
        ("POST", f"document/{inside['id']}/action/copy/", None),
    ]
    for method, path, body in writes:
        reply = books.send(method, path, body)
        assert (reply.status, reply.body) == (423, locked), (method, path, body)
    assert books.listed() == [outside["id"], inside["id"]]
    assert books.act(f"document/{inside['id']}/action/flag/")["is_flagged"] is True
    assert books.act(f"document/{inside['id']}/action/lock/")["is_locked"] is True
    assert books.change(f"document/{outside['id']}/", description="x")["description"] == "x"


def test_a_lock_taken_over_by_hand_outlives_that_of_the_vat_period(books: Books) -> None:
    period = books.get("vat_period/").body["results"][0]
    path, taken = f"vat_period/{period['id']}/action", books.document(period["start_date"], "1.00")
    released = books.document(period["start_date"], "2.00")
    books.act(f"{path}/lock/")
    books.act(f"document/{taken['id']}/action/unlock/")
    books.act(f"document/{taken['id']}/action/lock/")
    books.act(f"{path}/unlock/")
    assert books.get(f"document/{taken['id']}/").body["is_locked"] is True
    assert books.get(f"document/{released['id']}/").body["is_locked"] is False
