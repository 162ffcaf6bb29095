"""Lists of what happened and of what was told of it, which do not count: numbers of rows are kept. SQL only.

Records of a trail stay as they are: a thousand of them are counted when the last one is written (`events.py`).
Deliveries change their status: whoever changes it notes by how many each kind has more or less. Such notes are only
added, so that processes that deliver do not wait for each other, and are added up now and then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from acctcli.service.store import events
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement, insert_many
from acctcli.service.store.listing import Clauses
from acctcli.service.store.rows import Record

# so many notes are added up at once
NOTES = 250
# lists of so many subscriptions, statuses and types are put together from one for each; else all rows are looked at
MOST_LANES = 128
# that a request changed nothing is in the trail, and is no event
IS_EVENT = "type NOT LIKE '%.unchanged'"


class Kind(NamedTuple):
    """What a delivery is counted by."""

    business_id: int
    subscription_id: int
    status: str
    event_type: str


class _Sum(NamedTuple):
    subscription_id: int
    status: str
    event_type: str
    number: int


COLUMNS = ", ".join(Kind._fields)
SUMS = Query(
    _Sum,
    """SELECT subscription_id, status, event_type, CAST(sum(count) AS BIGINT) AS number FROM (
        SELECT subscription_id, status, event_type, count FROM webhook_tally WHERE business_id = :business_id
        UNION ALL
        SELECT subscription_id, status, event_type, count FROM webhook_tally_part WHERE business_id = :business_id
    ) AS noted GROUP BY subscription_id, status, event_type HAVING sum(count) > 0
    ORDER BY subscription_id, status, event_type""",
)
NOTED = Statement("SELECT id FROM webhook_tally_part ORDER BY id LIMIT :most FOR UPDATE SKIP LOCKED")
TAKEN = Query[tuple[Any, ...]](
    tuple, f"DELETE FROM webhook_tally_part WHERE id IN (:ids...) RETURNING {COLUMNS}, count"
)
ADDED = Statement(
    f"""INSERT INTO webhook_tally ({COLUMNS}, count)
    VALUES (:business_id, :subscription_id, :status, :event_type, :count)
    ON CONFLICT ({COLUMNS}) DO UPDATE SET count = webhook_tally.count + excluded.count"""
)


def note(conn: Connection, changes: Mapping[Kind, int]) -> None:
    """Note how many deliveries more, or less, there are of some kinds."""
    rows = [{**kind._asdict(), "count": number} for kind, number in changes.items() if number]
    insert_many(conn, "webhook_tally_part", rows)


def add_up(conn: Connection, *, is_little: bool = False) -> None:
    """Add up a portion of what was noted, where there is one or `is_little`; the last thing that a transaction does."""
    ids = NOTED.values(conn, most=NOTES)
    if not ids or (len(ids) < NOTES and not is_little):
        return
    sums: Counter[Kind] = Counter()
    for *kind, number in TAKEN.all(conn, ids=ids):
        sums[Kind(*kind)] += number
    # in one order, so that nobody waits in a circle
    ADDED.many(conn, [{**kind._asdict(), "count": number} for kind, number in sorted(sums.items()) if number])


# --- lists of deliveries ---

NEWEST_FIRST = "ORDER BY id DESC LIMIT :limit OFFSET :offset"
DELIVERIES = "SELECT * FROM webhook_delivery WHERE"
LANE = ("subscription_id", "status", "event_type")
NARROWED = {
    "business": "business_id = :business_id",
    "subscription": "subscription_id = :subscription",
    "subscriptions": "subscription_id IN (:subscriptions...)",
    "status": "status = :status",
    "event": "event_number = :event",
    "type": "event_type = :type",
}
OF_BUSINESS, OF_EVENT = frozenset({"business"}), frozenset({"subscriptions", "event"})


def page(conn: Connection, business_id: int, clauses: Clauses, *, limit: int, offset: int) -> tuple[int, list[Record]]:
    """Return how many deliveries of a business pass the clauses, and one page of them, the newest first."""
    wanted = {name: value for values in clauses.values() for name, value in values.items()}
    sums = SUMS.all(conn, business_id=business_id)
    passing = [one for one in sums if _passes(one, wanted)]
    values = {**wanted, "business_id": business_id, "offset": offset}
    if "event" in wanted:
        values["subscriptions"] = sorted({one.subscription_id for one in passing})
        names = frozenset(wanted)
        return _count_of_event(names).value(conn, **values), _of_event(names).all(conn, **values, limit=limit)
    count = sum(one.number for one in passing)
    if offset >= count:
        return count, []
    # who knows how many there are does not look for more
    values["limit"] = min(limit, count - offset)
    values["ahead"] = offset + values["limit"]
    # what indexes have together and in order
    lanes = sorted(
        {(one.subscription_id, one.status, *([one.event_type] if "type" in wanted else ())) for one in passing}
    )
    if not wanted or len(lanes) > MOST_LANES:
        return count, _all_of(frozenset(wanted)).all(conn, **values)
    for place, lane in enumerate(lanes):
        values |= {f"{name}_{place}": value for name, value in zip(LANE, lane, strict=False)}
    return count, _of_lanes(len(lanes), len(lanes[0])).all(conn, **values)


def _passes(one: _Sum, wanted: Mapping[str, Any]) -> bool:
    has = {"subscription": one.subscription_id, "status": one.status, "type": one.event_type}
    return all(wanted.get(name, value) == value for name, value in has.items())


def _where(names: frozenset[str]) -> str:
    return " AND ".join(NARROWED[name] for name in sorted(names))


@cache
def _all_of(names: frozenset[str]) -> Query[Record]:
    """Return what walks through the deliveries of a business."""
    return Query[Record](dict, f"{DELIVERIES} {_where(names | OF_BUSINESS)} {NEWEST_FIRST}")


@cache
def _of_lanes(number: int, width: int) -> Query[Record]:
    """Return what merges the beginnings of so many lanes, each of which an index has in order, by so many columns."""
    wheres = (" AND ".join(f"{name} = :{name}_{place}" for name in LANE[:width]) for place in range(number))
    # each is cut by itself: PostgreSQL would sort all of them together
    lanes = (
        f"SELECT id FROM (SELECT id FROM webhook_delivery WHERE {where} ORDER BY id DESC LIMIT :ahead) AS lane"
        for where in wheres
    )
    return Query[Record](dict, f"{DELIVERIES} id IN ({' UNION ALL '.join(lanes)} {NEWEST_FIRST}) ORDER BY id DESC")


@cache
def _of_event(names: frozenset[str]) -> Query[Record]:
    """Return what finds the deliveries of an event by their subscriptions, each of which was told of it once."""
    return Query[Record](dict, f"{DELIVERIES} {_where(names | OF_EVENT)} {NEWEST_FIRST}")


@cache
def _count_of_event(names: frozenset[str]) -> Statement:
    return Statement(f"SELECT count(*) FROM webhook_delivery WHERE {_where(names | OF_EVENT)}")


# --- lists of events ---

EVENTS = f"FROM event WHERE business_id = :business_id AND number > :after AND {IS_EVENT}"
OF_TYPE = "AND type = :type"


class _EventList:
    """The events of a business, of any or of one type."""

    def __init__(self, which: str) -> None:
        self.blocks = Query[tuple[int, int]](
            tuple,
            f"""SELECT until, CAST(sum(count) AS BIGINT) FROM event_block
            WHERE business_id = :business_id AND until > :after AND {IS_EVENT} {which} GROUP BY until ORDER BY until""",
        )
        self.count = Statement(f"SELECT count(*) {EVENTS} AND number <= :until {which}")
        self.rows = Query[Record](
            dict,
            f"""SELECT number, type, created_at, data {EVENTS} {which}
            ORDER BY number LIMIT :limit OFFSET :offset""",
        )


ANY_TYPE, ONE_TYPE = _EventList(""), _EventList(OF_TYPE)


def page_of_events(
    conn: Connection, business_id: int, clauses: Clauses, *, limit: int, offset: int
) -> tuple[int, list[Record]]:
    """Return how many events of a business pass the clauses, and one page of them, the oldest first."""
    wanted = {name: value for values in clauses.values() for name, value in values.items()}
    of = {"business_id": business_id, **wanted}
    listed = ONE_TYPE if "type" in wanted else ANY_TYPE
    count, begins, passed = 0, wanted.get("after", 0), 0
    for until, number in _portions(conn, listed, of, begins):
        count += number
        if count <= offset:
            begins, passed = until, count
    if offset >= count:
        return count, []
    of |= {"after": begins, "offset": offset - passed, "limit": min(limit, count - offset)}
    return count, listed.rows.all(conn, **of)


def _portions(conn: Connection, listed: _EventList, of: Mapping[str, Any], after: int) -> Iterator[tuple[int, int]]:
    """Yield up to which number there are how many events; only at both ends they are counted now."""
    newest, size = events.newest(conn, of["business_id"]).number, events.BLOCK
    first, last = -(-after // size) * size, newest // size * size
    if first > last:
        first = last = newest
    yield first, listed.count.value(conn, **{**of, "after": after, "until": first})
    yield from listed.blocks.all(conn, **{**of, "after": first})
    yield newest, listed.count.value(conn, **{**of, "after": max(last, after), "until": newest})
