"""How much is run: random runs at a fifth or less, what is the same everywhere in one place; or all (`--full`).

What a usual run leaves out is chosen here: runs that are about many, much or long and about nothing else (`nightly`),
and of several dimensions, such as databases and wires, all combinations but those in which everything occurs once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Final, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

Case = TypeVar("Case")
SHARE: Final = 5
USUAL: Final = "usual"
FULL: Final = "full"
NIGHTLY: Final = "nightly"


def add_option(parser: pytest.Parser) -> None:
    """Add `--full` to pytest."""
    text = "make the big random runs at full size, and every test on every database and in every place: nightly"
    parser.addoption("--full", action="store_true", help=text)


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
    config.addinivalue_line("markers", f"{NIGHTLY}: a run of very many, very much or very long, in a full run only")


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
    """Take what is `nightly` out of the tests of a usual run."""
    if is_full():
        return
    config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker(NIGHTLY)])
    items[:] = [item for item in items if not item.get_closest_marker(NIGHTLY)]


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
