"""Workflows and their runs: SQL only. A row is a mapping with the names of the columns; graphs are JSON text.

A run is due from `due_at` on. Who takes it is its `worker`, and has it until another `due_at`, which each step moves;
what a worker leaves behind, however it ended, is due again then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from acctcli.service.store.businesses import GONE, lock
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement, insert, insert_many, update
from acctcli.service.store.listing import Pages
from acctcli.service.store.people.users import Caller
from acctcli.service.store.rows import Record, Rows

__all__ = ["lock"]

# a workflow is removed with its runs
ROWS = Rows[Record](dict, "workflow")

# without graphs, which are long
LISTED = """id, created_at, updated_at, business_id, workflow_id, version_number, status, trigger_node_uuid, event_id,
    started_at, finished_at, last_error"""
OF_WORKFLOW = "workflow_id = :workflow_id"
list_runs = Pages[Record](dict, LISTED, "workflow_run", "id DESC", OF_WORKFLOW).page
ONE_RUN = f"""SELECT workflow_run.*, (
        SELECT react_flow_data FROM workflow_version AS version
        WHERE version.business_id = workflow_run.business_id AND version.id = version_id) AS react_flow_data
    FROM workflow_run WHERE business_id = :business_id AND {OF_WORKFLOW} AND id = :run_id"""
RUN, RUN_FOR_UPDATE = Query[Record](dict, ONE_RUN), Query[Record](dict, f"{ONE_RUN} FOR UPDATE")
# the graph that the latest runs of a workflow began with; nobody takes it away before the commit
LATEST_VERSION = Query[tuple[int, int, str]](
    tuple,
    f"""SELECT id, version_number, react_flow_data FROM workflow_version
    WHERE business_id = :business_id AND {OF_WORKFLOW} ORDER BY id DESC LIMIT 1 FOR UPDATE""",
)


class Place(NamedTuple):
    """The business of a workflow."""

    business_id: int
    slug: str
    form: str
    country: str


class Held(NamedTuple):
    """A workflow that begins no runs until a moment."""

    slug: str
    workflow_id: int
    until: str


class Due(NamedTuple):
    """A run that somebody may take, and whoever it acts as."""

    place: Place
    workflow_id: int
    run_id: int
    author_id: int | None = None


PLACE = "business.id, business.slug, business.form, business.country"
LATE = """workflow JOIN trail_head ON trail_head.business_id = workflow.business_id
    WHERE workflow.event_number IS NOT NULL AND workflow.event_number < trail_head.number
    AND (workflow.held_until IS NULL OR workflow.held_until <= :now)"""
BEHIND = Statement(f"SELECT workflow.id FROM {LATE} AND workflow.business_id = :business_id")
# What workflows do themselves triggers none
MATCHING = Query[tuple[int, str]](
    tuple,
    """SELECT number, type FROM event WHERE business_id = :business_id AND number > :after AND number <= :until
    AND type IN (:types...) AND (via IS NULL OR via <> 'workflow') ORDER BY number LIMIT :most""",
)
# of the newest runs of a workflow those that began after a moment: how many, and when the first of them did
RECENT = Query[tuple[int, str | None]](
    tuple,
    f"""SELECT count(*), min(created_at) FROM (
        SELECT created_at FROM workflow_run WHERE business_id = :business_id AND {OF_WORKFLOW}
        ORDER BY id DESC LIMIT :most) AS newest
    WHERE created_at > :since""",
)
HELD_BACK = Query(
    Held,
    f"""SELECT business.slug, workflow.id, workflow.held_until FROM workflow
    JOIN business ON business.id = workflow.business_id
    WHERE workflow.event_number IS NOT NULL AND workflow.held_until > :now AND NOT {GONE}
    ORDER BY workflow.id""",
)
EVENT = Query[tuple[str, str]](
    tuple, "SELECT type, data FROM event WHERE business_id = :business_id AND number = :number"
)
IS_DUE = "due_at IS NOT NULL AND due_at <= :now"
WAITING = Query(
    Place,
    f"""SELECT {PLACE} FROM business WHERE NOT {GONE} AND id IN (
        SELECT business_id FROM workflow_run WHERE {IS_DUE} UNION SELECT workflow.business_id FROM {LATE})
    ORDER BY id""",
)
DUE = Query[tuple[int, int, int | None]](
    tuple,
    f"""SELECT workflow_id, id, author_id FROM workflow_run
    WHERE business_id = :business_id AND sends = :sends AND {IS_DUE} ORDER BY due_at, id LIMIT :most""",
)
IN_PLACE = Query(Place, f"SELECT {PLACE} FROM business WHERE slug = :slug AND NOT {GONE}")
# who had it and did not let it go was interrupted, which counts as a step
TAKE = Statement(
    f"""UPDATE workflow_run SET worker = :worker, due_at = :until,
    steps = steps + CASE WHEN worker IS NULL THEN 0 ELSE 1 END WHERE id = :run_id AND {IS_DUE}"""
)
LET_GO = Statement("UPDATE workflow_run SET worker = NULL, due_at = :now WHERE id = :run_id AND worker = :worker")
HELD = Query[Record](dict, f"{ONE_RUN} AND worker = :worker FOR UPDATE")
CANCEL_OPEN = Statement(
    f"""UPDATE workflow_run SET status = 'cancelled', updated_at = :now, finished_at = :now,
    due_at = CASE WHEN worker IS NULL THEN NULL ELSE due_at END
    WHERE business_id = :business_id AND {OF_WORKFLOW} AND due_at IS NOT NULL AND status <> 'cancelled'"""
)
FORGET = Statement(
    """DELETE FROM workflow_run WHERE id IN (
        SELECT id FROM workflow_run WHERE due_at IS NULL AND finished_at < :before LIMIT :most)"""
)
NO_RUN = """NOT EXISTS (SELECT 1 FROM workflow_run AS run
    WHERE run.business_id = workflow_version.business_id AND run.version_id = workflow_version.id)"""
UNUSED = Statement(f"SELECT id FROM workflow_version WHERE {NO_RUN} LIMIT :most FOR UPDATE SKIP LOCKED")
# looked at once more, now that nobody else can let a run begin with them
FORGET_VERSIONS = Statement(f"DELETE FROM workflow_version WHERE id IN (:ids...) AND {NO_RUN}")
# A member's rights as they are now, and how the trail calls them
MEMBER = Query[tuple[Any, ...]](
    tuple,
    """SELECT usership.permissions, users.id, users.email, users.language, 0,
    trim(users.first_name || ' ' || users.last_name) AS name
    FROM usership JOIN users ON users.id = usership.user_id
    WHERE usership.business_id = :business_id AND usership.user_id = :user_id""",
)


def get_run(
    conn: Connection, business_id: int, workflow_id: int, run_id: int, *, for_update: bool = False
) -> Record | None:
    """Return a run of a workflow with its graph, or None."""
    query = RUN_FOR_UPDATE if for_update else RUN
    return query.one(conn, business_id=business_id, workflow_id=workflow_id, run_id=run_id)


def version_of(conn: Connection, workflow: Mapping[str, Any]) -> int:
    """Return the id of the graph that runs of a workflow begin with now, which is kept once for all of them."""
    latest = LATEST_VERSION.one(conn, business_id=workflow["business_id"], workflow_id=workflow["id"])
    graph = {name: workflow[name] for name in ("version_number", "react_flow_data")}
    if latest is not None and latest[1:] == tuple(graph.values()):
        return latest[0]
    row = {"business_id": workflow["business_id"], "workflow_id": workflow["id"], **graph}
    return insert(conn, "workflow_version", row)


def cancel_open(conn: Connection, business_id: int, workflow_id: int, now: str) -> None:
    """Cancel the runs of a workflow that are not over; who is at one says how that ends."""
    CANCEL_OPEN.run(conn, business_id=business_id, workflow_id=workflow_id, now=now)


def add_run(conn: Connection, run: Mapping[str, Any]) -> int:
    """Insert a run and return its id."""
    return insert(conn, "workflow_run", run)


def add_runs(conn: Connection, runs: Iterable[Mapping[str, Any]]) -> None:
    """Insert runs; of an event a workflow has one for each of its nodes."""
    insert_many(conn, "workflow_run", runs)


def change_run(conn: Connection, run: Record, values: Mapping[str, Any]) -> None:
    """Write some columns of a run."""
    update(conn, "workflow_run", values, business_id=run["business_id"], id=run["id"])


def look_until(conn: Connection, business_id: int, workflow_id: int, number: int, held_until: str | None) -> None:
    """Note up to which event a workflow was looked at, and until when it is not looked at again."""
    values = {"event_number": number, "held_until": held_until}
    update(conn, "workflow", values, business_id=business_id, id=workflow_id)


def recent(conn: Connection, business_id: int, workflow_id: int, *, since: str, most: int) -> tuple[int, str | None]:
    """Return how many runs of a workflow began after a moment, up to so many, and when the first of these did."""
    found = RECENT.one(conn, business_id=business_id, workflow_id=workflow_id, since=since, most=most)
    assert found is not None
    return found


def forget(conn: Connection, before: str, most: int) -> int:
    """Delete a portion of the runs that were over before a moment, and return how many."""
    return FORGET.run(conn, before=before, most=most)


def forget_versions(conn: Connection, most: int) -> int:
    """Delete a portion of the graphs that no run began with, and return how many."""
    ids = UNUSED.values(conn, most=most)
    return FORGET_VERSIONS.run(conn, ids=ids) if ids else 0


def held_back(conn: Connection, now: str) -> list[Held]:
    """Return the enabled workflows that begin no runs for a while."""
    return HELD_BACK.all(conn, now=now)


def behind(conn: Connection, place: Place, now: str) -> list[int]:
    """Return the enabled workflows of a business with events that they were not looked at for and are to be."""
    return BEHIND.values(conn, business_id=place.business_id, now=now)


def matching(
    conn: Connection, business_id: int, types: Iterable[str], *, after: int, until: int, most: int
) -> list[tuple[int, str]]:
    """Return number and type of the first events of some types, after one and up to another, that no workflow made."""
    return MATCHING.all(conn, business_id=business_id, types=types, after=after, until=until, most=most)


def event(conn: Connection, business_id: int, number: int) -> tuple[str, str] | None:
    """Return type and data of an event."""
    return EVENT.one(conn, business_id=business_id, number=number)


def waiting(conn: Connection, now: str) -> list[Place]:
    """Return the businesses that have runs that are due, or events that a workflow was not looked at for."""
    return WAITING.all(conn, now=now)


def due_runs(conn: Connection, place: Place, now: str, most: int, *, sends: bool) -> list[Due]:
    """Return the runs of a business that have been due for the longest time: those that send next, or the others."""
    found = DUE.all(conn, business_id=place.business_id, now=now, most=most, sends=sends)
    return [Due(place, *row) for row in found]


def place_of(conn: Connection, slug: str) -> Place | None:
    """Return the business of a slug."""
    return IN_PLACE.one(conn, slug=slug)


def take(conn: Connection, due: Due, worker: str, *, now: str, until: str) -> bool:
    """Take a run until a moment; say whether it was still there to be taken."""
    return TAKE.run(conn, run_id=due.run_id, worker=worker, now=now, until=until) == 1


def let_go(conn: Connection, due: Due, worker: str, now: str) -> None:
    """Let anybody take a run again that a worker has."""
    LET_GO.run(conn, run_id=due.run_id, worker=worker, now=now)


def held(conn: Connection, due: Due, worker: str) -> Record | None:
    """Return a run if a worker still has it, and keep others away from it until the commit."""
    business_id = due.place.business_id
    return HELD.one(conn, business_id=business_id, workflow_id=due.workflow_id, run_id=due.run_id, worker=worker)


def member(conn: Connection, business_id: int, user_id: int | None) -> tuple[Caller, frozenset[str]] | None:
    """Return who a user is and what they may do in a business now; None for who is no member."""
    found = MEMBER.one(conn, business_id=business_id, user_id=user_id)
    return None if found is None else (Caller(*found[1:]), frozenset(found[0].split()))
