"""`workflow run start|watch|cancel`: begun, looked at until they are over, and ended before."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.company import company
from tests.cli.conftest import At, Cli
from tests.cli.processes import environ
from tests.cli.recorder import Answer, Sent, recorder, said
from tests.cli.test_terminal import on_terminal
from tests.graphs import FLAG, LOG, MANUAL, edge, graph, node, uuid
from tests.journeys.places import Place, served

MOMENT = "2026-04-02T10:00:00.000000Z"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return company(tmp_path_factory.mktemp("runs"))


def by_hand(place: Place, *kinds: dict[str, Any]) -> str:
    """Make an enabled workflow of a manual trigger and nodes in a row; return its id."""
    nodes = [node(uuid(number), kind) for number, kind in enumerate((MANUAL, *kinds), 1)]
    edges = [edge(number, number, number + 1) for number in range(1, len(nodes))]
    file = place.write("by-hand.json", graph(nodes, edges))
    return str(place.json("workflow", "create", "--name", "x", "--graph", file, "--enabled")["id"])


def test_a_run_is_begun_and_waited_for(place: Place) -> None:
    workflow = by_hand(place, LOG)
    run = place.json("workflow", "run", "start", workflow, "--wait")
    assert (run["status"], run["last_error"]) == ("completed", None)
    assert {name: one["status"] for name, one in run["node_runs"].items()} == dict.fromkeys(
        run["node_runs"], "completed"
    )
    assert place.json("workflow", "run", "list", workflow)[0]["status"] == "completed"


def test_a_run_that_fails_is_exit_10_with_its_error(place: Place) -> None:
    workflow = by_hand(place, FLAG)
    done = place.try_run("workflow", "run", "start", workflow, "--wait", "--json")
    assert done.code == 10
    assert json.loads(done.out)["status"] == "failed"
    error = json.loads(done.err)["error"]
    assert error["message"] == f"the run {json.loads(done.out)['id']} is failed: A run by hand has no document."


def test_without_waiting_it_is_left_to_others(place: Place) -> None:
    workflow = by_hand(place, LOG)
    began = place.try_run("workflow", "run", "start", workflow, "--json")
    assert (began.code, json.loads(began.out)["status"]) == (0, "pending")
    assert "local tick" in began.err
    ticked = place.run("local", "tick")
    run = json.loads(began.out)["id"]
    assert f"run {run} of workflow {workflow} in company is completed" in ticked.err
    assert place.json("workflow", "run", "get", workflow, str(run))["status"] == "completed"


def test_a_rehearsed_tick_advances_nothing(place: Place) -> None:
    workflow = by_hand(place, LOG)
    run = str(place.json("workflow", "run", "start", workflow)["id"])
    place.run("local", "tick", "--dry-run")
    assert place.json("workflow", "run", "get", workflow, run)["status"] == "pending"
    place.run("local", "tick")


def test_an_event_is_taken_up_by_the_next_tick(place: Place) -> None:
    kinds = ({"type": "trigger.event", "data": {"event_types": ["document.created"]}}, FLAG)
    nodes = [node(uuid(number), kind) for number, kind in enumerate(kinds, 1)]
    file = place.write("flag.json", graph(nodes, [edge(0, 1, 2)]))
    workflow = str(place.json("workflow", "create", "--name", "Flag", "--graph", file, "--enabled")["id"])
    options = ("--date", "2026-03-02", "--debit", "1910", "--credit", "3000:10")
    document = place.json("document", "create", *options)
    place.run("local", "tick")
    assert place.json("document", "get", str(document["id"]))["is_flagged"] is True
    assert [one["status"] for one in place.json("workflow", "run", "list", workflow)] == ["completed"]
    place.run("workflow", "disable", workflow)


def test_watching_tells_of_each_change_and_advances_what_nobody_serves(place: Place) -> None:
    workflow = by_hand(place, LOG)
    run = str(place.json("workflow", "run", "start", workflow)["id"])
    done = place.run("workflow", "run", "watch", workflow, run)
    moment = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"
    assert [bool(re.fullmatch(f"{moment}  (00000001|00000002)  [a-z.]+  completed", one)) for one in done.lines()] == [
        True, True, False,
    ]  # fmt: skip
    assert done.lines()[-1] == "-  run  run  completed"
    again = place.run("workflow", "run", "watch", workflow, run, "--json")
    lines = [json.loads(line) for line in again.lines()]
    assert [(one["node"], one["type"], one["status"]) for one in lines] == [
        (uuid(1), "trigger.manual", "completed"),
        (uuid(2), "action.log", "completed"),
        (None, "run", "completed"),
    ]


def test_a_cancelled_run_is_exit_10(place: Place) -> None:
    workflow = by_hand(place, LOG)
    run = str(place.json("workflow", "run", "start", workflow)["id"])
    assert place.json("workflow", "run", "cancel", workflow, run)["status"] == "cancelled"
    done = place.try_run("workflow", "run", "watch", workflow, run)
    assert (done.code, done.lines()[-1]) == (10, "-  run  run  cancelled")
    assert f"the run {run} is cancelled" in done.err


def test_what_is_not_there_is_told(place: Place) -> None:
    workflow = by_hand(place, LOG)
    assert place.try_run("workflow", "run", "watch", workflow, "999").code == 6
    assert place.try_run("workflow", "run", "cancel", workflow, "999").code == 6
    assert place.try_run("workflow", "run", "start", "999").code == 6
    place.run("workflow", "disable", workflow)
    assert place.try_run("workflow", "run", "start", workflow).code == 8


def test_a_rehearsal_sends_nothing(place: Place) -> None:
    workflow = by_hand(place, LOG)
    for words, path in (
        (("start", workflow, "--wait"), f"workflows/{workflow}/action/run/"),
        (("cancel", workflow, "9"), f"workflows/{workflow}/runs/9/action/cancel/"),
    ):
        plan = place.json("workflow", "run", *words, "--dry-run")
        assert (plan["method"], plan["path"], plan["body"]) == ("POST", f"/v1/business/company/{path}", None)
        assert plan["idempotency_key"]
    assert place.json("workflow", "run", "list", workflow) == []


def test_a_served_service_advances_them_itself(place: Place) -> None:
    workflow = by_hand(place, LOG)
    with served(place) as guest:
        guest.environ["ACCTCLI_BUSINESS"] = "company"
        assert guest.json("workflow", "run", "start", workflow, "--wait")["status"] == "completed"


# --- another service ---


def run_of(status: str, nodes: dict[str, str], error: str | None = None) -> dict[str, Any]:
    whole = {
        name: {"status": one, "started_at": MOMENT, "finished_at": None, "output": None, "error": None}
        for name, one in nodes.items()
    }
    return {"id": 9, "status": status, "last_error": error, "node_runs": whole, "react_flow_data": graph()}


@pytest.fixture
def elsewhere() -> list[dict[str, Any]]:
    return [
        run_of("running", {uuid(1): "running", "odd": "pending"}),
        run_of("running", {uuid(1): "completed", "odd": "running"}),
        run_of("failed", {uuid(1): "completed", "odd": "failed"}, "it \x1b[31mbroke"),
    ]


def test_a_run_elsewhere_is_only_read(cli: Cli, at: At, elsewhere: list[dict[str, Any]]) -> None:
    replies = iter(elsewhere)

    def answer(_: Sent) -> Answer:
        return said(next(replies))

    with recorder(answer) as server:
        at(server)
        outcome = cli("workflow", "run", "watch", "7", "9", "--json")
        assert {sent.method for sent in server.sent} == {"GET"}
        assert {sent.path for sent in server.sent} == {"/v1/business/demo/workflows/7/runs/9/"}
    assert outcome.code == 10
    lines = [json.loads(line) for line in outcome.out.splitlines()]
    assert [(one["node"], one["type"], one["status"]) for one in lines] == [
        (uuid(1), "trigger.event", "running"),
        (uuid(1), "trigger.event", "completed"),
        ("odd", "node", "running"),
        ("odd", "node", "failed"),
        (None, "run", "failed"),
    ]
    assert "\x1b" not in outcome.err


def test_a_run_that_takes_too_long_is_left(cli: Cli, at: At, elsewhere: list[dict[str, Any]]) -> None:
    with recorder(said(elsewhere[0])) as server:
        at(server)
        outcome = cli("workflow", "run", "watch", "7", "9", "--wait-seconds", "0.1")
    assert outcome.code == 3
    assert "the run 9 is not over after 0.1 seconds" in outcome.err
    assert "acctcli workflow run watch 7 9" in outcome.err


def test_a_terminal_shows_a_picture_that_nothing_acts_on(tmp_path: Path, elsewhere: list[dict[str, Any]]) -> None:
    replies = iter(elsewhere)

    def answer(_: Sent) -> Answer:
        return said(next(replies))

    with recorder(answer) as server:
        screen = on_terminal(environ(tmp_path, server.base_url), "workflow", "run", "watch", "7", "9")
    assert screen.code == 10
    for words in ("run 9: running", "run 9: failed", "00000001", "trigger.event", "completed"):
        assert words in screen.seen
    assert r"it \x1b[31mbroke" in screen.seen
    assert "\x1b[31m" not in screen.seen


@pytest.mark.parametrize("words", [("start", "7"), ("start", "7", "--wait"), ("cancel", "7", "9")])
def test_runs_elsewhere_are_neither_begun_nor_cancelled(cli: Cli, at: At, words: tuple[str, ...]) -> None:
    with recorder(said({})) as server:
        at(server)
        outcome = cli("workflow", "run", *words)
        assert server.sent == []
    assert outcome.code == 2
    assert "whose interface has no such operation; that of local has" in outcome.err


def test_a_graph_that_is_none_is_shown_all_the_same(cli: Cli, at: At, tmp_path: Path) -> None:
    odd = {"id": 9, "status": "completed", "node_runs": [1], "react_flow_data": {"nodes": [3, {"id": None}]}}
    file = tmp_path / "lines.txt"
    with recorder(said(odd)) as server:
        at(server)
        assert cli("workflow", "run", "watch", "7", "9", "--output-file", str(file)).code == 0
    assert file.read_text() == "-  run  run  completed\n"
