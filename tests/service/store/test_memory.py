"""What a batch of writes remembers of what it read: it asks once, and is never told what is no longer so."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from acctcli.service.store import events
from acctcli.service.store.books import postings
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.driver import sqlite3
from acctcli.service.store.engine.statements import APART, update
from acctcli.service.store.events import NOBODY
from acctcli.service.store.moments import stamp
from acctcli.service.store.people import admission
from acctcli.service.store.schema.columns import metadata
from tests.databases import SqliteFactory, lent, opened
from tests.service.actor import World, world
from tests.service.http.test_left_behind import Sender
from tests.service.routes.books import open_books

DAY = date(2026, 3, 2)
WRITTEN = re.compile(r"\b(?:INSERT INTO|UPDATE|DELETE FROM) (\w+)")


class Batch:
    """A business on a file, and writes that share a transaction."""

    def __init__(self, made: World, file: Path) -> None:
        self.world = made
        self.actor = made.user()
        self.books = open_books(self.actor)
        self.asked: list[str] = []
        sale = {"account_id": self.books.ids["3900"], "amount": 12.4}
        self._body = {
            "date": str(DAY),
            "blueprint": {"debet_account_id": self.books.ids["1910"], "credit_entries": [sale]},
        }
        self._sender = Sender(self.actor, made.app, self.books.path)
        self._file = file

    def replies(self, *works: Callable[[], object]) -> list[tuple[int, Any]]:
        """Let works queue up, and run in one transaction; return the replies to requests, in their order."""
        database = self.world.database
        writer, _ = database._writing()  # type: ignore[attr-defined]
        with closing(sqlite3.connect(self._file, isolation_level=None)) as holder:
            holder.execute("BEGIN IMMEDIATE")
            for work in works:
                work()
            writer.driver.set_trace_callback(self.asked.append)
            holder.execute("ROLLBACK")
        database.write(lambda conn: None)
        writer.driver.set_trace_callback(None)
        assert self.asked.count("COMMIT") <= 2
        return self._sender.heard

    def create(self) -> None:
        """Send a document."""
        assert self._sender("POST", "document/", self._body) is None

    def submit(self, work: Callable[[Connection], object]) -> Callable[[], None]:
        """Return what leaves a work behind, which may fail."""
        return lambda: self.world.database.submit(work, _silence)

    def set(self, table: str, **values: object) -> Callable[[], None]:
        """Return what leaves a change of what the business, or its bookkeeper, has in a table behind."""
        mine = {"user_id": self.actor.id} if table == "token" else {"business_id": self.books.business_id}
        return self.submit(lambda conn: update(conn, table, values, **mine))

    def rename_and_fail(self, conn: Connection) -> None:
        """Read, and record, what is so until it is taken back."""
        update(conn, "account", {"name": "Never"}, business_id=self.books.business_id)
        postings.ground(conn, self.books.business_id, DAY, [self.books.ids["1910"], self.books.ids["3900"]])
        events.record(conn, self.books.business_id, "test.never", {"id": 1}, stamp(self.world.clock.now), NOBODY)
        raise LookupError

    def times(self, word: str) -> int:
        """Return how many statements have a word."""
        return sum(word in one for one in self.asked)

    def chain(self) -> list[tuple[str, bool]]:
        """Return the latest records of the trail: their types, and whether the hash is that of the one before."""
        with self.world.database.read() as conn:
            before, found = events.BEGINNING, []
            for *said, _, hashed in events.CHAIN.stream(conn, business_id=self.books.business_id):
                found.append((said[2], events.chained(before, said) == hashed))
                before = hashed
            assert events.newest(conn, self.books.business_id).hash == before
        return found


def _silence(outcome: Callable[[], object]) -> None:
    with suppress(LookupError):
        outcome()


@pytest.fixture
def batch(sqlite: SqliteFactory) -> Iterator[Batch]:
    with lent(sqlite) as factory:
        url = factory.fresh()
        with opened(url) as database, world(database) as made:
            yield Batch(made, Path(url.removeprefix("sqlite:///")))


def _shown(reply: tuple[int, Any]) -> tuple[int, set[str]]:
    status, body = reply
    return status, {row["account_name"] for row in body["entry_ui_rows"]} if status == 201 else set()


def test_a_batch_asks_once(batch: Batch) -> None:
    assert [status for status, _ in batch.replies(*[batch.create] * 4)] == [201] * 4
    assert (batch.times("FROM token"), batch.times("FROM system_account"), batch.times("FROM trail_head")) == (1, 1, 1)
    assert batch.chain()[-4:] == [("document.created", True)] * 4


def test_what_changes_in_a_batch_is_asked_for_again(batch: Batch) -> None:
    first, renamed, revoked = batch.replies(
        batch.create,
        batch.set("account", name="Other"),
        batch.create,
        batch.set("token", revoked_at="2026"),
        batch.create,
    )
    assert (first[0], "Other" in _shown(first)[1], _shown(renamed), revoked[0]) == (201, False, (201, {"Other"}), 401)


def test_a_period_closed_in_a_batch_is_closed(batch: Batch) -> None:
    replies = batch.replies(batch.create, batch.set("period", is_locked=True), batch.create)
    assert [status for status, _ in replies] == [201, 423]


def test_a_token_ends_in_a_batch(batch: Batch) -> None:
    until = stamp(batch.world.clock.now + timedelta(seconds=1))
    batch.world.database.write(lambda conn: update(conn, "token", {"expires_at": until}, user_id=batch.actor.id))
    replies = batch.replies(
        batch.create, batch.create, lambda: batch.world.clock.move(timedelta(seconds=1)), batch.create
    )
    assert [status for status, _ in replies] == [201, 201, 401]


@pytest.mark.parametrize("before", [0, 1])
def test_what_was_taken_back_is_not_remembered(batch: Batch, before: int) -> None:
    replies = batch.replies(*[batch.create] * before, batch.submit(batch.rename_and_fail), batch.create)
    assert [(status, "Never" in names) for status, names in map(_shown, replies)] == [(201, False)] * (before + 1)
    assert batch.chain()[-before - 1 :] == [("document.created", True)] * (before + 1)


def test_what_may_be_written_meanwhile_changes_nothing_that_is_remembered(batch: Batch) -> None:
    texts = [postings.GROUND.text, admission.IN_BUSINESS_BY_JWT.text]
    read = {table for text in texts for table in re.findall(r"\b(?:FROM|JOIN) (\w+)", text)} - {"json_each"}
    assert read == {
        "account",
        "business",
        "jwt_key",
        "period",
        "system_account",
        "token",
        "users",
        "usership",
        "vat_period",
    }
    assert not read & APART
    with batch.world.database.read() as conn:
        triggers = conn.fetch("SELECT tbl_name, sql FROM sqlite_master WHERE type = 'trigger'")[1]
    written = {
        table for name, text in triggers if name in APART for table in WRITTEN.findall(text.partition("BEGIN")[2])
    }
    assert not written & read
    assert not {name for name, _ in triggers} & (written - APART)
    # what is deleted takes nothing of it along
    for name in read:
        for key in metadata.tables[name].foreign_keys:
            assert key.column.table.name not in APART or key.ondelete is None
