"""`acctcli workflow`: what its options say to the service, and what they refuse before it is asked."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.company import company
from tests.cli.conftest import At, Cli, succeed
from tests.cli.recorder import page, recorder, said
from tests.graphs import edge, graph
from tests.journeys.places import Place

RUN = {
    "id": 9,
    "created_at": "2026-04-02T10:00:00.000000Z",
    "updated_at": "2026-04-02T10:00:02.000000Z",
    "version_number": 3,
    "status": "failed",
    "trigger_node_uuid": None,
    "event_id": 17,
    "started_at": "2026-04-02T10:00:01.000000Z",
    "finished_at": None,
    "last_error": "no answer",
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return company(tmp_path_factory.mktemp("workflow"))


NOTE = "note: that testing takes this request is inferred: nothing that is known of its interface shows it\n"
NAMED = ("--name", "Tag")
INFERRED = [("list",), ("create", *NAMED), ("update", "7", *NAMED), ("replace", "7", *NAMED), ("delete", "7", "--yes")]
KNOWN = [("get", "7"), ("run", "list", "7"), ("run", "get", "7", "9")]


@pytest.mark.together
@pytest.mark.parametrize("argv", [*INFERRED, ("enable", "7"), ("disable", "7"), *KNOWN])
def test_what_is_inferred_of_services_of_others_is_said(cli: Cli, at: At, argv: tuple[str, ...]) -> None:
    workflow = {"id": 9 if "9" in argv else 7, "name": "Tag", "x_rate": 1.5}
    with recorder(page(workflow) if "list" in argv else said(workflow)) as server:
        at(server)
        outcome = succeed(cli("workflow", *argv, "--output", "jsonl"))
    assert outcome.err.count(NOTE) == (argv not in KNOWN)
    assert '"x_rate": 1.5' in outcome.out or argv[0] == "delete"
    if argv[0] != "run":
        assert ("is inferred" in " ".join(cli("workflow", argv[0], "--help").out.split())) == (argv not in KNOWN)


@pytest.mark.parametrize(
    ("verb", "method"), [(("create",), "POST"), (("update", "7"), "PATCH"), (("replace", "7"), "PUT")]
)
def test_every_option_is_a_field(place: Place, verb: tuple[str, ...], method: str) -> None:
    file = place.write("graph.json", graph(foreign=True))
    plan = place.json("workflow", *verb, "--name", "Tag", "--graph", file, "--enabled", "--dry-run")
    record = "7/" if len(verb) > 1 else ""
    assert (plan["method"], plan["path"]) == (method, f"/v1/business/company/workflows/{record}")
    assert plan["body"] == {"name": "Tag", "react_flow_data": graph(foreign=True), "enabled": True}


def test_a_graph_comes_from_stdin_with_its_digits(place: Place) -> None:
    text = '{"edges": [], "nodes": [], "viewport": {"zoom": 1.50}}'
    done = place.try_run("workflow", "create", "--name", "x", "--graph", "-", "--json", stdin=text)
    assert done.code == 0, done.err
    assert '"zoom": 1.50' in done.out
    assert json.loads(done.out)["latest_saved_version_number"] == 1


@pytest.mark.together
@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            json.dumps(graph(edges=[edge(0, 2, 2)])),
            "react_flow_data (--graph): The edges lead in a circle through the node",
        ),
        ("{", "--graph graph.json: not JSON"),
        ("[]", "react_flow_data (--graph): Input should be a valid object"),
        ('{"nodes": [], "nodes": []}', "the field 'nodes' comes twice"),
    ],
)
def test_a_wrong_graph_costs_no_request(cli: Cli, at: At, text: str, says: str) -> None:
    Path("graph.json").write_text(text)
    with recorder(said({})) as server:
        at(server)
        outcome = cli("workflow", "create", "--name", "x", "--graph", "graph.json")
        assert (outcome.code, outcome.out, server.sent) == (2, "", [])
    assert says in outcome.err


def test_a_graph_that_is_not_there_is_named(place: Place) -> None:
    done = place.try_run("workflow", "create", "--name", "x", "--graph", "nowhere.json")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: --graph nowhere.json: No such file")


def test_enabling_what_cannot_run_is_refused_by_the_service(place: Place) -> None:
    number = str(place.json("workflow", "create", "--name", "idle")["id"])
    done = place.try_run("workflow", "update", number, "--enabled")
    assert (done.code, done.out) == (7, "")
    assert done.err.startswith("error: react_flow_data (--graph): An enabled workflow needs a trigger. (400)")


def test_the_table_shows_the_version(place: Place) -> None:
    number = str(place.json("workflow", "create", "--name", "shown")["id"])
    place.run("workflow", "update", number, "--graph", place.write("graph.json", graph()))
    header, _, *rows = place.run("workflow", "list", "--all").lines()
    assert re.split(" {3,}", header) == ["id", "name", "enabled", "version", "updated at"]
    assert [row.split()[:4] for row in rows if "shown" in row] == [[number, "shown", "false", "2"]]


def test_runs_are_shown_as_they_come(cli: Cli, at: At) -> None:
    whole = {**RUN, "node_runs": {"a": {"status": "failed"}}, "react_flow_data": {}}
    with recorder(lambda sent: said(whole) if "/9/" in sent.path else page(RUN)) as server:
        at(server)
        assert succeed(cli("workflow", "run", "list", "7", "--json")).json() == [RUN]
        assert succeed(cli("workflow", "run", "get", "7", "9", "--json")).json() == whole
        paths = [sent.path.partition("?")[0] for sent in server.sent]
        header, _, row = succeed(cli("workflow", "run", "list", "7")).lines()
    assert paths == [f"/v1/business/demo/workflows/7/runs/{record}" for record in ("", "9/")]
    assert re.split(" {3,}", header) == [
        "id", "status", "version number", "event id", "started at", "finished at", "last error",
    ]  # fmt: skip
    assert row.split() == ["9", "failed", "3", "17", RUN["started_at"], "no", "answer"]


def test_deleting_needs_a_yes(place: Place) -> None:
    done = place.try_run("workflow", "delete", "1")
    assert (done.code, done.out) == (2, "")
    assert "Delete workflow 1 with its runs?" in done.err
