"""The books of a business on each database, and what tests do behind the service's back."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import falcon.testing
import pytest
from sqlalchemy import insert, select

from acctcli.service.app import create_app
from acctcli.service.embedded import _create_token
from acctcli.service.store.engine import Database, open_database
from acctcli.service.store.schema import event, period, vat_period
from tests.service.routes.books import Books, Send

NOW = datetime(2026, 4, 2, 10, tzinfo=UTC)


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: Any, tmp_path: Path) -> Iterator[Database]:
    url = f"sqlite:///{tmp_path}/b.sqlite3"
    if request.param == "postgresql":
        subprocess.run(["bash", "/tmp/w/run_pg.sh"], check=True, capture_output=True)
        url = "postgresql://postgres@/t?host=/tmp/w/pgdata"
    database = open_database(url)
    database.migrate()
    yield database
    database.close()


@pytest.fixture
def send(database: Database) -> Send:
    client = falcon.testing.TestClient(create_app(database, clock=lambda: NOW))
    token = _create_token(database, "a@example.org")

    def request(method: str, path: str, body: bytes) -> tuple[int, bytes]:
        path, _, query = path.partition("?")
        reply = client.simulate_request(
            method,
            path,
            query_string=query,
            body=body,
            headers={"Authorization": f"Token {token}", "Content-Type": "application/json"},
        )
        return reply.status_code, reply.content

    return request


def open_books(send: Send, slug: str) -> Books:
    body = json.dumps({"name": "Example", "slug": slug}).encode()
    status, reply = send("POST", "/v1/business/", body)
    assert status == 201, reply
    return Books(send, slug)


@pytest.fixture
def books(send: Send) -> Books:
    """A Finnish company with the default chart; today is 2026-04-02."""
    return open_books(send, "example")


@pytest.fixture
def other_books(send: Send) -> Books:
    """Another company of the same user."""
    return open_books(send, "other")


@pytest.fixture
def lock_days(database: Database, books: Books) -> Callable[[str, str, str], None]:
    """Lock an accounting period or a VAT period; no operation of the service does it yet."""
    tables = {"period": period, "vat_period": vat_period}

    def lock(name: str, start: str, end: str) -> None:
        table = tables[name]
        days = {"start_date": date.fromisoformat(start), "end_date": date.fromisoformat(end)}
        stamps = {"created_at": "2026", "updated_at": "2026"}
        values: dict[str, Any] = {"business_id": books.business_id, "is_locked": True, **days, **stamps}
        if table is vat_period:
            values |= {"due_date": days["end_date"], "is_reported": False}

        def work(conn: Any) -> None:
            conn.execute(table.delete().where(table.c.business_id == books.business_id))
            conn.execute(insert(table), values)

        database.write(work)

    return lock


@pytest.fixture
def events(database: Database) -> Callable[[Books], list[tuple[str, Any]]]:
    """The outbox of a business, in order."""

    def read(books: Books) -> list[tuple[str, Any]]:
        outbox = select(event.c.type, event.c.data).where(event.c.business_id == books.business_id)
        with database.read() as conn:
            rows = conn.execute(outbox.order_by(event.c.number)).all()
        return [(type_, json.loads(data, parse_float=Decimal)) for type_, data in rows]

    return read
