"""The trail: a record for each change, written in its transaction and chained (docs/interface.md 11.1, 11.4).

The hash of a record is the SHA-256 of the hash before it and of what the record says, so that nothing in it can be
changed, removed or put in between unseen. The newest record is marked with a key that is not in the database, and so is
the last one of each day: whoever may write the database, and no more, can neither cut the end off nor chain anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from hashlib import sha256
from hmac import compare_digest
from typing import Any, NamedTuple

from msgspec.json import Encoder

from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement, insert_many
from acctcli.service.store.moments import stamp as stamped

_encode = Encoder(decimal_format="number").encode

BEGINNING = "0" * 64
# whose trail that of the service is: no business has this id
SERVICE = 0


Mark = Callable[[bytes], str]


def unmarked(_: bytes) -> str:
    """Return the mark of who has no key."""
    return ""


def without_key() -> Mark:
    """Return what makes no marks."""
    return unmarked


class Author(NamedTuple):
    """Who made a change: user, client, the way it came, request and operation; empty where nobody knows.

    `marker` returns what makes marks with the key of the installation.
    """

    user_id: int | None = None
    name: str = ""
    client: str = ""
    via: str = ""
    request_id: str = ""
    operation: str = ""
    marker: Callable[[], Mark] = without_key


NOBODY = Author()


class Head(NamedTuple):
    """The newest record of a trail."""

    number: int
    hash: str
    created_at: str
    mark: str

    @property
    def day(self) -> str:
        """The day of the record, in UTC."""
        return self.created_at[:10]

    def is_before(self, stamp: str) -> bool:
        """Say whether there is a record, of an earlier day than a moment."""
        return self.number > 0 and self.day < stamp[:10]

    def marked(self, business_id: int, mark: Mark) -> Head:
        """Return it with its mark."""
        return self._replace(mark=mark(newest_text(business_id, self.number, self.hash)))

    def holds(self, business_id: int, mark: Mark) -> bool:
        """Say whether the mark was made with the key."""
        return compare_digest(self.mark.encode(), mark(newest_text(business_id, self.number, self.hash)).encode())


def newest_text(business_id: int, number: int, hashed: str) -> bytes:
    """Return what is marked; the mark of a day's end is of another text and stands for no newest record."""
    return f"newest {business_id} {number} {hashed}".encode()


HEAD = Query(Head, "SELECT number, hash, created_at, mark FROM trail_head WHERE business_id = :business_id")
# A business has a head from the beginning: a trail that has lost its own does not begin again with a mark
NONE = Head(0, BEGINNING, "", "")
# of a trail that has lost its head; it goes on without a mark
LAST = Query(
    Head,
    "SELECT number, hash, created_at, '' AS mark FROM event WHERE business_id = :business_id AND hash IS NOT NULL "
    "ORDER BY number DESC LIMIT 1",
)
# Numbers are given under the lock of the business, so the newest is the highest
RECORD = Statement(
    """INSERT INTO event (business_id, number, type, data, created_at, record_id, user_id, author, client, via,
        request_id, operation, hash)
    VALUES (:business_id, :number, :type, :data, :created_at, :record_id, :user_id, :author, :client, :via,
        :request_id, :operation, :hash)"""
)
ADVANCE = Statement(
    """INSERT INTO trail_head (business_id, number, hash, created_at, mark)
    VALUES (:business_id, :number, :hash, :created_at, :mark) ON CONFLICT (business_id) DO UPDATE
    SET number = excluded.number, hash = excluded.hash, created_at = excluded.created_at, mark = excluded.mark"""
)
# so many records are counted, by their types, when the last one of them is written
BLOCK = 1_000
COUNT_BLOCK = Statement(
    """INSERT INTO event_block (business_id, until, type, count)
    SELECT business_id, :until, type, count(*) FROM event
    WHERE business_id = :business_id AND number > :before AND number <= :until GROUP BY business_id, type"""
)
SEAL = Statement(
    """INSERT INTO trail_seal (business_id, day, number, hash, mark)
    VALUES (:business_id, :day, :number, :hash, :mark)
    ON CONFLICT (business_id, day) DO NOTHING"""
)


def record(conn: Connection, business_id: int, event_type: str, data: Any, stamp: str, author: Author = NOBODY) -> None:
    """Record `<resource>.<verb>` with the resource as GET returns it; numbers increase per business.

    What others have put at the end gets no mark, nor does anything after it: it would look like what was recorded.
    """
    # one transaction is marked with one key: a restore, which may bring another one, writes in one of its own
    mark: Mark | None = conn.memory.get(author.marker)
    if mark is None:
        mark = conn.memory[author.marker] = author.marker()
    head = newest(conn, business_id)
    is_ours = head.holds(business_id, mark)
    if is_ours and head.is_before(stamp):
        seal(conn, business_id, head, mark)
    _append(conn, business_id, head, (event_type, data, stamp), author, mark if is_ours else unmarked)


def newest(conn: Connection, business_id: int) -> Head:
    """Return the newest record of a trail."""
    known: Head | None = conn.memory.get((Head, business_id))
    return known or HEAD.one(conn, business_id=business_id) or LAST.one(conn, business_id=business_id) or NONE


def begin(conn: Connection, business_id: int, author: Author) -> None:
    """Begin the trail of a new business."""
    ADVANCE.run(conn, business_id=business_id, **NONE.marked(business_id, author.marker())._asdict())


def _append(
    conn: Connection, business_id: int, head: Head, told: tuple[str, Any, str], author: Author, mark: Mark
) -> None:
    event_type, data, stamp = told
    text, number = _encode(data).decode(), head.number + 1
    said = (business_id, number, event_type, text, stamp, *author[:6])
    hashed = chained(head.hash, said)
    head = Head(number, hashed, stamp, mark(newest_text(business_id, number, hashed)))
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
        hash=hashed,
    )
    ADVANCE.run(conn, business_id=business_id, **head._asdict())
    if number % BLOCK == 0:
        COUNT_BLOCK.run(conn, business_id=business_id, before=number - BLOCK, until=number)
    conn.memory[Head, business_id] = head


def chained(before: str, said: Iterable[Any]) -> str:
    """Return the hash of a record: of the hash before it, and of each value with its length in bytes.

    The values are those of `RECORDED`, as text; nothing stands for null.
    """
    texts = ["" if value is None else str(value) for value in said]
    # one encoding of all where letters are bytes, which is nearly always
    parts = [f"{len(text) if text.isascii() else len(text.encode())}:{text}" for text in texts]
    return sha256(f"{before}{''.join(parts)}".encode()).hexdigest()


def seal(conn: Connection, business_id: int, head: Head, mark: Mark) -> None:
    """Seal the day of the newest record, which is over."""
    marked = mark(sealed_text(business_id, head.day, head.number, head.hash))
    SEAL.run(conn, business_id=business_id, day=head.day, number=head.number, hash=head.hash, mark=marked)


OPEN = Query[tuple[Any, ...]](
    tuple,
    """SELECT business_id, number, hash, created_at, mark FROM trail_head
    WHERE number > 0 AND created_at < :today
    AND NOT EXISTS (SELECT 1 FROM trail_seal WHERE trail_seal.business_id = trail_head.business_id
        AND trail_seal.day = substr(trail_head.created_at, 1, 10))""",
)


def seal_all(conn: Connection, stamp: str, mark: Mark) -> None:
    """Seal the last day of every trail that is not of the day of a moment."""
    for business_id, *said in OPEN.all(conn, today=stamp[:10]):
        head = Head(*said)
        if head.holds(business_id, mark):
            seal(conn, business_id, head, mark)


RESTORED, SERVICE_RESTORED = "business.restored", "service.restored"


def take_over(conn: Connection, business_id: int, told: tuple[dict[str, Any], str], author: Author, mark: Mark) -> None:
    """Go on with a trail of a backup: a record with what was found of it says from where on.

    A record that was not proved is not sealed; `mark` makes no marks where nothing from here on may be proved either.
    """
    (found, stamp), head = told, newest(conn, business_id)
    if found["is_proved"] and head.is_before(stamp):
        seal(conn, business_id, head, mark)
    data = {"id": business_id or None, "last_id": head.number, "last_hash": head.hash, **found}
    restored = SERVICE_RESTORED if business_id == SERVICE else RESTORED
    _append(conn, business_id, head, (restored, data, stamp), author, mark)


def sealed_text(business_id: int, day: str, number: int, hashed: str) -> bytes:
    """Return what the key of the installation marks."""
    return f"{business_id} {day} {number} {hashed}".encode()


# what a hash covers, in its order
RECORDED = "business_id, number, type, data, created_at, user_id, author, client, via, request_id, operation"
CHAIN = Query[tuple[Any, ...]](
    tuple, f"SELECT {RECORDED}, record_id, hash FROM event WHERE business_id = :business_id ORDER BY number"
)
# those that were begun: what a business that is deleted leaves is no trail
EVERY = Statement(
    f"SELECT {SERVICE} UNION SELECT id FROM business WHERE substr(slug, 1, 1) <> '~' ORDER BY 1",
)
RECORDED_IN = Statement("SELECT id FROM business UNION SELECT business_id FROM event")
# what a trail begins with, unless it was recorded before there was one
CREATED, CHAINED, BEGUN = "POST create_business", "business.chained", "service.begun"


def chain_earlier(conn: Connection, marker: Callable[[], Mark]) -> None:
    """Begin the trails of books that have recorded changes without one: who made them is not known."""
    businesses, heads, empty = RECORDED_IN.values(conn), [], []
    mark = marker() if businesses else unmarked
    for business_id in businesses:
        head = NONE
        for *said, _, _ in CHAIN.stream(conn, business_id=business_id):
            head = Head(said[1], chained(head.hash, said), said[4], "")
        if head == NONE:
            empty.append(business_id)
        heads.append({"business_id": business_id, **head.marked(business_id, mark)._asdict()})
    insert_many(conn, "trail_head", heads)
    moment = datetime.now(UTC)
    for business_id in empty:
        # what it had was forgotten; an empty trail would look like one that was emptied
        record(
            conn, business_id, CHAINED, {"id": business_id}, stamped(moment), Author(via="process", marker=lambda: mark)
        )
