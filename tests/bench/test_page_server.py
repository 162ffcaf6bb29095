"""The pages a client is measured on must be right, or a wrong client looks fast."""

from __future__ import annotations

import http.client
import json
from decimal import Decimal
from typing import Any

import pytest

from acctcli.models.document import Document
from tests.bench.page_server import FIRST_ID, Pages, build_row
from tests.bench.servers import page_server
from tests.replies import check_reply


def read(pages: Pages, page: int, size: int) -> Any:
    body = pages.body(page, size)
    return None if body is None else json.loads(body)


def test_pages_hold_every_row_once_and_in_order() -> None:
    pages = Pages(rows=250, row_bytes=6000)
    replies = [read(pages, page, 100) for page in (1, 2, 3)]
    rows = [row for reply in replies for row in reply["results"]]
    assert [row["id"] for row in rows] == list(range(FIRST_ID + 249, FIRST_ID - 1, -1))
    assert [row["number"] for row in rows] == [f"260302-{row['id']}" for row in rows]
    assert [{key: reply[key] for key in reply if key != "results"} for reply in replies] == [
        {"count": 250, "next": 2, "prev": None, "size": 100},
        {"count": 250, "next": 3, "prev": 1, "size": 100},
        {"count": 250, "next": None, "prev": 2, "size": 100},
    ]
    assert read(pages, 4, 100) is None


def test_no_rows_are_an_empty_first_page() -> None:
    pages = Pages(rows=0, row_bytes=6000)
    assert read(pages, 1, 30) == {"count": 0, "next": None, "prev": None, "size": 30, "results": []}
    assert read(pages, 0, 30) is None


def test_a_row_is_a_document_of_the_size_asked_for() -> None:
    row = build_row(6000)
    assert len(row) == 6000
    check_reply(Document, json.loads(row, parse_float=Decimal))


def test_a_row_cannot_be_smaller_than_a_document() -> None:
    with pytest.raises(ValueError, match="at least"):
        build_row(100)


def test_serves_on_one_connection() -> None:
    with page_server(rows=3) as base_url:
        connection = http.client.HTTPConnection(base_url.removeprefix("http://"), timeout=10)
        replies = []
        for target in ("/any/path/?page_size=2&page=2", "/any/path/?page=9", "/any/path/"):
            connection.request("GET", target)
            reply = connection.getresponse()
            body = json.loads(reply.read())
            replies.append((reply.status, len(body.get("results", []))))
        connection.close()
    assert replies == [(200, 1), (404, 0), (200, 3)]
