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

WRITES = "pwrite64,ftruncate,fsync,fdatasync"
CALL = re.compile(r"^\d+ +(\w+)\((?:(\d+)<([^>]*)>)(?:, (.*))?\) += (\d+)")
HELD = re.compile(r'^"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?, (\d+), (\d+)$')


class Write(NamedTuple):
    """Bytes at a place of a file, or its new length when there are none."""

    path: Path
    place: int
    data: bytes | None


class Sync(NamedTuple):
    """All that was written to a file so far is on the disk."""

    path: Path


class Said(NamedTuple):
    """What the program had told so far is known to others."""

    text: bytes


Step = Write | Sync | Said


def traced(arguments: Sequence[str], log: Path, *options: str) -> subprocess.CompletedProcess[bytes]:
    """Run a module of Python under strace."""
    strace = [require_program("strace"), "-f", "-y", "-qq", "-o", str(log), *options]
    return subprocess.run([*strace, sys.executable, "-m", *arguments], capture_output=True, timeout=600, check=False)


def recorded(arguments: Sequence[str], log: Path, folder: Path) -> list[Step]:
    """Return what a module writes into the files of a folder and says, in this order."""
    ran = traced(arguments, log, "-xx", "-s", "1048576", "-e", f"trace={WRITES},write")
    assert ran.returncode == 0, ran.stderr
    return list(_steps(log, folder))


def _steps(log: Path, folder: Path) -> Iterator[Step]:
    with log.open(encoding="ascii") as lines:
        for line in lines:
            if (call := CALL.match(line)) is None:
                continue
            name, descriptor, place, rest, result = call.groups()
            path = Path(_bytes(place).decode() if place.startswith("\\x") else place)
            if name == "write" and descriptor == "1":
                yield Said(_bytes(rest.partition('"')[2].partition('"')[0]))
            elif path.parent != folder:
                continue
            elif name == "pwrite64":
                held = HELD.match(rest)
                assert held is not None, line[:200]
                data = _bytes(held[1])
                assert len(data) == int(result), line[:200]
                yield Write(path, int(held[4]), data)
            elif name == "ftruncate":
                yield Write(path, int(rest), None)
            elif name in ("fsync", "fdatasync"):
                yield Sync(path)


def _bytes(text: str) -> bytes:
    return bytes.fromhex(text.replace("\\x", ""))


class Disk:
    """The files as they are after some of the steps, and those writes that a power cut may undo."""

    def __init__(self, before: dict[Path, bytes]) -> None:
        self._kept = {path: bytearray(content) for path, content in before.items()}
        self._loose: list[Write] = []
        self.said = b""

    def do(self, step: Step) -> None:
        """Take a step."""
        if isinstance(step, Said):
            self.said += step.text
        elif isinstance(step, Write):
            self._loose.append(step)
        else:
            for write in self._loose:
                if write.path == step.path:
                    _apply(self._kept, write)
            self._loose = [write for write in self._loose if write.path != step.path]

    def image(self, dice: random.Random) -> dict[Path, bytes]:
        """Return what the power left: all that was flushed, of the rest some, whole or in part, in any order."""
        files = {path: bytearray(content) for path, content in self._kept.items()}
        share = dice.choice((0.0, 0.5, 0.9, 1.0))
        for write in self._loose:
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
