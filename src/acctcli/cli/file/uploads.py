"""Many files to the service: all looked at first, each sent once, under keys that follow from what they are."""

from __future__ import annotations

import os
import sys
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from acctcli.cli.command.body import check
from acctcli.cli.command.many import Write, send_all
from acctcli.cli.output.progress import counted
from acctcli.cli.session.state import State
from acctcli.client.uploads import LARGEST, Upload
from acctcli.errors import UsageError
from acctcli.models.file import FileRequest

STDIN = Path("-")
LARGEST_TEXT = f"{LARGEST // 2**20} MiB"

Keyed = tuple[Upload, str]


def upload_all(
    here: State, paths: Sequence[Path], name: str | None, folder: int | None, columns: Sequence[str]
) -> None:
    """Upload files in order."""
    names = _names(paths, name)
    base = here.options.idempotency_key or str(uuid.uuid4())
    count = len(paths)
    writes = (
        Write(partial(here.api.upload, file, key), f"file {place} of {count}, {file.name}")
        for place, (file, key) in enumerate(_read_all(paths, names, folder, base), 1)
    )
    send_all(here, writes, base, columns, "files are there", lambda pages: counted(here, pages, count))


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


def _read_all(paths: Sequence[Path], names: Sequence[str], folder: int | None, base: str) -> Iterator[Keyed]:
    """Read one file after another; the same file twice is two uploads."""
    seen: Counter[tuple[str, str]] = Counter()
    for path, name in zip(paths, names, strict=True):
        file = Upload(name, _read(path), folder)
        seen[file.name, file.sha256] += 1
        yield file, file.key(base, seen[file.name, file.sha256])


def _read(path: Path) -> bytes:
    try:
        with sys.stdin.buffer if path == STDIN else path.open("rb") as stream:
            content: bytes = stream.read(LARGEST + 1)
    except OSError as problem:
        raise UsageError(f"{path}: {problem.strerror}") from problem
    _check_size(path, len(content))
    return content
