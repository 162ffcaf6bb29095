"""Workflows: `/v1/business/{business_slug}/workflows/`, their definitions and their runs (wire facts 1.4, 8.2).

Definitions are kept, and runs are shown; nothing here starts one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from collections.abc import Set as AbstractSet
from decimal import Decimal
from typing import Any

from msgspec import Raw
from msgspec.json import Decoder, Encoder

from acctcli.models.graph import find_gap, tag_ids
from acctcli.service.problems import Invalid, Missing
from acctcli.service.routes.call import Call, Page
from acctcli.service.store import workflows
from acctcli.service.store.reports import ground

FIELDS = ("name", "react_flow_data", "enabled")
RUN_HEAD = ("id", "created_at", "updated_at", "version_number", "status", "trigger_node_uuid", "event_id")
RUN_END = ("started_at", "finished_at", "last_error")

_decode = Decoder(dict[str, Any], float_hook=Decimal).decode
_encode = Encoder(decimal_format="number").encode
_encode_sorted = Encoder(decimal_format="number", order="sorted").encode


def list_workflows(call: Call) -> Page:
    """List workflows by id."""
    page = call.page
    count, rows = workflows.list_page(call.conn, call.business.id, limit=page.size, offset=page.offset)
    return Page(count, [_shown(row) for row in rows])


def create_workflow(call: Call) -> dict[str, Any]:
    """Create a workflow; its graph is version 1."""
    content = _sent(call, FIELDS)
    _check(call, content, content.keys())
    columns = {**_columns(content), "version_number": 1, "created_at": call.stamp, "updated_at": call.stamp}
    workflow_id = workflows.create(call.conn, call.business.id, columns)
    shown = _shown(columns | {"id": workflow_id})
    call.emit("workflow.created", shown)
    return shown


def get_workflow(call: Call) -> dict[str, Any]:
    """Show a workflow."""
    return _shown(_find(call))


def replace_workflow(call: Call) -> dict[str, Any]:
    """Replace a workflow: fields that are not sent return to their defaults."""
    return _change(call, FIELDS)


def update_workflow(call: Call) -> dict[str, Any]:
    """Change the fields that are sent."""
    return _change(call, call.body.model_fields_set)


def delete_workflow(call: Call) -> None:
    """Delete a workflow with its runs."""
    row = _find(call, for_update=True)
    workflows.remove(call.conn, call.business.id, row["id"])
    call.emit("workflow.deleted", {"id": row["id"]})


def list_workflow_runs(call: Call) -> Page:
    """List the runs of a workflow, the newest first."""
    workflow_id, page = _find(call)["id"], call.page
    count, rows = workflows.list_runs(call.conn, call.business.id, workflow_id, limit=page.size, offset=page.offset)
    return Page(count, [{name: row[name] for name in (*RUN_HEAD, *RUN_END)} for row in rows])


def get_workflow_run(call: Call) -> dict[str, Any]:
    """Show a run with what each node did and the graph that ran."""
    row = workflows.get_run(call.conn, call.business.id, call.ids["workflow_id"], call.ids["run_id"])
    if row is None:
        raise Missing("There is no such run of this workflow.")
    shown = {name: row[name] for name in (*RUN_HEAD, *RUN_END)}
    return shown | {name: Raw(row[name].encode()) for name in ("node_runs", "react_flow_data")}


def _find(call: Call, *, for_update: bool = False) -> dict[str, Any]:
    row = workflows.get(call.conn, call.business.id, call.ids["workflow_id"], for_update=for_update)
    if row is None:
        raise Missing("There is no such workflow.")
    return row


def _change(call: Call, names: Collection[str]) -> dict[str, Any]:
    row = _find(call, for_update=True)
    before = {**row, "react_flow_data": _decode(row["react_flow_data"])}
    sent = _sent(call, names)
    _check(call, before | sent, sent.keys())
    columns = {**_columns(sent), "updated_at": call.stamp}
    if "react_flow_data" in sent and _differ(before["react_flow_data"], sent["react_flow_data"]):
        columns["version_number"] = row["version_number"] + 1
    workflows.change(call.conn, call.business.id, row["id"], columns)
    shown = _shown(row | columns)
    call.emit("workflow.updated", shown)
    return shown


def _sent(call: Call, names: Collection[str]) -> dict[str, Any]:
    return {name: getattr(call.body, name) for name in FIELDS if name in names}


def _check(call: Call, content: Mapping[str, Any], changed: AbstractSet[str]) -> None:
    """Refuse a graph that names tags of others, and one that is to run and cannot; a name changes neither."""
    if changed <= {"name"}:
        return
    graph = content["react_flow_data"]
    ids = tag_ids(graph)
    unknown = set(ids) - ground.known_tags(call.conn, call.business.id, ids)
    if unknown:
        raise Invalid.field("react_flow_data", f"Unknown tag id {min(unknown)}.")
    if content["enabled"] and (gap := find_gap(graph)):
        raise Invalid.field("react_flow_data", gap)


def _differ(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Say whether two graphs differ as JSON, in whatever order their keys stand."""
    return _encode_sorted(one) != _encode_sorted(other)


def _columns(content: Mapping[str, Any]) -> dict[str, Any]:
    columns = dict(content)
    if "react_flow_data" in columns:
        columns["react_flow_data"] = _encode(columns["react_flow_data"]).decode()
    return columns


def _shown(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **{name: row[name] for name in ("id", "created_at", "updated_at", "name")},
        "react_flow_data": Raw(row["react_flow_data"].encode()),
        "enabled": row["enabled"],
        "latest_saved_version_number": row["version_number"],
    }
