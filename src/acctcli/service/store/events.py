"""The trail: a record for each change, written in its transaction and chained (docs/interface.md 11.1, 11.4).

The hash of a record is the SHA-256 of the hash before it and of what the record says, so that nothing in it can be
changed, removed or put in between unseen. At the first record of a later day the end of the day before is sealed with a
key that is not in the database: what is cut off at the end shows, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Any, NamedTuple

from msgspec.json import Encoder

from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement, insert_many

_encode = Encoder(decimal_format="number").encode

BEGINNING = "0" * 64
MAX_OPERATION = 96


class Author(NamedTuple):
    """Who made a change: user, client, the way it came, request and operation; `mark` seals days with a key.

    Empty where nobody knows.
    """

    user_id: int | None = None
    name: str = ""
    client: str = ""
    via: str = ""
    request_id: str = ""
    operation: str = ""
    mark: Callable[[bytes], str] | None = None


NOBODY = Author()


class Head(NamedTuple):
    """The newest record of a trail."""

    number: int
    hash: str
    created_at: str


HEAD = Query(Head, "SELECT number, hash, created_at FROM trail_head WHERE business_id = :business_id")
# Numbers are given under the lock of the business, so the newest is the highest
RECORD = Statement(
    """INSERT INTO event (business_id, number, type, data, created_at, record_id, user_id, author, client, via,
        request_id, operation, hash)
    VALUES (:business_id, :number, :type, :data, :created_at, :record_id, :user_id, :author, :client, :via,
        :request_id, :operation, :hash)"""
)
SEAL = Statement(
    """INSERT INTO trail_seal (business_id, day, number, hash, mark)
    VALUES (:business_id, :day, :number, :hash, :mark)
    ON CONFLICT (business_id, day) DO NOTHING"""
)


def record(conn: Connection, business_id: int, event_type: str, data: Any, stamp: str, author: Author = NOBODY) -> None:
    """Record `<resource>.<verb>` with the resource as GET returns it; numbers increase per business."""
    head = HEAD.one(conn, business_id=business_id) or Head(0, BEGINNING, stamp)
    if author.mark is not None and head.created_at[:10] < stamp[:10]:
        seal(conn, business_id, head, author.mark)
    text, number = _encode(data).decode(), head.number + 1
    said = (business_id, number, event_type, text, stamp, *author[:6])
    RECORD.run(
        conn,
        business_id=business_id,
        number=number,
        type=event_type,
        data=text,
        created_at=stamp,
        record_id=data.get("id"),
        user_id=author.user_id,
        author=author.name,
        client=author.client,
        via=author.via,
        request_id=author.request_id,
        operation=author.operation,
        hash=chained(head.hash, said),
    )


def chained(before: str, said: Iterable[Any]) -> str:
    """Return the hash of a record: of the hash before it, and of each value with its length in bytes.

    The values are those of `RECORDED`, as text; nothing stands for null.
    """
    parts = [before.encode()]
    for value in said:
        text = b"" if value is None else str(value).encode()
        parts += (b"%d:" % len(text), text)
    return sha256(b"".join(parts)).hexdigest()


def seal(conn: Connection, business_id: int, head: Head, mark: Callable[[bytes], str]) -> None:
    """Seal the day of the newest record, which is over."""
    day = head.created_at[:10]
    marked = mark(sealed_text(business_id, day, head.number, head.hash))
    SEAL.run(conn, business_id=business_id, day=day, number=head.number, hash=head.hash, mark=marked)


OPEN = Query[tuple[Any, ...]](
    tuple,
    """SELECT business_id, number, hash, created_at FROM trail_head WHERE created_at < :today
    AND NOT EXISTS (SELECT 1 FROM trail_seal WHERE trail_seal.business_id = trail_head.business_id
        AND trail_seal.day = substr(trail_head.created_at, 1, 10))""",
)


def seal_all(conn: Connection, stamp: str, mark: Callable[[bytes], str]) -> None:
    """Seal the last day of every trail that is not of the day of a moment."""
    for business_id, *head in OPEN.all(conn, today=stamp[:10]):
        seal(conn, business_id, Head(*head), mark)


def sealed_text(business_id: int, day: str, number: int, hashed: str) -> bytes:
    """Return what the key of the installation marks."""
    return f"{business_id} {day} {number} {hashed}".encode()


# what a hash covers, in its order
RECORDED = "business_id, number, type, data, created_at, user_id, author, client, via, request_id, operation"
CHAIN = Query[tuple[Any, ...]](
    tuple, f"SELECT {RECORDED}, hash FROM event WHERE business_id = :business_id ORDER BY number"
)
EARLIER = Statement("SELECT DISTINCT business_id FROM event")


def chain_earlier(conn: Connection) -> None:
    """Begin the trails of books that have recorded changes without one: who made them is not known."""
    heads = []
    for business_id in EARLIER.values(conn):
        head = Head(0, BEGINNING, "")
        for *said, _ in CHAIN.stream(conn, business_id=business_id):
            head = Head(said[1], chained(head.hash, said), said[4])
        heads.append({"business_id": business_id, **head._asdict()})
    insert_many(conn, "trail_head", heads)
