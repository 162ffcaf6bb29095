"""What this machine remembers of what was sent once: which lines or files, and what became of them.

The service knows a key for 24 hours (docs/interface.md 1.6); this knows it for a year. Each file that is posted has a
record of its own in the folder of states, and so has what is uploaded: a line is on the disk before its request leaves,
so that whatever ends the command, the next one knows what may be there. Keys, line numbers and ids are kept, and
nothing of what is sent.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

import msgspec

from acctcli.errors import AcctcliError, UsageError
from acctcli.settings import state_dir
from acctcli.settings.files import claimed, make_private_folder, sync_folder

# seconds: longer than a year, for files of last year that are posted once more
_KEPT = 400 * 86_400.0
_SUFFIX = ".jsonl"


class Began(msgspec.Struct, tag="began", tag_field="event", frozen=True):
    """A run began: where it posts, under which base key, and the command that goes on with it."""

    at: datetime
    place: str | None
    business: str
    environment: str
    key: str
    file: str
    lines: int
    words: list[str]
    folder: str
    verb: str = "post"


class Sent(msgspec.Struct, tag="sent", tag_field="event", frozen=True):
    """The request of a line is about to leave."""

    at: datetime
    key: str
    line: int


class Done(msgspec.Struct, tag="done", tag_field="event", frozen=True):
    """The line is there, as the document of this id, made at this time of the service."""

    key: str
    line: int
    id: int
    created_at: str | None = None


class Refused(msgspec.Struct, tag="refused", tag_field="event", frozen=True):
    """The line is surely not there."""

    key: str


class Ended(msgspec.Struct, tag="ended", tag_field="event", frozen=True):
    """All lines are there, or nobody wants the others."""

    at: datetime


Event = Began | Sent | Done | Refused | Ended
_decode = msgspec.json.Decoder(Event).decode


class Run:
    """What a record says of one file: the last beginning, and the lines known under each key."""

    def __init__(self, name: str, events: Iterator[Event]) -> None:
        self.name = name
        self.began: Began | None = None
        self.has_ended = False
        self.sent: dict[str, Sent] = {}
        self.done: dict[str, Done] = {}
        for event in events:
            self._note(event)

    @property
    def in_doubt(self) -> list[Sent]:
        """The lines that may be there: sent, and not known to be done."""
        return [sent for key, sent in self.sent.items() if key not in self.done]

    def _note(self, event: Event) -> None:
        match event:
            case Began():
                self.began, self.has_ended = event, False
            case Sent():
                self.sent[event.key] = event
            case Done():
                self.done[event.key] = event
            case Refused():
                self.sent.pop(event.key, None)
            case Ended():
                self.has_ended = True


class Record:
    """The record of one file; while it is entered no other command on this machine posts the same file.

    `sent` and `done` are what the records of all files say of the business, by key. Raises UsageError, before anything
    is sent, when another command has it, or when it cannot be written.
    """

    def __init__(self, environ: Mapping[str, str], began: Began) -> None:
        self._folder = runs_folder(environ)
        self._began = began
        self.path = self._folder / f"{_name(began)}{_SUFFIX}"
        self.sent: dict[str, Sent] = {}
        self.done: dict[str, Done] = {}
        self._open = ExitStack()
        self._handle = -1

    def __enter__(self) -> Record:
        try:
            make_private_folder(self._folder)
            if not self._open.enter_context(claimed(self.path)):
                self._open.close()
                raise UsageError(
                    f"another command is {self._began.verb}ing {self._began.file} into {self._began.business}",
                    hint="wait until that has ended",
                )
            _prune(self._folder)
            self._learn()
            self._begin()
        except OSError as problem:
            self._open.close()
            raise UsageError(
                f"what is sent cannot be remembered in {self._folder}: {problem.strerror or problem}",
                hint="mend the folder, or name another in ACCTCLI_STATE_DIR",
            ) from problem
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def sending(self, key: str, line: int) -> None:
        """Have on the disk that a line is about to be sent, with all that was done before it."""
        self.sent[key] = sent = Sent(datetime.now(UTC), key, line)
        self._append(sent, sync=True)

    def is_done(self, done: Done) -> None:
        """Remember a line that is there."""
        self.done[done.key] = done
        self._append(done)

    def is_refused(self, key: str) -> None:
        """Remember that a line that was sent is not there."""
        self._append(Refused(key))

    def has_ended(self) -> None:
        """Remember that no line is missing."""
        self._append(Ended(datetime.now(UTC)), sync=True)

    def _learn(self) -> None:
        for run in runs(self._folder):
            if run.began and (run.began.place, run.began.business) == (self._began.place, self._began.business):
                self.sent |= run.sent
                self.done |= run.done

    def _begin(self) -> None:
        is_new = not self.path.exists()
        self._handle = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._open.callback(os.close, self._handle)
        os.write(self._handle, b"\n")  # ends a line of which the rest never reached the disk
        self._append(self._began, sync=True)
        if is_new:
            sync_folder(self._folder)

    def _append(self, event: Event, *, sync: bool = False) -> None:
        try:
            os.write(self._handle, msgspec.json.encode(event) + b"\n")
            if sync:
                os.fsync(self._handle)
        except OSError as problem:
            raise AcctcliError(
                f"what is sent cannot be remembered in {self.path}: {problem.strerror or problem}",
                hint=f"mend the folder, then run the same command again: nothing is {self._began.verb}ed twice",
            ) from problem


def runs_folder(environ: Mapping[str, str]) -> Path:
    """Return the folder of records; it need not exist."""
    return state_dir(environ) / "runs"


def runs(folder: Path) -> Iterator[Run]:
    """Yield what every record says."""
    for path in sorted(folder.glob(f"*{_SUFFIX}")):
        yield Run(path.stem, _events(path))


def end(folder: Path, name: str) -> None:
    """Note that nobody wants the rest of a run; what it did stays known."""
    with (folder / f"{name}{_SUFFIX}").open("ab") as file:
        file.write(b"\n" + msgspec.json.encode(Ended(datetime.now(UTC))) + b"\n")


def is_running(folder: Path, name: str) -> bool:
    """Tell whether a command is posting this file just now."""
    with claimed(folder / f"{name}{_SUFFIX}") as is_ours:
        return not is_ours


def _name(began: Began) -> str:
    """Return the name of a record: that of the place, the business, the base key and the file's path."""
    parts = "\0".join((began.place or "", began.business, began.key, began.file))
    return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _events(path: Path) -> Iterator[Event]:
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return
    for line in lines:
        try:
            if line:
                yield _decode(line)
        except msgspec.DecodeError:
            continue  # cut off by the end of the machine: its request did not leave, or is looked for


def _prune(folder: Path) -> None:
    """Forget what is older than anybody posts again."""
    oldest = time.time() - _KEPT
    for path in folder.iterdir():
        if path.stat().st_mtime < oldest:
            path.unlink(missing_ok=True)
