"""Readers do not keep writers waiting: a report of all the books runs while others post; large with `--full`."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import httpx
import pytest

from acctcli.service.store.engine.driver import sqlite3
from acctcli.service.store.engine.sqlite import SAFE_WAL
from tests.bench.books import SLUG, make_book
from tests.bench.place import Place
from tests.serving import serve
from tests.sizes import is_full

DOCUMENTS, SECONDS = (1_000_000, 40.0) if is_full() else (10_000, 1.5)
# each of the writers posts so many at least, however busy the machine is
WRITERS, FEWEST = 4, 26
DAYS = {"columns": [{"date_from": "2022-01-01", "date_to": "2026-12-31"}]}
PATIENCE = 1.0


@pytest.fixture
def service(tmp_path: Path) -> Iterator[httpx.Client]:
    """A service of two workers on large books, and who may do everything there."""
    book = make_book(Place(Path(sys.executable).parent, tmp_path, 1), DOCUMENTS)
    data = book.database.parent.parent
    token = (data / "local" / "token").read_text().strip()
    headers = {"Authorization": f"Token {token}"}
    environ = {**os.environ, "ACCTCLI_DATA_DIR": str(data)}
    with (
        serve(environ, "--workers", "2") as address,
        httpx.Client(
            base_url=f"{address}/v1/business/{SLUG}/", headers=headers, trust_env=False, timeout=300
        ) as client,
    ):
        yield client


def post_until(client: httpx.Client, end: float, body: object) -> list[float]:
    """Post documents and return the seconds that each took."""
    took: list[float] = []
    while time.monotonic() < end or len(took) < FEWEST:
        start = time.monotonic()
        reply = client.post("document/", json=body)
        took.append(time.monotonic() - start)
        assert reply.status_code == 201, reply.text
    return took


def report_until(client: httpx.Client, end: Event) -> int:
    """Read reports of all the books, one after the other, and return how many."""
    done = 0
    while not done or not end.is_set():
        with client.stream("POST", "report/journal/", json=DAYS) as reply:
            assert reply.status_code == 200
            size = sum(map(len, reply.iter_raw()))
        assert size > 100 * DOCUMENTS
        done += 1
    return done


@pytest.mark.skipif(sqlite3.sqlite_version_info < SAFE_WAL, reason="this SQLite has no safe write-ahead log")
def test_a_report_keeps_no_writer_waiting(service: httpx.Client) -> None:
    rows = service.get("account/?page_size=200").json()["results"]
    accounts = {row["number"]: row["id"] for row in rows}
    row = {"account_id": accounts["4000"], "amount": 12.55, "vat_code": 2, "vat_rate": 25.5, "description": None}
    blueprint = {"credit_account_id": accounts["1910"], "debet_account_id": None, "debet_entries": [row]}
    body = {
        "date": "2026-12-30",
        "description": "x",
        "blueprint": {**blueprint, "credit_entries": [], "expense_entries": []},
    }
    end, posted = time.monotonic() + SECONDS, Event()
    with ThreadPoolExecutor(WRITERS + 1) as pool:
        reports = pool.submit(report_until, service, posted)
        posting = [pool.submit(post_until, service, end, body) for _ in range(WRITERS)]
        try:
            took = sorted(seconds for one in posting for seconds in one.result())
        finally:
            posted.set()
        assert reports.result() >= 1
    assert len(took) > 100
    assert took[len(took) * 99 // 100] <= PATIENCE
