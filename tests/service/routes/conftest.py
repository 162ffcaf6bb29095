"""The books of a business on each database, and what tests do behind the service's back."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import delete, insert, select

from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.schema.books import period, vat_period
from acctcli.service.store.schema.events import event
from tests.service.actor import Actor, World
from tests.service.routes.books import Books, open_books
from tests.sql import execute

NOW = datetime(2026, 4, 2, 10, tzinfo=UTC)


@pytest.fixture
def bookkeeper(shared: World) -> Actor:
    """A user for each test, who may do everything in what they create; today is 2026-04-02."""
    shared.clock.now = NOW
    return shared.user()


@pytest.fixture
def books(bookkeeper: Actor) -> Books:
    """A Finnish company with the default chart."""
    return open_books(bookkeeper)


@pytest.fixture
def invoicing(books: Books) -> Books:
    """The invoices and products of the company."""
    return books.invoicing


@pytest.fixture
def other_books(bookkeeper: Actor) -> Books:
    """Another company of the same user."""
    return open_books(bookkeeper)


@pytest.fixture
def lock_days(shared: World, books: Books) -> Callable[[str, str, str], str]:
    """Close days and nothing else, and tell how that is refused: operations that lock also look at what lies inside."""

    def lock(name: str, start: str, end: str) -> str:
        table = {"period": period, "vat_period": vat_period}[name]
        days = {"start_date": date.fromisoformat(start), "end_date": date.fromisoformat(end)}
        stamps = {"created_at": "2026", "updated_at": "2026"}
        values: dict[str, Any] = {"business_id": books.business_id, "is_locked": True, **days, **stamps}
        if table is vat_period:
            values |= {"due_date": days["end_date"], "is_reported": False, "is_recapitulative_reported": False}

        def work(conn: Connection) -> None:
            execute(conn, delete(table).where(table.c.business_id == books.business_id))
            execute(conn, insert(table), values)
            if table is period:
                # what is posted after them lies in a period, too
                after = {"start_date": days["end_date"] + timedelta(days=1), "end_date": date(2030, 12, 31)}
                execute(conn, insert(table), {**values, **after, "is_locked": False})

        shared.database.write(work)
        return f"The {'VAT' if table is vat_period else 'accounting'} period {start} - {end} is locked."

    return lock


@pytest.fixture
def events(shared: World) -> Callable[[Books], list[tuple[str, Any]]]:
    """What a business tells of its changes, in order; that a request changed nothing is in the trail alone."""

    def read(books: Books) -> list[tuple[str, Any]]:
        outbox = select(event.c.type, event.c.data).where(event.c.business_id == books.business_id)
        outbox = outbox.where(~event.c.type.like("%.unchanged"))
        with shared.database.read() as conn:
            rows: list[Any] = list(execute(conn, outbox.order_by(event.c.number)))
        return [(type_, json.loads(data, parse_float=Decimal)) for type_, data in rows]

    return read
