"""The trail: every accepted write stands in it with who made it, and what is done to it shows, on both databases."""

from __future__ import annotations

import hashlib
import hmac
import random
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest

from acctcli.models.events import EVENT_TYPES
from acctcli.service.http.task import trail_name
from acctcli.service.identity.keys import InstallationKey
from acctcli.service.routes.table import TABLE
from acctcli.service.store import events, trail
from acctcli.service.store.engine.connection import Connection, DatabaseFault
from tests.service.actor import World
from tests.service.routes.books import Books, open_books

FIELDS = (
    "business_id", "number", "type", "data", "created_at", "user_id", "author", "client", "via", "request_id",
    "operation",
)  # fmt: skip


def recorded(service: World, books: Books) -> list[dict[str, Any]]:
    names = (*FIELDS, "hash")
    text = f"SELECT {', '.join(names)} FROM event WHERE business_id = {books.business_id} ORDER BY number"
    with service.database.read() as conn:
        return [dict(zip(names, row, strict=True)) for row in conn.fetch(text)[1]]


def find(service: World, books: Books) -> trail.Finding:
    with service.database.read() as conn:
        return trail.verify(conn, books.business_id, service.installation.trail_marker())


@pytest.fixture
def books(service: World) -> Books:
    """A business with some records of two days, the first of them sealed."""
    made = open_books(service.user("anna@example.com", first_name="Anna", last_name="Aalto"), slug="alder")
    for day in range(2):
        for number in range(4):
            made.create("tags/", {"name": f"tag {day} {number}"})
        service.clock.move(timedelta(days=1))
    return made


def test_a_person_is_looked_for_however_their_name_is_written(books: Books) -> None:
    everything = books.get("audit/").body["count"]
    found = {text: books.get("audit/", person=text).body["count"] for text in ("aALTo", "ANNA@", "aalto_", "bo")}
    assert found == {"aALTo": everything, "ANNA@": everything, "aalto_": 0, "bo": 0}


def test_each_record_says_who_and_how_and_hashes_what_was_before(service: World, books: Books) -> None:
    agent = {"User-Agent": "teller/" + "9" * 300, "Idempotency-Key": "one"}
    reply = books.actor.send("POST", f"{books.path}tags/", {"name": "last"}, headers=agent)
    assert reply.status == 201
    rows = recorded(service, books)
    last = rows[-1]
    assert {name: last[name] for name in FIELDS if name not in ("data", "created_at", "number")} == {
        "business_id": books.business_id,
        "type": "tag.created",
        "user_id": books.actor.id,
        "author": "Anna Aalto <anna@example.com>",
        "client": ("teller/" + "9" * 300)[:200],
        "via": "process",
        "request_id": reply.headers["X-Request-Id"],
        "operation": "POST create_tag",
    }
    before = "0" * 64
    for number, row in enumerate(rows, 1):
        assert row["number"] == number
        texts = ["" if row[name] is None else str(row[name]) for name in FIELDS]
        said = "".join(f"{len(text.encode())}:{text}" for text in texts)
        before = hashlib.sha256((before + said).encode()).hexdigest()
        assert row["hash"] == before


def test_a_day_that_is_over_is_sealed_with_a_key_that_is_elsewhere(service: World, books: Books) -> None:
    with service.database.read() as conn:
        (seal,) = trail.seals(conn, books.business_id)
    last = [row for row in recorded(service, books) if row["created_at"][:10] == seal["day"]][-1]
    text = f"{books.business_id} {seal['day']} {last['number']} {last['hash']}"
    key = hmac.digest(bytes(range(32)), b"acctcli trail\x01", "sha256")
    assert (seal["number"], seal["hash"]) == (last["number"], last["hash"])
    assert seal["mark"] == hashlib.blake2b(text.encode(), key=key, digest_size=32).hexdigest()
    finding = find(service, books)
    assert (finding.faults, finding.sealed_until) == ([], seal["day"])


def tamper(service: World, *statements: str) -> None:
    """Change the trail as whoever owns the database can."""

    table = " ON event" if service.database.dialect == "postgresql" else ""
    run(service, f"DROP TRIGGER event_frozen{table}", *statements)


def run(service: World, *statements: str) -> None:
    def work(conn: Connection) -> None:
        for statement in statements:
            conn.run(statement)

    service.database.write(work)


def test_every_changed_value_of_every_record_is_found(service: World, books: Books) -> None:
    rows, chance = recorded(service, books), random.Random(11)
    row, name = chance.choice(rows), chance.choice([name for name in FIELDS if name not in ("number", "business_id")])
    value = str(row[name] or "")
    other = (
        "9" if name == "user_id" else "'" + value[:-1].replace("'", "''") + ("x" if value[-1:] != "x" else "y") + "'"
    )
    where = f"business_id = {books.business_id} AND number = {row['number']}"
    tamper(service, f"UPDATE event SET {name} = {other} WHERE {where}")
    assert [fault.number for fault in find(service, books).faults] == [row["number"]]


# of the books above, whatever making a business records
SEALED, LAST = -2, -1


@pytest.mark.parametrize(
    ("statements", "numbers"),
    [
        (["DELETE FROM event WHERE {here} AND number = 3"], [4, 4]),
        (["DELETE FROM event WHERE {here} AND number > 8"], [LAST]),
        (["DELETE FROM event WHERE {here} AND number <= 2"], [3]),
        (
            [
                "UPDATE event SET number = 100 WHERE {here} AND number = 3",
                "UPDATE event SET number = 3 WHERE {here} AND number = 4",
                "UPDATE event SET number = 4 WHERE {here} AND number = 100",
            ],
            [3, 4, 5],
        ),
        (
            [  # who cut the end off mended the mark of the newest record
                "DELETE FROM event WHERE {here} AND number > 2",
                "UPDATE trail_head SET number = 2, hash = (SELECT hash FROM event WHERE {here} AND number = 2) "
                "WHERE {here}",
            ],
            [2, SEALED],
        ),
        (["DELETE FROM trail_seal WHERE {here}"], [SEALED]),
        (["DELETE FROM trail_head WHERE {here}"], [LAST]),
        (["UPDATE event SET hash = NULL WHERE {here} AND number > 6"], [7]),
        (["UPDATE event SET hash = NULL WHERE {here} AND number = 1"], [1]),
        (["UPDATE event SET hash = NULL WHERE {here}"], [1]),
        (["UPDATE event SET record_id = 99 WHERE {here} AND number = 3"], [3]),
    ],
    ids=[
        "removed",
        "cut",
        "beheaded",
        "swapped",
        "cut and mended",
        "no seals",
        "no newest",
        "no hashes",
        "no first hash",
        "no hash at all",
        "hidden",
    ],
)
def test_what_is_done_to_the_chain_is_found(
    service: World, books: Books, statements: list[str], numbers: list[int]
) -> None:
    here = f"business_id = {books.business_id}"
    assert find(service, books).faults == []
    last = len(recorded(service, books))
    tamper(service, *(statement.format(here=here) for statement in statements))
    places = {LAST: last, SEALED: last - 4}
    assert [fault.number for fault in find(service, books).faults] == [places.get(one, one) for one in numbers]


def chain_anew(service: World, books: Books, *statements: str) -> None:
    """Change the trail as whoever may write the database and knows how it is made, but has not the key."""
    here, key = f"business_id = {books.business_id}", b"another key"
    tamper(service, *(statement.format(here=here) for statement in statements))
    rows, before = recorded(service, books), "0" * 64
    for row in rows:
        before = events.chained(before, [row[name] for name in FIELDS])
        mend = f"UPDATE event SET hash = '{before}' WHERE {here} AND number = {row['number']}"
        seal = f"UPDATE trail_seal SET hash = '{before}' WHERE {here} AND number = {row['number']}"
        run(service, mend, seal)
    run(
        service,
        f"UPDATE trail_seal SET mark = '{hmac.new(key, b'seal', 'sha256').hexdigest()}' WHERE {here}",
        f"UPDATE trail_head SET number = {rows[-1]['number']}, hash = '{before}' WHERE {here}",
    )


FORGED = {
    "changed": ["UPDATE event SET data = '{{}}' WHERE {here} AND number = 2"],
    "cut with its seals": [
        "DELETE FROM event WHERE {here} AND number > 5",
        "DELETE FROM trail_seal WHERE {here} AND number > 5",
    ],
    "begun anew": ["DELETE FROM event WHERE {here} AND number > 1", "DELETE FROM trail_seal WHERE {here}"],
}


@pytest.mark.together
@pytest.mark.parametrize("statements", FORGED.values(), ids=FORGED)
def test_who_has_not_the_key_can_chain_nothing_anew_unseen(service: World, books: Books, statements: list[str]) -> None:
    chain_anew(service, books, *statements)
    assert find(service, books).faults
    # nor does what is recorded from then on make it good
    for _ in range(2):
        books.create("tags/", {"name": f"later {service.clock.now}"})
        service.clock.move(timedelta(days=1))
    finding = find(service, books)
    assert finding.number in [fault.number for fault in finding.faults]


def test_a_trail_that_lost_all_it_had_does_not_begin_again_unseen(service: World, books: Books) -> None:
    here = f"business_id = {books.business_id}"
    tamper(service, *(f"DELETE FROM {table} WHERE {here}" for table in ("event", "trail_seal", "trail_head")))
    gone = find(service, books)
    assert (gone.records, gone.faults) == (0, [(1, "it is missing, and all that followed it")])
    books.create("tags/", {"name": "later"})
    assert find(service, books).faults == [
        (1, "all that was recorded before it is missing"),
        (1, "the mark of the newest record was not made with the key of this installation"),
    ]


def test_a_trail_that_lost_its_newest_mark_goes_on_and_says_so(service: World, books: Books) -> None:
    last = len(recorded(service, books))
    run(service, f"DELETE FROM trail_head WHERE business_id = {books.business_id}")
    books.create("tags/", {"name": "later"})
    assert [fault.number for fault in find(service, books).faults] == [last, last + 1]


def test_the_mark_of_a_day_stands_for_no_newest_record(service: World, books: Books) -> None:
    here = f"business_id = {books.business_id}"
    sealed = len(recorded(service, books)) - 4
    tamper(
        service,
        f"DELETE FROM event WHERE {here} AND number > {sealed}",
        f"UPDATE trail_head SET (number, hash, mark) = (SELECT number, hash, mark FROM trail_seal WHERE {here}) "
        f"WHERE {here}",
    )
    assert [fault.number for fault in find(service, books).faults] == [sealed]


def test_the_database_refuses_to_change_a_record(service: World, books: Books) -> None:
    with pytest.raises(DatabaseFault, match="a record of the trail does not change"):
        service.database.write(lambda conn: conn.run("UPDATE event SET author = 'Bert'"))
    assert find(service, books).faults == []


def test_a_request_that_changes_nothing_stands_in_the_trail(service: World, books: Books) -> None:
    document = books.document("2026-03-02", "1.00")
    path = f"{books.path}document/{document['id']}/action/unlock/"
    told = len(recorded(service, books))
    assert books.actor.send("POST", path).status == 200
    (last,) = recorded(service, books)[told:]
    assert (last["type"], last["operation"]) == ("document.unchanged", "POST unlock_document")


def test_what_changes_nothing_stands_under_the_record_that_other_changes_of_it_stand_under() -> None:
    nouns = {name.partition(".")[0] for name in EVENT_TYPES}
    writing = [one for one in TABLE if one.scoped and not one.safe]
    # the id in the address, beside the slug, or else the group
    named = [(re.findall(r"{(\w+)}", one.path)[1:] or [one.tag])[0] for one in writing]
    assert [one for one in named if trail_name(one) not in nouns] == []
    assert [trail_name(one) for one in ("subscription_id", "invoice_id", "identifiers", "document_id")] == [
        "webhook_subscription",
        "sales_invoice",
        "identifier",
        "document",
    ]


def test_the_chain_of_many_writers_is_in_the_order_of_their_commits(service: World, books: Books) -> None:
    def write(number: int) -> int:
        return books.actor.send("POST", f"{books.path}tags/", {"name": f"many {number}"}).status

    told = len(recorded(service, books))
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(write, range(40))) == {201}
    assert len(recorded(service, books)) == told + 40
    assert find(service, books).faults == []


def test_a_record_taken_out_shows_whatever_numbers_the_others_are_given(service: World, books: Books) -> None:
    here, last = f"business_id = {books.business_id}", len(recorded(service, books))
    moved = [f"UPDATE event SET number = {n - 1} WHERE {here} AND number = {n}" for n in range(4, last + 1)]
    ends = [f"UPDATE {table} SET number = number - 1 WHERE {here}" for table in ("trail_head", "trail_seal")]
    tamper(service, f"DELETE FROM event WHERE {here} AND number = 3", *moved, *ends)
    finding = find(service, books)
    assert (finding.records, finding.faults[0].number) == (last - 1, 3)


def test_a_key_that_was_replaced_is_found(service: World, books: Books) -> None:
    last = len(recorded(service, books))
    other = InstallationKey(lambda: bytes(32)).trail_marker()
    with service.database.read() as conn:
        finding = trail.verify(conn, books.business_id, other)
    told = "was not made with the key of this installation"
    assert [(fault.number, told in fault.text) for fault in finding.faults] == [(last - 4, True), (last, True)]


def test_a_clock_that_was_set_back_is_said_and_no_fault(service: World, books: Books) -> None:
    last = len(recorded(service, books))
    for hours in (-1 / 12, -72, 24, 120):
        service.clock.move(timedelta(hours=hours))
        books.create("tags/", {"name": f"later {service.clock.now}"})
    finding = find(service, books)
    assert (finding.set_back, finding.faults) == ([last + 2], [])
