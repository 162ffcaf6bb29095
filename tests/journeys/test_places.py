"""Commands that find their books open see and leave on disk what they would if each of them opened and closed them."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from acctcli.service.http.embedded import DATABASE_FILE
from tests.cli.company import company
from tests.journeys.places import Place, kept_open


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return company(tmp_path)


def books_of(place: Place) -> Path:
    return place.folder / "data" / "local" / DATABASE_FILE


def names(path: Path) -> list[str]:
    """Return the tags that a file holds by itself, for a program that knows nothing of its log."""
    copy = path.with_name("copy")
    shutil.copyfile(path, copy)
    with closing(sqlite3.connect(copy)) as conn:
        return [name for (name,) in conn.execute("SELECT name FROM tag ORDER BY id")]


@kept_open()
def test_what_a_command_wrote_is_in_the_file(place: Place) -> None:
    for number in range(3):
        place.run("tag", "create", "--name", f"tag {number}")
        assert names(books_of(place)) == [f"tag {one}" for one in range(number + 1)]


@kept_open()
def test_what_another_program_wrote_is_seen_and_stays(place: Place) -> None:
    place.run("tag", "create", "--name", "ours")
    with closing(sqlite3.connect(books_of(place), isolation_level=None)) as conn:
        conn.execute("UPDATE tag SET name = 'theirs'")
    assert [one["name"] for one in place.json("tag", "list")] == ["theirs"]
    place.run("tag", "create", "--name", "ours")
    assert names(books_of(place)) == ["theirs", "ours"]


@kept_open()
def test_books_that_are_put_away_are_missed(place: Place) -> None:
    place.run("tag", "create", "--name", "ours")
    for one in books_of(place).parent.glob(f"{DATABASE_FILE}*"):
        if not one.name.endswith("-begun"):
            one.rename(place.folder / one.name)
    assert place.try_run("tag", "list").code == 2
    for one in place.folder.glob(f"{DATABASE_FILE}*"):
        one.rename(books_of(place).with_name(one.name))
    assert [one["name"] for one in place.json("tag", "list")] == ["ours"]
