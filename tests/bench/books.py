"""Large books: in the database of the service, and the same as a journal for ledger and hledger.

A million documents through the interface would take an hour. They are written with SQL in one transaction instead,
without the triggers, and what those keep beside the rows is added up at the end; a test compares the two ways.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from acctcli.service.rules.posting import EntryLine
from acctcli.service.store import migrations
from acctcli.service.store.books import blocks
from tests.bench.place import CHECKOUT, Place
from tests.databases import opened

SLUG = "bench"
FIRST_DAY, LAST_DAY = date(2022, 1, 1), date(2026, 12, 31)
DAYS = (LAST_DAY - FIRST_DAY).days + 1
STAMP = "2026-01-01T00:00:00.000000Z"
SCHEMA = CHECKOUT / "src/acctcli/service/store/migrations/sql"
TEXTS = ("Web shop order", "Verkkokaupan tilaus", "Office supplies", "Rent of the workshop", "Kahvi ja pulla")
VAT = 2550
VAT_ACCOUNTS = ("1763", "2939")
BATCH = 10_000


class Line(NamedTuple):
    """An entry: cents on the debit side, or below zero on the credit side."""

    account: str
    cents: int
    vat_code: int = 3
    vat_rate: int = 0


class Transaction(NamedTuple):
    """A posted document; `number` is that of the service."""

    id: int
    day: date
    number: str
    text: str
    lines: tuple[Line, ...]


def transactions(count: int) -> Iterator[Transaction]:
    """Yield a book of five years in the order of posting: one in twenty is dated up to three weeks back."""
    dice = random.Random(count)
    serials: Counter[date] = Counter()
    for place in range(count):
        day = FIRST_DAY + timedelta(days=place * DAYS // count)
        if dice.random() < 0.05:
            day = max(FIRST_DAY, day - timedelta(days=dice.randrange(1, 21)))
        serials[day] += 1
        text = f"{dice.choice(TEXTS)} {place}"
        yield Transaction(place + 1, day, f"{day:%y%m%d}-{serials[day]}", text, _lines(dice))


def _lines(dice: random.Random) -> tuple[Line, ...]:
    """Draw two to four entries: a sale on credit or by card, a purchase, what a customer or the company pays."""
    net, kind = dice.randrange(100, 500_000), dice.random()
    vat = (net * VAT + 5000) // 10_000
    sold = Line("3000", -net, 1, VAT), Line("2939", -vat, 1, VAT)
    if kind < 0.35:
        return (Line("1700", net + vat), *sold)
    if kind < 0.50:
        fee = net // 50 + 1
        return (Line("1910", net + vat - fee), Line("8500", fee), *sold)
    if kind < 0.75:
        cost = dice.choice(("4000", "7160", "7680"))
        return Line(cost, net, 2, VAT), Line("1763", vat, 2, VAT), Line("2871", -net - vat)
    debit, credit = ("1910", "1700") if kind < 0.90 else ("2871", "1910")
    return Line(debit, net), Line(credit, -net)


@dataclass(frozen=True)
class Book:
    """A book on the disk: the data folder of the service with the business `bench`, and the journal."""

    folder: Path
    size: int

    @property
    def data_dir(self) -> Path:
        """The folder of ACCTCLI_DATA_DIR."""
        return self.folder / "data"

    @property
    def database(self) -> Path:
        """The service's file."""
        return self.data_dir / "local" / "books.sqlite3"

    @property
    def journal(self) -> Path:
        """The same for ledger and hledger, accounts by number."""
        return self.folder / "book.journal"


def make_book(place: Place, size: int) -> Book:
    """Return a book of so many transactions; one that `place.books` holds already is taken as it is."""
    mark = hashlib.sha256(
        b"".join(path.read_bytes() for path in (*sorted(SCHEMA.glob("*.sqlite.sql")), Path(__file__)))
    ).hexdigest()[:12]
    folder = (place.books or place.folder) / f"book-{size}-{mark}"
    if not folder.exists():
        draft = folder.with_name(f"{folder.name}-draft")
        draft.mkdir(parents=True)
        _fill(place, Book(draft, size))
        draft.rename(folder)
    return Book(folder, size)


def _fill(place: Place, book: Book) -> None:
    create = ("business", "create", "--name", SLUG, "--slug", SLUG, "--form", "FI_OY", "--env", "local")
    at_book = replace(place, folder=book.folder)
    for arguments in (("local", "init"), create):
        at_book.command("acctcli", *arguments).run()
    with closing(sqlite3.connect(book.database, isolation_level=None)) as connection:
        connection.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -400000")
        connection.execute("BEGIN")
        load(connection, transactions(book.size))
        connection.execute("COMMIT")
    with opened(f"sqlite:///{book.database}") as database:
        database.write(blocks.fold_all)
    with book.journal.open("w", encoding="utf-8") as journal:
        journal.writelines(journal_text(transactions(book.size)))


def journal_text(book: Iterable[Transaction]) -> Iterator[str]:
    """Yield the transactions as ledger and hledger read them."""
    for one in book:
        yield f"{one.day} ({one.number}) {one.text}\n"
        for line in one.lines:
            sign = "-" if line.cents < 0 else ""
            yield f"    {line.account}  {sign}{abs(line.cents) // 100}.{abs(line.cents) % 100:02d} EUR\n"
        yield "\n"


# --- the database ----------------------------------------------------------------------------------

DOCUMENT = """
INSERT INTO document (id, created_at, updated_at, business_id, number, date, is_draft, is_locked, is_flagged,
  description, search_text, type, blueprint, blueprint_type, balance_cents, total_cents)
VALUES (:id, :stamp, :stamp, :business, :number, :day, :is_draft, 0, 0,
  :text, :search, 0, :blueprint, 'MANUAL', :money, :total)
"""
ENTRY = """
INSERT INTO entry (created_at, updated_at, business_id, document_id, account_id, date, is_debit, amount_cents,
  description, vat_code, vat_rate, position)
VALUES (:stamp, :stamp, :business, :id, :account, :day, :is_debit, :cents, :text, :code, :rate, :position)
"""
SIDES = "sum(CASE WHEN is_debit THEN amount_cents ELSE 0 END), sum(CASE WHEN is_debit THEN 0 ELSE amount_cents END)"
FILLING = re.compile("(CREATE TABLE parts_of_document|UPDATE|DROP|INSERT (OR IGNORE )?INTO (shape|document))")
KEPT = (
    "INSERT INTO account_total (business_id, account_id, debit_cents, credit_cents, entry_count) "
    f"SELECT business_id, account_id, {SIDES}, count(*) FROM entry GROUP BY business_id, account_id",
    "INSERT INTO account_month (business_id, account_id, month, debit_cents, credit_cents) "
    f"SELECT business_id, account_id, substr(date, 1, 7), {SIDES} FROM entry GROUP BY 1, 2, 3",
    "INSERT INTO tally (business_id, kind, count, state) "
    "SELECT business_id, 'document', count(*), random() FROM document GROUP BY 1",
    "INSERT INTO document_counter (business_id, date, last) "
    "SELECT business_id, substr(date, 1, 10), count(*) FROM document GROUP BY 1, 2",
    # what a later revision adds to books that there are already
    *(one for one in migrations.statements("0002", "sqlite") if FILLING.match(one)),
)


def load(connection: sqlite3.Connection, book: Iterable[Transaction]) -> None:
    """Write a book into an empty business, with the triggers out of the way meanwhile."""
    triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        connection.execute(f"DROP TRIGGER {name}")
    rows, left = Rows(connection), iter(book)
    while some := list(islice(left, BATCH)):
        connection.executemany(DOCUMENT, (rows.document(one) for one in some))
        connection.executemany(ENTRY, (entry for one in some for entry in rows.entries(one)))
    for statement in KEPT:
        connection.execute(statement)
    for _, sql in triggers:
        connection.execute(sql)


class Rows:
    """Turns transactions into rows of the one business of a database."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        (business,) = connection.execute("SELECT id FROM business WHERE slug = ?", (SLUG,)).fetchone()
        self._common = {"stamp": STAMP, "business": business}
        self._accounts: dict[str, int] = dict(connection.execute("SELECT number, id FROM account").fetchall())

    def document(self, one: Transaction, *, is_draft: bool = False) -> dict[str, object]:
        """Return the row of a document."""
        return {
            **self._common,
            "id": one.id,
            "number": one.number,
            "day": one.day.isoformat(),
            "is_draft": is_draft,
            "text": one.text,
            "search": f"{one.number}\n{one.text}".casefold(),
            "blueprint": self._blueprint(one),
            "money": sum(line.cents for line in one.lines if line.account == "1910"),
            "total": sum(max(line.cents, 0) for line in one.lines),
        }

    def _blueprint(self, one: Transaction) -> str:
        """Write the blueprint that would have made the entries, as large as those of people."""
        sides: dict[str, list[object]] = {"debet_entries": [], "credit_entries": [], "expense_entries": []}
        vat = sum(abs(line.cents) for line in one.lines if line.account in VAT_ACCOUNTS)
        for line in one.lines:
            if line.account in VAT_ACCOUNTS:
                continue  # of what it belongs to, which is entered with its VAT
            cents = abs(line.cents) + (vat if line.vat_rate else 0)
            codes = {"vat_code": line.vat_code, "vat_rate": line.vat_rate / 100, "vat_method": 0}
            row = {"account_id": self._accounts[line.account], "description": one.text, "amount": cents / 100}
            sides["debet_entries" if line.cents > 0 else "credit_entries"].append(row | codes)
        return json.dumps({"debet_account_id": None, "credit_account_id": None, **sides})

    def lines(self, one: Transaction) -> list[EntryLine]:
        """Return its entries as the service posts them."""
        return [
            EntryLine(
                self._accounts[line.account], line.cents > 0, abs(line.cents), one.text, line.vat_code, line.vat_rate
            )
            for line in one.lines
        ]

    def entries(self, one: Transaction) -> Iterator[dict[str, object]]:
        """Yield the rows of its entries."""
        for position, line in enumerate(self.lines(one)):
            yield {
                **self._common,
                "id": one.id,
                "account": line.account_id,
                "day": one.day.isoformat(),
                "is_debit": line.is_debit,
                "cents": line.amount,
                "text": one.text,
                "code": line.vat_code,
                "rate": line.vat_rate,
                "position": position,
            }
