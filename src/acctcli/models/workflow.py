"""Workflows and their runs (docs/interface.md 11.3)."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from acctcli.models.base import Name128, Request
from acctcli.models.graph import UUID, find_fault, find_odd_text
from acctcli.models.reply import Json, Moment, Stored

# of a graph, and of what a run is given, as JSON
MOST_BYTES = 2**16
# objects and arrays in each other: whoever reads them again must not run out of stack
MOST_LEVELS = 100


def _check_json(value: dict[str, Any]) -> dict[str, Any]:
    """Refuse what is very large, or nested very deep, or holds a text that is none."""
    from msgspec.json import encode

    if odd := find_odd_text(value):
        raise PydanticCustomError("text", "{odd}", {"odd": odd})
    level: list[Any] = [value]
    for _ in range(MOST_LEVELS):
        level = [
            inner
            for one in level
            if isinstance(one, dict | list)
            for inner in (one.values() if isinstance(one, dict) else one)
        ]
    if any(isinstance(one, dict | list) for one in level):
        raise PydanticCustomError("deep", "Must be nested at most {most} deep.", {"most": MOST_LEVELS})
    if len(encode(value)) > MOST_BYTES:
        raise PydanticCustomError("long", "Must have at most {most} KiB as JSON.", {"most": MOST_BYTES // 2**10})
    return value


def _check_graph(graph: dict[str, Any]) -> dict[str, Any]:
    """Refuse what is no graph; whatever else is in it stays as it is."""
    if fault := find_fault(graph):
        raise PydanticCustomError("graph", "{fault}", {"fault": fault})
    return graph


def _check_uuid(name: str) -> str:
    if not UUID.fullmatch(name):
        raise PydanticCustomError("uuid", "Must be a UUID: the id of a node.")
    return name


Graph = Annotated[dict[str, Any], AfterValidator(_check_json), AfterValidator(_check_graph)]
NodeId = Annotated[str, AfterValidator(_check_uuid)]
Input = Annotated[dict[str, Any], AfterValidator(_check_json)]


class WorkflowRequest(Request):
    """What may be written of a workflow; only `name` is required."""

    name: Name128
    react_flow_data: Graph = Field(default_factory=lambda: {"nodes": [], "edges": []})
    enabled: bool = False


class Workflow(Stored):
    """A workflow as the service shows it."""

    name: str
    react_flow_data: Json
    enabled: bool
    latest_saved_version_number: int


class RunRequest(Request):
    """How a run begins by hand: at which `trigger.manual` node, the first unless told, and with what for conditions."""

    trigger_node_uuid: NodeId | None = None
    input: Input | None = None


class WorkflowRunListItem(Stored):
    """A run of a workflow; `event_id` is null for one that was started by hand."""

    version_number: int
    status: str
    trigger_node_uuid: str | None
    event_id: int | None
    started_at: Moment | None
    finished_at: Moment | None
    last_error: str | None


class WorkflowRun(WorkflowRunListItem):
    """The same with what each node did, by the node's id, and the graph that ran."""

    node_runs: Json
    react_flow_data: Json
