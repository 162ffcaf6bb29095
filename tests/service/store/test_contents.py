"""Content on the disk: whole or not at all, for its owner only."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from acctcli.errors import UsageError
from acctcli.service.problems import DiskFull, Invalid, TooLarge, Unavailable
from acctcli.service.store import contents as module
from acctcli.service.store.contents import Content, Contents
from tests.service.files import PDF

NAME = "ab" + "0" * 30
OTHER = "cd" + "1" * 30


@pytest.fixture
def contents(tmp_path: Path) -> Contents:
    return Contents(tmp_path / "files")


def everything(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_what_is_kept_is_read_again(contents: Contents) -> None:
    kept = contents.keep(NAME, [PDF[:3], PDF[3:]])
    assert kept == Content(NAME, len(PDF), hashlib.sha256(PDF).hexdigest(), "application/pdf")
    with contents.open(NAME) as stream:
        assert stream.read() == PDF
    assert everything(contents.folder) == [f"ab/{NAME}"]


def test_only_its_owner_sees_it(contents: Contents) -> None:
    before = os.umask(0)
    try:
        contents.keep(NAME, [PDF])
    finally:
        os.umask(before)
    path = contents.folder / "ab" / NAME
    modes = [stat.S_IMODE(one.stat().st_mode) for one in (contents.folder, path.parent, path)]
    assert modes == [0o700, 0o700, 0o600]


def broken() -> Iterator[bytes]:
    yield PDF
    raise Invalid.whole("cut off")


def test_what_breaks_off_leaves_nothing(contents: Contents) -> None:
    with pytest.raises(Invalid, match="cut off"):
        contents.keep(NAME, broken())
    assert everything(contents.folder) == []


def test_nothing_is_no_file(contents: Contents) -> None:
    with pytest.raises(Invalid, match="empty"):
        contents.keep(NAME, [])
    assert everything(contents.folder) == []


def test_a_byte_too_many_is_too_many(contents: Contents, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST_FILE", 2**20)
    assert contents.keep(NAME, [bytes(2**20)]).size == 2**20
    with pytest.raises(TooLarge, match="1 MiB"):
        contents.keep(OTHER, [bytes(2**20), b"x"])
    assert everything(contents.folder) == [f"ab/{NAME}"]


@pytest.mark.parametrize(
    ("number", "problem", "said"),
    [
        (errno.ENOSPC, DiskFull, "The disk of the service is full; nothing was changed."),
        (errno.EDQUOT, DiskFull, "The disk of the service is full; nothing was changed."),
        (errno.EIO, Unavailable, "The content cannot be written: Input/output error."),
    ],
)
def test_a_disk_that_refuses_is_said_so(
    contents: Contents, monkeypatch: pytest.MonkeyPatch, number: int, problem: type[Unavailable], said: str
) -> None:
    def refuse(descriptor: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(Unavailable) as told:
        contents.keep(NAME, [PDF])
    assert (type(told.value), str(told.value)) == (problem, said)
    assert everything(contents.folder) == []


def test_it_is_flushed_before_it_has_its_name(contents: Contents, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, list[str]]] = []
    flush = os.fsync

    def watched(descriptor: int) -> None:
        flush(descriptor)
        kind = "folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file"
        seen.append((kind, everything(contents.folder)))

    monkeypatch.setattr(os, "fsync", watched)
    contents.keep(NAME, [PDF])
    there = [f"ab/{NAME}"]
    assert seen == [
        ("folder", []),
        ("folder", []),
        ("file", [f"ab/{NAME}.draft"]),
        ("folder", there),
        ("folder", there),
    ]


def test_removing_what_is_gone_is_no_fault(contents: Contents) -> None:
    contents.keep(NAME, [PDF])
    contents.remove([NAME, OTHER, NAME])
    assert everything(contents.folder) == []
    with pytest.raises(FileNotFoundError):
        contents.open(NAME)


def test_strays_are_old_and_unknown(contents: Contents) -> None:
    for name in (NAME, OTHER):
        contents.keep(name, [PDF])
    draft = contents.folder / "ab" / f"{OTHER}.draft"
    draft.write_bytes(b"half")
    for path in contents.folder.rglob("*"):
        os.utime(path, (1000, 1000))
    new = contents.folder / "cd" / ("cd" + "2" * 30)
    new.write_bytes(PDF)
    found = set(contents.strays({NAME}, before=2000.0))
    assert found == {draft, contents.folder / "cd" / OTHER}


def test_copies_are_made_once_and_of_what_is_there(contents: Contents, tmp_path: Path) -> None:
    contents.keep(NAME, [PDF])
    copies = Contents(tmp_path / "copies")
    contents.copy([NAME, OTHER], copies)
    assert everything(copies.folder) == [f"ab/{NAME}"]
    changed = copies.folder / "ab" / NAME
    changed.write_bytes(b"mine")
    contents.copy([NAME], copies)
    assert changed.read_bytes() == b"mine"


def test_content_that_is_deleted_while_it_is_copied_is_passed_over(
    contents: Contents, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (NAME, OTHER):
        contents.keep(name, [PDF])
    copies = Contents(tmp_path / "copies")
    make_room = module.Contents._make_room

    def deleting(self: Contents, path: Path) -> None:
        if path.name == NAME:
            contents.remove([NAME])
        make_room(self, path)

    monkeypatch.setattr(module.Contents, "_make_room", deleting)
    contents.copy([NAME, OTHER], copies)
    assert everything(copies.folder) == [f"cd/{OTHER}"]


def test_copies_that_cannot_be_written_are_refused(contents: Contents, tmp_path: Path) -> None:
    contents.keep(NAME, [PDF])
    with pytest.raises(UsageError, match="cannot write"):
        contents.copy([NAME], Contents(tmp_path / "no such folder" / "copies"))
    assert not (tmp_path / "no such folder").exists()
