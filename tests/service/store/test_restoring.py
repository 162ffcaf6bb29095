"""Books that are replaced while others write: what was acknowledged is in the new ones or in those that are kept."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from acctcli.service.store.engine.snapshots import copy_out
from acctcli.service.store.people import users
from tests.databases import Factory, opened
from tests.sizes import is_full

STAMP = "2026-01-01T00:00:00.000000Z"
# each takes the version from which on SQLite has a write-ahead log, the books, and its own name
WRITER = """
import sys
from acctcli.service.store.engine import opening, sqlite
from acctcli.service.store.people import users

sqlite.SAFE_WAL = (int(sys.argv[1]), 0)
database = opening.open_database(f"sqlite:///{sys.argv[2]}")
print("ready", flush=True)
number = 0
while True:
    number += 1
    name = f"{sys.argv[3]}-{number}"
    database.write(lambda conn: users.create(conn, name, "2026-01-01T00:00:00.000000Z"))
    print(name, flush=True)
"""
RESTORER = """
import sys
from pathlib import Path
from acctcli.service.store.engine.snapshots import put, stage

backup, books, kept = map(Path, sys.argv[1:])
put(stage(backup, books), books, kept, lambda _: None)
"""


def names(path: Path) -> set[str]:
    with closing(sqlite3.connect(path)) as conn:
        assert conn.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return {name for (name,) in conn.execute("SELECT email FROM users")}


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="Windows kills otherwise")
@pytest.mark.parametrize("since", ["3", "99"], ids=["wal", "rollback"])
def test_a_restore_beside_writers_loses_nothing_that_was_acknowledged(
    sqlite_factory: Factory, tmp_path: Path, since: str
) -> None:
    books, backup, dice = tmp_path / "books.sqlite3", tmp_path / "backup", random.Random(3)
    Path(sqlite_factory.fresh().removeprefix("sqlite:///")).rename(books)
    with opened(f"sqlite:///{books}") as database:
        database.write(lambda conn: [users.create(conn, f"{n}", STAMP, first_name="x" * 200) for n in range(5000)])
    copy_out(books, backup)
    finished = 0
    with ExitStack() as stack:
        writers = []
        for one in ("a", "b"):
            command = [sys.executable, "-c", WRITER, since, str(books), one]
            writer = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE))
            stack.callback(writer.kill)
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"ready\n"
            writers.append(writer)
        for number in range(60 if is_full() else 8):
            command = [sys.executable, "-c", RESTORER, str(backup), str(books), str(tmp_path / f"kept-{number}")]
            with subprocess.Popen(command) as restorer:
                if number % 2:
                    time.sleep(dice.uniform(0.2, 0.6))
                    restorer.kill()
                finished += restorer.wait(60) == 0
            time.sleep(0.05)
        for writer in writers:
            assert writer.poll() is None
            writer.kill()
        outs = [writer.communicate()[0] for writer in writers]
    acknowledged = {line for out in outs for line in out[: out.rfind(b"\n") + 1].decode().split()}
    found = set[str]().union(*map(names, (books, *tmp_path.glob("kept-[0-9]"), *tmp_path.glob("kept-[0-9][0-9]"))))
    assert acknowledged - found == set()
    assert finished >= 4
    assert len(acknowledged) > 50
