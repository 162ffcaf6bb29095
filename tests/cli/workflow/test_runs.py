"""`workflow run start|watch|cancel`: begun, looked at until they are over, and ended before."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from acctcli.service.cases.workflows import starting
from tests.cli.company import company
from tests.cli.conftest import At, Cli
from tests.cli.processes import environ
from tests.cli.recorder import Answer, Sent, recorder, said
from tests.cli.test_terminal import on_terminal
from tests.graphs import FLAG, LOG, MANUAL, edge, graph, node, uuid
from tests.journeys.places import Place, served
from tests.serving import serve

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


def test_what_a_run_is_given_comes_typed_from_a_file_or_from_stdin(place: Place) -> None:
    asks = {"type": "condition", "data": {"path": "sale.amount", "operator": "eq", "value": 120.5}}
    workflow = by_hand(place, asks)
    text = '{"sale": {"amount": 120.50}}'
    place.write("given.json", json.loads(text))
    for words, stdin in (
        (("--input", text), ""),
        (("--input", "@given.json"), ""),
        (("--input", "-"), text),
        (("--set", "input.sale=" + '{"amount": 120.5}'), ""),
        (("--file", "-"), f'{{"input": {text}}}'),
    ):
        done = place.run("workflow", "run", "start", workflow, *words, "--wait", "--json", stdin=stdin)
        nodes = json.loads(done.out)["node_runs"]
        assert nodes[uuid(1)]["output"] == json.loads(text), words
        assert nodes[uuid(2)]["output"] == {"result": True}, words


def test_numbers_beyond_a_float_are_waited_for_and_watched(place: Place) -> None:
    workflow = by_hand(place, LOG)
    done = place.run("workflow", "run", "start", workflow, "--input", '{"amount": 1e400}', "--wait", "--json")
    assert json.loads(done.out, parse_float=str)["status"] == "completed"
    watched = place.run("workflow", "run", "watch", workflow, str(json.loads(done.out)["id"]))
    assert watched.out.splitlines()[-1].split()[-2:] == ["run", "completed"]


def test_a_run_begins_at_the_trigger_that_is_named(place: Place) -> None:
    workflow = by_hand(place, MANUAL, LOG)
    ends = [
        place.json("workflow", "run", "start", workflow, "--trigger", uuid(number), "--wait")["node_runs"]
        for number in (1, 2)
    ]
    said = [[one[uuid(number)]["status"] for number in (1, 2, 3)] for one in ends]
    assert said == [["completed", "skipped", "skipped"], ["skipped", "completed", "completed"]]


@pytest.mark.together
@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("--trigger", "first"), 2, "trigger_node_uuid (--trigger): Must be a UUID: the id of a node."),
        (("--trigger", uuid(9)), 7, f"trigger_node_uuid (--trigger): There is no node {uuid(9)} in this workflow."),
        (("--trigger", uuid(2)), 7, f"trigger_node_uuid (--trigger): The node {uuid(2)} is action.log:"),
        (("--input", "[1]"), 2, "input: Input should be a valid object"),
        (("--input", "120"), 2, "input: Input should be a valid object"),
        (("--input", "{"), 2, "--input: not JSON"),
        (("--input", '{"a": NaN}'), 2, "--input: not JSON: NaN is not a number JSON has"),
        (("--input", "@nowhere.json"), 2, "--input nowhere.json: No such file"),
        (("--input", '{"a": {"b": "\\u0000"}}'), 2, "input: a.b must hold no NUL character."),
        (("--input", '{"a": "\\ud800"}'), 2, "input: a must hold no half of a surrogate pair"),
        (("--input", '{"a": "' + "x" * 2**16 + '"}'), 2, "input: Must have at most 64 KiB as JSON."),
        (("--set", "inptu=1"), 2, "no such field; did you mean input?"),
    ],
    ids=[
        "no-uuid",
        "no-node",
        "no-trigger",
        "array",
        "number",
        "no-json",
        "nan",
        "no-file",
        "nul",
        "half",
        "large",
        "misspelt",
    ],
)
def test_a_run_that_cannot_begin_says_why(place: Place, words: tuple[str, ...], code: int, told: str) -> None:
    workflow = by_hand(place, LOG)
    done = place.try_run("workflow", "run", "start", workflow, *words)
    assert (done.code, done.out) == (code, "")
    assert told in done.err
    assert place.json("workflow", "run", "list", workflow) == []


def test_a_repeated_command_begins_one_run(place: Place) -> None:
    workflow = by_hand(place, LOG)
    words = ("workflow", "run", "start", workflow, "--input", '{"a": 1}', "--idempotency-key", "once")
    assert place.json(*words) == place.json(*words)
    assert len(place.json("workflow", "run", "list", workflow)) == 1
    assert place.try_run(*words[:-4], "--input", '{"a": 2}', *words[-2:]).code == 7


# --- what runs send ---


@pytest.mark.parametrize("by", ["start", "watch"])
def test_this_machine_is_reached_where_that_is_allowed(place: Place, by: str) -> None:
    with recorder(Answer(204)) as server:
        hook = {"url": f"{server.base_url}/hook", "method": "POST", "body": {"a": 1}}
        workflow = by_hand(place, {"type": "action.http_request", "data": hook})

        def run(*more: str) -> Any:
            if by == "start":
                return place.try_run("workflow", "run", "start", workflow, "--wait", *more)
            begun = str(place.json("workflow", "run", "start", workflow)["id"])
            return place.try_run("workflow", "run", "watch", workflow, begun, *more)

        refused = run()
        assert refused.code == 10
        assert "leads to this machine, a private network" in refused.err
        assert server.sent == []
        assert run("--allow-private-targets").code == 0
        (sent,) = server.sent
    assert (sent.method, sent.path) == ("POST", "/hook")


def test_a_run_that_calls_the_service_itself_is_nobody_there(place: Place) -> None:
    token = place.run("local", "token", "--name", "loop").out.strip()
    # the service may be first to advance what the command has begun
    with serve(place.environ, "--allow-private-targets", folder=place.folder) as url:
        host, tags = url.removeprefix("http://"), "v1/business/company/tags/"
        said = []
        for place_to_call in (f"{url}/{tags}", f"{url}/{tags}?token={token}"):
            hook = {"url": place_to_call, "method": "POST", "body": {"name": "loop", "token": token}}
            workflow = by_hand(place, {"type": "action.http_request", "data": hook})
            done = place.try_run("workflow", "run", "start", workflow, "--wait", "--allow-private-targets", "--json")
            said.append((done.code, json.loads(done.out)["last_error"]))
            place.run("workflow", "delete", workflow, "--yes")
    assert said == [(10, "The answer was 401."), (10, "The answer was 401.")]
    signed_in = {"url": f"http://user:{token}@{host}/{tags}", "method": "POST"}
    file = place.write("signed-in.json", graph([node(uuid(1), {"type": "action.http_request", "data": signed_in})], []))
    refused = place.try_run("workflow", "create", "--name", "x", "--graph", file)
    assert (refused.code, refused.out) == (2, "")
    assert "must hold no user and no password" in refused.err
    assert token not in refused.err
    assert "loop" not in [one["name"] for one in place.json("tag", "list", "--all")]


def test_who_does_not_advance_a_run_does_not_say_where_it_sends(place: Place, cli: Cli, at: At) -> None:
    workflow = by_hand(place, LOG)
    left = place.try_run("workflow", "run", "start", workflow, "--allow-private-targets")
    assert (left.code, "goes with --wait" in left.err) == (2, True)
    assert place.json("workflow", "run", "list", workflow) == []
    with recorder(said({})) as server:
        at(server)
        elsewhere = cli("workflow", "run", "watch", "7", "9", "--allow-private-targets")
        assert server.sent == []
    assert elsewhere.code == 2
    assert "acctcli local serve" in elsewhere.err


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
    run = json.loads(began.out)["id"]
    assert place.json("local", "tick", "--dry-run") == [ticked(workflow, run, "due")]
    assert place.json("local", "tick") == [ticked(workflow, run, "completed")]
    assert place.json("workflow", "run", "get", workflow, str(run))["status"] == "completed"


def ticked(workflow: str, run: int | None, action: str, problem: str | None = None) -> dict[str, Any]:
    """Return what `local tick` tells of a run."""
    invoice = dict.fromkeys(("date", "template", "invoice_number"))
    return {
        "business": "company",
        **invoice,
        "workflow": int(workflow),
        "run": run,
        "action": action,
        "problem": problem,
    }


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
    for _ in range(2):  # nothing is kept of the first one
        assert place.json("local", "tick", "--dry-run") == [ticked(workflow, None, "due")]
    place.run("local", "tick")
    assert place.json("document", "get", str(document["id"]))["is_flagged"] is True
    assert [one["status"] for one in place.json("workflow", "run", "list", workflow)] == ["completed"]
    place.run("workflow", "disable", workflow)


def test_a_tick_names_the_workflow_that_began_too_many_runs(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starting, "MOST_RUNS", 2)
    kinds = ({"type": "trigger.event", "data": {"event_types": ["tag.created"]}}, LOG)
    nodes = [node(uuid(number), kind) for number, kind in enumerate(kinds, 1)]
    file = place.write("tags.json", graph(nodes, [edge(0, 1, 2)]))
    workflow = str(place.json("workflow", "create", "--name", "Tags", "--graph", file, "--enabled")["id"])
    for number in range(3):
        place.run("tag", "create", "--name", f"held {number}")
    for _ in range(2):
        said = place.run("local", "tick").err
        assert f"workflow {workflow} in company began too many runs: what else it is to do waits until 2" in said
        assert len(place.json("workflow", "run", "list", workflow)) == 2
    place.run("workflow", "disable", workflow)
    assert "too many" not in place.run("local", "tick").err


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
    given = ("--trigger", uuid(1), "--input", '{"amount": 1.50}')
    for words, path, body in (
        (("start", workflow, "--wait"), f"workflows/{workflow}/runs/", {}),
        (
            ("start", workflow, *given),
            f"workflows/{workflow}/runs/",
            {"trigger_node_uuid": uuid(1), "input": {"amount": 1.5}},
        ),
        (("cancel", workflow, "9"), f"workflows/{workflow}/runs/9/action/cancel/", None),
    ):
        plan = place.json("workflow", "run", *words, "--dry-run")
        assert (plan["method"], plan["path"], plan["body"]) == ("POST", f"/v1/business/company/{path}", body)
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
    assert "the run 9 is not over after 0.1 s" in outcome.err
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


@pytest.mark.together
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
