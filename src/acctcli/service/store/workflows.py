"""Workflows and their runs: SQL only. A row is a mapping with the names of the columns; graphs are JSON text."""

from __future__ import annotations

from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query
from acctcli.service.store.listing import Pages
from acctcli.service.store.rows import Record, Rows

# a workflow is removed with its runs
ROWS = Rows[Record](dict, "workflow")

# without graphs, which are long
LISTED = """id, created_at, updated_at, business_id, workflow_id, version_number, status, trigger_node_uuid, event_id,
    started_at, finished_at, last_error"""
OF_WORKFLOW = "workflow_id = :workflow_id"
list_runs = Pages[Record](dict, LISTED, "workflow_run", "id DESC", OF_WORKFLOW).page
RUN = Query[Record](
    dict, f"SELECT * FROM workflow_run WHERE business_id = :business_id AND {OF_WORKFLOW} AND id = :run_id"
)


def get_run(conn: Connection, business_id: int, workflow_id: int, run_id: int) -> Record | None:
    """Return a run of a workflow with its graph, or None."""
    return RUN.one(conn, business_id=business_id, workflow_id=workflow_id, run_id=run_id)
