"""Runs that were cut off are listed and finished, wherever that is asked for."""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from dataclasses import replace
from datetime import date

import pytest

from acctcli.cli.command import record
from acctcli.settings.files import claimed
from tests.cli.document.test_posting import POST, lines, once, place, record_of, there
from tests.cli.processes import ACCTCLI
from tests.journeys.places import Place

__all__ = ["place"]  # the fixture
REFUSED = {"date": "2026-03-01", "contact_id": 99}


def cut_off(place: Place, *more: str) -> str:
    """Post two lines of four and return the name of the run."""
    place.write_lines("many.jsonl", [*lines(1, 2), REFUSED, *lines(4)])
    assert place.try_run(*POST[:4], *more).code == 7
    place.write_lines("many.jsonl", lines(1, 2, 3, 4))
    (listed,) = place.json("resume")
    name: str = listed["id"]
    return name


def test_resume_lists_what_was_cut_off_and_finishes_it(place: Place) -> None:
    place.write_lines("many.jsonl", [*lines(1, 2), {"date": "2026-03-01", "contact_id": 99}, *lines(4)])
    assert place.try_run(*POST[:4], "--again", "--description", "line 3").code == 7
    place.write_lines("many.jsonl", [{"date": "2026-03-01"}] * 4)
    (listed,) = place.json("resume", "--columns", "id,file,lines,done,in_doubt,business,environment")
    assert listed == {
        "id": listed["id"],
        "file": str(place.folder / "many.jsonl"),
        "lines": 4,
        "done": 2,
        "in_doubt": 0,
        "business": "company",
        "environment": "local",
    }
    elsewhere = place.folder / "elsewhere"
    elsewhere.mkdir()
    place.run("resume", listed["id"])
    assert there(place) == Counter({"line 3": 4})
    assert place.json("resume") == []


def test_a_run_that_is_not_wanted_is_forgotten(place: Place) -> None:
    place.write_lines("many.jsonl", [*lines(1), {"date": "2026-03-01", "contact_id": 99}])
    assert place.try_run(*POST).code == 7
    (listed,) = place.json("resume")
    place.run("resume", listed["id"], "--forget")
    assert place.json("resume") == []
    assert place.try_run("resume", listed["id"]).code == 2
    place.write_lines("many.jsonl", lines(1))
    assert place.run(*POST).err.splitlines()[-1].startswith("nothing was posted: 1 line is there")


def test_a_run_is_not_finished_in_other_books(place: Place) -> None:
    place.write_lines("many.jsonl", [*lines(1), {"date": "2026-03-01", "contact_id": 99}])
    assert place.try_run(*POST).code == 7
    (listed,) = place.json("resume")
    done = place.try_run("resume", listed["id"], ACCTCLI_DATABASE_URL=f"sqlite:///{place.folder / 'other.sqlite3'}")
    assert (done.code, done.out) == (2, "")
    assert f"it was sent to company of {place.folder / 'data'}, which local is not by now" in done.err


def test_from_anywhere_and_shown_as_it_is_asked_for(place: Place) -> None:
    name = cut_off(place, "--output", "csv")
    elsewhere = place.folder / "elsewhere"
    elsewhere.mkdir()
    done = replace(place, folder=elsewhere).run("resume", name, "--output", "jsonl", "--output-file", "rows.jsonl")
    assert done.out == ""
    rows = [json.loads(line) for line in (elsewhere / "rows.jsonl").read_text().splitlines()]
    assert [row["description"] for row in rows] == [line["description"] for line in lines(1, 2, 3, 4)]


@pytest.mark.parametrize("option", [("--env", "testing"), ("--business", "other")])
def test_a_run_goes_on_where_it_was(place: Place, option: tuple[str, str]) -> None:
    done = place.try_run("resume", cut_off(place), *option)
    assert done.code == 2
    assert "--env and --business do not go with its id" in done.err
    assert there(place) == once(1, 2)


def test_a_day_that_was_told_from_today_s_stays(place: Place) -> None:
    cut_off(place, "--date", "today")
    (listed,) = place.json("resume")
    assert f"--date {date.today().isoformat()} --env" in listed["command"]


def test_what_is_running_is_not_cut_off(place: Place) -> None:
    name = cut_off(place)
    with claimed(record_of(place)):
        assert place.json("resume") == []
        assert place.try_run("resume", name).code == 2


def test_a_file_that_is_gone_is_named(place: Place) -> None:
    name = cut_off(place)
    (place.folder / "many.jsonl").unlink()
    done = place.try_run("resume", name)
    assert done.code == 2
    assert f"{place.folder / 'many.jsonl'} is not there any more" in done.err


def test_a_file_that_was_renamed_is_finished_under_its_new_name(place: Place) -> None:
    cut_off(place)
    (place.folder / "many.jsonl").rename(place.folder / "march.jsonl")
    place.run(*POST[:3], "march.jsonl")
    assert place.json("resume") == []


def test_a_part_of_it_does_not_finish_a_file(place: Place) -> None:
    name = cut_off(place)
    place.write_lines("part.jsonl", lines(1, 2))
    place.run(*POST[:3], "part.jsonl")
    assert [one["id"] for one in place.json("resume")] == [name]


def test_what_earlier_runs_did_is_not_counted(place: Place) -> None:
    place.write_lines("many.jsonl", lines(1, 2, 3))
    place.run(*POST)
    place.write_lines("many.jsonl", [*lines(5), REFUSED, *lines(6, 7)])
    assert place.try_run(*POST).code == 7
    (listed,) = place.json("resume", "--columns", "lines,done,in_doubt")
    assert listed == {"lines": 4, "done": 1, "in_doubt": 0}


def test_a_run_that_nobody_reads_has_ended(place: Place) -> None:
    place.write_lines("many.jsonl", lines(*range(40)))
    unread, stdout = os.pipe()
    os.close(unread)
    try:
        done = subprocess.run(
            [*ACCTCLI, *POST], env=place.environ, cwd=place.folder, stdout=stdout, stderr=subprocess.PIPE, check=False
        )
    finally:
        os.close(stdout)
    assert (done.returncode, there(place)) == (0, once(*range(40))), done.stderr
    assert place.json("resume") == []


@pytest.mark.parametrize("how", ["it is running", "it was cut off again"])
def test_a_run_that_goes_on_meanwhile_is_not_forgotten(place: Place, how: str) -> None:
    name = cut_off(place)
    found = record.cut_off(record.runs_folder(place.environ))[name]
    if how == "it is running":
        with claimed(record_of(place)):
            found.forget()
    else:
        place.write_lines("many.jsonl", [*lines(1, 2), REFUSED, *lines(4)])
        assert place.try_run(*POST[:4]).code == 7
        found.forget()
    assert [one["id"] for one in place.json("resume")] == [name]
