"""The trail as it is read: listed and recomputed (docs/interface.md 11.4)."""

from __future__ import annotations

from contextlib import suppress
from hmac import compare_digest
from typing import Any, NamedTuple

import msgspec

from acctcli.service.store import events
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query
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
    faults: list[Fault]


def verify(conn: Connection, business_id: int, mark: events.Mark) -> Finding:
    """Recompute the chain of a trail; compare every hash, the newest record and the seals with what is kept.

    `mark` makes marks with the key of the installation. Seals made with another one are counted where their hash is
    right, and only of records that a restored backup brought.
    """
    walk = _Walk(business_id, mark, seals(conn, business_id))
    for *said, record_id, kept in events.CHAIN.stream(conn, business_id=business_id):
        walk.step(said, kept)
        walk.find_hidden(said, record_id)
    return walk.end(events.HEAD.one(conn, business_id=business_id))


class _Said(msgspec.Struct):
    id: int | None = None


_read_id = msgspec.json.Decoder(_Said).decode


class _Walk:
    """The way along a chain: `head` is how far it has come, `came` the last record that a restore wrote."""

    def __init__(self, business_id: int, mark: events.Mark, sealed: list[Record]) -> None:
        self.business_id = business_id
        self.mark = mark
        self.sealed = {row["number"]: row for row in sealed}
        self.days = {row["day"] for row in sealed}
        self.head = events.NONE
        self.records = self.came = 0
        self.is_chained = False
        self.marked: str | None = None
        self.strange: list[Record] = []
        self.faults: list[Fault] = []

    def step(self, said: list[Any], kept: str | None) -> None:
        number, last = said[1], self.head
        if last.number and number != last.number + 1:
            self._find(number, f"the records {last.number + 1} to {number - 1} are missing before it")
        if kept is not None and last.number and last.day < said[4][:10] and last.day not in self.days:
            self._find(last.number, f"the seal of {last.day} is gone")
        self.head = events.Head(number, events.chained(last.hash, said), said[4], "")
        self.records += 1
        if (kept is None and self.is_chained) or kept not in (None, self.head.hash):
            self._find(number, "it is not what was recorded, or a record before it is not")
            # what follows is compared with what this record says of itself: one change is one fault
            self.head = self.head._replace(hash=kept or self.head.hash)
        self.is_chained = kept is not None
        if said[2] == events.RESTORED:
            self.came = number
        if (seal := self.sealed.pop(number, None)) is not None:
            self._compare(seal)

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

    def end(self, newest: events.Head | None) -> Finding:
        for number, seal in self.sealed.items():
            self._find(number, f"the seal of {seal['day']} is of it, and it is gone")
        for seal in self.strange:
            if seal["number"] >= self.came:
                self._find(seal["number"], f"the seal of {seal['day']} was not made with the key of this installation")
        self._compare_head(newest)
        return Finding(
            self.records, self.head.number, self.head.hash, self.marked, len(self.strange), sorted(self.faults)
        )

    def _compare_head(self, newest: events.Head | None) -> None:
        head = self.head
        if newest is None:
            if head.number:
                self._find(head.number, "nothing says which record is the newest")
        elif newest.number > head.number:
            self._find(newest.number, f"the records after {head.number} are missing")
        elif (newest.number, newest.hash) != (head.number, head.hash):
            self._find(head.number, "it is not the record that was the newest")
        elif not newest.holds(self.business_id, self.mark):
            self._find(head.number, "the mark of the newest record was not made with the key of this installation")

    def _find(self, number: int, text: str) -> None:
        self.faults.append(Fault(number, text))
