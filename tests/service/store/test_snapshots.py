"""Backups of the local database: whole, checked, never over another file."""

from __future__ import annotations

import contextlib
import resource
import signal
import sqlite3
import stat
from collections.abc import Sequence
from pathlib import Path

import pytest

from acctcli.errors import ServerFault, UsageError
from acctcli.service.store.books import totals
from acctcli.service.store.engine import snapshots, sqlite
from acctcli.service.store.engine.snapshots import Held, clear, copy_out, put, stage
from acctcli.service.store.events import without_key
from acctcli.service.store.people import users
from tests.databases import Factory, opened

STAMP = "2026-01-01T00:00:00.000000Z"


@pytest.fixture
def books(sqlite_factory: Factory) -> Path:
    path = Path(sqlite_factory.fresh().removeprefix("sqlite:///"))
    with opened(f"sqlite:///{path}") as database:
        database.write(lambda conn: users.create(conn, "one", STAMP))
    return path


def nothing(_: Sequence[Held]) -> None:
    """Keep no content."""


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
        kept = put(stage(target, books), books, books.with_name("kept"), nothing)
        with database.read() as conn:
            assert totals.counts(conn)["users"] == 1
        # and it goes on
        database.write(lambda conn: users.create(conn, "three", STAMP))
    assert kept is not None
    assert (people(books), people(kept)) == (2, 2)
    assert sorted(path.name for path in tmp_path.iterdir() if "claims" not in path.name) == ["backup.sqlite3"]


def test_books_become_new_while_they_are_open(books: Path) -> None:
    with opened(f"sqlite:///{books}") as database:
        assert people(books) == 1
        clear(books, without_key)
        database.write(lambda conn: users.create(conn, "new", STAMP))
        with database.read() as conn:
            assert totals.counts(conn)["users"] == 1


def paged(path: Path, size: int) -> None:
    """Give a database pages of another size, as one from elsewhere may have."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as conn:
        conn.execute("PRAGMA journal_mode = DELETE")
        conn.execute(f"PRAGMA page_size = {size}")
        conn.execute("VACUUM")


@pytest.mark.parametrize(("of_backup", "of_books"), [(1024, 4096), (4096, 1024), (65536, 4096)])
def test_pages_may_have_another_size(books: Path, tmp_path: Path, of_backup: int, of_books: int) -> None:
    target, kept = tmp_path / "backup.sqlite3", tmp_path / "kept"
    copy_out(books, target)
    paged(target, of_backup)
    paged(books, of_books)
    with opened(f"sqlite:///{books}") as database:
        database.write(lambda conn: users.create(conn, "two", STAMP))
        put(stage(target, books), books, kept, nothing)
        assert (people(books), people(kept)) == (1, 2)
        clear(books, without_key)
        assert people(books) == 0


@pytest.mark.parametrize("there", [None, b"", b"no database" * 1000])
def test_what_cannot_be_opened_is_put_aside(books: Path, tmp_path: Path, there: bytes | None) -> None:
    place, kept = tmp_path / "place.sqlite3", tmp_path / "kept"
    if there is not None:
        place.write_bytes(there)
    place.with_name("place.sqlite3-journal").write_bytes(b"of what was there")
    found = put(stage(books, place), place, kept, nothing)
    assert people(place) == 1
    assert (found, kept.read_bytes() if there else None) == ((kept, there) if there else (None, None))
    assert not place.with_name("place.sqlite3-journal").exists()


def test_a_full_disk_leaves_the_books_as_they_were(books: Path, tmp_path: Path) -> None:
    copy_out(books, tmp_path / "backup")
    draft = stage(tmp_path / "backup", books)
    with opened(f"sqlite:///{books}") as database:
        database.write(lambda conn: users.create(conn, "two", STAMP))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
        with pytest.raises(ServerFault, match=r"full|does not work"):
            copy_out(books, tmp_path / "another")
        with pytest.raises(ServerFault, match=r"full|does not work"):
            stage(tmp_path / "backup", books)
        with pytest.raises(ServerFault, match=r"full|does not work"):
            put(draft, books, tmp_path / "kept", nothing)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert people(books) == 2
    assert sorted(path.name for path in tmp_path.iterdir() if "claims" not in path.name) == ["backup"]


@pytest.mark.parametrize("since", [(3, 0), (99,)], ids=["wal", "rollback"])
def test_books_that_another_keeps_locked_are_called_busy(
    books: Path, tmp_path: Path, since: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "SAFE_WAL", since)
    monkeypatch.setattr(snapshots, "BUSY_SECONDS", 0.1)
    copy_out(books, tmp_path / "backup")
    with opened(f"sqlite:///{books}") as database:
        assert isinstance(database, sqlite.SqliteDatabase)
        draft = stage(tmp_path / "backup", books)
        with database.exclusive() as conn:
            users.create(conn, "two", STAMP)
            with pytest.raises(ServerFault, match="busy"):
                put(draft, books, tmp_path / "kept", nothing)
            with pytest.raises(ServerFault, match="busy"):
                clear(books, without_key)
    assert people(books) == 2
    assert not (tmp_path / "kept").exists()


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
        stage(tmp_path / "none", books)


def test_books_that_cannot_be_backed_up_are_named_and_not_the_draft(tmp_path: Path) -> None:
    early = tmp_path / "early"
    conn = sqlite3.connect(early)
    conn.execute("CREATE TABLE alembic_version (version_num)")
    conn.close()
    with pytest.raises(UsageError, match=f"{early} is not a whole database of this program"):
        copy_out(early, tmp_path / "backup")
    assert list(tmp_path.iterdir()) == [early]
