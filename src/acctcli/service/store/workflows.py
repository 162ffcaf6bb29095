"""Workflows and their runs: SQL only. A row is a mapping with the names of the columns; graphs are JSON text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from acctcli.service.store.listing import Clauses, Listing
from acctcli.service.store.schema.workflows import workflow, workflow_run

KEY = (workflow.c.business_id == bindparam("business_id"), workflow.c.id == bindparam("workflow_id"))
LISTING = Listing(workflow, tuple(workflow.c), (workflow.c.id,), {})
ONE = select(workflow).where(*KEY)
ONE_FOR_UPDATE = ONE.with_for_update()
INSERT = insert(workflow).returning(workflow.c.id)
# an update takes a parameter named like a column for a value to set: hence `of_business`
UPDATE = update(workflow).where(
    workflow.c.business_id == bindparam("of_business"), workflow.c.id == bindparam("of_workflow")
)
DELETE = delete(workflow).where(*KEY)

LONG = ("node_runs", "react_flow_data")
RUNS = Listing(
    workflow_run,
    tuple(column for column in workflow_run.c if column.name not in LONG),
    (workflow_run.c.id.desc(),),
    {"workflow": workflow_run.c.workflow_id == bindparam("workflow_id")},
)
RUN = select(workflow_run).where(
    workflow_run.c.business_id == bindparam("business_id"),
    workflow_run.c.workflow_id == bindparam("workflow_id"),
    workflow_run.c.id == bindparam("run_id"),
)


def list_page(
    conn: Connection, business_id: int, clauses: Clauses, *, limit: int, offset: int
) -> tuple[int, list[dict[str, Any]]]:
    """Return how many workflows there are, and one page of them by id."""
    count, rows = LISTING.page(conn, business_id, clauses, limit=limit, offset=offset)
    return count, [dict(row._mapping) for row in rows]


def get(conn: Connection, business_id: int, workflow_id: int, *, for_update: bool = False) -> dict[str, Any] | None:
    """Return a workflow of the business, or None."""
    key = {"business_id": business_id, "workflow_id": workflow_id}
    row = conn.execute(ONE_FOR_UPDATE if for_update else ONE, key).mappings().one_or_none()
    return None if row is None else dict(row)


def create(conn: Connection, business_id: int, values: Mapping[str, Any]) -> int:
    """Insert a workflow and return its id."""
    return int(conn.execute(INSERT, {"business_id": business_id, **values}).scalar_one())


def change(conn: Connection, business_id: int, workflow_id: int, values: Mapping[str, Any]) -> None:
    """Write some columns of a workflow."""
    conn.execute(UPDATE, {**values, "of_business": business_id, "of_workflow": workflow_id})


def remove(conn: Connection, business_id: int, workflow_id: int) -> None:
    """Delete a workflow with its runs."""
    conn.execute(DELETE, {"business_id": business_id, "workflow_id": workflow_id})


def list_runs(
    conn: Connection, business_id: int, workflow_id: int, *, limit: int, offset: int
) -> tuple[int, list[dict[str, Any]]]:
    """Return how many runs a workflow had, and one page of them without graphs, the newest first."""
    clauses = {"workflow": {"workflow_id": workflow_id}}
    count, rows = RUNS.page(conn, business_id, clauses, limit=limit, offset=offset)
    return count, [dict(row._mapping) for row in rows]


def get_run(conn: Connection, business_id: int, workflow_id: int, run_id: int) -> dict[str, Any] | None:
    """Return a run of a workflow with its graph, or None."""
    key = {"business_id": business_id, "workflow_id": workflow_id, "run_id": run_id}
    row = conn.execute(RUN, key).mappings().one_or_none()
    return None if row is None else dict(row)
