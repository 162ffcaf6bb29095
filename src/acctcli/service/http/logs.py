"""The log of the service: what failed under which id, what began and ended; nothing of what requests hold.

A message of an exception may quote a value, so of an exception the log has its types and the lines it came through.
"""

from __future__ import annotations

import logging
import os
import select
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from msgspec.json import encode

FILE = "service.log"
MOST_BYTES = 5 * 2**20
KEPT = 4
# how long a line waits for who reads stderr, and further ones not at all until they are read
PATIENCE_MILLISECONDS = 200

LOG = logging.getLogger("acctcli.service")
LOG.addHandler(logging.NullHandler())
LOG.setLevel(logging.INFO)


def outline(error: BaseException) -> list[str]:
    """Return the types of an exception and of those behind it, each with the lines it came through."""
    lines = []
    one: BaseException | None = error
    while one is not None:
        # the database's own name of a fault quotes nothing
        name = getattr(one, "name", None)
        kind = f"{type(one).__module__}.{type(one).__qualname__}"
        lines.append(f"{kind} ({name})" if type(one).__module__.startswith("acctcli.") and name else kind)
        frames = traceback.extract_tb(one.__traceback__)
        lines.extend(f"  {frame.filename}:{frame.lineno} in {frame.name}" for frame in frames)
        one = one.__cause__ or (None if one.__suppress_context__ else one.__context__)
    return lines


class TextLines(logging.Formatter):
    """A line for people, which ends with an outline of the exception."""

    def format(self, record: logging.LogRecord) -> str:
        """Return moment, level, process and message."""
        head = f"{_moment(record)} {record.levelname} {record.process} {_plain(record.getMessage())}"
        return " | ".join((head, *map(str.strip, _outline_of(record))))


class JsonLines(logging.Formatter):
    """An object on a line, for programs."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the same as JSON."""
        facts = {
            "time": _moment(record),
            "level": record.levelname,
            "process": record.process,
            "message": _plain(record.getMessage()),
        }
        return encode(facts | ({"error": found} if (found := _outline_of(record)) else {})).decode()


FORMATS: dict[str, type[logging.Formatter]] = {"text": TextLines, "json": JsonLines}


def _plain(text: str) -> str:
    """Write what steers a terminal, or begins a line, by its escapes: one record is one line."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def _moment(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")


def _outline_of(record: logging.LogRecord) -> list[str]:
    return outline(record.exc_info[1]) if record.exc_info and record.exc_info[1] else []


class LogFile(logging.Handler):
    """A file for its owner only that several processes write to; one that is full becomes `.1`, and so on."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._path = folder / FILE

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line; a log that cannot be written fails no request."""
        data = f"{self.format(record)}\n".encode("utf-8", "backslashreplace")
        with suppress(OSError), _alone(self._path.parent):
            self._make_room()
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            try:
                os.write(descriptor, data)
            finally:
                os.close(descriptor)

    def _make_room(self) -> None:
        if not self._path.exists() or self._path.stat().st_size < MOST_BYTES:
            return
        names = [self._path, *(self._path.with_name(f"{FILE}.{number}") for number in range(1, KEPT))]
        for older, newer in zip(names[:0:-1], names[-2::-1], strict=True):
            if newer.exists():
                newer.replace(older)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep other processes from moving files of a folder; where folders cannot be locked, do without."""
    if os.name == "nt":
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with _locked(descriptor):
            yield
    finally:
        os.close(descriptor)


@contextmanager
def _locked(descriptor: int) -> Iterator[None]:
    """Lock what is open against other processes."""
    from fcntl import LOCK_EX, LOCK_UN, flock

    flock(descriptor, LOCK_EX)
    try:
        yield
    finally:
        flock(descriptor, LOCK_UN)


class Aloud(logging.Handler):
    """What people read as it comes; nobody waits for whoever does not read it: the rest is in the file alone.

    It opens nothing to write: it tells also that there is no descriptor left.
    """

    def __init__(self, folder: Path, descriptor: int) -> None:
        super().__init__()
        self._folder = os.open(folder, os.O_RDONLY)
        self._descriptor = descriptor
        self._ways = select.poll()
        self._ways.register(descriptor, select.POLLOUT)
        self._is_read = True

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line, in parts for which a pipe has room once it has any, and no other process beside it."""
        data = f"{self.format(record)}\n".encode("utf-8", "backslashreplace")
        with suppress(OSError), _locked(self._folder):
            for begin in range(0, len(data), select.PIPE_BUF):
                self._is_read = bool(self._ways.poll(PATIENCE_MILLISECONDS if self._is_read else 0))
                if not self._is_read:
                    break
                os.write(self._descriptor, data[begin : begin + select.PIPE_BUF])


def _stderr(folder: Path) -> logging.Handler:
    """Return what writes to stderr, where the system cannot tell whether it is read as Python does."""
    if not hasattr(select, "poll"):
        return logging.StreamHandler(sys.stderr)
    return Aloud(folder, sys.stderr.fileno())


def log_to(folder: Path, form: str = "text", *, aloud: bool = False) -> None:
    """Write the log into a folder, and to stderr if `aloud`, from now on and nowhere else."""
    handlers: list[logging.Handler] = [LogFile(folder)]
    if aloud:
        handlers.append(_stderr(folder))
    for handler in handlers:
        handler.setFormatter(FORMATS[form]())
    LOG.handlers[:] = handlers
