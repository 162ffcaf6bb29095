"""Large books, small: loaded at once they are what posting one document after another makes."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from acctcli.service.http.embedded import DATABASE_FILE, open_embedded
from acctcli.service.store.books import shapes
from acctcli.service.store.engine.driver import sqlite3
from acctcli.service.store.engine.marks import Marks
from acctcli.service.store.engine.sqlite import SqliteConnection
from tests.bench import books
from tests.bench.books import (
    DOCUMENT,
    ENTRY,
    FIRST_DAY,
    LAST_DAY,
    SLUG,
    Book,
    Rows,
    Transaction,
    journal_text,
    load,
    make_book,
    transactions,
)
from tests.bench.measure import BenchError
from tests.bench.place import Place
from tests.bench.reports import Asked, own_balances, read_balances, refuse_difference
from tests.hledger import find_faults
from tests.programs import Program, require_program
from tests.service.actor import Actor

SIZE, FEW = 400, 50
BASE = "http://service"
TABLES = (
    "document",
    "entry",
    "account_total",
    "account_month",
    "document_counter",
    "shape",
    "shape_part",
    "document_shape",
    "document_count",
)


@contextmanager
def served(folder: Path) -> Iterator[Actor]:
    """The user of the embedded service of a folder."""
    transport = httpx.WSGITransport
    with open_embedded(folder) as service, httpx.Client(transport=transport(service.app), base_url=BASE) as client:
        yield Actor(client, 1, "", service.token)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """The file of a service with one empty business."""
    with served(tmp_path / "local") as actor:
        actor.create_business(SLUG, slug=SLUG, form="FI_OY")
    return tmp_path / "local" / DATABASE_FILE


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A file, and what is done to it in one transaction."""
    with closing(sqlite3.connect(path)) as connection, connection:
        yield connection


def contents(connection: sqlite3.Connection) -> dict[str, list[Any]]:
    # a load leaves gaps between the ids of shapes
    shapes = {number: place for place, (number,) in enumerate(connection.execute("SELECT id FROM shape ORDER BY id"))}
    rows = {name: list(renumbered(connection, name, shapes)) for name in TABLES}
    triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    counted = connection.execute("SELECT business_id, kind, count FROM tally").fetchall()
    return {name: sorted(found) for name, found in {**rows, "counted": counted, "triggers": triggers}.items()}


def renumbered(connection: sqlite3.Connection, table: str, shapes: dict[int, int]) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a table with other numbers for shapes."""
    cursor = connection.execute(f"SELECT * FROM {table}")
    names = [column[0] for column in cursor.description]
    of_shape = names.index("id") if table == "shape" else names.index("shape_id") if "shape_id" in names else None
    for row in cursor:
        yield tuple(shapes[value] if place == of_shape else value for place, value in enumerate(row))


def test_a_load_is_what_posting_makes(database: Path, tmp_path: Path) -> None:
    posted = tmp_path / "posted.sqlite3"
    shutil.copy(database, posted)
    with opened(database) as one, opened(posted) as other:
        load(one, transactions(SIZE))
        rows, conn = Rows(other), SqliteConnection(other, Marks())
        other.execute("PRAGMA foreign_keys = ON")
        for document in transactions(SIZE):
            other.execute(DOCUMENT, rows.document(document, is_draft=True))
            other.executemany(ENTRY, rows.entries(document))
            shapes.place(conn, 1, document.id, document.day, rows.lines(document))
            other.execute("UPDATE document SET is_draft = 0 WHERE id = ?", (document.id,))
        counted = "INSERT INTO document_counter SELECT business_id, date, count(*) FROM document GROUP BY 1, 2"
        other.execute(counted)  # posting by hand gives out no numbers
        assert contents(one) == contents(other)
        assert one.execute("PRAGMA foreign_key_check").fetchall() == []
        assert one.execute("SELECT count(*), min(date), max(date) FROM document").fetchone() == (
            SIZE,
            "2022-01-01",
            "2026-12-27",
        )


def test_reports_on_a_load_are_those_on_posted_documents(database: Path, tmp_path: Path) -> None:
    posted = shutil.copytree(database.parent, tmp_path / "posted")
    with opened(database) as one:
        load(one, transactions(FEW))
        bodies = [body(Rows(one), document) for document in transactions(FEW)]
    with served(posted) as actor, served(database.parent) as other:
        add_years(actor)
        add_years(other)
        replies = [actor.send("POST", f"/v1/business/{SLUG}/document/", sent) for sent in bodies]
        assert {reply.status for reply in replies} == {201}
        assert reports(other) == reports(actor)


def add_years(actor: Actor) -> None:
    """Add the accounting periods of the book before that of the year in which the business began."""
    path = f"/v1/business/{SLUG}/period/"
    (first,) = actor.send("GET", path).body["results"]
    for year in range(int(first["start_date"][:4]) - 1, FIRST_DAY.year - 1, -1):
        made = actor.send("POST", path, {"start_date": f"{year}-01-01", "end_date": f"{year}-12-31"})
        assert made.status == 201


def body(rows: Rows, document: Transaction) -> dict[str, Any]:
    row = rows.document(document)
    return {"date": row["day"], "description": row["text"], "blueprint": json.loads(str(row["blueprint"]))}


def reports(actor: Actor) -> dict[str, bytes]:
    day, span = {"date_at": str(LAST_DAY)}, {"date_from": str(FIRST_DAY), "date_to": str(LAST_DAY)}
    asked = {"balance-sheet": day, "income-statement": span, "journal": span, "ledger": span}
    path = f"/v1/business/{SLUG}/report"
    return {
        name: actor.send("POST", f"{path}/{name}/", {"columns": [column], "extend_accounts": True}).raw
        for name, column in asked.items()
    }


def test_documents_have_two_to_four_entries() -> None:
    made = list(transactions(SIZE))
    assert {len(one.lines) for one in made} == {2, 3, 4}
    assert {sum(line.cents for line in one.lines) for one in made} == {0}
    assert len({one.number for one in made}) == SIZE
    assert made == list(transactions(SIZE))


def test_hledger_takes_the_journal() -> None:
    declared = "commodity 1000.00 EUR\n" + "".join(
        f"account {number}\n" for number in sorted({line.account for one in transactions(SIZE) for line in one.lines})
    )
    assert find_faults(declared + "".join(journal_text(transactions(SIZE)))) == ""


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """The programs of this very environment; a bench would refuse them."""
    return Place(Path(sys.executable).parent, tmp_path, 1, tmp_path / "kept")


def test_a_book_is_made_once(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    book = make_book(place, 5)
    assert book.database.exists()
    assert book.journal.read_text().count("EUR") == sum(len(one.lines) for one in transactions(5))
    monkeypatch.setattr(books, "_fill", None)
    assert make_book(place, 5) == book == Book(book.folder, 5)


def test_all_programs_add_up_to_the_same(place: Place) -> None:
    asked = Asked(place, make_book(place, SIZE))
    ours, output = own_balances(asked), place.folder / "balances.csv"
    assert {"1700", "1763", "1910", "2871", "2939", "result"} == set(ours)
    program: Program
    for program in ("ledger", "hledger"):
        require_program(program)
        asked.balance(program).run(output)
        refuse_difference(ours, program, output)
        with pytest.raises(BenchError, match=f"{program} and acctcli differ"):
            refuse_difference({**ours, "1910": ours["1910"] + 1}, program, output)


def test_balances_are_read_from_a_balance_sheet() -> None:
    rows = [
        {"name": "Assets", "values": [0], "accounts": []},
        {"name": "Cash and bank", "values": [9], "accounts": [{"number": "1910", "values": [9]}]},
        {"name": "Equity and liabilities", "values": [0], "accounts": []},
        {"name": "Profit of previous periods", "values": [4], "accounts": [{"number": "2251", "values": [1]}]},
        {"name": "Profit of the period", "values": [2], "accounts": []},
        {"name": "Loans", "values": [3], "accounts": [{"number": "2620", "values": [3]}]},
    ]
    assert read_balances(rows) == {"1910": 9, "2251": -1, "2620": -3, "result": -5}
