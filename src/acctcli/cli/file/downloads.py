"""Many files from the service into one folder: side by side, each whole or not at all, none over another unasked."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from acctcli.cli.file.names import Names
from acctcli.cli.file.saving import SAVED
from acctcli.cli.output.progress import counted
from acctcli.cli.output.replies import read_all, reader
from acctcli.cli.output.show import show_stream
from acctcli.cli.output.stderr import how_many, let_go
from acctcli.cli.session.state import State
from acctcli.client.downloads import AddressRefused, Budget, ContentKind, Fetcher, kind_of
from acctcli.client.messages import Extent
from acctcli.client.workers import Workers
from acctcli.errors import AcctcliError, Incomplete, NotFound, ServerFault, UsageError
from acctcli.settings.temporaries import new_temporary

AT_ONCE = 4
PATIENCE = 600.0  # seconds for one file
_MEBIBYTE = 2**20


@dataclass(frozen=True)
class Wanted:
    """What is to be saved; `file` is the address of its content, None where there is none yet.

    `finish` makes what is saved out of what came, None where that is the same.
    """

    id: int
    name: str
    file: str | None
    kind: ContentKind
    finish: Callable[[bytes], bytes] | None = None


class _File(msgspec.Struct):
    id: int
    name: str
    file: str


class Saved(msgspec.Struct):
    """What became of a file: saved, kept (there was one already), or failed for a reason."""

    id: int
    name: str
    path: str | None
    size: int | None
    outcome: str
    error: str | None = None


@dataclass(frozen=True)
class Source:
    """Where records come from: every one of the business, or the one of an id (which raises NotFound)."""

    every: Callable[[], Iterable[Wanted]]
    one: Callable[[int], Wanted]


@dataclass(frozen=True)
class Job:
    """A file and where it goes."""

    record: Wanted
    target: Path
    skip: bool = False
    overwrite: bool = False


_read_file = reader(_File, "a file")


def files_of(here: State) -> Source:
    """Return the uploaded files of the business."""

    def every() -> Iterator[Wanted]:
        return read_all(here.api.files.list({}, Extent(limit=None)), _read)

    def one(number: int) -> Wanted:
        return _read(here.api.files.get(number).body)

    return Source(every, one)


def download_all(here: State, source: Source, ids: Sequence[int] | None, noun: str) -> None:
    """Save files as the options of `DownloadCommand` say, with --all every one of the source.

    Raise UsageError unless either ids or --all are given, and Incomplete naming every file that failed.
    """
    if bool(ids) == here.options.all:
        raise UsageError(f"give ids of {noun}, or --all")
    path = _asked_path(here, ids)
    folder = path.parent if path else here.named.get("to", Path())
    budget = Budget(here.named["max_total"] * _MEBIBYTE, "--max-total")
    failures: list[str] = []
    records = _chosen(source, ids, failures) if ids else list(source.every())
    targets = dict.fromkeys((one.id for one in records), path) if path else _named(records, folder)
    jobs = _jobs(here, records, targets)
    wanted = len(jobs) + len(failures)
    patience = here.options.timeout or PATIENCE
    with (
        closing(Fetcher(here.http, budget, here.options.ca_file, patience)) as fetcher,
        _drafts(folder) as drafts,
        Workers(AT_ONCE, _Saver(source, fetcher, Path(drafts)).save) as workers,
    ):
        saving = counted(here, _outcomes(workers, jobs, failures), len(jobs))
        try:
            show_stream(here.anew(output_file=None) if path else here, saving, SAVED)
        except (AcctcliError, OSError) as unshown:
            # a failure to show, or a reader who left, stops no download
            deque(saving, 0)
            # nobody who left was told what failed
            if not (failures and isinstance(unshown, BrokenPipeError)):
                raise
            let_go(sys.stdout)
    if failures:
        raise Incomplete(f"{len(failures)} of {how_many(wanted, 'file')} failed: {'; '.join(failures)}")


def _asked_path(here: State, ids: Sequence[int] | None) -> Path | None:
    """Return where --output-file has the one file saved; None where it is of the table of what was saved.

    Raise UsageError where there is more than one, or another place beside it.
    """
    path = here.options.output_file
    if path is None or here.options.output or here.options.columns or here.format != "table":
        return None
    if "to" in here.named:
        raise UsageError("--to and --output-file exclude each other: both say where the file is saved")
    if len(set(ids or ())) != 1:
        raise UsageError(
            "--output-file takes one file: give one id, or --to DIR for several",
            hint="with --json, --columns or --output it takes the list of what was saved",
        )
    return path


def _chosen(source: Source, ids: Sequence[int], failures: list[str]) -> list[Wanted]:
    """Look files up by id; an id that is not there is a failure among others."""
    found = []
    for number in dict.fromkeys(ids):
        try:
            found.append(source.one(number))
        except NotFound as error:
            failures.append(f"{number}: {error.message}")
    return found


def _read(row: bytes | msgspec.Raw) -> Wanted:
    found = _read_file(row)
    return Wanted(found.id, found.name, found.file, kind_of(found.name))


def _named(records: Sequence[Wanted], folder: Path) -> dict[int, Path]:
    """Name the files, by the ids of their records; raise ServerFault where two are told by one id.

    The older of two files of one name keeps it: when files are added, those saved before are called the same again.
    """
    if len({one.id for one in records}) < len(records):
        raise ServerFault("two files of the list have the same id", code="unreadable_reply")
    names = Names()
    return {one.id: folder / names.claim(one.name, one.id) for one in sorted(records, key=attrgetter("id"))}


def _jobs(here: State, records: Sequence[Wanted], targets: Mapping[int, Path]) -> list[Job]:
    """Say where each file goes, and ask before any is written over."""
    jobs = [Job(record, targets[record.id]) for record in records]
    there = {job.target for job in jobs if os.path.lexists(job.target)}
    skip = "skip_existing" in here.named
    if there and not skip:
        first = min(there)
        more = f" and {len(there) - 1} more" if len(there) > 1 else ""
        here.confirm(f"Overwrite {first.name}{more} in {first.parent} (--skip-existing leaves them)?")
    return [replace(job, skip=skip, overwrite=not skip) if job.target in there else job for job in jobs]


def _drafts(folder: Path) -> TemporaryDirectory[str]:
    """Make the folder, and one in it for files that are not whole yet; it goes, whatever happens."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        prefix = new_temporary(folder, "-").name
        return TemporaryDirectory(prefix=prefix, dir=folder, ignore_cleanup_errors=True)
    except OSError as problem:
        raise UsageError(f"--to {folder}: {problem.strerror}") from problem


def _outcomes(workers: Workers[Job, int], jobs: Sequence[Job], failures: list[str]) -> Iterator[list[msgspec.Raw]]:
    """Have the files saved and tell what became of each, in their order."""
    running = [(job, None if job.skip else workers.submit(job)) for job in jobs]
    for job, future in running:
        saved = Saved(job.record.id, job.record.name, str(job.target), None, "kept")
        try:
            if future is not None:
                saved.size, saved.outcome = future.result(), "saved"
        except (AcctcliError, OSError) as error:
            saved.path, saved.outcome, saved.error = None, "failed", _reason(error)
            failures.append(f"{job.record.id} {job.record.name}: {saved.error}")
        yield [msgspec.Raw(msgspec.json.encode(saved))]


def _reason(error: AcctcliError | OSError) -> str:
    if isinstance(error, AcctcliError):
        return error.message
    if isinstance(error, FileExistsError):
        return "another file took its name meanwhile"
    return error.strerror or str(error)


class _Saver:
    """Saves one file; safe to share between threads."""

    def __init__(self, source: Source, fetcher: Fetcher, drafts: Path) -> None:
        self._source = source
        self._fetcher = fetcher
        self._drafts = drafts

    def save(self, job: Job) -> int:
        """Fetch a file, flush it to the disk, give it its name, and return its size."""
        draft = self._drafts / str(job.record.id)
        size = self._fetch(job.record, draft)
        if job.overwrite:
            draft.replace(job.target)
        else:
            _name(draft, job.target)
        return size

    def _fetch(self, record: Wanted, draft: Path) -> int:
        """Fetch the content; an address that has expired while the file waited is asked for anew."""
        with draft.open("w+b") as stream:
            try:
                size = self._fetcher.fetch(_address(record), stream, record.kind)
            except AddressRefused:
                size = self._fetcher.fetch(_address(self._source.one(record.id)), stream, record.kind)
            if record.finish is not None:
                stream.seek(0)
                made = record.finish(stream.read())
                stream.seek(0)
                stream.truncate()
                size = stream.write(made)
            stream.flush()
            os.fsync(stream.fileno())
        return size


def _address(record: Wanted) -> str:
    if record.file is None:
        raise NotFound("there is no file yet")
    return record.file


def _name(draft: Path, target: Path) -> None:
    """Give a file its name unless another took it meanwhile."""
    try:
        target.hardlink_to(draft)
    except FileExistsError:
        raise
    except OSError:
        # a file system without links; nothing else is as exact
        if os.path.lexists(target):
            raise FileExistsError from None
        draft.replace(target)
