"""Runs of workflows begin, by an event or by hand, and are cancelled (docs/interface.md 11.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.json import Decoder, Encoder

from acctcli.models.graph import nodes_of
from acctcli.service.cases.work import Work, found
from acctcli.service.problems import Invalid, Precondition
from acctcli.service.rules import workflows as rules
from acctcli.service.store import events, workflows
from acctcli.service.store.moments import stamp

if TYPE_CHECKING:
    from acctcli.models.workflow import WorkflowRunListItem
    from acctcli.service.store.engine.database import Connection
    from acctcli.service.store.rows import Record

decode = Decoder(dict[str, Any], float_hook=Decimal).decode
encode = Encoder(decimal_format="number").encode

# of events, and of those that begin a run, in one transaction
MOST_EVENTS, MOST_MATCHING = 10_000, 100
# of one workflow: what it sends may come back as what triggers it, by ways that nobody here sees
MOST_RUNS, WITHIN = 1_000, timedelta(hours=1)


class Plan(NamedTuple):
    """Which events begin a run at which nodes, up to which event that is, and until when it is all."""

    begins: list[tuple[int, str]]
    until: int
    held_until: str | None


def standing(work: Work, before: Mapping[str, Any], after: Mapping[str, Any], *, is_other_graph: bool) -> Record:
    """Return the columns that say as whom a workflow acts, and from which event on it is looked at.

    That is whoever last saved its graph or enabled it, and the first event after the one that tells of that.
    """
    columns: Record = {}
    is_enabled_now = after["enabled"] and not before.get("enabled")
    if is_other_graph or is_enabled_now:
        columns["author_id"] = work.user.id
    if is_enabled_now:
        columns["event_number"] = events.newest(work.conn, work.business.id).number + 1
    elif not after["enabled"]:
        columns["event_number"] = None
    return columns


def trigger(conn: Connection, business_id: int, workflow_id: int, now: datetime, random: Callable[[int], bytes]) -> int:
    """Begin the runs of a workflow that events which it was not looked at for trigger; return how many.

    How far it was looked at is noted in the same transaction, so that each event begins its runs once. What is beyond
    the runs of an hour waits.
    """
    if not workflows.lock(conn, business_id):
        return 0
    workflow = workflows.ROWS.get(conn, business_id, workflow_id, for_update=True)
    if workflow is None or (plan := planned(conn, workflow, now)) is None:
        return 0
    version_id = workflows.version_of(conn, workflow) if plan.begins else 0
    workflows.add_runs(
        conn,
        [
            new_run(workflow, version_id, node, stamp(now), random(16).hex(), event_id=number)
            for number, node in plan.begins
        ],
    )
    workflows.look_until(conn, business_id, workflow_id, plan.until, plan.held_until)
    return len(plan.begins)


def planned(conn: Connection, workflow: Mapping[str, Any], now: datetime, planned_before: int = 0) -> Plan | None:
    """Return what a portion of the events that a workflow was not looked at for triggers, None where there are none.

    `planned_before` runs are counted as if they had begun.
    """
    business_id, after = workflow["business_id"], workflow["event_number"]
    if not workflow["enabled"] or after is None:
        return None
    until = min(events.newest(conn, business_id).number, after + MOST_EVENTS)
    if until <= after:
        return None
    graph = decode(workflow["react_flow_data"])
    types = rules.awaited(graph)
    matching = workflows.matching(conn, business_id, types, after=after, until=until, most=MOST_MATCHING + 1)
    if len(matching) > MOST_MATCHING:
        until = matching[-2][0]
    began, oldest = 0, None
    if matching:
        since = stamp(now - WITHIN)
        began, oldest = workflows.recent(conn, business_id, workflow["id"], since=since, most=MOST_RUNS)
    begins: list[tuple[int, str]] = []
    for number, event_type in matching[:MOST_MATCHING]:
        nodes = list(rules.triggered(graph, event_type))
        if (taken := began + planned_before + len(begins)) and taken + len(nodes) > MOST_RUNS:
            return Plan(begins, number - 1, _later(oldest or stamp(now)))
        begins += ((number, node) for node in nodes)
    return Plan(begins, until, None)


def _later(began: str) -> str:
    """Return when a run that began at a moment counts no more."""
    return stamp(datetime.fromisoformat(began) + WITHIN)


def count_planned(conn: Connection, business_id: int, workflow_id: int, now: datetime) -> int:
    """Return how many runs of a workflow the events that it was not looked at for would begin; nothing is kept."""
    workflow = workflows.ROWS.get(conn, business_id, workflow_id)
    count = 0
    while workflow is not None and (plan := planned(conn, workflow, now, count)) is not None:
        count += len(plan.begins)
        if plan.held_until is not None:
            break
        workflow = {**workflow, "event_number": plan.until}
    return count


def new_run(workflow: Mapping[str, Any], version_id: int, node: str, stamp: str, mark: str, **begun_by: Any) -> Record:
    """Return the columns of a run that begins at a node of the graph of `version_id`."""
    return {
        "business_id": workflow["business_id"],
        "workflow_id": workflow["id"],
        "created_at": stamp,
        "updated_at": stamp,
        "version_number": workflow["version_number"],
        "version_id": version_id,
        "status": rules.PENDING,
        "trigger_node_uuid": node,
        **begun_by,
        "node_runs": "{}",
        "author_id": workflow["author_id"],
        "mark": mark,
        "due_at": stamp,
    }


def nodes_of_run(run: Mapping[str, Any], graph: Mapping[str, Any]) -> rules.NodeRuns:
    """Return what each node of a run did, by its id."""
    return rules.whole(graph, decode(run["node_runs"]), run["status"], run["trigger_node_uuid"])


def show_run(row: Mapping[str, Any]) -> WorkflowRunListItem:
    """Show a run as lists do."""
    return {
        "id": row["id"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "version_number": row["version_number"],
        "status": row["status"],
        "trigger_node_uuid": row["trigger_node_uuid"],
        "event_id": row["event_id"],
        "started_at": row["started_at"],
        "finished_at": row["finished_at"],
        "last_error": row["last_error"],
    }


def start_run(work: Work, workflow_id: int, node: str | None, given: Mapping[str, Any] | None) -> Record:
    """Begin a run by hand, at a node or the first one for that, with what is given to it; return its row."""
    business_id = work.business.id
    workflow = found(workflows.ROWS.get(work.conn, business_id, workflow_id, for_update=True), "workflow")
    if not workflow["enabled"]:
        text = "This workflow is not enabled, and no run of it begins: enable it first."
        raise Precondition(text, fields={"enabled": [text]})
    graph = decode(workflow["react_flow_data"])
    begins_at = _manual_node(graph, node)
    since = stamp(work.now - WITHIN)
    began, oldest = workflows.recent(work.conn, business_id, workflow_id, since=since, most=MOST_RUNS)
    if began >= MOST_RUNS:
        raise Precondition(
            f"This workflow began {MOST_RUNS:,} runs within an hour: no other until {_later(oldest or work.stamp)}."
        )
    put_in = None if given is None else encode(given).decode()
    version_id = workflows.version_of(work.conn, workflow)
    run = new_run(workflow, version_id, begins_at, work.stamp, work.random(16).hex(), event_id=None, input=put_in)
    run_id = workflows.add_run(work.conn, run)
    begun = found(workflows.get_run(work.conn, business_id, workflow_id, run_id), "run of this workflow")
    work.emit("workflow_run.started", {**show_run(begun), "workflow_id": workflow_id})
    return begun


def _manual_node(graph: Mapping[str, Any], name: str | None) -> str:
    """Return the node that a run by hand begins at, the first for that unless it is named."""
    nodes = rules.manual(graph)
    if name is None:
        if not nodes:
            raise Precondition("This workflow has no node trigger.manual, at which a run by hand begins.")
        return nodes[0]
    found_there = next((node for node in nodes_of(graph) if node["id"].lower() == name.lower()), None)
    if found_there is None:
        raise Invalid.field("trigger_node_uuid", f"There is no node {name} in this workflow.")
    if found_there["id"] not in nodes:
        what = found_there["type"]
        raise Invalid.field(
            "trigger_node_uuid", f"The node {name} is {what}: a run by hand begins at a trigger.manual."
        )
    return str(found_there["id"])


def cancel_run(work: Work, workflow_id: int, run_id: int) -> Record:
    """Cancel a run: what has not begun is skipped, what is under way ends. One that is over stays; return its row."""
    run = workflows.get_run(work.conn, work.business.id, workflow_id, run_id, for_update=True)
    run = found(run, "run of this workflow")
    if run["status"] not in rules.OPEN:
        return run
    values: Record = {"status": rules.CANCELLED, "updated_at": work.stamp, "finished_at": work.stamp}
    if run["worker"] is None:  # else that one says how the node under way ended, or whoever comes after it
        values["due_at"] = None
    workflows.change_run(work.conn, run, values)
    cancelled = {**run, **values}
    work.emit("workflow_run.cancelled", {**show_run(cancelled), "workflow_id": workflow_id})
    return cancelled
