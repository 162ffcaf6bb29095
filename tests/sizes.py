"""How much is run: random runs at a fifth or less, what is the same everywhere in one place; or all (`--full`).

What a usual run leaves out of tests is chosen here: of several dimensions, such as databases and wires, all
combinations but those in which everything occurs once. Whole tests that it leaves out are named in `tests/nights.py`,
by what they prove, and in `tests/night.txt`, by what they reach.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from tests.nights import LEFT, ids

Case = TypeVar("Case")
SHARE: Final = 5
USUAL: Final = "usual"
FULL: Final = "full"
NIGHTLY: Final = frozenset(test for group in LEFT for test in ids(group.tests))
ROWS: Final = {
    f"{file}::{test}": stay for group in LEFT for file, some in group.rows.items() for test, stay in some.items()
}
LIST: Final = Path(__file__).with_name("night.txt")
# ids of tests and of single rows
MEASURED: Final = frozenset(LIST.read_text(encoding="utf-8").splitlines())
# how many tests a run has left to the night; a worker tells it by this name
COUNT: Final = pytest.StashKey[int]()
TOLD: Final = "left to the night"


def add_option(parser: pytest.Parser) -> None:
    """Add `--full` to pytest."""
    text = "make the big random runs at full size, and every test on every database and in every place: nightly"
    parser.addoption("--full", action="store_true", help=text)
    text = "note in a folder what each test takes and reaches, also of those that were chosen by that before"
    parser.addoption("--measure", metavar="FOLDER", type=Path, help=text)


def choose(config: pytest.Config) -> None:
    """Note what was asked for as a profile of hypothesis: modules ask for sizes when they are imported."""
    # how long a test or its input takes says how busy the machine is, not whether the test is right
    patient = settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
    settings.register_profile(USUAL, patient)
    settings.register_profile(FULL, patient, max_examples=SHARE * settings().max_examples)
    settings.load_profile(FULL if config.getoption("full") else USUAL)
    config.addinivalue_line("markers", "anywhere: one database is enough, the first")
    config.addinivalue_line(
        "markers", "everywhere: run on each database and wire, where the first is enough for others"
    )
    config.addinivalue_line("markers", "core: run in every place, which is each database over each wire")


def prepare() -> None:
    """Make the tables of characters: in a new checkout that takes a second, and a test's input would count as slow."""
    st.text().validate()


def is_full() -> bool:
    """Whether everything runs, and at full size."""
    return settings.get_current_profile_name() == FULL


def sized(whole: int) -> int:
    """Return the size of a run that is `whole` in a full run, rounded up."""
    return whole if is_full() else -(-whole // SHARE)


def leave_out(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Take what is left to the night out of the tests of a usual run, and note how many tests that is."""
    if is_full():
        return
    if config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        _refuse_unknown(items)
    measured = frozenset[str]() if config.getoption("measure") else MEASURED
    left = [item for item in items if is_of_the_night(item) or _id(item) in measured]
    config.hook.pytest_deselected(items=left)
    gone = set(map(id, left))
    items[:] = [item for item in items if id(item) not in gone]
    config.stash[COUNT] = len(left)


def is_of_the_night(item: pytest.Item) -> bool:
    """Whether a usual run leaves a test out, or one of its rows."""
    test, row = _named(item)
    stay = ROWS.get(test)
    return test in NIGHTLY or (stay is not None and not any(map(partial(_is_row, row), stay)))


def _id(item: pytest.Item) -> str:
    return item.nodeid.removeprefix("tests/")


def _named(item: pytest.Item) -> tuple[str, str]:
    test, _, row = _id(item).partition("[")
    return test, row.removesuffix("]")


def _is_row(row: str, name: str) -> bool:
    return row == name or row.startswith(f"{name}-")


def _refuse_unknown(items: Iterable[pytest.Item]) -> None:
    """Refuse to begin where a test or a row has another name than it is left, or stays, by."""
    rows: dict[str, list[str]] = {}
    for item in items:
        test, row = _named(item)
        rows.setdefault(test, []).append(row)
    unknown = {test for test in NIGHTLY if test not in rows} | (MEASURED - set(map(_id, items)))
    unknown |= {
        f"{test}[{name}]"
        for test, stay in ROWS.items()
        for name in stay
        if not any(_is_row(row, name) for row in rows.get(test, ()))
    }
    if unknown:
        raise pytest.UsageError(f"tests/nights.py or night.txt names what is not there: {', '.join(sorted(unknown))}")


def tell_controller(config: pytest.Config) -> None:
    """Let a worker say what it left out: all of them left out the same."""
    told: dict[str, int] | None = getattr(config, "workeroutput", None)
    if told is not None:
        told[TOLD] = config.stash.get(COUNT, 0)


def hear_worker(config: pytest.Config, told: Mapping[str, int]) -> None:
    """Take what a worker said when it ended; one that crashed says nothing."""
    config.stash[COUNT] = told.get(TOLD, config.stash.get(COUNT, 0))


def summary(config: pytest.Config) -> str:
    """Return the line that says what was left out; nothing where that is nothing."""
    number = config.stash.get(COUNT, 0)
    return f"{number} tests are left to the night (--full): tests/nights.py, night.txt" if number else ""


def covering(cases: Iterable[Case], *features: Callable[[Case], Hashable]) -> list[Case]:
    """Return all cases in a full run, else the first that have each value of each feature."""
    if is_full():
        return list(cases)
    seen: set[tuple[int, Hashable]] = set()
    chosen = []
    for case in cases:
        values = {(number, feature(case)) for number, feature in enumerate(features)}
        if not values <= seen:
            seen |= values
            chosen.append(case)
    return chosen


def runs_everywhere(test: pytest.Item, *, usually: bool) -> bool:
    """Whether a test runs on every database and in every place; `usually` holds where no mark says otherwise."""
    differs = test.get_closest_marker("anywhere" if usually else "everywhere") is not None
    return is_full() or usually != differs
