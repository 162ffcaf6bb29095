"""The local service's own folder: backups hold files too, and nothing stays that no record names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.conftest import Cli, succeed

CONTENT = b"%PDF-1.7\n"


@pytest.fixture
def contents(cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of what files hold, with one file in it: a.pdf, id 1."""
    monkeypatch.setenv("ACCTCLI_BUSINESS", "books")
    succeed(cli("business", "create", "--name", "Books Oy", "--slug", "books"))
    Path("a.pdf").write_bytes(CONTENT)
    succeed(cli("file", "upload", "a.pdf"))
    return home / "data" / "local" / "files"


def held(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in folder.rglob("*") if path.is_file()]


def test_files_lie_beside_the_database(contents: Path) -> None:
    assert held(contents) == [CONTENT]


def test_a_variable_names_another_folder(cli: Cli, home: Path, contents: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCTCLI_FILES_DIR", str(home / "elsewhere"))
    Path("b.pdf").write_bytes(b"%PDF-b")
    succeed(cli("file", "upload", "b.pdf"))
    assert (held(home / "elsewhere"), held(contents)) == ([b"%PDF-b"], [CONTENT])


def test_a_backup_brings_files_back(cli: Cli, contents: Path) -> None:
    succeed(cli("local", "backup", "backup.sqlite3"))
    assert held(Path("backup.sqlite3-files")) == [CONTENT]
    succeed(cli("file", "delete", "1", "--yes"))
    assert held(contents) == []
    succeed(cli("local", "restore", "backup.sqlite3", "--yes"))
    succeed(cli("file", "download", "1", "--to", "out"))
    assert Path("out/a.pdf").read_bytes() == CONTENT


def test_a_backup_is_never_written_over_another(cli: Cli, contents: Path) -> None:
    succeed(cli("local", "backup", "backup.sqlite3"))
    before = Path("backup.sqlite3").read_bytes()
    outcome = cli("local", "backup", "backup.sqlite3")
    assert (outcome.code, Path("backup.sqlite3").read_bytes()) == (2, before)
    outcome = cli("local", "backup", "missing/backup.sqlite3")
    assert (outcome.code, Path("missing").exists()) == (2, False)


def test_a_reset_deletes_files_and_no_others(cli: Cli, contents: Path) -> None:
    foreign = contents / "ab" / ("ab" + "0" * 30)
    foreign.parent.mkdir()
    foreign.write_bytes(b"of another database")
    succeed(cli("local", "reset", "--dry-run"))
    assert len(held(contents)) == 2
    succeed(cli("local", "reset", "--yes"))
    assert held(contents) == [b"of another database"]


def test_cleaning_removes_what_no_record_names(cli: Cli, contents: Path) -> None:
    stray, new = (contents / "ab" / f"ab{digit * 30}" for digit in "01")
    stray.parent.mkdir(exist_ok=True)
    for path in (stray, new):
        path.write_bytes(b"left over")
    for path in contents.rglob("*"):
        if path != new:
            os.utime(path, (1_000_000_000, 1_000_000_000))
    assert succeed(cli("local", "clean", "--dry-run")).err == "Would remove 1 files.\n"
    refused = cli("local", "clean")
    assert (refused.code, stray.exists()) == (2, True)
    assert "Remove 1 of the files in" in refused.err
    assert succeed(cli("local", "clean", "--yes", "--json")).json() == {"files": 1, "cleaned": True}
    assert sorted(held(contents)) == sorted([CONTENT, b"left over"])
    assert new.exists()
    succeed(cli("local", "clean"))
