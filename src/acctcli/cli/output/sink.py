"""Where results go: stdout, or a file that is written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from acctcli.errors import UNWRITABLE, NotWritten, UsageError

# what is kept in memory of a result that is shown at once, in bytes
_HELD = 8 * 2**20


@contextlib.contextmanager
def opened(path: Path | None, option: str = "--output-file", *, at_once: bool = False) -> Iterator[BinaryIO]:
    """Yield a binary stream; a file appears under its name only when the block ends without an error.

    `option` is what gave the path: errors name it. To stdout, too, goes all or nothing if it is to be `at_once`.
    """
    stdout = _held if at_once else _stdout
    try:
        with stdout() if path is None else _whole_file(_target(path)) as stream:
            yield stream
    except OSError as problem:
        if problem.errno not in UNWRITABLE:
            raise
        place = "stdout" if path is None else f"{option} {path}"
        raise NotWritten(f"{place} cannot be written: {problem.strerror}") from problem


def check(path: Path, option: str = "--output-file") -> None:
    """Raise UsageError if no file can be written at `path`, before anything is done that it should tell of.

    `option` is what gave the path.
    """
    if str(path) == "-":
        raise UsageError(f"{option} -: it names a file; what is asked for goes to stdout without it")
    try:
        target = _target(path)
        is_odd = target.is_symlink() or (path.exists() and not path.is_file())
    except OSError as problem:
        raise UsageError(f"{option} {path}: {problem.strerror or problem}") from problem
    if is_odd:
        raise UsageError(f"{option} {path}: not a plain file")
    if not target.parent.is_dir():
        raise UsageError(f"{option} {path}: there is no folder {target.parent}")
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise UsageError(f"{option} {path}: the folder {target.parent} cannot be written")


def is_same(one: Path, other: Path) -> bool:
    """Tell whether two paths lead to one file."""
    return _target(one) == _target(other)


def settle(path: Path | None) -> None:
    """Have on the disk what was written, its name too, before something says that it was; pipes have no disk."""
    with contextlib.suppress(OSError):
        if path is None:
            os.fsync(sys.stdout.fileno())
            return
        from acctcli.settings.files import sync_folder

        sync_folder(_target(path).parent)


@contextlib.contextmanager
def _stdout() -> Iterator[BinaryIO]:
    yield sys.stdout.buffer
    sys.stdout.buffer.flush()


@contextlib.contextmanager
def _held() -> Iterator[BinaryIO]:
    import shutil
    import tempfile

    # beyond that on the disk, in a file without a name
    with tempfile.SpooledTemporaryFile(_HELD) as held:
        yield cast("BinaryIO", held)
        held.seek(0)
        shutil.copyfileobj(held, sys.stdout.buffer, _HELD)
    sys.stdout.buffer.flush()


@contextlib.contextmanager
def _whole_file(path: Path) -> Iterator[BinaryIO]:
    from acctcli.settings.temporaries import new_temporary

    temporary = new_temporary(path.parent)
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with os.fdopen(handle, "wb", buffering=1 << 18) as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(_mode(path))
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _target(path: Path) -> Path:
    """The file itself where `path` is a link to it: the link stays. Still a link where links lead in circles."""
    return Path(os.path.realpath(path))


def _mode(path: Path) -> int:
    """The mode the file has already, else what the umask allows."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
