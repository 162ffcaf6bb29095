"""What a graph does next: conditions, joins, and what follows a failure (docs/interface.md 11.3). No input, no output.

The state of a run is what each node did, by its id: `pending`, `running`, `completed`, `failed` or `skipped`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from acctcli.models.graph import CONDITION, TRIGGERS, nodes_of

Row = Mapping[str, Any]
NodeRuns = dict[str, dict[str, Any]]

PENDING, RUNNING, COMPLETED, FAILED, SKIPPED = "pending", "running", "completed", "failed", "skipped"
CANCELLED = "cancelled"
# a run that is not over
OPEN = (PENDING, RUNNING)
# of a node that has not begun
NOTHING = dict.fromkeys(("started_at", "finished_at", "output", "error"))
NUMBER = (int, Decimal)


def triggered(graph: Row, event_type: str) -> Iterator[str]:
    """Yield the ids of the nodes that an event triggers."""
    for node in nodes_of(graph):
        if node["type"] == "trigger.event" and event_type in node["data"].get("event_types", ()):
            yield node["id"]


def awaited(graph: Row) -> set[str]:
    """Return the types of events that the nodes of a graph wait for."""
    lists = (node["data"].get("event_types", ()) for node in nodes_of(graph) if node["type"] == "trigger.event")
    return {one for found in lists for one in found}


def manual(graph: Row) -> list[str]:
    """Return the ids of the nodes that a run by hand may begin at."""
    return [node["id"] for node in nodes_of(graph) if node["type"] == "trigger.manual"]


def whole(graph: Row, kept: Mapping[str, dict[str, Any]], status: str, trigger: str) -> NodeRuns:
    """Return the state of a run of this status, of which is kept what its nodes did that have begun.

    All others wait, or are skipped: in a run that is over, or where they cannot run any more.
    """
    rest = {"status": PENDING if status in OPEN else SKIPPED, **NOTHING}
    # releases before kept nodes that wait, too
    did = {name: run for name, run in kept.items() if run["status"] != PENDING}
    runs = {node["id"]: did.get(node["id"]) or {**rest} for node in nodes_of(graph)}
    if status == RUNNING:
        next_node(graph, runs, trigger)
    return runs


def begun(runs: NodeRuns) -> NodeRuns:
    """Return what is to be kept of the state of a run: `whole` knows the rest."""
    return {name: run for name, run in runs.items() if run["status"] not in (PENDING, SKIPPED)}


def next_node(graph: Row, runs: NodeRuns, trigger: str) -> Row | None:
    """Return the node whose turn it is, None when all have ended; on the way, skip those that cannot run any more.

    One that is running comes first: it was interrupted. The trigger runs whatever leads to it, another one never.
    A node waits until all that leads to it has ended. It runs if one of these edges is taken, and is skipped if none
    is, or if anything above it failed.
    """
    leading = _leading(graph)
    nodes = {node["id"]: node for node in nodes_of(graph)}
    ready: Row | None = None
    interrupted: Row | None = None
    broken: set[str] = {name for name, run in runs.items() if run["status"] == FAILED}
    for name in _in_order(nodes, leading):
        node, run = nodes[name], runs[name]
        edges = [] if name == trigger else leading[name]
        if any(edge["source"] in broken for edge in edges):
            broken.add(name)
        if run["status"] == RUNNING:
            interrupted = interrupted or node
        if run["status"] != PENDING:
            continue
        if name != trigger and name not in broken:
            if any(runs[edge["source"]]["status"] in (PENDING, RUNNING) for edge in edges):
                continue
            if node["type"] not in TRIGGERS and any(_is_taken(edge, nodes, runs) for edge in edges):
                ready = ready or node
                continue
        if name == trigger:
            ready = ready or node
        else:
            run["status"] = SKIPPED
    return interrupted or ready


def skip_rest(runs: NodeRuns) -> None:
    """Skip what has not begun."""
    for run in runs.values():
        if run["status"] == PENDING:
            run["status"] = SKIPPED


def _leading(graph: Row) -> dict[str, list[Row]]:
    """Return the edges that lead to each node."""
    found: dict[str, list[Row]] = {node["id"]: [] for node in nodes_of(graph)}
    for edge in graph.get("edges", []):
        found[edge["target"]].append(edge)
    return found


def _in_order(nodes: Mapping[str, Row], leading: Mapping[str, Sequence[Row]]) -> list[str]:
    """Return the nodes, each after all that lead to it, otherwise as they were saved; there is no circle."""
    order: dict[str, None] = {}
    for first in nodes:
        open_ = [first]
        while open_:
            name = open_[-1]
            above = [edge["source"] for edge in leading[name] if edge["source"] not in order]
            if above:
                open_.append(above[0])
                continue
            open_.pop()
            order[name] = None
    return list(order)


def _is_taken(edge: Row, nodes: Mapping[str, Row], runs: NodeRuns) -> bool:
    """Say whether an edge is taken: its source has run, and a condition came out as its handle says."""
    run = runs[edge["source"]]
    if run["status"] != COMPLETED:
        return False
    if nodes[edge["source"]]["type"] != CONDITION:
        return True
    return bool(edge["sourceHandle"] == ("true" if run["output"]["result"] else "false"))


def holds(condition: Row, data: Any) -> bool:
    """Say whether a condition holds for the data of an event; what is not there counts as null."""
    found, operator, value = look_up(data, condition["path"]), condition["operator"], condition.get("value")
    match operator:
        case "exists":
            return found is not None
        case "eq":
            return is_same(found, value)
        case "ne":
            return not is_same(found, value)
        case "contains":
            return _contains(found, value)
        case _:
            return _is_ordered(found, operator, value)


def look_up(data: Any, path: str) -> Any:
    """Return what a path of names leads to, between dots; a number is a place in an array, from 0. None: nothing."""
    for name in path.split("."):
        if isinstance(data, Mapping):
            data = data.get(name)
        elif isinstance(data, list) and name.isascii() and name.isdigit() and len(name) < 10:
            data = data[int(name)] if int(name) < len(data) else None
        else:
            return None
    return data


def is_same(one: Any, other: Any) -> bool:
    """Say whether two values of JSON are the same: numbers by their value, whatever their digits; true is no number."""
    if _is_number(one) and _is_number(other):
        return bool(one == other)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(is_same, one, other))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(is_same(one[name], other[name]) for name in one)
    return type(one) is type(other) and bool(one == other)


def _contains(found: Any, value: Any) -> bool:
    if isinstance(found, str):
        return isinstance(value, str) and value in found
    if isinstance(found, list):
        return any(is_same(one, value) for one in found)
    return isinstance(found, Mapping) and isinstance(value, str) and value in found


def _is_ordered(found: Any, operator: str, value: Any) -> bool:
    """Compare two numbers, or two texts by code points, as days are; values of different types have no order."""
    if not (_is_number(found) and _is_number(value)) and not (isinstance(found, str) and isinstance(value, str)):
        return False
    is_less, is_more = bool(found < value), bool(found > value)
    return {"gt": is_more, "gte": not is_less, "lt": is_less, "lte": not is_more}[operator]


def _is_number(value: object) -> bool:
    return isinstance(value, NUMBER) and not isinstance(value, bool)
