"""Who advances runs of workflows: threads, a few for each business, so that one that waits holds up no other.

Any number of processes may do it at once: who has a run has it alone (`cases/workflows/running.py`).
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from acctcli.service.http.logs import LOG
from acctcli.service.problems import Problem
from acctcli.service.store.engine.connection import DatabaseFault

if TYPE_CHECKING:
    from acctcli.service.cases.workflows.running import Ran, Runs
    from acctcli.service.store.workflows import Held, Place

LOOK_SECONDS = 2.0
THREADS = 8
OF_ONE_BUSINESS = 2
# before other businesses have their turn
TURN_SECONDS = 30.0
# of a command, which comes to an end
ROUNDS = 100


def advance(runs: Runs) -> Iterator[Ran]:
    """Begin what is triggered, advance what is due, and yield what is over, until nothing is left to do, or enough."""
    with ThreadPoolExecutor(THREADS) as pool:
        for _ in range(ROUNDS):
            if not (places := runs.waiting()):
                return
            lanes = [place for place in places for _ in range(OF_ONE_BUSINESS)]
            for ran in pool.map(lambda place: list(runs.drain(place)), lanes):
                yield from ran


class Advancer:
    """The threads of one process: at most so many, and at most so many of each business."""

    def __init__(self, runs: Runs) -> None:
        self._runs = runs
        self._guard = threading.Lock()
        self._taken: Counter[int] = Counter()
        self._looks = 0
        self._held: set[Held] = set()

    def keep(self) -> None:
        """Look now, and every few seconds; what goes wrong ends this look, or one thread, alone and is logged."""
        timer = threading.Timer(LOOK_SECONDS, self.keep)
        timer.daemon = True
        timer.start()
        threading.Thread(target=self.look, daemon=True).start()

    def look(self) -> None:
        """Give each business in which something is to be begun or advanced a thread; wait for none of them."""
        if not self._enter(0, 1):  # the look before is still under way
            return
        try:
            self._tell_held()
            places = self._runs.waiting()
            self._looks += 1
            first = self._looks % len(places) if places else 0
            # each has one before any has another, and it is not always the same ones that find no thread free
            for most in range(1, OF_ONE_BUSINESS + 1):
                for place in (*places[first:], *places[:first]):
                    if self._enter(place.business_id, most):
                        self._start(place)
        finally:
            self._leave(0)

    def _tell_held(self) -> None:
        """Log, once, which workflows begin no runs for a while."""
        held = set(self._runs.held())
        for one in sorted(held - self._held):
            LOG.warning(
                "workflow %s in %s began too many runs: no others until %s", one.workflow_id, one.slug, one.until
            )
        self._held = held

    def _start(self, place: Place) -> None:
        lane = threading.Thread(target=self._drain, args=[place], name="workflows", daemon=False)
        try:
            lane.start()
        except BaseException:
            self._leave(place.business_id)
            raise

    def _drain(self, place: Place) -> None:
        """Advance the runs of a business for a while; it ends with the process, after the step that is under way."""
        until = time.monotonic() + TURN_SECONDS

        def is_going() -> bool:
            return time.monotonic() < until and threading.main_thread().is_alive()

        try:
            for _ in self._runs.drain(place, is_going):
                pass
        except (Problem, DatabaseFault) as error:
            LOG.warning("runs of workflows wait for the database", exc_info=error)
        finally:
            self._leave(place.business_id)

    def _enter(self, number: int, most: int) -> bool:
        with self._guard:
            if self._taken[number] >= most or self._taken.total() > THREADS:
                return False
            self._taken[number] += 1
            return True

    def _leave(self, number: int) -> None:
        with self._guard:
            self._taken[number] -= 1
