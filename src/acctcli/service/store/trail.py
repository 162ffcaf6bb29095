"""The trail as it is read: listed and recomputed (docs/interface.md 11.4)."""

from __future__ import annotations

from collections.abc import Callable
from hmac import compare_digest
from typing import NamedTuple

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


def verify(conn: Connection, business_id: int, mark: Callable[[bytes], str]) -> Finding:
    """Recompute the chain of a trail; compare every hash, the head and the seals with what is kept.

    `mark` makes the mark of a seal: one made with another key is counted, where its hash is right.
    """
    sealed = {row["number"]: row for row in seals(conn, business_id)}
    faults: list[Fault] = []
    head, records, marked, strange = events.Head(0, events.BEGINNING, ""), 0, None, 0
    for *said, kept in events.CHAIN.stream(conn, business_id=business_id):
        number = said[1]
        if records and number != head.number + 1:
            faults.append(Fault(number, f"the records {head.number + 1} to {number - 1} are missing before it"))
        head = events.Head(number, events.chained(head.hash, said), said[4])
        records += 1
        if kept is not None and kept != head.hash:
            faults.append(Fault(number, "it is not what was recorded, or a record before it is not"))
            # what follows is compared with what this record says of itself: one change is one fault
            head = head._replace(hash=kept)
        if (seal := sealed.pop(number, None)) is not None:
            text = events.sealed_text(business_id, seal["day"], number, seal["hash"])
            if seal["hash"] != head.hash:
                faults.append(Fault(number, f"the seal of {seal['day']} is of another record"))
            elif compare_digest(seal["mark"], mark(text)):
                marked = seal["day"]
            else:
                strange += 1
    faults += (Fault(number, f"the seal of {seal['day']} is of it, and it is gone") for number, seal in sealed.items())
    faults += _head_faults(conn, business_id, head)
    return Finding(records, head.number, head.hash, marked, strange, faults)


def _head_faults(conn: Connection, business_id: int, head: events.Head) -> list[Fault]:
    kept = events.HEAD.one(conn, business_id=business_id)
    if kept is None:
        return [Fault(head.number, "nothing says which record is the newest")] if head.number else []
    if kept.number > head.number:
        return [Fault(kept.number, f"the records after {head.number} are missing")]
    if (kept.number, kept.hash) != (head.number, head.hash):
        return [Fault(head.number, "it is not the record that was the newest")]
    return []
