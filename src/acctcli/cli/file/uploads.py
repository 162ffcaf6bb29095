"""Many files to the service: all looked at first, each sent once, under keys that follow from what they are."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from io import BytesIO
from pathlib import Path
from uuid import uuid4

import msgspec

from acctcli.cli.command.body import check
from acctcli.cli.command.items import Item, ItemKind
from acctcli.cli.command.many import key_of_one
from acctcli.cli.command.once import Batch, send_once
from acctcli.cli.output.replies import decoded, read_all, reader
from acctcli.cli.session.state import State
from acctcli.client.downloads import Budget, Fetcher, kind_of
from acctcli.client.messages import LARGEST_PAGE, Extent
from acctcli.client.uploads import LARGEST, Upload
from acctcli.errors import Incomplete, UsageError
from acctcli.models.file import FileRequest

STDIN = Path("-")
_ID = re.compile("[1-9][0-9]{0,18}", re.ASCII)
LARGEST_TEXT = f"{LARGEST // 2**20} MiB"


class _File(msgspec.Struct):
    name: str
    file: str
    folder_id: int | None = None


class _Uploaded(msgspec.Struct):
    id: int


_file = reader(_File, "a file")
_uploaded = reader(_Uploaded, "a file")


def upload_all(
    here: State, paths: Sequence[Path], name: str | None, folder: int | None, columns: Sequence[str], *, again: bool
) -> None:
    """Upload the files that are not there yet, in order; `again` uploads them whatever is there."""
    names = _names(paths, name)
    kind = ItemKind("upload", "uploading", "uploaded", "file", "file", here.api.files.get)
    # one is read after another: all together may be larger than the memory
    items = (
        _item(here, number, len(paths), Upload(name, _read(path), folder))
        for number, (path, name) in enumerate(zip(paths, names, strict=True), 1)
    )
    # what is piped in has no path, but a name
    source = Path(names[0]) if paths[0] == STDIN else paths[0]
    send_once(here, kind, Batch(items, len(paths), source, again=again), columns)


def read_upload(path: Path, name: str | None = None) -> Upload:
    """Read a file that is to be uploaded, under a name or its own; raise UsageError for what cannot be."""
    (name,) = _names([path], name)
    return Upload(name, _read(path), None)


def find_uploaded(here: State, file: Upload) -> int | None:
    """Return the id of a file of this name and these bytes that is there."""
    return next((_uploaded(row).id for row in _called_so(here, file) if _is_it(here, file, row)), None)


def upload_one(here: State, path: Path, key: str) -> int:
    """Upload a file under a key that names the intent, and return its id."""
    return decoded(here.api.upload(read_upload(path), key), _Uploaded).id


def file_ids(here: State, written: Sequence[str]) -> list[int]:
    """Return the ids of files: those named by id, and those of paths here, uploaded unless they are there already.

    All that is named is read before anything is sent; raise UsageError for what is neither. A rehearsal leaves out what
    it would upload.
    """
    base = here.options.idempotency_key or str(uuid4())
    found = [int(one) if _ID.fullmatch(one) else read_upload(Path(one)) for one in written]
    ids = (one if isinstance(one, int) else _there_or_uploaded(here, one, base) for one in found)
    return [one for one in ids if one is not None]


def _there_or_uploaded(here: State, file: Upload, base: str) -> int | None:
    there = find_uploaded(here, file)
    if there is not None:
        here.say(f"note: {file.name} is uploaded already, as file {there}")
        return there
    if here.options.dry_run:
        here.say(f"note: {file.name} would be uploaded, and attached too")
        return None
    return decoded(here.api.upload(file, key_of_one(base, f"{file.sha256} {file.name}")), _Uploaded).id


def _item(here: State, number: int, last: int, file: Upload) -> Item:
    return Item(
        number,
        f"file {number} of {last}, {file.name}",
        f"{file.sha256} {file.folder or ''} {file.name}",
        partial(here.api.upload, file),
        partial(_called_so, here, file),
        partial(_is_it, here, file),
    )


def _called_so(here: State, file: Upload) -> Iterator[bytes]:
    listing = here.api.files.list({"search": file.name}, Extent(None, LARGEST_PAGE))
    return read_all(listing.while_it_grows(), bytes)


def _is_it(here: State, file: Upload, row: bytes) -> bool:
    """Tell whether a file of the service has this name and these bytes, which is all that says so."""
    found = _file(row)
    if found.name != file.name or found.folder_id != file.folder:
        return False
    return has_content(here, found.file, file)


def has_content(here: State, address: str, file: Upload) -> bool:
    """Tell whether the bytes at an address of the service are those of a file."""
    content = BytesIO()
    with closing(Fetcher(here.http, Budget(len(file.content)), here.options.ca_file)) as fetcher:
        try:
            fetcher.fetch(address, content, kind_of(file.name))
        except Incomplete:  # it is longer
            return False
    return content.getvalue() == file.content


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
