"""The revisions of the schema, and how far a database has come.

A revision is SQL, one file for each database: `sql/<revision>.<dialect>.sql`, frozen once released. Its statements end
with a line that holds only `--;`, because triggers have semicolons inside. The first revision is the whole schema of
release 0.2.0; `generate` writes revisions from the tables that `schema` declares.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from acctcli.errors import Incomplete, UsageError
from acctcli.service.store import service_trail
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Statement, insert_many
from acctcli.service.store.events import Mark, chain_earlier, without_key

SEPARATOR = "\n--;\n"
FOLDER = Path(__file__).parent / "sql"
REVISIONS = sorted({path.name.partition(".")[0] for path in FOLDER.glob("*.sql")})
HEAD = REVISIONS[-1]
# the revision that chains what was recorded before: SQLite has no SHA-256
CHAINED = "0005"
# the one that begins the trail of the service
SERVICE_TRAIL = "0007"

# before the first release Alembic kept the number, in a table of its own
BEFORE = "alembic_version"
TABLES = {
    "sqlite": Statement("SELECT name FROM sqlite_master WHERE type = 'table' AND name IN (:names...)"),
    "postgresql": Statement(
        "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relname IN (:names...)"
    ),
}
NUMBER = Statement("SELECT number FROM schema_revision")
NUMBER_BEFORE = Statement("SELECT version_num FROM alembic_version")
SET_NUMBER = Statement("UPDATE schema_revision SET number = :number")

# SQLite reads the whole schema again for every column that is added: three quarters of the time that new books take
ADDED = re.compile(r"ALTER TABLE (\w+) ADD COLUMN ([^,]+)")
CREATED = re.compile(r"CREATE TABLE (\w+) \(")
BELOW_COLUMNS = re.compile(r"(?=,\n  CONSTRAINT |\n\)$)")


def current_revision(conn: Connection) -> str | None:
    """Return the revision of a database, None for one without tables.

    Raises UsageError for a database from before the first release.
    """
    tables = TABLES[conn.dialect].values(conn, names=["schema_revision", BEFORE])
    if BEFORE in tables:
        hint = "it is from before the first release: `local reset` deletes it"
        raise _unknown(str(NUMBER_BEFORE.value(conn)), hint)
    found: str | None = NUMBER.value(conn) if tables else None
    return found


def upgrade(conn: Connection, marker: Callable[[], Mark] = without_key, noted: Path | None = None) -> None:
    """Bring a database to `HEAD` inside the transaction of `conn`; `marker` makes what marks trails that begin.

    `noted` is the file that is there when the trails of the database have begun before: they do not begin again.

    Raises UsageError for a database that a newer acctcli has written, or one from before the first release; Incomplete
    for one of a revision without trails that had them.
    """
    found = current_revision(conn)
    if found is not None and found not in REVISIONS:
        raise _unknown(found, "update acctcli")
    if found is not None and found < SERVICE_TRAIL and noted is not None and noted.exists():
        raise _set_back(found, noted)
    missing = REVISIONS[0 if found is None else REVISIONS.index(found) + 1 :]
    scripts = {revision: statements(revision, conn.dialect) for revision in missing}
    for revision, script in (scripts if found is not None else _folded(scripts)).items():
        for statement in script:
            conn.driver.execute(statement)
        if revision == CHAINED:
            chain_earlier(conn, marker)
    if SERVICE_TRAIL in missing:
        # it begins with what there is, which the newest code reads from the newest tables
        service_trail.begin(conn, marker)
    if found is None:
        insert_many(conn, "schema_revision", [{"number": HEAD}])
    elif found != HEAD:
        SET_NUMBER.run(conn, number=HEAD)
        # what searches look through is no SQL's work, and made by the newest code when all tables are there
        from acctcli.service.store.books import blocks

        blocks.fold_all(conn)


def statements(revision: str, dialect: str) -> list[str]:
    """Return the statements of a revision."""
    return (FOLDER / f"{revision}.{dialect}.sql").read_text("utf-8").removesuffix(SEPARATOR).split(SEPARATOR)


def _folded(scripts: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return the scripts of new books, whose tables have the columns from the start that revisions add one by one."""
    added: dict[str, str] = {}
    kept: list[tuple[str, list[str]]] = []
    # from the last one back: a table that a revision makes anew has what revisions before it added already
    for revision, script in reversed(scripts.items()):
        backwards = []
        for statement in reversed(script):
            if found := ADDED.fullmatch(statement):
                added[found[1]] = f",\n  {found[2]}{added.get(found[1], '')}"
            else:
                backwards.append(_with_columns(statement, added))
        kept.append((revision, backwards[::-1]))
    return dict(reversed(kept))


def _with_columns(statement: str, added: dict[str, str]) -> str:
    """Return a statement, after the last column of a table that it creates those that are added to it, and no more."""
    table = CREATED.match(statement)
    columns = added.pop(table[1], "") if table else ""
    return BELOW_COLUMNS.sub(lambda _: columns, statement, count=1) if columns else statement


def _set_back(found: str, noted: Path) -> Incomplete:
    return Incomplete(
        f"the database has revision {found}, of before its audit trail, which had begun here: it was set back, or put "
        "in the place of another one, and nothing in it can be proved",
        hint="bring a backup back with: acctcli local restore FILE; or, if these are other books that you put here "
        f"yourself, remove {noted}",
    )


def _unknown(found: str, hint: str) -> UsageError:
    return UsageError(f"the database has revision {found}, this acctcli knows {HEAD}", hint=hint)
