"""The revisions of the schema, and how far a database has come.

`HEAD` is kept here so that an up-to-date database is recognised by one plain statement, without importing Alembic.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, text

from acctcli.errors import UsageError

HEAD = "0002"

HAS_VERSIONS = {
    "sqlite": text("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'alembic_version'"),
    "postgresql": text("SELECT count(*) FROM pg_class WHERE oid = to_regclass('alembic_version')"),
}
VERSION = text("SELECT version_num FROM alembic_version")


def current_revision(conn: Connection) -> str | None:
    """Return the revision of a database, None for an empty one."""
    if not conn.execute(HAS_VERSIONS[conn.dialect.name]).scalar_one():
        return None
    return conn.execute(VERSION).scalar()


def upgrade(conn: Connection) -> None:
    """Bring a database to `HEAD` inside the transaction of `conn`.

    Raises UsageError for a database that a newer acctcli has written, or one from before the first release.
    """
    from alembic.command import upgrade as run
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config(attributes={"connection": conn})
    config.set_main_option("script_location", Path(__file__).parent.as_posix().replace("%", "%%"))
    try:
        run(config, "head")
    except CommandError as error:
        found = current_revision(conn) or ""
        raise UsageError(
            f"the database has revision {found}, this acctcli knows {HEAD}",
            hint="update acctcli" if found > HEAD else "it is from before the first release: `local reset` deletes it",
        ) from error
