"""The database on PostgreSQL: one pooled connection and one transaction per call.

Writers of one business wait for each other at its row (`admission.LOCK`), so READ COMMITTED sees what the
one before did; readers get one snapshot for all their statements.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

import psycopg
from sqlalchemy import BigInteger, Connection, Engine, bindparam, create_engine, event, func, make_url, select
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from acctcli.service.problems import InFlight, Unavailable
from acctcli.service.store.engine.database import BUSY_SECONDS, Database

T = TypeVar("T")

RETRIES = 6
REPEATABLE = frozenset({"40001", "40P01"})  # serialization failure, deadlock: nothing of the transaction happened
MIGRATION_LOCK = 0x61636374

CLAIM = select(func.pg_try_advisory_xact_lock(bindparam("number", type_=BigInteger)))
LOCK = select(func.pg_advisory_xact_lock(bindparam("number", type_=BigInteger)))


class PostgresDatabase(Database):
    """A PostgreSQL database."""

    dialect = "postgresql"

    def __init__(self, url: str) -> None:
        address = make_url(url).set(drivername="postgresql+psycopg")
        self.name = address.set(drivername="postgresql").render_as_string(hide_password=True)
        self._engine = create_engine(
            address,
            isolation_level="READ COMMITTED",
            pool_size=16,
            max_overflow=16,
            pool_pre_ping=True,
            pool_timeout=BUSY_SECONDS,
            connect_args={"connect_timeout": 10},
        )
        event.listen(self._engine, "connect", _prepare)
        self._reading = self._engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        self._bare = self._engine.execution_options(isolation_level="AUTOCOMMIT")

    @contextmanager
    def read(self, claim: int | None = None) -> Iterator[Connection]:
        """Open one consistent read-only transaction."""
        with _begin(self._reading) as conn:
            _claim(conn, claim)
            yield conn

    def write(self, work: Callable[[Connection], T], *, claim: int | None = None) -> T:
        """Run `work` in a transaction; again when PostgreSQL gave it up to end a deadlock."""
        for attempt in range(RETRIES):
            try:
                with _begin(self._engine) as conn:
                    _claim(conn, claim)
                    return work(conn)
            except DBAPIError as error:
                if error.connection_invalidated:
                    raise Unavailable("The connection to the database was lost.") from error
                if getattr(error.orig, "sqlstate", None) not in REPEATABLE:
                    raise
            time.sleep(0.005 * 2**attempt)
        raise Unavailable

    @contextmanager
    def hold(self, claim: int | None) -> Iterator[None]:
        """Hold a claim in a transaction of its own, which does nothing else."""
        if claim is None:
            yield
            return
        with _begin(self._engine) as conn:
            _claim(conn, claim)
            yield

    @contextmanager
    def autocommit(self) -> Iterator[Connection]:
        """Open a connection outside any transaction."""
        with _connect(self._bare) as conn:
            yield conn

    @contextmanager
    def exclusive(self) -> Iterator[Connection]:
        """Open a transaction that waits for other migrations."""
        with _begin(self._engine) as conn:
            conn.execute(LOCK, {"number": MIGRATION_LOCK})
            yield conn

    def close(self) -> None:
        """Close the pool."""
        self._engine.dispose()


def _connect(engine: Engine) -> Connection:
    try:
        return engine.connect()
    except (OperationalError, PoolTimeout) as error:
        raise Unavailable("The database cannot be reached.") from error


@contextmanager
def _begin(engine: Engine) -> Iterator[Connection]:
    with _connect(engine) as conn, conn.begin():
        yield conn


def _claim(conn: Connection, number: int | None) -> None:
    """Hold a number until the end of the transaction; another transaction that holds it means InFlight."""
    if number is not None and not conn.execute(CLAIM, {"number": number}).scalar_one():
        raise InFlight


def _prepare(driver: Any, record: object) -> None:
    """Let the server notice within a second that this process died, even while a statement waits for a lock."""
    del record
    driver.autocommit = True
    with suppress(psycopg.Error), driver.cursor() as cursor:  # not every platform can tell
        cursor.execute("SET client_connection_check_interval = 1000")
    driver.autocommit = False
