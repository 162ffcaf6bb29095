"""What an incremental export remembers between its runs, in a file of its own.

The state says from which day on the next run has to look, and what of those days it has told already. It belongs to
one list of one business in one environment, and is refused for any other.
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from acctcli.cli.session.state import State
from acctcli.errors import Incomplete, NotWritten, UsageError
from acctcli.settings import data_dir
from acctcli.settings.files import claimed, write_beside

OPTION = "--since"
_FORMAT = 1
_LARGEST = 256 * 2**20


class Scope(msgspec.Struct, frozen=True):
    """Which list it is: another one's state would hide changes of this."""

    environment: str
    host: str | None
    business: str
    kind: str
    query: str


class Mark(msgspec.Struct):
    """How far the export is: nothing before the day `floor` (UTC) is looked at; `seen` holds each record's last
    `updated_at` from then on. Without a floor everything is looked at.
    """

    floor: date | None = None
    seen: dict[str, str] = {}


class _Content(msgspec.Struct):
    version: int
    scope: Scope
    mark: Mark


class StateFile:
    """The file of one export; between `open` and `close` no other run on this machine can use it.

    Opening raises UsageError, before anything is sent, when another does, or when no file can be written there.
    """

    def __init__(self, path: Path, scope: Scope) -> None:
        self.path = Path(os.path.realpath(path))
        self._scope = scope
        self._found: bytes | None = None
        self._next: Path | None = None
        self._claim = ExitStack()

    def open(self) -> None:
        """Claim the file."""
        folder = self.path.parent
        if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
            raise UsageError(f"{OPTION} {self.path}: the folder {folder} is not there, or cannot be written")
        try:
            is_ours = self._claim.enter_context(claimed(self.path))
        except OSError as problem:
            raise UsageError(f"{OPTION} {self.path}.lock: {problem.strerror or problem}") from problem
        if not is_ours:
            self._claim.close()
            raise self._refused("another export is using it", "wait until that has ended")

    def read(self) -> Mark:
        """Return the mark of the last run, an empty one where there was none.

        Raises UsageError when the file is another export's, or none of ours.
        """
        self._found = self._content()
        if self._found is None:
            return Mark()
        try:
            content = msgspec.json.decode(self._found, type=_Content)
        except msgspec.DecodeError as problem:
            raise self._refused("it is no state of acctcli", "give a file that is not there yet") from problem
        if content.version != _FORMAT:
            raise self._refused("it was written by another version of acctcli", "start over with a new file")
        if content.scope != self._scope:
            raise self._refused(_difference(content.scope, self._scope), "give each export a file of its own")
        return content.mark

    def check(self) -> None:
        """Raise Incomplete when a run elsewhere has moved on meanwhile: both would tell the same changes."""
        if self._content() != self._found:
            raise Incomplete(
                f"another export has used {self.path} meanwhile", hint="this one is void; do not run two at once"
            )

    def prepare(self, mark: Mark) -> None:
        """Have the next state on the disk, beside this one, which holds until `confirm`."""
        content = msgspec.json.format(msgspec.json.encode(_Content(_FORMAT, self._scope, mark)), indent=1)
        try:
            self._next = write_beside(self.path, content + b"\n")
        except OSError as problem:
            raise self._not_written(problem) from problem

    def confirm(self) -> None:
        """Let the next state take the place of this one: what it says was told counts as told from now on."""
        assert self._next is not None
        try:
            self._next.replace(self.path)
        except OSError as problem:
            raise self._not_written(problem) from problem

    def close(self) -> None:
        """Let others use the file; a state that was not confirmed goes."""
        if self._next is not None:
            self._next.unlink(missing_ok=True)
        self._claim.close()

    def _not_written(self, problem: OSError) -> NotWritten:
        return NotWritten(
            f"{OPTION} {self.path} cannot be written: {problem.strerror or problem}",
            hint="the rows are written, but not remembered: the next run tells them again",
        )

    def _content(self) -> bytes | None:
        try:
            with self.path.open("rb") as stream:
                return stream.read(_LARGEST)
        except FileNotFoundError:
            return None
        except OSError as problem:
            raise UsageError(f"{OPTION} {self.path}: {problem.strerror or problem}") from problem

    def _refused(self, why: str, hint: str) -> UsageError:
        return UsageError(f"{OPTION} {self.path}: {why}", hint=hint)


def scope_of(here: State, kind: str, query: dict[str, Any]) -> Scope:
    """Return the scope of a list with its filters."""
    filters = msgspec.json.encode({name: query[name] for name in sorted(query) if query[name] is not None}).decode()
    return Scope(here.environment.name, place_of(here), here.business(), kind, filters)


def place_of(here: State) -> str | None:
    """Return where the books are: the host, or what the embedded service keeps them in, without what opens that."""
    if not here.environment.in_process:
        return here.environment.base_url
    database = here.environ.get("ACCTCLI_DATABASE_URL")
    if not database:
        return str(data_dir(here.environ))
    parts = urlsplit(database)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()


def _difference(theirs: Scope, ours: Scope) -> str:
    name = next(name for name in Scope.__struct_fields__ if getattr(theirs, name) != getattr(ours, name))
    word = {"host": "place", "kind": "list", "query": "filter"}.get(name, name)
    return f"its {word} is {getattr(theirs, name)!r}, not {getattr(ours, name)!r}"
