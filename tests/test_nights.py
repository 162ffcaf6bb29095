"""What is left to the night is there, and what stands for it runs in every run."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from tests.nights import LEFT, ids
from tests.sizes import COUNT, MEASURED, NIGHTLY, ROWS, hear_worker, summary, tell_controller

TESTS = Path(__file__).parent


@cache
def names_in(file: str) -> frozenset[str]:
    """Return the names of the tests of a file."""
    tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
    found = [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)]
    return frozenset(one.name for one in found if one.name.startswith("test_"))


def is_there(test: str) -> bool:
    file, _, name = test.partition("::")
    return (TESTS / file).is_file() and name in names_in(file)


def test_every_test_that_is_left_out_is_there_and_is_named_once() -> None:
    whole = [test for group in LEFT for test in ids(group.tests)]
    of_rows = [test for group in LEFT for test in ids({file: tuple(some) for file, some in group.rows.items()})]
    named = [*whole, *of_rows]
    assert [test for test in named if not is_there(test)] == []
    assert len(named) == len(set(named))
    assert all(ROWS.values())


def test_what_stands_for_it_is_there_and_runs_in_every_run() -> None:
    assert [group.why for group in LEFT if not group.why.endswith(".") or bool(group.kept) != bool(group.tests)] == []
    kept = {test for group in LEFT for test in ids(group.kept)}
    assert {test for test in kept if not is_there(test)} == set()
    assert kept & (NIGHTLY | {name.partition("[")[0] for name in MEASURED}) == set()


def test_a_worker_tells_how_many_tests_it_leaves_to_the_night() -> None:
    worker, controller = (SimpleNamespace(stash=pytest.Stash()) for _ in range(2))
    worker.stash[COUNT], worker.workeroutput = 7, {}
    tell_controller(cast("pytest.Config", worker))
    hear_worker(cast("pytest.Config", controller), worker.workeroutput)
    # one that crashed says nothing, and changes nothing
    hear_worker(cast("pytest.Config", controller), {})
    said = "7 tests are left to the night (--full): tests/nights.py, night.txt"
    assert summary(cast("pytest.Config", controller)) == said


def test_a_run_that_leaves_nothing_out_says_nothing() -> None:
    assert summary(cast("pytest.Config", SimpleNamespace(stash=pytest.Stash()))) == ""
