"""A disk that is full or fails, a database that is read-only, damaged or changed by others: each by its name."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from acctcli.service.http.answers import refusal
from acctcli.service.store.engine.connection import Connection, trouble
from acctcli.service.store.engine.database import Database
from acctcli.service.store.engine.sqlite import SqliteDatabase
from acctcli.service.store.people import users
from tests.databases import Factory, opened
from tests.programs import require_program

STAMP = "2026-01-01T00:00:00.000000Z"
FULL = (507, "The disk of the service is full; nothing was changed.")
READ_ONLY = (503, "The database may be read and not written here; nothing was changed.")
NEWER = "The database has revision 9999 now, this service knows"


def outcome(work: Callable[[], object]) -> tuple[int, str]:
    """Do what a request does, and return status and detail of what it would answer."""
    try:
        work()
    except Exception as error:  # noqa: BLE001 - as the edge of the service does
        answer = refusal(error, "id")
        assert isinstance(answer.body, bytes)
        return answer.status, answer.body.decode().partition('"detail":"')[2].removesuffix('"}')
    return 200, ""


def add(database: Database, name: str) -> Callable[[], object]:
    return lambda: database.write(lambda conn: users.create(conn, name, STAMP, first_name="x" * 100))


def fill(database: Database) -> Callable[[], object]:
    def work(conn: Connection) -> None:
        for number in range(2000):
            users.create(conn, f"{number}", STAMP, first_name="x" * 100)

    return lambda: database.write(work)


@pytest.fixture
def books(sqlite_factory: Factory) -> Path:
    return Path(sqlite_factory.fresh().removeprefix("sqlite:///"))


def test_a_full_database_is_called_full_and_goes_on_with_room(books: Path) -> None:
    with opened(f"sqlite:///{books}") as database:
        assert isinstance(database, SqliteDatabase)
        conn, _ = database._writing()
        pages = conn.fetch("PRAGMA page_count")[1][0][0]
        conn.fetch(f"PRAGMA max_page_count = {pages}")
        assert outcome(fill(database)) == FULL
        conn.fetch("PRAGMA max_page_count = 100000")
        assert outcome(add(database, "one")) == (200, "")


def test_a_disk_that_fails_is_not_busy(books: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with opened(f"sqlite:///{books}") as database:
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, hard))
            status, detail = outcome(fill(database))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
            signal.signal(signal.SIGXFSZ, before)
        assert (status, detail.partition(" (")[0]) == (503, "The disk of the database does not work")
        assert outcome(add(database, "one")) == (200, "")


READ = """
set -e
mount -t tmpfs -o size=2m tmpfs "$2"
cp "$3" "$2/books"
dd if=/dev/zero of="$2/fill" bs=4096 2>&1 || true
"$1" -c "$4" "$2/books"
"""
READER = """
import sys
from acctcli.service.store.engine.opening import open_database
database = open_database(f"sqlite:///{sys.argv[1]}")
try:
    with database.read() as conn:
        conn.fetch("SELECT count(*) FROM users")
except Exception as error:
    print(type(error).__name__, error.detail)
"""
# of its own, which goes with the command
OWN_DISK = ("unshare", "--map-root-user", "--mount")


@pytest.fixture
def _own_disk() -> None:
    if shutil.which("unshare") is None or subprocess.run([*OWN_DISK, "true"], check=False).returncode:
        pytest.skip("this user cannot have a disk of their own")


COPY = 'mount -t tmpfs -o size=64k tmpfs "$2"; "$1" -c "$4" "$3" "$2"'
COPIER = """
import sys
from pathlib import Path
from acctcli.errors import AcctcliError
from acctcli.service.store.engine.snapshots import copy_out
try:
    copy_out(Path(sys.argv[1]), Path(sys.argv[2]) / "copy")
except AcctcliError as error:
    print(error.exit_code, error.message, [path.name for path in Path(sys.argv[2]).iterdir()])
"""


@pytest.mark.usefixtures("_own_disk")
def test_a_copy_that_finds_no_room_names_the_disk_that_is_full(books: Path, tmp_path: Path) -> None:
    command = [*OWN_DISK, "sh", "-c", COPY, "sh", sys.executable, str(tmp_path), str(books), COPIER]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout == f"1 cannot write {tmp_path}: No space left on device []\n"


@pytest.mark.usefixtures("_own_disk")
def test_a_full_disk_is_called_full_also_by_who_reads(books: Path, tmp_path: Path) -> None:
    command = [*OWN_DISK, "sh", "-c", READ, "sh", sys.executable, str(tmp_path), str(books), READER]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout.endswith(f"DiskFull {FULL[1]}\n")


WRITE = """
set -e
mount -t tmpfs -o size=2m tmpfs "$2"
cp "$3" "$2/books"
strace -f -qq -o /dev/null -P "$2/books-wal" -e trace=fdatasync,fsync -e inject=fdatasync,fsync:error=EIO:when=2+ \\
    "$1" -c "$4" "$2/books"
"""
WRITER = """
import os, shutil, sys
from pathlib import Path
from acctcli.service.store.engine.opening import open_database
from acctcli.service.store.people import users
books = Path(sys.argv[1])
database = open_database(f"sqlite:///{books}")
with database.read() as conn:
    conn.fetch("SELECT count(*) FROM users")
with books.with_name("fill").open("wb") as fill:
    os.posix_fallocate(fill.fileno(), 0, shutil.disk_usage(books).free - 28 * 1024)
try:
    database.write(lambda conn: users.create(conn, "one", "2026"))
except Exception as error:
    print(type(error).__name__, error.detail)
# as it is found after a crash
books.with_name("fill").unlink()
for end in ("", "-wal"):
    shutil.copy(f"{books}{end}", f"{books}-found{end}")
database = open_database(f"sqlite:///{books}-found")
with database.read() as conn:
    print(conn.fetch("SELECT email FROM users")[1])
"""


def test_of_a_change_whose_log_may_be_read_after_a_crash_nobody_says_that_it_was_not_made(
    books: Path, tmp_path: Path
) -> None:
    require_program("strace")
    if shutil.which("unshare") is None or subprocess.run([*OWN_DISK, "true"], check=False).returncode:
        pytest.skip("this user cannot have a disk of their own")
    command = [*OWN_DISK, "sh", "-c", WRITE, "sh", sys.executable, str(tmp_path), str(books), WRITER]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout.splitlines()[-2:] == [
        "Unavailable The disk of the database does not work (SQLITE_IOERR).",
        "[('one',)]",
    ]


def test_a_damaged_database_is_called_damaged(books: Path) -> None:
    with opened(f"sqlite:///{books}") as database:
        add(database, "one")()
    size = books.stat().st_size
    with books.open("r+b") as file:
        file.seek(4096)
        file.write(os.urandom(size - 4096))
    with opened(f"sqlite:///{books}") as database:
        for work in (add(database, "two"), lambda: read(database)):
            status, detail = outcome(work)
            assert (status, detail.partition(".")[0]) == (500, "The database is damaged")


def read(database: Database) -> None:
    with database.read() as conn:
        conn.fetch("SELECT count(*) FROM users WHERE first_name = 'x'")


@pytest.mark.parametrize(("state", "told"), [("53100", FULL), ("25006", READ_ONLY)])
def test_what_postgresql_refuses_is_told_alike(postgres_factory: Factory, state: str, told: tuple[int, str]) -> None:
    with opened(postgres_factory.fresh()) as database:
        text = f"DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '{state}'; END $$"
        assert outcome(lambda: database.write(lambda conn: conn.run(text))) == told


DEFERRED = """CREATE TABLE kept (id integer);
    CREATE FUNCTION ended() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {}; END $$;
    CREATE CONSTRAINT TRIGGER ended AFTER INSERT ON kept DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION ended()"""


def test_the_last_words_of_a_server_are_believed_before_the_commit(postgres_factory: Factory) -> None:
    with opened(postgres_factory.fresh()) as database:
        raised = "RAISE EXCEPTION 'no' USING ERRCODE = '53100'"
        database.write(lambda conn: conn.run(DEFERRED.format(raised)))
        for statement, told in {
            f"DO $$ BEGIN {raised}; END $$": FULL,
            "INSERT INTO kept VALUES (1)": (503, "The connection to the database was lost."),
        }.items():
            assert outcome(partial(database.write, partial(run_to_the_end, statement))) == told


def run_to_the_end(statement: str, conn: Connection) -> None:
    """Run a statement; the first error from then on ends the connection."""
    conn.run("SET LOCAL exit_on_error = on")
    conn.run(statement)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ('could not extend file "base/5/1259": No space left on device', FULL),
        ("the machine is too busy", (503, "The database cannot be reached.")),
    ],
)
def test_a_server_without_room_for_a_connection_is_called_full(
    postgres_factory: Factory, said: str, told: tuple[int, str]
) -> None:
    url = postgres_factory.fresh()
    with opened(url) as database, database.autocommit() as conn:
        raised = f"RAISE EXCEPTION '{said}' USING ERRCODE = '53100'"
        conn.run(f"CREATE FUNCTION ended() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN {raised}; END $$")
        conn.run("CREATE EVENT TRIGGER ended ON login EXECUTE FUNCTION ended()")
    with opened(url) as database:
        assert outcome(add(database, "one")) == outcome(lambda: read(database)) == told


@pytest.mark.parametrize(
    ("name", "says"),
    [("SQLITE_READONLY_DBMOVED", "was moved or deleted while it was in use"), ("SQLITE_READONLY", "not written here")],
)
def test_a_file_that_was_moved_is_not_called_read_only(name: str, says: str) -> None:
    # SQLite's name for it begins like that of what is read-only
    found = trouble(name)
    assert found is not None
    assert says in found.detail


def test_a_service_does_not_write_into_tables_that_a_newer_one_has_changed(factory: Factory) -> None:
    url = factory.fresh()
    with opened(url) as database:
        add(database, "one")()
        with opened(url) as newer, newer.exclusive() as conn:
            conn.run("ALTER TABLE users ADD COLUMN nickname VARCHAR(9)")
            conn.run("UPDATE schema_revision SET number = '9999'")
        status, detail = outcome(add(database, "two"))
        assert (status, detail[: len(NEWER)]) == (503, NEWER)
        with database.read() as conn:
            assert conn.fetch("SELECT email FROM users")[1] == [("one",)]
