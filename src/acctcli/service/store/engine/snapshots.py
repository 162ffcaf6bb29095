"""Copies of a SQLite database, made while it may be in use."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from acctcli.errors import UsageError
from acctcli.service.store.engine.database import BUSY_SECONDS
from acctcli.service.store.engine.driver import sqlite3


def copy_out(database: Path, target: Path) -> int:
    """Write a whole, checked copy of a database to a new file and return its size in bytes.

    Raises UsageError when there is no database, the target exists, or the copy is damaged.
    """
    if not database.exists():
        raise UsageError(f"there is no database {database}")
    if target.exists():
        raise UsageError(f"{target} exists already", hint="choose another name: a backup is never overwritten")
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        _create(draft)
        _copy(database, draft)
        _make_whole(draft)
        _check(draft, database)
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
    return target.stat().st_size


def copy_in(source: Path, database: Path) -> None:
    """Replace the content of a database by a copy, in one transaction that its other users wait for.

    Raises UsageError when the source is no whole database of this program.
    """
    if not source.is_file():
        raise UsageError(f"there is no file {source}")
    _check(source, source)
    _copy(source, database)


def _create(path: Path) -> None:
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError as error:
        raise UsageError(f"cannot write {path.parent}: {error.strerror}") from error


def content_names(database: Path) -> list[str]:
    """Return the names of what the files of a database hold; none when it cannot be read, which others tell."""
    try:
        with _opened(database, _mode(database)) as conn:
            return [name for (name,) in conn.execute("SELECT content_name FROM attachment")]
    except sqlite3.Error:
        return []


@contextmanager
def _opened(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    """Open a file that exists; `mode` is ro or rw."""
    address = f"{path.resolve().as_uri()}?mode={mode}"
    with contextlib.closing(sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS)) as conn:
        conn.execute("PRAGMA synchronous = FULL")
        yield conn


def _mode(path: Path) -> str:
    # to write is needed for a journal that a crash has left behind
    return "rw" if os.access(path, os.W_OK) else "ro"


def _copy(source: Path, target: Path) -> None:
    with _opened(source, _mode(source)) as from_conn, _opened(target, "rw") as to_conn:
        from_conn.backup(to_conn)


def _make_whole(path: Path) -> None:
    """Leave nothing of a copy in other files: with a write-ahead log it would need two beside it to be read."""
    with _opened(path, "rw") as conn:
        conn.execute("PRAGMA journal_mode = DELETE")


def _check(path: Path, named: Path) -> None:
    """Refuse a file that is damaged or not a database of this program; of a draft the one it copies is `named`."""
    try:
        with _opened(path, "ro") as conn:
            known = conn.execute("SELECT count(*) FROM sqlite_master WHERE name = 'schema_revision'").fetchone()[0]
            sound = known and conn.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    except sqlite3.DatabaseError as error:
        raise UsageError(f"{named} is not a database: {error}") from error
    if not sound:
        raise UsageError(f"{named} is not a whole database of this program")
