"""Deliver what happened: from events to deliveries, from deliveries to attempts (docs/interface.md 11.6).

One transaction keeps what came of attempts, makes deliveries of new events, and takes the next ones; an attempt itself
is outside any. Who dies in between has taken deliveries whose lease runs out, and others attempt them again.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from acctcli.models.signature import ID, SIGNATURE, TIMESTAMP, read_secret, sign
from acctcli.service.cases.webhooks.subscriptions import PASSWORD, SECRET, deactivate, secret_place, show_event
from acctcli.service.cases.work import Work
from acctcli.service.delivery.posting import Body, laid_down
from acctcli.service.delivery.requests import AGENT
from acctcli.service.delivery.targets import Refused
from acctcli.service.problems import Problem, Unavailable
from acctcli.service.store import businesses, deliveries, told
from acctcli.service.store.deliveries import Heard
from acctcli.service.store.engine.connection import DatabaseFault
from acctcli.service.store.events import Author
from acctcli.service.store.moments import stamp
from acctcli.service.store.people.admission import Scope
from acctcli.service.store.people.users import Caller

if TYPE_CHECKING:
    from acctcli.service.identity.keys import InstallationKey
    from acctcli.service.store.deliveries import Behind, Claim, Lane
    from acctcli.service.store.engine.database import Connection, Database

# between an attempt that failed and the next one
WAITS = tuple(timedelta(seconds=seconds) for seconds in (5, 300, 1_800, 7_200, 18_000, 36_000))
# longer than an attempt may take, and a name whose servers do not answer
LEASE = timedelta(seconds=60)
GONE = 410
# an answer that takes longer does not come in time
SLOW_SECONDS = 3.0
NOBODY = Caller(0, "", None, 0)
ORIGIN = "http://localhost"

# posts to an address, with headers and a body; returns the status of the answer, or raises Refused
Poster = Callable[[str, Mapping[str, str], Body], int]


class Ended(NamedTuple):
    """An attempt that has ended: how it was answered, or a word for why it was not, and after how many seconds."""

    claim: Claim
    status: int | None = None
    error: str | None = None
    seconds: float = 0.0

    @property
    def is_delivered(self) -> bool:
        """Whether the receiver has it."""
        return self.status is not None and 200 <= self.status < 300

    @property
    def is_gone(self) -> bool:
        """Whether the receiver says that it is there no more."""
        return self.status == GONE

    @property
    def is_slow(self) -> bool:
        """Whether it took its time, whatever came of it."""
        return self.seconds > SLOW_SECONDS

    @property
    def is_last(self) -> bool:
        """Whether no attempt follows."""
        return self.is_delivered or self.is_gone or self.claim.attempts >= len(WAITS)


class Turn(NamedTuple):
    """What was taken, and whether events became deliveries: of more of them than were looked at, maybe."""

    claims: list[Claim]
    has_made: bool


@dataclass(frozen=True, slots=True)
class Delivering:
    """Makes, takes and attempts the deliveries of all businesses of a database; `post` is how."""

    database: Database
    installation: InstallationKey
    clock: Callable[[], datetime]
    entropy: Callable[[int], bytes]
    post: Poster
    one_by_one: Lock = field(default_factory=Lock)

    def is_any_work(self, until: datetime | None = None) -> bool:
        """Say whether there is something to make or to attempt."""
        with self.database.read() as conn:
            return deliveries.is_any_work(conn, stamp(until or self.clock()))

    def catch_up(self) -> datetime:
        """Make deliveries of all events there are, a portion in a transaction; return the moment by which they are due.

        What happens meanwhile is left for another time.
        """
        with self.database.read() as conn:
            behind = deliveries.all_behind(conn)
        for one in behind:
            number = one.number
            while number < one.newest and self._advance(one._replace(number=number)):
                number += deliveries.PORTION
        return self.clock()

    def _advance(self, one: Behind) -> bool:
        now = stamp(self.clock())
        return self.database.write(lambda conn: deliveries.advance(conn, one, now))

    def count_due(self) -> int:
        """Return how many deliveries could be attempted now."""
        with self.database.read() as conn:
            return deliveries.count_due(conn, stamp(self.clock()))

    def turn(
        self, ended: Sequence[Ended], room: Callable[[Sequence[Lane]], Mapping[int, int]], until: datetime | None = None
    ) -> Turn:
        """Keep what came of attempts, and take what is due next.

        `room` says of the subscriptions that something is due to how many each may have now; `until` is the moment that
        what is due is looked at from, which is now.
        """
        now = self.clock()

        gone = sorted({_place(one.claim) for one in ended if one.is_gone})

        def work(conn: Connection) -> Turn:
            # before anything else is written, as whoever changes a subscription does
            there = [place for place in gone if businesses.lock(conn, place[0])]
            has_made = deliveries.spread(conn, stamp(now), _heard(ended))
            deliveries.tell(conn, [_told(one, now) for one in ended])
            for place in there:
                self._deactivate(conn, now, *place)
            due = stamp(until or now)
            lanes = room(deliveries.due_lanes(conn, due))
            lease = stamp(now + LEASE)
            claims = [one for lane, most in lanes.items() for one in deliveries.claim(conn, lane, due, lease, most)]
            told.add_up(conn)
            return Turn(claims, has_made)

        return self.database.write(work)

    def give_back(self, claims: Sequence[Claim]) -> None:
        """Let others attempt what was taken here."""
        now = stamp(self.clock())
        self.database.write(lambda conn: deliveries.give_back(conn, claims, now))

    def attempt(self, claim: Claim) -> Ended:
        """Attempt a delivery; what is answered is not kept, but its status."""
        try:
            status = self.post(claim.target_url, *self._letter(claim))
        except Refused as refused:
            return Ended(claim, error=refused.kind)
        except (Unavailable, DatabaseFault):
            return Ended(claim, error="unreachable")
        except Problem:
            return Ended(claim, error="secret_unreadable")
        return Ended(claim, status)

    def _letter(self, claim: Claim) -> tuple[dict[str, str], Body]:
        """Return what is sent, headers and body; a large one lies on the disk until it has left.

        Large ones are made one after another: hundreds may be under way, to receivers that stand still.
        """
        if claim.is_small:
            body = body_of(claim)
            return self._headers(claim, body), body
        with self.one_by_one:
            with self.database.read() as conn:
                data = deliveries.data_of(conn, claim)
            body = body_of(claim._replace(data=data))
            return self._headers(claim, body), laid_down(body)

    def _headers(self, claim: Claim, body: bytes) -> dict[str, str]:
        moment, name = int(self.clock().timestamp()), name_of(claim)
        key = read_secret(self._opened(claim, SECRET, claim.secret))
        headers = {
            "Content-Type": "application/json",
            "User-Agent": AGENT,
            ID: name,
            TIMESTAMP: str(moment),
            SIGNATURE: sign(key, name, moment, body),
        }
        if claim.username is not None:
            password = "" if claim.password is None else self._opened(claim, PASSWORD, claim.password)
            credential = base64.b64encode(f"{claim.username}:{password}".encode()).decode()
            headers["Authorization"] = f"Basic {credential}"
        return headers

    def _opened(self, claim: Claim, column: str, sealed: bytes) -> str:
        return self.installation.unseal(bytes(sealed), secret_place(claim.business_id, column)).decode()

    def _deactivate(
        self, conn: Connection, now: datetime, business_id: int, subscription_id: int, target_url: str
    ) -> None:
        author = Author(via="timer", operation="delivery", marker=self.installation.trail_marker)
        scope = Scope(*businesses.place(conn, business_id), frozenset())
        work = Work(conn, now, NOBODY, scope, self.entropy, ORIGIN, author=author)
        deactivate(work, subscription_id, target_url)


def _place(claim: Claim) -> tuple[int, int, str]:
    return claim.business_id, claim.subscription_id, claim.target_url


def _heard(ended: Iterable[Ended]) -> list[Heard]:
    """Return how each receiver answered; of what failed at once nothing is said: it held up nobody."""
    of_lanes: dict[tuple[int, int], list[Ended]] = {}
    for one in ended:
        of_lanes.setdefault(_place(one.claim)[:2], []).append(one)
    return [
        Heard(
            *lane,
            sum(one.status is not None for one in some),
            any(one.is_slow for one in some),
            any(one.is_gone for one in some),
        )
        for lane, some in of_lanes.items()
    ]


def name_of(claim: Claim) -> str:
    """Return the id that a delivery has in every attempt: that of its event, or of a test."""
    return f"test_{claim.id}" if claim.event_number is None else f"evt_{claim.event_number}"


def body_of(claim: Claim) -> bytes:
    """Return the body of a delivery, the same in every attempt: events do not change."""
    row = {"number": claim.event_number, "type": claim.event_type, "created_at": claim.created_at}
    return msgspec.json.encode(show_event(claim.slug, {**row, "data": claim.data or "{}"}))


def _told(ended: Ended, now: datetime) -> dict[str, Any]:
    claim = ended.claim
    wait = timedelta() if ended.is_last else WAITS[claim.attempts]
    failed = deliveries.FAILED if ended.is_last else deliveries.WAITING
    return {
        "id": claim.id,
        "lease": claim.lease,
        "status": deliveries.DELIVERED if ended.is_delivered else failed,
        "due_at": stamp(now + wait),
        "now": stamp(now),
        "last_status": ended.status,
        "last_error": ended.error,
    }
