"""Workflows and their runs."""

from __future__ import annotations

from acctcli.service.routes.route import INTEGRATIONS, MODELS, ONE_BUSINESS, PAGING, ROUTES, Route, resource

RUN_PATH = f"{ONE_BUSINESS}workflows/{{workflow_id}}/runs/"

WORKFLOWS = (
    *resource(
        "workflow",
        "workflow",
        f"{ONE_BUSINESS}workflows/",
        "workflow",
        models=("workflow:WorkflowRequest", "workflow:Workflow"),
        read=INTEGRATIONS,
        write=INTEGRATIONS,
    ),
    Route(
        "GET",
        RUN_PATH,
        f"{ROUTES}.workflow:list_workflow_runs",
        "List the runs of a workflow.",
        needs=INTEGRATIONS,
        response=f"{MODELS}.workflow:WorkflowRunListItem",
        shape="page",
        query=PAGING,
    ),
    Route(
        "GET",
        f"{RUN_PATH}{{run_id}}/",
        f"{ROUTES}.workflow:get_workflow_run",
        "Show a run of a workflow.",
        needs=INTEGRATIONS,
        response=f"{MODELS}.workflow:WorkflowRun",
    ),
)
