"""A worker is killed at every point of a run, on both databases: it ends as it would have, and nothing is done twice.

All points with `--full`, a share of them otherwise.
"""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from acctcli.service.cases.workflows.running import LEASE
from acctcli.service.store import workflows
from tests.forks import run
from tests.graphs import FLAG, LOG, Row, uuid
from tests.loopback import LoopbackHandler, LoopbackServer, running
from tests.service.actor import World
from tests.service.cases.workflows import worker
from tests.service.cases.workflows.flows import (
    DAY,
    enabled,
    flow,
    listed,
    on,
    send,
    states,
    tag,
    trail,
    when,
)
from tests.service.routes.books import Books, open_books
from tests.sizes import is_full

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="Windows kills otherwise")

# transactions of a run: it is triggered and taken, each node has one, each that sends another one
TRANSACTIONS = 2 + 8 + 2
POINTS = [
    *((phase, number) for phase in ("inside", "after") for number in range(1, TRANSACTIONS + 1)),
    *((phase, number) for phase in ("before", "behind") for number in (1, 2)),
]
ENDED = [
    "completed", "completed", "completed", "completed", "completed",
    "skipped", "failed", "skipped", "completed", "completed",
]  # fmt: skip


class Hook(LoopbackServer):
    """Counts what arrives, by address and key."""

    def __init__(self) -> None:
        super().__init__(HookHandler)
        self.taken: Counter[tuple[str, str]] = Counter()


class HookHandler(LoopbackHandler):
    server: Hook

    def answer(self) -> None:
        self.read_body()
        self.server.taken[self.path, self.headers["Idempotency-Key"]] += 1
        self.send(self.reply(503 if self.path == "/broken" else 200, []))


@contextmanager
def hook() -> Iterator[Hook]:
    server = Hook()
    with running(server):
        yield server


def ten_nodes(url: str, tag_id: int) -> Row:
    """Branches, a join of two ways that are taken, one of a way that is and one that is not, and a step that fails."""
    kinds = [
        on("document.created"), when("balance", "gte", 100), tag(tag_id), FLAG, send(f"{url}/fine", body={"a": 1}),
        LOG, send(f"{url}/broken"), LOG, LOG, LOG,
    ]  # fmt: skip
    edges = [(1, 2), (2, 3, "true"), (3, 4), (3, 5), (2, 6, "false"), (2, 7, "true"), (7, 8), (4, 9), (5, 9), (9, 10)]
    return flow(kinds, [*edges, (6, 10)])  # type: ignore[list-item]


def die(url: str, ahead: int, number: int, phase: str) -> bool:
    """Run a worker until it ends; say whether it did so at its point."""
    code = run(worker.main, url, str(ahead), str(number), phase)
    assert code in (0, -signal.SIGKILL)
    return code != 0


def check(service: World, books: Books, workflow: int, document: int, server: Hook) -> None:
    """See that everything was done, and once."""
    (run,) = listed(books, workflow)
    assert (run["status"], states(run), run["last_error"]) == ("failed", ENDED, "The answer was 503.")
    # what a node did and that it did are one: none finds its own work done
    assert [run["node_runs"][uuid(number)]["output"]["changed"] for number in (3, 4)] == [True, True]
    after = books.get(f"document/{document}/").body
    assert (len(after["tag_ids"]), after["is_flagged"]) == (1, True)
    made = [(one["type"], one["record_id"], one["via"]) for one in trail(books, "document.updated", "document.flagged")]
    assert made == [("document.updated", document, "workflow"), ("document.flagged", document, "workflow")]
    assert books.get("audit/verification/").body["faults"] == []
    assert sorted(path for path, _ in server.taken) == ["/broken", "/fine"]  # each under one key
    with service.database.read() as conn:
        assert workflows.waiting(conn, "9") == []


@pytest.mark.everywhere
@pytest.mark.parametrize(("phase", "number"), POINTS if is_full() else [*POINTS[::5], POINTS[-1]], ids=str)
def test_a_worker_is_killed_at_a_point(service: World, database_url: str, phase: str, number: int) -> None:
    books = open_books(service.user())
    with hook() as server:
        workflow = enabled(books, ten_nodes(server.base_url, books.tag("large")))
        document = books.document(DAY, "100.00")["id"]
        assert die(database_url, 0, number, phase)
        # another one goes on when the lease has ended
        assert not die(database_url, round(LEASE.total_seconds()), 10**6, phase)
        check(service, books, workflow, document, server)
        sent_again = sum(server.taken.values()) - 2
        was_sending = phase == "behind"
        assert sent_again == (1 if was_sending or (phase, number) in SENT_AND_LOST else 0)


# who died in the transaction that notes an answer
SENT_AND_LOST = {("inside", number) for number in (8, 10)}


def test_one_worker_after_another_is_killed(service: World, database_url: str) -> None:
    books, deaths, lease = open_books(service.user()), 0, round(LEASE.total_seconds())
    with hook() as server:
        workflow = enabled(books, ten_nodes(server.base_url, books.tag("large")))
        document = books.document(DAY, "100.00")["id"]
        # takes it, does two steps, and dies in the next one, whose work is lost
        while die(database_url, deaths * lease, 4, "inside"):
            deaths += 1
            assert deaths < 20
        check(service, books, workflow, document, server)
    assert deaths >= 4
