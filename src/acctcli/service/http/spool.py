"""Long answers: laid down in a file while their transaction is open, sent from it when it is closed.

A reader that takes its time must not hold a transaction: on SQLite no commit gets past one, and whoever looks at a
journal in a pager would stop every writer. So an answer is also whole or an error: its length is known before its
first byte leaves.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from functools import partial
from itertools import chain
from typing import IO

CHUNK = 128 * 1024


class Streamed:
    """A body of `length` bytes in an open file; iterate once, then close."""

    def __init__(self, file: IO[bytes], length: int) -> None:
        self._file = file
        self.length = length

    def __iter__(self) -> Iterator[bytes]:
        return iter(partial(self._file.read, CHUNK), b"")

    def close(self) -> None:
        """Give the file up."""
        self._file.close()


def spooled(chunks: Iterable[bytes]) -> Streamed:
    """Return a body in a temporary file that nobody else can open."""
    from tempfile import TemporaryFile

    file = TemporaryFile(prefix="acctcli-")  # noqa: SIM115 - closed by whoever has sent it
    try:
        file.writelines(chunks)
        length = file.tell()
        file.seek(0, os.SEEK_SET)
    except BaseException:
        file.close()
        raise
    return Streamed(file, length)


def lay_down(pieces: Generator[str, None, None], most: int) -> bytes | Streamed:
    """Return the text of the pieces in UTF-8: as bytes up to `most` of them, else in a file.

    The pieces are closed in any case, before the transaction they are read in ends.
    """
    head: list[bytes] = []
    size = 0
    with closing(pieces):
        chunks = _chunks(pieces)
        for chunk in chunks:
            head.append(chunk)
            size += len(chunk)
            if size > most:
                return spooled(chain(head, chunks))
    return b"".join(head)


def _chunks(pieces: Iterable[str]) -> Iterator[bytes]:
    """Join small pieces: a record is short, and every write has its price."""
    parts: list[str] = []
    size = 0
    for piece in pieces:
        if not parts and len(piece) >= CHUNK:
            yield piece.encode()
            continue
        parts.append(piece)
        size += len(piece)
        if size >= CHUNK:
            yield "".join(parts).encode()
            parts, size = [], 0
    if parts:
        yield "".join(parts).encode()
