"""Files that are no backup: each is refused before anything of the books is touched."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from acctcli.errors import UsageError
from acctcli.service.store.books import totals
from acctcli.service.store.engine.snapshots import copy_out, stage
from acctcli.service.store.people import users
from tests.databases import Factory, opened

STAMP = "2026-01-01T00:00:00.000000Z"
PAGE = 4096


def sql(*statements: str) -> Callable[[Path], None]:
    """Change a backup by statements."""

    def change(path: Path) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as conn:
            for statement in statements:
                conn.execute(statement)

    return change


def content(what: bytes) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        path.write_bytes(what)

    return change


def cut(share: float) -> Callable[[Path], None]:
    return lambda path: os.truncate(path, int(path.stat().st_size * share) // PAGE * PAGE)


def overwritten(where: float, what: bytes) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        with path.open("r+b") as file:
            file.seek(int(path.stat().st_size * where) // PAGE * PAGE)
            file.write(what)

    return change


def foreign(*statements: str) -> Callable[[Path], None]:
    """Another database in its place."""

    def change(path: Path) -> None:
        path.unlink()
        sql(*statements)(path)

    return change


EARLY = ("CREATE TABLE alembic_version (version_num)", "INSERT INTO alembic_version VALUES ('0001')")
NUMBERED = ("CREATE TABLE schema_revision (number)", "INSERT INTO schema_revision VALUES ('0001')")
WRONG: dict[str, Callable[[Path], None]] = {
    "empty": content(b""),
    "text": content(b"no database" * 1000),
    "zeros": content(bytes(PAGE * 20)),
    "half": cut(0.5),
    "without its last page": lambda path: os.truncate(path, path.stat().st_size - PAGE),
    "one page": lambda path: os.truncate(path, PAGE),
    "another header": overwritten(0, b"SQLite format 4"),
    "a page of zeros": overwritten(0.1, bytes(PAGE)),
    "a page of noise": overwritten(0.2, bytes(range(256)) * 16),
    "of a newer program": sql("UPDATE schema_revision SET number = '9999'"),
    "without a revision": sql("DELETE FROM schema_revision"),
    "a revision that is no number": sql("UPDATE schema_revision SET number = 'x'' OR 1'"),
    "from before the first release": foreign(*EARLY),
    "of another program that keeps its revision there": foreign(*EARLY, "CREATE TABLE other (id)"),
    "of another program that has a table of our name": foreign(*NUMBERED),
    "both": sql(*EARLY),
    "without a trigger": sql("DROP TRIGGER entry_frozen_delete"),
    "with a trigger more": sql("CREATE TRIGGER more AFTER INSERT ON tag BEGIN DELETE FROM tag; END"),
    "without a table": sql("PRAGMA foreign_keys = OFF", "DROP TABLE workflow_run"),
    "without an index": sql("DROP INDEX ix_document_contact"),
    "with a column more": sql("ALTER TABLE tag ADD COLUMN more"),
    "references to nobody": sql(
        "PRAGMA foreign_keys = OFF",
        f"INSERT INTO token (user_id, name, hash, created_at) VALUES (99, 'x', 'y', '{STAMP}')",
    ),
    "a view instead of a table": sql("ALTER TABLE tag RENAME TO kept", "CREATE VIEW tag AS SELECT * FROM kept"),
}


@pytest.fixture
def books(sqlite_factory: Factory) -> Path:
    path = Path(sqlite_factory.fresh().removeprefix("sqlite:///"))
    with opened(f"sqlite:///{path}") as database:
        database.write(lambda conn: users.create(conn, "one", STAMP))
    return path


def people(path: Path) -> int:
    with opened(f"sqlite:///{path}") as database, database.read() as conn:
        return totals.counts(conn)["users"]


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_backup_is_refused_and_the_books_stay(books: Path, tmp_path: Path, wrong: str) -> None:
    backup = tmp_path / "backup"
    copy_out(books, backup)
    WRONG[wrong](backup)
    before = sorted(books.parent.iterdir()), books.read_bytes()
    with pytest.raises(UsageError, match=str(backup)) as refused:
        stage(backup, books)
    assert "local reset" not in (refused.value.hint or "")
    assert (sorted(books.parent.iterdir()), books.read_bytes()) == before
    assert people(books) == 1


@pytest.mark.parametrize("link", [None, os.symlink, os.link])
def test_books_are_not_restored_from_themselves(
    books: Path, tmp_path: Path, link: Callable[[Path, Path], None] | None
) -> None:
    source = books
    if link is not None:
        source = tmp_path / "other name"
        link(books, source)
    with pytest.raises(UsageError, match="the local books itself"):
        stage(source, books)
    assert people(books) == 1
