"""Any page of a list, as it is at that moment, whatever was remembered of it before."""

from __future__ import annotations

from datetime import date, timedelta
from functools import partial
from random import Random
from typing import Any

import pytest

from acctcli.service.store import contacts
from acctcli.service.store.books import documents
from acctcli.service.store.engine import marks
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.database import Database
from acctcli.service.store.engine.statements import Statement, insert_many
from acctcli.service.store.listing import tally
from tests.service.actor import World

STAMPS = {"created_at": "2026", "updated_at": "2026"}
COUNT = 6 * marks.STRIDE


def contact(name: str) -> dict[str, Any]:
    texts = {"type": "CORPORATE", "name": name, "sort_name": name, "name_aliases": "[]", "search_text": name}
    return {**texts, "is_invoicing_enabled": True, "invoicing_language": "fi", **STAMPS}


@pytest.fixture
def business_id(service: World) -> int:
    """A business with many contacts, of each name three."""
    made: int = service.user().create_business("Example Oy", form="FI_OY")["id"]
    rows = [{"business_id": made, **contact(f"{number // 3:04}")} for number in range(COUNT)]
    service.database.write(lambda conn: insert_many(conn, "contact", rows))
    return made


def pages(database: Database, business_id: int, *offsets: int) -> list[tuple[int, list[int]]]:
    with database.read() as conn:
        found = [contacts.ROWS.list_page(conn, business_id, {}, limit=7, offset=offset) for offset in offsets]
    return [(count, [row["id"] for row in rows]) for count, rows in found]


def in_order(database: Database, business_id: int) -> list[int]:
    """The ids as the database orders them, asked for at once."""
    whole = Statement("SELECT id FROM contact WHERE business_id = :business_id ORDER BY sort_name, id")
    with database.read() as conn:
        return whole.values(conn, business_id=business_id)


def test_pages_are_exact_while_rows_come_go_and_move(service: World, business_id: int) -> None:
    database, dice = service.database, Random(7)

    def change(conn: Connection) -> None:
        ids = in_order(database, business_id)
        contacts.ROWS.create(conn, business_id, contact(f"{dice.randrange(COUNT // 3):04}"))
        contacts.ROWS.remove(conn, business_id, dice.choice(ids[::2]))
        contacts.ROWS.change(
            conn, business_id, dice.choice(ids[1::2]), {"sort_name": f"{dice.randrange(COUNT // 3):04}"}
        )

    for _ in range(12):
        offsets = [dice.randrange(COUNT + 10) for _ in range(12)]
        ids = in_order(database, business_id)
        assert pages(database, business_id, *offsets) == [(COUNT, ids[start : start + 7]) for start in offsets]
        database.write(change)


def test_a_list_that_is_narrowed_is_cut_into_the_same_pages(service: World, business_id: int) -> None:
    wanted = {"search": {"search": "%00%"}}
    whole = Statement(
        "SELECT id FROM contact WHERE business_id = :business_id AND search_text LIKE '%00%' ORDER BY sort_name, id"
    )
    with service.database.read() as conn:
        ids = whole.values(conn, business_id=business_id)
        assert len(ids) > 30
        for start in range(0, len(ids) + 8, 7):
            count, rows = contacts.ROWS.list_page(conn, business_id, wanted, limit=7, offset=start)
            assert (count, [row["id"] for row in rows]) == (len(ids), ids[start : start + 7])


def test_the_state_of_a_list_changes_with_its_order_only(service: World, business_id: int) -> None:
    database, first = service.database, in_order(service.database, business_id)[0]
    states = []
    for change in ({}, {"notes": "x"}, {"sort_name": "0000"}, {"sort_name": "0001"}, {"sort_name": "0000"}):
        if change:
            database.write(partial(contacts.ROWS.change, business_id=business_id, row_id=first, values=change))
        with database.read() as conn:
            states.append(tally(conn, business_id, "contact")[1])
    assert states[0] == states[1] == states[2]
    assert len(set(states)) == 3


def document(business_id: int, day: int) -> dict[str, Any]:
    flags = {"is_draft": True, "is_locked": False, "is_flagged": False}
    texts = {"description": "", "search_text": "", "blueprint": "{}", "blueprint_type": "MANUAL"}
    sums = {"balance_cents": 0, "total_cents": 0, "type": 0, "date": date(2026, 1, 1) + timedelta(day)}
    return {"business_id": business_id, **flags, **texts, **sums, **STAMPS}


def test_lists_downwards_are_paged_from_what_is_remembered(
    service: World, business_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(marks, "STRIDE", 3)
    database, dice = service.database, Random(7)
    rows = [document(business_id, dice.randrange(20)) for _ in range(60)]
    database.write(lambda conn: insert_many(conn, "document", rows))
    ids = Statement("SELECT id FROM document WHERE business_id = :business_id ORDER BY date DESC, id DESC")
    with database.read() as conn:
        expected = ids.values(conn, business_id=business_id)
        for offset in [dice.randrange(64) for _ in range(64)]:
            count, found = documents.list_page(conn, business_id, {}, limit=5, offset=offset)
            assert (count, [row.id for row in found]) == (60, expected[offset : offset + 5])
        assert conn.marks.before(("document", business_id), tally(conn, business_id, "document")[1], 59) is not None


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marks, "MOST_LISTS", 3)
    known = marks.Marks()
    for business in range(9):
        for place in range(0, 1000, 10):
            known.remember(("document", business), 1, marks.Mark(place, (place,)))
    assert len(known._lists) <= 3
    assert known.before(("document", 8), 1, 999) == marks.Mark(900, (900,))
    assert known.before(("document", 8), 2, 999) is None
