"""A database and work in its transactions: what everything above the store sees of either kind.

* `with database.read() as conn:` is one consistent snapshot;
* `database.write(work)` runs `work(conn)` in one transaction and returns its result once it is durable;
* `database.submit(work, told)` does not wait for that where it need not, and `told` learns how it ended;
* `claim=` on any holds a number for the length of the transaction, visible to every other process, and dies with
  the process that holds it; a claim that someone else holds raises `InFlight`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import TypeVar

from acctcli.errors import AcctcliError, NetworkError, ServerFault, UsageError
from acctcli.service.problems import Problem, ReadOnly, Unavailable
from acctcli.service.store.engine.connection import Connection, DatabaseFault, explain
from acctcli.service.store.engine.marks import Marks
from acctcli.service.store.events import Mark, without_key

__all__ = ["BUSY_SECONDS", "Connection", "Database"]

T = TypeVar("T")

BUSY_SECONDS = 30


class Database(ABC):
    """One open database; `name` says which one to people, without secrets."""

    dialect: str
    name: str

    def __init__(self) -> None:
        self.marks = Marks()

    @abstractmethod
    def read(self, claim: int | None = None) -> AbstractContextManager[Connection]:
        """Open one consistent read transaction."""

    @abstractmethod
    def write(self, work: Callable[[Connection], T], *, claim: int | None = None) -> T:
        """Run `work` in one transaction; return its result after the commit is durable.

        Whatever `work` raises rolls back what it did and nothing else. `work` may run again from the start
        (PostgreSQL, after a deadlock), so it must not change anything outside the connection.
        """

    def submit(
        self, work: Callable[[Connection], T], told: Callable[[Callable[[], T]], None], *, claim: int | None = None
    ) -> None:
        """Run `work` as `write` does, and call `told` with what returns its result, or raises.

        Where writers share commits that is later, in another thread, and InFlight is raised here. `told` calls once
        what it gets, and must not raise.
        """
        told(partial(self.write, work, claim=claim))

    @abstractmethod
    def hold(self, claim: int | None) -> AbstractContextManager[None]:
        """Hold a claim for longer than one transaction; None holds nothing."""

    @abstractmethod
    def place(self) -> str:
        """Return what tells this database apart from every other one, in letters that a file name may have.

        It stays what it is when a backup is restored into it.
        """

    @abstractmethod
    def close(self) -> None:
        """Give every connection back."""

    def migrate(self, marker: Callable[[], Mark] = without_key, noted: Path | None = None) -> None:
        """Bring the schema to the newest revision; `marker` makes what marks the trails of books that have none yet.

        Raises NetworkError when the database cannot be reached, UsageError when it is newer than this program,
        Incomplete when it is older than its trails, of which the file `noted` tells.
        """
        from acctcli.service.store.migrations import HEAD, current_revision, upgrade

        try:
            with self.autocommit() as conn:
                found = current_revision(conn)
            if found is None and (lost := self._loss()):
                raise lost
            if found != HEAD:
                with self.exclusive() as conn:
                    upgrade(conn, marker, noted)
        except (Unavailable, DatabaseFault) as error:
            raise self._unusable(error) from error

    def _loss(self) -> UsageError | None:
        """Return what is wrong with an empty database that is not new."""
        return None

    def _unusable(self, error: Exception) -> AcctcliError | Exception:
        problem = explain(error) or error
        if isinstance(problem, ReadOnly):
            return not_writable(self.name)
        if type(problem) is Unavailable and self.dialect == "postgresql":
            return NetworkError(problem.detail)
        return ServerFault(f"{self.name}: {problem.detail}") if isinstance(problem, Problem) else problem

    @abstractmethod
    def autocommit(self) -> AbstractContextManager[Connection]:
        """Open a connection outside any transaction."""

    @abstractmethod
    def exclusive(self) -> AbstractContextManager[Connection]:
        """Open a transaction that no other process can share, for migrations."""


def not_writable(name: str) -> UsageError:
    """Return what is said of a database that may be read only."""
    hint = "reading takes rights to write, too: to the file, to its folder and to what lies beside it"
    return UsageError(f"{name} may be read and not written here", hint=hint)


def check_revision(found: str | None) -> None:
    """Refuse to write into tables that are not those of this program, as after another one has migrated them."""
    from acctcli.service.store import migrations

    if found != migrations.HEAD:
        text = f"The database has revision {found or 'none'} now, this service knows {migrations.HEAD}"
        raise Unavailable(f"{text}: start it again, with the newest acctcli.")
