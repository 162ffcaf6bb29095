"""Workflows: what is to happen when, and what did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from acctcli.cli.command.classes import (
    ActionCommand,
    Command,
    Context,
    CreateCommand,
    RehearsedCommand,
    new_group,
    shows,
)
from acctcli.cli.command.options import field, flag
from acctcli.cli.command.plain import Resource
from acctcli.cli.output.show import show, show_done, show_text
from acctcli.cli.output.stderr import how_many
from acctcli.cli.session.state import State, state
from acctcli.cli.workflow import runs as by_hand
from acctcli.errors import UsageError

if TYPE_CHECKING:
    from acctcli.client.messages import Reply

COLUMNS = ("id", "name", "enabled", "latest_saved_version_number", "updated_at")
SUMMARY = (*COLUMNS, "created_at")
DETAILS = (*SUMMARY, "react_flow_data")

WorkflowId = Annotated[int, typer.Argument(metavar="ID", min=1, help="The workflow's id.")]
ToDraw = Annotated[int | None, typer.Argument(metavar="[ID]", min=1, help="The workflow's id; or give --graph.")]
GraphFile = Annotated[str, typer.Argument(metavar="FILE", help="JSON file of nodes and edges; `-` for stdin.")]
Graph = Annotated[str | None, typer.Option("--graph", metavar="FILE", help="Draw this file; `-` for stdin.")]
Picture = Annotated[str, typer.Option("--as", metavar="KIND", help="tree, mermaid or svg.")]


def _read_graph(source: object, option: str = "--graph") -> Any:
    """Return the graph in a file, also where the file is a workflow as `workflow get` shows it."""
    from acctcli.cli.command.body import parse_json, read_text

    found = parse_json(read_text(str(source), option), f"{option} {source}")
    if isinstance(found, dict) and not {"nodes", "edges"} & found.keys():
        return found.get("react_flow_data", found)
    return found


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


def _present(here: State, reply: Reply) -> None:
    """Show a workflow; people read its graph as a picture."""
    show(here, reply, SUMMARY if here.format == "table" else DETAILS)


workflows = Resource(
    app,
    "workflow",
    lambda api: api.workflows,
    "workflow:WorkflowRequest",
    COLUMNS,
    DETAILS,
    FIELDS,
    present=_present,
    inferred=("list", "create", "update", "replace", "delete"),
)
workflows.list("List the workflows of the business.", "acctcli workflow list")
workflows.get("Show one workflow; `workflow graph` draws it.", "acctcli workflow get 1")
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


@app.command("enable", cls=RehearsedCommand)
def enable_workflow(ctx: Context, workflow: WorkflowId) -> None:
    """Let a workflow run when its events happen.

    That other services than local take this request is inferred: nothing that is known of them shows it.

    Example: acctcli workflow enable 1
    """
    _turn(state(ctx), workflow, is_on=True)


@app.command("disable", cls=RehearsedCommand)
def disable_workflow(ctx: Context, workflow: WorkflowId) -> None:
    """Let a workflow run no more.

    That other services than local take this request is inferred: nothing that is known of them shows it.

    Example: acctcli workflow disable 1
    """
    _turn(state(ctx), workflow, is_on=False)


@app.command("validate", cls=Command)
@shows(("valid", "nodes", "edges"))
def validate_graph(ctx: Context, file: GraphFile) -> None:
    """Say whether a graph hangs together and could run; nothing is sent, so ids of tags are not looked at.

    Example: acctcli workflow validate graph.json
    """
    from acctcli.models.graph import find_fault, find_gap, find_odd_text, nodes_of

    here = state(ctx)
    graph = _object(_read_graph(file, "FILE"), file)
    if fault := find_odd_text(graph) or find_fault(graph) or find_gap(graph):
        raise UsageError(f"{file}: {fault}", fields={"react_flow_data": [fault]})
    nodes, edges = len(nodes_of(graph)), len(graph.get("edges", []))
    facts = {"valid": True, "nodes": nodes, "edges": edges}
    show_done(here, f"{file} is complete: {how_many(nodes, 'node')}, {how_many(edges, 'edge')}.", **facts)


@app.command("graph", cls=Command)
@shows(("kind", "picture"))
def draw_workflow(ctx: Context, workflow: ToDraw = None, graph: Graph = None, kind: Picture = "tree") -> None:
    """Draw a workflow: a tree for the terminal, a Mermaid flowchart, or an SVG picture.

    Example: acctcli workflow graph 1 --as mermaid
    """
    from acctcli.cli.workflow.drawing import PICTURES, read_graph

    here = state(ctx)
    if kind not in PICTURES:
        raise UsageError(f"--as {kind}: there are {', '.join(PICTURES)}")
    if (workflow is None) == (graph is None):
        raise UsageError("give the id of a workflow, or a file with --graph")
    saved = _object(_read_graph(graph), graph) if graph else _object(_saved(here, workflow), f"workflow {workflow}")
    picture = PICTURES[kind](read_graph(saved))
    show_text(here, picture, kind=kind, picture=picture)


def _turn(here: State, workflow: int, *, is_on: bool) -> None:
    from acctcli.models.workflow import WorkflowRequest

    here.say_inferred()
    body = WorkflowRequest.model_construct({"enabled"}, enabled=is_on)
    _present(here, here.api.workflows.update(workflow, body))


def _object(graph: Any, place: str) -> dict[str, Any]:
    if not isinstance(graph, dict):
        raise UsageError(f"{place} holds no graph: that is an object with nodes and edges")
    return graph


def _saved(here: State, workflow: int | None) -> Any:
    import msgspec

    from acctcli.cli.command.body import parse_json
    from acctcli.cli.output.replies import decoded

    found = decoded(here.api.workflows.get(workflow or 0), dict[str, msgspec.Raw])
    return parse_json(bytes(found.get("react_flow_data", b"null")).decode(), f"workflow {workflow}")


runs = Resource(
    run,
    "run",
    lambda api, workflow: api.workflow_runs(workflow),
    "",
    by_hand.RUN_COLUMNS,
    by_hand.RUN_DETAILS,
    part_of="workflow",
    present=by_hand.present_run,
)
runs.list("List the runs of a workflow, the newest first.", "acctcli workflow run list 1")
runs.get("Show one run with what each node did; --json has the graph that ran, too.", "acctcli workflow run get 2 1")
run.command("start", cls=CreateCommand.taking(*by_hand.FIELDS, model="workflow:RunRequest"))(by_hand.start_run)
run.command("watch", cls=Command)(shows(by_hand.WATCHED)(by_hand.watch_run))
run.command("cancel", cls=ActionCommand)(by_hand.cancel_run)
