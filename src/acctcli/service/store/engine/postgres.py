"""The database on PostgreSQL: one pooled connection and one transaction per call, claims that last longer on another.

Writers of one business wait for each other at its row (`admission.lock`), so READ COMMITTED sees what the
one before did; readers get one snapshot for all their statements.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from itertools import count
from threading import BoundedSemaphore, Lock
from typing import Any, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.types.numeric import Int8Dumper

from acctcli.errors import UsageError
from acctcli.service.problems import DiskFull, InFlight, Unavailable
from acctcli.service.store.engine.connection import LOST, Connection, DatabaseFault, IntegrityFault, Values, explain
from acctcli.service.store.engine.database import BUSY_SECONDS, Database, check_revision
from acctcli.service.store.engine.statements import Statement

T = TypeVar("T")

RETRIES = 6
REPEATABLE = frozenset({"40001", "40P01"})  # serialization failure, deadlock: nothing of the transaction happened
MIGRATION_LOCK = 0x61636374
MOST_CONNECTIONS = 32
# what has lain idle for so many seconds is asked whether it still lives
TRUSTED_SECONDS = 1.0
# what a server says that has no room to begin a connection: its words are all there is, and its SQLSTATE is not told
NO_ROOM = "No space left on device"
# up to the last @: a password may hold what should have been escaped
PASSWORD = re.compile(r"(?i)(?<=://)([^:/?@]*:).*(?=@)|(password=)[^&]*")

BEGIN_READING = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
CLAIM = Statement("SELECT pg_try_advisory_xact_lock(:number)")
HOLD = Statement("SELECT pg_try_advisory_lock(:number)")
LET_GO = Statement("SELECT pg_advisory_unlock(:number)")
LOCK = Statement("SELECT pg_advisory_xact_lock(:number)")
PLACE = """SELECT concat_ws('-', system_identifier, database.oid, current_schema()::regnamespace::oid)
    FROM pg_control_system(), pg_database AS database WHERE database.datname = current_database()"""
# numbers for the cursors that the server keeps long results behind
CURSORS = count()


class PostgresConnection(Connection):
    """A connection of psycopg, which begins no transactions by itself."""

    dialect = "postgresql"
    errors = psycopg.Error

    def fault(self, error: psycopg.Error) -> DatabaseFault:
        """Return what an error means; a connection that was lost does not go back to the pool."""
        kind = IntegrityFault if isinstance(error, psycopg.IntegrityError) else DatabaseFault
        return kind(error, error.sqlstate, is_lost=self.driver.broken)

    def begin(self) -> None:
        """Begin to write, unless the tables are another program's: both in one trip to the server."""
        try:
            cursor = self.driver.execute("BEGIN; SELECT number FROM schema_revision", prepare=False)
            cursor.nextset()
            found = cursor.fetchone()
        except psycopg.Error as error:
            raise self.fault(error) from error
        check_revision(found and found[0])

    def insert(self, text: str, values: Values) -> int:
        """Run a statement that inserts a row; return its id."""
        number: int = self.fetch(f"{text} RETURNING id", values)[1][0][0]
        return number

    def _long(self) -> Any:
        return self.driver.cursor(f"rows_{next(CURSORS)}")


class Holds:
    """Claims that outlast transactions, on one connection beside the pool: who holds one may need others meanwhile.

    A lock belongs to a connection, so a set of the numbers in use keeps the threads of this process apart; all fall
    with the process. Those of a connection that was lost are taken again with the next claim.
    """

    def __init__(self, connect: Callable[[], PostgresConnection]) -> None:
        self._connect = connect
        self._guard = Lock()
        self._held: set[int] = set()
        self._conn: PostgresConnection | None = None
        self._is_closed = False

    @contextmanager
    def hold(self, number: int) -> Iterator[None]:
        """Hold a number; InFlight when somebody does, in this process or in another."""
        with self._guard:
            if number in self._held or not self._lock(number):
                raise InFlight
            self._held.add(number)
        try:
            yield
        finally:
            with self._guard:
                self._free(number)

    def close(self) -> None:
        """Close the connection, once nothing is held."""
        with self._guard:
            self._is_closed = True
            self._close_unused()

    def _lock(self, number: int) -> bool:
        try:
            return bool(HOLD.value(self._living(), number=number))
        except DatabaseFault as fault:
            if not fault.is_lost:
                raise
        return bool(HOLD.value(self._living(), number=number))

    def _living(self) -> PostgresConnection:
        if self._conn is None or self._conn.driver.closed:
            self._conn = self._connect()
            for number in self._held:
                HOLD.value(self._conn, number=number)
        return self._conn

    def _free(self, number: int) -> None:
        self._held.discard(number)
        if self._conn is not None:
            with suppress(DatabaseFault):  # a connection that is lost holds nothing
                LET_GO.value(self._conn, number=number)
        if self._is_closed:
            self._close_unused()

    def _close_unused(self) -> None:
        if self._conn is not None and not self._held:
            self._conn.close()
            self._conn = None


class PostgresDatabase(Database):
    """A PostgreSQL database."""

    dialect = "postgresql"

    def __init__(self, url: str) -> None:
        super().__init__()
        self._address = f"postgresql://{url.partition('://')[2]}"
        try:
            conninfo_to_dict(self._address)
        except psycopg.ProgrammingError:  # its words hold a part of the address
            text = "the address of the database is not right"
            hint = (
                "write postgresql://HOST/NAME, with USER@ before HOST; what has a meaning of its own there as %40, %2F"
            )
            raise UsageError(text, hint=hint) from None
        self.name = PASSWORD.sub(lambda found: f"{found[1] or found[2]}***", self._address)
        self._free = BoundedSemaphore(MOST_CONNECTIONS)
        self._idle: list[tuple[float, PostgresConnection]] = []
        self._holds = Holds(self._connect)
        self._is_closed = False

    def place(self) -> str:
        """Return what server, database and schema are known by inside, whatever they are called outside."""
        with self.read() as conn:
            ((place,),) = conn.fetch(PLACE)[1]
        return str(place)

    @contextmanager
    def read(self, claim: int | None = None) -> Iterator[Connection]:
        """Open one consistent read-only transaction."""
        with self._transaction(lambda conn: conn.run(BEGIN_READING)) as conn:
            _claim(conn, claim)
            yield conn

    def write(self, work: Callable[[Connection], T], *, claim: int | None = None) -> T:
        """Run `work` in a transaction; again when PostgreSQL gave it up to end a deadlock."""
        for attempt in range(RETRIES):
            try:
                with self._transaction(PostgresConnection.begin) as conn:
                    _claim(conn, claim)
                    return work(conn)
            except DatabaseFault as fault:
                if fault.is_lost:
                    raise explain(fault) or fault from fault
                if fault.name not in REPEATABLE:
                    raise
            # the other one goes on meanwhile: or both deadlock again, which PostgreSQL sees after a second
            time.sleep(0.02 * 2**attempt)
        raise Unavailable

    def hold(self, claim: int | None) -> AbstractContextManager[None]:
        """Hold a claim outside any transaction."""
        return nullcontext() if claim is None else self._holds.hold(claim)

    @contextmanager
    def exclusive(self) -> Iterator[Connection]:
        """Open a transaction that waits for other migrations."""
        with self._transaction() as conn:
            LOCK.run(conn, number=MIGRATION_LOCK)
            yield conn

    def close(self) -> None:
        """Close every idle connection, and each that is in use once it is given back."""
        self._is_closed = True
        self._holds.close()
        while self._idle:
            self._idle.pop()[1].close()

    @contextmanager
    def _transaction(
        self, begin: Callable[[PostgresConnection], object] = lambda conn: conn.run("BEGIN")
    ) -> Iterator[PostgresConnection]:
        with self.autocommit() as conn:
            begin(conn)
            try:
                yield conn
            except BaseException:
                if not conn.driver.closed:
                    conn.run("ROLLBACK")
                raise
            _commit(conn)

    @contextmanager
    def autocommit(self) -> Iterator[PostgresConnection]:
        """Open a connection outside any transaction: an idle one that lives, or a new one."""
        if not self._free.acquire(timeout=BUSY_SECONDS):
            raise Unavailable("The database cannot be reached.")
        try:
            conn = self._idle_connection() or self._connect()
            try:
                yield conn
            finally:
                self._give_back(conn)
        finally:
            self._free.release()

    def _idle_connection(self) -> PostgresConnection | None:
        while True:
            try:
                since, conn = self._idle.pop()
            except IndexError:
                return None
            if time.monotonic() - since < TRUSTED_SECONDS:
                return conn
            with suppress(DatabaseFault):
                conn.run("SELECT 1")
                return conn
            conn.close()

    def _give_back(self, conn: PostgresConnection) -> None:
        idle = conn.driver.info.transaction_status == psycopg.pq.TransactionStatus.IDLE
        if idle and not self._is_closed:
            self._idle.append((time.monotonic(), conn))
        else:
            conn.close()

    def _connect(self) -> PostgresConnection:
        try:
            driver = psycopg.connect(self._address, autocommit=True, connect_timeout=10)
        except psycopg.OperationalError as error:
            raise DiskFull() if NO_ROOM in str(error) else Unavailable("The database cannot be reached.") from error
        # one width for every number, so that a statement is prepared once
        driver.adapters.register_dumper(int, Int8Dumper)
        # Let the server notice within a second that this process died, even while a statement waits for a lock
        with suppress(psycopg.Error):  # not every platform can tell
            driver.execute("SET client_connection_check_interval = 1000")
        return PostgresConnection(driver, self.marks)


def _commit(conn: Connection) -> None:
    """Commit; when the connection is lost meanwhile nobody knows whether it was, whatever the server said before."""
    try:
        conn.run("COMMIT")
    except DatabaseFault as fault:
        if fault.is_lost:
            raise Unavailable(LOST) from fault
        raise


def _claim(conn: Connection, number: int | None) -> None:
    """Hold a number until the end of the transaction; another transaction that holds it means InFlight."""
    if number is not None and not CLAIM.value(conn, number=number):
        raise InFlight
