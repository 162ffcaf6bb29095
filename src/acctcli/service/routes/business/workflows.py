"""Workflows: `/v1/business/{business_slug}/workflows/`, their definitions and their runs (docs/interface.md 11.3).

Definitions are kept, runs are shown, begun by hand and cancelled. What advances them is no request
(`cases/workflows/running.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any

from msgspec import Raw
from msgspec.json import Encoder

from acctcli.models.graph import find_gap, tag_ids
from acctcli.service.cases.records import Columns, Records
from acctcli.service.cases.work import Work, found
from acctcli.service.cases.workflows import starting
from acctcli.service.cases.workflows.starting import decode, encode, nodes_of_run, show_run
from acctcli.service.problems import Invalid
from acctcli.service.routes.call import Call
from acctcli.service.routes.operation import INTEGRATIONS, ONE_BUSINESS, Area
from acctcli.service.routes.query import Page
from acctcli.service.store import workflows
from acctcli.service.store.reports import ground

if TYPE_CHECKING:
    from acctcli.models.workflow import RunRequest, Workflow, WorkflowRequest, WorkflowRun, WorkflowRunListItem

_encode_sorted = Encoder(decimal_format="number", order="sorted").encode


def _columns(work: Work, sent: dict[str, Any], row: Columns) -> dict[str, Any]:
    """Return the columns of what was sent; the graph of a new workflow is version 1, another graph the next one."""
    before = {**row, "react_flow_data": decode(row["react_flow_data"])} if row else {}
    after = before | sent
    _check(work, after, sent.keys())
    columns: dict[str, Any] = {} if row else {"version_number": 1}
    if "react_flow_data" in sent:
        graph = sent["react_flow_data"]
        columns["react_flow_data"] = encode(graph).decode()
        if row and _encode_sorted(before["react_flow_data"]) != _encode_sorted(graph):
            columns["version_number"] = row["version_number"] + 1
    is_other_graph = "version_number" in columns
    return {**sent, **columns, **starting.standing(work, before, after, is_other_graph=is_other_graph)}


def _check(work: Work, content: Mapping[str, Any], changed: AbstractSet[str]) -> None:
    """Refuse a graph that names tags of others, and one that is to run and cannot; a name changes neither."""
    if changed <= {"name"}:
        return
    graph = content["react_flow_data"]
    ids = tag_ids(graph)
    unknown = set(ids) - ground.known_tags(work.conn, work.business.id, ids)
    if unknown:
        raise Invalid.field("react_flow_data", f"Unknown tag id {min(unknown)}.")
    if content["enabled"] and (gap := find_gap(graph)):
        raise Invalid.field("react_flow_data", gap)


def _shown(row: Columns) -> Workflow:
    return {
        "id": row["id"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "name": row["name"],
        "react_flow_data": Raw(row["react_flow_data"].encode()),
        "enabled": row["enabled"],
        "latest_saved_version_number": row["version_number"],
    }


def change_workflow(work: Call, workflow_id: int, body: WorkflowRequest, names: Iterable[str]) -> Workflow:
    """Change a workflow; one that is not enabled any more has no runs under way."""
    shown = WORKFLOWS.change(work, workflow_id, body, names)
    if not shown["enabled"]:
        workflows.cancel_open(work.conn, work.business.id, workflow_id, work.stamp)
    return shown


def list_workflow_runs(call: Call) -> Page[WorkflowRunListItem]:
    """List the runs of a workflow, the newest first."""
    workflow_id, page = WORKFLOWS.find(call, call.ids["workflow_id"])["id"], call.page
    of = {"workflow_id": workflow_id, "limit": page.size, "offset": page.offset}
    total, rows = workflows.list_runs(call.conn, call.business.id, **of)
    return Page(total, [show_run(row) for row in rows])


def get_workflow_run(work: Work, workflow_id: int, run_id: int) -> WorkflowRun:
    """Show a run with what each node did and the graph that ran."""
    return _whole_run(
        found(workflows.get_run(work.conn, work.business.id, workflow_id, run_id), "run of this workflow")
    )


def start_workflow_run(work: Work, workflow_id: int, body: RunRequest) -> WorkflowRun:
    """Begin a run by hand; who advances runs does the rest."""
    return _whole_run(starting.start_run(work, workflow_id, body.trigger_node_uuid, body.input))


def cancel_workflow_run(work: Work, workflow_id: int, run_id: int) -> WorkflowRun:
    """Cancel a run; one that is over stays as it is."""
    return _whole_run(starting.cancel_run(work, workflow_id, run_id))


def _whole_run(row: Columns) -> WorkflowRun:
    graph: str = row["react_flow_data"]
    nodes = Raw(encode(nodes_of_run(row, decode(graph))))
    return {**show_run(row), "node_runs": nodes, "react_flow_data": Raw(graph.encode())}


WORKFLOWS: Records[Call, Workflow] = Records("workflow", workflows.ROWS, _columns, _shown)
AREA = Area(
    "workflow",
    f"{ONE_BUSINESS}workflows/",
    "workflow",
    read=INTEGRATIONS,
    write=INTEGRATIONS,
    request="workflow:WorkflowRequest",
    response="workflow:Workflow",
)
AREA.plain(WORKFLOWS, change=change_workflow)
AREA.page(
    f"{AREA.one}runs/",
    list_workflow_runs,
    "List the runs of a workflow.",
    response="workflow:WorkflowRunListItem",
)
AREA.act(
    "runs/",
    start_workflow_run,
    "Begin a run of a workflow by hand.",
    request="workflow:RunRequest",
    response="workflow:WorkflowRun",
    status=201,
    local=True,
)
AREA.look("runs/{run_id}/", get_workflow_run, "Show a run of a workflow.", response="workflow:WorkflowRun")
AREA.act(
    "runs/{run_id}/action/cancel/",
    cancel_workflow_run,
    "Cancel a run of a workflow.",
    response="workflow:WorkflowRun",
    local=True,
)
