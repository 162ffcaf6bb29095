"""Copies of a SQLite database, made while it may be in use, and what takes the place of one."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from acctcli.errors import ServerFault, UsageError
from acctcli.service.problems import Unavailable
from acctcli.service.store.contents import flush_folders
from acctcli.service.store.engine.connection import BUSY, DAMAGED, trouble
from acctcli.service.store.engine.database import BUSY_SECONDS
from acctcli.service.store.engine.driver import sqlite3
from acctcli.service.store.engine.marks import Marks
from acctcli.service.store.engine.sqlite import SqliteConnection, marker

# what SQLite keeps beside a database
COMPANIONS = ("-journal", "-wal", "-shm")
# pysqlite3 names no error of a backup but in words
NAMES = {
    "file is not a database": "SQLITE_NOTADB",
    "database disk image is malformed": "SQLITE_CORRUPT",
    "database or disk is full": "SQLITE_FULL",
    "disk I/O error": "SQLITE_IOERR",
    "database is locked": "SQLITE_BUSY",
    "attempt to write a readonly database": "SQLITE_READONLY",
}


class Held(NamedTuple):
    """A file of the books: its id and name, where its content lies, and the content's hash, None for a print."""

    id: int
    name: str
    content_name: str
    sha256: str | None


def copy_out(database: Path, target: Path) -> int:
    """Write a whole, checked copy of a database to a new file and return its size in bytes.

    Raises UsageError when there is no database, the target exists, or the copy is damaged; ServerFault when the disk
    refuses.
    """
    if not database.exists():
        raise UsageError(f"there is no database {database}")
    if target.exists():
        raise UsageError(f"{target} exists already", hint="choose another name: a backup is never overwritten")
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        _draw(database, draft)
        _check(draft, database)
        draft.replace(target)
        flush_folders(target.parent)
    finally:
        draft.unlink(missing_ok=True)
    return target.stat().st_size


def stage(source: Path, database: Path, folder: Path | None = None) -> Path:
    """Write a copy of a backup beside a database, brought to the newest revision and checked; return its path.

    With a `folder` it is written there.

    Raises UsageError when the backup is not whole, not of this program, of an unknown revision, or the database itself;
    then nothing is left.
    """
    if not source.is_file():
        raise UsageError(f"there is no file {source}")
    if database.exists() and source.samefile(database):
        hint = "restore takes a file that `acctcli local backup` wrote"
        raise UsageError(f"{source} is the file of the local books itself", hint=hint)
    draft = (folder or database.parent) / f"{database.name}.{os.getpid()}"
    try:
        _draw(source, draft)
        _check(draft, source)
        _upgrade(draft, source)
        flush_folders(draft.parent)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    return draft


def put(draft: Path, database: Path, kept: Path) -> Path | None:
    """Let what was staged take the place of a database, at once or not at all; return the file that has what was there.

    Books that can be opened are copied to `kept`, and replaced in one transaction that their other users wait for.
    What cannot be opened is moved there. Raises ServerFault when the disk refuses: then the books are as before.
    """
    try:
        return _replace(draft, database, kept) if _is_readable(database) else _move_aside(draft, database, kept)
    finally:
        draft.unlink(missing_ok=True)


def clear(database: Path) -> None:
    """Make a database empty and new, in one transaction that its other users wait for; what cannot be opened goes."""
    if not _is_readable(database):
        for path in (*_beside(database), database, marker(database)):
            path.unlink(missing_ok=True)
        if database.parent.exists():
            flush_folders(database.parent)
        return
    with _told(database), contextlib.closing(_new_books()) as books, _opened(database, "rw") as conn:
        books.backup(conn)
        conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def held(database: Path) -> list[Held]:
    """Return the files of the books; none when they cannot be read, which others tell."""
    try:
        with _opened(database, _mode(database)) as conn:
            return [Held(*row) for row in conn.execute("SELECT id, name, content_name, sha256 FROM attachment")]
    except sqlite3.Error:
        return []


def _name(error: sqlite3.Error) -> str:
    return getattr(error, "sqlite_errorname", None) or NAMES.get(str(error), "")


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Say what a disk or a file refuses, instead of what SQLite calls it."""
    try:
        yield
    except sqlite3.Error as error:
        name = _name(error)
        problem = Unavailable() if name in BUSY else trouble(name)
        if problem is None or name.startswith(DAMAGED):
            raise UsageError(f"{path} is not a whole database of this program: {error}") from error
        raise ServerFault(f"{path}: {problem.detail}") from error
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error


def _draw(source: Path, draft: Path) -> None:
    """Copy a database to a new file that needs no other beside it: with a write-ahead log it would need two."""
    try:
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError as error:
        raise UsageError(f"cannot write {draft.parent}: {error.strerror}") from error
    with _told(source):
        _copy(source, draft)
        with _opened(draft, "rw") as conn:
            conn.execute("PRAGMA journal_mode = DELETE")


@contextmanager
def _opened(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    """Open a file that exists; `mode` is ro or rw."""
    address = f"{path.resolve().as_uri()}?mode={mode}"
    with contextlib.closing(sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS, isolation_level=None)) as conn:
        conn.execute("PRAGMA synchronous = FULL")
        yield conn


def _mode(path: Path) -> str:
    # to write is needed for a journal that a crash has left behind
    return "rw" if os.access(path, os.W_OK) else "ro"


def _copy(source: Path, target: Path) -> None:
    with _opened(source, _mode(source)) as from_conn, _opened(target, "rw") as to_conn:
        from_conn.backup(to_conn)


def _check(path: Path, named: Path) -> None:
    """Refuse a file that is damaged or not a database of this program; of a draft the one it copies is `named`."""
    with _told(named), _opened(path, "ro") as conn:
        known = conn.execute("SELECT count(*) FROM sqlite_master WHERE name = 'schema_revision'").fetchone()[0]
        sound = known and conn.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        if not sound or conn.execute("PRAGMA foreign_key_check").fetchone():
            raise UsageError(f"{named} is not a whole database of this program")


def _upgrade(draft: Path, named: Path) -> None:
    """Bring a copy to the newest revision; refuse one whose tables, indexes or triggers are then not those of today."""
    from acctcli.service.store import migrations

    with _told(named), _opened(draft, "rw") as conn:
        (revision,) = conn.execute("SELECT number FROM schema_revision").fetchone() or (None,)
        early = conn.execute("SELECT 1 FROM sqlite_master WHERE name = ?", [migrations.BEFORE]).fetchone()
        if early or revision not in migrations.REVISIONS:
            raise UsageError(
                f"{named} has revision {revision}, this acctcli knows {migrations.HEAD}",
                hint="restore it with the acctcli that wrote it, or a newer one",
            )
        conn.execute("BEGIN")
        migrations.upgrade(SqliteConnection(conn, Marks()))
        conn.execute("COMMIT")
        with contextlib.closing(_new_books()) as expected:
            odd = sorted(name for (_, name), _ in _objects(conn) ^ _objects(expected))
        if odd:
            raise UsageError(f"{named} has other tables or triggers than books have: {', '.join(odd[:5])}")


def _new_books() -> sqlite3.Connection:
    """Return empty books of the newest revision, in memory."""
    from acctcli.service.store import migrations

    conn = sqlite3.connect(":memory:", isolation_level=None)
    migrations.upgrade(SqliteConnection(conn, Marks()))
    return conn


def _objects(conn: sqlite3.Connection) -> set[tuple[tuple[str, str], str]]:
    rows = conn.execute("SELECT type, name, coalesce(sql, '') FROM sqlite_master")
    return {((kind, name), " ".join(sql.split())) for kind, name, sql in rows if not name.startswith("sqlite_")}


def _is_readable(database: Path) -> bool:
    """Whether SQLite takes a file for a database that is not empty."""
    try:
        with _opened(database, "rw") as conn:
            return bool(conn.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
    except sqlite3.DatabaseError as error:
        if not database.exists() or _name(error).startswith(DAMAGED):
            return False
        with _told(database):
            raise


def _replace(draft: Path, database: Path, kept: Path) -> Path:
    try:
        _draw(database, kept)
        flush_folders(kept.parent)
        with _told(database):
            _copy(draft, database)
    except BaseException:
        kept.unlink(missing_ok=True)
        raise
    return kept


def _move_aside(draft: Path, database: Path, kept: Path) -> Path | None:
    """A file that is not there or not readable has no transactions; its name changes hands in one step."""
    there = database.exists() and database.stat().st_size > 0
    with _told(database):
        for path in _beside(database):
            path.replace(kept.with_name(kept.name + path.name.removeprefix(database.name)))
        if there:
            os.link(database, kept)
        draft.replace(database)
        flush_folders(database.parent)
    return kept if there else None


def _beside(database: Path) -> list[Path]:
    return [path for end in COMPANIONS if (path := database.with_name(database.name + end)).exists()]
