"""Workflows: definitions, and the runs they had."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, String, Text

from acctcli.service.store.schema.columns import Id, Stamp, flag, id_column, inside, of_business, stamps, table

workflow = table(
    "workflow",
    id_column(),
    *stamps(),
    *of_business(unique_id=True),
    Column("name", String(128), nullable=False),
    Column("react_flow_data", Text, nullable=False),  # JSON object, as it was sent
    flag("enabled"),
    Column("version_number", BigInteger, nullable=False),  # of `react_flow_data`, from 1
    counted=True,
)

workflow_run = table(
    "workflow_run",
    id_column(),
    *stamps(),
    *of_business(),
    Column("workflow_id", Id, nullable=False),
    Column("version_number", BigInteger, nullable=False),
    Column("react_flow_data", Text, nullable=False),  # of that version
    Column("status", String(16), nullable=False),
    Column("trigger_node_uuid", String(36)),
    Column("event_id", BigInteger),  # number of the event in the business; null for a run started by hand
    Column("started_at", Stamp),
    Column("finished_at", Stamp),
    Column("last_error", Text),
    Column("node_runs", Text, nullable=False),  # JSON object by the ids of the nodes
    inside("workflow_id", "workflow", ondelete="CASCADE"),
    Index(None, "business_id", "workflow_id", "id"),
)
