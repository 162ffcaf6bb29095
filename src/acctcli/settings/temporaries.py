"""What is written beside a file until it is whole; what a killed command left of it, the next one clears away."""

from __future__ import annotations

import os
import re
import time
import zlib
from contextlib import suppress
from pathlib import Path

PREFIX = ".acctcli-"
# those of this version, and the names that earlier ones drew
_OURS = re.compile(re.escape(PREFIX) + r"(?:([0-9a-f]{8})-([0-9]+)-[0-9a-z_-]+|[0-9a-z_]{8}|[0-9a-f]{16})(?:\.tmp)?")
# seconds after which one is left behind whose writer cannot be asked: of another machine, or of an earlier version
_OLD = 7 * 86_400.0


def new_temporary(folder: Path, suffix: str = ".tmp") -> Path:
    """Return a path in `folder` that nothing has, named after this process; clear away what ended ones left there."""
    for path in left_behind(folder):
        with suppress(OSError):  # another command clears it too, or it is another's: nobody waits for it
            _remove(path)
    return folder / f"{PREFIX}{_machine()}-{os.getpid()}-{os.urandom(8).hex()}{suffix}"


def left_behind(folder: Path) -> list[Path]:
    """Return what commands that have ended left in a folder."""
    try:
        found = [entry for entry in os.scandir(folder) if entry.name.startswith(PREFIX)]
    except OSError:
        return []
    return [Path(entry.path) for entry in found if _is_left_behind(entry)]


def _is_left_behind(entry: os.DirEntry[str]) -> bool:
    ours = _OURS.fullmatch(entry.name)
    if ours is None:
        return False
    if ours[1] == _machine() and os.name != "nt":
        return not _is_alive(int(ours[2]))
    try:
        return time.time() - entry.stat(follow_symlinks=False).st_mtime > _OLD
    except OSError:
        return False


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        import shutil

        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink()


def _machine() -> str:
    """Return what tells this machine from others that write to the same folder."""
    name = os.environ.get("COMPUTERNAME", "") if os.name == "nt" else os.uname().nodename
    return f"{zlib.crc32(name.encode()):08x}"
