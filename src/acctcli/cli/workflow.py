"""Workflows: what is to happen when, and what did."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from acctcli.cli.command.classes import Command, CreateCommand, DeleteCommand, ListCommand, UpdateCommand
from acctcli.cli.command.group import Context, new_group
from acctcli.cli.command.options import field, flag
from acctcli.cli.output.show import show, show_done, show_rows
from acctcli.cli.session.state import state

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

app = new_group("Workflows: what is to happen when, and what did.", shows="workflow:Workflow")
run = new_group("Runs of a workflow, with what each step did.", shows="workflow:WorkflowRun")
app.add_typer(run, name="run")

WorkflowId = Annotated[int, typer.Argument(metavar="ID", min=1, help="The workflow's id.")]
OfWorkflow = Annotated[int, typer.Argument(metavar="WORKFLOW", min=1, help="The workflow's id.")]
RunId = Annotated[int, typer.Argument(metavar="RUN", min=1, help="The run's id, of this workflow's list.")]


@app.command("list", cls=ListCommand)
def list_workflows(ctx: Context) -> None:
    """List the workflows of the business."""
    here = state(ctx)
    show_rows(here, here.api.workflows.list({}, here.extent), COLUMNS)


@app.command("get", cls=Command)
def get_workflow(ctx: Context, workflow: WorkflowId) -> None:
    """Show one workflow with its graph."""
    here = state(ctx)
    show(here, here.api.workflows.get(workflow), DETAILS)


@app.command("create", cls=CreateCommand.taking(*FIELDS))
def create_workflow(ctx: Context) -> None:
    """Add a workflow."""
    from acctcli.cli.command.body import read_body
    from acctcli.models.workflow import WorkflowRequest

    here = state(ctx)
    body = read_body(here, WorkflowRequest)
    show(here, here.api.workflows.create(body, here.options.idempotency_key), DETAILS)


@app.command("update", cls=UpdateCommand.taking(*FIELDS))
def update_workflow(ctx: Context, workflow: WorkflowId) -> None:
    """Change the fields given, and no others; another graph is a new version."""
    from acctcli.cli.command.body import read_changes
    from acctcli.models.workflow import WorkflowRequest

    here = state(ctx)
    show(here, here.api.workflows.update(workflow, read_changes(here, WorkflowRequest)), DETAILS)


@app.command("replace", cls=UpdateCommand.taking(*FIELDS))
def replace_workflow(ctx: Context, workflow: WorkflowId) -> None:
    """Replace the workflow; what is not given goes back to its default: disabled, and an empty graph."""
    from acctcli.cli.command.body import read_body
    from acctcli.models.workflow import WorkflowRequest

    here = state(ctx)
    show(here, here.api.workflows.replace(workflow, read_body(here, WorkflowRequest)), DETAILS)


@app.command("delete", cls=DeleteCommand)
def delete_workflow(ctx: Context, workflow: WorkflowId) -> None:
    """Delete a workflow with its runs."""
    here = state(ctx)
    here.confirm(f"Delete workflow {workflow} with its runs?")
    here.api.workflows.delete(workflow)
    show_done(here, f"Deleted workflow {workflow}.", id=workflow, deleted=True)


@run.command("list", cls=ListCommand)
def list_runs(ctx: Context, workflow: OfWorkflow) -> None:
    """List the runs of a workflow, the newest first."""
    here = state(ctx)
    show_rows(here, here.api.workflow_runs(workflow).list({}, here.extent), RUN_COLUMNS)


@run.command("get", cls=Command)
def get_run(ctx: Context, workflow: OfWorkflow, run: RunId) -> None:
    """Show one run with what each node did, and the graph that ran."""
    here = state(ctx)
    show(here, here.api.workflow_runs(workflow).get(run), RUN_DETAILS)
