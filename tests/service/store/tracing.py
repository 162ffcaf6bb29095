"""What a program writes, seen by strace, and what a disk may hold of it when the power fails."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.programs import require_program

WRITES = "pwrite64,pwritev,pwritev2,write,ftruncate,fallocate,fsync,fdatasync"
NAMES = "openat,?rename,?renameat,?renameat2,?unlink,?unlinkat"
# a call may be told in two lines, with those of other threads in between
BEGUN = re.compile(r"^(\d+) +(\w+)\((.*?)(?: <unfinished \.\.\.>|\) += (-?\d+).*)$")
RESUMED = re.compile(r"^(\d+) +<\.\.\. \w+ resumed>.*\) += (-?\d+).*$")
FILE = re.compile(r"(\d+)<([^>]*)>(?:, )?")
TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
NUMBER = re.compile(r"(?:^|, )(\d+)(?=,|$)")


class Write(NamedTuple):
    """Bytes at a place of a file, or its new length when there are none."""

    path: Path
    place: int
    data: bytes | None


class Sync(NamedTuple):
    """What was written to a file is on the disk, of all writes the first so many."""

    path: Path
    writes: int


class Name(NamedTuple):
    """A file has another name, or none any more; or there is a new one, empty, when it had none before."""

    before: Path | None
    after: Path | None


class Said(NamedTuple):
    """What the program had told so far is known to others."""

    text: bytes


Step = Write | Sync | Name | Said


def traced(arguments: Sequence[str], log: Path, *options: str) -> subprocess.CompletedProcess[bytes]:
    """Run a module of Python under strace."""
    strace = [require_program("strace"), "-f", "--seccomp-bpf", "-y", "-qq", "-o", str(log), *options]
    return subprocess.run([*strace, sys.executable, "-m", *arguments], capture_output=True, timeout=900, check=False)


def recorded(arguments: Sequence[str], log: Path, folder: Path) -> list[Step]:
    """Return what a module and its children write below a folder, and what they say, in this order."""
    ran = traced(arguments, log, "-v", "-xx", "-s", "1048576", "-e", f"trace={WRITES},{NAMES}")
    assert ran.returncode == 0, ran.stderr
    with log.open(encoding="ascii") as lines:
        return list(_Reader(folder).steps(lines))


class _Reader:
    """Makes steps of lines; a write may be on the disk from its beginning on, and surely is after a whole sync."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._writes = 0
        self._begun: dict[str, tuple[str, str, int]] = {}
        # what a process has written of a file since it opened it
        self._places: dict[tuple[str, Path], int] = {}

    def steps(self, lines: Iterator[str]) -> Iterator[Step]:
        for line in lines:
            if call := BEGUN.match(line):
                process, name, rest, result = call.groups()
                self._begun[process] = name, rest, self._writes
                if result is None or int(result) >= 0:
                    yield from self._beginning(process, name, rest)
            elif call := RESUMED.match(line):
                process, result = call.groups()
            else:
                continue
            if result is not None and int(result) >= 0 and process in self._begun:
                yield from self._end(process, *self._begun.pop(process))

    def _beginning(self, process: str, name: str, rest: str) -> Iterator[Step]:
        if name not in {"pwrite64", "pwritev", "pwritev2", "write", "ftruncate", "fallocate"}:
            return
        descriptor, path, rest = self._file(rest)
        data = b"".join(map(_bytes, TEXT.findall(rest)))
        numbers = [int(number) for number in NUMBER.findall(TEXT.sub("", rest))]
        if name == "write" and descriptor == "1":
            yield Said(data)
        if path is None:
            return
        if name == "write":
            numbers = [self._places.get((process, path), 0)]
            self._places[process, path] = numbers[0] + len(data)
        self._writes += 1
        if name == "ftruncate":
            yield Write(path, numbers[0], None)
        elif name == "fallocate":
            yield Write(path, sum(numbers[-2:]), b"")
        else:
            yield Write(path, numbers[-1], data)

    def _end(self, process: str, name: str, rest: str, writes: int) -> Iterator[Step]:
        if name in {"fsync", "fdatasync"}:
            _, path, _ = self._file(rest)
            if path is not None:
                yield Sync(path, writes)
        elif name.startswith(("open", "rename", "unlink")):
            paths = [path for text in TEXT.findall(rest) if (path := self._path(text))]
            yield from self._named(process, name, rest, paths)

    def _named(self, process: str, name: str, rest: str, paths: list[Path]) -> Iterator[Step]:
        if name == "openat" and paths:
            self._places[process, paths[0]] = 0
            if "O_CREAT" in rest:
                yield Name(None, paths[0])
            if "O_TRUNC" in rest:
                self._writes += 1
                yield Write(paths[0], 0, None)
        elif name.startswith("unlink") and "AT_REMOVEDIR" not in rest and paths:
            yield Name(paths[0], None)
        elif name.startswith("rename") and len(paths) == 2:
            yield Name(paths[0], paths[1])

    def _file(self, rest: str) -> tuple[str, Path | None, str]:
        found = FILE.match(rest)
        assert found is not None, rest[:200]
        # what is no file has a name that is no path
        is_file = found[2].startswith(("/", "\\x2f"))
        return found[1], self._path(found[2]) if is_file else None, rest[found.end() :]

    def _path(self, text: str) -> Path | None:
        """Return a path below the folder, at which relative ones begin."""
        path = self._folder / _bytes(text).decode() if text.startswith("\\x") else Path(text)
        return path if path.is_relative_to(self._folder) else None


def _bytes(text: str) -> bytes:
    return bytes.fromhex(text.replace("\\x", ""))


class Disk:
    """The files as they are after some of the steps, and those writes that a power cut may undo.

    Names are kept in the order in which they are given, as a file system with a journal does it.
    """

    def __init__(self, before: dict[Path, bytes]) -> None:
        self._kept = {path: bytearray(content) for path, content in before.items()}
        self._loose: list[tuple[int, Write]] = []
        self._writes = 0
        self.said = b""

    def do(self, step: Step) -> None:
        """Take a step."""
        match step:
            case Said(text):
                self.said += text
            case Write():
                self._writes += 1
                self._loose.append((self._writes, step))
            case Sync(path, writes):
                flushed = [one for number, one in self._loose if one.path == path and number <= writes]
                for write in flushed:
                    _apply(self._kept, write)
                self._loose = [one for one in self._loose if one[1].path != path or one[0] > writes]
            case Name(before, after):
                self._name(before, after)

    def _name(self, before: Path | None, after: Path | None) -> None:
        if before is None:
            assert after is not None
            self._kept.setdefault(after, bytearray())
            return
        content = self._kept.pop(before, bytearray())
        loose = [(number, one) for number, one in self._loose if one.path not in {before, after}]
        if after is not None:
            self._kept[after] = content
            loose += [(number, one._replace(path=after)) for number, one in self._loose if one.path == before]
        self._loose = sorted(loose, key=lambda one: one[0])

    def image(self, dice: random.Random) -> dict[Path, bytes]:
        """Return what the power left: all that was flushed, of the rest some, whole or in part, in any order."""
        files = {path: bytearray(content) for path, content in self._kept.items()}
        share = dice.choice((0.0, 0.5, 0.9, 1.0))
        for _, write in self._loose:
            if dice.random() < share:
                _apply(files, _torn(write, dice) if dice.random() < 0.2 else write)
        return {path: bytes(content) for path, content in files.items()}


def _torn(write: Write, dice: random.Random) -> Write:
    """A disk writes whole sectors."""
    return write if write.data is None else write._replace(data=write.data[: dice.randrange(9) * 512])


def _apply(files: dict[Path, bytearray], write: Write) -> None:
    content = files.setdefault(write.path, bytearray())
    if write.data is None:
        del content[write.place :]
        return
    content.extend(bytes(max(0, write.place + len(write.data) - len(content))))
    content[write.place : write.place + len(write.data)] = write.data
