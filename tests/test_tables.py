"""Tests that are tables: every row is looked at, and all that fail are named."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests import tables
from tests.check import CHECKOUT

ROW = "tests/test_surroundings.py::test_root_without_useradd_is_told_in_a_sentence[1000--False]"
seen: list[tuple[str, int]] = []


@pytest.mark.parametrize("number", [1, pytest.param(2, id="two")])
@pytest.mark.parametrize(("word", "_length"), [("a", 1), ("bc", 2)], ids=["one", "more"])
def look_at(word: str, _length: int, number: int) -> None:
    seen.append((word, number))
    assert len(word) == number
    with pytest.raises(ZeroDivisionError):
        assert word == "a" or 1 // 0


def test_every_row_is_looked_at_and_all_that_fail_are_named() -> None:
    seen.clear()
    with pytest.raises(BaseExceptionGroup, match="3 rows fail") as caught:
        tables.as_one(look_at)()
    assert seen == [("a", 1), ("a", 2), ("bc", 1), ("bc", 2)]
    assert [(type(one).__name__, one.__notes__) for one in caught.value.exceptions] == [
        ("Failed", ["with word='a', _length=1, number=1"]),
        ("AssertionError", ["with word='a', _length=1, number=2"]),
        ("AssertionError", ["with word='bc', _length=2, number=1"]),
    ]


def test_rows_share_fixtures_only_where_a_test_says_so() -> None:
    @pytest.mark.parametrize("number", [1, 2])
    def alone(number: int, house: list[int]) -> None:
        house.append(number)

    assert tables.as_one(alone) is alone
    house: list[int] = []
    tables.as_one(pytest.mark.together(alone))(house=house)
    assert house == [1, 2]


def test_a_row_is_a_test_where_it_is_asked_for() -> None:
    command = [sys.executable, "-m", "pytest", "--collect-only", "--quiet", ROW]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[0] == ROW
