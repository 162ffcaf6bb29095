"""Choose what a usual run leaves to the night: tests whose lines enough others reach (docs/decisions.md 141).

`pytest --measure FOLDER` notes the processor time of each test and the lines of acctcli that it reaches;
`python -m tests.choosing FOLDER` writes `tests/night.txt` by that.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from coverage import Coverage
from coverage.numbits import numbits_to_nums

from tests.nights import LEFT, ids
from tests.sizes import LIST, ROWS

# a test that takes less, in seconds of a processor, is left to no night
CHEAP: Final = 0.1
# by so many tests each line stays reached, if so many reach it at all
TIMES: Final = 2
# who reaches fewer lines looks at the code, or at the tests themselves
FEW: Final = 50
# what lines do not tell: money that adds up, secrets, data of others, and faults in books; it stays
KEPT: Final = (
    "banking/matching/test_properties.py",
    "cli/bank/test_importing.py",
    "cli/check/test_check.py::test_a_planted_fault_is_named",
    "cli/test_canaries.py",
    "cli/test_secrets.py",
    "client/test_redact.py",
    "service/routes/business/test_report_agreement.py",
    "service/routes/test_foreign_ids.py",
    "service/routes/test_permissions.py",
    "service/rules/",
)
# what stands for the tests that are left by reading
STANDS: Final = frozenset(test for group in LEFT for test in ids(group.kept))
# where the databases differ, lines that run on PostgreSQL are other lines
STORE: Final = "service/store/"
POSTGRESQL: Final = re.compile(r"\[.*\bpostgresql\b")


class Measure:
    """Notes of each test of a process how long it keeps processors busy, and which lines it reaches."""

    def __init__(self, folder: Path, process: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._coverage = Coverage(folder / f"{process}.lines", source_pkgs=["acctcli"], config_file=False)
        # tests have imported it by then
        self._coverage.set_option("run:disable_warnings", ["module-not-measured"])
        self._times = (folder / f"{process}.times").open("w", encoding="utf-8")
        self._is_begun = False

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Note one test, with all that its fixtures do for it."""
        if not self._is_begun:
            self._coverage.start()
            self._is_begun = True
        self._coverage.switch_context(item.nodeid)
        before = os.times()
        try:
            return (yield)
        finally:
            after = os.times()
            own, others = (sum(after[i : i + 2]) - sum(before[i : i + 2]) for i in (0, 2))
            self._times.write(json.dumps([item.nodeid, round(own, 2), round(others, 2)]) + "\n")

    def pytest_sessionfinish(self) -> None:
        """Write it down."""
        self._times.close()
        if self._is_begun:
            self._coverage.stop()
            self._coverage.save()


class Measured(NamedTuple):
    """What a test took, in seconds: itself, and processes that it began; and the lines it reaches, as bits."""

    own: float
    others: float
    lines: int

    @property
    def is_judged(self) -> bool:
        """Whether its lines tell what it proves: of other processes nothing is known."""
        return self.own >= CHEAP and self.others < CHEAP and self.lines.bit_count() >= FEW


class Reached:
    """How often lines are reached, up to `TIMES`."""

    def __init__(self) -> None:
        self._levels = [0] * TIMES

    def add(self, lines: int) -> None:
        """Count lines."""
        for number, level in enumerate(self._levels):
            self._levels[number], lines = level | lines, level & lines

    def lacks(self, other: Reached) -> int:
        """Return the lines that are reached less often here."""
        lacking = 0
        for own, level in zip(self._levels, other._levels, strict=True):
            lacking |= level & ~own
        return lacking


def left(tests: Mapping[str, Measured]) -> list[str]:
    """Return the tests to leave: of those that are judged, who reaches most for its time stays, until no line lacks."""
    rest = {name: one for name, one in tests.items() if one.is_judged and not _is_kept(name)}
    everywhere, here = Reached(), Reached()
    for name, one in tests.items():
        everywhere.add(one.lines)
        if name not in rest:
            here.add(one.lines)
    while lacking := here.lacks(everywhere):
        best = max(rest, key=lambda name: ((rest[name].lines & lacking).bit_count() / rest[name].own, name))
        here.add(rest.pop(best).lines)
    # of tests of which rows are left by reading, some row stays
    stay = {_test(name) for name in tests.keys() - rest.keys()}
    return sorted(name for name in rest if _test(name) in stay or _test(name) not in ROWS)


def _test(name: str) -> str:
    return name.partition("[")[0]


def _is_kept(name: str) -> bool:
    return name.startswith(KEPT) or _test(name) in STANDS


def read(folder: Path) -> dict[str, Measured]:
    """Read what was measured, by the ids of tests below `tests/`."""
    times: dict[str, Sequence[Any]] = {}
    for path in folder.glob("*.times"):
        times |= {row[0]: row for row in map(json.loads, path.read_text(encoding="utf-8").splitlines())}
    lines = defaultdict[str, int](int)
    numbers: dict[tuple[str, int], int] = {}
    for path in sorted(folder.glob("*.lines")):
        for test, file, found in _lines_in(path):
            for line in found:
                lines[test] |= 1 << numbers.setdefault((file, line), len(numbers))
    return {name.removeprefix("tests/"): Measured(row[1], row[2], lines[name]) for name, row in times.items()}


def _lines_in(path: Path) -> Iterator[tuple[str, str, list[int]]]:
    """Yield the lines of files that tests reach."""
    query = """
        SELECT context.context, file.path, line_bits.numbits FROM line_bits
        JOIN context ON context.id = line_bits.context_id JOIN file ON file.id = line_bits.file_id
    """
    with closing(sqlite3.connect(path)) as connection:
        for test, file, bits in connection.execute(query):
            short = file.rpartition("/acctcli/")[2]
            apart = "postgresql " if STORE in short and POSTGRESQL.search(test) else ""
            yield test, f"{apart}{short}", numbits_to_nums(bits)


def main(folder: str) -> None:
    """Write the list, and say what that saves."""
    tests = read(Path(folder))
    names = left(tests)
    LIST.write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
    saved, every = (sum(tests[name].own for name in some) for some in (names, tests))
    print(f"{len(names)} of {len(tests)} tests are left, which take {saved:.0f} of {every:.0f} s")


if __name__ == "__main__":
    main(sys.argv[1])
