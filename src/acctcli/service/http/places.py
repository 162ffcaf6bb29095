"""Places for attempts, and which subscription has how many of them: who does not answer holds up nobody else.

A subscription begins with one place and earns more by answering in time. No one has a second place while another one
that something is due to has none; and of whatever is full the last places are for who has none at the moment, and the
very last for businesses that have none (docs/interface.md 11.6). Pure: it is told what is due and what is under way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from acctcli.service.store.deliveries import QUICK, Lane

# attempts at once in a process: all; at receivers that have not proved themselves; of these at new ones, and at those
# that stood still
ALL, UNPROVEN, NEW, STILL = "all", "unproven", "new", "still"
MOST = {ALL: 256, UNPROVEN: 128, NEW: 64, STILL: 32}
# quarters of these that may be full when a place is given: another one of a subscription, the first one of a
# subscription, the first one of a business
FURTHER, FIRST, FIRST_OF_BUSINESS = 2, 3, 4
# who was served last is remembered of so many
REMEMBERED = 10_000


class Held(NamedTuple):
    """A place that is taken; `answers` as of a lane, when it was taken or as it looks by now."""

    subscription_id: int
    business_id: int
    answers: int


class Served:
    """Who had a place how long ago: who never had one, or is forgotten, comes before all others."""

    def __init__(self) -> None:
        self._moments: dict[int, int] = {}
        self._now = 0

    def __getitem__(self, who: int) -> int:
        return self._moments.get(who, 0)

    def note(self, who: int) -> None:
        """Let somebody be the last one that had a place."""
        self._now += 1
        self._moments.pop(who, None)
        self._moments[who] = self._now
        if len(self._moments) > REMEMBERED:
            del self._moments[next(iter(self._moments))]


class Places:
    """The places of a process, which are given to whoever has had none for the longest time."""

    def __init__(self) -> None:
        self._lanes = Served()
        self._businesses = Served()

    def share(self, lanes: Iterable[Lane], held: Iterable[Held]) -> dict[int, int]:
        """Return how many attempts may begin at each subscription, given who waits and which places are taken."""
        taken = _Taken(held)
        room: Counter[int] = Counter()
        queue = [(self._rank(lane, taken), lane) for lane in lanes]
        heapify(queue)
        while queue:
            rank, lane = heappop(queue)
            if (now := self._rank(lane, taken)) != rank:  # its business had a place meanwhile
                heappush(queue, (now, lane))
            elif taken.has_room(lane):
                taken.take(lane)
                room[lane.subscription_id] += 1
                self._lanes.note(lane.subscription_id)
                self._businesses.note(lane.business_id)
                heappush(queue, (self._rank(lane, taken), lane))
        return room

    def _rank(self, lane: Lane, taken: _Taken) -> tuple[int, ...]:
        """Return whose turn it is before others, the lowest first."""
        of_lane, of_business = taken.lanes[lane.subscription_id], taken.businesses[lane.business_id]
        return of_lane, of_business, self._businesses[lane.business_id], self._lanes[lane.subscription_id]


class _Taken:
    """How many places are taken: by subscription, by business, and of each kind."""

    def __init__(self, held: Iterable[Held]) -> None:
        self.lanes: Counter[int] = Counter()
        self.businesses: Counter[int] = Counter()
        self._kinds: Counter[str] = Counter()
        for one in held:
            self.take(one)

    def take(self, one: Held | Lane) -> None:
        """Count a place that is taken."""
        self.lanes[one.subscription_id] += 1
        self.businesses[one.business_id] += 1
        self._kinds.update(_kinds(one.answers))

    def has_room(self, lane: Lane) -> bool:
        """Say whether a subscription may have one place more."""
        has = self.lanes[lane.subscription_id]
        if has >= max(1, min(lane.answers + 1, QUICK)):
            return False
        full = FURTHER if has else FIRST if self.businesses[lane.business_id] else FIRST_OF_BUSINESS
        return all(self._kinds[kind] < MOST[kind] * full // 4 for kind in _kinds(lane.answers))


def _kinds(answers: int) -> tuple[str, ...]:
    """Return the kinds of places of which a receiver takes one when it is attempted."""
    if answers > 0:
        return (ALL,)
    return (ALL, UNPROVEN, STILL if answers < 0 else NEW)
