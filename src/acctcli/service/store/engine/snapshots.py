"""Copies of a SQLite database, made while it may be in use, and what takes the place of one."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from acctcli.errors import AcctcliError, ServerFault, UsageError, unwritten
from acctcli.service.problems import ReadOnly, Unavailable
from acctcli.service.store.contents import flush_folders
from acctcli.service.store.engine import soundness
from acctcli.service.store.engine.connection import BUSY, DAMAGED, FULL, DatabaseFault, trouble
from acctcli.service.store.engine.database import BUSY_SECONDS, not_writable
from acctcli.service.store.engine.driver import sqlite3
from acctcli.service.store.engine.marks import Marks
from acctcli.service.store.engine.sqlite import TYPED, SqliteConnection, marker
from acctcli.service.store.events import Mark
from acctcli.settings.temporaries import new_temporary

if TYPE_CHECKING:
    from acctcli.service.store.trail import Doubt

# what SQLite keeps beside a database
COMPANIONS = ("-journal", "-wal", "-shm")
# how the name of a draft ends: what SQLite puts beside one is then known for a draft's, too
DRAFT = ""
# of a copy that others read beside
STEPS = 50
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
    draft = new_temporary(target.parent, DRAFT)
    try:
        with _told(database), _opened(database, _mode(database)) as conn:
            _draw(conn, draft)
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
    draft = new_temporary(folder or database.parent, DRAFT)
    try:
        with _told(source), _opened(source, _mode(source)) as conn:
            _draw(conn, draft)
        _check(draft, source)
        _fit(draft, source, _page_size(database))
        _upgrade(draft, source)
        flush_folders(draft.parent)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    return draft


def take_over(
    draft: Path, database: Path, moment: str, trail_marker: Callable[[], Mark], *, is_key_known: bool
) -> list[Doubt]:
    """Verify the trails of what was staged, and let them go on; return those that were not proved, or lack records.

    They are marked with the key that will be that of the books; `is_key_known` says that the backup came with it.
    """
    from acctcli.service.store import events, trail
    from acctcli.service.store.people import ending, jwt_keys, users

    here, replaced, withdrawn, settled = set[str](), dict[str, events.Head](), list[str](), list[str]()
    # of damaged books nothing is known
    with contextlib.suppress(sqlite3.Error, DatabaseFault), _opened(database, _mode(database)) as conn:
        there = SqliteConnection(conn, Marks())
        replaced = trail.newest_here(there)
        here = trail.begun_here(there, trail_marker())
        withdrawn = ending.withdrawn(there)
        settled = ending.settled(there)
    with _opened(draft, "rw") as conn:
        books = SqliteConnection(conn, Marks())
        user_id, name = users.local(books) or (None, "")
        author = events.Author(user_id, name, via="process", operation="local restore", marker=trail_marker)
        conn.execute("BEGIN")
        doubts = trail.take_over(books, moment, author, here=here, replaced=replaced, is_key_known=is_key_known)
        # nor does a key that was given up come back with the books of before
        ending.end_what_was_over(books, withdrawn, settled, moment, author)
        jwt_keys.begin(books, secrets.token_hex(8), moment)
        conn.execute("COMMIT")
    return doubts


def put(draft: Path, database: Path, kept: Path, keep: Callable[[Sequence[Held]], None]) -> Path | None:
    """Let what was staged take the place of a database, at once or not at all; return the file that has what was there.

    Books that can be opened are copied to `kept`, and replaced in one transaction that their other users wait for: it
    begins before the copy is made, so that nothing is in neither. `keep` is called in it, with the files of the copy.
    What cannot be opened is moved there. Raises ServerFault when the disk refuses: then the books are as before.
    """
    if not _is_readable(database):
        return _move_aside(draft, database, kept)
    _replace(draft, database, kept, keep)
    return kept


def clear(database: Path, trail_marker: Callable[[], Mark]) -> None:
    """Make a database empty and new, in one transaction that its other users wait for; what cannot be opened goes."""
    if not _is_readable(database):
        for path in (*_beside(database), database, marker(database)):
            path.unlink(missing_ok=True)
        if database.parent.exists():
            flush_folders(database.parent)
        return
    new = soundness.new_books(_page_size(database), trail_marker)
    with _told(database), contextlib.closing(new) as books, _opened(database, "rw") as conn:
        _copy(books, conn)
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
    except (sqlite3.Error, DatabaseFault) as error:
        name = (error.name or "") if isinstance(error, DatabaseFault) else _name(error)
        problem = Unavailable() if name in BUSY else trouble(name)
        if problem is None or name.startswith(DAMAGED):
            raise UsageError(f"{path} is not a whole database of this program: {error}") from error
        if isinstance(problem, ReadOnly):
            raise not_writable(str(path)) from error
        raise ServerFault(f"{path}: {problem.detail}") from error
    except ValueError as error:  # what stands in a column is none of its values
        raise UsageError(f"{path} is not a whole database of this program: {error}") from error
    except OSError as error:
        raise unwritten(f"cannot write {path}", error) from error


def _draw(source: sqlite3.Connection, draft: Path) -> None:
    """Copy a database to a new file that needs no other beside it: with a write-ahead log it would need two."""
    try:
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError as error:
        raise unwritten(f"cannot write {draft.parent}", error) from error
    with _opened(draft, "rw") as conn:
        # nobody needs a draft that is not whole, nor a journal of it
        conn.execute("PRAGMA journal_mode = MEMORY")
        try:
            _copy(source, conn)
        except sqlite3.Error as error:
            if _name(error).startswith(FULL):  # of the two only the draft grows
                full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                raise unwritten(f"cannot write {draft.parent}", full) from error
            raise
        conn.execute("PRAGMA journal_mode = DELETE")


@contextmanager
def _opened(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    """Open a file that exists; `mode` is ro or rw."""
    address = f"{path.resolve().as_uri()}?mode={mode}"
    conn = sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS, isolation_level=None, detect_types=TYPED)
    with contextlib.closing(conn):
        conn.execute("PRAGMA synchronous = FULL")
        yield conn


def _mode(path: Path) -> str:
    # to write is needed for a journal that a crash has left behind
    return "rw" if os.access(path, os.W_OK) else "ro"


def _copy(
    source: sqlite3.Connection, target: sqlite3.Connection, pages: int = -1, begun: Callable[[], None] | None = None
) -> None:
    """Copy all pages in one transaction of the target, so many in a step; `begun` is called after the first step."""
    first = [begun] if begun else []

    def watch(status: int, *_: int) -> None:
        # the driver would try again for ever, and each try has waited already
        if status & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise sqlite3.OperationalError("database is locked")
        if first:
            first.pop()()

    source.backup(target, pages=pages, progress=watch)


def _check(path: Path, named: Path) -> None:
    """Refuse a file that is damaged or not a database of this program; of a draft the one it copies is `named`."""
    with _told(named), _opened(path, "ro") as conn:
        known = conn.execute("SELECT count(*) FROM sqlite_master WHERE name = 'schema_revision'").fetchone()[0]
        sound = known and conn.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        if not sound or conn.execute("PRAGMA foreign_key_check").fetchone():
            raise UsageError(f"{named} is not a whole database of this program")


def _upgrade(draft: Path, named: Path) -> None:
    """Bring a copy to the newest revision; refuse one whose tables or triggers, or figures, then do not fit."""
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
        books = SqliteConnection(conn, Marks())
        if odd := soundness.odd_objects(books):
            raise UsageError(f"{named} has other tables or triggers than books have: {', '.join(odd[:5])}")
        if wrong := next(soundness.faults(books), None):
            raise UsageError(f"{named} is damaged: it has {wrong}", hint="restore another backup")


def _page_size(database: Path) -> int:
    """Return how large the pages of a database are; where none can be read, the usual ones."""
    if not _is_readable(database):
        return soundness.PAGE_SIZE
    with _told(database), _opened(database, "rw") as conn:
        return int(conn.execute("PRAGMA page_size").fetchone()[0])


def _fit(draft: Path, named: Path, page_size: int) -> None:
    """Give a copy pages of the size that the books have: with a write-ahead log they take no others."""
    with _told(named), _opened(draft, "rw") as conn:
        if conn.execute("PRAGMA page_size").fetchone()[0] != page_size:
            conn.execute(f"PRAGMA page_size = {page_size}")
            conn.execute("VACUUM")


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


def _replace(draft: Path, database: Path, kept: Path, keep: Callable[[Sequence[Held]], None]) -> None:
    """Copy the books to `kept` and the draft over them while nobody else can write."""
    copy = new_temporary(database.parent, DRAFT)

    def keep_from(conn: sqlite3.Connection) -> None:
        _draw(conn, copy)
        keep(held(copy))
        copy.replace(kept)
        flush_folders(kept.parent)

    def keep_beside() -> None:
        with _opened(database, "ro") as conn:
            keep_from(conn)

    try:
        with _told(database), _opened(draft, "ro") as source, _opened(database, "rw") as conn:
            if conn.execute("PRAGMA journal_mode").fetchone()[0] == "wal":
                # the first step takes the lock of writers, and others read what is there until the last one
                pages = source.execute("PRAGMA page_count").fetchone()[0] // STEPS
                _copy(source, conn, max(pages, 1), keep_beside)
            else:
                # nobody reads beside a writer, but this connection, which keeps its lock until it is closed
                conn.execute("BEGIN EXCLUSIVE")
                conn.execute("PRAGMA locking_mode = EXCLUSIVE")
                conn.execute("COMMIT")
                keep_from(conn)
                _copy(source, conn)
    except AcctcliError:
        # not after a signal, which may come when the books have been replaced
        kept.unlink(missing_ok=True)
        raise
    finally:
        copy.unlink(missing_ok=True)


def _move_aside(draft: Path, database: Path, kept: Path) -> Path | None:
    """A file that is not there or not readable has no transactions; its name changes hands in one step."""
    there = database.exists() and database.stat().st_size > 0
    with _told(database):
        for path in _beside(database):
            path.replace(kept.with_name(kept.name + path.name.removeprefix(database.name)))
        if there:
            _keep(database, kept)
        draft.replace(database)
        flush_folders(database.parent)
    return kept if there else None


def _keep(database: Path, kept: Path) -> None:
    try:
        os.link(database, kept)
    except OSError:
        # a disk without hard links: for a moment nothing has the name
        database.replace(kept)


def _beside(database: Path) -> list[Path]:
    return [path for end in COMPANIONS if (path := database.with_name(database.name + end)).exists()]
