"""Settings files on disk: read whole, changed under a lock, replaced in one step.

A reader sees the old file or the new one, never a part; two writers at once both get their change in.
Comments in config.toml do not survive a change (the format's writer keeps values only); unknown keys do.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from acctcli.errors import UsageError, unwritten
from acctcli.settings.temporaries import new_temporary

Table = dict[str, Any]

LARGEST = 256 * 1024
_LOCK_SECONDS = 10


def read_small(path: Path) -> bytes | None:
    """Return what a plain file holds, or None if it does not exist; raise UsageError if it is odd or unreadable."""
    try:
        _refuse_odd_file(path, path.lstat())
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _unreadable(path, error.strerror or "input/output error") from error


def read_toml(path: Path, *, links: bool = False) -> Table | None:
    """Return the tables of `path`, or None if it does not exist.

    A symbolic link is refused unless `links`: config.toml decides where tokens go, and a change would replace
    the link instead of its target. Raise UsageError naming the file if it cannot be read or is not TOML.
    """
    try:
        status = path.stat() if links else path.lstat()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _unreadable(path, error.strerror or "input/output error") from error
    _refuse_odd_file(path, status)
    return _parse(path)


def change_toml(path: Path, edit: Callable[[Table], None]) -> Table:
    """Apply `edit` to the tables of `path` under the folder's lock, replace the file, and return the tables.

    Missing folders are made 0700, the file is 0600. Whatever `edit` raises leaves the file as it was.
    """
    try:
        make_private_folder(path.parent)
        with locked(path):
            tables = read_toml(path) or {}
            edit(tables)
            _write(path, tables)
    except OSError as error:
        hint = "set ACCTCLI_CONFIG_DIR to a folder of yours"
        raise unwritten(f"{path} cannot be written", error, hint) from error
    return tables


def write_atomically(path: Path, content: bytes) -> None:
    """Replace `path` by `content`, 0600, in one step that survives a crash: temporary file, fsync, rename."""
    temporary = write_beside(path, content)
    try:
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def write_beside(path: Path, content: bytes) -> Path:
    """Write what is to replace `path` into a temporary file beside it, 0600, and return that once it is on the disk."""
    temporary = new_temporary(path.parent)
    try:
        _write_durably(temporary, content)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


@contextlib.contextmanager
def claimed(path: Path) -> Iterator[bool]:
    """Hold the lock of `path`, which is a file beside it, unless another process does; say whether it is held.

    A process that ends, however it ends, gives its lock back.
    """
    with _lock_file(path) as handle:
        yield _try_lock(handle)


@contextlib.contextmanager
def locked(path: Path, seconds: float = _LOCK_SECONDS) -> Iterator[None]:
    """Hold the lock of `path`, waiting for whoever has it; raise UsageError if that takes longer."""
    with _lock_file(path) as handle:
        _wait_for_lock(handle, path, seconds)
        yield


def make_private_folder(folder: Path) -> None:
    """Make `folder` and its missing parents on the disk, 0700 each; a folder that exists keeps its mode."""
    for missing in reversed([step for step in (folder, *folder.parents) if not step.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)
        sync_folder(missing.parent)


def _refuse_odd_file(path: Path, status: os.stat_result) -> None:
    if stat.S_ISLNK(status.st_mode):
        raise _unreadable(path, "it is a symbolic link", hint=f"put a plain file at {path}")
    if not stat.S_ISREG(status.st_mode):
        raise _unreadable(path, "it is not a plain file")
    if status.st_size > LARGEST:
        raise _unreadable(path, f"it is larger than {LARGEST} bytes")


def _parse(path: Path) -> Table | None:
    import tomllib

    try:
        return tomllib.loads(path.read_bytes().decode())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _unreadable(path, error.strerror or "input/output error") from error
    except UnicodeDecodeError as error:
        raise _unreadable(path, "it is not UTF-8 text") from error
    except tomllib.TOMLDecodeError as error:
        raise _unreadable(path, f"it is not valid TOML: {error}") from error
    except RecursionError as error:
        raise _unreadable(path, "it is nested too deep") from error


def _unreadable(path: Path, why: str, hint: str | None = None) -> UsageError:
    return UsageError(f"{path} cannot be read: {why}", hint=hint or f"mend or remove {path}")


def _write(path: Path, tables: Table) -> None:
    import tomli_w

    write_atomically(path, tomli_w.dumps(tables).encode())


def _write_durably(path: Path, content: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Have on the disk which files a folder has."""
    if os.name == "nt":  # a folder cannot be opened there
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def _lock_file(path: Path) -> Iterator[int]:
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    handle = os.open(path.with_name(path.name + ".lock"), flags, 0o600)
    try:
        yield handle
    finally:
        os.close(handle)  # which gives the lock back


def _wait_for_lock(handle: int, path: Path, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not _try_lock(handle):
        if time.monotonic() > deadline:
            raise UsageError(
                f"{path} is being changed by another process for more than {seconds:g} s",
                hint="end that process, or try again",
            )
        time.sleep(0.01)


if sys.platform == "win32":

    def _try_lock(handle: int) -> bool:
        import msvcrt

        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:

    def _try_lock(handle: int) -> bool:
        import fcntl

        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
