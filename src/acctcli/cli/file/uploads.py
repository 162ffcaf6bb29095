"""Many files to the service: all looked at first, each sent once, under keys that follow from what they are."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import msgspec

from acctcli.cli.command.body import check
from acctcli.cli.command.once import Item, Kind, send_once
from acctcli.cli.output.replies import read_all, reader
from acctcli.cli.session.state import State
from acctcli.client.messages import LARGEST_PAGE, Extent
from acctcli.client.uploads import LARGEST, Upload
from acctcli.errors import UsageError
from acctcli.models.file import FileRequest

STDIN = Path("-")
LARGEST_TEXT = f"{LARGEST // 2**20} MiB"


class _File(msgspec.Struct):
    name: str


_file = reader(_File, "a file")


def upload_all(
    here: State, paths: Sequence[Path], name: str | None, folder: int | None, columns: Sequence[str], *, again: bool
) -> None:
    """Upload the files that are not there yet, in order; `again` uploads them whatever is there."""
    names = _names(paths, name)
    kind = Kind("upload", "file", "file", here.api.files.get)
    # one is read after another: all together may be larger than the memory
    items = (_item(here, Upload(name, _read(path), folder)) for path, name in zip(paths, names, strict=True))
    # what is piped in has no path, but a name
    source = Path(names[0]) if paths[0] == STDIN else paths[0]
    send_once(here, kind, items, len(paths), source, columns, again=again)


def _item(here: State, file: Upload) -> Item:
    digest = f"{file.sha256} {file.folder or ''} {file.name}"
    return Item(digest, partial(here.api.upload, file), partial(_alike, here, file), f", {file.name}")


def _alike(here: State, file: Upload) -> Iterator[bytes]:
    """Yield the files of that name."""
    listing = here.api.files.list({"search": file.name}, Extent(None, LARGEST_PAGE))
    return (row for row in read_all(listing, bytes) if _file(row).name == file.name)


def _names(paths: Sequence[Path], name: str | None) -> list[str]:
    """Return the names files are uploaded under; raise UsageError for what cannot be uploaded."""
    if name is not None and len(paths) > 1:
        raise UsageError("--name goes with one file")
    if STDIN in paths and (name is None or len(paths) > 1):
        raise UsageError("stdin is one file and needs a name", hint="give one with --name")
    for path in paths:
        if path != STDIN:
            _check_file(path)
    return [_checked_name(path, name) for path in paths]


def _checked_name(path: Path, name: str | None) -> str:
    """Return the name, by the file's own unless one is given; bytes that are no text here are replaced."""
    own = os.fsencode(path.name).decode("utf-8", "replace")
    return check(FileRequest, {"name": own if name is None else name}, str(path)).name


def _check_file(path: Path) -> None:
    try:
        size = path.stat().st_size
    except OSError as problem:
        raise UsageError(f"{path}: {problem.strerror}") from problem
    if not path.is_file():
        raise UsageError(f"{path}: not a plain file")
    _check_size(path, size)


def _check_size(path: Path, size: int) -> None:
    if not 0 < size <= LARGEST:
        raise UsageError(f"{path}: {'the file is empty' if not size else f'larger than {LARGEST_TEXT}'}")


def _read(path: Path) -> bytes:
    try:
        with sys.stdin.buffer if path == STDIN else path.open("rb") as stream:
            content: bytes = stream.read(LARGEST + 1)
    except OSError as problem:
        raise UsageError(f"{path}: {problem.strerror}") from problem
    _check_size(path, len(content))
    return content
