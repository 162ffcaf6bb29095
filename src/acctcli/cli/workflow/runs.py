"""`workflow run start|watch|cancel`: a run is begun by hand, looked at until it is over, and ended before."""

from __future__ import annotations

from typing import Annotated

import typer

from acctcli.cli.command.classes import LONGEST, Context, Seconds
from acctcli.cli.output.show import show
from acctcli.cli.session.state import state

RUN_COLUMNS = ("id", "status", "version_number", "event_id", "started_at", "finished_at", "last_error")
RUN_DETAILS = (*RUN_COLUMNS, "trigger_node_uuid", "created_at", "updated_at", "node_runs", "react_flow_data")
# of a line of `watch`: a node, or in the end the run itself
WATCHED = ("node", "type", "status", "started_at", "finished_at", "error")

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


def start_run(ctx: Context, workflow: ToStart, wait: Wait = False, wait_seconds: WaitSeconds = 600.0) -> None:
    """Begin a run by hand, at the workflow's manual trigger; only in the environment local.

    With --wait it ends as the run does: 0 if it is completed, 10 if it failed or was cancelled.

    Example: acctcli workflow run start 2 --wait
    """
    here = state(ctx)
    here.require_local()
    reply = here.api.run_workflow(workflow, here.options.idempotency_key)
    if not wait:
        show(here, reply, RUN_DETAILS)
        if here.environment.in_process:
            here.say("nothing is served here: it goes on with `workflow run watch`, or `local tick`")
        return
    from acctcli.cli.workflow.watching import end_as, look_at, read_run

    for over in look_at(here, workflow, read_run(reply).id, wait_seconds):
        reply = over
    show(here, reply, RUN_DETAILS)
    end_as(workflow, read_run(reply))


def watch_run(ctx: Context, workflow: WorkflowId, run: RunId, wait_seconds: WaitSeconds = 600.0) -> None:
    """Watch a run until it is over, and end as it does: 0 if it is completed, 10 if it failed or was cancelled.

    A terminal shows its nodes as they are; elsewhere there is a line for each change, JSON with --json.

    Example: acctcli workflow run watch 2 1
    """
    from acctcli.cli.workflow.watching import watch

    watch(state(ctx), workflow, run, wait_seconds, WATCHED)


def cancel_run(ctx: Context, workflow: WorkflowId, run: RunId) -> None:
    """Cancel a run: what has not begun is skipped, what is under way ends; only in the environment local.

    Example: acctcli workflow run cancel 2 1
    """
    here = state(ctx)
    here.require_local()
    runs = here.api.workflow_runs(workflow)
    show(here, runs.act(run, "action/cancel/", key=here.options.idempotency_key), RUN_DETAILS)
