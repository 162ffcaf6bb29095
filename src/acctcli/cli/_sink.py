"""Where results go: stdout, or a file that is written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from acctcli.errors import UsageError


@contextlib.contextmanager
def opened(path: Path | None) -> Iterator[BinaryIO]:
    """Yield a binary stream; a file appears under its name only when the block ends without an error."""
    if path is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as problem:
        raise UsageError(f"--output-file {path}: {problem.strerror or problem}") from problem
    temporary = Path(name)
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


def _mode(path: Path) -> int:
    """The mode the file has already, else what the umask allows."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
