"""Databases for tests: fresh copies of an empty, migrated one, which are gone when nobody needs them any more."""

from __future__ import annotations

import contextlib
import itertools
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import psycopg
from psycopg.sql import SQL, Identifier

from acctcli.service.store.engine.database import Connection, Database
from acctcli.service.store.engine.opening import open_database
from acctcli.service.store.engine.sqlite import SqliteDatabase
from tests.postgres import Cluster, give, held_folder, put_away_leftovers

KINDS = ("sqlite", "postgresql")
TEMPLATE = "template"
# nobody pulls the plug of a test's server, and its databases are gone before they need care
SPARED = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    # what is read lies in memory: nobody else has to fetch it
    "io_method": "sync",
    # in its folder, with which it goes however the server ends
    "dynamic_shared_memory_type": "mmap",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "min_wal_size": "2MB",
    "max_wal_size": "64MB",
}

# a database is dropped after as many tests: what was deleted stays in its files
LIVES = 50
# deletes all rows, whatever triggers and references say, and begins all ids anew
EMPTY = """
DO $$ DECLARE one regclass; BEGIN
    SET session_replication_role = replica;
    FOR one IN SELECT oid FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND pg_relation_size(oid) > 0
    LOOP EXECUTE 'DELETE FROM ' || one; END LOOP;
    PERFORM setval(seqrelid, seqstart, false) FROM pg_sequence WHERE pg_sequence_last_value(seqrelid) IS NOT NULL;
END $$
"""
TABLES = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"
NUMBERS = "SELECT seqrelid::regclass::text, pg_sequence_last_value(seqrelid) FROM pg_sequence"
# how many there are in catalogs, and who wrote there last; of what was counted for plans, nothing else
SHAPE = (
    " UNION ALL ".join(
        f"SELECT count(*), max(xmin::text::bigint) FROM {catalog}"
        for catalog in ("pg_class", "pg_attribute", "pg_attrdef", "pg_constraint", "pg_index", "pg_trigger", "pg_proc")
    )
    + " UNION ALL SELECT count(*), 0 FROM pg_statistic"
)


class Factory(Protocol):
    """Makes databases of one kind; `fresh` gives the URL of an empty, migrated one, `bare` of one without tables."""

    def fresh(self) -> str: ...

    def bare(self) -> str: ...


class Lasting(Factory, Protocol):
    """One whose databases stay until they are dropped."""

    def drop(self, url: str) -> None: ...


class SqliteFactory:
    """Databases as files of a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = itertools.count()
        self._template = folder / "template.sqlite3"
        migrate(f"sqlite:///{self._template}")

    def fresh(self) -> str:
        path = self._path()
        shutil.copy(self._template, path)
        return f"sqlite:///{path}"

    def bare(self) -> str:
        return f"sqlite:///{self._path()}"

    def drop(self, url: str) -> None:
        path = Path(url.removeprefix("sqlite:///"))
        for one in path.parent.glob(f"{path.name}*"):
            one.unlink()

    def _path(self) -> Path:
        return self._folder / f"books{next(self._numbers)}.sqlite3"


class PostgresFactory:
    """Databases of a server of its own, reached over a Unix socket.

    To make one and to drop it costs more than most tests: one that was only written into is emptied for the next test.
    """

    def __init__(self, cluster: Cluster, conn: psycopg.Connection[Any]) -> None:
        self._cluster = cluster
        self._conn = conn
        self._numbers = itertools.count()
        # how often each that was made from the template may still be lent, and those that are empty again
        self._lives: dict[str, int] = {}
        self._empty: list[str] = []
        migrate(template := self._create(TEMPLATE))
        with psycopg.connect(template) as opened_once:
            self._template = Template(opened_once)

    def fresh(self) -> str:
        if self._empty:
            return self._empty.pop()
        url = self._create(self._name(), template=TEMPLATE)
        self._lives[url] = LIVES
        return url

    def bare(self) -> str:
        return self._create(self._name())

    def drop(self, url: str) -> None:
        if self._lives.get(url) and self._emptied(url):
            self._lives[url] -= 1
            self._empty.append(url)
            return
        self._lives.pop(url, None)
        self._conn.execute(f"DROP DATABASE {_name_in(url)} WITH (FORCE)")

    def _emptied(self, url: str) -> bool:
        """Whether a database is now as it was made; one in which something else than rows has changed never is."""
        ends = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = %s"
        self._conn.execute(ends, [_name_in(url)])
        try:
            with psycopg.connect(url) as conn:
                return self._template.come_back_to(conn)
        except psycopg.OperationalError:  # nobody is let in any more
            return False

    def _name(self) -> str:
        return f"books{next(self._numbers)}"

    def _create(self, name: str, template: str = "template0") -> str:
        # a third of the work of copying it through the log
        self._conn.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
        return self._cluster.url(name)


def _name_in(url: str) -> str:
    return url.partition("@/")[2].partition("?")[0]


class Template:
    """What a migrated database holds before anybody writes into it."""

    def __init__(self, conn: psycopg.Connection[Any]) -> None:
        self._shape = conn.execute(SHAPE.encode()).fetchall()
        self._numbers = [row for row in conn.execute(NUMBERS) if row[1] is not None]
        self._rows = [
            (SQL("INSERT INTO {0} SELECT (%s::{0}).*").format(Identifier(table)), row)
            for (table,) in conn.execute(TABLES).fetchall()
            for row in conn.execute(SQL("SELECT one::text FROM {} one").format(Identifier(table))).fetchall()
        ]

    def come_back_to(self, conn: psycopg.Connection[Any]) -> bool:
        """Make a database what it was, unless more has changed there than its rows; return whether it is."""
        if conn.execute(SHAPE.encode()).fetchall() != self._shape:
            return False
        conn.execute(EMPTY.encode())
        for statement, row in self._rows:
            conn.execute(statement, row)
        for number in self._numbers:
            conn.execute("SELECT setval(%s, %s)", number)
        return True


class Lender:
    """Makes databases that are dropped when they are given back."""

    def __init__(self, lasting: Lasting) -> None:
        self._lasting = lasting
        self._lent: list[str] = []

    def fresh(self) -> str:
        return self._lend(self._lasting.fresh())

    def bare(self) -> str:
        return self._lend(self._lasting.bare())

    def _lend(self, url: str) -> str:
        self._lent.append(url)
        return url

    def take_back(self) -> None:
        for url in self._lent:
            self._lasting.drop(url)


@contextlib.contextmanager
def lent(lasting: Lasting) -> Iterator[Factory]:
    """Yield a factory whose databases are gone after the block."""
    lender = Lender(lasting)
    try:
        yield lender
    finally:
        lender.take_back()


def migrate(url: str) -> None:
    """Bring a database to the newest revision."""
    with contextlib.closing(open_database(url)) as database:
        database.migrate()


@contextlib.contextmanager
def postgres_server() -> Iterator[PostgresFactory]:
    """Run a server until the end of the block, after putting away those of runs that were killed."""
    put_away_leftovers()
    with held_folder() as folder:
        give(folder)
        cluster = Cluster(folder, SPARED)
        cluster.make()
        with cluster.started(signal.SIGQUIT), cluster.connected() as conn:
            yield PostgresFactory(cluster, conn)


@contextlib.contextmanager
def opened(url: str) -> Iterator[Database]:
    """Open a database for a block."""
    with contextlib.closing(open_database(url)) as database:
        yield database


def count_rows(database: Database) -> None:
    """Let PostgreSQL count what is in its tables, as it does by itself where nobody spares it.

    Without, it takes all tables to be of one size, and looks through the longest of them for each row of another.
    """
    if not isinstance(database, SqliteDatabase):
        with database.autocommit() as conn:
            conn.run("ANALYZE")


FULL_DISK = """CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;
    CREATE TRIGGER full_disk BEFORE INSERT ON stored_reply FOR EACH ROW EXECUTE FUNCTION full_disk()"""
ROOM = "DROP FUNCTION full_disk CASCADE"


@contextlib.contextmanager
def full(database: Database) -> Iterator[None]:
    """Leave no room in a database for a block: on SQLite none but that on its pages, else none for replies."""
    if isinstance(database, SqliteDatabase):
        conn, _ = database._writing()
        pages = conn.fetch("PRAGMA page_count")[1][0][0]
        conn.fetch(f"PRAGMA max_page_count = {pages}")
        yield
        conn.fetch("PRAGMA max_page_count = 1000000")
        return
    with database.autocommit() as conn:
        conn.run(FULL_DISK)
    yield
    with database.autocommit() as conn:
        conn.run(ROOM)


@contextlib.contextmanager
def locking(url: str, text: str) -> Iterator[int]:
    """Hold the rows that a statement locks on PostgreSQL for a block, as another process would; yield how many."""
    with psycopg.connect(url) as conn:
        yield len(conn.execute(text.encode()).fetchall())
        conn.rollback()


def at_once(database: Database, work: Callable[[Connection], Any]) -> Any:
    """Do something in a transaction on PostgreSQL that may wait for nobody."""

    def hurried(conn: Connection) -> Any:
        conn.run("SET LOCAL lock_timeout = '500ms'")
        return work(conn)

    return database.write(hurried)
