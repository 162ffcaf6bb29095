"""Runs of workflows go on: taken by a worker for a while, a step in each transaction (docs/interface.md 11.3).

What a step does to the books, and that it did, are one transaction. What a step sends leaves between two: the first
notes that it is under way, so that whoever goes on after an interruption sends the same again, under the same key.
A worker that is gone has its run until the end of its lease, and nothing it does after that is kept.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, NamedTuple

from acctcli.service.cases.work import Work
from acctcli.service.cases.workflows import starting, steps
from acctcli.service.cases.workflows.starting import decode, encode
from acctcli.service.cases.workflows.steps import SENDING, Happened
from acctcli.service.problems import Problem, Unavailable
from acctcli.service.rules import workflows as rules
from acctcli.service.store import workflows
from acctcli.service.store.engine.connection import DatabaseFault, explain
from acctcli.service.store.events import Author, Mark
from acctcli.service.store.moments import stamp
from acctcli.service.store.people.admission import Scope
from acctcli.service.store.people.users import Caller

if TYPE_CHECKING:
    from collections.abc import Mapping

    from acctcli.service.delivery.requests import Answer, Outgoing, Send
    from acctcli.service.store.engine.database import Connection, Database
    from acctcli.service.store.rows import Record
    from acctcli.service.store.workflows import Due, Held, Place

ORIGIN = "http://localhost"
VIA = "workflow"
# longer than a step may take, which each one begins anew
LEASE = timedelta(seconds=60)
MOST_STEPS = 500
MOST_SPENT_MS = 600_000
# how often a request is sent that nobody saw the end of
MOST_SENT = 5
# of one run, and of one business, before others have their turn
STEPS_AT_ONCE = 50
RUNS_AT_ONCE = 20
# of a preview, of a business
MOST_TOLD = 1_000
# of all workflows of a business, before runs are advanced
MOST_BEGUN = 200
NOBODY = Caller(0, "", None, 0)


class Ran(NamedTuple):
    """A run that is over."""

    business: str
    workflow_id: int
    run_id: int
    status: str
    error: str | None


class Sending(NamedTuple):
    """What a node sends; that it does is noted."""

    node: str
    outgoing: Outgoing


class Next(Enum):
    """What follows a step of a run that is not over."""

    DO = auto()
    SEND = auto()
    # the run is somebody else's by now, or gone
    LOST = auto()


Outcome = Ran | Sending | Next


def go_on() -> bool:
    """Say that nothing is in the way of the next step."""
    return True


@dataclass(frozen=True, slots=True)
class Runs:
    """Begins and advances the runs of all businesses."""

    database: Database
    clock: Callable[[], datetime]
    entropy: Callable[[int], bytes]
    marker: Callable[[], Mark]
    send: Send

    def waiting(self) -> list[Place]:
        """Return the businesses in which there is something to begin or to advance."""
        with self.database.read() as conn:
            return workflows.waiting(conn, stamp(self.clock()))

    def trigger(self, place: Place) -> int:
        """Begin what events of a business trigger that were recorded since the last time; return how many runs.

        Beyond so many the other workflows of the business wait until these have been advanced.
        """
        with self.database.read() as conn:
            behind = workflows.behind(conn, place, stamp(self.clock()))
        began = 0
        for one in behind:
            began += self._trigger(place.business_id, one)
            if began >= MOST_BEGUN:
                break
        return began

    def _trigger(self, business_id: int, workflow_id: int) -> int:
        now = self.clock()
        return self.database.write(lambda conn: starting.trigger(conn, business_id, workflow_id, now, self.entropy))

    def preview(self, place: Place) -> list[tuple[int, int | None]]:
        """Tell what is due in a business: workflows with a run, or with none where an event would begin one."""
        now = self.clock()
        with self.database.read() as conn:
            due = [
                (one.workflow_id, one.run_id)
                for sends in (False, True)
                for one in workflows.due_runs(conn, place, stamp(now), MOST_TOLD, sends=sends)
            ]
            begins = [
                (one, None)
                for one in workflows.behind(conn, place, stamp(now))
                for _ in range(starting.count_planned(conn, place.business_id, one, now))
            ]
        return [*due, *begins]

    def held(self) -> list[Held]:
        """Return the workflows that began so many runs that they begin no others for a while."""
        with self.database.read() as conn:
            return workflows.held_back(conn, stamp(self.clock()))

    def drain(self, place: Place, is_going: Callable[[], bool] = go_on, *, sends: bool = True) -> Iterator[Ran]:
        """Advance the runs of a business that are due, one after another, then begin others; yield those that are over.

        It ends when there is nothing to do, when others are to have their turn, or after the step with which `is_going`
        ends. Unless it `sends`, runs that send next are left where they are.
        """
        for _ in range(RUNS_AT_ONCE):
            if not is_going():
                return
            due = self.due(place, 1, sends=False) or (self.due(place, 1, sends=True) if sends else [])
            if not due:
                if not self.trigger(place):
                    return
                continue
            if isinstance(ran := self.advance(due[0], STEPS_AT_ONCE, is_going, sends=sends), Ran):
                yield ran

    def due(self, place: Place, most: int, *, sends: bool) -> list[Due]:
        """Return the runs of a business that have been due for longest: those that send next, or the others."""
        with self.database.read() as conn:
            return workflows.due_runs(conn, place, stamp(self.clock()), most, sends=sends)

    def advance(self, due: Due, most: int, is_going: Callable[[], bool] = go_on, *, sends: bool = True) -> Ran | bool:
        """Take a run and do some steps of it; return it when it is over, else whether it was there to be taken.

        It is left to others then, and unless it `sends`, before a step that would. What ends with an error is due again
        after the lease.
        """
        worker = self.entropy(16).hex()
        now = self.clock()
        until = stamp(now + LEASE)
        if not self.database.write(lambda conn: workflows.take(conn, due, worker, now=stamp(now), until=until)):
            return False
        told: dict[int, Happened] = {}
        for _ in range(most):
            done = self._step(due, worker, told, sends=sends)
            if isinstance(done, Ran):
                return done
            if done is Next.LOST:
                return False
            if (done is Next.SEND and not sends) or not is_going():
                break
        self.database.write(lambda conn: workflows.let_go(conn, due, worker, stamp(self.clock())))
        return True

    def _step(self, due: Due, worker: str, told: dict[int, Happened], *, sends: bool) -> Ran | Next:
        """Do one step: what it sends leaves between two transactions. Events that were read are `told`."""
        done = self.database.write(lambda conn: _Turn(self, conn, due, told).begin(worker, sends=sends))
        if not isinstance(done, Sending):
            return done
        told.clear()  # others may be sending meanwhile, and each would hold what may be large
        began = time.monotonic()
        answer = self.send(done.outgoing)
        spent, node = round((time.monotonic() - began) * 1000), done.node
        ended = self.database.write(lambda conn: _Turn(self, conn, due, told).note(worker, node, answer, spent))
        assert not isinstance(ended, Sending)
        return ended


class _Turn:
    """One transaction of a run: what was, what is done, and what is written of it."""

    def __init__(self, runs: Runs, conn: Connection, due: Due, told: dict[int, Happened]) -> None:
        self._runs = runs
        self._conn = conn
        self._due = due
        self._told = told
        now = runs.clock()
        self._now, self._stamp, self._until = now, stamp(now), stamp(now + LEASE)

    def begin(self, worker: str, *, sends: bool) -> Outcome:
        """Do the next node, or note that it is sending; unless it `sends`, note only that it is to."""
        if not self._load(worker):
            return Next.LOST
        if self.run["status"] == rules.CANCELLED:
            self._fail_running("The run was cancelled, and whoever was at it did not say how this ended.")
            return self._write()
        if self.run["status"] == rules.PENDING:
            self.run |= {"status": rules.RUNNING, "started_at": self._stamp}
        if self.run["steps"] >= MOST_STEPS:
            return self._give_up(f"The run took more than {MOST_STEPS} steps.")
        if self.run["spent_ms"] >= MOST_SPENT_MS:
            return self._give_up(f"The run waited more than {MOST_SPENT_MS // 60_000} minutes for answers.")
        node = rules.next_node(self.graph, self.nodes, self.run["trigger_node_uuid"])
        if node is None or (node["type"] == SENDING and not sends):
            return self._write()
        self.run["steps"] += 1
        return self._send(node) if node["type"] == SENDING else self._do(node)

    def note(self, worker: str, node: str, answer: Answer, spent_ms: int) -> Outcome:
        """Note how a node that sent was answered, also in a run that was cancelled meanwhile."""
        if not self._load(worker):
            return Next.LOST
        self.run["spent_ms"] += spent_ms
        output = {**self.nodes[node]["output"], "status": answer.status}
        if answer.status is None:
            self._end(node, rules.FAILED, output, answer.error)
        elif 200 <= answer.status < 300:
            self._end(node, rules.COMPLETED, output)
        else:
            self._end(node, rules.FAILED, output, f"The answer was {answer.status}.")
        return self._write()

    def _load(self, worker: str) -> bool:
        if not workflows.lock(self._conn, self._due.place.business_id):
            return False
        run = workflows.held(self._conn, self._due, worker)
        if run is None:
            return False
        self.run: Record = run
        self.graph: Mapping[str, Any] = decode(run["react_flow_data"])
        self.nodes = starting.nodes_of_run(run, self.graph)
        return True

    def _do(self, node: Mapping[str, Any]) -> Outcome:
        name = node["id"]
        self.nodes[name]["started_at"] = self._stamp
        try:
            with self._conn.savepoint():
                output = steps.perform(self._work(), node, self._happened())
        except (Problem, DatabaseFault) as error:
            self._end(name, rules.FAILED, None, _told(error))
        else:
            self._end(name, rules.COMPLETED, output)
        return self._write()

    def _send(self, node: Mapping[str, Any]) -> Outcome:
        name, key = node["id"], steps.outgoing(node, self.run["mark"])
        before = self.nodes[name]["output"] or {"attempts": 0}
        self.nodes[name]["started_at"] = self.nodes[name]["started_at"] or self._stamp
        if before["attempts"] >= MOST_SENT:
            self._end(name, rules.FAILED, before, f"It was sent {MOST_SENT} times, and each time interrupted.")
            return self._write()
        try:
            steps.check_author(self._work())
        except Problem as refusal:
            self._end(name, rules.FAILED, before, refusal.detail)
            return self._write()
        output = {"idempotency_key": key.key, "attempts": before["attempts"] + 1}
        self.nodes[name] |= {"status": rules.RUNNING, "output": output}
        self._write()
        return Sending(name, key)

    def _work(self) -> Work:
        """Return what cases work with: as whoever saved the workflow, with the rights that they have now."""
        place, run = self._due.place, self.run
        user, permissions = NOBODY, frozenset[str]()
        if (member := workflows.member(self._conn, place.business_id, run["author_id"])) is not None:
            user, permissions = member
        does = f"workflow {run['workflow_id']} run {run['id']}"
        author = Author(user.id or None, user.called, "", VIA, run["mark"], does, self._runs.marker)
        scope = Scope(*place, permissions)
        return Work(self._conn, self._now, user, scope, self._runs.entropy, ORIGIN, author=author)

    def _happened(self) -> Happened:
        number = self.run["event_id"]
        if number is None:
            return Happened("", decode(self.run["input"] or "{}"))
        if number not in self._told:  # it may be large, and does not change
            found = workflows.event(self._conn, self._due.place.business_id, number)
            self._told[number] = Happened() if found is None else Happened(found[0], decode(found[1]))
        return self._told[number]

    def _end(self, name: str, status: str, output: Any, error: str | None = None) -> None:
        self.nodes[name] |= {"status": status, "finished_at": self._stamp, "output": output, "error": error}
        if error is not None:
            self.run["last_error"] = error

    def _fail_running(self, error: str) -> None:
        for name, node in self.nodes.items():
            if node["status"] == rules.RUNNING:
                self._end(name, rules.FAILED, node["output"], error)

    def _give_up(self, error: str) -> Outcome:
        self._fail_running(error)
        rules.skip_rest(self.nodes)
        self.run |= {"status": rules.FAILED, "last_error": error}
        return self._write()

    def _write(self) -> Ran | Next:
        """Write what became of the run; it is over when no node has anything to do any more."""
        run = self.run
        node = rules.next_node(self.graph, self.nodes, run["trigger_node_uuid"])
        if node is None and run["status"] == rules.RUNNING:
            is_failed = any(one["status"] == rules.FAILED for one in self.nodes.values())
            run["status"] = rules.FAILED if is_failed else rules.COMPLETED
        if node is None:
            run |= {"due_at": None, "worker": None, "finished_at": run["finished_at"] or self._stamp}
        else:
            run["due_at"] = self._until
        run["sends"] = node is not None and node["type"] == SENDING
        names = ("status", "started_at", "finished_at", "last_error", "steps", "spent_ms", "worker", "due_at", "sends")
        values = {name: run[name] for name in names}
        nodes = encode(rules.begun(self.nodes)).decode()
        workflows.change_run(self._conn, run, {**values, "node_runs": nodes, "updated_at": self._stamp})
        if node is not None:
            return Next.SEND if run["sends"] else Next.DO
        return Ran(self._due.place.slug, run["workflow_id"], run["id"], run["status"], run["last_error"])


def _told(error: Problem | DatabaseFault) -> str:
    """Return what a node failed for; raise what says nothing of it, such as that the database is gone."""
    problem = explain(error)
    if problem is None or isinstance(problem, Unavailable):
        raise error
    return problem.detail
