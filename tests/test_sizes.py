"""What `--full` changes: sizes, and where tests run."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import settings

from tests.check import CHECKOUT
from tests.sizes import covering, sized

CORE = "tests/journeys/test_endpoints.py::test_every_route_is_reached_by_a_command"
EVERYWHERE = "tests/journeys/test_life.py::test_a_document_lives"
JOURNEY = "tests/journeys/test_periods.py::test_an_accounting_period_lives"
REFUSED = "tests/service/routes/test_user.py::test_bad_fields_are_400"
LISTED = "tests/service/routes/business/test_workflows.py::test_workflows_are_listed_by_id"
CROWD = "tests/journeys/test_sign_in.py::test_one_person_signs_in_many_times_at_once"
TESTS = (CORE, EVERYWHERE, JOURNEY, REFUSED, LISTED, CROWD)


def places(*options: str) -> tuple[Counter[str], str]:
    """Return how often each of the tests above runs, and what is said of others."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "--quiet", *options, *TESTS]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=True)
    runs = Counter(line.partition("[")[0] for line in done.stdout.splitlines() if "::" in line)
    return runs, "".join(line for line in done.stdout.splitlines() if "left to the night" in line)


def test_what_is_the_same_everywhere_runs_in_one_place(tmp_path: Path) -> None:
    runs, said = places("--measure", str(tmp_path))
    assert runs == {CORE: 4, EVERYWHERE: 2, JOURNEY: 1, REFUSED: 1, LISTED: 2}
    assert said == "1 tests are left to the night (--full): tests/nights.py, night.txt"


def test_a_full_run_is_made_everywhere() -> None:
    runs, said = places("--full")
    assert (runs, said) == ({CORE: 4, EVERYWHERE: 4, JOURNEY: 4, REFUSED: 2, LISTED: 2, CROWD: 1}, "")


@pytest.mark.parametrize(("profile", "size"), [("usual", 601), ("full", 3001)])
def test_a_big_run_is_a_fifth_of_the_full_one(profile: str, size: int) -> None:
    before = settings.get_current_profile_name()
    settings.load_profile(profile)
    try:
        assert sized(3001) == size
    finally:
        settings.load_profile(before)


@pytest.mark.parametrize(("profile", "chosen"), [("usual", ["a1", "b1", "a2"]), ("full", ["a1", "b1", "a2", "b2"])])
def test_each_value_of_each_feature_occurs(profile: str, chosen: list[str]) -> None:
    before = settings.get_current_profile_name()
    settings.load_profile(profile)
    try:
        assert covering(["a1", "b1", "a2", "b2"], lambda one: one[0], lambda one: one[1]) == chosen
    finally:
        settings.load_profile(before)
