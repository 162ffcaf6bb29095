"""`--since FILE`: every change told once, whatever happens between and during the runs."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from acctcli.cli.exports import states
from acctcli.cli.output import sink
from acctcli.cli.session.options import Options
from acctcli.cli.session.state import State
from acctcli.settings.files import claimed
from tests.cli.company import company
from tests.cli.conftest import At, Cli, Outcome, succeed
from tests.cli.processes import ACCTCLI, environ, run_process
from tests.cli.recorder import Answer, Sent, recorder, said

NIGHTLY = ("invoice", "list", "--since", "state.json", "--output", "jsonl", "--columns", "id,updated_at", "--quiet")


class Records:
    """Records that change; lists are read by pages of ids, the highest first, and filtered by the day of the change."""

    def __init__(self, *times: str) -> None:
        self.times = dict(enumerate(times, 1))
        self.queries: list[dict[str, str]] = []
        self.before_page: Callable[[int], Answer | None] = lambda number: None

    def __call__(self, sent: Sent) -> Answer:
        query = {name: values[-1] for name, values in parse_qs(urlsplit(sent.path).query).items()}
        self.queries.append(query)
        number, size = int(query["page"]), int(query["page_size"])
        answer = self.before_page(number)
        if answer is not None:
            return answer
        first = query.get("updated_at_gte", "")
        ids = [one for one in sorted(self.times, reverse=True) if self.times[one][:10] >= first]
        rows = [{"id": one, "updated_at": self.times[one]} for one in ids[(number - 1) * size : number * size]]
        more = number + 1 if number * size < len(ids) else None
        return said({"count": len(ids), "next": more, "prev": None, "size": size, "results": rows})


@pytest.fixture
def books(at: At) -> Iterator[Records]:
    made = Records("2026-03-01T10:00:00Z", "2026-03-02T10:00:00Z", "2026-03-02T10:00:00Z")
    with recorder(made) as server:
        at(server)
        yield made


def told(outcome: Outcome) -> list[int]:
    """The ids of the rows of a run that must have worked."""
    return [json.loads(line)["id"] for line in succeed(outcome).lines()]


def test_the_first_run_tells_everything_and_the_next_nothing(cli: Cli, books: Records) -> None:
    assert told(cli(*NIGHTLY)) == [3, 2, 1]
    assert told(cli(*NIGHTLY)) == []
    assert [query.get("updated_at_gte") for query in books.queries] == [None, "2026-03-01"]


def test_what_changed_is_told_once(cli: Cli, books: Records) -> None:
    told(cli(*NIGHTLY))
    books.times[1] = "2026-03-05T00:00:00Z"
    books.times[4] = "2026-03-05T00:00:00Z"
    assert told(cli(*NIGHTLY)) == [4, 1]
    assert told(cli(*NIGHTLY)) == []
    books.times[2] = "2026-03-09T00:00:00Z"
    assert told(cli(*NIGHTLY)) == [2]


def test_equal_times_hide_nothing(cli: Cli, books: Records) -> None:
    told(cli(*NIGHTLY))
    books.times[4] = books.times[3]
    assert told(cli(*NIGHTLY)) == [4]


def test_a_change_that_comes_to_light_late_is_told(cli: Cli, books: Records) -> None:
    told(cli(*NIGHTLY))
    books.times[4] = "2026-03-01T11:00:00Z"  # before the latest that was told
    assert told(cli(*NIGHTLY)) == [4]


def test_a_record_told_early_and_changed_before_the_end_is_told_again(cli: Cli, books: Records) -> None:
    def change(number: int) -> None:
        if number == 2:
            books.times[3] = "2026-03-02T10:00:01Z"

    books.before_page = change
    assert told(cli(*NIGHTLY, "--page-size", "2")) == [3, 2, 1]
    books.before_page = lambda number: None
    assert told(cli(*NIGHTLY)) == [3]
    assert told(cli(*NIGHTLY)) == []


def test_a_list_that_moves_while_it_is_read_is_told_whole_the_next_time(cli: Cli, books: Records) -> None:
    told(cli(*NIGHTLY))
    books.times |= {4: "2026-03-04T00:00:00Z", 5: "2026-03-04T00:00:00Z", 6: "2026-03-04T00:00:00Z"}
    state = Path("state.json").read_bytes()

    def add(number: int) -> None:
        if number == 2:
            books.times[len(books.times) + 1] = "2026-03-04T00:00:01Z"

    books.before_page = add
    outcome = cli(*NIGHTLY, "--page-size", "2", "--output-file", "new.jsonl")
    assert (outcome.code, Path("new.jsonl").exists(), Path("state.json").read_bytes()) == (10, False, state)
    books.before_page = lambda number: None
    assert told(cli(*NIGHTLY)) == sorted(set(books.times) - {1, 2, 3}, reverse=True)


def test_a_clock_from_the_future_hides_nothing(cli: Cli, books: Records) -> None:
    books.times[4] = "2999-01-01T00:00:00Z"
    assert told(cli(*NIGHTLY)) == [4, 3, 2, 1]
    books.times[5] = f"{datetime.now(UTC).date()}T00:00:00Z"
    assert told(cli(*NIGHTLY)) == [5]
    assert told(cli(*NIGHTLY)) == []


def test_days_are_those_of_utc(cli: Cli, books: Records) -> None:
    books.times = {1: "2026-03-04T01:00:00+02:00"}
    told(cli(*NIGHTLY))
    assert json.loads(Path("state.json").read_text())["mark"]["floor"] == "2026-03-02"


def test_nothing_at_all_is_remembered_as_nothing(cli: Cli, books: Records) -> None:
    books.times = {}
    assert told(cli(*NIGHTLY)) == []
    books.times = {1: "2001-01-01T00:00:00Z"}
    assert told(cli(*NIGHTLY)) == [1]


def test_a_record_that_left_the_filter_and_came_back_is_told(cli: Cli, books: Records) -> None:
    told(cli(*NIGHTLY))
    kept = books.times.pop(3)
    told(cli(*NIGHTLY))
    books.times[3] = kept.replace("10:00:00", "12:00:00")
    assert told(cli(*NIGHTLY)) == [3]


def test_the_state_says_whose_it_is(cli: Cli, books: Records) -> None:
    told(cli(*NIGHTLY, "--status", "paid"))
    state = json.loads(Path("state.json").read_text())
    host = state["scope"].pop("host")
    assert host.startswith("http://127.0.0.1:")
    assert state == {
        "version": 1,
        "scope": {"environment": "testing", "business": "demo", "kind": "invoice", "query": '{"status":["PAID"]}'},
        "mark": {
            "floor": "2026-03-01",
            "seen": {"1": "2026-03-01T10:00:00Z", "2": "2026-03-02T10:00:00Z", "3": "2026-03-02T10:00:00Z"},
        },
    }


@pytest.mark.together
@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (("invoice", "list", "--business", "other"), "its business is 'demo', not 'other'"),
        (("contact", "list"), "its list is 'invoice', not 'contact'"),
        (("invoice", "list", "--status", "paid"), "its filter is"),
        (("invoice", "list", "--limit", "3"), "it does not go with --limit"),
    ],
)
def test_a_state_is_refused_for_anything_else(cli: Cli, books: Records, argv: tuple[str, ...], says: str) -> None:
    told(cli(*NIGHTLY))
    asked = len(books.queries)
    outcome = cli(*argv, "--since", "state.json")
    assert (outcome.code, outcome.out, len(books.queries)) == (2, "", asked)
    assert says in outcome.err


@pytest.mark.together
@pytest.mark.parametrize("content", ["", "{}", "[1]", '{"version": 2}', "\x00"])
def test_a_file_that_is_no_state_is_left_alone(cli: Cli, books: Records, content: str) -> None:
    Path("state.json").write_text(content)
    outcome = cli(*NIGHTLY)
    assert (outcome.code, outcome.out, books.queries) == (2, "", [])
    assert Path("state.json").read_text() == content


def test_a_state_of_a_clock_that_was_ahead_is_refused(cli: Cli, books: Records) -> None:
    told(cli(*NIGHTLY))
    state, asked = json.loads(Path("state.json").read_text()), len(books.queries)
    state["mark"]["floor"] = (datetime.now(UTC).date() + timedelta(days=2)).isoformat()
    Path("state.json").write_text(json.dumps(state))
    outcome = cli(*NIGHTLY)
    assert (outcome.code, outcome.out, len(books.queries)) == (2, "", asked)
    assert "set the clock right" in outcome.err


def test_a_state_of_today_is_taken(cli: Cli, books: Records) -> None:
    """It is, when the clock has gone on to tomorrow and was set back."""
    told(cli(*NIGHTLY))
    state = json.loads(Path("state.json").read_text())
    state["mark"]["floor"] = datetime.now(UTC).date().isoformat()
    Path("state.json").write_text(json.dumps(state))
    assert told(cli(*NIGHTLY)) == []
    books.times[4] = f"{state['mark']['floor']}T23:59:59Z"
    assert told(cli(*NIGHTLY)) == [4]


@pytest.mark.parametrize("version", [0, 2])
def test_a_state_of_another_version_is_refused(cli: Cli, books: Records, version: int) -> None:
    told(cli(*NIGHTLY))
    asked = len(books.queries)
    state = json.dumps({**json.loads(Path("state.json").read_text()), "version": version})
    Path("state.json").write_text(state)
    outcome = cli(*NIGHTLY)
    assert (outcome.code, outcome.out, len(books.queries)) == (2, "", asked)
    assert "written by another version" in outcome.err
    assert Path("state.json").read_text() == state


def test_rows_and_state_are_two_files(cli: Cli, books: Records) -> None:
    outcome = cli(*NIGHTLY, "--output-file", "../work/state.json")
    assert (outcome.code, books.queries, Path("state.json").exists()) == (2, [], False)
    assert "one would destroy the other" in outcome.err


def test_a_folder_that_is_not_there_is_said_at_once(cli: Cli, books: Records) -> None:
    outcome = cli("invoice", "list", "--since", "nowhere/state.json")
    assert (outcome.code, books.queries) == (2, [])


@pytest.mark.parametrize("is_first", [True, False])
def test_two_runs_at_once_do_not_both_count(cli: Cli, books: Records, *, is_first: bool) -> None:
    told(cli(*NIGHTLY))
    books.times[4] = "2026-03-05T00:00:00Z"
    state = Path("state.json")
    content = state.read_text()
    if is_first:
        state.unlink()

    def meddle(number: int) -> None:
        state.write_text(f"{content} ")

    books.before_page = meddle
    outcome = cli(*NIGHTLY, "--output-file", "new.jsonl")
    assert (outcome.code, Path("new.jsonl").exists()) == (10, False)
    assert "do not run two at once" in outcome.err


def test_a_run_beside_another_is_refused_at_once(cli: Cli, books: Records) -> None:
    with claimed(Path("state.json")) as is_ours:
        assert is_ours
        outcome = cli(*NIGHTLY)
    assert (outcome.code, outcome.out, books.queries) == (2, "", [])
    assert json.loads(outcome.err)["error"]["message"].endswith("state.json: another export is using it")
    assert told(cli(*NIGHTLY)) == [3, 2, 1]


def test_a_state_that_cannot_be_written_repeats_and_says_so(
    cli: Cli, books: Records, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, content: bytes) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(states, "write_beside", full)
        outcome = cli(*NIGHTLY, "--output-file", "new.jsonl")
    assert outcome.code == 1
    assert "the next run tells them again" in outcome.err
    assert len(Path("new.jsonl").read_text().splitlines()) == 3
    assert told(cli(*NIGHTLY)) == [3, 2, 1]


@pytest.mark.parametrize(
    ("group", "days"), [("contact", {None}), ("document", {None}), ("purchase", {None, "2026-03-01", "2026-03-04"})]
)
def test_other_lists_tell_their_changes_too(cli: Cli, books: Records, group: str, days: set[str | None]) -> None:
    argv = (group, *NIGHTLY[1:])
    assert told(cli(*argv)) == [3, 2, 1]
    books.times |= {1: "2026-03-05T00:00:00Z"}
    assert told(cli(*argv)) == [1]
    assert told(cli(*argv)) == []
    assert {query.get("updated_at_gte") for query in books.queries} == days
    # state files of earlier versions know the list by this
    assert json.loads(Path("state.json").read_text())["scope"]["kind"] == group


def test_books_of_another_folder_or_database_are_other_books(tmp_path: Path) -> None:
    place = company(tmp_path)
    argv = ("contact", "list", "--since", "state.json")
    place.run("contact", "create", "--name", "Meyer")
    place.run(*argv)
    state = json.loads((tmp_path / "state.json").read_text())
    assert state["scope"]["host"] == place.environ["ACCTCLI_DATA_DIR"]
    for variables in (
        {"ACCTCLI_DATA_DIR": str(tmp_path / "copy")},
        {"ACCTCLI_DATABASE_URL": f"sqlite:///{tmp_path / 'other.sqlite3'}"},
    ):
        done = place.try_run(*argv, **variables)
        assert (done.code, done.out) == (2, "")
        assert f"its place is '{place.environ['ACCTCLI_DATA_DIR']}', not " in done.err


def test_a_state_keeps_no_password(home: Path) -> None:
    url = "postgresql+psycopg://anna:sesame@db.example:5433/books?password=sesame"
    environ = {"ACCTCLI_CONFIG_DIR": str(home), "ACCTCLI_DATABASE_URL": url}
    here = State(Options(env="local", business="demo"), environ)
    assert states.scope_of(here, "invoice", {}).host == "postgresql+psycopg://db.example:5433/books"


def test_the_disk_has_the_rows_before_the_state(cli: Cli, books: Records, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    monkeypatch.setattr(sink, "settle", lambda path: order.append(path.read_text().splitlines()[0]))
    monkeypatch.setattr(states.StateFile, "prepare", lambda state, mark: order.append("the next state"))
    monkeypatch.setattr(states.StateFile, "confirm", lambda state: order.append(state.path.name))
    succeed(cli(*NIGHTLY, "--output-file", "new.jsonl"))
    assert order == ['{"id":3,"updated_at":"2026-03-02T10:00:00Z"}', "the next state", "state.json"]


def test_a_later_day_of_one_s_own_stays(cli: Cli, books: Records) -> None:
    argv = (*NIGHTLY, "--updated-from", "2026-03-02")
    assert told(cli(*argv)) == [3, 2]
    assert told(cli(*argv)) == []
    assert [query["updated_at_gte"] for query in books.queries] == ["2026-03-02", "2026-03-02"]


@pytest.mark.parametrize("time", ["yesterday", None])
def test_a_record_without_a_time_is_no_record(cli: Cli, books: Records, time: Any) -> None:
    books.times[3] = time or ""
    outcome = cli(*NIGHTLY)
    assert (outcome.code, Path("state.json").exists()) == (9, False)


def test_a_kill_leaves_the_state_and_no_half_file(tmp_path: Path) -> None:
    books = Records(*["2026-03-01T10:00:00Z"] * 5)
    stalled = Event()
    argv = (
        "invoice",
        "list",
        "--since",
        str(tmp_path / "state.json"),
        "--page-size",
        "2",
        "--columns",
        "id,updated_at",
    )
    out = ("--output", "csv", "--output-file", str(tmp_path / "out.csv"))

    def stall(number: int) -> Answer | None:
        if number < 3:
            return None
        stalled.set()
        return Answer(stall=True)

    with recorder(books) as server:
        variables = environ(tmp_path, server.base_url)
        assert run_process((*argv, *out), variables).returncode == 0
        state = (tmp_path / "state.json").read_bytes()
        before = (tmp_path / "out.csv").read_bytes()
        books.times |= {2: "2026-03-02T10:00:00Z", 6: "2026-03-02T10:00:00Z"}
        books.before_page = stall
        with subprocess.Popen([*ACCTCLI, *argv, *out], env=variables) as running:
            assert stalled.wait(30)
            running.send_signal(signal.SIGKILL)
        assert (tmp_path / "state.json").read_bytes() == state
        assert (tmp_path / "out.csv").read_bytes() == before
        books.before_page = lambda number: None
        assert run_process((*argv, *out), variables).returncode == 0
        lines = (tmp_path / "out.csv").read_text().splitlines()
        assert run_process((*argv, *out), variables).returncode == 0
    assert lines == ["id,updated_at", "6,2026-03-02T10:00:00Z", "2,2026-03-02T10:00:00Z"]
    assert (tmp_path / "out.csv").read_text() == "id,updated_at\n"


# what is done at the moment when the state moves on, and what the process does afterwards
AT_THE_MOMENT = """
import os, signal, sys
moved = []
def hear(event, arguments):
    if event == "os.rename" and str(arguments[1]).endswith("state.json"):
        moved.append(event)
        if {number}:
            os.kill(os.getpid(), {number})
    elif moved and not event.startswith("object."):
        os.write(2, event.encode() + b"\\n")
sys.addaudithook(hear)
"""


@pytest.mark.parametrize("number", [0, signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_only_a_run_that_ends_well_moves_the_state_on_and_as_its_last_act(tmp_path: Path, number: int) -> None:
    (tmp_path / "sitecustomize.py").write_text(AT_THE_MOMENT.format(number=int(number)))
    argv = ("invoice", "list", "--since", str(tmp_path / "state.json"), "-o", "jsonl", "--columns", "id", "--quiet")
    with recorder(Records("2026-03-01T10:00:00Z", "2026-03-01T10:00:00Z")) as server:
        variables = environ(tmp_path, server.base_url)
        watched = run_process(argv, {**variables, "PYTHONPATH": str(tmp_path)})
        after = run_process(argv, variables)
    assert watched.stdout == b'{"id":2}\n{"id":1}\n'
    assert watched.stderr.split() == ([b"os.kill"] if number else [])
    assert (watched.returncode, after.stdout) in {(0, b""), (-signal.SIGKILL, watched.stdout)}
    assert (watched.returncode == 0) == (number != signal.SIGKILL)
    assert sorted(path.name for path in tmp_path.glob("*state*")) == ["state.json", "state.json.lock"]
    assert list(tmp_path.glob(".acctcli-*")) == []  # the run after it clears away what the kill left
