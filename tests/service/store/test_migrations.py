"""Migrations lead to the schema that the code declares, on both databases, and are not touched without need."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from acctcli.errors import NetworkError, UsageError
from acctcli.service.store import migrations
from acctcli.service.store.engine import triggers
from acctcli.service.store.engine.database import Database
from acctcli.service.store.schema.every import metadata
from tests.databases import Factory, opened

assert triggers.BORN  # importing the module attaches the triggers to the metadata


def schema_text(conn: Connection) -> list[Any]:
    """Return tables, indexes and triggers as the database describes them."""
    if conn.dialect.name == "sqlite":
        query = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'alembic%' AND name NOT LIKE 'sqlite%'"
        return sorted((kind, name, " ".join((sql or "").split())) for kind, name, sql in conn.execute(text(query)))
    columns = """
        SELECT table_name, column_name, data_type, is_nullable, character_maximum_length, column_default
        FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'alembic_version'"""
    constraints = """
        SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
        WHERE connamespace = 'public'::regnamespace AND conrelid::regclass::text <> 'alembic_version'"""
    indexes = (
        "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> 'alembic_version'"
    )
    functions = "SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace"
    trigger = "SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal"
    queries = (columns, constraints, indexes, functions, trigger)
    return [sorted(map(repr, conn.execute(text(query)).all())) for query in queries]


def test_migrations_make_what_the_metadata_declares(factory: Factory) -> None:
    with opened(factory.fresh()) as migrated, opened(factory.bare()) as declared:
        with declared.exclusive() as conn:
            metadata.create_all(conn)
        with migrated.read() as ours, declared.read() as theirs:
            assert schema_text(ours) == schema_text(theirs)
            context = MigrationContext.configure(ours)
            assert compare_metadata(context, metadata) == []


def test_head_is_the_newest_revision() -> None:
    scripts = ScriptDirectory(Path(migrations.__file__).parent)
    assert scripts.get_heads() == [migrations.HEAD]


def test_migrating_again_changes_nothing(database: Database) -> None:
    with database.read() as conn:
        before = schema_text(conn)
    database.migrate()
    with database.read() as conn:
        assert schema_text(conn) == before
        assert migrations.current_revision(conn) == migrations.HEAD


def test_several_may_begin_at_once(factory: Factory) -> None:
    url = factory.bare()

    def begin(_: int) -> None:
        with opened(url) as database:
            database.migrate()

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(begin, range(3)))
    with opened(url) as database, database.read() as conn:
        assert migrations.current_revision(conn) == migrations.HEAD


@pytest.mark.parametrize(("revision", "hint"), [("9999", "update acctcli"), ("0001", "before the first release")])
def test_a_database_of_another_time_is_refused(database: Database, revision: str, hint: str) -> None:
    database.write(lambda conn: conn.execute(text(f"UPDATE alembic_version SET version_num = '{revision}'")))
    with pytest.raises(UsageError, match=revision) as refused:
        database.migrate()
    assert hint in (refused.value.hint or "")


def test_a_server_that_is_not_there_is_a_network_error() -> None:
    with opened("postgresql://nobody@127.0.0.1:1/nothing") as database, pytest.raises(NetworkError):
        database.migrate()


def test_alembic_is_imported_only_when_there_is_work(database_url: str) -> None:
    code = (
        "import sys\nfrom acctcli.service.store.engine.opening import open_database\n"
        "database = open_database(sys.argv[1])\ndatabase.migrate()\ndatabase.close()\n"
        "assert not [name for name in sys.modules if name.split('.')[0] in ('alembic', 'mako', 'pydantic')]\n"
    )
    subprocess.run([sys.executable, "-c", code, database_url], check=True)
