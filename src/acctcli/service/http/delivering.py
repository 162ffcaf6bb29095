"""Threads that deliver: one that takes what is due, and one for each attempt, in lanes that do not hold each other up.

A lane is what is sent to one subscription at a time; how many places it has, `places.py` says. So a receiver that
stands still costs others nothing but a thread that sleeps.
"""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from acctcli.service.cases.webhooks.delivering import SLOW_SECONDS, Ended
from acctcli.service.http.logs import LOG
from acctcli.service.http.places import ALL, MOST, Held, Places
from acctcli.service.problems import Problem
from acctcli.service.store.deliveries import STALLED
from acctcli.service.store.engine.connection import DatabaseFault, explain

if TYPE_CHECKING:
    from acctcli.service.cases.webhooks.delivering import Delivering
    from acctcli.service.store.deliveries import Claim, Lane

LOOK_SECONDS = 0.5
# so long a receiver that has not proved itself looks like one that answers: new ones wait for its place as long
NEW_SECONDS = 1.0
# what is under way when all ends has so long
PARTING_SECONDS = 3.0
# how long the database is left alone when it refuses
TROUBLE_SECONDS = 2.0


class UnderWay(NamedTuple):
    """An attempt that is under way; `begun` by a clock that nobody moves."""

    claim: Claim
    begun: float

    @property
    def is_slow(self) -> bool:
        """Whether it takes its time."""
        return self._lasts(SLOW_SECONDS)

    @property
    def held(self) -> Held:
        """The place that it has: soon that of who stands still, unless the receiver has proved itself."""
        answers = self.claim.answers
        is_still = answers <= 0 and self._lasts(NEW_SECONDS)
        return Held(self.claim.subscription_id, self.claim.business_id, STALLED if is_still else answers)

    def _lasts(self, seconds: float) -> bool:
        return time.monotonic() - self.begun > seconds


class Lanes:
    """Delivers until it is told to end: to all subscriptions, or to one only."""

    def __init__(self, delivering: Delivering, only: int | None = None) -> None:
        self._delivering = delivering
        self._only = only
        self._under_way: dict[int, UnderWay] = {}
        self._places = Places()
        # whose last attempt took its time
        self._slow: set[int] = set()
        self._ended: deque[Ended] = deque()
        self._wake = threading.Event()
        self._ending = threading.Event()
        # until when attempts begin, by the same clock
        self._last_moment = math.inf
        self.delivered = self.refused = self.given_up = 0
        self.is_cut_short = False

    def end(self) -> None:
        """Take nothing more, and let `run` return soon."""
        self._ending.set()
        self._wake.set()

    def run(self) -> None:
        """Deliver; a database that refuses is asked again."""
        while not self._is_over():
            try:
                is_busy = self._turn(None)
            except (Problem, DatabaseFault) as error:
                LOG.warning("deliveries wait for the database", exc_info=error)
                self._ending.wait(TROUBLE_SECONDS)
                continue
            if not is_busy:
                self._wake.wait(LOOK_SECONDS)
            self._wake.clear()
        self._part()

    def run_once(self, seconds: float = math.inf) -> None:
        """Deliver what is due now, and return; a receiver that takes its time gets the rest another time.

        After so many seconds no attempt begins any more, and what is left of others `is_cut_short`.
        """
        self._last_moment = time.monotonic() + seconds
        try:
            moment = self._delivering.catch_up()
            while self._turn(moment) or self._under_way:
                if self._under_way:
                    self._wake.wait(LOOK_SECONDS)
                self._wake.clear()
        except DatabaseFault as fault:
            raise explain(fault) or fault from fault

    def _is_over(self) -> bool:
        return self._ending.is_set() or not threading.main_thread().is_alive()

    def _turn(self, until: datetime | None) -> bool:
        """Keep what has come, and begin what may begin; return whether there was anything."""
        ended = self._drain()
        if not ended and (len(self._under_way) >= MOST[ALL] or not self._delivering.is_any_work(until)):
            return False
        try:
            turn = self._delivering.turn(ended, lambda lanes: self._room(lanes, until), until)
        except BaseException:
            self._ended.extendleft(reversed(ended))
            raise
        for one in ended:
            self._note(one)
        for place, claim in enumerate(turn.claims):
            thread = threading.Thread(target=self._attempt, args=[claim], daemon=True)
            self._under_way[claim.id] = UnderWay(claim, time.monotonic())
            try:
                thread.start()
            except RuntimeError:  # the system grants no more of them
                del self._under_way[claim.id]
                self._delivering.give_back(turn.claims[place:])
                self._ending.wait(TROUBLE_SECONDS)
                break
        # what was made is not waited for, so that those who were not looked at yet come next
        return bool(ended or turn.claims or (turn.has_made and until is None))

    def _drain(self) -> list[Ended]:
        ended = []
        while self._ended:
            ended.append(self._ended.popleft())
        return ended

    def _room(self, lanes: Sequence[Lane], until: datetime | None) -> Mapping[int, int]:
        """Return how many attempts may begin in each lane: none more where one takes its time."""
        slow = {one.claim.subscription_id for one in self._under_way.values() if one.is_slow}
        if until is not None:
            slow |= self._slow
        waiting = [
            lane for lane in lanes if lane.subscription_id not in slow and self._only in (None, lane.subscription_id)
        ]
        if time.monotonic() >= self._last_moment:
            self.is_cut_short |= bool(waiting)
            return {}
        return self._places.share(waiting, [one.held for one in self._under_way.values()])

    def _attempt(self, claim: Claim) -> None:
        begun = time.monotonic()
        # whatever goes wrong here, the place is given back: another attempt follows
        ended = Ended(claim, error="unreachable")
        try:
            ended = self._delivering.attempt(claim)
        finally:
            self._ended.append(ended._replace(seconds=time.monotonic() - begun))
            self._wake.set()

    def _note(self, ended: Ended) -> None:
        """Say what will not be tried again; an address may hold a secret, and is not said."""
        self._under_way.pop(ended.claim.id, None)
        (self._slow.add if ended.is_slow else self._slow.discard)(ended.claim.subscription_id)
        if ended.is_delivered:
            self.delivered += 1
            return
        self.refused += 1
        if ended.is_last:
            self.given_up += 1
            LOG.warning(
                "delivery %s to the webhook subscription %s failed for good: %s",
                ended.claim.id,
                ended.claim.subscription_id,
                ended.error or ended.status,
            )

    def _part(self) -> None:
        """Keep what comes in the time that is left, and let others have the rest."""
        until = time.monotonic() + PARTING_SECONDS
        while len(self._ended) < len(self._under_way) and time.monotonic() < until:
            self._wake.wait(0.05)
            self._wake.clear()
        ended = self._drain()
        try:
            self._delivering.turn(ended, lambda _: {})
            done = {one.claim.id for one in ended}
            self._delivering.give_back([one.claim for one in self._under_way.values() if one.claim.id not in done])
        except (Problem, DatabaseFault) as error:
            LOG.warning("what came of deliveries could not be kept: they are repeated", exc_info=error)
