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
    """Databases of a server of its own, reached over a Unix socket."""

    def __init__(self, cluster: Cluster, conn: psycopg.Connection[Any]) -> None:
        self._cluster = cluster
        self._conn = conn
        self._numbers = itertools.count()
        migrate(self._create(TEMPLATE))

    def fresh(self) -> str:
        return self._create(self._name(), template=TEMPLATE)

    def bare(self) -> str:
        return self._create(self._name())

    def drop(self, url: str) -> None:
        name = url.partition("@/")[2].partition("?")[0]
        self._conn.execute(f"DROP DATABASE {name} WITH (FORCE)")

    def _name(self) -> str:
        return f"books{next(self._numbers)}"

    def _create(self, name: str, template: str = "template0") -> str:
        # a third of the work of copying it through the log
        self._conn.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
        return self._cluster.url(name)


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
