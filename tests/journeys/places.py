"""The four places a command can do its work: in process or over a socket, on SQLite or on PostgreSQL."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx
import msgspec

from acctcli.cli.root import run
from acctcli.cli.session import connect
from acctcli.client.transport import _Client, _InProcess, in_process_client
from acctcli.service.delivery.operator import COMMAND
from acctcli.service.http.embedded import NAME, EmbeddedService, open_embedded
from acctcli.service.store.engine.sqlite import SqliteDatabase
from acctcli.settings import data_dir
from tests.forks import run_command
from tests.serving import serve
from tests.years import commands_to_begin, commands_to_go_on, is_over

_encode = msgspec.json.Encoder(decimal_format="number").encode


@dataclass(frozen=True)
class Done:
    """A finished command."""

    code: int
    out: str
    err: str

    def lines(self) -> list[str]:
        return self.out.splitlines()


@dataclass(frozen=True)
class Place:
    """A user with a business of their own somewhere."""

    name: str
    folder: Path
    environ: dict[str, str]

    def try_run(self, *argv: str, stdin: str = "", **variables: str) -> Done:
        """Run a command in this process, with this user's variables and folder; whatever comes of it."""
        out, err = _stream(b""), _stream(b"")
        with (
            patch.dict(os.environ, {**self.environ, **variables}, clear=True),
            patch.multiple(sys, stdin=_stream(stdin.encode()), stdout=out, stderr=err),
            contextlib.chdir(self.folder),
        ):
            code = run(argv)
        return Done(code, _text(out), _text(err))

    def process(self, *argv: str) -> Done:
        """Run a command as a process of its own."""
        finished = subprocess.run(
            [sys.executable, "-m", "acctcli", *argv],
            env=self.environ,
            cwd=self.folder,
            capture_output=True,
            check=False,
            timeout=120,
        )
        return Done(finished.returncode, finished.stdout.decode(), finished.stderr.decode())

    def at_once(self, *commands: Sequence[str]) -> list[Done]:
        """Run commands at the same moment, each as a process of its own."""
        act = partial(run_command, variables=self.environ)
        with contextlib.chdir(self.folder), ThreadPoolExecutor(len(commands)) as pool:
            ended = list(pool.map(act, commands))
        return [Done(one.returncode, one.stdout.decode(), one.stderr.decode()) for one in ended]

    def run(self, *argv: str, **variables: str) -> Done:
        """Run a command that must work; a business has the years since 2026 after it is made."""
        done = self.try_run(*argv, **variables)
        assert done.code == 0, f"{argv}: {done.err}"
        if argv[:2] == ("business", "create") and "--dry-run" not in argv and is_over():
            slug = argv[argv.index("--slug") + 1]
            self.begin(slug)
            self.go_on(slug)
        return done

    def begin(self, slug: str) -> None:
        """Let books begin with the year that tests name."""
        (made,) = self.json("period", "list", "--business", slug)
        for argv in commands_to_begin(made["id"], slug):
            self.run(*argv)

    def go_on(self, slug: str) -> None:
        """Add the years until today's."""
        for argv in commands_to_go_on(slug):
            self.run(*argv)

    def json(self, *argv: str) -> Any:
        """Run a command and return its JSON, numbers as Decimal or int."""
        return json.loads(self.run(*argv, "--json").out, parse_float=Decimal)

    def write(self, name: str, value: Any) -> str:
        """Write a JSON file; Decimals become numbers with the same digits."""
        path = self.folder / name
        path.write_bytes(_encode(value))
        return str(path)

    def write_lines(self, name: str, values: Iterable[Any]) -> str:
        path = self.folder / name
        path.write_bytes(b"\n".join(map(_encode, values)) + b"\n")
        return str(path)


def _stream(content: bytes) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(content), encoding="utf-8", write_through=True)


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    assert isinstance(stream.buffer, io.BytesIO)
    return stream.buffer.getvalue().decode()


def fresh(name: str, folder: Path, **variables: str) -> Place:
    """A user without settings; nothing of the person who runs the tests is seen."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = {key: value for key, value in os.environ.items() if not key.startswith("ACCTCLI_")}
    folders = {f"ACCTCLI_{kind}_DIR": str(folder / kind.lower()) for kind in ("CONFIG", "DATA", "CACHE", "STATE")}
    return Place(name, folder, {**kept, **folders, "HOME": str(folder), **variables})


@contextmanager
def kept_open(place: Place | None = None) -> Iterator[None]:
    """Let commands of this process find a place's books, or any, open until the end of the block, as a service's are.

    To open and close them is more than half of what a command does.
    """
    books = None if place is None else data_dir(place.environ) / "local"
    opened = dict[Any, _Kept]()

    def found(
        folder: Path, database_url: str | None, files: Path, outbox: Path, smtp_url: str | None, *rest: Any
    ) -> tuple[httpx.Client, str]:
        if books not in (None, folder) or smtp_url:
            return in_process_client(folder, database_url, files, outbox, smtp_url, *rest)
        login_address = rest[-1]
        key = (folder, database_url, files, outbox, login_address, *map(os.environ.get, (COMMAND, NAME)))
        if key in opened and opened[key].were_touched():
            opened.pop(key).service.database.close()
        if key not in opened:
            made = open_embedded(folder, database_url, files=files, outbox=outbox, login_address=login_address)
            opened[key] = _Kept(made)
        opened[key].under_way += 1
        return _Client(opened[key]), opened[key].service.token

    try:
        with patch.object(connect, "in_process_client", found):
            yield
    finally:
        for kept in opened.values():
            kept.service.database.close()


class _Kept(_InProcess):
    """Books that stay open after a command, and leave on their file all that they would if they were closed."""

    def __init__(self, service: EmbeddedService) -> None:
        super().__init__(service)
        self.service = service
        # a test may run a command between two requests of another
        self.under_way = 0
        self._left = self._facts()

    def close(self) -> None:
        """Leave the service to the next command."""
        self.under_way -= 1
        if isinstance(database := self.service.database, SqliteDatabase):
            with database.autocommit() as conn:
                conn.fetch("PRAGMA wal_checkpoint(PASSIVE)")
        self._left = self._facts()

    def were_touched(self) -> bool:
        """Whether a test has changed, replaced or removed a file of the books since the last command, which is over."""
        return not self.under_way and self._facts() != self._left

    def _facts(self) -> set[tuple[str, int, int, int]]:
        """Return which files lie beside the books, but the index of the log, which is in memory."""
        with contextlib.suppress(FileNotFoundError), os.scandir(self.service.folder) as entries:
            files = {one.name: one.stat() for one in entries if one.is_file() and not one.name.endswith("-shm")}
            return {(name, one.st_ino, one.st_size, one.st_mtime_ns) for name, one in files.items()}
        return set()


@contextmanager
def served(place: Place) -> Iterator[Place]:
    """Serve a place's database on a socket; yield a second user of it, who comes over the network."""
    token = place.run("local", "token").out.strip()
    with serve(place.environ, folder=place.folder) as url:
        guest = fresh(f"{place.name}, socket", place.folder / "guest", ACCTCLI_LOCAL_BASE_URL=url)
        guest.environ["ACCTCLI_LOCAL_TOKEN"] = token
        yield guest
