"""A line that was mended in its file is no second event; a file that goes on is one file."""

from __future__ import annotations

from typing import Any

import pytest

from acctcli.cli.command.mended import Replaced, replaced
from tests.cli.document.test_posting import POST, place, there
from tests.journeys.places import Place

__all__ = ["place"]  # the fixture


def line(number: int, day: int = 1, *, mended: bool = False) -> dict[str, Any]:
    return {"date": f"2026-03-{day:02d}", "description": f"line {number}", "is_flagged": mended}


def post(place: Place, *lines: dict[str, Any], more: tuple[str, ...] = ()) -> tuple[int, str]:
    place.write_lines("many.jsonl", list(lines))
    done = place.try_run(*POST, *more)
    return done.code, done.err


@pytest.mark.parametrize(
    ("was", "now", "found"),
    [
        ("abc", "abcd", []),
        ("abc", "xabc", []),
        ("abc", "bcx", []),  # goes on week by week
        ("abc", "bac", []),
        ("abc", "ac", []),
        ("abc", "axc", [("b", "x")]),
        ("abc", "xbc", [("a", "x")]),
        ("abc", "abx", [("c", "x")]),
        ("abc", "nabx", [("c", "x")]),
        ("abcd", "axyd", [("bc", "xy")]),
        ("abc", "xyz", [("abc", "xyz")]),
        ("", "abc", []),
    ],
)
def test_what_stands_in_the_place_of_another(was: str, now: str, found: list[tuple[str, str]]) -> None:
    assert replaced(list(was), list(now)) == [Replaced(list(old), list(new)) for old, new in found]


def test_a_mended_line_is_no_second_document(place: Place) -> None:
    assert post(place, line(1), line(2))[0] == 0
    for more in ((), ("--quiet",)):
        code, told = post(place, line(1, mended=True), line(2), line(3), more=more)
        assert (code, sum(there(place).values())) == (10, 2)
        assert "line 1 was document 1, which is not in the file any more" in told
        assert "give --lines 1" in told
    assert place.json("resume") == []


@pytest.mark.parametrize("by_hand", [("delete", "1", "--yes"), ("update", "1", "--set", "is_flagged=true")])
def test_it_goes_on_when_the_document_was_mended_too(place: Place, by_hand: tuple[str, ...]) -> None:
    post(place, line(1), line(2))
    place.run("document", *by_hand)
    assert post(place, line(1, mended=True), line(2), line(3))[0] == 0
    assert there(place) == {"line 1": 1, "line 2": 1, "line 3": 1}


def test_another_is_posted_besides(place: Place) -> None:
    post(place, line(1), line(2))
    assert post(place, line(1, mended=True), line(2), more=("--lines", "1"))[0] == 0
    assert post(place, line(1, mended=True), line(2))[0] == 0
    assert there(place) == {"line 1": 2, "line 2": 1}


def test_a_file_of_one_line_that_is_corrected(place: Place) -> None:
    post(place, line(1))
    assert post(place, line(1, mended=True))[0] == 10
    assert there(place) == {"line 1": 1}


def test_the_next_week_is_another_file(place: Place) -> None:
    post(place, *(line(number) for number in range(3)))
    code, told = post(place, *(line(number, day=8) for number in range(3)))
    assert (code, sum(there(place).values())) == (0, 6)
    assert "not in the file any more, and there: lines 1-3 were documents 1-3" in told
    assert post(place, *(line(number, day=8) for number in (1, 2)), line(9, day=15))[0] == 0


def test_another_file_does_not_end_a_run(place: Place) -> None:
    refused = {"date": "2026-03-01", "contact_id": 99}
    assert post(place, line(1), line(2), refused, line(4))[0] == 7
    (cut_off,) = place.json("resume")
    place.write_lines("many.jsonl", [line(5, day=8), line(6, day=8)])
    for command in (POST, ("resume", cut_off["id"])):
        done = place.try_run(*command)
        assert (done.code, sum(there(place).values())) == (10, 2)
        assert "of its 4 lines 2 are not posted" in done.err
    assert place.json("resume") == [cut_off]
    place.run("resume", cut_off["id"], "--forget")
    assert post(place, line(5, day=8), line(6, day=8))[0] == 0


def test_lines_that_are_gone_are_told_together(place: Place) -> None:
    file = [line(number) for number in range(5)]
    post(place, *file)
    place.run("document", "delete", "1", "2", "3", "5", "--yes")
    told = post(place, *file)[1].splitlines()
    assert "gone, and posted again: lines 1-3 were documents 1-3, line 5 was document 5" in told
