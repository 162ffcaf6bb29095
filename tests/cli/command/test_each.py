"""Verbs that take the names of several records: each once and in order, and what was refused is named at the end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.company import company
from tests.cli.conftest import At, Cli, succeed
from tests.cli.recorder import Answer, Sent, recorder, said
from tests.journeys.places import Place

DELETE = ("document", "delete")


@pytest.fixture
def place(tmp_path: Path) -> Place:
    made = company(tmp_path)
    made.write_lines("many.jsonl", [{"date": "2026-03-01", "description": f"line {n}"} for n in range(5)])
    made.run("document", "create", "--file", "many.jsonl")
    return made


def ids(place: Place) -> list[int]:
    return sorted(one["id"] for one in place.json("document", "list", "--columns", "id"))


def test_several_are_deleted_after_one_question(place: Place) -> None:
    first, second, third, *rest = ids(place)
    words = (*DELETE, *map(str, (third, first, third)))
    asked = place.try_run(*words)
    assert (asked.code, ids(place)) == (2, [first, second, third, *rest])
    assert f"Delete documents {third}, {first} and their entries?" in asked.err
    done = place.run(*words, "--yes")
    assert (done.out, done.err) == ("", f"Deleted document {third}.\nDeleted document {first}.\n")
    assert ids(place) == [second, *rest]
    shown = place.json(*DELETE, *map(str, rest), "--yes")
    assert shown == [{"id": one, "deleted": True} for one in rest]
    assert place.json(*DELETE, str(second), "--yes") == {"id": second, "deleted": True}


def test_what_is_refused_is_left_behind_and_named(place: Place) -> None:
    first, second, third, *_ = ids(place)
    place.run("document", "lock", str(second))
    done = place.try_run(*DELETE, str(first), str(second), "999", str(third), "--yes", "--output", "jsonl")
    assert [json.loads(line)["id"] for line in done.out.splitlines()] == [first, third]
    error = json.loads(done.err.splitlines()[-1])["error"]
    assert (done.code, error["status"]) == (8, 423)
    assert error["message"].startswith(f"2 of 4 failed: document {second}: ")
    assert "; document 999: There is no such document. (404)" in error["message"]
    assert error["doubt"]["told"] == "2 of 4 documents are deleted"
    assert not {first, third} & set(ids(place))


def test_several_are_locked_shown_and_read(place: Place) -> None:
    first, second, *_ = map(str, ids(place))
    locked = place.json("document", "lock", first, second, "--columns", "id,is_locked")
    assert locked == [{"id": int(one), "is_locked": True} for one in (first, second)]
    assert [one["id"] for one in place.json("document", "get", second, first)] == [int(second), int(first)]
    assert place.json("document", "get", second)["id"] == int(second)
    assert place.try_run("document", "get", second, "999", "--json").code == 6


def test_several_names_are_found_before_anything_is_done(place: Place) -> None:
    refused = place.try_run("account", "hide", "3000", "nowhere", "4000")
    assert (refused.code, "nowhere" in refused.err) == (2, True)
    shown = ("account", "list", "--all", "--shown", "--columns", "number", "--output", "jsonl")
    assert "3000" in place.run(*shown).out
    hidden = place.json("account", "hide", "3000", "4000", "--columns", "number")
    assert hidden == [{"number": "3000"}, {"number": "4000"}]
    assert "3000" not in place.run(*shown).out


def test_several_of_one_record_and_several_by_slug(place: Place) -> None:
    first, *others = map(str, ids(place))
    for other in others[:3]:
        place.run(
            "document", "relation", "create", first, "--related", other, "--role", "ACCRUAL", "--type", "ACCRUAL_PAIR"
        )
    parted = [str(one["id"]) for one in place.json("document", "relation", "list", first)]
    asked = place.try_run("document", "relation", "delete", first, *parted[:2])
    assert f"Delete relations {parted[0]}, {parted[1]} of document {first}?" in asked.err
    place.run("document", "relation", "delete", first, *parted[:2], "--yes")
    assert len(place.json("document", "relation", "list", first)) == len(parted) - 2
    for slug in ("one", "two"):
        place.run("business", "create", "--name", slug, "--slug", slug)
    gone = place.json("business", "delete", "one", "two", "--yes")
    assert gone == [{"slug": "one", "deleted": True}, {"slug": "two", "deleted": True}]


def test_each_write_has_a_key_of_its_own_made_from_one(cli: Cli, at: At) -> None:
    def answer(sent: Sent) -> Answer:
        return said({"id": int(sent.path.split("/")[5])})

    with recorder(answer) as server:
        at(server)
        words = ("document", "flag", "7", "8", "--idempotency-key", "base")
        for _ in range(2):
            succeed(cli(*words))
        succeed(cli("document", "flag", "9", "--idempotency-key", "base"))
        plans = succeed(cli(*words, "--dry-run", "--json")).json()
    keys = [one.headers["idempotency-key"] for one in server.sent]
    assert [plan["idempotency_key"] for plan in plans] == keys[:2] == keys[2:4]
    assert (len(set(keys)), keys[4]) == (3, "base")


@pytest.mark.together
@pytest.mark.parametrize(
    ("stop", "code", "told"),
    [
        (Answer(reset=True), 3, "1 of 3 documents is deleted, and document 8 may be"),
        (said({"detail": "No."}, 500), 9, "1 of 3 documents is deleted, and document 8 may be"),
        (said({"detail": "No."}, 401), 4, "1 of 3 documents is deleted"),
    ],
)
def test_what_would_be_refused_to_all_ends_it_and_says_what_was_done(
    cli: Cli, at: At, stop: Answer, code: int, told: str
) -> None:
    def answer(sent: Sent) -> Answer:
        return stop if sent.path.endswith("/8/") else Answer(204, b"")

    with recorder(answer) as server:
        at(server)
        outcome = cli(*DELETE, "7", "8", "9", "--yes", "--json", "--timeout", "3")
        assert {sent.path[-3:] for sent in server.sent} == {"/7/", "/8/"}
    error = json.loads(outcome.err.splitlines()[-1])["error"]
    assert (outcome.code, error["doubt"]["told"]) == (code, told)
    assert error["message"].startswith("document 8: ")
    assert error["doubt"]["repeat"] == "acctcli document delete 7 8 9 --yes --json --timeout 3"


def test_what_is_named_twice_is_one(place: Place) -> None:
    (number,) = (
        one for one in place.json("account", "list", "--all", "--columns", "id,number") if one["number"] == "3000"
    )
    once = place.json("account", "hide", "3000", f"id:{number['id']}", "--columns", "number")
    assert once == {"number": "3000"}
    assert place.json("account", "get", "4000", "id:" + str(number["id"]), "3000", "--columns", "number") == [
        {"number": "4000"},
        {"number": "3000"},
    ]
