"""Shapes of documents follow their entries, and what they find is what a walk through all of them finds."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from acctcli.service.store.books import documents
from acctcli.service.store.engine import marks
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.database import Database
from acctcli.service.store.listing import Clauses
from tests.bench.books import SLUG, load, transactions
from tests.databases import migrate, opened
from tests.service.actor import World, world
from tests.service.routes.books import Books, open_books
from tests.service.store.shape_faults import fetch, shape_faults
from tests.sizes import sized

DAYS = ("2026-03-02", "2026-03-02", "2026-04-05")


def check(database: Database, books: Books) -> None:
    with database.read() as conn:
        assert shape_faults(conn, books.business_id) == []


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
    made, file = fill(books), books.file("a")
    check(service.database, books)
    books.act(f"document/{made[0]}/action/attach_files/", {"attachment_ids": [file]})
    books.send("PATCH", f"document/{made[5]}/", {"is_flagged": True, "attachment_ids": [file]})
    check(service.database, books)
    books.send("PATCH", f"document/{made[0]}/", {"is_draft": True, "attachment_ids": []})
    assert books.send("DELETE", f"document/{made[5]}/").status == 204
    check(service.database, books)
    books.send("PATCH", f"document/{made[1]}/", {"date": "2026-05-06"})
    books.send("PATCH", f"document/{made[9]}/", {"blueprint": books.simple("3.00")})
    assert books.send("DELETE", f"document/{made[2]}/").status == 204
    check(service.database, books)
    for kind in ("REV", "EXP", "REV_SAL"):
        assert books.send("PATCH", f"account/{books.ids['3000']}/", {"type": kind}).status == 200
        check(service.database, books)


def test_shapes_with_many_parts_are_found_as_well(service: World, books: Books) -> None:
    numbers = sorted(books.ids)
    rows = [books.row(number, "1.00", 1, rate) for number in numbers for rate in ("25.50", "13.50", "10.00")]
    for _ in range(2):
        books.create("document/", {"date": DAYS[0], "blueprint": books.sales("1910", rows)})
    check(service.database, books)
    with service.database.read() as conn:
        count, _ = listed(conn, books, {"account": {"account": books.ids[numbers[-1]]}})
        assert count == 2
        assert conn.fetch("SELECT length(parts) FROM shape")[1] == [(64,)]


def listed(conn: Connection, books: Books, clauses: Clauses, limit: int = 9, offset: int = 0) -> tuple[int, list[int]]:
    count, page = documents.list_page(conn, books.business_id, clauses, limit=limit, offset=offset)
    return count, [row.id for row in page]


class Seen(NamedTuple):
    """A document as a walk sees it: its day, and of each entry the account, its type, the VAT code and rate."""

    day: date
    is_draft: bool
    is_flagged: bool
    is_locked: bool
    has_files: bool
    entries: list[tuple[int, str, int, int]]


# whether a document passes a clause, by the value that it takes
PASSES: dict[str, Callable[[Seen, Any], bool]] = {
    "account": lambda seen, value: any(account == value for account, *_ in seen.entries),
    "account_types": lambda seen, value: any(kind in value for _, kind, *_ in seen.entries),
    "vat_code": lambda seen, value: any(code == value for _, _, code, _ in seen.entries),
    "vat_rate": lambda seen, value: any(rate == value for *_, rate in seen.entries),
    "income": lambda seen, _: any(kind.startswith("REV") for _, kind, *_ in seen.entries),
    "no_income": lambda seen, _: not any(kind.startswith("REV") for _, kind, *_ in seen.entries),
    "expense": lambda seen, _: any(kind.startswith("EXP") for _, kind, *_ in seen.entries),
    "no_expense": lambda seen, _: not any(kind.startswith("EXP") for _, kind, *_ in seen.entries),
    "draft": lambda seen, _: seen.is_draft,
    "posted": lambda seen, _: not seen.is_draft,
    "flagged": lambda seen, _: seen.is_flagged,
    "not_flagged": lambda seen, _: not seen.is_flagged,
    "locked": lambda seen, _: seen.is_locked,
    "not_locked": lambda seen, _: not seen.is_locked,
    "has_attachments": lambda seen, _: seen.has_files,
    "no_attachments": lambda seen, _: not seen.has_files,
    "date_from": lambda seen, value: seen.day >= value,
    "date_to": lambda seen, value: seen.day <= value,
}


def walked(conn: Connection, books: Books, clauses: Clauses) -> list[int]:
    """Find documents by looking at each, its entries and its files."""
    rows = fetch(conn, "SELECT id, date, is_draft, is_flagged, is_locked FROM document", books.business_id)
    filed = {one for (one,) in fetch(conn, "SELECT document_id FROM document_attachment", books.business_id)}
    types: dict[int, str] = dict(fetch(conn, "SELECT id, type FROM account", books.business_id))
    every = {number: Seen(day, draft, flag, lock, number in filed, []) for number, day, draft, flag, lock in rows}
    parts = "SELECT document_id, account_id, vat_code, vat_rate FROM entry"
    for number, account, code, rate in fetch(conn, parts, books.business_id):
        every[number].entries.append((account, types[account], code, rate))
    found = [
        number
        for number, seen in every.items()
        if all(PASSES[name](seen, values.get(name)) for name, values in clauses.items())
    ]
    return sorted(found, key=lambda number: (every[number].day, number), reverse=True)


MARKS = ("flagged", "not_flagged"), ("locked", "not_locked"), ("has_attachments", "no_attachments")


def any_clauses(dice: Random, books: Books) -> Clauses:
    """Draw one to five filters that go together."""
    accounts = [books.ids[number] for number in ("1910", "3000", "3380", "4000")]
    day, later = (date(2026, 2, 1) + timedelta(days=dice.randrange(120)) for _ in range(2))
    every: dict[str, Any] = {
        "account": dice.choice([*accounts, 1]),
        "vat_code": dice.choice((1, 2, 3, 9)),
        "vat_rate": dice.choice((0, 2550, 1350, 7)),
        "account_types": dice.sample(("REV_SAL", "ASS_PAY", "EXP", "REV"), dice.randrange(1, 4)),
        "date_from": day,
        "date_to": later,
    }
    pairs = ("income", "no_income"), ("expense", "no_expense"), ("draft", "posted"), *MARKS
    flags = [dice.choice(pair) for pair in pairs]
    clauses = {name: {name: value} for name, value in every.items()} | {name: {} for name in flags}
    return {name: clauses[name] for name in dice.sample(sorted(clauses), dice.randrange(1, 6))}


def mark(books: Books, dice: Random) -> None:
    """Flag, lock and file documents, some of them for a while only."""
    ids = [row["id"] for row in books.get("document/", page_size="200").body["results"]]
    files = [books.file(name) for name in "ab"]
    for number in ids:
        match dice.randrange(7):
            case 0:
                books.act(f"document/{number}/action/flag/")
            case 1:
                books.act(f"document/{number}/action/unflag/")
            case 2:
                books.change(f"document/{number}/", attachment_ids=dice.sample(files, dice.randrange(3)))
            case 3:
                books.act(f"document/{number}/action/attach_files/", {"attachment_ids": files})
                books.change(f"document/{number}/", attachment_ids=dice.sample(files, dice.randrange(3)))
            case 4:
                books.act(f"document/{number}/action/lock/")
            case 5:
                books.act(f"document/{number}/action/lock/")
                books.act(f"document/{number}/action/unlock/")
    periods = {row["start_date"]: row["id"] for row in books.get("vat_period/").body["results"]}
    books.act(f"vat_period/{periods['2026-03-01']}/action/lock/")


def test_filters_find_together_what_a_walk_finds(service: World, books: Books, monkeypatch: pytest.MonkeyPatch) -> None:
    dice = Random(11)
    for number in range(60):
        day = date(2026, 2, 1) + timedelta(days=dice.randrange(120))
        blueprint = dice.choice(
            [
                books.simple(f"{number + 1}.00"),
                books.sales("1910", [books.row("3000", "12.55", 1, "25.5")]),
                books.sales("1910", [books.row("3380", "12.55", 1, "13.5"), books.row("3000", "2.00", 1, "25.5")]),
                books.purchase("1910", [books.row("4000", "62.75", 2, "25.50")]),
            ]
        )
        books.create(
            "document/",
            {
                "date": str(day),
                "blueprint": blueprint,
                "is_draft": dice.random() < 0.2,
                "is_flagged": dice.random() < 0.2,
            },
        )
    mark(books, dice)
    check(service.database, books)
    told = set()
    with service.database.read() as conn:
        for _ in range(sized(300)):
            clauses = any_clauses(dice, books)
            right = walked(conn, books, clauses)
            monkeypatch.setattr(documents, "MANY", dice.choice((0, 1, 4, 1000)))
            offset = dice.randrange(len(right) + 2)
            limit = dice.choice((1, 5, 30))
            assert listed(conn, books, clauses, limit, offset) == (len(right), right[offset : offset + limit]), clauses
            together = documents.ROWS.list_page(conn, books.business_id, clauses, limit=200, offset=0)
            assert [row.id for row in together[1]] == right, clauses
            told.add(len(right))
    assert len(told) >= 15


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
    "draft": {"draft": {}},
    "posted": {"posted": {}},
    **{name: {name: {}} for name in documents.FLAGS},
    "tags": {"tags": {"tags": 1}},
    "file": {"file": {"file": 1}},
}


def test_flags_are_found_without_a_walk(tmp_path: Path) -> None:
    """Twenty times the documents take about as many steps of SQLite, on the last page as well."""
    steps = {}
    for size in (300, 6000):
        url = f"sqlite:///{tmp_path / str(size)}"
        migrate(url)
        with opened(url) as database, world(database) as service:
            service.user().create_business(SLUG, slug=SLUG)
        with closing(sqlite3.connect(tmp_path / str(size))) as conn:
            load(conn, transactions(size))
            conn.commit()
        with opened(url) as database, database.read() as conn:
            steps[size] = sum(count_steps(conn, name) for name in ("not_flagged", "not_locked", "no_attachments"))
    assert steps[6000] < 2 * steps[300]


def count_steps(conn: Connection, name: str) -> int:
    """Count the steps of the last page of a filter with income."""
    clauses: Clauses = {name: {}, "income": {}}
    count, _ = documents.list_page(conn, 1, clauses, limit=5, offset=0)
    return steps_of(conn, clauses, count - 5)


def steps_of(conn: Connection, clauses: Clauses, offset: int) -> int:
    done = [0]

    def step() -> int:
        done[0] += 1
        return 0

    conn.driver.set_progress_handler(step, 10)
    documents.list_page(conn, 1, clauses, limit=5, offset=offset)
    conn.driver.set_progress_handler(None, 10)
    return done[0]


def test_pages_of_days_begin_where_one_before_did(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marks, "STRIDE", 5)
    url = f"sqlite:///{tmp_path / 'books'}"
    migrate(url)
    with opened(url) as database, world(database) as service:
        service.user().create_business(SLUG, slug=SLUG)
    with closing(sqlite3.connect(tmp_path / "books")) as conn:
        load(conn, transactions(6000))
        conn.commit()
    first, last = {"date_from": {"date_from": date(2022, 2, 8)}}, {"date_to": {"date_to": date(2026, 11, 19)}}
    dice, empty = Random(5), {"date_to": {"date_to": date(2021, 12, 31)}}
    with opened(url) as database, database.read() as conn:
        once, again = (steps_of(conn, first | last, 333) for _ in range(2))
        assert again < once
        for days in (first, last, first | last, empty):
            for offset in (0, *(dice.randrange(6100) for _ in range(40))):
                page = documents.list_page(conn, 1, days, limit=7, offset=offset)
                assert page == documents.ROWS.list_page(conn, 1, days, limit=7, offset=offset)


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
