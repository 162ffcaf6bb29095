"""What documents are found by follows their entries, and is told as if all of them had been looked at."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from acctcli.service.store.books import documents
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.database import Database
from acctcli.service.store.engine.statements import Query
from acctcli.service.store.listing import Clauses
from acctcli.service.store.schema.triggers import keys
from tests.databases import Factory, opened
from tests.service.actor import World
from tests.service.routes.books import Books, open_books

DAYS = ("2026-03-02", "2026-03-02", "2026-04-05")


def rows(conn: Connection, text: str) -> list[tuple[Any, ...]]:
    return Query[tuple[Any, ...]](tuple, text).all(conn)


def listed(conn: Connection) -> tuple[object, object]:
    """Return what is kept, and what would be kept of the entries there are."""
    columns = "document_id, kind, key, business_id, date"
    kept = rows(conn, f"SELECT {columns} FROM document_key")
    where = "WHERE entry.business_id > 0"
    found = rows(
        conn,
        f"SELECT found.*, document.business_id, document.date FROM ({keys(where)}) AS found "
        "JOIN document ON document.id = found.document_id WHERE NOT document.is_draft",
    )
    return sorted(kept), sorted(found)


def counted(conn: Connection) -> tuple[object, object]:
    kept = rows(conn, "SELECT business_id, kind, key, count FROM document_key_count WHERE count <> 0")
    found = rows(conn, "SELECT business_id, kind, key, count(*) FROM document_key GROUP BY 1, 2, 3")
    return sorted(kept), sorted(found)


def check(database: Database) -> None:
    with database.read() as conn:
        kept, found = listed(conn)
        assert kept == found
        kept, found = counted(conn)
        assert kept == found


@pytest.fixture
def books(service: World) -> Books:
    return open_books(service.user())


def fill(books: Books) -> list[int]:
    made = []
    for number, day in enumerate(DAYS * 3):
        row = {"date": day, "blueprint": books.simple(f"{number + 1}.00"), "is_draft": number == 4}
        made.append(int(books.create("document/", row)["id"]))
    for rate, account in (("25.5", "3000"), ("13.5", "3000"), ("25.5", "3380")):
        sale = books.sales("1910", [books.row(account, "12.55", 1, rate)])
        made.append(int(books.create("document/", {"date": DAYS[0], "blueprint": sale})["id"]))
    return made


def test_they_follow_every_change(service: World, books: Books) -> None:
    made = fill(books)
    check(service.database)
    books.send("PATCH", f"document/{made[0]}/", {"is_draft": True})
    books.send("PATCH", f"document/{made[1]}/", {"date": "2026-05-06"})
    books.send("PATCH", f"document/{made[9]}/", {"blueprint": books.simple("3.00")})
    assert books.send("DELETE", f"document/{made[2]}/").status == 204
    check(service.database)
    for kind in ("REV", "EXP", "REV_SAL"):
        assert books.send("PATCH", f"account/{books.ids['3000']}/", {"type": kind}).status == 200
        check(service.database)


FILTERS: dict[str, Clauses] = {
    "account": {"account": {"account": 1}},
    "vat_code": {"vat_code": {"vat_code": 1}},
    "none": {"vat_code": {"vat_code": 9}},
    "vat_rate": {"vat_rate": {"vat_rate": 2550}},
    "type": {"account_types": {"account_types": ["REV_SAL"]}},
    "types": {"account_types": {"account_types": ["REV_SAL", "ASS_PAY"]}},
    "income": {"income": {}},
    "no_income": {"no_income": {}},
    "expense": {"expense": {}},
    "no_expense": {"no_expense": {}},
    "draft": {"is_draft": {"is_draft": True}},
    "posted": {"is_draft": {"is_draft": False}},
    "flagged": {"is_flagged": {"is_flagged": True}},
    "not flagged": {"is_flagged": {"is_flagged": False}},
    "locked": {"is_locked": {"is_locked": True}},
    "not locked": {"is_locked": {"is_locked": False}},
    "tags": {"tags": {"tags": 1}},
    "file": {"file": {"file": 1}},
}


@pytest.mark.parametrize("few", [0, 2000])
def test_a_filter_finds_what_a_walk_finds(
    service: World, books: Books, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "FEW", few)
    made, dice = fill(books), Random(3)
    tag, file = books.tag("a"), books.file("b")
    for number in dice.sample(made, 4):
        books.act(f"document/{number}/action/flag/")
        books.act(f"document/{number}/action/attach_files/", {"attachment_ids": [file]})
    for number in dice.sample(made, 3):
        books.send("PATCH", f"document/{number}/", {"tag_ids": [tag]})
        books.act(f"document/{number}/action/lock/")
    clauses: dict[str, Clauses] = FILTERS | {
        "account": {"account": {"account": books.ids["1910"]}},
        "tags": {"tags": {"tags": tag}},
        "file": {"file": {"file": file}},
    }
    with service.database.read() as conn:
        for name, clause in clauses.items():
            for limit, offset in ((5, 0), (5, 5), (200, 0)):
                quick = documents.list_page(conn, books.business_id, clause, limit=limit, offset=offset)
                slow = documents.ROWS.list_page(conn, books.business_id, clause, limit=limit, offset=offset)
                assert quick == slow, name


@pytest.mark.parametrize("name", ["document_unlisted", "document_delisted"])
def test_keys_go_without_a_walk_through_those_of_all_documents(sqlite_factory: Factory, name: str) -> None:
    with opened(sqlite_factory.fresh()) as database, database.read() as conn:
        ((text,),) = conn.fetch(f"SELECT sql FROM sqlite_master WHERE name = '{name}'")[1]
        body = text.partition("BEGIN")[2].rpartition(";")[0]
        for column, value in (("business_id", "1"), ("date", "'2026-03-02'"), ("id", "1")):
            body = body.replace(f"OLD.{column}", value)
        first = conn.fetch(f"EXPLAIN QUERY PLAN {body}")[1][0][3]
    whole = "PRIMARY KEY (business_id=? AND kind=? AND key=? AND date=? AND document_id=?)"
    assert first == f"SEARCH document_key USING {whole}"
