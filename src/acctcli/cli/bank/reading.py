"""Read all files of an import before anything is sent, prove them, and keep their lines on the disk meanwhile."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from tempfile import TemporaryFile, gettempdir
from typing import BinaryIO, NamedTuple

import msgspec

from acctcli.banking.statements import FORMATS
from acctcli.banking.statements.detecting import LOOKED_AT, format_of, profile_of
from acctcli.banking.statements.model import Head, Line, Parts, ProofFault, StatementFault
from acctcli.banking.statements.proving import Proven, check_they_follow, note_days_outside, proved
from acctcli.cli.bank.profiles import profile_named, profiles
from acctcli.cli.session.state import State
from acctcli.errors import Incomplete, NotWritten, UsageError

_STDIN = Path("-")
_LENGTH = 4


class Kept(msgspec.Struct, array_like=True):
    """A line and the number of its statement among all."""

    statement: int
    line: Line


class Lines:
    """The lines of all files, on the disk, in the order of the statements; read as often as wanted, once at a time."""

    def __init__(self, here: State) -> None:
        self._file = here.at_end.enter_context(TemporaryFile())  # noqa: SIM115
        self._encode = msgspec.msgpack.Encoder().encode
        self._decode = msgspec.msgpack.Decoder(Kept).decode
        self.number = 0

    def add(self, statement: int, line: Line) -> None:
        """Keep a line."""
        content = self._encode(Kept(statement, line))
        self._file.write(len(content).to_bytes(_LENGTH, "big") + content)
        self.number += 1

    def __iter__(self) -> Iterator[Kept]:
        """Yield what was kept."""
        self._file.seek(0)
        while length := int.from_bytes(self._file.read(_LENGTH), "big"):
            yield self._decode(self._file.read(length))


class Source(NamedTuple):
    """A file of statements, which is read as often as wanted: its format, and the profile where it is CSV."""

    name: str
    stream: BinaryIO
    parts: Callable[[], Parts]
    format: str
    profile: str | None


class Gathered(NamedTuple):
    """What was read: statements in order, their lines, what is to be said of them, and the files."""

    statements: list[Proven]
    lines: Lines
    notes: list[str]
    sources: Sequence[Source]

    @property
    def days(self) -> tuple[date, date] | None:
        """The first and the last day of booking; None without lines."""
        days = [day for one in self.statements if one.lines for day in (one.first, one.last) if day]
        return (min(days), max(days)) if days else None


def gather(here: State, paths: Sequence[Path], format: str | None, profile: str | None) -> Gathered:
    """Read and prove the files; raise UsageError for what cannot be read, Incomplete for what does not prove."""
    gathered = read(here, sources(here, paths, format, profile))
    try:
        notes = [*note_days_outside(gathered.statements), *check_they_follow(gathered.statements)]
        return gathered._replace(notes=notes)
    except ProofFault as fault:
        raise Incomplete(fault.problem, hint="import what lies between as well, or each by itself") from None


def sources(here: State, paths: Sequence[Path], format: str | None, profile: str | None) -> list[Source]:
    """Open files of statements; raise UsageError for what is none."""
    if format is not None and format not in FORMATS:
        raise UsageError(f"--format {format!r}: there are {', '.join(FORMATS)}")
    if profile is not None and format not in {None, "csv"}:
        raise UsageError("--profile is of CSV", hint="leave out --format, or write --format csv")
    return [_source(here, path, format, profile) for path in paths]


def read(here: State, some: Sequence[Source]) -> Gathered:
    """Read statements in the order of their days, each proved by itself; what is between two is not looked at."""
    statements: list[Proven] = []
    lines = Lines(here)
    try:
        for source in sorted(some, key=_begins):
            with _told(source.name):
                for _, line in proved(source.name, source.parts(), statements):
                    lines.add(len(statements) - 1, line)
    except OSError as problem:
        raise NotWritten(
            f"statements cannot be read, or kept meanwhile in {gettempdir()}: {problem.strerror}",
            hint="make room there, or name another folder in TMPDIR",
        ) from problem
    return Gathered(statements, lines, [], some)


def _source(here: State, path: Path, format: str | None, profile: str | None) -> Source:
    stream = opened(here, path)
    return source_of(here, "stdin" if path == _STDIN else str(path), stream, format, profile)


def source_of(here: State, name: str, stream: BinaryIO, format: str | None, profile: str | None) -> Source:
    """Return what is read from a stream that can be read twice; raise UsageError where nobody knows how."""
    beginning = stream.read(LOOKED_AT)
    with _told(name):
        found = format or ("csv" if profile else format_of(beginning))
        if found == "csv" and profile is None:
            profile = _profile(here, beginning, name)
        return Source(name, stream, _reader(here, found, profile, stream), found, profile)


def opened(here: State, path: Path) -> BinaryIO:
    """Open a file that can be read twice; what cannot, such as a pipe, is copied first."""
    try:
        raw: BinaryIO = sys.stdin.buffer if path == _STDIN else here.at_end.enter_context(path.open("rb"))
        if path != _STDIN and raw.seekable():
            return raw
        import shutil

        copied = here.at_end.enter_context(TemporaryFile())  # noqa: SIM115
        shutil.copyfileobj(raw, copied)
        copied.seek(0)
    except OSError as problem:
        raise UsageError(f"{path}: {problem.strerror}") from problem
    return copied


def _reader(here: State, format: str, profile: str | None, stream: BinaryIO) -> Callable[[], Parts]:
    def again() -> BinaryIO:
        stream.seek(0)
        return stream

    match format:
        case "camt":
            from acctcli.banking.statements.camt import read_camt

            return lambda: read_camt(again())
        case "mt940":
            from acctcli.banking.statements.mt940 import read_mt940

            return lambda: read_mt940(again())
        case "tito":
            from acctcli.banking.statements.tito import read_tito

            return lambda: read_tito(again())
    from acctcli.banking.statements.delimited import read_csv

    found = profile_named(here, profile or "")
    return lambda: read_csv(again(), found)


def _profile(here: State, beginning: bytes, name: str) -> str:
    """Return the name of the profile that knows a CSV."""
    try:
        chosen = profile_of(beginning, profiles(here))
    except StatementFault as fault:
        raise UsageError(f"{name}: {fault.problem}", hint="name one with --profile") from None
    if chosen is None:
        raise UsageError(
            f"{name}: no profile knows these headings, and it is no statement in CAMT, MT940 or TITO either",
            hint=f"name a profile with --profile, or make one: acctcli bank profile create NAME --from {name}",
        )
    return chosen


def _begins(source: Source) -> tuple[date, str]:
    """Return when the first statement of a file begins, by which files are put in order."""
    with _told(source.name):
        head = next((part for part in source.parts() if isinstance(part, Head)), None)
    return (head.first if head and head.first else date.max, head.number if head else "")


@contextmanager
def _told(name: str) -> Iterator[None]:
    """Name the file in what is wrong with it."""
    try:
        yield
    except ProofFault as fault:
        raise Incomplete(f"{name} {fault}", hint="nothing was imported; ask the bank for the whole file") from None
    except StatementFault as fault:
        place = f"{name} {fault}" if fault.line else f"{name}: {fault}"
        raise UsageError(place, hint="nothing was imported") from None
