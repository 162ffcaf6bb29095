"""What the contestants are given to work on."""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

from tests.bench.commands import read_loop_rate
from tests.bench.contestants import copy_accounts
from tests.bench.measure import Command
from tests.bench.place import CHECKOUT
from tests.bench.servers import page_server


def test_accounts_are_copied_up_to_the_number_asked_for(tmp_path: Path) -> None:
    database = tmp_path / "books.sqlite3"
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.executescript(
            "CREATE TABLE business (id INTEGER PRIMARY KEY, slug TEXT);"
            "CREATE TABLE account (id INTEGER PRIMARY KEY, business_id INT, number TEXT, padded_number INT, name TEXT);"
            "INSERT INTO business VALUES (1, 'other'), (2, 'bench');"
            "INSERT INTO account VALUES (1, 1, '4000', 4000000, 'Other'), (2, 2, '1910', 1910000, 'Bank'),"
            " (3, 2, '4000', 4000000, 'Purchases');"
        )
    copy_accounts(database, "bench", 4)
    copy_accounts(database, "bench", 4)
    with closing(sqlite3.connect(database)) as connection:
        rows = connection.execute("SELECT business_id, number, padded_number, name FROM account ORDER BY id").fetchall()
    assert rows == [
        (1, "4000", 4000000, "Other"),
        (2, "1910", 1910000, "Bank"),
        (2, "4000", 4000000, "Purchases"),
        (2, "1000000", 1000000, "Purchases"),
        (2, "1000001", 1000001, "Purchases"),
    ]


def test_the_plain_loop_reads_everything_and_says_how_fast(tmp_path: Path) -> None:
    output = tmp_path / "rows"
    with page_server(rows=250) as base_url:
        loop = Command([sys.executable, CHECKOUT / "tests/bench/plain_loop.py", base_url], {}, tmp_path)
        run = loop.run(output)
    assert len(output.read_bytes().splitlines()) == 250
    assert read_loop_rate(run.messages) > 0
