"""Reports too large to hold: whole or an error, and nobody waits for who reads them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from acctcli.service.http import spool, task
from acctcli.service.rules.reports import journal
from tests.service.actor import World
from tests.service.routes.books import Books, open_books
from tests.service.routes.reports import span

pytestmark = pytest.mark.everywhere

COLUMNS = {"columns": [span("2026-01-01", "2026-12-31")]}


class Reader:
    """Somebody who asks for reports of a business and reads them at their own pace."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._actor = world.user()
        self.books: Books = open_books(self._actor)
        for number in range(1, 13):
            self.books.document(f"2026-{number:02}-01", f"{number}.00", description="Kahvi")

    def ask(self, report: str = "journal", key: str | None = None, **options: Any) -> httpx.Response:
        """Ask for a report and leave its body unread; the reply must be closed."""
        headers = {"Authorization": f"Token {self._actor.token}", **({"Idempotency-Key": key} if key else {})}
        client = self.world.client
        request = client.build_request(
            "POST", f"{self.books.path}report/{report}/", json={**COLUMNS, **options}, headers=headers
        )
        return client.send(request, stream=True)

    def read(self, report: str = "journal", key: str | None = None) -> tuple[httpx.Headers, bytes]:
        """Ask for a report and read it."""
        reply = self.ask(report, key)
        assert reply.status_code == 200
        return reply.headers, reply.read()


@pytest.fixture
def reader(service: World) -> Reader:
    return Reader(service)


@contextmanager
def small_limits(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make the reports here large ones."""
    with monkeypatch.context() as patch:
        patch.setattr(task, "MAX_STORED_REPORT", 1000)
        patch.setattr(spool, "CHUNK", 300)
        yield


@pytest.mark.parametrize("report", ["journal", "ledger"])
def test_a_large_report_is_the_same_bytes(reader: Reader, monkeypatch: pytest.MonkeyPatch, report: str) -> None:
    _, expected = reader.read(report)
    with small_limits(monkeypatch):
        headers, body = reader.read(report)
        assert body == expected
        assert (headers["Content-Type"], headers["Content-Length"]) == ("application/json", str(len(body)))
        chunks = list(reader.ask(report).iter_raw())
        assert len(chunks) > 3
        assert b"".join(chunks) == expected


def test_a_large_report_is_made_again_a_small_one_replayed(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    with small_limits(monkeypatch):
        first, again = (reader.read(key="large") for _ in range(2))
    assert "Idempotent-Replayed" not in again[0]
    assert first[1] == again[1]
    first, again = (reader.read(key="small") for _ in range(2))
    assert (first[1], again[0]["Idempotent-Replayed"]) == (again[1], "true")


def test_nobody_waits_for_a_reader(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    with small_limits(monkeypatch):
        slow = reader.ask(key="mine")
        chunks = slow.iter_raw()
        beginning = next(chunks)
        # the transaction is over: others write; and so is the claim: the same key is not in flight
        made = reader.books.document("2026-12-31", "1.00")
        headers, body = reader.read(key="mine")
        report = json.loads(beginning + b"".join(chunks))
    assert "Idempotent-Replayed" not in headers
    assert made["number"] in body.decode()
    assert [document["number"] for document in report["documents"]][-1] == "261201-1"
    assert len(report["documents"]) == 12


def test_a_reader_may_go_away(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    with small_limits(monkeypatch):
        for read_first in (False, True):
            reply = reader.ask()
            if read_first:
                next(reply.iter_raw())
            reply.close()  # a file left open would be a warning, and warnings are errors
        assert reader.read()[1].endswith(b"}")


def test_a_report_that_fails_on_the_way_is_an_error(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    made = iter(range(8))

    def fail(number: str) -> tuple[str, int]:
        return number, next(made)

    with small_limits(monkeypatch), monkeypatch.context() as broken:
        broken.setattr(journal, "serial_order", fail)
        reply = reader.ask(key="mine")
        assert reply.status_code == 500
        assert json.loads(reply.read())["code"] == "server_error"
    assert len(json.loads(reader.read(key="mine")[1])["documents"]) == 12
