"""Many documents from one file: all checked first, each posted once, whatever happens to the output."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import At, Cli, succeed
from tests.cli.recorder import Answer, Keeper, Recorder, Sent, of_a_business, page, recorder, said

FILE = Path("many.jsonl")
CREATE = ("document", "create", "--file", str(FILE))
LINES = [{"date": "2026-03-01", "description": f"line {n}"} for n in range(1, 6)]


def write(*lines: object) -> None:
    FILE.write_text("".join(f"{json.dumps(line)}\n" for line in lines))


def keeper(*refused: str) -> Keeper:
    """A service that refuses lines of these descriptions."""
    return Keeper(json.loads, *refused)


def descriptions(books: Keeper) -> list[object]:
    return [record["description"] for record in books.kept.values()]


def test_every_line_is_posted_once_and_in_order(cli: Cli, at: At, home: Path) -> None:
    write(*LINES)
    books = keeper()
    with recorder(books) as server:
        at(server)
        outcome = succeed(cli(*CREATE, "--json", "--columns", "id,description"))
        assert len(server.writes) == 5
    assert outcome.json() == [{"id": n, "description": f"line {n}"} for n in range(1, 6)]
    first, last = outcome.err.splitlines()
    assert first.startswith("posting 5 lines under the key ")
    assert last == "posted 5 documents"
    assert descriptions(books) == [line["description"] for line in LINES]


@pytest.mark.together
@pytest.mark.parametrize(
    ("line", "says"), [({"date": "2026-02-30"}, "date"), ({"dat": "x"}, "did you mean date?"), ([1], "one JSON object")]
)
def test_a_wrong_line_is_named_and_none_is_sent(cli: Cli, at: At, home: Path, line: object, says: str) -> None:
    write(*LINES, line)
    with recorder(keeper()) as server:
        at(server)
        outcome = cli(*CREATE)
        assert (outcome.code, outcome.out, server.sent) == (2, "", [])
    assert "many.jsonl line 6" in outcome.err
    assert says in outcome.err


def test_empty_lines_are_no_documents_and_count_as_lines(cli: Cli, at: At, home: Path) -> None:
    good, wrong = json.dumps(LINES[0]), '{"date": "2026-02-30"}'
    FILE.write_text(f"\n{good}\n  \n\n{wrong}\n")
    with recorder(keeper()) as server:
        at(server)
        outcome = cli(*CREATE)
        assert (outcome.code, outcome.out, server.sent) == (2, "", [])
        assert outcome.err.startswith("error: many.jsonl line 5: date")
        succeed(cli(*CREATE[:2], "--file", "-", stdin=good))
        FILE.write_text(f"\n{good}\n  \n\n{json.dumps(LINES[1])}\n")
        succeed(cli(*CREATE, "--lines", "5"))
        assert [json.loads(sent.body) for sent in server.writes] == LINES[:2]


def test_after_a_failure_the_key_of_the_file_goes_on_without_posting_twice(cli: Cli, at: At, home: Path) -> None:
    write(*LINES)
    books = keeper("line 4")
    with recorder(books) as server:
        at(server)
        outcome = cli(*CREATE, "--output", "jsonl")
        assert outcome.code == 8
        error = json.loads(outcome.err.splitlines()[-1])["error"]
        assert error["message"] == "line 4 of 5: Locked. (423)"
        assert error["doubt"]["told"] == "3 lines are there"
        key = error["doubt"]["idempotency_key"]
        books.refused.clear()
        succeed(cli(*CREATE, "--idempotency-key", key, "--quiet"))
    assert descriptions(books) == [line["description"] for line in LINES]


MOMENT = "2026-03-01T10:00:00.987654Z"


@pytest.mark.together
@pytest.mark.parametrize(
    ("made", "shown", "is_it"),
    [
        (MOMENT, "2026-03-01T12:00:00.987654+02:00", True),
        (MOMENT, "2026-03-01T10:00:00.987Z", True),
        (MOMENT, "2026-03-01T10:00:00.988Z", True),
        (MOMENT, "2026-03-01T10:00:00Z", True),
        ("2026-03-01T10:00:01Z", MOMENT, True),
        (None, MOMENT, True),
        (MOMENT, "2026-03-01T10:00:00.987653Z", False),
        (MOMENT, "2026-03-01T10:00:00.989Z", False),
        (MOMENT, "2026-03-01T10:00:02Z", False),
    ],
)
def test_a_record_is_the_same_however_its_moment_is_written(
    cli: Cli, at: At, home: Path, made: str | None, shown: str, *, is_it: bool
) -> None:
    """In new books another record has the id, and every line is posted there."""
    write(*LINES[:2])
    posted: list[Sent] = []

    def behave(sent: Sent) -> Answer:
        if sent.method == "POST":
            posted.append(sent)
            return said({"id": len(posted), **({"created_at": made} if made else {})}, 201)
        number = sent.path.rstrip("/").rpartition("/")[2]
        return said({"id": int(number), "created_at": shown}) if number.isdigit() else page()

    with recorder(of_a_business(behave)) as server:
        at(server)
        succeed(cli(*CREATE, "--output", "jsonl"))
        again = succeed(cli(*CREATE, "--output", "jsonl"))
    assert ("2 lines are there already" in again.err, len(posted)) == (is_it, 2 if is_it else 4)


@pytest.mark.parametrize("options", [("--columns", "id,description,balance"), ("--jq", ".[0] | error", "--json")])
def test_what_cannot_be_shown_is_posted_all_the_same(cli: Cli, at: At, home: Path, options: tuple[str, ...]) -> None:
    write(*LINES)
    books = keeper()
    with recorder(books) as server:
        at(server)
        outcome = cli(*CREATE, *options)
        assert_posted_whole(server, books)
    assert outcome.code == 1
    assert "it was done, but cannot be shown" in outcome.err


def assert_posted_whole(server: Recorder, books: Keeper) -> None:
    assert len(server.writes) == len(books.kept) == len(LINES)


def test_a_file_of_nothing_is_nothing(cli: Cli, at: At, home: Path) -> None:
    FILE.write_text("\n\n")
    with recorder(keeper()) as server:
        at(server)
        assert succeed(cli(*CREATE, "--json")).json() == []
        assert server.sent == []
