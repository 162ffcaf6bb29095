"""The database as one SQLite file, shared by threads and processes.

Full sync on every commit. The rollback journal, not WAL, before SQLite 3.51.3: its WAL-reset fault can corrupt a
database that two connections write. With the rollback journal a commit needs every reader out of the file, so readers
of this process pass a gate that a commit closes, instead of meeting locks and sleeping.
"""

from __future__ import annotations

import os
import secrets
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from acctcli.errors import UsageError
from acctcli.service.problems import Unavailable
from acctcli.service.store.contents import settle
from acctcli.service.store.engine.batches import GroupCommit
from acctcli.service.store.engine.claims import close_claims, open_claims
from acctcli.service.store.engine.connection import Connection, DatabaseFault, IntegrityFault, Values, trouble
from acctcli.service.store.engine.database import BUSY_SECONDS, Database, check_revision
from acctcli.service.store.engine.driver import sqlite3
from acctcli.service.store.engine.marks import Marks
from acctcli.service.store.engine.turns import Gate, Slot
from acctcli.service.store.events import Mark, without_key

T = TypeVar("T")
Look = Callable[[], None]

SAFE_WAL = (3, 51, 3)
IDLE_READERS = 16
# Short, and repeated by `_patiently`: SQLite's own waiting sleeps up to 0.1 s between tries, and a process that
# waits so rarely looks would starve beside a busy writer
WRITER_BUSY_SECONDS = 0.005
# of the write-ahead log, before it goes into the database: pages that change in every write go there once for all
LOG_PAGES = 4000
# by which the index of the write-ahead log grows
INDEX_BYTES = 32768


# columns declared so come back as what they are, and days are stored as text
TYPED = sqlite3.PARSE_DECLTYPES | sqlite3.PARSE_COLNAMES
sqlite3.register_converter("BOOLEAN", b"1".__eq__)
sqlite3.register_converter("DATE", lambda text: date.fromisoformat(text.decode()))
sqlite3.register_adapter(date, date.isoformat)
# without one the driver asks the value whether it adapts itself, three times as long
sqlite3.register_adapter(bool, int)
sqlite3.register_adapter(type(None), lambda none: none)
sqlite3.register_adapter(bytes, lambda content: content)


class SqliteConnection(Connection):
    """A connection of sqlite3, which begins no transactions by itself."""

    dialect = "sqlite"
    errors = sqlite3.Error

    def __init__(self, driver: sqlite3.Connection, marks: Marks) -> None:
        super().__init__(driver, marks)
        # every result is read at once: to make a cursor for each takes as long as a small statement
        self._execute = driver.cursor().execute

    def fault(self, error: sqlite3.Error) -> DatabaseFault:
        """Return what an error means."""
        name = error_name(error, self.driver)
        if not isinstance(error, sqlite3.IntegrityError):
            return DatabaseFault(error, name)
        # pysqlite3 does not say which constraint it was but in words
        which, failed, _ = str(error).partition(" constraint failed")
        return IntegrityFault(error, f"SQLITE_CONSTRAINT_{which.replace(' ', '')}" if failed else name)

    def insert(self, text: str, values: Values) -> int:
        """Run a statement that inserts a row; return its id, which is that of the row wherever there is one."""
        try:
            number: int = self._execute(text, values).lastrowid
        except sqlite3.Error as error:
            raise self.fault(error) from error
        return number

    def _long(self) -> Any:
        return self.driver.cursor()


class WriteTransaction:
    """The transactions of the one connection that writes."""

    def __init__(
        self, conn: Connection, gate: Gate | None, before: Look | None = None, check: Look | None = None
    ) -> None:
        self._driver: sqlite3.Connection = conn.driver
        self._memory = conn.memory
        self._gate = gate
        self._before = before
        self._check = check

    def begin(self) -> None:
        """Take SQLite's write lock, unless `before` raises; what `check` raises then gives it back."""
        if self._before is not None:
            self._before()
        self._memory.clear()
        _patiently(self._driver, "BEGIN IMMEDIATE")
        if self._check is not None:
            self._check()

    def commit(self) -> None:
        """Write to disk, with no reader of this process in the way."""
        if self._gate is None:
            _patiently(self._driver, "COMMIT")
        else:
            with self._gate.alone():
                _patiently(self._driver, "COMMIT")

    def rollback(self) -> None:
        """Take everything back."""
        self._memory.clear()
        if self._driver.in_transaction:
            with _explained(self._driver):
                self._driver.execute("ROLLBACK")

    def savepoint(self) -> None:
        """Mark a place; marks of the same name nest."""
        self._driver.execute("SAVEPOINT work")

    def rollback_to_savepoint(self) -> None:
        """Take back what followed the newest mark."""
        self._memory.clear()
        self._driver.execute("ROLLBACK TO work")
        self._driver.execute("RELEASE work")

    def is_open(self) -> bool:
        """Whether SQLite has not given the transaction up by itself."""
        return self._driver.in_transaction


def _patiently(driver: sqlite3.Connection, statement: str) -> None:
    """Run a statement that other processes may hold up; Unavailable after 30 seconds, or at once when more is wrong."""
    deadline = time.monotonic() + BUSY_SECONDS
    with _explained(driver, is_end=statement == "COMMIT"):
        while True:
            try:
                driver.execute(statement)
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise


def error_name(error: Exception, driver: sqlite3.Connection, *, is_end: bool = False) -> str | None:
    """Return SQLite's name of an error.

    pysqlite3 says of a write-ahead log whose index cannot grow, which also who reads needs, that the disk fails. At the
    end of a transaction that is what is said: the log may hold it already, and whoever opens it after a crash takes it.
    """
    name: str | None = getattr(error, "sqlite_errorname", None)
    if name is not None and name.startswith("SQLITE_IOERR") and not is_end:
        path = driver.execute("PRAGMA database_list").fetchone()[2]
        if path and shutil.disk_usage(path).free < INDEX_BYTES:
            return "SQLITE_FULL"
    return name


@contextmanager
def _explained(driver: sqlite3.Connection, *, is_end: bool = False) -> Iterator[None]:
    """Raise Unavailable for an error of the driver, which says what is wrong with the disk where it is that."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:  # what is damaged may be quoted, and be no text
        name = "SQLITE_CORRUPT" if isinstance(error, UnicodeError) else error_name(error, driver, is_end=is_end)
        raise (trouble(name) or Unavailable()) from error


def marker(database: Path) -> Path:
    """Return the file that says of a database that there is one, and which."""
    return database.with_name(f"{database.name}-begun")


def lost(database: Path, how: str) -> UsageError:
    """Return what is said of books that were there."""
    return UsageError(
        f"the books {database} are {how}, and there were books here",
        hint="bring them back with: acctcli local restore FILE; or begin new ones with: acctcli local reset --yes",
    )


class SqliteDatabase(Database):
    """One file; readers have connections of their own, writers share one."""

    dialect = "sqlite"

    def __init__(self, url: str) -> None:
        super().__init__()
        name = url.partition("://")[2].removeprefix("/")
        if not name or name == ":memory:":
            raise UsageError("the database must be a file", hint="write sqlite:///<path>")
        self._path = Path(name)
        self.name = name
        self._has_wal = sqlite3.sqlite_version_info >= SAFE_WAL
        self._begun = self._marker.exists()
        self._create_file()
        self._identity = self._look()
        self._cookie: int | None = None
        self._claims = open_claims(self._path.with_name(self._path.name + "-claims"))
        self._gate = None if self._has_wal else Gate()
        self._slot = Slot()
        self._idle: list[Connection] = []
        self._opening = threading.Lock()
        self._writer: Connection | None = None
        self._batches: GroupCommit | None = None

    @property
    def _marker(self) -> Path:
        return marker(self._path)

    def _look(self) -> tuple[int, int]:
        """Return which file has the name of this database."""
        try:
            facts = os.stat(self._path)  # noqa: PTH116 - in every transaction, and a Path takes twice as long
        except FileNotFoundError:
            return 0, 0
        return facts.st_dev, facts.st_ino

    def _check_file(self) -> None:
        """Refuse to go on in a file that has another name now, or none: nobody would ever find what it says."""
        if self._look() != self._identity:
            raise Unavailable("The file of the database is gone, or another has its name. Start the service again.")

    def migrate(self, marker: Callable[[], Mark] = without_key, noted: Path | None = None) -> None:
        """Bring the schema to the newest revision, and mark that there are books, so that they are missed.

        Raises UsageError also for a database that has lost all it held.
        """
        super().migrate(marker, noted)
        if not self._begun:
            settle(self._marker, secrets.token_hex(8).encode())

    def place(self) -> str:
        """Return what the file says that says that there are books."""
        return self._marker.read_text("ascii")

    def _loss(self) -> UsageError | None:
        """Books do not become empty by themselves."""
        return lost(self._path, "empty") if self._begun else None

    def _create_file(self) -> None:
        """Create the file for its owner only; SQLite would ask the umask.

        A file that is there is not opened: to close it would free every lock that this process holds on it, and
        another process could take the write-ahead log for its own.
        """
        if self._begun and not self._path.exists():
            raise lost(self._path, "missing")
        try:
            os.close(os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError:
            if self._path.is_dir() or not os.access(self._path, os.R_OK | os.W_OK):
                text = "it is no file that you may read and write"
                raise UsageError(f"cannot open the database {self._path}: {text}") from None
        except OSError as error:
            raise UsageError(f"cannot open the database {self._path}: {error.strerror}") from error

    def _connect(self, busy: float = BUSY_SECONDS) -> Connection:
        """Open a connection; the short patience of the writer begins when it is set up."""
        driver = sqlite3.connect(
            self._path, isolation_level=None, check_same_thread=False, cached_statements=512, detect_types=TYPED
        )
        journal = "WAL" if self._has_wal else "PERSIST"
        for pragma in (
            f"busy_timeout = {BUSY_SECONDS * 1000}",
            f"journal_mode = {journal}",
            f"wal_autocheckpoint = {LOG_PAGES}",
            f"journal_size_limit = {LOG_PAGES * 4096}",
            "synchronous = FULL",
            "foreign_keys = ON",
            "cache_spill = OFF",  # a spill would lock readers out long before the commit
            "temp_store = MEMORY",  # what savepoints need to go back is not worth a file
            f"busy_timeout = {int(busy * 1000)}",
        ):
            _patiently(driver, f"PRAGMA {pragma}")
        return SqliteConnection(driver, self.marks)

    @contextmanager
    def read(self, claim: int | None = None) -> Iterator[Connection]:
        """Open one consistent read transaction on an idle connection."""
        self._check_file()
        with self._claims.hold(claim), self._slot.held(), self._through_gate(), self._reader() as conn:
            conn.run("BEGIN")
            try:
                yield conn
            finally:
                conn.run("ROLLBACK")

    def _through_gate(self) -> AbstractContextManager[None]:
        return nullcontext() if self._gate is None else self._gate.passed()

    @contextmanager
    def _reader(self) -> Iterator[Connection]:
        try:
            conn = self._idle.pop()
        except IndexError:
            conn = self._connect()
        try:
            yield conn
        finally:
            if len(self._idle) < IDLE_READERS:
                self._idle.append(conn)
            else:
                conn.close()

    def write(self, work: Callable[[Connection], T], *, claim: int | None = None) -> T:
        """Run `work` in the shared write transaction."""
        conn, batches = self._writing()
        with self._claims.hold(claim):
            return batches.run(lambda: self._in_slot(work, conn))

    def submit(
        self, work: Callable[[Connection], T], told: Callable[[Callable[[], T]], None], *, claim: int | None = None
    ) -> None:
        """Leave `work` behind for the shared write transaction."""
        conn, batches = self._writing()
        free = self._claims.take(claim)

        def free_and_tell(outcome: Callable[[], T]) -> None:
            free()
            told(outcome)

        try:
            batches.submit(partial(work, conn), free_and_tell)
        except Unavailable:
            free()
            raise

    def _in_slot(self, work: Callable[[Connection], T], conn: Connection) -> T:
        """Run a work, but not its wait for the disk, in the slot for computing."""
        with self._slot.held():
            return work(conn)

    def hold(self, claim: int | None) -> AbstractContextManager[None]:
        """Hold a claim outside any transaction."""
        return self._claims.hold(claim)

    def _writing(self) -> tuple[Connection, GroupCommit]:
        with self._opening:
            if self._writer is None or self._batches is None:
                self._check_file()
                self._writer = self._connect(WRITER_BUSY_SECONDS)
                self._writer.memory = {}  # nobody else writes in its transactions
                check = partial(self._check_revision, self._writer)
                self._batches = GroupCommit(WriteTransaction(self._writer, self._gate, self._check_file, check))
            return self._writer, self._batches

    def _check_revision(self, conn: Connection) -> None:
        """Refuse to write what another acctcli has changed the tables of; their number is read when they changed."""
        cookie = conn.fetch("PRAGMA schema_version")[1][0][0]
        if cookie != self._cookie:
            check_revision(conn.fetch("SELECT number FROM schema_revision")[1][0][0])
            self._cookie = cookie

    @contextmanager
    def autocommit(self) -> Iterator[Connection]:
        """Open a connection outside any transaction."""
        with self._reader() as conn:
            yield conn

    @contextmanager
    def exclusive(self) -> Iterator[Connection]:
        """Open a write transaction on a connection of its own."""
        conn = self._connect()
        # a migration changes more than memory should hold
        conn.run("PRAGMA cache_spill = ON")
        conn.run("PRAGMA temp_store = FILE")
        transaction = WriteTransaction(conn, self._gate)
        try:
            transaction.begin()
            yield conn
            transaction.commit()
        finally:
            transaction.rollback()
            conn.close()

    def close(self) -> None:
        """Close every idle connection, the writer, and the claims."""
        while self._idle:
            self._idle.pop().close()
        with self._opening:
            if self._batches is not None:
                self._batches.close()
            if self._writer is not None:
                self._writer.close()
            self._writer = self._batches = None
        close_claims(self._claims)
