"""Processes that deliver are killed again and again, while receivers fail in all the ways they can: nothing is lost."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests import deliverer
from tests.databases import Factory, opened
from tests.forks import Fork
from tests.receiver import Answer, Handler, Received, receiving
from tests.service.actor import world
from tests.service.http.test_delivering import SECONDS, Company, wait_until
from tests.sizes import is_full

pytestmark = pytest.mark.everywhere


class Whims:
    """A receiver that fails at three deliveries in ten, at most three times at each, in all the ways it can."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._failed: Counter[str] = Counter()
        self._lock = threading.Lock()
        self.kinds: Counter[str] = Counter()
        self.texts: Counter[str] = Counter()
        self.bodies: dict[str, bytes] = {}
        # how often each was answered with 200
        self.taken: Counter[str] = Counter()

    def __call__(self, handler: Handler, received: Received) -> int | None:
        with self._lock:
            name = received.headers["webhook-id"]
            assert self.bodies.setdefault(name, received.body) == received.body
            self.texts[json.loads(received.body)["data"].get("text", "")] += 1
            whim = self._random.choice((self.refuse, self.stall, self.drip, handler.reset))
            if self._random.random() >= 0.3 or self._failed[name] >= 3:
                self.taken[name] += 1
                return 200
            self._failed[name] += 1
            self.kinds[whim.__name__] += 1
        if whim == handler.reset:
            handler.reset()
            return None
        return whim(handler)  # type: ignore[call-arg]

    def refuse(self, _: Handler) -> int:
        return 500

    def stall(self, handler: Handler) -> None:
        handler.wait_for_client_to_leave()

    def drip(self, handler: Handler) -> None:
        with suppress(OSError):
            for letter in b"HTTP/1.1 200 OK\r\n" * 10:
                handler.send(bytes([letter]))
                time.sleep(0.05)


@contextmanager
def down(company: Company) -> Iterator[None]:
    """Let nobody listen where deliveries go, from the beginning of a block until somebody has found it so."""
    places = "SELECT target_url FROM webhook_subscription"
    refused = "SELECT count(*) FROM webhook_delivery WHERE last_error = 'connection_refused'"

    def go(target: str) -> None:
        company.database.write(lambda conn: conn.run(f"UPDATE webhook_subscription SET target_url = '{target}'"))

    def count(statement: str) -> Any:
        with company.database.read() as conn:
            return conn.fetch(statement)[1][0][0]

    place = count(places)
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        go(f"http://127.0.0.1:{nobody.getsockname()[1]}/")
        yield
        wait_until(lambda: count(refused))
        go(place)


@pytest.mark.parametrize("workers", [2])
def test_killed_again_and_again_they_lose_nothing(factory: Factory, workers: int) -> None:
    number, kills = (10_000, 20) if is_full() else (150, 4)
    url = factory.fresh()
    whims = Whims(number)
    answer: Answer = whims
    with opened(url) as database, world(database) as service, receiving(answer) as receiver, ExitStack() as stack:
        service.clock.now = datetime.now(UTC)
        company = Company(service)
        made = company.subscribe(receiver.base_url)
        running = [stack.enter_context(Deliverer(url)) for _ in range(workers)]
        portions = 50
        for portion in range(portions):
            with down(company) if portion % 10 == 5 else nullcontext():
                company.happen(number // portions)
            company.happen(3, "taken back", fails=True)
            if portion % (portions // kills) == 0:
                running[portion % workers].kill_and_begin_again()
            time.sleep(0.02)
        wait_for(lambda: company.told(made), number)
        assert company.statuses() == company.counted() == {(made["id"], "delivered"): number}
    assert min(whims.kinds[one] for one in ("refuse", "stall", "drip", "reset")) > 0
    assert whims.texts["taken back"] == 0
    assert whims.texts["committed"] >= number
    # of each event a delivery arrived, under an id that does not change
    assert {json.loads(body)["id"] for body in whims.bodies.values()} == numbers_of(number, whims)
    assert len(whims.bodies) == number
    # kills came between an answer and its note, as who dies there is not known to have delivered
    assert max(whims.taken.values()) > 1 or not is_full()


def numbers_of(number: int, whims: Whims) -> set[int]:
    found = {int(name.removeprefix("evt_")) for name in whims.bodies}
    assert len(found) == number
    assert max(found) - min(found) == number - 1
    return found


def wait_for(count: Callable[[], int], number: int) -> None:
    """Wait until there are so many, as long as there are more of them every now and then."""
    last, until = -1, time.monotonic() + SECONDS
    while (found := count()) < number:
        if found > last:
            last, until = found, time.monotonic() + SECONDS
        assert time.monotonic() < until, (found, number)
        time.sleep(0.1)


class Deliverer:
    """A process that delivers, in a hurry."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._begin()

    def _begin(self) -> None:
        reading, writing = os.pipe()
        with os.fdopen(reading) as said, os.fdopen(writing, "w") as saying, Path(os.devnull).open() as nothing:
            self._process = Fork(deliverer.main, self._url, "hurry", variables=os.environ, streams=(nothing, saying))
            saying.close()
            assert said.readline() == "begun\n"

    def kill_and_begin_again(self) -> None:
        self._process.end(signal.SIGKILL)
        self._process.wait(SECONDS)
        self._begin()

    def __enter__(self) -> Deliverer:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.end(signal.SIGTERM)
        assert self._process.wait(SECONDS) == 0
