"""`acctcli header`: what its options say to the service."""

from __future__ import annotations

import pytest

from tests.cli.company import company
from tests.journeys.places import Place


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return company(tmp_path_factory.mktemp("header"))


def test_a_name_is_given_in_every_language(place: Place) -> None:
    plan = place.json("header", "create", "--name", "Cash", "--type", "B", "--parent", "7", "--dry-run")
    assert (plan["method"], plan["path"], plan["body"]) == (
        "POST",
        "/v1/business/company/header/",
        {
            "name_translations": [{"key": key, "value": "Cash"} for key in ("fi", "sv", "en", "de")],
            "type": "B",
            "parent_id": 7,
        },
    )


def test_a_translation_is_set_by_hand(place: Place) -> None:
    names = '[{"key": "fi", "value": "Rahat"}]'
    plan = place.json("header", "create", "--type", "B", "--set", f"name_translations={names}", "--dry-run")
    assert plan["body"] == {"name_translations": [{"key": "fi", "value": "Rahat"}], "type": "B"}


def test_the_type_is_one_of_two(place: Place) -> None:
    done = place.try_run("header", "create", "--name", "Cash", "--type", "X")
    assert (done.code, done.out) == (2, "")
    assert "type" in done.err


def test_an_unknown_parent_is_rejected(place: Place) -> None:
    done = place.try_run("header", "create", "--name", "Cash", "--type", "B", "--parent", "7")
    assert (done.code, done.err) == (7, "error: parent_id (--parent): Unknown header id 7. (400)\n")
