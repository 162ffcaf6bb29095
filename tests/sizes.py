"""How much is run: big random runs at a fifth or less, what is the same everywhere in one place; or all (`--full`)."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

SHARE: Final = 5
USUAL: Final = "usual"
FULL: Final = "full"


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
    config.addinivalue_line("markers", "everywhere: run in every place, although the first is enough for others")


def prepare() -> None:
    """Make the tables of characters: in a new checkout that takes a second, and a test's input would count as slow."""
    st.text().validate()


def is_full() -> bool:
    """Whether everything runs, and at full size."""
    return settings.get_current_profile_name() == FULL


def sized(whole: int) -> int:
    """Return the size of a run that is `whole` in a full run, rounded up."""
    return whole if is_full() else -(-whole // SHARE)


def runs_everywhere(test: pytest.Item, *, usually: bool) -> bool:
    """Whether a test runs on every database and in every place; `usually` holds where no mark says otherwise."""
    differs = test.get_closest_marker("anywhere" if usually else "everywhere") is not None
    return is_full() or usually != differs
