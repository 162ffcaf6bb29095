"""Who advances runs of workflows: a few threads for what is done to the books, and one for each request that waits.

Businesses have short turns at the books, one after another. What a run sends has a thread of its own, of which each
business has few places, and those whose receivers take their time have not all of them: a receiver that stands still
costs others nothing but a thread that sleeps. Any number of processes may do it at once: who has a run has it alone
(`cases/workflows/running.py`).
"""

from __future__ import annotations

import math
import threading
import time
from collections import Counter, deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from acctcli.service.cases.workflows.running import STEPS_AT_ONCE
from acctcli.service.http.logs import LOG
from acctcli.service.http.timers import repeat, start
from acctcli.service.problems import Problem
from acctcli.service.store.engine.connection import DatabaseFault

if TYPE_CHECKING:
    from collections.abc import Callable

    from acctcli.service.cases.workflows.running import Ran, Runs
    from acctcli.service.store.workflows import Due, Held, Place

LOOK_SECONDS = 2.0
# at the books
THREADS = 4
# a turn, before other businesses have theirs; it is shorter where many wait, so that all have one in a second or so
TURN_SECONDS, LEAST_SECONDS, ROUND_SECONDS = 0.25, 0.01, 1.0
# requests at once: of all, of a business, and of the workflows that one person saved
SENDING, OF_ONE_BUSINESS, OF_ONE_AUTHOR = 128, 2, 32
# businesses whose receivers take their time, or have not answered yet, have so many of them together
UNPROVEN = SENDING * 3 // 4
# a run that took longer to send is a slow one
SLOW_SECONDS = 3.0
# what is under way when all ends has so long
PARTING_SECONDS = 3.0
# of a command, which comes to an end
ROUNDS = 100


def advance(runs: Runs, seconds: float = math.inf) -> Iterator[Ran]:
    """Begin what is triggered, advance what is due, and yield what is over, until nothing is left to do, or enough.

    After so many seconds each run is left as soon as a step has ended. What the database refuses is raised when all
    that is over has been told.
    """
    end = time.monotonic() + seconds
    with ThreadPoolExecutor(THREADS * OF_ONE_BUSINESS) as pool:
        for _ in range(ROUNDS):
            if time.monotonic() >= end or not (places := runs.waiting()):
                return
            lanes = [place for place in places for _ in range(OF_ONE_BUSINESS)]
            refusals = []
            for ended, refusal in pool.map(lambda place: _drained(runs, place, end), lanes):
                yield from ended
                refusals += [refusal] if refusal is not None else []
            if refusals:
                raise refusals[0]


def _drained(runs: Runs, place: Place, end: float) -> tuple[list[Ran], Problem | DatabaseFault | None]:
    """Advance the runs of a business up to a moment; return those that are over, and what ended it."""
    ended = []
    try:
        for ran in runs.drain(place, lambda: time.monotonic() < end):
            ended.append(ran)
    except (Problem, DatabaseFault) as refusal:
        return ended, refusal
    return ended, None


class Advancer:
    """The threads of one process, until it is told to end."""

    def __init__(self, runs: Runs) -> None:
        self._runs = runs
        self._looking = threading.Lock()
        self._ending = threading.Event()
        self._guard = threading.Lock()
        # businesses that wait for their turn, and those that have it
        self._queue: deque[Place] = deque()
        self._at_turn: set[int] = set()
        self._threads = 0
        self._sending: dict[int, Due] = {}
        self._quick: set[int] = set()
        self._held: set[Held] = set()

    def run(self) -> None:
        """Look now, and every few seconds; when all ends, give what is under way a little time, and leave the rest."""
        repeat(lambda: start(threading.Thread(target=self.look, daemon=True)), LOOK_SECONDS, self._ending)
        self.end()
        until = time.monotonic() + PARTING_SECONDS
        while (self._threads or self._sending) and time.monotonic() < until:
            time.sleep(0.02)

    def end(self) -> None:
        """Begin nothing more, and let `run` return soon: who was at a run leaves it to others, as if killed."""
        self._ending.set()

    def look(self) -> None:
        """Give each business in which something is to be begun or advanced a turn; wait for none of them."""
        if not self._looking.acquire(blocking=False):  # the look before is still under way
            return
        try:
            self._tell_held()
            for place in self._runs.waiting():
                self._line_up(place)
        except (Problem, DatabaseFault) as error:
            LOG.warning("runs of workflows wait for the database", exc_info=error)
        finally:
            self._looking.release()

    def _tell_held(self) -> None:
        """Log, once, which workflows begin no runs for a while."""
        held = set(self._runs.held())
        for one in sorted(held - self._held):
            LOG.warning(
                "workflow %s in %s began too many runs: no others until %s", one.workflow_id, one.slug, one.until
            )
        self._held = held

    # --- at the books ---

    def _line_up(self, place: Place) -> None:
        """Let a business wait for its turn, behind all others, and see that somebody comes to it."""
        with self._guard:
            known = {one.business_id for one in self._queue} | self._at_turn
            if place.business_id not in known:
                self._queue.append(place)
            if self._threads >= THREADS or self._ending.is_set():
                return
            self._threads += 1
        if not start(threading.Thread(target=self._work, name="workflows", daemon=True)):
            self._lose_thread()

    def _work(self) -> None:
        """Give businesses their turns until none waits for one."""
        try:
            while (place := self._next()) is not None:
                is_more = False
                try:
                    is_more = self._turn(place)
                except (Problem, DatabaseFault) as error:
                    LOG.warning("runs of workflows wait for the database", exc_info=error)
                finally:
                    with self._guard:
                        self._at_turn.discard(place.business_id)
                        if is_more:
                            self._queue.append(place)
        except BaseException:
            self._lose_thread()
            raise

    def _next(self) -> Place | None:
        """Return whose turn it is; None where nobody waits, and then this thread counts no more."""
        with self._guard:
            if not self._queue or self._ending.is_set():
                self._threads -= 1
                return None
            place = self._queue.popleft()
            self._at_turn.add(place.business_id)
            return place

    def _lose_thread(self) -> None:
        with self._guard:
            self._threads -= 1

    def _turn(self, place: Place) -> bool:
        """Let a business send, and advance its other runs for a moment; return whether there may be more to do."""
        until = self._until()
        self._let_send(place)
        for _ in self._runs.drain(place, until, sends=False):
            pass
        self._let_send(place)
        return not until()

    def _until(self) -> Callable[[], bool]:
        """Return what says whether a turn that begins now may go on."""
        with self._guard:
            share = ROUND_SECONDS * THREADS / (len(self._queue) + 1)
        end = time.monotonic() + min(TURN_SECONDS, max(LEAST_SECONDS, share))
        return lambda: time.monotonic() < end and not self._ending.is_set()

    # --- what sends ---

    def _let_send(self, place: Place) -> None:
        """Give runs of a business that send next a thread each, as far as there are places."""
        # those that have a thread may not have been taken yet
        for due in self._runs.due(place, OF_ONE_BUSINESS * 2, sends=True):
            if not self._enter(due):
                continue
            if not start(threading.Thread(target=self._send, args=[due], name="workflows", daemon=True)):
                self._leave(due)

    def _enter(self, due: Due) -> bool:
        """Take a place for a run, if there is one."""
        business = due.place.business_id
        with self._guard:
            under_way = self._sending.values()
            if due.run_id in self._sending or len(under_way) >= SENDING or self._ending.is_set():
                return False
            of_business = Counter(one.place.business_id for one in under_way)
            unproven = sum(number for one, number in of_business.items() if one not in self._quick)
            if business not in self._quick and unproven >= UNPROVEN:
                return False
            of_author = sum(one.author_id == due.author_id for one in under_way)
            if of_business[business] >= OF_ONE_BUSINESS or of_author >= OF_ONE_AUTHOR:
                return False
            self._sending[due.run_id] = due
            return True

    def _leave(self, due: Due) -> None:
        with self._guard:
            self._sending.pop(due.run_id, None)

    def _send(self, due: Due) -> None:
        """Send what a run sends next, and go on with it while that is quick; then its business has another turn."""
        began, is_taken = time.monotonic(), False
        try:
            is_taken = self._runs.advance(due, STEPS_AT_ONCE, self._until()) is not False
        except (Problem, DatabaseFault) as error:
            LOG.warning("runs of workflows wait for the database", exc_info=error)
        finally:
            self._leave(due)
            if is_taken:
                is_quick = time.monotonic() - began <= SLOW_SECONDS
                (self._quick.add if is_quick else self._quick.discard)(due.place.business_id)
                self._line_up(due.place)
