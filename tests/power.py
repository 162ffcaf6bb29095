"""What a power cut would undo: names of files and folders whose folder was not flushed after they were given."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

NAMED = {"os.rename": 1, "os.link": 1, "os.mkdir": 0}
_listening: list[list[Path]] = []


def _hear(event: str, arguments: tuple[Any, ...]) -> None:
    if _listening and event in NAMED:
        _listening[-1].append(Path(os.fsdecode(arguments[NAMED[event]])).absolute())


sys.addaudithook(_hear)


@contextmanager
def names_at_risk(below: Path) -> Iterator[list[Path]]:
    """Yield the names given below a folder whose own folder has not been flushed since; whole after the block."""
    named: list[Path] = []
    flush = os.fsync

    def flushed(descriptor: int) -> None:
        flush(descriptor)
        facts = os.fstat(descriptor)
        named[:] = [path for path in named if not os.path.samestat(facts, path.parent.stat())]

    _listening.append(named)
    try:
        with patch.object(os, "fsync", flushed):
            yield named
    finally:
        _listening.remove(named)
        named[:] = [path for path in named if path.is_relative_to(below) and path.exists()]
