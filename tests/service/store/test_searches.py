"""Searches of documents find what a walk through all of them finds, whatever stands in blocks already."""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import date, timedelta
from random import Random

import pytest

from acctcli.service.store.books import documents, searches
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Statement
from acctcli.service.store.listing import Clauses
from acctcli.service.store.patterns import holding
from tests.databases import Factory, opened
from tests.service.actor import Reply, World, world
from tests.service.routes.books import Books, open_books
from tests.service.store.shape_faults import fetch
from tests.sizes import sized

WORDS = ("Rent", "Miete Straße", "100 % \\ a_b", "Päivä\nKahvi", "rent Z", "ZZ", "İzmir", "12")
NEEDLES = (*WORDS, "e", "z", "%", "_", "\\", "\n", "ra", "0301-", "oy", "nothing of it", "2603", "aß", "ä")


def searched(conn: Connection, books: Books, clauses: Clauses, limit: int, offset: int) -> tuple[int, list[int]]:
    count, page = documents.list_page(conn, books.business_id, clauses, limit=limit, offset=offset)
    return count, [row.id for row in page]


def walked(conn: Connection, books: Books, text: str) -> list[int]:
    """Search by looking at each document."""
    rows = fetch(conn, "SELECT id, date, number, description, contact_id FROM document", books.business_id)
    names: dict[int, str] = dict(fetch(conn, "SELECT id, name FROM contact", books.business_id))
    wanted = text.casefold()
    found = [
        (day, document_id)
        for document_id, day, number, description, contact_id in rows
        if wanted in f"{number or ''}\n{description}".casefold() or wanted in names.get(contact_id, "").casefold()
    ]
    return [document_id for _, document_id in sorted(found, reverse=True)]


class Keeper:
    """Writes and changes documents at random."""

    def __init__(self, books: Books, dice: Random) -> None:
        self._books, self._dice = books, dice
        self._contacts = [books.contact(name) for name in ("Alder Oy", "Straße 12", "Rowan")]
        self._ids: list[int] = []

    def write(self) -> None:
        """Create a document, or change or delete one."""
        dice = self._dice
        if len(self._ids) < 5 or dice.random() < 0.5:
            made = self._books.create(
                "document/",
                {**self._fields(), "blueprint": self._books.simple("1.00"), "is_draft": dice.random() < 0.2},
            )
            self._ids.append(made["id"])
        elif dice.random() < 0.7:
            fields = self._fields()
            some = {name: fields[name] for name in dice.sample(sorted(fields), dice.randrange(1, 4))}
            self._books.change(f"document/{dice.choice(self._ids)}/", **some)
        else:
            gone = self._ids.pop(dice.randrange(len(self._ids)))
            assert self._books.send("DELETE", f"document/{gone}/").status == 204

    def _fields(self) -> dict[str, object]:
        dice = self._dice
        return {
            "date": str(date(2026, 1, 1) + timedelta(days=dice.randrange(100))),
            "description": " ".join(dice.sample(WORDS, 2)),
            "contact_id": dice.choice([None, *self._contacts]),
        }


def small(monkeypatch: pytest.MonkeyPatch, *, due: int = 3) -> None:
    """Make blocks small, and often."""
    monkeypatch.setattr(searches, "SIZE", 4)
    monkeypatch.setattr(searches, "DUE", due)
    monkeypatch.setattr(searches, "MOST", 5)


def test_what_is_found_is_what_a_walk_finds(service: World, monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch)
    dice, books = Random(5), open_books(service.user())
    keeper, told = Keeper(books, dice), set()
    for _ in range(sized(60)):
        for _ in range(4):
            keeper.write()
        with service.database.read() as conn:
            for needle in dice.sample(NEEDLES, 6):
                right, clause = walked(conn, books, needle), {"search": {"search": holding(needle)}}
                monkeypatch.setattr(searches, "FEW", dice.choice((0, 2, 10, 5000)))
                limit, offset = dice.choice((1, 5, 30)), dice.randrange(len(right) + 2)
                page = right[offset : offset + limit]
                assert searched(conn, books, clause, limit, offset) == (len(right), page), needle
                both: Clauses = {**clause, dice.choice(("posted", "draft")): {}}
                together = documents.ROWS.list_page(conn, books.business_id, both, limit=limit, offset=offset)
                assert searched(conn, books, both, limit, offset) == (together[0], [row.id for row in together[1]])
                told.add(len(right))
    assert len(told) >= 12
    with service.database.read() as conn:
        assert len(fetch(conn, "SELECT id FROM search_block", books.business_id)) >= 5


def test_blocks_have_each_document_once(service: World, monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch, due=1)
    books = open_books(service.user())
    keeper = Keeper(books, Random(2))
    for _ in range(80):
        keeper.write()
    for _ in range(9):  # each folds the changes of one month
        last = books.create("document/", {"date": "2026-02-02", "blueprint": books.simple("1.00")})["id"]
    with service.database.read() as conn:
        blocks = fetch(conn, "SELECT month, size, document_ids, texts FROM search_block", books.business_id)
        rows = fetch(conn, "SELECT id, date, search_text FROM document", books.business_id)
        marks = fetch(conn, "SELECT document_id FROM search_mark", books.business_id)
        assert fetch(conn, "SELECT document_id FROM search_loose", books.business_id) == []
    held = sorted(
        (int(one), month, text)
        for month, _, ids, texts in blocks
        for one, text in zip(ids.split(","), texts.split("Z")[:-1], strict=True)
    )
    assert held == sorted((number, f"{day:%Y-%m}", text) for number, day, text in rows)
    assert {size for _, size, *_ in blocks} <= {1, 2, 3, 4}
    assert sum(size for _, size, *_ in blocks) == len(rows)
    assert marks == [(last,)]


WAITING = Statement("SELECT count(*) FROM pg_locks WHERE NOT granted")
NEXT_ID = Statement("SELECT setval(pg_get_serial_sequence('document', 'id'), :last)")


@pytest.mark.parametrize("method", ["POST", "PATCH", "DELETE"])
def test_what_is_written_while_blocks_are_made_is_found(
    postgres_factory: Factory, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    """On PostgreSQL a writer may begin before blocks are made and commit after that, with a lower id besides."""
    monkeypatch.setattr(searches, "FEW", 0)
    with opened(postgres_factory.fresh()) as database, world(database) as service:
        books = open_books(service.user())
        body = {"date": "2026-03-02", "description": "Before", "blueprint": books.simple("1.00")}

        def number_from(last: int) -> None:
            database.write(lambda conn: NEXT_ID.value(conn, last=last))

        first = books.create("document/", body)["id"]
        number_from(1000)
        books.create("document/", {**body, "description": "Other"})
        number_from(500)
        path = "document/" if method == "POST" else f"document/{first}/"
        late = {**body, "date": "2026-04-02", "description": "Late"} if method != "DELETE" else None

        def hold_up(conn: Connection) -> Future[Reply]:
            conn.run(f"UPDATE tally SET count = count WHERE business_id = {books.business_id} AND kind = 'document'")
            writer = pool.submit(books.send, method, path, late)
            while not database.write(WAITING.value):
                assert not writer.done(), writer.result()
                time.sleep(0.01)
            searches.fold(conn, books.business_id, 1001)
            return writer

        with ThreadPoolExecutor(1) as pool:
            assert database.write(hold_up).result().status in (200, 201, 204)
        for _ in range(2):
            with database.read() as conn:
                for needle in ("Late", "Before", "Other"):
                    clause: Clauses = {"search": {"search": holding(needle)}}
                    right = walked(conn, books, needle)
                    assert searched(conn, books, clause, 30, 0) == (len(right), right), needle
            database.write(lambda conn: searches.fold(conn, books.business_id, 1001))


def test_a_deleted_business_leaves_no_blocks(service: World, monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch, due=1)
    owner = service.user()
    books = open_books(owner)
    keeper = Keeper(books, Random(4))
    for _ in range(20):
        keeper.write()
    assert owner.send("DELETE", books.path).status == 204
    with service.database.read() as conn:
        for table in ("document", "search_block", "search_mark", "search_loose"):
            assert fetch(conn, f"SELECT * FROM {table}", books.business_id) == []


def test_a_search_reads_few_rows_of_documents(sqlite_factory: Factory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten times the documents take less than three times the steps of SQLite."""
    steps = {}
    for size in (40, 400):
        with opened(sqlite_factory.fresh()) as database, world(database) as service:
            monkeypatch.setattr(searches, "DUE", 10)
            books = open_books(service.user())
            for number in range(size):
                entry = {"date": "2026-03-02", "description": f"Rent no {number}x", "blueprint": books.simple("1.00")}
                books.create("document/", entry)
            with database.read() as conn:
                done = [0]

                def step(done: list[int] = done) -> int:
                    done[0] += 1
                    return 0

                conn.driver.set_progress_handler(step, 10)
                assert searched(conn, books, {"search": {"search": holding("no 17x")}}, 30, 0)[0] == 1
                conn.driver.set_progress_handler(None, 10)
                steps[size] = done[0]
    assert steps[400] < 3 * steps[40]
