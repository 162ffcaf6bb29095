"""What `--full` changes: sizes, and where tests run."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import settings

from tests.check import CHECKOUT
from tests.sizes import sized

CORE = "tests/journeys/test_endpoints.py::test_every_route_is_reached_by_a_command"
JOURNEY = "tests/journeys/test_periods.py::test_an_accounting_period_lives"
REFUSED = "tests/service/routes/test_user.py::test_bad_fields_are_400"
LISTED = "tests/service/routes/business/test_workflows.py::test_workflows_are_listed_by_id"


def places(*options: str) -> Counter[str]:
    """Return how often each of the tests above runs."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "--quiet", *options, CORE, JOURNEY, REFUSED, LISTED]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=True)
    return Counter(line.partition("[")[0] for line in done.stdout.splitlines() if "[" in line)


def test_what_is_the_same_everywhere_runs_in_one_place() -> None:
    assert places() == {CORE: 4, JOURNEY: 1, REFUSED: 1, LISTED: 2}


def test_a_full_run_is_made_everywhere() -> None:
    assert places("--full") == {CORE: 4, JOURNEY: 4, REFUSED: 2, LISTED: 2}


@pytest.mark.parametrize(("profile", "size"), [("usual", 601), ("full", 3001)])
def test_a_big_run_is_a_fifth_of_the_full_one(profile: str, size: int) -> None:
    before = settings.get_current_profile_name()
    settings.load_profile(profile)
    try:
        assert sized(3001) == size
    finally:
        settings.load_profile(before)
