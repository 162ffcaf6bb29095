"""Transactions on both databases: whole or not at all, seen by nobody too early, gone with their process."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import select

from acctcli import service
from acctcli.errors import UsageError
from acctcli.service.problems import InFlight, Unavailable
from acctcli.service.store.engine import postgres, sqlite
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.database import Database
from acctcli.service.store.engine.driver import sqlite3
from acctcli.service.store.engine.opening import open_database
from acctcli.service.store.engine.statements import Statement
from acctcli.service.store.engine.turns import Slot
from acctcli.service.store.people import users
from acctcli.service.store.schema.business import users as table
from tests.databases import Factory, opened
from tests.programs import require_path
from tests.sql import execute

DRIVER = re.compile(r"^ *(import|from) (py)?sqlite3", re.MULTILINE)
STAMP = "2026-01-01T00:00:00.000000Z"


def emails(database: Database) -> list[str]:
    with database.read() as conn:
        return list(execute(conn, select(table.c.email).order_by(table.c.email)).scalars())


def add(conn: Connection, email: str) -> int:
    return users.create(conn, email, STAMP)


def test_a_work_is_whole_or_nothing(database: Database) -> None:
    def half(conn: Connection) -> None:
        add(conn, "a")
        raise LookupError

    with pytest.raises(LookupError):
        database.write(half)
    database.write(lambda conn: add(conn, "b"))
    assert emails(database) == ["b"]


def test_many_writers_lose_nothing_and_a_failing_one_hurts_nobody(database: Database) -> None:
    def work(number: int) -> str:
        def run(conn: Connection) -> str:
            add(conn, f"{number:03}")
            if number % 7 == 0:
                raise LookupError
            return f"{number:03}"

        try:
            return database.write(run)
        except LookupError:
            return ""

    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(work, range(200)))
    assert emails(database) == [email for email in done if email]
    assert len(emails(database)) == 200 - len(range(0, 200, 7))


def test_a_read_is_one_moment(database: Database) -> None:
    with database.read() as conn:
        before = execute(conn, select(table.c.email)).all()
        # before 3.51.3 a commit of SQLite waits for the reader
        if database.dialect == "postgresql" or sqlite3.sqlite_version_info >= sqlite.SAFE_WAL:
            database.write(lambda writer: add(writer, "a"))
            assert emails(database) == ["a"]
        assert execute(conn, select(table.c.email)).all() == before == []


def test_a_write_that_is_not_committed_is_seen_by_nobody(database: Database) -> None:
    seen: list[list[str]] = []

    def work(conn: Connection) -> None:
        add(conn, "a")
        thread = threading.Thread(target=lambda: seen.append(emails(database)))
        thread.start()
        thread.join()

    database.write(work)
    assert seen == [[]]
    assert emails(database) == ["a"]


def test_a_claim_is_held_by_one(database: Database, database_url: str) -> None:
    def again(conn: Connection) -> str:
        del conn
        with opened(database_url) as other:
            for one in (database, other):
                with pytest.raises(InFlight), one.read(claim=7):
                    pass
            with other.read(claim=8):
                return "held"

    assert database.write(again, claim=7) == "held"
    # closing the other one has freed nothing that is still held, and now all is free
    assert database.write(lambda conn: add(conn, "a"), claim=7)
    with contextlib.suppress(LookupError):
        database.write(lambda conn: [][add(conn, "b")], claim=7)
    with database.read(claim=7):
        pass


def test_claims_that_are_held_take_no_connections_from_those_who_hold_them(
    factory: Factory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "MOST_CONNECTIONS", 2)
    monkeypatch.setattr(postgres, "BUSY_SECONDS", 5)
    started = threading.Barrier(8, timeout=30)

    def work(number: int) -> int:
        with database.hold(number):
            started.wait()
            with pytest.raises(InFlight), database.hold(number):
                pass
            with database.read():
                pass
            return database.write(lambda conn: add(conn, f"{number}"), claim=100 + number)

    with opened(factory.fresh()) as database, ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(work, range(8)))) == 8
        with contextlib.ExitStack() as all_free:
            for number in range(8):
                all_free.enter_context(database.hold(number))


LOSE_CLAIMS = Statement("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'")


def test_books_are_closed_whose_link_is_gone(tmp_path: Path) -> None:
    """A claim is found by its file, not by a name that may lead elsewhere by then."""
    (tmp_path / "disk").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "disk", target_is_directory=True)
    first, second = (open_database(f"sqlite:///{tmp_path / 'link' / 'books.sqlite'}") for _ in range(2))
    (tmp_path / "link").unlink()
    first.close()
    other = open_database(f"sqlite:///{tmp_path / 'disk' / 'books.sqlite'}")
    with contextlib.closing(other), second.hold(7), pytest.raises(InFlight), other.hold(7):
        pass
    with pytest.raises(Unavailable, match="The file of the database is gone"):
        second.write(lambda conn: add(conn, "a"))
    second.close()


def test_claims_of_a_lost_connection_are_taken_again(postgres_factory: Factory) -> None:
    url = postgres_factory.fresh()
    with opened(url) as database, opened(url) as other:
        with database.hold(1):
            with database.autocommit() as conn:
                LOSE_CLAIMS.values(conn)
            with database.hold(2), pytest.raises(InFlight), other.hold(1):
                pass
            with database.autocommit() as conn:
                LOSE_CLAIMS.values(conn)
        with other.hold(1), other.hold(2):
            pass


CHILD = """
import sys, time
from acctcli.service.store.people import users
from acctcli.service.store.engine.opening import open_database

def work(conn):
    users.create(conn, "child", "2026-01-01T00:00:00.000000Z")
    print("inside", flush=True)
    time.sleep(60)

open_database(sys.argv[1]).write(work, claim=7)
"""


def test_a_killed_process_leaves_nothing_and_frees_its_claim(database: Database, database_url: str) -> None:
    with subprocess.Popen([sys.executable, "-c", CHILD, database_url], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"inside\n"
        with pytest.raises(InFlight):
            database.write(lambda conn: add(conn, "a"), claim=7)
        child.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 5
    while True:
        try:
            database.write(lambda conn: add(conn, "a"), claim=7)
            break
        except InFlight:
            assert time.monotonic() < deadline
    assert emails(database) == ["a"]


WAITER = """
import sys
from acctcli.service.store.people import users
from acctcli.service.store.engine.opening import open_database

database = open_database(sys.argv[1])
for number in range(20):
    database.write(lambda conn: users.create(conn, f"{sys.argv[2]}{number:02}", "2026-01-01T00:00:00.000000Z"))
"""


def test_processes_share_a_database(database: Database, database_url: str) -> None:
    command = [sys.executable, "-c", WAITER, database_url]
    children = [subprocess.Popen([*command, name]) for name in "ab"]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: database.write(lambda conn: add(conn, f"c{number:02}")), range(20)))
    assert [child.wait(60) for child in children] == [0, 0]
    assert emails(database) == [f"{name}{number:02}" for name in "abc" for number in range(20)]


def test_a_work_that_postgresql_gives_up_to_end_a_deadlock_runs_again(postgres_factory: Factory) -> None:
    lock = Statement("SELECT id FROM users WHERE email = :email FOR UPDATE")
    begun: list[str] = []
    both_hold_one = threading.Barrier(2, timeout=10)

    def take(first: str, second: str) -> Callable[[Connection], str]:
        def work(conn: Connection) -> str:
            lock.value(conn, email=first)
            begun.append(first)
            if begun.count(first) == 1:
                both_hold_one.wait()
            lock.value(conn, email=second)
            return first

        return work

    with opened(postgres_factory.fresh()) as database, ThreadPoolExecutor(2) as pool:
        database.write(lambda conn: [add(conn, email) for email in "ab"])
        assert list(pool.map(database.write, [take("a", "b"), take("b", "a")])) == ["a", "b"]
    assert len(begun) == 3


@pytest.mark.parametrize(
    "url", ["mysql://x/y", "nonsense", "sqlite://", "sqlite:///:memory:", "sqlite:////no/such/folder/x"]
)
def test_what_is_no_database_is_refused(url: str) -> None:
    with pytest.raises(UsageError):
        open_database(url)


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+psycopg"])
def test_a_postgresql_address_begins_in_any_of_the_usual_ways(scheme: str) -> None:
    with opened(f"{scheme}://maija:secret@example.com/books") as database:
        assert (database.dialect, database.name) == ("postgresql", "postgresql://maija:***@example.com/books")


def test_the_files_of_a_database_are_for_their_owner_only(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with opened(f"sqlite:///{tmp_path}/books.sqlite") as database:
            database.migrate()
            database.write(lambda conn: add(conn, "a"), claim=7)
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
            assert modes == dict.fromkeys(modes, 0o600) | {"books.sqlite": 0o600, "books.sqlite-claims": 0o600}
    finally:
        os.umask(before)


@pytest.mark.usefixtures("journal")
@pytest.mark.parametrize("other", [False, True])
def test_nothing_is_written_or_read_where_nobody_would_find_it(sqlite_factory: Factory, other: bool) -> None:
    url = sqlite_factory.fresh()
    path = Path(url.removeprefix("sqlite:///"))
    with opened(url) as database:
        database.write(lambda conn: add(conn, "a"))
        path.rename(path.with_suffix(".moved"))
        if other:
            Path(sqlite_factory.fresh().removeprefix("sqlite:///")).rename(path)
        with pytest.raises(Unavailable, match="another has its name"):
            database.write(lambda conn: add(conn, "b"))
        with pytest.raises(Unavailable, match="another has its name"):
            emails(database)
        path.with_suffix(".moved").replace(path)
        assert emails(database) == ["a"]


# writes 60 MiB in one transaction as a migration does, and prints by how many KiB the process grew
HEAVY = """
import sys
from pathlib import Path
from acctcli.service.store.engine.opening import open_database

def peak():
    return int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0])

with open_database(sys.argv[1]).exclusive() as conn:
    before = peak()
    conn.run("CREATE TABLE heavy (content)")
    numbers = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 15360)"
    conn.run(f"{numbers} INSERT INTO heavy SELECT zeroblob(4096) FROM n")
    print(peak() - before)
"""


def test_a_migration_of_large_books_needs_little_memory(sqlite_factory: Factory) -> None:
    require_path("/proc/self/status")
    command = [sys.executable, "-c", HEAVY, sqlite_factory.fresh()]
    assert int(subprocess.run(command, capture_output=True, check=True).stdout) < 20_000


@pytest.fixture(params=["wal", "persist"])
def journal(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both journals of SQLite, whichever SQLite is installed here: a write-ahead log is safe only in new ones."""
    monkeypatch.setattr(sqlite, "SAFE_WAL", (3, 0) if request.param == "wal" else (99,))
    return str(request.param)


def test_sqlite_syncs_every_commit(tmp_path: Path, journal: str) -> None:
    with opened(f"sqlite:///{tmp_path}/x.sqlite3") as database, database.autocommit() as conn:
        pragmas = {
            name: Statement(f"PRAGMA {name}").value(conn)
            for name in ("synchronous", "journal_mode", "foreign_keys", "cache_spill")
        }
    assert pragmas == {"synchronous": 2, "journal_mode": journal, "foreign_keys": 1, "cache_spill": 0}


@pytest.mark.usefixtures("journal")
def test_sqlite_loses_nothing_with_either_journal(sqlite_factory: Factory) -> None:
    with opened(sqlite_factory.fresh()) as database:

        def work(number: int) -> int:
            database.write(lambda conn: add(conn, f"{number:03}"))
            return len(emails(database))

        with ThreadPoolExecutor(8) as pool:
            seen = list(pool.map(work, range(100)))
        assert emails(database) == [f"{number:03}" for number in range(100)]
        assert max(seen) == 100


def test_with_a_write_ahead_log_readers_and_the_writer_do_not_wait(
    sqlite_factory: Factory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "SAFE_WAL", (3, 0))
    with opened(sqlite_factory.fresh()) as database, database.read() as conn:
        before = conn.fetch("SELECT email FROM users")[1]
        database.write(lambda writer: add(writer, "a"))
        assert conn.fetch("SELECT email FROM users")[1] == before == []
        assert emails(database) == ["a"]


# exits with 1 when it could lock the bytes that SQLite's readers hold
STRANGER = """
import fcntl, sys

with open(sys.argv[1], "r+b") as file:
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 510, 0x40000002)
    except OSError:
        sys.exit(0)
sys.exit(1)
"""


def test_to_open_a_database_again_frees_no_lock_on_it(sqlite_factory: Factory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who held none would lose the write-ahead log to the next process that closes the database."""
    monkeypatch.setattr(sqlite, "SAFE_WAL", (3, 0))
    url = sqlite_factory.fresh()
    stranger = [sys.executable, "-c", STRANGER, url.removeprefix("sqlite:///")]
    with opened(url) as database:
        database.write(lambda conn: add(conn, "a"))
        with opened(url) as second:
            assert emails(second) == ["a"]
            assert subprocess.run(stranger, check=False).returncode == 0
        assert subprocess.run(stranger, check=False).returncode == 0


def test_one_module_chooses_the_driver() -> None:
    importing = [path for path in Path(service.__file__).parent.rglob("*.py") if DRIVER.search(path.read_text("utf-8"))]
    assert [path.name for path in importing] == ["driver.py"]


def test_whoever_waits_too_long_computes_without_the_slot() -> None:
    slot, went_on = Slot(), threading.Event()

    def compute() -> None:
        with slot.held():
            went_on.set()

    with slot.held():
        other = threading.Thread(target=compute)
        other.start()
        assert went_on.wait(30)
        other.join()
        assert slot._lock.locked()
    assert not slot._lock.locked()
