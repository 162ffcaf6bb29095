"""What is put in order and does not fit into memory meanwhile: it lies in a file, with a list of its places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import itemgetter
from tempfile import TemporaryFile

Place = tuple[str, int]


def in_order(pieces: Iterable[tuple[Place, bytes]]) -> Iterator[bytes]:
    """Yield pieces by their places, once all have come; those of one place stay as they came."""
    index: list[tuple[Place, int, int]] = []
    begin = 0
    with TemporaryFile(prefix="acctcli-") as file:
        for place, data in pieces:
            size = file.write(data)
            index.append((place, begin, size))
            begin += size
        index.sort(key=itemgetter(0))
        for _, begin, size in index:
            file.seek(begin)
            yield file.read(size)
