"""What this machine remembers of what was sent once: which lines or files, and what became of them.

The service knows a key for 24 hours (docs/interface.md 1.6); this knows it for more than a year. Each file that is
posted has a record of its own among those of the same books, and so has what is uploaded. A line is on the disk before
its request leaves, so that whatever ends the command, the next one knows what may be there. A record keeps keys,
digests, days and numbers of lines, ids and times of the service. The command line, with all that stands in it, and the
path of the file are kept beside it until all is there or nobody wants the rest.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator, Mapping, Set
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

import msgspec

from acctcli.cli.command.items import Traits
from acctcli.errors import NotWritten, UsageError
from acctcli.settings import state_dir
from acctcli.settings.files import claimed, make_private_folder, write_atomically

# seconds: longer than a year, for files of last year that are posted once more
_KEPT = 400 * 86_400.0
_RECORD, _RUN = ".jsonl", ".json"
# how the lines of a file begin in it
_LISTED = b'{"event":"listed","file":'


class Sent(msgspec.Struct, tag="sent", tag_field="event", frozen=True, gc=False):
    """The request of a line, the how-manieth it is, is about to leave; `at` is the service's time, if it tells any."""

    key: str
    line: int
    at: datetime | None


class Refused(msgspec.Struct, tag="refused", tag_field="event", frozen=True):
    """What was sent last under the key has surely done nothing."""

    key: str


class Done(msgspec.Struct, tag="done", tag_field="event", frozen=True, gc=False):
    """The line is there, as the record of this id, made at this time of the service."""

    key: str
    line: int
    id: int
    created_at: str | None = None


class FileLine(msgspec.Struct, array_like=True, frozen=True):
    """A line of a file: its number, what it is called by its content, and what a mended one has of it."""

    number: int
    name: str
    traits: Traits


class Listed(msgspec.Struct, tag="listed", tag_field="event", frozen=True):
    """All lines that are sent of a file, told by a digest of its path, under a base key, before the first is sent."""

    file: str
    base: str
    lines: list[FileLine]


Event = Sent | Refused | Done | Listed
_decode = msgspec.json.Decoder(Event).decode


class Known:
    """What became of keys: `done`, or sent so that it may be."""

    def __init__(self) -> None:
        self.done: dict[str, Done] = {}
        self._tries: dict[str, list[Sent]] = {}

    def note(self, event: Event) -> None:
        """Take in what was recorded next."""
        match event:
            case Sent():
                self._tries.setdefault(event.key, []).append(event)
            case Refused():
                # only this try: an earlier one may have arrived
                del self._tries.get(event.key, [])[-1:]
            case Done():
                self.done[event.key] = event

    def tries(self, key: str) -> list[Sent]:
        """Return what was sent under a key and may have been done, while nobody knows whether it was."""
        return [] if key in self.done else self._tries.get(key, [])

    def in_doubt(self) -> set[str]:
        """Return the keys that may have been done."""
        return {key for key in self._tries if self.tries(key)}


class Run(msgspec.Struct, frozen=True):
    """A run that has not ended: what goes on with it, where, under which base key, and what is sent."""

    at: datetime
    books: str
    place: str | None
    business: str
    environment: str
    key: str
    file: str
    again: bool
    chosen: str  # which lines, empty for all
    lines: int
    words: list[str]
    folder: str
    doing: str
    begins: int = 0  # in the record, in bytes

    @property
    def name(self) -> str:
        """What it is called: the same for a run that goes on with it, and no other that sends anything else."""
        return _digest(self.books, self.file, self.chosen, "again" if self.again else self.key)


class Record:
    """The record of one file; while it is entered no other command on this machine sends the same file.

    `known` is what the records of all files say of these books, `listed` what was sent of this file the last time,
    by the record that says so: single lines, other keys and what was posted again have records of their own. `run` goes
    on under the key of the one that was cut off, if there is one. Raises UsageError, before anything is sent, when
    another command has it, or when it cannot be written.
    """

    def __init__(self, environ: Mapping[str, str], run: Run) -> None:
        self._folder = runs_folder(environ) / _digest(run.books)
        self.path = self._folder / f"{run.name}{_RECORD}"
        self.run = run
        self.known = Known()
        self.listed: dict[Path, Listed] = {}
        self.goes_on = False
        self._doubts: set[str] = set()  # of the run that was cut off
        self._open = ExitStack()
        self._handle = -1

    def __enter__(self) -> Record:
        try:
            make_private_folder(self._folder)
            if not self._open.enter_context(claimed(self.path)):
                raise UsageError(
                    f"another command is {self.run.doing} {self.run.file} into {self.run.business}",
                    hint="wait until that has ended",
                )
            _prune(self._folder.parent)
            file = _digest(self.run.file)
            for path in self._folder.glob(f"*{_RECORD}"):
                for event in _events(path, file=file):
                    self.known.note(event)
                    if isinstance(event, Listed):
                        self.listed[path] = event
            self._open_record()
        except OSError as problem:
            self._open.close()
            raise UsageError(
                f"what is sent cannot be remembered in {self._folder}: {problem.strerror or problem}",
                hint="mend the folder, or name another in ACCTCLI_STATE_DIR",
            ) from problem
        except BaseException:
            self._open.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def begin(self, lines: list[FileLine]) -> None:
        """Note that the run begins, with the lines that are compared, before anything is sent."""
        with self._writing():
            write_atomically(self._run_path, msgspec.json.encode(self.run))
        listed = Listed(_digest(self.run.file), self.run.key, lines)
        if lines and listed != self.listed.get(self.path):
            self._append(listed)

    def sending(self, sent: Sent) -> None:
        """Have on the disk that a line is about to be sent, with all that was done before it."""
        self._append(sent)
        with self._writing():
            os.fsync(self._handle)

    def is_done(self, done: Done) -> None:
        """Remember a line that is there."""
        self._append(done)

    def is_refused(self, key: str) -> None:
        """Remember that what was sent last has done nothing."""
        self._append(Refused(key))

    def left(self, keys: Set[str]) -> int:
        """Return how many that the run which was cut off left in doubt are not among the keys, and still are."""
        return sum(bool(self.known.tries(key)) for key in self._doubts - keys)

    def end(self, keys: Set[str]) -> None:
        """Forget the run, since all of it is there, and others whose lines are all among its keys.

        Such a one was cut off before the file was renamed or mended.
        """
        self._run_path.unlink(missing_ok=True)
        self._pack()
        for other in cut_off(self._folder.parent).values():
            known, _ = other.progress()
            sent = known.done.keys() | known.in_doubt()
            if sent and sent <= keys and other.run.books == self.run.books and other.run.lines <= len(keys):
                other.forget()

    def _pack(self) -> None:
        """Leave of the record what later runs ask for: what is there, what may be, and the lines of the last time."""
        known, listed = Known(), []
        for event in _events(self.path):
            known.note(event)
            if isinstance(event, Listed):
                listed = [event]
        tries = (one for key in sorted(known.in_doubt()) for one in known.tries(key))
        packed = b"".join(msgspec.json.encode(event) + b"\n" for event in (*listed, *tries, *known.done.values()))
        with suppress(OSError):  # where there is no room the long one stays
            write_atomically(self.path, packed)

    @property
    def _run_path(self) -> Path:
        return self.path.with_suffix(_RUN)

    def _open_record(self) -> None:
        self._handle = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._open.callback(os.close, self._handle)
        os.write(self._handle, b"\n")  # ends a line of which the rest never reached the disk
        before = _read_run(self._run_path)
        if before:
            self.goes_on = True
            self._doubts = CutOff(self._run_path, before).progress()[0].in_doubt()
            self.run = msgspec.structs.replace(self.run, key=before.key, begins=before.begins)
        else:
            self.run = msgspec.structs.replace(self.run, begins=self.path.stat().st_size)

    def _append(self, event: Event) -> None:
        self.known.note(event)
        with self._writing():
            rest = msgspec.json.encode(event) + b"\n"
            while rest:  # a disk that is almost full takes a part, and refuses what comes after it
                rest = rest[os.write(self._handle, rest) :]

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as problem:
            raise NotWritten(
                f"what is sent cannot be remembered in {self.path}: {problem.strerror or problem}",
                hint="mend the folder, then run the same command again: it goes on where it was cut off",
            ) from problem


class CutOff(NamedTuple):
    """A run that was cut off, and the path of what tells so."""

    path: Path
    run: Run

    def progress(self) -> tuple[Known, int]:
        """Return what became of its keys, and how many of its lines are there."""
        known, done = Known(), 0
        for event in _events(self.path.with_suffix(_RECORD), self.run.begins):
            known.note(event)
            # they are sent in their order
            match event:
                case Sent(line=line):
                    done = line - 1
                case Done(line=line):
                    done = line
        return known, done

    def forget(self) -> bool:
        """Note that nobody wants the rest, unless a command has gone on with it; what it did stays known."""
        with claimed(self.path.with_suffix(_RECORD)) as is_ours:
            is_same = is_ours and _read_run(self.path) == self.run
            if is_same:
                self.path.unlink()
            return is_same


def cut_off(folder: Path) -> dict[str, CutOff]:
    """Return by their names the runs that have not ended and are not running now."""
    found = {}
    try:
        books = sorted(folder.iterdir())
    except FileNotFoundError:
        books = []
    for path in (path for one in books for path in sorted(one.glob(f"*{_RUN}"))):
        with claimed(path.with_suffix(_RECORD)) as is_ours:
            if is_ours and (run := _read_run(path)):
                found[path.stem] = CutOff(path, run)
    return found


def runs_folder(environ: Mapping[str, str]) -> Path:
    """Return the folder of all records; it need not exist."""
    return state_dir(environ) / "runs"


def _read_run(path: Path) -> Run | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Run)
    except (FileNotFoundError, msgspec.DecodeError):
        return None


def _events(path: Path, begins: int = 0, file: str | None = None) -> Iterator[Event]:
    """Yield what a record says from a byte on; the lines of other files than this one are not read."""
    listed = _LISTED if file else None
    own = _LISTED + f'"{file}"'.encode()
    try:
        lines = path.read_bytes()[begins:].split(b"\n")
    except FileNotFoundError:
        return
    for line in filter(None, lines):
        if listed and line.startswith(listed) and not line.startswith(own):
            continue
        # one that was cut off by the end of the machine: its request did not leave, or is looked for
        with suppress(msgspec.DecodeError):
            yield _decode(line)


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _prune(folder: Path) -> None:
    """Forget what is older than anybody sends again, unless a command is at it."""
    oldest = time.time() - _KEPT
    for path in folder.glob(f"*/*{_RECORD}"):
        with suppress(FileNotFoundError):
            if path.stat().st_mtime < oldest:
                _forget(path)


def _forget(path: Path) -> None:
    with claimed(path) as is_ours:
        if is_ours:
            for one in (path, path.with_suffix(_RUN), path.with_name(f"{path.name}.lock")):
                one.unlink(missing_ok=True)
