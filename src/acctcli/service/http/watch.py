"""A watch on connections: those on which too little moves end, and of too many the ones that stand still.

The server does not tell a request's connection, but the system tells of each connection what moved on it and when: one
that is owed an answer, of an address whose bodies are waited for, and that cannot belong to a request that is being
worked on, is a sender who stands still.

granian itself ends a connection on which no request has come for half a minute, and takes no more than a number of them
(workers.py). So that nobody is kept out, the watch ends sooner what stands still once there are more than a part of
that number: connections between requests, requests whose head does not end, replies that are not read. Whose address
has the most goes first; of an address that has more than half while nearly all are taken, connections between requests
end however short they stand still. It opens nothing to look: it goes on looking when there is no descriptor left. While
many read what is long, who reads slowly makes room for the others. When the service ends, all of these end, and whoever
is waited for has seconds.
"""

from __future__ import annotations

import os
import re
import socket
import struct
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from acctcli.service.http.granted import most_connections
from acctcli.service.http.logs import LOG
from acctcli.service.http.patience import THREADS, Guard
from acctcli.service.routes.operation import MAX_UPLOAD

if sys.platform == "linux":
    # not when they are needed: a module is loaded from a file, for which there may be no descriptor then
    from fcntl import F_GETFD, fcntl, ioctl
    from resource import RLIMIT_NOFILE, getrlimit
    from termios import TIOCOUTQ

# bytes a second: the slowest lines there are carry more
LEAST_RATE = 1024
# a reader may be a pager
READERS_PATIENCE = 10
# what a reader has while readers are many, and how much has to move then
CROWD_SECONDS = 5.0
CROWD_RATE = 32 * 1024
# what a sender and a reader have when the service ends, and how much has to move then
LAST_SECONDS = 3.0
LAST_RATE = 256 * 1024
# a body without a length is read whole: what one may have, with all that stands around its chunks
MOST_WHOLE = MAX_UPLOAD + 2**22
LOOK_SECONDS = 1.0
# while there are many, or it ends
SOON_SECONDS = 0.2
QUICK_SECONDS = 0.05
# how far clocks of threads and of the system may be apart
SLACK_SECONDS = 1.0
# of these, and of this part of the descriptors there may be, a worker keeps those that stand still
MOST_CONNECTIONS = 2 * THREADS
FULL = 0.5
# of those that a worker takes, when there is hardly room for somebody else
NEARLY_ALL = 0.9
MOST_OF_ADDRESS = 0.5
# for so long what is idle, what has no head yet, and what is not read may stand still anyway
IDLE_SECONDS = 0.5
HEAD_SECONDS = 2.0
READ_SECONDS = 5.0
STATUS = "/proc/self/status"
STATUS_BYTES = 4096
SLOTS = re.compile(rb"\nFDSize:\s*([0-9]+)")
INFO_BYTES = 136
INFO = struct.Struct("=44xI4xI64xQQ")
INTERNET = (socket.AF_INET, socket.AF_INET6)
AT_ONCE = struct.pack("ii", 1, 0)


class Facts(NamedTuple):
    """What the system says of a connection: how long ago, in seconds, and how many bytes in all."""

    sent_ago: float
    received_ago: float
    acked: int
    received: int
    unsent: int

    @property
    def is_unasked(self) -> bool:
        """Whether nothing has moved yet."""
        return not self.unsent and not self.received

    @property
    def is_answered(self) -> bool:
        """Whether the last that moved is an answer, all of it."""
        return not self.unsent and self.sent_ago < self.received_ago


class Record(NamedTuple):
    """Since when a connection receives, or sends, and where it was then.

    It is of one request: `acked` is what of earlier answers had arrived, `begun` when it was seen first, and `first`
    where the connection was. `seen` is where it was at `moved`, after which less than the least rate has moved.
    `least` is for how many seconds less than so many bytes a second may move: where that changes, they begin anew.
    """

    sends: bool
    since: float
    progress: int
    acked: int
    begun: float
    first: int
    moved: float
    seen: int
    least: tuple[float, int]


class Still(NamedTuple):
    """A connection that stands still: for how many seconds, whose it is, and what had moved on it by then."""

    seconds: float
    peer: Any
    number: int
    facts: Facts


class Watch:
    """Looks at the connections of this process to a port, and ends those that stand still.

    A sender may do so for `patience` seconds, a reader ten times as long.
    """

    def __init__(self, guard: Guard, port: int, patience: float) -> None:
        self._guard = guard
        self._port = port
        self._patience = patience
        self._records: dict[tuple[int, Any], Record] = {}
        self._is_crowded = False
        self._ends = False
        self._most = most_connections()
        self._most_kept = min(MOST_CONNECTIONS, int(self._most * FULL))
        # open for as long as this process lives
        self._status = os.open(STATUS, os.O_RDONLY) if sys.platform == "linux" else -1

    def end(self) -> None:
        """End whatever stands still from now on: nobody new is served."""
        self._ends = True
        self._guard.hurry.set()

    def run(self, also: Callable[[float], None]) -> None:
        """Look every second for ever, and more often while there is more to see; `also` looks as well."""
        usual = min(LOOK_SECONDS, self._patience / 4)
        while True:
            self._guard.hurry.clear()
            pace = min(usual, SOON_SECONDS) if self._is_crowded or self._ends else usual
            whole = any(visit.is_whole and visit.is_reading for visit in list(self._guard.visits))
            time.sleep(QUICK_SECONDS) if whole else self._guard.hurry.wait(pace)
            now = time.monotonic()
            also(now)
            if sys.platform == "linux":
                with suppress(OSError):  # the next look is soon, and `also` has to go on
                    self.look(now)

    def look(self, now: float) -> None:
        """Look once."""
        before, self._records = self._records, {}
        numbers, still, resting, held = self._descriptors(), list[Still](), list[Still](), Counter[str]()
        for connection in self._connections(numbers):
            with suppress(OSError):  # it may have ended by now
                facts, peer = facts_of(connection), connection.getpeername()
                held[peer[0]] += 1
                if seconds := self._judge(connection, peer, facts, before, now):
                    still.append(Still(seconds, peer, connection.fileno(), facts))
                elif facts.is_answered:
                    resting.append(Still(facts.sent_ago, peer, connection.fileno(), facts))
        room, count = getrlimit(RLIMIT_NOFILE)[0] * FULL, held.total()
        is_full = count > self._most_kept / 2 or len(numbers) > room / 2
        self._is_crowded = is_full or self._guard.has_many_readers
        if self._ends:
            self._cut(still, "the service ends")
            return
        if (many := max(count - self._most_kept, len(numbers) - int(room))) > 0:
            self._cut(_idlest(still)[:many], "there are too many")
        if count - len(still) > self._most * NEARLY_ALL:
            share = int(self._most * MOST_OF_ADDRESS)
            self._cut(_beyond_share(resting, held, share), "one address has most of them")

    def _descriptors(self) -> list[int]:
        """Return the numbers of those that are open, without opening one."""
        found = SLOTS.search(os.pread(self._status, STATUS_BYTES, 0))
        assert found is not None
        return list(filter(_is_open, range(int(found[1]))))

    def _connections(self, numbers: Iterable[int]) -> Iterator[socket.socket]:
        """Lend the connections among some descriptors, one after the other."""
        for number in numbers:
            try:
                connection = socket.socket(fileno=number)
            except OSError:
                continue
            try:
                # who listens has no peer, and is no connection
                is_ours = connection.family in INTERNET and connection.getsockname()[1] == self._port
                if is_ours and connection.getpeername():
                    yield connection
            except OSError:
                continue
            finally:
                # never closed: to close what may be a file of the database by now would free its locks
                connection.detach()

    def _cut(self, still: Iterable[Still], reason: str) -> None:
        """End connections, unless something moved on them by now."""
        by_number, ended = {one.number: one for one in still}, Counter[str]()
        for connection in self._connections(by_number):
            one = by_number[connection.fileno()]
            with suppress(OSError):
                facts = facts_of(connection)
                moved = (facts.received, facts.acked) != (one.facts.received, one.facts.acked)
                if connection.getpeername() == one.peer and not moved:
                    _end(connection, at_once=facts.unsent > 0)
                    ended[one.peer[0]] += 1
        for address, many in ended.items():
            LOG.warning("idle connections of %s ended, %s of them: %s", address, many, reason)

    def _judge(
        self, connection: socket.socket, peer: Any, facts: Facts, before: dict[tuple[int, Any], Record], now: float
    ) -> float:
        """End a connection that is given up; return for how long another one has stood still, 0 when it does not."""
        sends = facts.unsent > 0
        # both at once: nobody knows, and to end a connection on which nothing is under way is no harm
        if facts.is_unasked or (facts.is_answered and not self._is_told_to_go_on(peer[0])):
            return _beyond(IDLE_SECONDS, facts.sent_ago)
        key, progress = (connection.fileno(), peer), facts.acked if sends else facts.received
        record = before.get(key)
        least = self._least(sends=sends)
        if record is None or record.sends != sends or (not sends and record.acked != facts.acked):
            record = Record(sends, now, progress, facts.acked, now, progress, now, progress, least)
        elif progress - record.seen >= (now - record.moved) * LEAST_RATE:
            record = record._replace(moved=now, seen=progress)
        if record.least != least:
            record = record._replace(since=now, progress=progress, least=least)
        if fault := self._fault(record, progress, peer[0], now, now - facts.received_ago):
            LOG.warning("a connection of %s ended: its client %s", peer[0], fault)
            _end(connection, at_once=True)
            return 0.0
        is_long_enough = now - record.since >= record.least[0]
        self._records[key] = record._replace(since=now, progress=progress) if is_long_enough else record
        return self._still(record, peer[0], now)

    def _still(self, record: Record, address: str, now: float) -> float:
        """Return for how long a connection that receives, or sends, has stood still; 0 when it does not, or may not."""
        if record.sends:
            return _beyond(READ_SECONDS, now - record.moved)
        # a head has come whole when a visit began with it, or waits for a thread
        visits = list(self._guard.visits)
        began = (one.began - record.begun for one in visits if one.address == address)
        is_whole = len(visits) >= self._guard.threads or any(
            -LOOK_SECONDS - SLACK_SECONDS <= one <= SLACK_SECONDS for one in began
        )
        return 0.0 if is_whole else _beyond(HEAD_SECONDS, now - record.begun)

    def _is_told_to_go_on(self, address: str) -> bool:
        """Whether a body is read of an address of which the server has said last that it may come."""
        return any(one.expects and one.is_reading and one.address == address for one in list(self._guard.visits))

    def _least(self, *, sends: bool) -> tuple[float, int]:
        """Return for how many seconds less may move, and how many bytes have to move in each."""
        usual = self._patience * (READERS_PATIENCE if sends else 1)
        if self._ends:
            return min(usual, LAST_SECONDS), LAST_RATE
        if sends and self._guard.has_many_readers:
            return min(usual, CROWD_SECONDS), CROWD_RATE
        return usual, LEAST_RATE

    def _fault(self, record: Record, progress: int, address: str, now: float, came: float) -> str | None:
        """Return why a connection is given up; None when it is not."""
        lasted, moved, (patience, rate) = now - record.since, progress - record.progress, record.least
        if not record.sends and progress - record.first > MOST_WHOLE:
            # more than any request has; only a body in tiny chunks beside another one of its address is wronged
            whole = (one for one in list(self._guard.visits) if one.is_whole and one.is_reading)
            return "sends too much" if any(one.address == address for one in whole) else None
        if lasted < patience or moved >= lasted * rate:
            return None
        if record.sends:
            return "reads too slowly"
        return "sends too slowly" if self._is_awaited(address, now - patience / 2, came) else None

    def _is_awaited(self, address: str, lasting: float, came: float) -> bool:
        """Whether a connection on which bytes came last at `came` can only be one whose body is waited for.

        Of visits since `lasting` nothing is known yet.
        """
        visits = [one for one in list(self._guard.visits) if one.address == address and one.began <= lasting]
        worked_on = (one for one in visits if not one.is_reading)
        return any(one.is_reading for one in visits) and not any(
            one.began - SLACK_SECONDS <= came <= one.read_until + SLACK_SECONDS for one in worked_on
        )


def _idlest(still: list[Still]) -> list[Still]:
    """Order connections as they are to end: of the address that has the most first, and of one the idlest."""
    places, ranked = Counter[str](), list[tuple[int, float, Still]]()
    for one in sorted(still, key=lambda one: one.seconds):
        places[one.peer[0]] += 1
        ranked.append((places[one.peer[0]], one.seconds, one))
    return [one for *_, one in sorted(ranked, key=lambda entry: entry[:2], reverse=True)]


def _beyond_share(resting: list[Still], held: Counter[str], share: int) -> Iterator[Still]:
    """Yield the idlest connections of addresses that hold more than their share, as many as are beyond it."""
    beyond = {address: count - share for address, count in held.items()}
    for one in sorted(resting, key=lambda one: one.seconds, reverse=True):
        beyond[one.peer[0]] -= 1
        if beyond[one.peer[0]] >= 0:
            yield one


def _beyond(least: float, seconds: float) -> float:
    return seconds if seconds > least else 0.0


def _end(connection: socket.socket, *, at_once: bool) -> None:
    if at_once:
        # who closes it tells the client: one whose data found no room would ask for a minute whether there is some
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
    connection.shutdown(socket.SHUT_RDWR)


def _is_open(number: int) -> bool:
    with suppress(OSError):
        return fcntl(number, F_GETFD) >= 0
    return False


def facts_of(connection: socket.socket) -> Facts:
    """Return what Linux says of a connection."""
    sent, received, acked, got = INFO.unpack(
        connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, INFO_BYTES)[:INFO_BYTES]
    )
    unsent = struct.unpack("i", ioctl(connection.fileno(), TIOCOUTQ, bytes(4)))[0]
    return Facts(sent / 1000, received / 1000, acked, got, unsent)
