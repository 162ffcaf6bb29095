"""Run whole processes by turns, A B A B, and compare them by the median of their ratios."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TypeVar

Measured = TypeVar("Measured")

# ru_maxrss is in KiB on Linux and in bytes on macOS
_RSS_UNIT = 1 if sys.platform == "darwin" else 1024
_LAUNCHER = Path(__file__).with_name("launcher.py")


class BenchError(Exception):
    """A command under measurement failed: its figure would mean nothing."""


@dataclass(frozen=True)
class Run:
    """One finished process: wall time in seconds, peak memory in bytes, what it said on stderr."""

    seconds: float
    peak_bytes: int
    messages: str


@dataclass(frozen=True)
class Command:
    """A command line with its environment and folder."""

    arguments: Sequence[str | Path]
    environ: Mapping[str, str]
    folder: Path

    def run(self, output: Path | None = None) -> Run:
        """Run to the end, stdout to a file or nowhere; raise BenchError unless it exits 0."""
        target = output or Path(os.devnull)
        reader, writer = os.pipe()
        with (
            target.open("wb") as stdout,
            (self.folder / "stderr").open("w+b") as stderr,
            os.fdopen(reader) as figures,
        ):
            try:
                done = subprocess.run(
                    [sys.executable, "-I", "-S", _LAUNCHER, str(writer), *map(str, self.arguments)],
                    env=dict(self.environ),
                    cwd=self.folder,
                    stdin=subprocess.DEVNULL,
                    stdout=stdout,
                    stderr=stderr,
                    pass_fds=(writer,),
                    check=False,
                )
            finally:
                os.close(writer)
            stderr.seek(0)
            messages = stderr.read().decode(errors="replace")
            if done.returncode:
                raise BenchError(f"{self} exited {done.returncode}: {messages[-2000:]}")
            seconds, peak = figures.read().split()
        return Run(float(seconds), int(peak) * _RSS_UNIT, messages)

    def __str__(self) -> str:
        """Show the command as one line."""
        return " ".join(str(argument) for argument in self.arguments)


@dataclass(frozen=True)
class Result:
    """One line of the table: a ratio, and the limit it must keep (None: shown, not judged)."""

    name: str
    ratio: float
    limit: float | None
    figures: str
    at_least: bool = False

    @property
    def passed(self) -> bool:
        """Whether the ratio keeps its limit."""
        if self.limit is None:
            return True
        return self.ratio >= self.limit if self.at_least else self.ratio <= self.limit


def take_turns(
    rounds: int, first: Callable[[], Measured], second: Callable[[], Measured]
) -> list[tuple[Measured, Measured]]:
    """Measure A B A B …: what disturbs the machine meanwhile disturbs both alike."""
    return [(first(), second()) for _ in range(rounds)]


def median_ratio(pairs: Sequence[tuple[float, float]]) -> float:
    """Return the median of first / second over the pairs."""
    return median(ours / theirs for ours, theirs in pairs)


def medians(pairs: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the median of the firsts and of the seconds."""
    return median(ours for ours, _ in pairs), median(theirs for _, theirs in pairs)


def compare_times(name: str, ours: Command, theirs: Command, limit: float, rounds: int, label: str) -> Result:
    """Compare two whole processes by wall time, after one unmeasured run of each."""
    ours.run(), theirs.run()
    pairs = take_turns(rounds, lambda: ours.run().seconds, lambda: theirs.run().seconds)
    mine, other = medians(pairs)
    figures = f"{mine * 1000:.0f} ms, {label} {other * 1000:.0f} ms"
    return Result(name, median_ratio(pairs), limit, figures)


def render_table(results: Sequence[Result]) -> str:
    """Lay the results out for a terminal; the last column says what missed."""
    width = max([len(result.name) for result in results], default=0)
    return "\n".join(_render_line(result, width) for result in results)


def _render_line(result: Result, width: int) -> str:
    limit = "-" if result.limit is None else f"{'>=' if result.at_least else '<='} {result.limit:g}"
    verdict = "ok" if result.passed else "MISSED"
    return f"{result.name:<{width}}  {result.ratio:7.2f}  {limit:>8}  {verdict:<6}  {result.figures}"
