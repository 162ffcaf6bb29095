"""Backups of the local database: whole, checked, never over another file."""

from __future__ import annotations

import sqlite3
import stat
from pathlib import Path

import pytest

from acctcli.errors import UsageError
from acctcli.service.store.books import totals
from acctcli.service.store.engine.snapshots import copy_in, copy_out
from acctcli.service.store.people import users
from tests.databases import Factory, opened

STAMP = "2026-01-01T00:00:00.000000Z"


@pytest.fixture
def books(sqlite_factory: Factory) -> Path:
    path = Path(sqlite_factory.fresh().removeprefix("sqlite:///"))
    with opened(f"sqlite:///{path}") as database:
        database.write(lambda conn: users.create(conn, "one", STAMP))
    return path


def people(path: Path) -> int:
    with opened(f"sqlite:///{path}") as database, database.read() as conn:
        return totals.counts(conn)["users"]


def test_out_and_in_while_it_is_open(books: Path, tmp_path: Path) -> None:
    target = tmp_path / "backup.sqlite3"
    with opened(f"sqlite:///{books}") as database:
        with database.read():
            size = copy_out(books, target)
        assert (size, stat.S_IMODE(target.stat().st_mode)) == (target.stat().st_size, 0o600)
        database.write(lambda conn: users.create(conn, "two", STAMP))
        assert (people(books), people(target)) == (2, 1)
        target.chmod(0o400)
        copy_in(target, books)
        with database.read() as conn:
            assert totals.counts(conn)["users"] == 1
    assert sorted(path.name for path in tmp_path.iterdir() if "claims" not in path.name) == ["backup.sqlite3"]


def test_a_backup_is_never_written_over_a_file(books: Path, tmp_path: Path) -> None:
    target = tmp_path / "there"
    target.write_text("keep")
    with pytest.raises(UsageError, match="exists"):
        copy_out(books, target)
    assert target.read_text() == "keep"


def test_what_cannot_be_read_or_written_is_said(books: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no database"):
        copy_out(tmp_path / "none", tmp_path / "x")
    with pytest.raises(UsageError, match="cannot write"):
        copy_out(books, tmp_path / "no" / "folder")
    with pytest.raises(UsageError, match="no file"):
        copy_in(tmp_path / "none", books)


def test_books_that_cannot_be_backed_up_are_named_and_not_the_draft(tmp_path: Path) -> None:
    early = tmp_path / "early"
    conn = sqlite3.connect(early)
    conn.execute("CREATE TABLE alembic_version (version_num)")
    conn.close()
    with pytest.raises(UsageError, match=f"{early} is not a whole database of this program"):
        copy_out(early, tmp_path / "backup")
    assert list(tmp_path.iterdir()) == [early]


def test_only_a_database_of_this_program_comes_in(books: Path, tmp_path: Path) -> None:
    text, other, cut = tmp_path / "text", tmp_path / "other", tmp_path / "cut"
    text.write_text("no database" * 1000)
    conn = sqlite3.connect(other)
    conn.execute("CREATE TABLE x (y)")
    conn.close()
    content = books.read_bytes()
    cut.write_bytes(content[: len(content) // 2 // 4096 * 4096])
    for source in (text, other, cut):
        with pytest.raises(UsageError):
            copy_in(source, books)
    assert people(books) == 1
