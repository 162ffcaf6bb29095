"""Workflows and their runs over HTTP, on both databases (docs/interface.md 11.3)."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import func, insert, select

from acctcli.models.workflow import Workflow, WorkflowRun, WorkflowRunListItem
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.schema.business import workflow_run, workflow_version
from tests.graphs import LOG, MANUAL, TAG, edge, graph, node, uuid
from tests.replies import check_reply
from tests.service.actor import World
from tests.service.routes.books import Books
from tests.sql import execute

HALF = "hold no half of a surrogate pair, which is no character."
EMPTY: dict[str, Any] = {"nodes": [], "edges": []}
Events = Callable[[Books], list[tuple[str, Any]]]


def own(events: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    return [event for event in events if event[0].startswith("workflow.")]


def made(workflow: dict[str, Any]) -> dict[str, Any]:
    """What of a reply nobody asked for."""
    return {name: workflow[name] for name in ("id", "created_at", "updated_at")}


def tagging(*ids: object) -> dict[str, Any]:
    """A graph whose second node puts tags on."""
    return graph([node(uuid(1), MANUAL), node(uuid(2), {**TAG, "data": {"tag_ids": [*ids]}})], [edge(0, 1, 2)])


# --- definitions ---


def test_a_workflow_has_every_field(books: Books) -> None:
    whole = graph(foreign={"deep": [None, 1.5, "ä"]})
    created = books.create("workflows/", {"name": "Tag sales", "react_flow_data": whole, "enabled": True})
    assert list(created) == list(Workflow.__annotations__)
    assert created == {
        **made(created),
        "name": "Tag sales",
        "react_flow_data": json.loads(json.dumps(whole), parse_float=Decimal),
        "enabled": True,
        "latest_saved_version_number": 1,
    }
    check_reply(Workflow, created)
    assert books.get(f"workflows/{created['id']}/").body == created
    assert books.get("workflows/").body["results"] == [created]


def test_only_the_name_is_required(books: Books) -> None:
    created = books.create("workflows/", {"name": "x"})
    assert created == {
        **made(created),
        "name": "x",
        "react_flow_data": EMPTY,
        "enabled": False,
        "latest_saved_version_number": 1,
    }


@pytest.mark.everywhere
def test_a_graph_keeps_its_digits_and_the_order_of_its_keys(books: Books) -> None:
    text = '{"z":1.50,"edges":[],"nodes":[],"a":12345678901234567.89,"viewport":{"y":0,"x":-0.250}}'
    reply = books.send("POST", "workflows/", {"name": "x", "react_flow_data": json.loads(text, parse_float=Decimal)})
    assert f'"react_flow_data":{text},'.encode() in reply.raw
    assert text.encode() in books.get(f"workflows/{reply.body['id']}/").raw


@pytest.mark.together
@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": None}, "name"),
        ({"name": "x" * 129}, "name"),
        ({"enabled": "perhaps"}, "enabled"),
        ({"enabled": None}, "enabled"),
        ({"react_flow_data": None}, "react_flow_data"),
        ({"react_flow_data": []}, "react_flow_data"),
        ({"react_flow_data": graph(edges=[edge(0, 2, 2)])}, "react_flow_data"),
        ({"enabled": True}, "react_flow_data"),
        ({"react_flow_data": graph([node(uuid(1), LOG)], []), "enabled": True}, "react_flow_data"),
    ],
)
def test_a_wrong_workflow_is_refused(books: Books, change: dict[str, Any], field: str) -> None:
    reply = books.send("POST", "workflows/", {"name": "x", **change})
    assert (reply.status, reply.faults) == (400, [field])
    assert books.get("workflows/").body["count"] == 0


@pytest.mark.together
@pytest.mark.parametrize(
    ("body", "field", "said"),
    [
        ({"react_flow_data": {"viewport": {"x": "\0"}}}, "react_flow_data", "viewport.x must hold no NUL character."),
        ({"react_flow_data": {"viewport": {"\ud800": 1}}}, "react_flow_data", f"A name in viewport must {HALF}"),
        ({"name": "x\udc00"}, "name", f"Must {HALF}"),
        ({"name": "\ud83d\ude00", "react_flow_data": {"a": ["\udfff"]}}, "react_flow_data", f"a.0 must {HALF}"),
    ],
    ids=["nul", "half-a-name", "half-a-text", "beside-a-whole-pair"],
)
def test_what_is_no_text_is_400_on_its_field(books: Books, body: dict[str, Any], field: str, said: str) -> None:
    reply = books.actor.send("POST", f"{books.path}workflows/", {"name": "x", **body})
    assert (reply.status, reply.faults, reply.body[field]) == (400, [field], [said])


def test_what_is_no_json_names_no_field(books: Books) -> None:
    kind = {"Content-Type": "application/json"}
    for content in (b'{"name": "\\ud800"', b'["\\ud800"]', b'{"\\ud800": 1}', b'{"name": "\\ud800\\q"}'):
        reply = books.actor.send("POST", f"{books.path}workflows/", headers=kind, content=content)
        assert (reply.status, reply.faults) == (400, ["non_field_errors"]), content


def test_a_fault_is_told_in_a_sentence(books: Books) -> None:
    reply = books.send("POST", "workflows/", {"name": "x", "react_flow_data": {"nodes": [{"id": "a"}]}})
    text = 'The id of a node must be a UUID, not "a".'
    assert reply.body == {
        "react_flow_data": [text],
        "code": "validation_error",
        "detail": f"react_flow_data: {text}",
    }


@pytest.mark.everywhere
def test_a_version_is_counted_for_each_change_of_the_graph(books: Books) -> None:
    path = f"workflows/{books.create('workflows/', {'name': 'x', 'react_flow_data': graph()})['id']}/"

    def version(**fields: object) -> int:
        return int(books.change(path, **fields)["latest_saved_version_number"])

    assert version(name="y") == 1
    assert version(enabled=True) == 1
    assert version(react_flow_data=graph()) == 1
    assert version(react_flow_data=dict(reversed(graph().items()))) == 1
    assert version(react_flow_data=graph(viewport={"x": 1})) == 2
    assert version(react_flow_data=graph(viewport={"x": True})) == 3
    assert version(react_flow_data=graph()) == 4


def test_patch_keeps_and_put_resets_what_is_not_sent(books: Books) -> None:
    created = books.create("workflows/", {"name": "x", "react_flow_data": graph(), "enabled": True})
    path = f"workflows/{created['id']}/"
    changed = books.change(path, name="y", latest_saved_version_number=9, id=1)
    assert changed == {**created, "name": "y"}
    replaced = books.send("PUT", path, {"name": "z"}).body
    assert replaced == {
        **created,
        "name": "z",
        "enabled": False,
        "react_flow_data": EMPTY,
        "latest_saved_version_number": 2,
    }
    assert books.get(path).body == replaced
    refused = books.send("PUT", path, {"enabled": False})
    assert (refused.status, refused.faults) == (400, ["name"])


def test_what_cannot_run_is_not_enabled(books: Books) -> None:
    sketch = graph([node(uuid(1), LOG)], [])
    created = books.create("workflows/", {"name": "x", "react_flow_data": sketch})
    path = f"workflows/{created['id']}/"
    reply = books.send("PATCH", path, {"enabled": True})
    assert (reply.status, reply.body["react_flow_data"]) == (400, ["An enabled workflow needs a trigger."])
    assert books.get(path).body == created
    assert books.change(path, enabled=True, react_flow_data=graph())["enabled"] is True
    reply = books.send("PATCH", path, {"react_flow_data": sketch})
    assert (reply.status, reply.faults) == (400, ["react_flow_data"])
    assert books.change(path, enabled=False, react_flow_data=sketch)["enabled"] is False


def test_tags_of_others_are_refused(books: Books, other_books: Books) -> None:
    mine, foreign = books.tag("mine"), other_books.tag("theirs")
    for ids in ([foreign], [mine, foreign], [mine, 2**63 - 1]):
        reply = books.send("POST", "workflows/", {"name": "x", "react_flow_data": tagging(*ids)})
        assert (reply.status, reply.body["react_flow_data"]) == (400, [f"Unknown tag id {ids[-1]}."])
    assert books.create("workflows/", {"name": "x", "react_flow_data": tagging(mine), "enabled": True})["enabled"]


@pytest.mark.everywhere
def test_a_tag_that_is_gone_does_not_lock_the_workflow(books: Books) -> None:
    tag = books.tag("gone")
    created = books.create("workflows/", {"name": "x", "react_flow_data": tagging(tag), "enabled": True})
    path = f"workflows/{created['id']}/"
    books.send("DELETE", f"tags/{tag}/")
    assert books.change(path, name="y")["name"] == "y"
    assert books.change(path) == {**created, "name": "y"}
    refused = books.send("PATCH", path, {"enabled": True})
    assert (refused.status, refused.body["react_flow_data"]) == (400, [f"Unknown tag id {tag}."])
    assert books.change(path, enabled=False, react_flow_data=EMPTY)["enabled"] is False


@pytest.mark.everywhere
def test_workflows_are_listed_by_id(books: Books) -> None:
    ids = [books.create("workflows/", {"name": name})["id"] for name in ("c", "a", "b")]
    page = books.get("workflows/", page="2", page_size="2").body
    assert (page["count"], page["next"], page["prev"], page["size"]) == (3, None, 1, 2)
    assert [one["id"] for one in page["results"]] == ids[2:]


def test_every_change_leaves_one_event(books: Books, events: Events) -> None:
    created = books.create("workflows/", {"name": "x", "react_flow_data": graph()})
    path = f"workflows/{created['id']}/"
    changed = books.change(path, name="y")
    books.send("PATCH", path, {"name": ""})
    assert books.send("DELETE", path).status == 204
    assert own(events(books)) == [
        ("workflow.created", created),
        ("workflow.updated", changed),
        ("workflow.deleted", {"id": created["id"]}),
    ]
    assert books.get(path).status == 404


def test_workflows_of_another_business_do_not_exist_here(books: Books, other_books: Books) -> None:
    foreign = other_books.create("workflows/", {"name": "x"})
    path = f"workflows/{foreign['id']}/"
    for method, below, body in [
        ("GET", "", None),
        ("PATCH", "", {"name": "y"}),
        ("PUT", "", {"name": "y"}),
        ("DELETE", "", None),
        ("GET", "runs/", None),
        ("GET", "runs/1/", None),
    ]:
        reply = books.send(method, path + below, body)
        assert (reply.status, reply.body["code"]) == (404, "not_found"), method
    assert other_books.get(path).body == foreign
    assert books.get("workflows/").body["count"] == 0


# --- runs ---

FINISHED = {
    "version_number": 1,
    "status": "failed",
    "trigger_node_uuid": uuid(1),
    "event_id": 7,
    "started_at": "2026-04-02T10:00:01.000000Z",
    "finished_at": "2026-04-02T10:00:02.000000Z",
    "last_error": "no answer",
}
WAITING: dict[str, Any] = {**dict.fromkeys(FINISHED), "version_number": 2, "status": "pending"}
MOMENTS = {"created_at": "2026-04-02T10:00:00.000000Z", "updated_at": "2026-04-02T10:00:02.000000Z"}
NODE_RUNS = {uuid(1): {"status": "completed", "started_at": None, "finished_at": None, "output": 1, "error": None}}


@pytest.fixture
def record(shared: World) -> Callable[..., int]:
    """Put a run into the store, as nothing else does yet: `record(books, workflow_id, **columns)` is its id."""

    def put(books: Books, workflow_id: int, **columns: Any) -> int:
        of = {"business_id": books.business_id, "workflow_id": workflow_id}
        version = {**of, "version_number": columns["version_number"], "react_flow_data": json.dumps(graph())}

        def work(conn: Connection) -> int:
            made = execute(conn, insert(workflow_version).returning(workflow_version.c.id), version).scalar_one()
            values = {**of, "version_id": made, "node_runs": json.dumps(NODE_RUNS), **MOMENTS, **columns}
            return int(execute(conn, insert(workflow_run).returning(workflow_run.c.id), values).scalar_one())

        return shared.database.write(work)

    return put


def test_no_run_is_invented(books: Books) -> None:
    workflow = books.create("workflows/", {"name": "x", "react_flow_data": graph(), "enabled": True})
    books.document("2026-04-02", "1.00")
    books.tag("x")
    runs = books.get(f"workflows/{workflow['id']}/runs/").body
    assert runs == {"count": 0, "next": None, "prev": None, "size": 30, "results": []}
    assert books.get(f"workflows/{workflow['id']}/runs/1/").status == 404
    assert books.send("DELETE", f"workflows/{workflow['id']}/runs/1/").status == 405


@pytest.mark.everywhere
def test_runs_are_shown_newest_first_and_one_with_its_graph(books: Books, record: Callable[..., int]) -> None:
    workflow, other = (books.create("workflows/", {"name": name})["id"] for name in ("x", "y"))
    first, second = record(books, workflow, **FINISHED), record(books, workflow, **WAITING)
    record(books, other, **WAITING)
    path = f"workflows/{workflow}/runs/"
    page = books.get(path).body
    assert (page["count"], page["results"]) == (
        2,
        [{"id": second, **MOMENTS, **WAITING}, {"id": first, **MOMENTS, **FINISHED}],
    )
    assert list(page["results"][0]) == list(WorkflowRunListItem.__annotations__)
    check_reply(WorkflowRunListItem, page["results"][1])
    assert books.get(path, page="2", page_size="1").body["results"] == page["results"][1:]
    run = books.get(f"{path}{first}/").body
    others = {uuid(number): {**dict.fromkeys(NODE_RUNS[uuid(1)]), "status": "skipped"} for number in range(2, 7)}
    nodes = {**NODE_RUNS, **others}
    assert run == {"id": first, **MOMENTS, **FINISHED, "node_runs": nodes, "react_flow_data": graph()}
    assert list(run) == list(WorkflowRun.__annotations__)
    assert books.get(f"workflows/{other}/runs/{first}/").status == 404
    assert books.send("DELETE", f"{path}{first}/").status == 405


@pytest.mark.everywhere
def test_runs_go_with_their_workflow_and_business(
    shared: World, books: Books, other_books: Books, record: Callable[..., int]
) -> None:
    def left() -> int:
        ours = workflow_run.c.business_id.in_([books.business_id, other_books.business_id])
        with shared.database.read() as conn:
            return int(execute(conn, select(func.count()).select_from(workflow_run).where(ours)).scalar_one())

    first, second = books.create("workflows/", {"name": "x"}), other_books.create("workflows/", {"name": "y"})
    record(books, first["id"], **FINISHED)
    foreign = record(other_books, second["id"], **FINISHED)
    assert books.get(f"workflows/{first['id']}/runs/{foreign}/").status == 404
    assert left() == 2
    books.send("DELETE", f"workflows/{first['id']}/")
    assert left() == 1
    assert other_books.send("DELETE", "").status == 204
    assert left() == 0
