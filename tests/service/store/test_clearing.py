"""Entries that clear others, and documents of invoices, are found by the index alone, however many there are."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import insert, literal, select

from acctcli.service.rules.relations import Movement
from acctcli.service.store.books import clearing, documents
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.database import Database
from acctcli.service.store.schema.books import document, entry
from tests.databases import Factory, opened
from tests.service.actor import World
from tests.sql import execute

DAY = date(2026, 4, 2)
STAMPS = {"created_at": "2026", "updated_at": "2026"}


class Payments:
    """Payments on the receivables of a business, written straight into the tables."""

    def __init__(self, world: World) -> None:
        self._database: Database = world.database
        owner = world.user()
        made = owner.create_business("Example Oy", form="FI_OY")
        self.business_id: int = made["id"]
        listed = owner.get(f"/v1/business/{made['slug']}/account/?number=1700")["results"]
        self.account_id: int = listed[0]["id"]
        self.contacts = [
            owner.send("POST", f"/v1/business/{made['slug']}/contacts/", {"name": name}).body["id"] for name in "ab"
        ]

    def pay(self, *days: int, amount: int = 25100, is_debit: bool = False, contact: int | None = None) -> list[int]:
        """Post an amount on days counted from DAY; return the ids of the documents."""
        return self._database.write(
            lambda conn: [self._post(conn, DAY + timedelta(day), amount, is_debit, contact) for day in days]
        )

    def _post(self, conn: Connection, day: date, amount: int, is_debit: bool, contact: int | None) -> int:
        common: dict[str, Any] = {"business_id": self.business_id, "date": day, "description": "", **STAMPS}
        plain = {"is_draft": True, "is_locked": False, "is_flagged": False, "search_text": "", "type": 0}
        sums = {"blueprint": "{}", "blueprint_type": "MANUAL", "balance_cents": 0, "total_cents": 0}
        values = {**common, **plain, **sums, "contact_id": contact}
        document_id = execute(conn, insert(document).returning(document.c.id), values).scalar_one()
        line = {"account_id": self.account_id, "is_debit": is_debit, "amount_cents": amount, "position": 0}
        execute(conn, insert(entry), {**common, **line, "document_id": document_id, "vat_code": 3, "vat_rate": 0})
        return int(document_id)

    def double(self, contact: int, day: int, *, times: int) -> None:
        """Double the documents of a contact so many times, by drafts of a day that post nothing."""
        names = [column.name for column in document.c if column.name != "id"]
        copied = [literal(DAY + timedelta(day)) if name == "date" else document.c[name] for name in names]
        copies = insert(document).from_select(names, select(*copied).where(document.c.contact_id == contact))
        self._database.write(lambda conn: [execute(conn, copies) for _ in range(times)])

    def meeting(self, contact: int | None = None) -> list[int]:
        """Return what clears a claim of 251.00 that arose on DAY."""
        item = Movement(self.account_id, "1700", "ASS_DUE", True, 25100)
        with self._database.read() as conn:
            return sorted(clearing.meeting(conn, self.business_id, item, DAY, contact))


@pytest.fixture
def payments(shared: World) -> Payments:
    return Payments(shared)


def test_the_same_amount_on_the_other_side_is_found_on_any_day(payments: Payments) -> None:
    found = payments.pay(-4000, -1, 0, 1, 4000)
    payments.pay(0, amount=25101)
    payments.pay(0, is_debit=True)
    assert payments.meeting() == found


def test_nothing_is_found_on_an_account_without_entries(payments: Payments) -> None:
    assert payments.meeting() == []


def test_the_nearest_are_looked_at_and_those_of_the_contact(payments: Payments) -> None:
    ours, theirs = payments.contacts
    before, after = payments.pay(*range(-1, -300, -1)), payments.pay(*range(300))
    far = payments.pay(-999, 999, contact=ours)
    payments.pay(-998, 998, contact=theirs)
    nearest = sorted(before[: clearing.NEAREST] + after[: clearing.NEAREST])
    assert payments.meeting() == nearest
    assert payments.meeting(ours) == nearest + far


def test_the_newest_of_the_contact_are_looked_at(payments: Payments) -> None:
    ours, _ = payments.contacts
    nearest = payments.pay(*range(-clearing.NEAREST, clearing.NEAREST))
    payments.pay(-999, contact=ours)
    newest = payments.pay(1000, contact=ours)
    payments.double(ours, 999, times=9)
    assert payments.meeting(ours) == nearest + newest


def test_sqlite_walks_no_book_entry_by_entry(sqlite_factory: Factory) -> None:
    with opened(sqlite_factory.fresh()) as database, database.read() as conn:
        values = {"business_id": 1, "account_id": 1, "is_debit": False, "amount": 1, "date": DAY, "contact_id": 1}
        text, given = clearing.MEETING.bound(conn, values)
        plan = [row[3] for row in conn.fetch(f"EXPLAIN QUERY PLAN {text}", given)[1]]
    by_amount = "(business_id=? AND account_id=? AND date=? AND is_debit=? AND amount_cents=?)"
    searches = [step for step in plan if step.startswith("SEARCH entry ") and "COVERING" not in step]
    assert [by_amount in step for step in searches] == [True, True, False]
    assert searches[2].endswith("(business_id=? AND document_id=?)")
    assert [step for step in plan if step.startswith("SCAN entry")] == []


def test_documents_of_invoices_are_found_by_themselves(sqlite_factory: Factory) -> None:
    with opened(sqlite_factory.fresh()) as database, database.read() as conn:
        text, given = documents.OF_INVOICES.bound(conn, {"business_id": 1, "ids": [1, 2]})
        plan = [row[3] for row in conn.fetch(f"EXPLAIN QUERY PLAN {text}", given)[1]]
    assert plan[0] == "SEARCH document USING INDEX ix_document_invoice (business_id=? AND invoice_id=?)"
