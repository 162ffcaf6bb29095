"""Statements that are kept with the books, as files, so that any machine can prove the books by them (docs/bank.md 9).

The name of a file says what it is of, so that the list of files tells which of them a period needs.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
import shutil
import sys
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing
from datetime import date
from functools import partial
from io import SEEK_END, BytesIO
from tempfile import TemporaryFile
from typing import BinaryIO, NamedTuple

import msgspec

from acctcli.banking.statements import FORMATS
from acctcli.cli.account.chart import Account
from acctcli.cli.bank.reading import Gathered, Source, source_of
from acctcli.cli.command.many import Step, key_of_one
from acctcli.cli.file.downloads import PATIENCE
from acctcli.cli.output.replies import decoded, read_all, reader
from acctcli.cli.session.state import State
from acctcli.client.downloads import AddressRefused, Budget, Fetcher, kind_of
from acctcli.client.messages import LARGEST_PAGE, Extent, Reply
from acctcli.client.uploads import Upload
from acctcli.errors import Conflict, Forbidden, Incomplete, NotFound, Rejected, UsageError

_WORDS = "bank statement"
_NAME = re.compile(
    rf"{_WORDS} (?P<accounts>[0-9]+(?:\+[0-9]+)*) (?P<first>\d{{4}}-\d\d-\d\d) (?P<last>\d{{4}}-\d\d-\d\d) "
    rf"(?P<format>{'|'.join(FORMATS)})(?:-(?P<profile>[a-z0-9-]+))? [a-z2-7]{{12}}\..+",
    re.ASCII,
)
_SUFFIXES = {"camt": ".xml", "csv": ".csv"}
_TEXT = ".txt"
# larger ones are compressed: services take files of some 25 MiB, and memory holds one
_PLAIN, _LARGEST = 2**20, 20 * 2**20
# what a compressed one may become: a year of the busiest shop, ten times over
_UNPACKED = 2**33
_LETTERS = 12
_REFUSALS = (Conflict, Forbidden, NotFound, Rejected, UsageError)


class _File(msgspec.Struct):
    id: int
    name: str
    file: str


class Filed(NamedTuple):
    """A file of statements that is kept: of which accounts and days, and how it is read."""

    id: int
    name: str
    address: str
    accounts: tuple[str, ...]
    first: date
    last: date
    format: str
    profile: str | None


_read_file = reader(_File, "a file")


def read_filed(here: State) -> list[Filed]:
    """Return the statements that are kept, in the order of their days."""
    listing = here.api.files.list({"search": _WORDS}, Extent(None, LARGEST_PAGE)).while_it_grows()
    found = (_filed(one) for one in read_all(listing, _read_file))
    return sorted((one for one in found if one is not None), key=lambda one: (one.first, one.last, one.name))


def _filed(file: _File) -> Filed | None:
    match = _NAME.fullmatch(file.name)
    if match is None:
        return None
    first, last = date.fromisoformat(match["first"]), date.fromisoformat(match["last"])
    accounts = tuple(match["accounts"].split("+"))
    return Filed(file.id, file.name, file.file, accounts, first, last, match["format"], match["profile"])


# --- keeping ---


def keep(here: State, gathered: Gathered, accounts: Sequence[Account], base: str) -> None:
    """Keep the files with the books, each once; say what is not taken, and go on without it."""
    for step in keeping(here, gathered, accounts, base):
        try:
            step.send()
        except _REFUSALS as refused:
            here.say(
                f"note: {step.place} is not kept with the books: {refused.message}; to prove them by it, name the file"
            )


def keeping(here: State, gathered: Gathered, accounts: Sequence[Account], base: str) -> Iterator[Step]:
    """Yield what keeps the files that are not kept yet."""
    try:
        there = {one.name for one in read_filed(here)}
    except _REFUSALS:
        # whoever may not read files may still be let add them
        there = set()
    for source in gathered.sources:
        name = _name_of(source, gathered, accounts)
        if name is None or name in there:
            continue
        there.add(name)
        yield Step(partial(_upload, here, source, name, key_of_one(base, name)), source.name)


def is_kept(source: Source, gathered: Gathered, accounts: Sequence[Account], names: Collection[str]) -> bool:
    """Say whether a file is one of those that are kept, by their names."""
    return _name_of(source, gathered, accounts) in names


def _name_of(source: Source, gathered: Gathered, accounts: Sequence[Account]) -> str | None:
    """Return what a file is kept as: accounts, days, how it is read, and what it holds; None where it tells no day."""
    pairs = zip(gathered.statements, accounts, strict=True)
    own = [(told, account) for told, account in pairs if told.file == source.name]
    days = [day for told, _ in own for day in (told.first, told.last) if day is not None]
    if not days:
        return None
    numbers = "+".join(dict.fromkeys(account.number for _, account in own))
    how = source.format if source.format != "csv" else f"csv-{source.profile}"
    suffix = _SUFFIXES.get(source.format, _TEXT) + (".gz" if _size(source.stream) > _PLAIN else "")
    return f"{_WORDS} {numbers} {min(days)} {max(days)} {how} {_digest(source.stream)}{suffix}"


def _upload(here: State, source: Source, name: str, key: str) -> Reply:
    source.stream.seek(0)
    content = _compressed(source.stream) if name.endswith(".gz") else source.stream.read()
    if len(content) > _LARGEST:
        raise UsageError(f"it has more than {_LARGEST // 2**20} MiB, compressed")
    return here.api.upload(Upload(name, content), key)


def _compressed(stream: BinaryIO) -> bytes:
    """Return what a stream holds, compressed: the same bytes each time."""
    packed = BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=0) as into:
        shutil.copyfileobj(stream, into)
    return packed.getvalue()


def _size(stream: BinaryIO) -> int:
    return stream.seek(0, SEEK_END)


def _digest(stream: BinaryIO) -> str:
    """Return letters that tell a content from all others."""
    stream.seek(0)
    found = hashlib.sha256()
    while chunk := stream.read(_PLAIN):
        found.update(chunk)
    return base64.b32encode(found.digest()).decode()[:_LETTERS].lower()


# --- reading ---


def sources_of(here: State, some: Iterable[Filed]) -> list[Source]:
    """Fetch files that are kept; raise Incomplete, NotFound or ServerFault where one cannot be."""
    fetcher = Fetcher(here.http, Budget(sys.maxsize), here.options.ca_file, here.options.timeout or PATIENCE)
    with closing(fetcher):
        return [source_of(here, one.name, _fetched(here, fetcher, one), one.format, one.profile) for one in some]


def _fetched(here: State, fetcher: Fetcher, one: Filed) -> BinaryIO:
    into = here.at_end.enter_context(TemporaryFile())  # noqa: SIM115
    try:
        fetcher.fetch(one.address, into, kind_of(one.name))
    except AddressRefused:
        fetcher.fetch(decoded(here.api.files.get(one.id), _File).file, into, kind_of(one.name))
    into.seek(0)
    return _unpacked(here, one, into) if one.name.endswith(".gz") else into


def _unpacked(here: State, one: Filed, packed: BinaryIO) -> BinaryIO:
    into = here.at_end.enter_context(TemporaryFile())  # noqa: SIM115
    try:
        with gzip.GzipFile(fileobj=packed) as stream:
            while chunk := stream.read(_PLAIN):
                into.write(chunk)
                if into.tell() > _UNPACKED:
                    raise Incomplete(f"{one.name} unpacks to more than {_UNPACKED // 2**30} GiB")
    except (EOFError, zlib.error, gzip.BadGzipFile) as problem:
        raise Incomplete(f"file {one.id}, {one.name}, is not whole: {problem}") from None
    into.seek(0)
    return into
