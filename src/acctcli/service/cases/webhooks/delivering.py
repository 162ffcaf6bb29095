"""Deliver what happened: from events to deliveries, from deliveries to attempts (docs/interface.md 11.6).

One transaction keeps what came of attempts, makes deliveries of new events, and takes the next ones; an attempt itself
is outside any. Who dies in between has taken deliveries whose lease runs out, and others attempt them again.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from acctcli.models.signature import ID, SIGNATURE, TIMESTAMP, read_secret, sign
from acctcli.service.cases.webhooks.subscriptions import PASSWORD, SECRET, deactivate, secret_place, show_event
from acctcli.service.cases.work import Work
from acctcli.service.delivery.requests import AGENT
from acctcli.service.delivery.targets import Refused
from acctcli.service.problems import Problem
from acctcli.service.store import businesses, deliveries
from acctcli.service.store.events import Author
from acctcli.service.store.moments import stamp
from acctcli.service.store.people.admission import Scope
from acctcli.service.store.people.users import Caller

if TYPE_CHECKING:
    from acctcli.service.identity.keys import InstallationKey
    from acctcli.service.store.deliveries import Claim
    from acctcli.service.store.engine.database import Connection, Database

# between an attempt that failed and the next one
WAITS = tuple(timedelta(seconds=seconds) for seconds in (5, 300, 1_800, 7_200, 18_000, 36_000))
# longer than an attempt may take, and a name whose servers do not answer
LEASE = timedelta(seconds=60)
GONE = 410
NOBODY = Caller(0, "", None, 0)
ORIGIN = "http://localhost"

# posts to an address, with headers and a body; returns the status of the answer, or raises Refused
Poster = Callable[[str, Mapping[str, str], bytes], int]


class Ended(NamedTuple):
    """An attempt that has ended: how it was answered, or a word for why it was not."""

    claim: Claim
    status: int | None = None
    error: str | None = None

    @property
    def is_delivered(self) -> bool:
        """Whether the receiver has it."""
        return self.status is not None and 200 <= self.status < 300

    @property
    def is_last(self) -> bool:
        """Whether no attempt follows."""
        return self.is_delivered or self.status == GONE or self.claim.attempts >= len(WAITS)


@dataclass(frozen=True, slots=True)
class Delivering:
    """Makes, takes and attempts the deliveries of all businesses of a database; `post` is how."""

    database: Database
    installation: InstallationKey
    clock: Callable[[], datetime]
    entropy: Callable[[int], bytes]
    post: Poster

    def is_any_work(self, until: datetime | None = None) -> bool:
        """Say whether there is something to make or to attempt."""
        with self.database.read() as conn:
            return deliveries.is_any_work(conn, stamp(until or self.clock()))

    def catch_up(self) -> datetime:
        """Make deliveries of all events there are; return the moment by which they are due."""
        while True:
            now = self.clock()
            with self.database.read() as conn:
                if not deliveries.is_behind(conn):
                    return now
            self.database.write(partial(deliveries.spread, now=stamp(now), is_all=True))

    def count_due(self) -> int:
        """Return how many deliveries could be attempted now."""
        with self.database.read() as conn:
            return deliveries.count_due(conn, stamp(self.clock()))

    def turn(
        self, ended: Sequence[Ended], room: Callable[[Sequence[int]], Mapping[int, int]], until: datetime | None = None
    ) -> list[Claim]:
        """Keep what came of attempts, and take what is due next.

        `room` says of the subscriptions that something is due to how many each may have now; `until` is the moment that
        what is due is looked at from, which is now.
        """
        now = self.clock()

        def work(conn: Connection) -> list[Claim]:
            deliveries.spread(conn, stamp(now))
            deliveries.tell(conn, [_told(one, now) for one in ended])
            due = stamp(until or now)
            lanes = room(deliveries.due_lanes(conn, due))
            lease = stamp(now + LEASE)
            return [one for lane, most in lanes.items() for one in deliveries.claim(conn, lane, due, lease, most)]

        claims = self.database.write(work)
        for place in {
            (one.claim.business_id, one.claim.subscription_id, one.claim.target_url)
            for one in ended
            if one.status == GONE
        }:
            self._deactivate(*place)
        return claims

    def give_back(self, claims: Sequence[Claim]) -> None:
        """Let others attempt what was taken here."""
        now = stamp(self.clock())
        self.database.write(lambda conn: deliveries.give_back(conn, claims, now))

    def attempt(self, claim: Claim) -> Ended:
        """Attempt a delivery; what is answered is not kept, but its status."""
        body = body_of(claim)
        try:
            status = self.post(claim.target_url, self._headers(claim, body), body)
        except Refused as refused:
            return Ended(claim, error=refused.kind)
        except Problem:
            return Ended(claim, error="secret_unreadable")
        return Ended(claim, status)

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

    def _deactivate(self, business_id: int, subscription_id: int, target_url: str) -> None:
        author = Author(via="timer", operation="delivery", marker=self.installation.trail_marker)

        def work(conn: Connection) -> None:
            if not businesses.lock(conn, business_id):
                return
            place = businesses.place(conn, business_id)
            scope = Scope(*place, frozenset())
            made = Work(conn, self.clock(), NOBODY, scope, self.entropy, ORIGIN, author=author)
            deactivate(made, subscription_id, target_url)

        self.database.write(work)


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
