"""Threads that deliver: one that takes what is due, and one for each attempt, in lanes that do not hold each other up.

A lane is what is sent to one subscription at a time. It has few places until its receiver has shown that it answers,
and one while it takes its time; such lanes may not have all places together. So a receiver that stands still costs
others nothing but a thread that sleeps.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from acctcli.service.cases.webhooks.delivering import Ended
from acctcli.service.http.logs import LOG
from acctcli.service.problems import Problem
from acctcli.service.store.engine.connection import DatabaseFault, explain

if TYPE_CHECKING:
    from acctcli.service.cases.webhooks.delivering import Delivering
    from acctcli.service.store.deliveries import Claim

# attempts at once, of all lanes of a process
MOST = 256
NEW, QUICK, SLOW = 2, 16, 1
# lanes whose receivers take their time, or have not answered yet, have so many places together
UNPROVEN = MOST * 3 // 4
# an answer that takes longer is a slow one
SLOW_SECONDS = 3.0
LOOK_SECONDS = 0.5
# what is under way when all ends has so long
PARTING_SECONDS = 3.0
# how long the database is left alone when it refuses
TROUBLE_SECONDS = 2.0


class Lanes:
    """Delivers until it is told to end: to all subscriptions, or to one only."""

    def __init__(self, delivering: Delivering, only: int | None = None) -> None:
        self._delivering = delivering
        self._only = only
        self._under_way: dict[int, Claim] = {}
        self._slow: set[int] = set()
        self._quick: set[int] = set()
        self._ended: deque[Ended] = deque()
        self._wake = threading.Event()
        self._ending = threading.Event()
        self._turned = 0
        self.delivered = self.refused = 0

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

    def run_once(self) -> None:
        """Deliver what is due now, and return; a receiver that takes its time gets the rest another time."""
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
        if not ended and (len(self._under_way) >= MOST or not self._delivering.is_any_work(until)):
            return False
        try:
            claims = self._delivering.turn(ended, lambda lanes: self._room(lanes, until), until)
        except BaseException:
            self._ended.extendleft(reversed(ended))
            raise
        for one in ended:
            self._note(one)
        for place, claim in enumerate(claims):
            thread = threading.Thread(target=self._attempt, args=[claim], daemon=True)
            self._under_way[claim.id] = claim
            try:
                thread.start()
            except RuntimeError:  # the system grants no more of them
                del self._under_way[claim.id]
                self._delivering.give_back(claims[place:])
                self._ending.wait(TROUBLE_SECONDS)
                break
        return bool(ended or claims)

    def _drain(self) -> list[Ended]:
        ended = []
        while self._ended:
            ended.append(self._ended.popleft())
        return ended

    def _room(self, lanes: Sequence[int], until: datetime | None) -> Mapping[int, int]:
        """Return how many attempts may begin in each lane; who came last in one turn comes first in a later one."""
        if self._only is not None:
            lanes = [lane for lane in lanes if lane == self._only]
        under_way: dict[int, int] = {}
        for claim in self._under_way.values():
            under_way[claim.subscription_id] = under_way.get(claim.subscription_id, 0) + 1
        free = MOST - len(self._under_way)
        unproven = UNPROVEN - sum(number for lane, number in under_way.items() if not self._is_proven(lane))
        self._turned += 1
        start = self._turned % len(lanes) if lanes else 0
        room: dict[int, int] = {}
        for lane in (*lanes[start:], *lanes[:start]):
            if lane in self._slow and until is not None:
                continue
            is_proven = self._is_proven(lane)
            places = SLOW if lane in self._slow else QUICK if is_proven else NEW
            most = min(places - under_way.get(lane, 0), free, free if is_proven else unproven)
            if most > 0:
                room[lane] = most
                free -= most
                unproven -= 0 if is_proven else most
        return room

    def _is_proven(self, lane: int) -> bool:
        return lane in self._quick

    def _attempt(self, claim: Claim) -> None:
        begun = time.monotonic()
        # whatever goes wrong here, the place is given back: another attempt follows
        ended = Ended(claim, error="unreachable")
        try:
            ended = self._delivering.attempt(claim)
        finally:
            lane = claim.subscription_id
            is_quick = time.monotonic() - begun <= SLOW_SECONDS
            (self._quick if is_quick else self._slow).add(lane)
            (self._slow if is_quick else self._quick).discard(lane)
            self._ended.append(ended)
            self._wake.set()

    def _note(self, ended: Ended) -> None:
        """Say what will not be tried again; an address may hold a secret, and is not said."""
        self._under_way.pop(ended.claim.id, None)
        if ended.is_delivered:
            self.delivered += 1
            return
        self.refused += 1
        if ended.is_last:
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
            self._delivering.give_back([one for one in self._under_way.values() if one.id not in done])
        except (Problem, DatabaseFault) as error:
            LOG.warning("what came of deliveries could not be kept: they are repeated", exc_info=error)
