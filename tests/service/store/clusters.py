"""A PostgreSQL server that waits for its disk, to be killed and started again; that of other tests does not wait.

`python -m tests.service.store.clusters FOLDER HOME FIRST COUNT` runs the server of a folder and posts documents there
(`drilling.py`): one tree of processes, for strace.
"""

from __future__ import annotations

import contextlib
import shutil
import signal
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from tests.databases import migrate
from tests.postgres import Cluster, give, held_folder
from tests.service.store import drilling

# little memory, a short log: pages are written, and its files come and go, while a drill lasts
SETTINGS = {"shared_buffers": "1MB", "min_wal_size": "2MB", "max_wal_size": "2MB", "autovacuum": "off"}


class Books(Cluster):
    """A server with one database, that of a drill."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, SETTINGS)
        self.books = self.url("books")


@contextlib.contextmanager
def cluster() -> Iterator[Books]:
    """Make a server for a block, at rest, with a database for books."""
    with held_folder() as folder:
        give(folder)
        made = Books(folder)
        made.make("--data-checksums", "--no-locale")
        with made.started():
            with made.connected() as conn:
                conn.execute("CREATE DATABASE books")
            migrate(made.books)
        yield made


@contextlib.contextmanager
def copied(data: Path) -> Iterator[Books]:
    """Copy the data of a server at rest, for a block."""
    with held_folder() as folder:
        made = Books(folder)
        shutil.copytree(data, made.data)
        give(folder)
        yield made


@contextlib.contextmanager
def restored(data: Path, folders: Iterable[Path], files: Mapping[Path, bytes]) -> Iterator[Books]:
    """Lay files and folders of a server's data elsewhere, for a block, as a machine finds them when it starts again."""
    with held_folder() as folder:
        image = Books(folder)
        for one in (data, *folders):
            (image.data / one.relative_to(data)).mkdir(parents=True, exist_ok=True, mode=0o700)
        for path, content in files.items():
            if path.name != "postmaster.pid":  # of a process that is no more
                (image.data / path.relative_to(data)).write_bytes(content)
        give(folder)
        yield image


def main(folder: str, home: str, first: str, count: str) -> None:
    made = Books(Path(folder))
    with made.started(signal.SIGQUIT):
        drilling.main(home, made.books, first, count)


if __name__ == "__main__":
    main(*sys.argv[1:])
