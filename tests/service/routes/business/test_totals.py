"""The numbers kept beside the entries, after many writes: totals, months, tallies, balances."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.sql import Select

from acctcli.service.store.schema.books import account_month, account_total, document, entry
from acctcli.service.store.schema.business import tally
from tests.service.actor import World
from tests.service.routes.books import Books, Row, blueprint
from tests.sql import execute

DAYS = ("2025-12-31", "2026-01-01", "2026-01-31", "2026-02-01", "2026-02-28", "2026-04-02")
ACCOUNTS = ("1700", "1900", "1910", "2939", "3000", "4000", "8500")


class Writer:
    """Somebody who writes at random, the same every time."""

    def __init__(self, books: Books, seed: int) -> None:
        self.books = books
        books.keep_books(2025)
        self.dice = random.Random(seed)
        self.alive: list[int] = []

    def row(self) -> Row:
        cents = self.dice.choice((1, 10, -1)) * self.dice.randrange(10**6)
        code, rate = self.dice.choice(((1, "25.5"), (2, "13.5"), (3, "0"), (8, "25.5")))
        number, method = self.dice.choice(ACCOUNTS), self.dice.randrange(2)
        return self.books.row(number, str(Decimal(cents).scaleb(-2)), code, rate, method)

    def blueprint(self) -> Row:
        rows = [self.row() for _ in range(self.dice.randrange(4))]
        shortcut = self.books.ids[self.dice.choice(ACCOUNTS)]
        if self.dice.random() < 0.5:
            return blueprint(debet_account_id=shortcut, credit_entries=rows, expense_entries=rows[:1])
        return blueprint(credit_account_id=shortcut, debet_entries=rows)

    def body(self) -> Row:
        return {
            "date": self.dice.choice(DAYS),
            "is_draft": self.dice.random() < 0.3,
            "blueprint": self.blueprint(),
        }

    def write(self) -> None:
        verb = self.dice.choice(("create", "create", "change", "replace", "delete", "refused"))
        if verb == "create" or not self.alive:
            self.alive.append(self.books.create("document/", self.body())["id"])
            return
        path = f"document/{self.dice.choice(self.alive)}/"
        if verb == "change":
            body = self.body()
            self.books.change(path, **{name: body[name] for name in self.dice.sample(sorted(body), 2)})
        elif verb == "replace":
            assert self.books.send("PUT", path, self.body()).status == 200
        elif verb == "refused":
            wrong = blueprint(debet_entries=[self.books.row("4000", "1.00")])
            assert self.books.send("PATCH", path, {"blueprint": wrong, "is_draft": False}).status == 400
        else:
            assert self.books.send("DELETE", path).status == 204
            self.alive.remove(int(path.split("/")[1]))


def rows(shared: World, statement: Select[Any]) -> list[Any]:
    with shared.database.read() as conn:
        return list(execute(conn, statement))


@pytest.mark.everywhere
@pytest.mark.parametrize("seed", range(4))
def test_totals_are_the_sums_of_the_entries(books: Books, shared: World, seed: int) -> None:
    writer = Writer(books, seed)
    for _ in range(60):
        writer.write()
    months: dict[tuple[int, str], list[int]] = defaultdict(lambda: [0, 0])
    totals: dict[int, list[int]] = defaultdict(lambda: [0, 0, 0])
    sums: Counter[int] = Counter()
    for line in rows(shared, select(entry).where(entry.c.business_id == books.business_id)):
        side = 0 if line.is_debit else 1
        months[line.account_id, f"{line.date:%Y-%m}"][side] += line.amount_cents
        totals[line.account_id][side] += line.amount_cents
        totals[line.account_id][2] += 1
        sums[line.document_id] += (1, -1)[side] * line.amount_cents
    kept = rows(shared, select(account_month).where(account_month.c.business_id == books.business_id))
    moved = {(m.account_id, m.month): [m.debit_cents, m.credit_cents] for m in kept if m.debit_cents or m.credit_cents}
    assert moved == dict(months)
    kept = rows(shared, select(account_total).where(account_total.c.business_id == books.business_id))
    used = {t.account_id: [t.debit_cents, t.credit_cents, t.entry_count] for t in kept if t.entry_count}
    assert used == dict(totals)
    assert not any(sums.values())
    drafts = select(document.c.id).where(document.c.business_id == books.business_id, document.c.is_draft)
    assert not {row.id for row in rows(shared, drafts)} & set(sums)
    counted = select(tally.c.count).where(tally.c.business_id == books.business_id, tally.c.kind == "document")
    assert [row.count for row in rows(shared, counted)] == [len(writer.alive)]
    assert len(books.listed(page_size="200")) == len(writer.alive)


def test_the_journal_adds_up_to_the_balances(books: Books) -> None:
    writer = Writer(books, 99)
    for _ in range(60):
        writer.write()
    columns = [{"date_from": "2020-01-01", "date_to": "2030-12-31"}]
    journal = books.send("POST", "report/journal/", {"columns": columns}).body
    net: Counter[str] = Counter()
    for posted in journal["documents"]:
        for line in posted["entries"]:
            net[line["account_number"]] += line["debet"] - line["credit"]
    for number in ACCOUNTS:
        sign = 1 if number in ("1700", "1900", "1910", "4000", "8500") else -1
        assert books.account(number)["balance"] == sign * net[number], number
    debit = sum(posted["totals"]["debet"] for posted in journal["documents"])
    assert journal["totals"] == {"debet": debit, "credit": debit}
