"""Workflows for tests, and what they did: graphs by short words, runs by their numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from acctcli.service.cases.workflows.running import Ran, Runs
from acctcli.service.delivery.requests import Answer, Outgoing, Send
from tests.graphs import FLAG, LOG, MANUAL, Row, edge, graph, node, uuid
from tests.service.actor import INSTALLATION, World
from tests.service.routes.books import Books

DAY = "2026-03-02"
HOOK = "https://shop.example/hook?x=1"


@dataclass
class Receiver:
    """Takes what is sent, in place of the internet; `answers` by address, 204 unless told."""

    answers: dict[str, Answer] = field(default_factory=dict)
    taken: list[Outgoing] = field(default_factory=list)

    def __call__(self, outgoing: Outgoing) -> Answer:
        self.taken.append(outgoing)
        return self.answers.get(outgoing.url, Answer(204))


def on(*types: str) -> Row:
    """Wait for events."""
    return {"type": "trigger.event", "data": {"event_types": [*types]}}


def when(path: str, operator: str, value: object = None) -> Row:
    """Ask something of the event."""
    return {"type": "condition", "data": {"path": path, "operator": operator, "value": value}}


def tag(*ids: int) -> Row:
    """Put tags on."""
    return {"type": "action.tag_document", "data": {"tag_ids": [*ids]}}


def send(url: str, method: str = "POST", body: object = None) -> Row:
    """Send something."""
    return {"type": "action.http_request", "data": {"url": url, "method": method, "body": body}}


def flow(kinds: list[Row], edges: list[tuple[int, int] | tuple[int, int, str]] | None = None) -> Row:
    """A graph of nodes numbered from 1, in a row unless edges are given: from, to, and maybe the handle."""
    rows = [(number, number + 1) for number in range(1, len(kinds))] if edges is None else edges
    nodes = [node(uuid(number), kind) for number, kind in enumerate(kinds, 1)]
    made = [
        edge(number, row[0], row[1], **({"sourceHandle": row[2]} if len(row) == 3 else {}))
        for number, row in enumerate(rows)
    ]
    return graph(nodes, made)


def runs(service: World, receiver: Send) -> Runs:
    """What advances runs, with the clock of the test."""
    return Runs(service.database, service.clock, service.entropy, INSTALLATION.trail_marker, receiver)


def enabled(books: Books, saved: Row, name: str = "x") -> int:
    """Create an enabled workflow and return its id."""
    return int(books.create("workflows/", {"name": name, "react_flow_data": saved, "enabled": True})["id"])


def advance(service: World, receiver: Send) -> list[Ran]:
    """Let everything happen that is due."""
    return list(_advanced(runs(service, receiver)))


def _advanced(work: Runs) -> Iterator[Ran]:
    while places := work.waiting():
        for place in places:
            yield from work.drain(place)


def listed(books: Books, workflow_id: int) -> list[Any]:
    """Return the runs of a workflow, the oldest first, each whole."""
    rows = books.get(f"workflows/{workflow_id}/runs/", page_size="200").body["results"]
    return [books.get(f"workflows/{workflow_id}/runs/{row['id']}/").body for row in reversed(rows)]


def states(run: Any) -> list[str]:
    """Return what became of each node, by number."""
    found = run["node_runs"]
    return [found[uuid(number)]["status"] for number in range(1, len(found) + 1)]


def trail(books: Books, *types: str) -> list[Any]:
    """Return the records of the trail that are of some types, the oldest first."""
    rows = books.get("audit/", page_size="200").body["results"]
    return [row for row in reversed(rows) if row["type"] in types]


BY_HAND = flow([MANUAL, LOG])
FLAGGING = flow([on("document.created"), FLAG])
