"""Books of every release open in this one, with their figures: on SQLite as they were, on PostgreSQL the same rows.

A book is the dump of a small SQLite database that the release made, and beside it what it answered about it.
"""

from __future__ import annotations

import json
import sqlite3
from base64 import b64encode
from contextlib import closing
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Boolean, Date, Table

from acctcli import law
from acctcli.errors import UsageError
from acctcli.models.signature import read_secret, sign
from acctcli.service.cases.webhooks.delivering import Delivering
from acctcli.service.cases.webhooks.subscriptions import secret_place
from acctcli.service.store import events, migrations, service_trail, trail
from acctcli.service.store.attachments import stored_bytes
from acctcli.service.store.books import blocks
from acctcli.service.store.businesses import chart, slug_taken
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.database import Database
from acctcli.service.store.engine.snapshots import put, stage, take_over
from acctcli.service.store.engine.soundness import look_through
from acctcli.service.store.engine.statements import Query, insert_many
from acctcli.service.store.schema import metadata
from tests.databases import Factory, opened
from tests.deliverer import up_to
from tests.graphs import LOG, uuid
from tests.service.actor import INSTALLATION, Actor, World, world
from tests.service.cases.webhooks.test_delivering import Sent
from tests.service.cases.workflows.flows import Receiver, advance, flow, listed, on
from tests.service.routes.books import Books
from tests.service.store.shape_faults import shape_faults

FOLDER = Path(__file__).parent / "earlier"
RELEASES = {"0.2.0": "0001"}
SLUG = "alder"


def ask(actor: Actor, question: str, body: Any) -> Any:
    """Ask what a release was asked."""
    method, path = question.split(" ")
    reply = actor.send(method, f"/v1/{path.format(slug=SLUG)}", body)
    assert reply.status == 200, reply
    return reply.body


def load_sqlite(url: str, dump: str) -> None:
    """Make the file as it was."""
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as conn:
        conn.executescript(dump)


def load_postgresql(url: str, dump: str, revision: str) -> None:
    """Put the same rows into the tables of that revision, past the triggers: what they kept is among the rows."""
    with closing(sqlite3.connect(":memory:")) as source, opened(url) as database, database.exclusive() as conn:
        source.executescript(dump)
        source.row_factory = sqlite3.Row
        for statement in migrations.statements(revision, "postgresql"):
            conn.driver.execute(statement)
        conn.run("SET LOCAL session_replication_role = replica")
        for table in metadata.sorted_tables:
            copy(source, conn, table)


def copy(source: sqlite3.Connection, conn: Connection, table: Table) -> None:
    """Copy the columns that the release had: later revisions bring others, and take some away."""
    rows = [dict(row) for row in source.execute(f"SELECT * FROM {table.name}")] if is_there(source, table) else []
    insert_many(conn, table.name, [{name: converted(table, name, row[name]) for name in row} for row in rows])
    if "id" in table.c and is_there(source, table):
        conn.run(f"SELECT setval('{table.name}_id_seq', (SELECT coalesce(max(id), 0) + 1 FROM {table.name}))")


def is_there(source: sqlite3.Connection, table: Table) -> bool:
    return bool(source.execute(f"PRAGMA table_info({table.name})").fetchall())


def converted(table: Table, name: str, value: Any) -> Any:
    """Return a value as PostgreSQL keeps it."""
    kind = table.c[name].type if name in table.c else None
    if isinstance(kind, Boolean) and value is not None:
        return bool(value)
    return date.fromisoformat(value) if isinstance(kind, Date) and value is not None else value


def as_told_then(now: Any, then: Any) -> Any:
    """Return what is told of books without the fields that a release did not tell, and with texts as it told them.

    Journals and ledgers had only the text of a row, and none of its document. Nothing told whether a document was seen.
    """
    if isinstance(then, dict) and isinstance(now, dict):
        told = {name: as_told_then(now[name], then[name]) for name in then if name in now}
        if "audit_trail_has_unseen_actions" in told:
            assert told["audit_trail_has_unseen_actions"] is True
            told["audit_trail_has_unseen_actions"] = then["audit_trail_has_unseen_actions"]
        return told | ({"description": then["description"]} if told.get("description") else {})
    if isinstance(then, list) and isinstance(now, list) and len(now) == len(then):
        return [as_told_then(*pair) for pair in zip(now, then, strict=True)]
    return now


def check_answers(database: Database, reader: Actor, release: str) -> None:
    """Ask everything that a release was asked, and compare."""
    answers = json.loads((FOLDER / f"{release}.json").read_text("utf-8"), parse_float=Decimal)
    assert {
        question: as_told_then(ask(reader, question, one["body"]), one["answer"]) for question, one in answers.items()
    } == {question: one["answer"] for question, one in answers.items()}
    with database.read() as conn:
        assert migrations.current_revision(conn) == migrations.HEAD
        assert slug_taken(conn, SLUG)
        assert shape_faults(conn, 1) == []


# as a release recorded changes; a backup of books that nobody had changed for long could have none
RECORDED = """
INSERT INTO event VALUES(1,1,1,'business.created','{"id":1,"name":"Kuusi Oy"}','2025-12-30T10:00:00.000000Z');
INSERT INTO event VALUES(2,1,2,'tag.created','{"id":5,"name":"m\u00f6kki","more":1.50}','2025-12-30T10:00:01.000000Z');
INSERT INTO event VALUES(3,1,3,'tag.deleted','{"id":5}','2025-12-31T10:00:01.000000Z');
"""


HOOK, SECRET = "https://shop.example/events", "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3"
SEALED = INSTALLATION.seal(SECRET.encode(), secret_place(1, "signing_secret"), b"a nonce once").hex()
AT = "'2026-04-02T10:00:00.000000Z','2026-04-02T10:00:00.000000Z',1"
GRAPH = flow([on("tag.created"), LOG])
# what the tables of a release take beside what its commands made: none of them began a run
KEPT = f"""
INSERT INTO webhook_subscription VALUES(1,{AT},'Shop','{HOOK}',1,NULL,NULL,X'{SEALED}');
INSERT INTO webhook_subscription VALUES(2,{AT},'Old shop','https://old.example/',0,'books',NULL,X'{SEALED}');
INSERT INTO workflow VALUES(1,{AT},'Log','{json.dumps(GRAPH)}',1,2);
INSERT INTO workflow VALUES(2,{AT},'Draft','{{}}',0,1);
INSERT INTO workflow_run VALUES(3,{AT},1,1,'{{"nodes":[]}}','completed',NULL,2,NULL,NULL,NULL,'{{}}');
INSERT INTO workflow_run VALUES(4,{AT},1,2,'{json.dumps(GRAPH)}','pending','{uuid(1)}',3,NULL,NULL,NULL,'{{}}');
INSERT INTO workflow_run VALUES(6,{AT},1,2,'{json.dumps(GRAPH)}','failed','{uuid(1)}',2,NULL,NULL,'No.','{{}}');
"""


@pytest.mark.parametrize("release", RELEASES)
def test_webhooks_and_workflows_of_a_release_go_on(factory: Factory, database_kind: str, release: str) -> None:
    url, dump = factory.bare(), (FOLDER / f"{release}.sql").read_text("utf-8") + RECORDED + KEPT
    if database_kind == "sqlite":
        load_sqlite(url, dump)
    else:
        load_postgresql(url, dump, RELEASES[release])
    with opened(url) as database:
        database.migrate(INSTALLATION.trail_marker)
        with world(database) as here:
            here.clock.now = datetime(2026, 5, 4, 12, tzinfo=UTC)
            keeper = here.user("keeper@shop.example")
            here.permit(keeper, 1, "admin")
            books, sent = Books(keeper, SLUG), Sent()
            hooks = books.get("webhook_subscriptions/").body["results"]
            assert {(one["name"], one["is_active"]) for one in hooks} == {("Shop", True), ("Old shop", False)}
            books.tag("first")
            delivering = Delivering(database, INSTALLATION, here.clock, here.entropy, sent)
            delivering.turn(list(map(delivering.attempt, delivering.turn([], up_to(9)).claims)), lambda _: {})
            # who was active is told of what happens from now on, signed with the secret that they have
            ((target, headers, body),) = sent.posts
            name, moment = headers["webhook-id"], int(headers["webhook-timestamp"])
            assert (target, json.loads(body)["type"]) == (HOOK, "tag.created")
            assert headers["webhook-signature"] == sign(read_secret(SECRET), name, moment, body)
            (told,) = books.get("webhook_subscriptions/deliveries/", status="delivered").body["results"]
            assert (told["subscription_id"], told["event_type"]) == (1, "tag.created")
            check_workflows(here, books)
            with database.read() as conn:
                assert list(look_through(conn)) == []


def check_workflows(here: World, books: Books) -> None:
    """Runs are as they were, each with its graph; a workflow that was enabled waits until it is enabled anew."""
    receiver = Receiver()
    first, *others = listed(books, 1)
    assert (first["id"], first["status"], first["react_flow_data"]) == (3, "completed", {"nodes": []})
    assert [(run["id"], run["status"], run["react_flow_data"], run["last_error"]) for run in others] == [
        (4, "pending", GRAPH, None),
        (6, "failed", GRAPH, "No."),
    ]
    assert advance(here, receiver) == []
    for is_enabled in (False, True):
        books.change("workflows/1/", enabled=is_enabled)
    books.tag("second")
    # under a number that none had
    assert [(ran.run_id > 6, ran.status) for ran in advance(here, receiver)] == [(True, "completed")]


@pytest.mark.parametrize("recorded", ["", RECORDED], ids=["unrecorded", "recorded"])
@pytest.mark.parametrize("release", RELEASES)
def test_books_of_a_release_open_with_their_figures(
    factory: Factory, database_kind: str, release: str, recorded: str
) -> None:
    url = factory.bare()
    dump = (FOLDER / f"{release}.sql").read_text("utf-8") + recorded
    if database_kind == "sqlite":
        load_sqlite(url, dump)
    else:
        load_postgresql(url, dump, RELEASES[release])
    with opened(url) as database:
        database.migrate(INSTALLATION.trail_marker)
        with world(database) as here:
            here.clock.now = datetime(2026, 5, 4, 12, tzinfo=UTC)
            reader = here.user("reader@example.com")
            here.permit(reader, 1, "admin")
            check_answers(database, reader, release)
            # and they go on: numbers, ids and sums continue where they were
            posted = reader.send("POST", f"/v1/business/{SLUG}/document/1/action/copy/")
            assert posted.status == 200, posted
            assert posted.body["id"] > 3
            # what was recorded before is chained, and nobody is named for it
            with database.read() as conn:
                rows = conn.fetch("SELECT number, author, hash FROM event WHERE business_id = 1 ORDER BY number")[1]
                finding = trail.verify(conn, 1, INSTALLATION.trail_marker())
            # a trail of books that had forgotten all of it begins with a record that says so
            before: list[tuple[int, str | None]] = [(n + 1, None) for n in range(recorded.count("INSERT"))]
            before = before or [(1, "")]
            assert [tuple(row[:2]) for row in rows] == [*before, (len(rows), "reader@example.com")]
            assert [row[2] is None for row in rows] == [bool(recorded)] * (len(rows) - 1) + [False]
            assert (finding.records, finding.faults) == (len(rows), [])


LET_IN_THEN = {
    "TOKENS": "SELECT id, user_id, expires_at, revoked_at, 'personal', 'local', hash FROM token",
    "PASSWORDS": "SELECT id, email FROM users WHERE id < 0",
    "APPS": "SELECT id, email, email, email, email FROM users WHERE id < 0",
}


def backup_of(revision: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write books of 0.2.0 as a program of that revision kept them."""
    load_sqlite(f"sqlite:///{path}", (FOLDER / "0.2.0.sql").read_text("utf-8") + RECORDED + KEPT)
    with monkeypatch.context() as then, opened(f"sqlite:///{path}") as database:
        then.setattr(migrations, "HEAD", revision)
        then.setattr(migrations, "REVISIONS", [one for one in migrations.REVISIONS if one <= revision])
        if revision < "0004":  # which brought them
            then.setattr(blocks, "fold_all", lambda _: None)
        if revision < "0009":  # what let people in then
            for name, text in LET_IN_THEN.items():
                then.setattr(service_trail, name, Query[tuple[Any, ...]](tuple, text))
        database.migrate(INSTALLATION.trail_marker)


@pytest.mark.parametrize("revision", migrations.REVISIONS)
def test_a_backup_of_an_earlier_revision_is_restored_whole(
    sqlite_factory: Factory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, revision: str
) -> None:
    backup, books = tmp_path / "backup", Path(sqlite_factory.fresh().removeprefix("sqlite:///"))
    backup_of(revision, backup, monkeypatch)
    draft = stage(backup, books)
    moment = "2026-05-03T10:00:00.000000Z"
    doubts = take_over(draft, books, moment, INSTALLATION.trail_marker, is_key_known=False)
    assert [(one.name, one.faults) for one in doubts if one.faults] == []
    put(draft, books, tmp_path / "kept", lambda _: None)
    with opened(f"sqlite:///{books}") as database, world(database) as here:
        here.clock.now = datetime(2026, 5, 4, 12, tzinfo=UTC)
        reader = here.user("reader@example.com")
        here.permit(reader, 1, "admin")
        check_answers(database, reader, "0.2.0")
        found = reader.send("GET", f"/v1/business/{SLUG}/document/?search=260")
        listed = reader.send("GET", f"/v1/business/{SLUG}/document/")
        assert found.body["count"] == len([one for one in listed.body["results"] if "260" in (one["number"] or "")])
        assert found.body["count"]
        assert reader.send("POST", f"/v1/business/{SLUG}/document/1/action/copy/").status == 200
        with database.read() as conn:
            assert trail.verify(conn, 1, INSTALLATION.trail_marker()).faults == []


def test_a_backup_with_a_day_that_is_none_is_refused(
    sqlite_factory: Factory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup, books = tmp_path / "backup", Path(sqlite_factory.fresh().removeprefix("sqlite:///"))
    backup_of("0001", backup, monkeypatch)
    with closing(sqlite3.connect(backup)) as conn, conn:
        assert conn.execute("UPDATE document SET date = 'no day' WHERE is_draft").rowcount == 1
    with pytest.raises(UsageError, match=f"{backup} is not a whole database"):
        stage(backup, books)


def test_books_of_a_release_are_not_copied_into_memory_to_be_changed(sqlite_factory: Factory) -> None:
    url = sqlite_factory.bare()
    load_sqlite(url, (FOLDER / "0.2.0.sql").read_text("utf-8"))
    with opened(url) as database, database.exclusive() as conn:
        migrations.upgrade(conn)
        # where the bundled SQLite keeps temporary tables, whatever it is told
        assert conn.fetch("PRAGMA temp.page_count")[1] == [(0,)]


def test_who_came_in_before_there_was_a_trail_of_the_service_is_known(sqlite_factory: Factory) -> None:
    url = sqlite_factory.bare()
    load_sqlite(url, (FOLDER / "0.2.0.sql").read_text("utf-8"))
    with opened(url) as database, database.exclusive() as conn:
        assert conn.run(
            "INSERT INTO token (user_id, name, hash, created_at) SELECT id, 'old', 'old', created_at FROM users LIMIT 1"
        )
        migrations.upgrade(conn)
        assert list(service_trail.unrecorded(conn)) == []
        conn.run("UPDATE token SET expires_at = '2999-01-01T00:00:00.000000Z'")
        assert {one.text for one in service_trail.unrecorded(conn)} == {"expires_at: not what the audit trail recorded"}


# what the newest code writes, and nobody is let in without
LATER_COLUMNS = (
    ("token", "kind TEXT"),
    ("token", "environment TEXT"),
    ("token", "grant_id BIGINT"),
    ("token", "scopes TEXT"),
    ("business", "chart TEXT"),
)


def test_files_of_a_release_count_to_what_a_business_has_and_its_chart_is_the_usual_one(
    factory: Factory, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as earlier, opened(factory.bare()) as old:
        earlier.setattr(migrations, "REVISIONS", ["0001"])
        earlier.setattr(migrations, "HEAD", "0001")
        # the tables of the trail came later
        for written in ("begin", "record"):
            earlier.setattr(events, written, lambda *said: None)
        earlier.setattr(service_trail, "record", lambda *said: None)
        old.migrate()
        with old.exclusive() as conn:
            for table, column in LATER_COLUMNS:
                conn.run(f"ALTER TABLE {table} ADD COLUMN {column}")
            # every business is shown with its logo
            conn.run("CREATE TABLE business_logo (business_id BIGINT, attachment_id BIGINT)")
        with world(old) as here:
            writer = here.user("writer@example.com")
            for slug, sizes in (("first", (7, 5)), ("second", (3,))):
                made = writer.send("POST", "/v1/business/", {"name": slug, "slug": slug, "form": "DE_UG"})
                assert made.status == 201
                for size in sizes:
                    body = {"name": "a.txt", "file": b64encode(b"x" * size).decode()}
                    assert writer.send("POST", f"/v1/business/{slug}/file_upload/", body).status == 200
        earlier.undo()
        with old.exclusive() as conn:
            for table, column in LATER_COLUMNS:
                conn.run(f"ALTER TABLE {table} DROP COLUMN {column.split()[0]}")
            conn.run("DROP TABLE business_logo")
        old.migrate()
        with old.read() as conn:
            assert [stored_bytes(conn, business) for business in (1, 2, 3)] == [12, 3, 0]
            assert [law.country("DE").chart(chart(conn, business)).name for business in (1, 2)] == ["SKR04", "SKR04"]
