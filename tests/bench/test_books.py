"""Large books, small: loaded at once they are what posting one document after another makes."""

from __future__ import annotations

import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from acctcli.service.embedded import open_embedded
from tests.bench import books
from tests.bench.books import DOCUMENT, ENTRY, SLUG, Book, Rows, journal_text, load, make_book, transactions
from tests.bench.place import Place
from tests.bench.reports import read_balances
from tests.hledger import find_faults
from tests.service.actor import Actor

SIZE = 400
TABLES = ("document", "entry", "account_total", "account_month", "tally", "document_counter")


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """The file of a service with one empty business."""
    import httpx

    with open_embedded(tmp_path / "local") as service:
        client = httpx.Client(transport=httpx.WSGITransport(service.app), base_url="http://service")
        Actor(client, 1, "", service.token).create_business(SLUG, slug=SLUG, form="FI_OY")
        client.close()
    return tmp_path / "local" / "books.sqlite3"


def open_file(path: Path) -> closing[sqlite3.Connection]:
    return closing(sqlite3.connect(path, isolation_level=None))


def contents(connection: sqlite3.Connection) -> dict[str, list[Any]]:
    rows = {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in TABLES}
    triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    return {name: sorted(found) for name, found in {**rows, "triggers": triggers}.items()}


def test_a_load_is_what_posting_makes(database: Path, tmp_path: Path) -> None:
    posted = shutil.copy(database, tmp_path / "posted.sqlite3")
    with open_file(database) as one, open_file(posted) as other:
        load(one, transactions(SIZE))
        rows = Rows(other)
        other.execute("PRAGMA foreign_keys = ON")
        for document in transactions(SIZE):
            other.execute(DOCUMENT, rows.document(document, is_draft=True))
            other.executemany(ENTRY, rows.entries(document))
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
def place(tmp_path: Path) -> Iterator[Place]:
    """The programs of this very environment; a bench would refuse them."""
    return Place(Path(sys.executable).parent, tmp_path, 1, tmp_path / "kept")


def test_a_book_is_made_once(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    book = make_book(place, 5)
    assert book.database.exists()
    assert book.journal.read_text().count("EUR") == sum(len(one.lines) for one in transactions(5))
    monkeypatch.setattr(books, "_fill", None)
    assert make_book(place, 5) == book == Book(book.folder, 5)


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
