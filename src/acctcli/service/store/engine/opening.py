"""The two kinds of database: one SQLite file, and PostgreSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from acctcli.errors import UsageError

if TYPE_CHECKING:
    from acctcli.service.store.engine.database import Database


def open_database(url: str) -> Database:
    """Open `sqlite:///<path>` or `postgresql://...`; the file of a new SQLite database is created.

    Raises UsageError for any other kind, and for an address that is none.
    """
    kind = url.split(":", 1)[0].split("+", 1)[0]
    if kind == "sqlite":
        from acctcli.service.store.engine.sqlite import SqliteDatabase

        return SqliteDatabase(url)
    if kind in ("postgresql", "postgres"):
        from acctcli.service.store.engine.postgres import PostgresDatabase

        return PostgresDatabase(url)
    # what is no address may hold a password anywhere
    raise UsageError(
        "no such kind of database", hint="write sqlite:///PATH or postgresql://HOST/NAME, with USER@ before HOST"
    )
