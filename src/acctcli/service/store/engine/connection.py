"""A connection to either database: SQL goes to the driver as text, its refusals come back as faults."""

from __future__ import annotations

import errno
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import PurePath
from typing import Any, ClassVar

from acctcli.service.problems import (
    UNCHANGED,
    Damaged,
    DiskFull,
    FileUnusable,
    Invalid,
    Precondition,
    Problem,
    ReadOnly,
    Unavailable,
)
from acctcli.service.store.engine.marks import Marks

Row = tuple[Any, ...]
# by their names, or in the order of their numbers
Values = Mapping[str, Any] | tuple[Any, ...]
Look = Callable[[list[Any]], None]

NOTHING: Values = {}
# rows taken at a time from a long result
PART = 2000


class DatabaseFault(Exception):
    """What a database refused; `name` is SQLite's name of the error, or PostgreSQL's SQLSTATE."""

    def __init__(self, error: Exception, name: str | None, *, is_lost: bool = False) -> None:
        super().__init__(str(error))
        self.name = name
        self.is_lost = is_lost


class IntegrityFault(DatabaseFault):
    """A row that a constraint or a trigger refused."""


class NoMemory(dict[Any, Any]):
    """What keeps nothing."""

    def __setitem__(self, key: Any, value: Any) -> None:
        """Let it go."""


class Connection(ABC):
    """One connection of a driver, used by one thread at a time.

    Statements are written in `statements`; here their text is in the driver's own form already. `marks` are those of
    the database. `memory` is what was read before in this transaction and is still so.
    """

    dialect: ClassVar[str]
    errors: ClassVar[type[Exception]]

    def __init__(self, driver: Any, marks: Marks) -> None:
        self.driver = driver
        self.marks = marks
        self.memory: dict[Any, Any] = NoMemory()
        self._execute = driver.execute

    @abstractmethod
    def fault(self, error: Any) -> DatabaseFault:
        """Return what an error of the driver means."""

    @abstractmethod
    def _long(self) -> Any:
        """Return a cursor that does not hold its whole result in memory."""

    @abstractmethod
    def insert(self, text: str, values: Values) -> int:
        """Run a statement that inserts a row; return its id."""

    def fetch(self, text: str, values: Values = NOTHING) -> tuple[Any, list[Row]]:
        """Run a statement; return the description of its columns and every row."""
        try:
            cursor = self._execute(text, values)
            return cursor.description, cursor.fetchall()
        except self.errors as error:
            raise self.fault(error) from error

    def run(self, text: str, values: Values = NOTHING) -> int:
        """Run a statement and return the number of rows it touched."""
        try:
            count: int = self._execute(text, values).rowcount
        except self.errors as error:
            raise self.fault(error) from error
        return count

    def run_many(self, text: str, rows: Sequence[Values]) -> None:
        """Run a statement once for each of the rows."""
        try:
            self.driver.cursor().executemany(text, rows)
        except self.errors as error:
            raise self.fault(error) from error

    def stream(self, text: str, values: Values, look: Look | None = None) -> Generator[Row, None, None]:
        """Run and yield the rows, taken a part at a time, and looked at; to be closed before the transaction ends."""
        cursor = self._long()
        try:
            cursor.execute(text, values)
            while rows := cursor.fetchmany(PART):
                if look is not None:
                    look(rows)
                yield from rows
        except self.errors as error:
            raise self.fault(error) from error
        finally:
            cursor.close()

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Take back what the block did, and nothing else, when it raises; read every result inside the block."""
        self.run("SAVEPOINT part")
        try:
            yield
        except BaseException:
            self.memory.clear()
            self.run("ROLLBACK TO SAVEPOINT part")
            self.run("RELEASE SAVEPOINT part")
            raise
        self.run("RELEASE SAVEPOINT part")

    def close(self) -> None:
        """Close the driver's connection."""
        self.driver.close()


# SQLite's names of what PostgreSQL calls unique_violation and foreign_key_violation
REFERENCES = frozenset(
    {
        "SQLITE_CONSTRAINT_UNIQUE",
        "SQLITE_CONSTRAINT_PRIMARYKEY",
        "SQLITE_CONSTRAINT_FOREIGNKEY",
        "23505",
        "23503",
    }
)
# A sum beyond 64 bits: SQLite makes it a float, which a check refuses, or gives up; PostgreSQL says out of range
OVERFLOWS = frozenset({"SQLITE_CONSTRAINT_CHECK", "22003", "23514"})
OVERFLOW_TEXT = "integer overflow"


# beginnings of SQLite's names, and SQLSTATEs: what is wrong with the disk or with the file, in the order they are asked
BUSY = ("SQLITE_BUSY", "SQLITE_LOCKED")
DAMAGED = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "XX001", "XX002")
FULL = ("SQLITE_FULL", "53100")
READ_ONLY = ("SQLITE_READONLY", "SQLITE_PERM", "25006")
FAILED = ("SQLITE_IOERR", "SQLITE_CANTOPEN", "58030")
GONE = ("SQLITE_READONLY_DBMOVED",)
LOST = "The connection to the database was lost."


def trouble(name: str | None) -> Unavailable | None:
    """Return what an error says about the disk or the file of the database; None when it says nothing of that."""
    name = name or ""
    if name.startswith(DAMAGED):
        return Damaged()
    if name.startswith(FULL):
        return DiskFull()
    if name.startswith(GONE):
        return Unavailable(f"The file of the database was moved or deleted while it was in use{UNCHANGED}")
    if name.startswith(READ_ONLY):
        return ReadOnly()
    if name.startswith(FAILED):
        return Unavailable(f"The disk of the database does not work ({name}).")
    return None


def explain(error: Exception | None) -> Problem | None:
    """Return the problem behind a database error; None when it is a fault of this program, or no database error."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, OSError) and isinstance(error.filename, str):
        # its name alone: where it is concerns nobody who calls over the network
        name = PurePath(error.filename).name
        is_full = error.errno in {errno.ENOSPC, errno.EDQUOT}
        return DiskFull() if is_full else FileUnusable(f"The file {name} of the service: {error.strerror}.")
    if not isinstance(error, DatabaseFault):
        return None
    if error.name in REFERENCES:
        return Precondition("Other records refer to this one, or it refers to one that is gone.")
    if (error.name in OVERFLOWS and "cents" in str(error)) or OVERFLOW_TEXT in str(error) or error.name == "22003":
        return Invalid.whole("The sum is too large to be kept.")
    if error.name in BUSY:
        return Unavailable()
    # the last words of a server may say more than that it is gone
    return trouble(error.name) or (Unavailable(LOST) if error.is_lost else None)
