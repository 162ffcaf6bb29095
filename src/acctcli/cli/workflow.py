"""Workflows: what is to happen when, and what did."""

from __future__ import annotations

from typing import Any

from acctcli.cli.command.classes import new_group
from acctcli.cli.command.options import field, flag
from acctcli.cli.command.plain import Resource

COLUMNS = ("id", "name", "enabled", "latest_saved_version_number", "updated_at")
DETAILS = (*COLUMNS, "created_at", "react_flow_data")
RUN_COLUMNS = ("id", "status", "version_number", "event_id", "started_at", "finished_at", "last_error")
RUN_DETAILS = (*RUN_COLUMNS, "trigger_node_uuid", "created_at", "updated_at", "node_runs", "react_flow_data")


def _read_graph(source: object) -> Any:
    from acctcli.cli.command.body import parse_json, read_text

    return parse_json(read_text(str(source), "--graph"), f"--graph {source}")


FIELDS = (
    field("name", "--name", metavar="TEXT", help="Name of the workflow."),
    flag("enabled", "--enabled/--disabled", help="Whether it is to run; disabled unless given."),
    field(
        "react_flow_data",
        "--graph",
        metavar="FILE",
        read=_read_graph,
        help="JSON file of its nodes and edges, as the editor saves them; `-` for stdin.",
    ),
)

app = new_group(__doc__, shows="workflow:Workflow")
run = new_group("Runs of a workflow, with what each step did.", shows="workflow:WorkflowRun")
app.add_typer(run, name="run")

workflows = Resource(app, "workflow", lambda api: api.workflows, "workflow:WorkflowRequest", COLUMNS, DETAILS, FIELDS)
workflows.list("List the workflows of the business.", "acctcli workflow list")
workflows.get("Show one workflow with its graph.", "acctcli workflow get 1")
workflows.create("Add a workflow.", "acctcli workflow create --name 'Tell the shop' --graph graph.json")
workflows.update(
    "Change the fields given, and no others; another graph is a new version.",
    "acctcli workflow update 1 --name 'Tell the shop and us'",
)
workflows.replace(
    "Replace the workflow; what is not given goes back to its default: disabled, and an empty graph.",
    "acctcli workflow replace 1 --name 'Tell the shop' --graph graph.json",
)
workflows.delete("Delete a workflow with its runs.", "acctcli workflow delete 1 --yes", " with its runs")

runs = Resource(
    run, "run", lambda api, workflow: api.workflow_runs(workflow), "", RUN_COLUMNS, RUN_DETAILS, part_of="workflow"
)
runs.list("List the runs of a workflow, the newest first.", "acctcli workflow run list 1")
runs.get("Show one run with what each node did, and the graph that ran.", "acctcli workflow run get 1 1")
