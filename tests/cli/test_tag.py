"""`acctcli tag`: what its options say to the service."""

from __future__ import annotations

import pytest

from tests.cli.company import company
from tests.journeys.places import Place

OPTIONS = ("--name", "Oulu", "--description", "The branch", "--color", "#ff0000")
BODY = {"name": "Oulu", "description": "The branch", "color": "#ff0000"}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return company(tmp_path_factory.mktemp("tag"))


@pytest.mark.parametrize(
    ("verb", "method"), [(("create",), "POST"), (("update", "7"), "PATCH"), (("replace", "7"), "PUT")]
)
def test_every_option_is_a_field(place: Place, verb: tuple[str, ...], method: str) -> None:
    plan = place.json("tag", *verb, *OPTIONS, "--dry-run")
    record = "7/" if len(verb) > 1 else ""
    assert (plan["method"], plan["path"], plan["body"]) == (method, f"/v1/business/company/tags/{record}", BODY)


def test_a_name_that_is_taken_is_rejected(place: Place) -> None:
    place.run("tag", "create", "--name", "Taken")
    done = place.try_run("tag", "create", "--name", "Taken")
    assert (done.code, done.out, done.err) == (7, "", "error: name: Another tag has this name. (400)\n")


def test_the_same_intent_makes_one_tag(place: Place) -> None:
    first, again = (place.run("tag", "create", "--name", "Once", "--idempotency-key", "k", "--json") for _ in "12")
    assert first.out == again.out
    assert "nothing was done again" in again.err


def test_the_table_shows_what_a_tag_stands_for(place: Place) -> None:
    place.run("tag", "create", "--name", "Turku", "--description", "River", "--color", "#00ff00")
    header, rule, row = place.run("tag", "list", "--search", "turku").lines()
    assert header.split() == ["id", "name", "description", "color"]
    assert set(rule) == {"─"}
    assert row.split()[1:] == ["Turku", "River", "#00ff00"]


def test_deleting_needs_a_yes(place: Place) -> None:
    done = place.try_run("tag", "delete", "1")
    assert (done.code, done.out) == (2, "")
    assert "take it off every document?" in done.err
