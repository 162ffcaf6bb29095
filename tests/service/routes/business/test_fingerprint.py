"""Fingerprints of closed periods: taken by their description, kept, dropped, and compared (docs/interface.md 3.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from hashlib import sha256
from typing import Any

import pytest
from sqlalchemy import update

from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.schema.books import account
from tests.service.actor import World
from tests.service.routes.books import Books
from tests.sql import execute

MONTH = {"date_from": "2026-02-01", "date_to": "2026-02-28"}
REPORTS = ("journal", "ledger", "vat_report", "balance_sheet", "income_statement")


@pytest.fixture
def february(books: Books) -> Books:
    """A company with an opening balance, a sale in January, and a sale and a purchase in February."""
    books.change(f"account/{books.ids['1910']}/", opening_balance=1000)
    sale = books.sales("1910", [books.row("3000", "125.50", 1, "25.50")])
    bought = books.purchase("1910", [books.row("7680", "62.75", 2, "25.50")])
    for day, blueprint in (("2026-01-15", sale), ("2026-02-10", sale), ("2026-02-20", bought)):
        books.create("document/", {"date": day, "blueprint": blueprint})
    for period in books.get("vat_period/").body["results"]:
        books.send("DELETE", f"vat_period/{period['id']}/")
    return books


def vat_period(books: Books) -> str:
    """Make the VAT period of February and return its path."""
    return f"vat_period/{books.create('vat_period/', {'start_date': '2026-02-01', 'period': 0})['id']}/"


def cents(amount: Decimal) -> int:
    return int(amount * 100)


def of(lines: Sequence[str]) -> str:
    """Return the digest of lines."""
    return sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def by_hand(books: Books) -> dict[str, str]:
    """Work the fingerprint of February out from what the reports say."""

    def report(name: str, column: Mapping[str, str] = MONTH) -> Any:
        return books.act(f"report/{name}/", {"columns": [column], "extend_accounts": True})

    journal = []
    for document in report("journal")["documents"]:
        for side, number, amount, code, rate in books.entries(document["document_id"]):
            hundredths = cents(Decimal(rate))
            row = (
                f"{document['date']} {document['number']} {number} {side} {cents(Decimal(amount))} {code} {hundredths}"
            )
            journal.append(row)
    ledger = [
        f"{one['number']} {cents(one['opening_balance'])} {cents(one['totals']['debet'])} "
        f"{cents(one['totals']['credit'])}"
        for one in report("ledger")["accounts"]
        if one["number"]  # what the opening balances leave open is no account
    ]
    return {
        "journal": of(journal),
        "ledger": of(ledger),
        "vat_report": of(["1 2550 10000 2550 0", "2 2550 5000 0 1275", "3 0 6275 0 0"]),
        "balance_sheet": of(
            ["1763 ASS_VAT 1275", "1910 ASS_PAY 118825", "2939 LIA_VAT 5100", "difference 100000", "profit 15000"]
        ),
        "income_statement": of(["3000 REV_SAL 10000", "7680 EXP -5000"]),
    }


def kept(books: Books) -> list[Any]:
    """Return all fingerprints."""
    found: list[Any] = books.get("fingerprint/").body["results"]
    return found


@pytest.mark.everywhere
def test_a_fingerprint_is_what_the_reports_say(february: Books) -> None:
    path = vat_period(february)
    assert kept(february) == []
    february.act(f"{path}action/lock/")
    (one,) = kept(february)
    assert {name: one[name] for name in REPORTS} == by_hand(february)
    assert (one["kind"], one["start_date"], one["end_date"]) == ("vat_period", "2026-02-01", "2026-02-28")
    assert one["author"] == february.actor.email
    checked = february.get(f"fingerprint/{one['id']}/").body
    recorded = {"version": 1, **by_hand(february)}
    assert checked == {
        **one,
        "found": by_hand(february),
        "is_comparable": True,
        "differing": [],
        "recorded": recorded,
        "replaced": [],
    }
    # what was first shown can be read in the trail, also when the period was opened and closed anew
    february.act(f"{path}action/unlock/")
    february.act(f"{path}action/lock/")
    (*_, first) = february.get("audit/?type=vat_period.locked").body["results"]
    assert first["data"]["fingerprint"] == recorded


@pytest.mark.everywhere
def test_opening_a_period_drops_its_fingerprint_and_reporting_takes_it_anew(february: Books) -> None:
    path, year = vat_period(february), f"period/{february.get('').body['period_id']}/"
    february.act(f"{path}action/lock/")
    (locked,) = kept(february)
    february.act(f"{path}action/report/")
    (reported,) = kept(february)
    # the netting of VAT is in the journal now, and in no VAT report
    assert reported["journal"] != locked["journal"]
    assert reported["vat_report"] == locked["vat_report"]
    february.act(f"{year}action/lock/")
    assert [one["kind"] for one in kept(february)] == ["period", "vat_period"]
    february.act(f"{year}action/unlock/")
    assert kept(february) == [reported]
    assert february.get(f"fingerprint/{reported['id']}/").body["differing"] == []
    february.act(f"{path}action/reopen/", {"reason": "Booked twice"})
    assert kept(february) == []


@pytest.mark.everywhere
@pytest.mark.parametrize(
    ("number", "fields", "differing"),
    [
        ("3000", {"type": "EXP"}, ["income_statement"]),
        ("3000", {"number": "3001"}, ["journal", "ledger", "income_statement"]),
        ("1910", {"opening_cents": 1}, ["ledger", "balance_sheet"]),
        ("2939", {"type": "LIA_ACC"}, ["vat_report", "balance_sheet"]),
    ],
)
def test_what_is_changed_behind_the_service_differs(
    february: Books, shared: World, number: str, fields: dict[str, object], differing: list[str]
) -> None:
    february.act(f"{vat_period(february)}action/lock/")
    (one,) = kept(february)

    def plant(conn: Connection) -> None:
        execute(conn, update(account).where(account.c.id == february.ids[number]).values(**fields))

    shared.database.write(plant)
    assert february.get(f"fingerprint/{one['id']}/").body["replaced"] == []

    def replace(conn: Connection) -> None:
        conn.run(f"UPDATE fingerprint SET ledger = journal WHERE id = {one['id']}")

    assert february.get(f"fingerprint/{one['id']}/").body["differing"] == differing
    shared.database.write(replace)
    assert february.get(f"fingerprint/{one['id']}/").body["replaced"] == ["ledger"]


@pytest.mark.parametrize(
    ("change", "replaced"),
    [
        ("end_date = '2026-02-27'", ["end_date"]),
        ("start_date = '2026-02-02'", ["start_date"]),
        ("author = 'somebody@example.com'", ["author"]),
    ],
)
def test_other_days_and_another_author_than_the_trail_recorded_are_named(
    february: Books, shared: World, change: str, replaced: list[str]
) -> None:
    february.act(f"{vat_period(february)}action/lock/")
    (one,) = kept(february)
    shared.database.write(lambda conn: conn.run(f"UPDATE fingerprint SET {change} WHERE id = {one['id']}"))
    assert february.get(f"fingerprint/{one['id']}/").body["replaced"] == replaced
