"""Deliveries of events to webhook subscriptions: what is to be told, by whom, and what came of it. SQL only.

Events become deliveries after they are committed: each subscription has a position, the number of the last event that
did. Numbers are given under the lock of a business, so that none below the newest is still to come. Whoever attempts a
delivery moves its due moment beyond the time an attempt may take: when they die it is due again, and by that moment
they are known when they tell what came of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import Any, NamedTuple

from acctcli.service.store import events
from acctcli.service.store.businesses import GONE
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement, delete, insert, insert_many, update
from acctcli.service.store.rows import Record
from acctcli.service.store.told import IS_EVENT, Kind, note

# events of one subscription that become deliveries in one transaction, and how many subscriptions at most: so many that
# are the furthest behind, and so many that are the least
PORTION = 500
LANES = 8
# answers in time, one after another, by which a receiver has proved itself as far as one can; and what an attempt sets
# them to that was not answered in time: as many are to follow until it is like a new one
QUICK, STALLED = 16, -8
# characters of a record that is taken with its delivery; a longer one is read when it is sent
MOST_HELD = 65_536
TABLE = "webhook_delivery"
WAITING, DELIVERED, FAILED, CANCELLED = "waiting", "delivered", "failed", "cancelled"
ONE = Query[Record](
    dict,
    f"""SELECT * FROM {TABLE} WHERE business_id = :business_id AND subscription_id = :subscription_id AND id = :id
    FOR UPDATE""",
)


class Lane(NamedTuple):
    """A subscription that something is due to; `answers` is how many of its receiver's came in time, one after another.

    0 for a new one, less than 0 for one that stood still.
    """

    subscription_id: int
    business_id: int
    answers: int


class Heard(NamedTuple):
    """How a receiver answered the attempts that have ended: how many at all, whether it let one wait, or is gone."""

    business_id: int
    subscription_id: int
    answers: int
    is_slow: bool
    is_gone: bool


class Behind(NamedTuple):
    """A subscription that has not been told of all events, and up to which it could be."""

    subscription_id: int
    business_id: int
    slug: str
    number: int
    newest: int


class Claim(NamedTuple):
    """A delivery that is to be attempted now; secrets are sealed, `data` is JSON as it was recorded, if `is_small`.

    `lease` is the moment by which the outcome is to be told; nobody else attempts it before that.
    """

    id: int
    lease: str
    business_id: int
    slug: str
    subscription_id: int
    event_number: int | None
    event_type: str
    created_at: str
    attempts: int
    answers: int
    target_url: str
    username: str | None
    password: bytes | None
    secret: bytes
    is_small: bool
    data: str | None


SUBSCRIBED = "webhook_subscription AS subscription JOIN business ON business.id = subscription.business_id"
POSITION = """JOIN webhook_position AS position ON position.business_id = subscription.business_id
    AND position.subscription_id = subscription.id"""
WANTED = f"subscription.is_active AND NOT {GONE}"
IS_BEHIND = f"""FROM {SUBSCRIBED} {POSITION} JOIN trail_head ON trail_head.business_id = subscription.business_id
    WHERE trail_head.number > position.number AND {WANTED}"""
IS_DUE = f"""EXISTS (SELECT 1 FROM {TABLE} AS delivery WHERE delivery.subscription_id = subscription.id
    AND delivery.status = '{WAITING}' AND delivery.due_at <= :now)"""
BEHIND = f"""SELECT subscription.id AS subscription_id, business.id AS business_id, business.slug, position.number,
    trail_head.number AS newest {IS_BEHIND}"""
ALL_BEHIND = Query(Behind, f"{BEHIND} ORDER BY subscription.id")
# of those that have something to attempt the rest can wait: who stands still costs others nothing
IDLE_BEHIND = f"{BEHIND} AND NOT {IS_DUE} ORDER BY"
DISTANCE = "trail_head.number - position.number"
# one of each business before a second one of any, those that stood still last
LEAST = f"position.answers < 0, {DISTANCE}, subscription.id"
LEAST_BEHIND = Query(
    Behind, f"{IDLE_BEHIND} row_number() OVER (PARTITION BY business.id ORDER BY {LEAST}), {LEAST} LIMIT {LANES}"
)
FURTHEST_BEHIND = Query(Behind, f"{IDLE_BEHIND} {DISTANCE} DESC, subscription.id LIMIT {LANES}")
ADVANCE = Statement(
    """UPDATE webhook_position SET number = :to
    WHERE business_id = :business_id AND subscription_id = :subscription_id AND number = :number"""
)
SPREAD = Statement(
    f"""INSERT INTO {TABLE} (business_id, subscription_id, event_number, event_type, slug, status, attempts, due_at,
        created_at, updated_at)
    SELECT event.business_id, :subscription_id, event.number, event.type, :slug, '{WAITING}', 0, :now, event.created_at,
        :now
    FROM event WHERE business_id = :business_id AND number > :number AND number <= :to
    AND {IS_EVENT} ORDER BY number RETURNING event_type"""
)
DUE_LANES = Query(
    Lane,
    f"""SELECT subscription.id, business.id, position.answers FROM {SUBSCRIBED} {POSITION}
    WHERE {WANTED} AND {IS_DUE} ORDER BY subscription.id""",
)
ANY_WORK = Statement(
    f"""SELECT 1 WHERE EXISTS (SELECT 1 {IS_BEHIND})
    OR EXISTS (SELECT 1 FROM {SUBSCRIBED} WHERE {WANTED} AND {IS_DUE})""",
)
COUNT_DUE = Statement(
    f"""SELECT count(*) FROM {TABLE} AS delivery JOIN webhook_subscription AS subscription
    ON subscription.id = delivery.subscription_id JOIN business ON business.id = subscription.business_id
    WHERE {WANTED} AND delivery.status = '{WAITING}' AND delivery.due_at <= :now"""
)
COUNT_BEHIND = Statement(
    f"""SELECT count(*) FROM event JOIN (SELECT business.id AS business_id, position.number {IS_BEHIND}) AS behind
    ON behind.business_id = event.business_id AND event.number > behind.number WHERE {IS_EVENT}"""
)
DUE = Statement(
    f"""SELECT id FROM {TABLE} WHERE subscription_id = :subscription_id AND status = '{WAITING}' AND due_at <= :now
    ORDER BY due_at, id LIMIT :most FOR UPDATE SKIP LOCKED"""
)
LEASE = Statement(f"UPDATE {TABLE} SET due_at = :lease WHERE id IN (:ids...)")
IS_SMALL = f"coalesce(length(event.data), 0) <= {MOST_HELD}"
CLAIMED = Query(
    Claim,
    f"""SELECT delivery.id, delivery.due_at AS lease, delivery.business_id, delivery.slug, delivery.subscription_id,
    delivery.event_number, delivery.event_type, delivery.created_at, delivery.attempts, position.answers,
    subscription.target_url,
    subscription.basic_auth_username AS username, subscription.basic_auth_password AS password,
    subscription.signing_secret AS secret,
    {IS_SMALL} AS is_small, CASE WHEN {IS_SMALL} THEN event.data END AS data
    FROM {TABLE} AS delivery JOIN webhook_subscription AS subscription
    ON subscription.business_id = delivery.business_id AND subscription.id = delivery.subscription_id {POSITION}
    LEFT JOIN event ON event.business_id = delivery.business_id AND event.number = delivery.event_number
    WHERE delivery.id IN (:ids...) ORDER BY delivery.id""",
)
DATA = Statement("SELECT data FROM event WHERE business_id = :business_id AND number = :number")
OURS = f"status = '{WAITING}' AND due_at = :lease"
TOLD = Query(
    Kind,
    f"""UPDATE {TABLE} SET status = :status, attempts = attempts + 1, due_at = :due_at, attempted_at = :now,
    last_status = :last_status, last_error = :last_error, updated_at = :now WHERE id IN (:ids...) AND {OURS}
    RETURNING business_id, subscription_id, status, event_type""",
)
GIVEN_BACK = Statement(f"UPDATE {TABLE} SET due_at = :now WHERE id = :id AND {OURS}")
WAITED_FOR = f"FROM {TABLE} WHERE subscription_id = :subscription_id AND status = '{WAITING}'"
IS_WAITED_FOR = Statement(f"SELECT 1 {WAITED_FOR} LIMIT 1")
# some at a time, as each says what it was of
CANCEL = Statement(
    f"""UPDATE {TABLE} SET status = '{CANCELLED}', updated_at = :now WHERE id IN (SELECT id {WAITED_FOR} LIMIT 10000)
    AND status = '{WAITING}' RETURNING event_type"""
)
# who has answered often enough is not written any more
HEARD = Statement(
    f"""UPDATE webhook_position SET answers = CASE WHEN answers + :answers < {QUICK} THEN answers + :answers
        ELSE {QUICK} END
    WHERE business_id = :business_id AND subscription_id = :subscription_id AND answers < {QUICK}"""
)
SET_ANSWERS = Statement(
    """UPDATE webhook_position SET answers = :answers
    WHERE business_id = :business_id AND subscription_id = :subscription_id"""
)
# what outcomes have in common that are kept at once
SAME = ("lease", "status", "due_at", "now", "last_status", "last_error")
_same = itemgetter(*SAME)
FORGET_ANSWERS = Statement(
    "UPDATE webhook_position SET answers = 0 WHERE business_id = :business_id AND subscription_id = :id AND answers > 0"
)
MOVE = Statement(
    "UPDATE webhook_position SET number = :number WHERE business_id = :business_id AND subscription_id = :id"
)
FORGET = Query(
    Kind,
    f"""DELETE FROM {TABLE} WHERE id IN (
        SELECT id FROM {TABLE} WHERE status <> '{WAITING}' AND updated_at < :before LIMIT :most)
    AND status <> '{WAITING}' RETURNING business_id, subscription_id, status, event_type""",
)


def get(conn: Connection, business_id: int, subscription_id: int, delivery_id: int) -> Record | None:
    """Return a delivery of a subscription, and keep other writers of it away until the commit."""
    return ONE.one(conn, business_id=business_id, subscription_id=subscription_id, id=delivery_id)


def begin(conn: Connection, business_id: int, subscription_id: int) -> None:
    """Let a new subscription be told of what happens from now on."""
    number = events.newest(conn, business_id).number
    row = {"business_id": business_id, "subscription_id": subscription_id, "number": number}
    insert_many(conn, "webhook_position", [row])


def skip(conn: Connection, business_id: int, subscription_id: int) -> None:
    """Let a subscription that was inactive be told of what happens from now on."""
    MOVE.run(conn, business_id=business_id, id=subscription_id, number=events.newest(conn, business_id).number)


def cancel(conn: Connection, business_id: int, subscription_id: int, now: str) -> None:
    """End what a subscription was still to be told; whoever makes deliveries for it ends first, or sees that."""
    skip(conn, business_id, subscription_id)
    _cancel(conn, business_id, subscription_id, now)


def _cancel(conn: Connection, business_id: int, subscription_id: int, now: str) -> None:
    types: Counter[str] = Counter()
    while IS_WAITED_FOR.value(conn, subscription_id=subscription_id):
        types.update(CANCEL.values(conn, subscription_id=subscription_id, now=now))
    for event_type, number in types.items():
        waiting = Kind(business_id, subscription_id, WAITING, event_type)
        note(conn, {waiting: -number, waiting._replace(status=CANCELLED): number})


def add_test(conn: Connection, place: tuple[int, str], subscription_id: int, event_type: str, now: str) -> Record:
    """Add a delivery of no event, for a subscription of a business with its slug; return its row."""
    business_id, slug = place
    row = {
        "business_id": business_id,
        "subscription_id": subscription_id,
        "event_number": None,
        "event_type": event_type,
        "slug": slug,
        "status": WAITING,
        "attempts": 0,
        "due_at": now,
        "attempted_at": None,
        "last_status": None,
        "last_error": None,
        "created_at": now,
        "updated_at": now,
    }
    note(conn, {Kind(business_id, subscription_id, WAITING, event_type): 1})
    return {**row, "id": insert(conn, TABLE, row)}


def again(conn: Connection, row: Record, columns: Mapping[str, Any]) -> None:
    """Let a delivery begin anew."""
    kind = Kind(*(row[name] for name in Kind._fields))
    note(conn, {kind: -1})
    note(conn, {kind._replace(status=columns["status"]): 1})
    update(conn, TABLE, columns, business_id=row["business_id"], id=row["id"])


def is_any_work(conn: Connection, now: str) -> bool:
    """Say whether an event is to become a delivery, or a delivery is due."""
    return ANY_WORK.value(conn, now=now) is not None


def count_due(conn: Connection, now: str) -> int:
    """Return how many deliveries are due, those of events that have not become any yet among them."""
    return int(COUNT_DUE.value(conn, now=now)) + int(COUNT_BEHIND.value(conn))


def all_behind(conn: Connection) -> list[Behind]:
    """Return the subscriptions that have not been told of all events."""
    return ALL_BEHIND.all(conn)


def advance(conn: Connection, one: Behind, now: str) -> bool:
    """Make deliveries of a portion of events for a subscription; of several who do this at once one does, and knows."""
    to = min(one.newest, one.number + PORTION)
    place = {"business_id": one.business_id, "subscription_id": one.subscription_id}
    if not ADVANCE.run(conn, **place, number=one.number, to=to):
        return False
    types = Counter(SPREAD.values(conn, **place, number=one.number, to=to, slug=one.slug, now=now))
    kind = Kind(one.business_id, one.subscription_id, WAITING, "")
    note(conn, {kind._replace(event_type=event_type): number for event_type, number in types.items()})
    return True


def spread(conn: Connection, now: str, heard: Iterable[Heard] = ()) -> bool:
    """Make deliveries of events for some subscriptions that nothing is due to, and keep how receivers answered.

    In the order of ids, so that nobody waits in a circle. Returns whether any was told: others may be next.
    """
    idle = {*LEAST_BEHIND.all(conn, now=now), *FURTHEST_BEHIND.all(conn, now=now)}
    behind = {one.subscription_id: one for one in idle}
    answered = {one.subscription_id: one for one in heard}
    is_any = False
    for subscription_id in sorted(behind.keys() | answered.keys()):
        if (one := answered.get(subscription_id)) is not None:
            _keep(conn, one)
        if (late := behind.get(subscription_id)) is not None:
            is_any |= advance(conn, late, now)
    return is_any


def _keep(conn: Connection, heard: Heard) -> None:
    place = {"business_id": heard.business_id, "subscription_id": heard.subscription_id}
    if heard.is_gone:
        # written whatever it was: its subscription is about to be changed
        SET_ANSWERS.run(conn, **place, answers=0)
    elif heard.is_slow:
        SET_ANSWERS.run(conn, **place, answers=STALLED)
    elif heard.answers:
        HEARD.run(conn, **place, answers=heard.answers)


def forget_answers(conn: Connection, business_id: int, subscription_id: int) -> None:
    """Let a subscription that has another receiver now be like a new one."""
    FORGET_ANSWERS.run(conn, business_id=business_id, id=subscription_id)


def due_lanes(conn: Connection, now: str) -> list[Lane]:
    """Return the subscriptions that something is due to."""
    return DUE_LANES.all(conn, now=now)


def claim(conn: Connection, subscription_id: int, now: str, lease: str, most: int) -> list[Claim]:
    """Take deliveries of a subscription that are due, the longest ones first, so that nobody else does."""
    ids = DUE.values(conn, subscription_id=subscription_id, now=now, most=most)
    if not ids:
        return []
    LEASE.run(conn, ids=ids, lease=lease)
    return CLAIMED.all(conn, ids=ids)


def data_of(conn: Connection, claim: Claim) -> str | None:
    """Return the record that a delivery tells of, as JSON; None where it is gone."""
    found: str | None = DATA.value(conn, business_id=claim.business_id, number=claim.event_number)
    return found


def tell(conn: Connection, outcomes: Iterable[dict[str, Any]]) -> None:
    """Keep what came of attempts, of all that came out alike at once; of what was cancelled or begun anew nothing."""
    alike: dict[tuple[Any, ...], list[int]] = {}
    for outcome in sorted(outcomes, key=itemgetter("id")):
        alike.setdefault(_same(outcome), []).append(outcome["id"])
    changes: Counter[Kind] = Counter()
    for same, ids in alike.items():
        for kind in TOLD.all(conn, ids=ids, **dict(zip(SAME, same, strict=True))):
            changes[kind] += 1
            changes[kind._replace(status=WAITING)] -= 1
    note(conn, changes)


def give_back(conn: Connection, claims: Iterable[Claim], now: str) -> None:
    """Let others attempt what was taken and not attempted to its end."""
    for one in claims:
        GIVEN_BACK.run(conn, id=one.id, lease=one.lease, now=now)


def forget(conn: Connection, before: str, most: int) -> int:
    """Delete a portion of the deliveries that ended before a moment, and return how many."""
    gone = FORGET.all(conn, before=before, most=most)
    note(conn, {kind: -number for kind, number in Counter(gone).items()})
    return len(gone)


def end(conn: Connection, business_id: int, subscription_id: int, now: str) -> None:
    """End what a subscription that is about to be deleted was still to be told."""
    delete(conn, "webhook_position", business_id=business_id, subscription_id=subscription_id)
    _cancel(conn, business_id, subscription_id, now)
