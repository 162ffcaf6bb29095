"""`workflow run start|watch|cancel`: a run is begun by hand, looked at until it is over, and ended before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from acctcli.cli.command.classes import Context
from acctcli.cli.command.options import LONGEST, Seconds, field
from acctcli.cli.output.show import show, show_value
from acctcli.cli.session.state import State, state
from acctcli.errors import UsageError

if TYPE_CHECKING:
    from acctcli.client.messages import Reply

RUN_COLUMNS = ("id", "status", "version_number", "event_id", "started_at", "finished_at", "last_error")
RUN_SUMMARY = (*RUN_COLUMNS, "trigger_node_uuid", "created_at", "updated_at")
RUN_DETAILS = (*RUN_SUMMARY, "node_runs", "react_flow_data")
# of a line of `watch`: a node, or in the end the run itself
WATCHED = ("node", "type", "status", "started_at", "finished_at", "error")


def _read_input(source: object) -> object:
    from acctcli.cli.command.body import read_json

    return read_json(str(source), "--input")


FIELDS = (
    field(
        "trigger_node_uuid",
        "--trigger",
        metavar="UUID",
        help="The trigger.manual node to begin at; the first one unless given.",
    ),
    field(
        "input",
        "--input",
        metavar="JSON",
        read=_read_input,
        help="Object that conditions look into; `@FILE` for one in a file, `-` for stdin.",
    ),
)
ToStart = Annotated[int, typer.Argument(metavar="ID", min=1, help="The workflow's id.")]
WorkflowId = Annotated[int, typer.Argument(metavar="WORKFLOW", min=1, help="The workflow's id.")]
RunId = Annotated[int, typer.Argument(metavar="RUN", min=1, help="The run's id.")]
Wait = Annotated[bool, typer.Option("--wait", help="Wait until the run is over, and end with its result.")]
WaitSeconds = Annotated[
    float,
    typer.Option(
        "--wait-seconds", click_type=Seconds(min=0.1, max=LONGEST), metavar="N", help="Wait no longer than this."
    ),
]
PrivateTargets = Annotated[
    bool,
    typer.Option(
        "--allow-private-targets",
        help="Where nothing is served: let the run send to this machine and private networks (not link-local).",
    ),
]


def present_run(here: State, reply: Reply) -> None:
    """Show a run; people read a line for each node, and the graph as a picture."""
    if here.format != "table" or here.options.columns is not None:
        show(here, reply, RUN_DETAILS)
        return
    import msgspec

    from acctcli.cli.output.replies import decoded
    from acctcli.cli.workflow.watching import lines_of_nodes

    record = decoded(reply, dict[str, msgspec.Raw])
    show_value(here, {name: record.get(name) for name in RUN_SUMMARY} | lines_of_nodes(reply))


def start_run(
    ctx: Context,
    workflow: ToStart,
    wait: Wait = False,
    wait_seconds: WaitSeconds = 600.0,
    allow_private_targets: PrivateTargets = False,
) -> None:
    """Begin a run by hand, at a manual trigger of the workflow; only in the environment local.

    With --wait it ends as the run does: 0 if it is completed, 10 if it failed or was cancelled.

    Example: acctcli workflow run start 2 --input '{"amount": 120}' --wait
    """
    from acctcli.cli.command.body import read_body
    from acctcli.models.workflow import RunRequest

    here = state(ctx)
    here.require_local()
    if allow_private_targets and not wait:
        raise UsageError("--allow-private-targets goes with --wait: who advances the run later says for itself")
    _check_reach(here, allows_private=allow_private_targets)
    body = read_body(here, RunRequest)
    reply = here.api.workflow_runs(workflow).create(body, here.options.idempotency_key)
    if not wait:
        present_run(here, reply)
        if here.environment.in_process:
            here.say("nothing is served here: it goes on with `workflow run watch`, or `local tick`")
        return
    from acctcli.cli.workflow.watching import end_as, look_at, read_run

    run = read_run(reply).id
    for over in look_at(here, workflow, run, wait_seconds, allows_private=allow_private_targets):
        reply = over
    present_run(here, reply)
    end_as(workflow, read_run(reply))


def watch_run(
    ctx: Context,
    workflow: WorkflowId,
    run: RunId,
    wait_seconds: WaitSeconds = 600.0,
    allow_private_targets: PrivateTargets = False,
) -> None:
    """Watch a run until it is over, and end as it does: 0 if it is completed, 10 if it failed or was cancelled.

    A terminal shows its nodes as they are; elsewhere there is a line for each change, JSON with --json. Where nothing
    is served it advances the run itself.

    Example: acctcli workflow run watch 2 1
    """
    from acctcli.cli.workflow.watching import watch

    here = state(ctx)
    _check_reach(here, allows_private=allow_private_targets)
    watch(here, workflow, run, wait_seconds, WATCHED, allows_private=allow_private_targets)


def cancel_run(ctx: Context, workflow: WorkflowId, run: RunId) -> None:
    """Cancel a run: what has not begun is skipped, what is under way ends; only in the environment local.

    Example: acctcli workflow run cancel 2 1
    """
    here = state(ctx)
    here.require_local()
    runs = here.api.workflow_runs(workflow)
    present_run(here, runs.act(run, "action/cancel/", key=here.options.idempotency_key))


def _check_reach(here: State, *, allows_private: bool) -> None:
    """Refuse to say where a run may send that a service elsewhere advances: that one was told itself."""
    if allows_private and not here.environment.in_process:
        raise UsageError(
            f"--allow-private-targets is for runs that this command advances: {here.environment.name} is served",
            hint="give it to: acctcli local serve",
        )
