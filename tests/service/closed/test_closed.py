"""Random writes by every operation leave all figures of closed days as they were, and stand in the audit trail."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime
from decimal import Decimal
from random import Random
from typing import Any

import msgspec
import pytest

from tests.databases import count_rows
from tests.service.actor import Reply, World
from tests.service.closed.recorded import differing
from tests.service.closed.writes import WRITES, Write, Writer
from tests.service.company.plans import FIRST, Company, draw_day
from tests.service.routes.books import Books
from tests.service.routes.full import Full, fill
from tests.sizes import is_full, sized

STEPS = sized(500)
# the first lock and report a VAT period, and lock the year, with VAT by payments and without
SEEDS = range(1, 9 if is_full() else 3)
DOCUMENTS = 25
# what reports show of figures that is none: names may be mended in closed days, too
encode = msgspec.json.Encoder(decimal_format="number").encode
NAMES = ("name", "account_name", "contact_name", "contact")


def book(world: World, random: Random) -> Full:
    """Make a company with one of everything, opening balances, and documents on random days of 2026."""
    world.clock.now = datetime(2026, 1, 5, 9, tzinfo=UTC)
    full = fill(world.user(), "Alderwood")
    books = full.books
    if random.random() < 0.5:
        books.change("", vat_reporting_method="FI_CASH_BASIS")
    listed = books.get("account/", page_size="200").body["results"]
    company = Company("FI", {account["number"]: account["type"] for account in listed})
    opened = Decimal(random.randint(1, 10**7)).scaleb(-2)
    for number in ("1910", next(one for one, kind in sorted(company.types.items()) if kind == "LIA_EQU")):
        books.change(f"account/{books.ids[number]}/", opening_balance=opened)
    made = 0
    while made < DOCUMENTS:
        plan = company.draw_plan(random).wire(books.ids)
        made += books.send("POST", "document/", {"date": draw_day(random), "blueprint": plan}).status == 201
    for _ in range(11):
        books.create("vat_period/")
    world.clock.now = datetime(2027, 2, 15, 9, tzinfo=UTC)
    count_rows(world.database)
    return full


def close(books: Books, random: Random) -> None:
    """Lock the year, or lock or report a VAT period."""
    what = random.choice(("period", "lock", "report", "report"))
    if what == "period":
        books.act(f"period/{books.get('period/').body['results'][0]['id']}/action/lock/")
        return
    months = books.get("vat_period/", page_size="200").body["results"]
    books.act(f"vat_period/{random.choice(months[1:9])['id']}/action/{what}/")


def closed_until(books: Books) -> date:
    """Return the last day that is closed."""
    found = [row for place in ("period/", "vat_period/") for row in books.get(place, page_size="200").body["results"]]
    return max(date.fromisoformat(row["end_date"]) for row in found if row["is_locked"])


def figures(books: Books, last: date) -> dict[str, bytes]:
    """Return every report of closed days, without the names in them."""
    days = {"date_from": FIRST, "date_to": last}
    asked: dict[str, list[dict[str, Any]]] = {
        "journal": [days, {"date_from": last.replace(day=1), "date_to": last}],
        "ledger": [days, {"date_from": last.replace(day=1), "date_to": last}],
        "vat-report": [days, {"date_from": last.replace(day=1), "date_to": last}],
        "income-statement": [days, {"date_from": last.replace(day=1), "date_to": last}],
        "balance-sheet": [{"date_at": day} for day in (FIRST, last.replace(day=1), last)],
        "equity-changes": [{"date_at": last}, days],
    }
    return {
        f"{name} {column}": told(books.act(f"report/{name}/", {"columns": [column], "extend_accounts": True}))
        for name, columns in asked.items()
        for column in columns
    }


def told(report: Any) -> bytes:
    """Write a report without names of accounts, and without the lines of equity accounts that hold nothing."""
    if report["report_type"] == "equity_changes":
        report["rows"] = [row["values"] for row in report["rows"] if any(row["values"])]
    return encode(unnamed(report))


def unnamed(value: Any) -> Any:
    """Leave the names of what has a number, and of contacts, out of a report."""
    if isinstance(value, dict):
        hidden = NAMES if "number" in value or "account_number" in value or "contact_name" in value else ()
        return {name: unnamed(inner) for name, inner in value.items() if name not in hidden}
    return [unnamed(inner) for inner in value] if isinstance(value, list) else value


def stands_in_trail(books: Books, write: Write, reply: Reply) -> bool:
    """Say whether the newest record of the trail is that of a write."""
    newest = books.get("audit/", page_size="1").body["results"][0]
    made = newest["request_id"], newest["operation"].rpartition(" ")[2]
    return made == (reply.headers["x-request-id"], write.operation.name)


@pytest.mark.parametrize("seed", SEEDS)
def test_no_write_changes_a_figure_of_closed_days(service: World, database_kind: str, seed: int) -> None:
    # the same writes take four times as long on PostgreSQL: there it is a fifth of what is usual
    steps = STEPS if is_full() or database_kind == "sqlite" else STEPS // 5
    random = Random(seed)
    full = book(service, random)
    close(full.books, random)
    last = closed_until(full.books)
    before = figures(full.books, last)
    writer, replies = Writer(random, full), Counter[int]()
    for step in range(steps):
        if step % 20 == 0:
            writer.look()
        write = writer.draw(WRITES[step % len(WRITES)] if step % 2 else random.choice(WRITES))
        reply = writer.send(write)
        replies[reply.status] += 1
        assert reply.status < 500, (write, reply)
        if reply.status < 300:
            assert figures(full.books, last) == before, write
            assert stands_in_trail(full.books, write, reply), (write, reply)
        elif reply.status == 423:
            assert "period" in reply.body["detail"] or "locked" in reply.body["detail"], (write, reply)
    assert full.books.get("audit/verification/").body["faults"] == []
    # what a check compares is changed by nothing else
    assert list(differing(full.books)) == []
    # a run that is refused throughout shows nothing
    assert sum(count for status, count in replies.items() if status < 300) > steps // 5, replies
    assert replies[423], replies
