"""A line that was mended in its file is no second event; a file that goes on is one file."""

from __future__ import annotations

from typing import Any, NamedTuple

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


def sale(written: str) -> dict[str, Any]:
    """Read `DAY/MONTH TEXT AMOUNT`; an amount of 0 is none at all."""
    when, text, amount = written.split()
    day, _, month = when.partition("/")
    blueprint = {"debet_account_id": 1910, "credit_entries": [{"account_id": 3000, "amount": amount}]}
    return {
        "date": f"2026-{int(month or 3):02d}-{int(day):02d}",
        "description": text.strip("_"),
        **({} if amount == "0" else {"blueprint": blueprint}),
    }


class Change(NamedTuple):
    was: str
    now: str


TWELVE = ", ".join(f"{day} line{day} {day}" for day in range(1, 13))
NEXT_ELEVEN = ", ".join(f"{day} new{day} 99" for day in range(20, 31))
MENDED = {
    "a day, so that it moves to the end": Change("1 a 10, 2 b 20, 3 c 30, 4 d 40", "2 b 20, 3 c 30, 4 d 40, 5 a 10"),
    "a day, two weeks on": Change("1 a 10, 2 b 20, 3 c 30, 4 d 40", "2 b 20, 3 c 30, 4 d 40, 19 a 10"),
    "a day, so that it moves to the beginning": Change("2 b 20, 3 c 30, 4 d 40", "1 d 40, 2 b 20, 3 c 30"),
    "a month": Change("15/2 a 10, 1 b 20, 20 c 30, 31 d 40", "1 b 20, 15 a 10, 20 c 30, 31 d 40"),
    "a day, of the only line": Change("1 a 10", "2 a 10"),
    "a day, of the only line over the end of a month": Change("31 a 10", "1/4 a 10"),
    "an amount, and a new one before it": Change("1 a 10", "1 x 5, 1 a 11"),
    "an amount, and new ones before and after it": Change("1 a 10, 2 b 20", "3 x 5, 4 y 6, 2 b 21, 5 z 7"),
    "an amount without a description": Change("1 _ 10", "4 x 5, 1 _ 11"),
    "the last of twelve, behind a new one": Change(TWELVE, TWELVE.replace("12 line12 12", "20 x 1, 12 line12 13")),
    "the last of twelve, of which none stayed": Change(TWELVE, f"{NEXT_ELEVEN}, 12 line12 13"),
    "a description": Change("1 a 10, 2 b 20", "7 x 5, 8 y 6, 1 A 10"),
    "one that comes often, amid the file": Change("1 a 4, 3 a 4, 5 b 9, 7 c 1", "1 a 4, 5 b 9, 6 a 4, 7 c 1"),
}
GOES_ON = {
    "the rent of the next month": Change("1 rent 800, 9 x 7", "1/4 rent 800, 20/4 y 9"),
    "the only line of the next month": Change("1 rent 800", "1/4 rent 800"),
    "a month that was left out": Change("1 rent 800", "1/2 rent 800"),
    "every week": Change("2 cleaning 80, 3 x 7", "9 cleaning 80, 10 y 9"),
    "fees of every other day": Change("2 fee 1, 4 fee 1, 6 fee 1", "7 fee 1, 9 fee 1"),
    "the rent of a file that keeps two months": Change(
        "1/2 rent 800, 9/2 x 7, 1 rent 800, 9 y 7", "1 rent 800, 9 y 7, 1/4 rent 800, 9/4 z 7"
    ),
    "fees of a file that keeps a week": Change("2 fee 1, 4 fee 1, 6 fee 1", "4 fee 1, 6 fee 1, 8 fee 1"),
    "a day alone": Change("1 a 10", "1 b 11"),
    "a day alone, without amounts": Change("1 a 0", "1 b 0"),
    "a description alone": Change("1 sale 10", "2 sale 11"),
    "an amount alone": Change("1 a 10", "2 b 10"),
    "a part of an amount": Change("1 a 100", "1 b 1"),
}
BY_NUMBER = ("--account-numbers",)


@pytest.mark.parametrize(
    ("change", "code"),
    [*((change, 10) for change in MENDED.values()), *((change, 0) for change in GOES_ON.values())],
    ids=[*(f"mended {name}" for name in MENDED), *(f"goes on with {name}" for name in GOES_ON)],
)
def test_what_is_a_mended_line_and_what_is_the_next(place: Place, change: Change, code: int) -> None:
    was, now = ([sale(one) for one in lines.split(", ")] for lines in change)
    assert post(place, *was, more=BY_NUMBER)[0] == 0
    found, told = post(place, *now, more=BY_NUMBER)
    assert (found, "was document" in told or "were documents" in told) == (code, True), told
    assert sum(there(place).values()) == len(was) + (0 if code else sum(one not in was for one in now))


@pytest.mark.parametrize("before", [("--lines", "2"), ("--lines", "2", "--again"), ("--idempotency-key", "mine")])
@pytest.mark.parametrize("mended", ["2 b 21", "2 B 20", "3 b 20", "25 b 20"])
def test_what_was_posted_apart_is_of_the_file_too(place: Place, before: tuple[str, ...], mended: str) -> None:
    file = [sale(one) for one in ("1 a 10", "2 b 20", "3 c 30")]
    assert post(place, *file, more=(*BY_NUMBER, *before))[0] == 0
    was = there(place)
    code, told = post(place, file[0], sale(mended), file[2], more=BY_NUMBER)
    assert (code, there(place)) == (10, was), told
    assert "line 2 was document" in told
    assert "give --lines" in told


def test_the_next_month_is_posted_although_a_line_was_posted_apart(place: Place) -> None:
    march = [sale(one) for one in ("1 rent 800", "2 b 20")]
    assert post(place, *march, more=(*BY_NUMBER, "--lines", "1"))[0] == 0
    for month in (march, [sale(one) for one in ("1/4 rent 800", "2/4 c 30")]):
        code, told = post(place, *month, more=BY_NUMBER)
        assert code == 0, told
    assert there(place) == {"rent": 2, "b": 1, "c": 1}


def test_many_that_were_mended_are_told_apart_from_those_mended_by_hand(place: Place) -> None:
    was = [sale(f"1 a{number} {number}") for number in range(1, 5)]
    now = [sale("1 x 99"), *(sale(f"1 a{number} {number + 1}") for number in range(1, 5))]
    post(place, *was, more=BY_NUMBER)
    place.run("document", "delete", "1", "--yes")
    place.run("document", "update", "2", "--debit", "1910", "--credit", "3000:3")
    code, told = post(place, *now, more=BY_NUMBER)
    assert code == 10
    assert "lines 3-4 were documents 3-4, which are not in the file any more" in told
    assert "give --lines 4-5" in told
