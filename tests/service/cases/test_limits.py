"""What a business may have and a request ask for, to the byte and to the item, on both databases."""

from __future__ import annotations

import base64
import tracemalloc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier
from typing import Any

import pytest

from acctcli.service.cases.work import Limits
from acctcli.service.store.attachments import stored_bytes
from acctcli.service.store.engine.database import Database
from tests.databases import opened
from tests.service.actor import Reply, World, world
from tests.service.routes.books import Books, open_books

KIB = 1024
MOST = 64 * KIB


@pytest.fixture
def limited(database: Database) -> Iterator[World]:
    with world(database, limits=Limits(stored_bytes=MOST, items=100)) as made:
        yield made


@pytest.fixture
def books(limited: World) -> Books:
    return open_books(limited.user(), slug="first")


def upload(books: Books, size: int, key: str | None = None) -> Reply:
    body = {"name": "a.txt", "file": base64.b64encode(b"x" * size).decode()}
    headers = {"Idempotency-Key": key} if key else {}
    return books.actor.send("POST", f"{books.path}file_upload/", body, headers=headers)


def used(database: Database, books: Books) -> int:
    with database.read() as conn:
        return stored_bytes(conn, books.business_id)


def contents(world: World) -> int:
    return sum(path.stat().st_size for path in world.contents.folder.rglob("*") if path.is_file())


def test_files_fill_their_room_to_the_byte_and_leave_it_when_they_go(limited: World, books: Books) -> None:
    first = upload(books, MOST - KIB)
    assert first.status == 200
    refused = upload(books, KIB + 1, "key")
    assert (refused.status, refused.body) == (
        413,
        {
            "code": "request_too_large",
            "detail": "The files of a business may have 0.06 MiB here; those of this one have 0.06 MiB, "
            "and this file 0.00 MiB. Delete files, or ask whoever runs the service for more.",
        },
    )
    assert (used(limited.database, books), contents(limited)) == (MOST - KIB, MOST - KIB)
    assert upload(books, KIB).status == 200
    assert upload(books, 1).status == 413
    # another business has room of its own
    assert upload(open_books(books.actor, slug="second"), MOST).status == 200
    assert books.send("DELETE", f"files/{first.body['id']}/").status == 204
    assert used(limited.database, books) == KIB
    assert upload(books, KIB + 1, "key").status == 200


@pytest.mark.everywhere
def test_files_that_come_at_once_do_not_pass_together(limited: World, books: Books, database_url: str) -> None:
    size, senders = MOST // 4, 12
    with opened(database_url) as database, world(database, limits=Limits(MOST)) as other:
        for _ in range(1000):
            other.entropy(1)  # names of its own
        twin = Books(replace(books.actor, client=other.client), "first")
        together = Barrier(senders)

        def send(number: int) -> int:
            together.wait()
            return upload(twin if number % 2 else books, size).status

        with ThreadPoolExecutor(senders) as pool:
            statuses = sorted(pool.map(send, range(senders)))
        assert (statuses, contents(limited) + contents(other)) == ([200] * 4 + [413] * 8, MOST)
    assert used(limited.database, books) == MOST


@pytest.mark.together
@pytest.mark.parametrize("part", [b"[]", b"1.1", b"{}"])
def test_a_body_of_very_many_parts_is_not_even_read(books: Books, part: bytes) -> None:
    body = b'{"name": [' + (part + b",") * 500_000 + part + b"]}"
    headers = {"Content-Type": "application/json"}
    tracemalloc.start()
    try:
        for path in ("document/", "file_upload/"):
            before = tracemalloc.get_traced_memory()[0]
            refused = books.actor.send("POST", books.path + path, content=body, headers=headers)
            assert refused.error == (413, "request_too_large")
            assert tracemalloc.get_traced_memory()[1] - before < 3 * len(body)
    finally:
        tracemalloc.stop()
    fewer = b'{"name": [' + (part + b",") * 40 + part + b"]}"
    assert books.actor.send("POST", f"{books.path}tags/", content=fewer, headers=headers).status == 400


def blueprint(rows: int) -> Any:
    line = {"account_id": 1, "amount": 1}
    return {"date": "2026-03-02", "blueprint": {"debet": [line] * rows, "credit": [line] * rows}}


@pytest.mark.everywhere
def test_lists_have_so_many_items_together(books: Books) -> None:
    refused = books.send("POST", "document/", blueprint(51))
    text = "The lists of a request may have 100 items together; these have 102."
    assert (refused.status, refused.body) == (
        413,
        {"blueprint": [text], "code": "request_too_large", "detail": text},
    )
    assert books.send("POST", "document/", blueprint(50)).status == 201
    nested: dict[str, Any] = {"name": "x", "tag": [[[]] * 51] * 2}
    assert books.send("POST", "tags/", nested).status == 413
