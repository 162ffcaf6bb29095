"""`python -m tests.bench.deliveries [N]`: deliveries a second to a fast receiver on this machine, on both databases.

With one process and with two; and how much longer they take beside a receiver that stands still. It also says what an
idle process costs while 10,000 deliveries wait. Exits with 1 if a figure misses its limit.
"""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from acctcli.service.store import events
from acctcli.service.store.engine.database import Connection, Database
from acctcli.service.store.moments import stamp
from tests.bench.measure import Result, median_ratio, render_table, take_turns
from tests.databases import Factory, SqliteFactory, opened
from tests.postgres import Cluster, give, held_folder
from tests.service.actor import World, world

RECEIVER = """
import asyncio
async def answer(reader, writer):
    try:
        head = await reader.readuntil(b"\\r\\n\\r\\n")
        length = int(next(l for l in head.lower().split(b"\\r\\n") if l.startswith(b"content-length:")).split(b":")[1])
        await reader.readexactly(length)
        writer.write(b"HTTP/1.1 204 No Content\\r\\n\\r\\n")
        await writer.drain()
    finally:
        writer.close()
async def main():
    server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()
asyncio.run(main())
"""
WAITING = 10_000
IDLE_SECONDS = 10.0
PAIRS = 9
# of the time that deliveries take alone, beside a receiver that stands still; and of a processor while all wait
BESIDE, IDLE = 1.1, 0.05


@contextlib.contextmanager
def process(*words: str) -> Iterator[subprocess.Popen[str]]:
    """Run a program of Python for a block, from when it has said something."""
    with subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE, text=True) as made:
        try:
            yield made
        finally:
            made.terminate()
            made.wait(30)


def first_line(made: subprocess.Popen[str]) -> str:
    assert made.stdout is not None
    return made.stdout.readline().strip()


def fill(service: World, number: int, *targets: str) -> None:
    """Make a business with subscriptions and events, of the size that those of documents have."""
    actor = service.user()
    business = actor.create_business()
    path = f"/v1/business/{business['slug']}/webhook_subscriptions/"
    for target in targets:
        assert actor.send("POST", path, {"name": "bench", "target_url": target}).status == 201

    def work(conn: Connection) -> None:
        for one in range(number):
            data = {"id": one, "text": "x" * 1500}
            events.record(conn, business["id"], "document.updated", data, stamp(service.clock.now))

    service.database.write(work)


def left(database: Database) -> int:
    with database.read() as conn:
        statement = "SELECT count(*) FROM webhook_delivery WHERE status = 'delivered'"
        return int(conn.fetch(statement)[1][0][0])


def measure(url: str, number: int, workers: int) -> float:
    """Return how many deliveries a second processes make."""
    with process("-c", RECEIVER) as receiver, opened(url) as database, world(database) as service:
        fill(service, number, f"http://127.0.0.1:{first_line(receiver)}/")
        with contextlib.ExitStack() as stack:
            begun = time.monotonic()
            for _ in range(workers):
                made = stack.enter_context(process("-m", "tests.deliverer", url))
                assert first_line(made) == "begun"
                begun = time.monotonic()
            while left(database) < number:
                time.sleep(0.02)
            return number / (time.monotonic() - begun)


def takes(url: str, number: int, *, is_beside: bool) -> float:
    """Return the seconds that deliveries to a fast receiver take, maybe beside one that stands still."""
    with (
        process("-c", RECEIVER) as receiver,
        socket.create_server(("127.0.0.1", 0), backlog=1024) as silent,
        opened(url) as database,
        world(database) as service,
    ):
        fast, dead = (f"http://127.0.0.1:{port}/" for port in (first_line(receiver), silent.getsockname()[1]))
        # the one that stands still comes first, so that the other one is told of no more than without it
        fill(service, number, *((dead, fast) if is_beside else (fast,)))
        with process("-m", "tests.deliverer", url) as made:
            assert first_line(made) == "begun"
            begun = time.monotonic()
            while left(database) < number:
                time.sleep(0.005)
            return time.monotonic() - begun


def slowed(factory: Factory, number: int) -> float:
    """Return how long deliveries take beside a receiver that stands still, by how long they take alone.

    The median of so many pairs, in turns: what else the machine does disturbs both alike.
    """
    return median_ratio(
        take_turns(
            PAIRS,
            lambda: takes(factory.fresh(), number, is_beside=True),
            lambda: takes(factory.fresh(), number, is_beside=False),
        )
    )


def idle(url: str) -> float:
    """Return the seconds of computing that a process needs in ten while deliveries wait for hours."""
    with opened(url) as database, world(database) as service:
        fill(service, 0, "http://127.0.0.1:1/")
        later = "2099-01-01T00:00:00.000000Z"
        row = f"'created', 'waiting', 7, '{later}', '2026', '2026'"
        columns = "event_type, status, attempts, due_at, created_at, updated_at"

        def work(conn: Connection) -> None:
            for number in range(WAITING):
                conn.run(
                    f"INSERT INTO webhook_delivery (business_id, subscription_id, event_number, slug, {columns}) "
                    f"SELECT business_id, id, {1_000_000 + number}, 'x', {row} FROM webhook_subscription"
                )

        database.write(work)
        with process("-m", "tests.deliverer", url) as made:
            assert first_line(made) == "begun"
            time.sleep(1)
            before = computed(made.pid)
            time.sleep(IDLE_SECONDS)
            return computed(made.pid) - before


def computed(number: int) -> float:
    words = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


class Kept:
    """Databases of a PostgreSQL server that waits for its disk, as one does that keeps books."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._number = 0

    def fresh(self) -> str:
        self._number += 1
        name = f"bench{self._number}"
        with self._cluster.connected() as conn:
            conn.execute(f"CREATE DATABASE {name}")
        with opened(self._cluster.url(name)) as database:
            database.migrate()
        return self._cluster.url(name)

    bare = fresh


def report(name: str, factory: Factory, number: int, least: float) -> list[Result]:
    """Measure on one kind of database, of which two processes must make the `least` number of deliveries a second."""
    one, two = (measure(factory.fresh(), number, workers) for workers in (1, 2))
    beside = slowed(factory, number)
    cost = idle(factory.fresh())
    results = [
        Result(f"{name}: one process", one / least, None, f"{one:.0f} deliveries/s"),
        Result(
            f"{name}: two processes", two / least, 1.0, f"{two:.0f} deliveries/s, {least:.0f} wanted", at_least=True
        ),
        Result(f"{name}: beside one that stands still", beside, BESIDE, "of the time that they take alone"),
        Result(f"{name}: idle", cost / IDLE_SECONDS, IDLE, f"{cost:.2f} s in {IDLE_SECONDS:.0f} s, {WAITING} wait"),
    ]
    print(render_table(results), flush=True)
    return results


def main(number: int = 3000) -> int:
    with tempfile.TemporaryDirectory() as folder:
        results = report("sqlite", SqliteFactory(Path(folder)), number, 60)
    with held_folder() as place:
        give(place)
        cluster = Cluster(place, {})
        cluster.make()
        with cluster.started():
            results += report("postgresql", Kept(cluster), number, 300)
    return 0 if all(result.passed for result in results) else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
