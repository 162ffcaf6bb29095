"""Migrations lead to the schema that the code declares, on both databases, and are not touched without need."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from acctcli.errors import NetworkError, UsageError
from acctcli.service.store import migrations
from acctcli.service.store.businesses import FLAGS
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.database import Database
from acctcli.service.store.engine.statements import delete, insert, insert_many
from acctcli.service.store.migrations import generate
from acctcli.service.store.migrations.generate import DIALECTS, script
from acctcli.service.store.people import users
from tests.databases import Factory, opened

FROZEN = {
    "sqlite": "dc260e876e6e3902048dbb3e70fb95778d36814bd8f4eb7a9bd27988cac84acf",
    "postgresql": "3499040c292d3eee1466597a2dbe7a976f662e61f1ff167974e89965a11757a8",
}


def schema_text(conn: Connection) -> list[Any]:
    """Return tables, indexes and triggers as the database describes them."""
    if conn.dialect == "sqlite":
        query = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite%'"
        return sorted((kind, name, " ".join((sql or "").split())) for kind, name, sql in conn.fetch(query)[1])
    columns = """
        SELECT table_name, column_name, data_type, is_nullable, character_maximum_length, column_default
        FROM information_schema.columns WHERE table_schema = 'public'"""
    constraints = """
        SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
        WHERE connamespace = 'public'::regnamespace"""
    indexes = "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'"
    functions = "SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace"
    trigger = "SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal"
    queries = (columns, constraints, indexes, functions, trigger)
    return [sorted(map(repr, conn.driver.execute(query).fetchall())) for query in queries]


def test_revisions_make_what_the_tables_declare(factory: Factory) -> None:
    with opened(factory.fresh()) as migrated, opened(factory.bare()) as declared:
        with declared.exclusive() as conn:
            for statement in script(declared.dialect).removesuffix(migrations.SEPARATOR).split(migrations.SEPARATOR):
                conn.driver.execute(statement)
        with migrated.read() as ours, declared.read() as theirs:
            assert schema_text(ours) == schema_text(theirs)


def test_new_books_have_the_tables_of_those_that_went_from_revision_to_revision(factory: Factory) -> None:
    with opened(factory.fresh()) as new, opened(factory.bare()) as earlier:
        with earlier.exclusive() as conn:
            for revision in migrations.REVISIONS:
                for statement in migrations.statements(revision, earlier.dialect):
                    conn.driver.execute(statement)
        with new.read() as ours, earlier.read() as theirs:
            assert schema_text(ours) == schema_text(theirs)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_first_revision_is_frozen(dialect: str) -> None:
    """Books of 0.2.0 were made by it: whoever changes the schema writes another revision."""
    made = (migrations.FOLDER / f"0001.{dialect}.sql").read_bytes()
    assert hashlib.sha256(made).hexdigest() == FROZEN[dialect]


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


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_table_is_written_with_its_own_indexes_and_triggers(dialect: str) -> None:
    made = [
        statement.split("(")[0].split(" ON ")[0]
        for statement in script(dialect, ["contact"]).split(migrations.SEPARATOR)
    ]
    assert [words for words in made if not words.startswith("CREATE FUNCTION")][:2] == [
        "CREATE TABLE contact ",
        "CREATE INDEX ix_contact_business_id_sort_name_id",
    ]
    triggers = ["counted", "uncounted", "moved"]
    assert [words.split()[2] for words in made if "CREATE TRIGGER" in words] == [f"contact_{name}" for name in triggers]


def test_no_revision_is_written_of_nothing_nor_over_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generate, "FOLDER", tmp_path)
    with pytest.raises(SystemExit, match=r"no such table: contacts$"):
        generate.main("0002", "contact", "contacts")
    generate.main("0002", "contact")
    written = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert sorted(written) == ["0002.postgresql.sql", "0002.sqlite.sql"]
    with pytest.raises(SystemExit, match="does not change"):
        generate.main("0002", "tag")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == written


@pytest.mark.parametrize("there", ["0002.sqlite.sql", "0002.postgresql.sql"])
def test_a_revision_of_which_one_file_is_there_is_not_written(
    there: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generate, "FOLDER", tmp_path)
    (tmp_path / there).write_text("by hand", "utf-8")
    with pytest.raises(SystemExit, match=f"^{there}: a revision that is there does not change$"):
        generate.main("0002", "contact")
    assert {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()} == {there: "by hand"}


def test_a_later_revision_changes_books_and_keeps_them(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = database.write(lambda conn: users.create(conn, "one", "2026"))
    later = f"{int(migrations.HEAD) + 1:04}"
    shutil.copytree(migrations.FOLDER, tmp_path, dirs_exist_ok=True)
    (tmp_path / f"{later}.{database.dialect}.sql").write_text("ALTER TABLE users ADD COLUMN nickname VARCHAR(9)\n--;\n")
    monkeypatch.setattr(migrations, "FOLDER", tmp_path)
    monkeypatch.setattr(migrations, "REVISIONS", [*migrations.REVISIONS, later])
    monkeypatch.setattr(migrations, "HEAD", later)
    # its trails have begun, as those of all books have
    noted = tmp_path / "noted"
    noted.touch()
    for _ in range(2):
        database.migrate(noted=noted)
        with database.read() as conn:
            assert migrations.current_revision(conn) == later
            assert users.get(conn, user)["nickname"] is None


@pytest.mark.parametrize(
    ("token", "address", "found"),
    [("local", "anna@example.com", 1), ("other", "local@localhost", 1), ("other", "anna@example.com", None)],
)
def test_the_local_user_of_earlier_books_is_found(
    factory: Factory, token: str, address: str, found: int | None
) -> None:
    with opened(factory.bare()) as database:
        with database.exclusive() as conn:
            for statement in migrations.statements("0001", database.dialect):
                conn.driver.execute(statement)
            conn.run("INSERT INTO schema_revision VALUES ('0001')")
            for email in (address, "bert@example.com"):
                user = users.create(conn, email, "2026")
                made = {"user_id": user, "name": token, "hash": email, "created_at": "2026"}
                insert_many(conn, "token", [made])
        database.migrate()
        with database.read() as conn:
            assert users.local(conn) == (found and (found, address))


def test_subscriptions_of_earlier_books_are_told_of_what_happens_from_then_on(factory: Factory) -> None:
    with opened(factory.bare()) as database:
        with database.exclusive() as conn:
            go_up_to(conn, "0009")
            for slug, number in (("told", 7), ("untold", None)):
                add_subscription(conn, slug, number)
        database.migrate()
        with database.read() as conn:
            found = conn.fetch("SELECT business_id, subscription_id, number FROM webhook_position ORDER BY 1")[1]
    assert found == [(1, 1, 7), (2, 2, 0)]


def test_runs_of_earlier_books_keep_their_numbers_and_share_their_graphs(factory: Factory) -> None:
    with opened(factory.bare()) as database:
        with database.exclusive() as conn:
            go_up_to(conn, "0011")
            business = add_business(conn, "busy")
            flow = {"business_id": business, "name": "x", "react_flow_data": "{}", "enabled": True, "version_number": 2}
            first, second = (insert(conn, "workflow", {**STAMPS, **flow}) for _ in range(2))
            runs = [
                add_run(conn, business, workflow, version, graph, mark=f"m{place}", due_at=due)
                for place, (workflow, version, graph, due) in enumerate(
                    [
                        (first, 1, '{"nodes":[]}', None),
                        (first, 2, '{"a":1,"b":2}', None),
                        (first, 2, '{"b":2,"a":1}', "2026"),
                        (first, 2, '{"b":2,"a":1}', "2027"),
                        (second, 2, '{"b":2,"a":1}', "2027"),
                    ]
                )
            ]
            # the last number that was given is gone, and is not given again
            assert delete(conn, "workflow_run", id=add_run(conn, business, second, 1, "{}")) == 1
        database.migrate()
        with database.read() as conn:
            found = conn.fetch(KEPT_RUNS)[1]
            graphs = conn.fetch("SELECT workflow_id, react_flow_data FROM workflow_version ORDER BY id")[1]
        assert found == [
            (runs[0], first, 1, '{"nodes":[]}', "m0", None, '{"n":1}'),
            (runs[1], first, 2, '{"a":1,"b":2}', "m1", None, '{"n":1}'),
            (runs[2], first, 2, '{"b":2,"a":1}', "m2", "2026", '{"n":1}'),
            (runs[3], first, 2, '{"b":2,"a":1}', "m3", "2027", '{"n":1}'),
            (runs[4], second, 2, '{"b":2,"a":1}', "m4", "2027", '{"n":1}'),
        ]
        assert graphs == [
            (first, '{"nodes":[]}'),
            (first, '{"a":1,"b":2}'),
            (first, '{"b":2,"a":1}'),
            (second, '{"b":2,"a":1}'),
        ]
        run = {**STAMPS, "business_id": business, "workflow_id": first, "version_number": 2, "version_id": 1}
        number = database.write(lambda conn: insert(conn, "workflow_run", {**run, "status": "x", "node_runs": "{}"}))
        assert number == runs[-1] + 2


def test_what_earlier_books_have_and_have_told_is_counted(factory: Factory) -> None:
    with opened(factory.bare()) as database:
        with database.exclusive() as conn:
            go_up_to(conn, "0014")
            told, quiet = add_business(conn, "told"), add_business(conn, "quiet")
            of = {**STAMPS, "business_id": told, "slug": "told", "attempts": 1, "due_at": "2026"}
            kinds = [(1, "waiting", "tag.created"), (1, "failed", "tag.created"), (2, "failed", "tag.created")]
            for number, kind in enumerate([*kinds, kinds[1]]):
                names = ("subscription_id", "status", "event_type")
                insert(conn, "webhook_delivery", {**of, "event_number": number, **dict(zip(names, kind, strict=True))})
            # of one business two whole blocks and some more, and of another one the last but one is missing
            numbers = [(told, number) for number in range(1, 2004)] + [(quiet, number) for number in (3, 1000)]
            insert_many(
                conn,
                "event",
                [
                    {"business_id": of, "number": number, "type": "one" if number % 4 else "two", "data": "{}", **AT}
                    for of, number in numbers
                ],
            )
        database.migrate()
        with database.read() as conn:
            sums = conn.fetch("SELECT subscription_id, status, event_type, count FROM webhook_tally ORDER BY 1, 2")[1]
            blocks = conn.fetch("SELECT business_id, until, type, count FROM event_block ORDER BY 1, 2, 3")[1]
    assert sums == [(1, "failed", "tag.created", 2), (1, "waiting", "tag.created", 1), (2, "failed", "tag.created", 1)]
    assert blocks == [
        (told, 1000, "one", 750),
        (told, 1000, "two", 250),
        (told, 2000, "one", 750),
        (told, 2000, "two", 250),
        (quiet, 1000, "one", 1),
        (quiet, 1000, "two", 1),
    ]


KEPT_RUNS = """SELECT run.id, run.workflow_id, run.version_number, react_flow_data, mark, due_at, node_runs
    FROM workflow_run AS run JOIN workflow_version AS version ON version.id = version_id
    AND version.workflow_id = run.workflow_id AND version.version_number = run.version_number ORDER BY run.id"""
STAMPS = {"created_at": "2026", "updated_at": "2026"}
AT = {"created_at": "2026"}


def go_up_to(conn: Connection, last: str) -> None:
    """Make the tables of a revision."""
    for revision in migrations.REVISIONS[: migrations.REVISIONS.index(last) + 1]:
        for statement in migrations.statements(revision, conn.dialect):
            conn.driver.execute(statement)
    conn.run(f"INSERT INTO schema_revision VALUES ('{last}')")


def add_business(conn: Connection, slug: str) -> int:
    """Add a business as all revisions know it."""
    texts = {"name": "x", "search_text": "x", "form": "x", "country": "FI", "vat_posting_method": "x"}
    more = {"vat_reporting_method": "x", "default_vat_period": 0, "invoicing_default_payment_condition_days": 0}
    flags = {"invoicing_default_penalty_interest": "0", **dict.fromkeys(FLAGS, False)}
    return insert(conn, "business", {**STAMPS, "slug": slug, **texts, **more, **flags})


def add_run(conn: Connection, business: int, workflow: int, version: int, graph: str, **more: str | None) -> int:
    """Add a run with a graph of its own, as revision 0011 keeps it."""
    of = {"business_id": business, "workflow_id": workflow, "version_number": version, "react_flow_data": graph}
    return insert(conn, "workflow_run", {**STAMPS, **of, "status": "completed", "node_runs": '{"n":1}', **more})


def add_subscription(conn: Connection, slug: str, number: int | None) -> None:
    """Add a business with a subscription, and the head of its trail if it has one."""
    business = add_business(conn, slug)
    hook = {"name": "x", "target_url": "x", "is_active": True, "signing_secret": b""}
    insert(conn, "webhook_subscription", {**STAMPS, "business_id": business, **hook})
    if number is not None:
        head = {"business_id": business, "number": number, "hash": "", "created_at": "2026", "mark": ""}
        insert_many(conn, "trail_head", [head])


def test_a_database_of_a_newer_program_is_refused(database: Database) -> None:
    database.write(lambda conn: conn.run("UPDATE schema_revision SET number = '9999'"))
    with pytest.raises(UsageError, match="9999") as refused:
        database.migrate()
    assert refused.value.hint == "update acctcli"


@pytest.mark.parametrize("revision", ["0001", "0002"])
def test_a_database_from_before_the_first_release_is_refused(factory: Factory, revision: str) -> None:
    with opened(factory.bare()) as database:
        with database.exclusive() as conn:
            conn.run("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
            conn.run(f"INSERT INTO alembic_version VALUES ('{revision}')")
        with pytest.raises(UsageError, match=revision) as refused:
            database.migrate()
    assert "before the first release" in (refused.value.hint or "")


def test_a_server_that_is_not_there_is_a_network_error() -> None:
    with opened("postgresql://nobody@127.0.0.1:1/nothing") as database, pytest.raises(NetworkError):
        database.migrate()


def test_nothing_is_built_where_sql_is_run(factory: Factory) -> None:
    code = (
        "import sys\nfrom acctcli.service.store.engine.opening import open_database\n"
        "database = open_database(sys.argv[1])\ndatabase.migrate()\ndatabase.close()\n"
        "assert not [name for name in sys.modules if name.split('.')[0] in ('sqlalchemy', 'pydantic')]\n"
    )
    subprocess.run([sys.executable, "-c", code, factory.bare()], check=True)
