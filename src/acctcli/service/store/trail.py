"""The trail as it is read: listed and recomputed (docs/interface.md 11.4)."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from hmac import compare_digest
from typing import Any, NamedTuple

import msgspec

from acctcli.service.store import events, service_trail
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement
from acctcli.service.store.listing import Clauses, Listing
from acctcli.service.store.rows import Record

COLUMNS = f"{events.RECORDED}, record_id, hash"
FILTERS = {
    "all": "true",
    "type": "type = :type",
    "resource": "substr(type, 1, length(:resource) + 1) = :resource || '.'",
    "record_id": "record_id = :record_id",
    "person": "lower(author) LIKE :person ESCAPE '\\'",
    "operation": "operation LIKE :operation ESCAPE '\\'",
    "created_at_gte": "created_at >= :created_at_gte",
    "created_at_lte": "created_at < :created_at_lte",
    "number_from": "number >= :number_from",
    "number_to": "number <= :number_to",
}
LISTING = Listing[Record](dict, COLUMNS, "event", "number DESC", FILTERS)
SEALS = Query[Record](
    dict, "SELECT day, number, hash, mark FROM trail_seal WHERE business_id = :business_id ORDER BY day"
)


def page(conn: Connection, business_id: int, clauses: Clauses, *, limit: int, offset: int) -> tuple[int, list[Record]]:
    """Return how many records pass the clauses, and one page of them, the newest first."""
    # counted each time: no trigger keeps a number for what is seldom listed
    return LISTING.page(conn, business_id, clauses or {"all": {}}, limit=limit, offset=offset)


def seals(conn: Connection, business_id: int) -> list[Record]:
    """Return the seals of a trail, the oldest first."""
    return SEALS.all(conn, business_id=business_id)


class Closed(NamedTuple):
    """How the trail recorded that a period was last closed: its days, its fingerprint, and who closed it."""

    data: str
    author: str | None

    @property
    def period(self) -> dict[str, Any]:
        """The period as it was recorded, its fingerprint among its fields."""
        return msgspec.json.decode(self.data, type=dict[str, Any])


CLOSED = Query(
    Closed,
    """SELECT data, author FROM event WHERE business_id = :business_id AND record_id = :id AND type IN (:types...)
    ORDER BY number DESC LIMIT 1""",
)


def closed(conn: Connection, business_id: int, kind: str, period_id: int) -> Closed:
    """Return how the trail recorded that a period was last closed; an empty record where it has none."""
    types = [f"{kind}.locked", f"{kind}.reported"]
    return CLOSED.one(conn, business_id=business_id, id=period_id, types=types) or Closed("{}", None)


class Fault(NamedTuple):
    """What is wrong at a record of a trail."""

    number: int
    text: str


class Finding(NamedTuple):
    """What came of recomputing a trail."""

    records: int
    number: int
    hash: str
    sealed_until: str | None
    other_seals: int
    unproved_until: int | None
    set_back: list[int]
    faults: list[Fault]


# requests wait for each other: what was asked first may be recorded second, but not by so much
WAIT = timedelta(minutes=10)


def verify(conn: Connection, business_id: int, mark: events.Mark, *, is_foreign: bool = False) -> Finding:
    """Recompute the chain of a trail; compare every hash, the newest record and the seals with what is kept.

    `mark` makes marks with the key of the installation. Seals made with another one are counted where their hash is
    right, and only of records that a restored backup brought. What restores found wrong stays wrong. `is_foreign`: that
    the key is another one is no fault.
    """
    walk = _Walk(business_id, mark, seals(conn, business_id))
    for *said, record_id, kept in events.CHAIN.stream(conn, business_id=business_id):
        walk.step(said, kept)
        walk.find_hidden(said, record_id)
    return walk.end(events.HEAD.one(conn, business_id=business_id), is_foreign=is_foreign)


class _Said(msgspec.Struct):
    id: int | None = None


class _Found(msgspec.Struct):
    number: int = msgspec.field(name="id")
    text: str


class _Restored(msgspec.Struct):
    last_id: int = 0
    is_proved: bool = True
    faults: list[_Found] = []


_read_id = msgspec.json.Decoder(_Said).decode
_read_restored = msgspec.json.Decoder(_Restored).decode


def _is_beginning(said: list[Any]) -> bool:
    """Whether a record is one that a trail begins with: what the making of a business records, or books without any."""
    return said[2] in (events.CHAINED, events.BEGUN) or bool(said[-1] == events.CREATED)


class _Walk:
    """The way along a chain: `head` is how far it has come, `came` the last record that a restore wrote."""

    def __init__(self, business_id: int, mark: events.Mark, sealed: list[Record]) -> None:
        self.business_id = business_id
        self.mark = mark
        self.sealed = {row["number"]: row for row in sealed}
        self.days = {row["day"] for row in sealed}
        self.head = events.NONE
        self.records = self.came = 0
        self.is_chained = self.is_bare = False
        self.marked: str | None = None
        self.unproved: int | None = None
        self.strange: list[Record] = []
        self.set_back: list[int] = []
        self.faults: list[Fault] = []

    def step(self, said: list[Any], kept: str | None) -> None:
        number, last = said[1], self.head
        if last.number and number != last.number + 1:
            self._find(number, f"the records {last.number + 1} to {number - 1} are missing before it")
        is_restored = said[2] in (events.RESTORED, events.SERVICE_RESTORED)
        restored = self._read(said[3]) if is_restored else None
        is_due = last.number and last.day < said[4][:10] and (restored is None or restored.is_proved)
        if kept is not None and is_due and last.day not in self.days:
            self._find(last.number, f"the seal of {last.day} is gone")
        if last.number and said[4] < last.created_at:
            self._look_at_clock(number, last.created_at, said[4])
        self.head = events.Head(number, events.chained(last.hash, said), said[4], "")
        if not last.number and kept is not None and not (number == 1 and _is_beginning(said)):
            self._find(number, "all that was recorded before it is missing")
            self.head = self.head._replace(hash=kept)
        self.records += 1
        # only what nobody is named for was recorded without a hash
        is_bare = kept is None and any(value is not None for value in said[6:])
        is_lost = kept is None and (self.is_chained or (is_bare and not self.is_bare))
        if is_lost or kept not in (None, self.head.hash):
            self._find(number, "it is not what was recorded, or a record before it is not")
            # what follows is compared with what this record says of itself: one change is one fault
            self.head = self.head._replace(hash=kept or self.head.hash)
        self.is_chained, self.is_bare = kept is not None, is_bare
        if restored is not None:
            self.came = number
            self.faults.extend(Fault(one.number, one.text) for one in restored.faults)
            self.unproved = self.unproved if restored.is_proved else restored.last_id
        if (seal := self.sealed.pop(number, None)) is not None:
            self._compare(seal)

    def _look_at_clock(self, number: int, was: str, now: str) -> None:
        with suppress(ValueError):  # its hash is not right either
            if datetime.fromisoformat(was) - datetime.fromisoformat(now) > WAIT:
                self.set_back.append(number)

    def _read(self, data: str) -> _Restored:
        try:
            return _read_restored(data)
        except msgspec.DecodeError:  # its hash is not right either
            return _Restored()

    def find_hidden(self, said: list[Any], record_id: int | None) -> None:
        """Find a record that is looked for under an id which is not the one it says."""
        with suppress(msgspec.DecodeError):  # its hash is not right either
            if _read_id(said[3]).id != record_id:
                self._find(said[1], f"it is listed as one of the id {record_id}, and that is not what it says")

    def _compare(self, seal: Record) -> None:
        text = events.sealed_text(self.business_id, seal["day"], seal["number"], seal["hash"])
        if seal["hash"] != self.head.hash:
            self._find(seal["number"], f"the seal of {seal['day']} is of another record")
        elif compare_digest(seal["mark"].encode(), self.mark(text).encode()):
            self.marked = seal["day"]
        else:
            self.strange.append(seal)

    def end(self, newest: events.Head | None, *, is_foreign: bool) -> Finding:
        for number, seal in self.sealed.items():
            self._find(number, f"the seal of {seal['day']} is of it, and it is gone")
        for seal in () if is_foreign else self.strange:
            if seal["number"] >= self.came:
                self._find(seal["number"], f"the seal of {seal['day']} was not made with the key of this installation")
        self._compare_head(newest, is_foreign=is_foreign)
        # what a restore found may still be seen
        faults = sorted(set(self.faults)) if self.came else sorted(self.faults)
        said = self.records, self.head.number, self.head.hash, self.marked, len(self.strange)
        return Finding(*said, self.unproved, self.set_back, faults)

    def _compare_head(self, newest: events.Head | None, *, is_foreign: bool) -> None:
        head = self.head
        if not head.number:
            self._find(1, "it is missing, and all that followed it")
        elif newest is None:
            self._find(head.number, "nothing says which record is the newest")
        elif newest.number > head.number:
            self._find(newest.number, f"the records after {head.number} are missing")
        elif (newest.number, newest.hash) != (head.number, head.hash):
            self._find(head.number, "it is not the record that was the newest")
        elif not is_foreign and not newest.holds(self.business_id, self.mark):
            self._find(head.number, "the mark of the newest record was not made with the key of this installation")

    def _find(self, number: int, text: str) -> None:
        self.faults.append(Fault(number, text))


class Doubt(NamedTuple):
    """What is to be said of the trail of a business in a backup.

    One without faults that is not proved has only another key. `lost` is how many records there were after its newest.
    """

    name: str
    faults: list[Fault]
    is_proved: bool
    lost: int


NAMES = Query[tuple[Any, ...]](tuple, "SELECT name FROM business WHERE id = :id")
FIRST = Statement("SELECT hash FROM event WHERE business_id = :business_id ORDER BY number LIMIT 1")


def first_hash(conn: Connection, business_id: int) -> str | None:
    """Return the hash of the record that a trail begins with; none of what is from before there was one."""
    found: str | None = FIRST.value(conn, business_id=business_id)
    return found


def begun_here(conn: Connection, mark: events.Mark) -> set[str]:
    """Return the hashes that the trails of books begin with whose marks were made with this key, and no other."""
    found = set()
    for business_id in events.EVERY.values(conn):
        head, first = events.HEAD.one(conn, business_id=business_id), first_hash(conn, business_id)
        is_held = first is not None and head is not None and head.holds(business_id, mark)
        if first is not None and is_held and verify(conn, business_id, mark).unproved_until is None:
            found.add(first)
    return found


def newest_here(conn: Connection) -> dict[str, events.Head]:
    """Return the newest record of the trails of books, by the hash that each begins with."""
    found = {}
    for business_id in events.EVERY.values(conn):
        if (first := first_hash(conn, business_id)) is not None:
            found[first] = events.newest(conn, business_id)
    return found


def take_over(
    conn: Connection,
    stamp: str,
    author: events.Author,
    *,
    here: set[str],
    replaced: Mapping[str, events.Head],
    is_key_known: bool,
) -> list[Doubt]:
    """Verify the trails of a backup and let them go on; return those that were not proved, or lack newer records.

    What each goes on with says what the newest record was of the trail that it replaces.

    A trail that begins `here`, or that comes with its key, must have a mark of that key; without one, nothing in it
    gets a mark again. Of one from elsewhere that cannot be said: it goes on with marks, from what is recorded as not
    proved.
    """
    mark, doubts = author.marker(), []
    for business_id in events.EVERY.values(conn):
        first, head = first_hash(conn, business_id), events.newest(conn, business_id)
        is_held = head.holds(business_id, mark)
        is_foreign = not is_held and (first is None or not (is_key_known or first in here))
        faults = verify(conn, business_id, mark, is_foreign=is_foreign).faults
        if business_id == events.SERVICE:
            faults += [Fault(head.number, f"{one.record}: {one.text}") for one in service_trail.unrecorded(conn)]
        is_proved = is_held and not faults
        found: dict[str, Any] = {
            "is_proved": is_proved,
            "faults": [{"id": fault.number, "text": fault.text} for fault in faults],
        }
        if (was := replaced.get(first or "")) is not None:
            found |= {"replaced_id": was.number, "replaced_hash": was.hash, "replaced_mark": was.mark}
        lost = 0 if was is None else max(was.number - head.number, 0)
        events.take_over(conn, business_id, (found, stamp), author, mark if is_held or is_foreign else events.unmarked)
        if lost or not is_proved:
            names = NAMES.one(conn, id=business_id) or ("the service",)
            doubts.append(Doubt(names[0], faults, is_proved, lost))
    return doubts
