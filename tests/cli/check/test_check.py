"""What a check names: planted faults, each of them, and nothing in books that are as they should be."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from acctcli.cli.check import books as lists
from acctcli.cli.check import closed, totals
from acctcli.client.downloads import Fetcher
from acctcli.client.pages import CHANGED
from acctcli.errors import Incomplete, ServerFault
from acctcli.service.store.migrations import statements
from tests.cli.check.company import CLOSED_DAY, OPEN_DAY, found_company, post_month
from tests.journeys.places import Place, fresh
from tests.sizes import covering, is_full

SALE = ("--debit", "1910", "--credit", "3900:10")
EARLY = ("--contact", "2")  # the second one of the company


@pytest.fixture(scope="module")
def company(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A company with the tour's month, whose VAT was reported, three invoices, and a receipt for every document."""
    return found_company(tmp_path_factory.mktemp("check") / "books").folder


@pytest.fixture
def place(company: Path, tmp_path: Path) -> Place:
    """A copy of the company to plant a fault in."""
    folder = tmp_path / "books"
    shutil.copytree(company, folder)
    return fresh("check", folder)


def findings(place: Place, code: int) -> list[Any]:
    """Run the check, which must end like this; return what it found."""
    done = place.try_run("check", "--json")
    assert done.code == code, done
    found: list[Any] = json.loads(done.out)
    return found


def plant(place: Place, *statements: str, keeps: Callable[[str], bool] = lambda name: True) -> None:
    """Change the database behind the service, which its triggers would not let happen; those that count stay.

    The others are put back afterwards, those that `keeps` tells of.
    """
    (path,) = place.folder.rglob("books.sqlite3")
    with closing(sqlite3.connect(path)) as books, books:
        triggers = dict(books.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"))
        guards = [name for name in triggers if not name.endswith(("_counted", "_uncounted"))]
        for name in guards:
            books.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            assert books.execute(statement).rowcount, statement
        for name in filter(keeps, guards):
            books.execute(triggers[name])


IN = f"business_id = 1 AND date = '{CLOSED_DAY}'"
LATE = f"business_id = 1 AND date = '{OPEN_DAY}'"
ONE = f"(SELECT id FROM document WHERE {LATE} AND invoice_id IS NULL)"
SIDES = "sum(CASE WHEN is_debit THEN amount_cents ELSE 0 END), sum(CASE WHEN is_debit THEN 0 ELSE amount_cents END)"
# every sum that is kept, made of the entries as they are then
KEPT_AGAIN = (
    "DELETE FROM account_month",
    f"""INSERT INTO account_month (business_id, account_id, month, debit_cents, credit_cents)
    SELECT business_id, account_id, substr(date, 1, 7), {SIDES} FROM entry GROUP BY 1, 2, 3""",
    "DELETE FROM account_total",
    f"""INSERT INTO account_total (business_id, account_id, debit_cents, credit_cents, entry_count)
    SELECT business_id, account_id, {SIDES}, count(*) FROM entry GROUP BY 1, 2""",
)
# what is planted: SQL, the part that names it, and words of the record and of the problem
FAULTS: dict[str, tuple[tuple[str, ...], str, str, str]] = {
    "a contact that is not there": (
        (f"UPDATE document SET contact_id = 99 WHERE id = {ONE}",),
        "database",
        "document ",
        "it names a contact that is not there",
    ),
    "a day that is none": (
        ("UPDATE sales_invoice SET due_date = '2026-02-30', settlement_date = 1 WHERE invoice_number = 2",),
        "database",
        "sales invoice ",
        "due_date, settlement_date: of another kind than such a field takes",
    ),
    "a flag and a text that are none": (
        ("UPDATE contact SET is_invoicing_enabled = 2, name = x'00ff' WHERE id = 1",),
        "database",
        "contact 1",
        "name, is_invoicing_enabled: of another kind",
    ),
    "a record of the trail that is no JSON": (
        ("UPDATE event SET data = '{bad' WHERE business_id = 1 AND number = 9",),
        "database",
        "event ",
        "data: of another kind",
    ),
    "a record of the trail that is another JSON": (
        ("UPDATE event SET data = '[]' WHERE business_id = 1 AND number = 9",),
        "database",
        "event ",
        "data: of another kind",
    ),
    "names of an account that are no JSON": (
        ("UPDATE account SET name_translations = '[{x' WHERE number = '3000'",),
        "database",
        "account ",
        "name_translations: of another kind",
    ),
    "a print that is no JSON": (
        ("UPDATE sales_invoice_print SET source = substr(source, 2) WHERE invoice_id = 2",),
        "database",
        "sales invoice print",
        "source: of another kind",
    ),
    "a trigger that is gone": (
        ("DROP TRIGGER document_counted",),
        "database",
        "document_counted",
        "it is not the table or trigger that books have",
    ),
    "a list that leaves a document out": (
        (f"DELETE FROM document_shape WHERE document_id = {ONE}",),
        "database",
        "the database",
        "it has documents that lists do not find",
    ),
    "a search that leaves documents out": (
        ("INSERT OR REPLACE INTO search_mark VALUES (1, 5)",),
        "database",
        "the database",
        "it has documents that searches do not find",
    ),
    "a number of rows": (
        ("UPDATE tally SET count = count + 1 WHERE kind = 'contact'",),
        "database",
        "the database",
        "it has numbers of rows in contact that are not theirs",
    ),
    "the day of an entry": (
        (f"UPDATE entry SET date = '2026-04-03' WHERE document_id = {ONE} AND is_debit",),
        "totals",
        "document 260402-",
        "it has entries of 2026-04-03 in the ledger, which is not its day in the journal",
    ),
    "the total of a document": (
        (f"UPDATE document SET total_cents = total_cents + 1 WHERE id = {ONE}",),
        "database",
        "the database",
        "it has documents whose total is not that of their entries",
    ),
    "where an account is listed": (
        ("UPDATE account SET padded_number = padded_number + 1 WHERE number = '3000'",),
        "database",
        "the database",
        "it has accounts that lists put elsewhere",
    ),
    "an amount of a print": (
        ("UPDATE sales_invoice_print SET source = replace(source, '100.00', '100.01') WHERE invoice_id = 2",),
        "database",
        "the database",
        "it has prints of invoices that are not what was accepted",
    ),
    "the day when VAT is due": (
        ("UPDATE vat_period SET due_date = '2026-05-13'",),
        "records",
        "vat period ",
        "due_date: not what the trail recorded last",
    ),
    "a counter of documents": (
        (f"UPDATE document_counter SET last = 0 WHERE business_id = 1 AND date = '{OPEN_DAY}'",),
        "database",
        "the database",
        "it has numbers of documents that could be given again",
    ),
    "a counter of invoices": (
        ("DELETE FROM sales_invoice_counter",),
        "database",
        "the database",
        "it has numbers of invoices that could be given again",
    ),
    "a number of rows that ends the rest": (
        ("UPDATE tally SET count = count + 1 WHERE kind = 'account'",),
        "database",
        "the database",
        "it has numbers of rows in account that are not theirs",
    ),
    "where events are sent": (
        ("UPDATE webhook_subscription SET target_url = 'https://elsewhere.example/'",),
        "records",
        "webhook subscription 1",
        "target_url: not what the trail recorded last",
    ),
    "a kind of closed period that there is not": (
        ("UPDATE fingerprint SET kind = 'year'",),
        "fingerprints",
        "year 2026-03-01 - 2026-03-31",
        "and is open, without being opened",
    ),
    "an amount": (
        (f"UPDATE entry SET amount_cents = amount_cents + 100 WHERE {IN} AND position = 0",),
        "fingerprints",
        "VAT period 2026-03-01 - 2026-03-31",
        "journal, ledger",
    ),
    "an amount on one side": (
        (f"UPDATE entry SET amount_cents = amount_cents + 1 WHERE {LATE} AND is_debit",),
        "totals",
        "document 260402-",
        "its debit is",
    ),
    "an entry that is gone": (
        (f"DELETE FROM entry WHERE {LATE} AND document_id = {ONE} AND is_debit",),
        "totals",
        "document 260402-",
        "its debit is 0.00",
    ),
    "the type of an account": (
        ("UPDATE account SET type = 'EXP' WHERE number = '3000'",),
        "fingerprints",
        "2026-03-31",
        "income statement",
    ),
    "the number of an account": (
        ("UPDATE account SET number = '3999' WHERE number = '3000'",),
        "fingerprints",
        "2026-03-31",
        "journal",
    ),
    "an opening balance": (
        ("UPDATE account SET opening_cents = 50000 WHERE number = '1910'",),
        "fingerprints",
        "2026-03-31",
        "ledger, balance sheet",
    ),
    "a VAT code": (
        (f"UPDATE entry SET vat_code = 13 WHERE {IN} AND vat_code = 3",),
        "fingerprints",
        "2026-03-31",
        "vat report",
    ),
    "a VAT rate": (
        (f"UPDATE entry SET vat_rate = 1000 WHERE {IN} AND position = 0",),
        "fingerprints",
        "2026-03-31",
        "journal",
    ),
    "a day": (
        (
            f"UPDATE document SET date = '2026-03-30' WHERE {IN}",
            f"UPDATE entry SET date = '2026-03-30' WHERE {IN}",
        ),
        "fingerprints",
        "2026-03-31",
        "journal",
    ),
    "a document deleted from closed days": (
        (f"DELETE FROM entry WHERE {IN}", f"DELETE FROM document WHERE {IN} AND number LIKE '%-1'"),
        "numbers",
        "document 260302-1",
        "none that had it was deleted",
    ),
    "a document deleted from open days": (
        (f"DELETE FROM entry WHERE document_id = {ONE}", f"DELETE FROM document WHERE id = {ONE}"),
        "numbers",
        "document 260402-1",
        "none that had it was deleted",
    ),
    "a sum kept by month": (
        ("UPDATE account_month SET debit_cents = debit_cents + 1 WHERE month = '2026-04' AND debit_cents > 0",),
        "totals",
        "account 1910",
        "the balance sheet says",
    ),
    "a sum kept by account": (
        ("UPDATE account_total SET credit_cents = credit_cents + 1 WHERE credit_cents > 0",),
        "totals",
        "account 3000",
        "the account itself says",
    ),
    "a sum kept by account, of one without entries": (
        (
            """INSERT INTO account_total (business_id, account_id, debit_cents, credit_cents, entry_count)
            SELECT 1, id, 700, 0, 0 FROM account WHERE number = '1920'""",
        ),
        "totals",
        "account 1920",
        "the account itself says 7.00, its entries come to 0.00",
    ),
    "sums kept by month of the wrong side": (
        ("UPDATE account_month SET debit_cents = credit_cents, credit_cents = debit_cents",),
        "totals",
        "account 1910",
        "the balance sheet says",
    ),
    "sums kept by month, in another month": (
        ("UPDATE account_month SET month = '2026-05' WHERE month = '2026-04'",),
        "totals",
        "account 3900",
        "the income statement of 2026-04 says 0.00, its entries come to 10.00",
    ),
    "sums kept by month, in another month, of what is held": (
        ("UPDATE account_month SET month = '2026-05' WHERE month = '2026-04'",),
        "totals",
        "account 1910",
        "the balance sheet of 2026-04-30 says",
    ),
    "entries of another day of their month": (
        (f"UPDATE entry SET date = '2026-04-20' WHERE document_id = {ONE}",),
        "totals",
        "document 260402-1",
        "it has entries of 2026-04-20 in the ledger",
    ),
    "entries of another month of closed days, with all sums that are kept": (
        (f"UPDATE entry SET date = '2026-05-02' WHERE {IN}", *KEPT_AGAIN),
        "totals",
        "document 260302-1",
        "it has entries of 2026-05-02 in the ledger",
    ),
    "figures of closed days, and the version of their fingerprint": (
        (
            f"UPDATE entry SET amount_cents = amount_cents + 100 WHERE {IN} AND position = 0",
            "UPDATE fingerprint SET version = version + 1",
        ),
        "fingerprints",
        "VAT period 2026-03-01 - 2026-03-31",
        "journal, ledger",
    ),
    "a number of an invoice": (
        ("UPDATE sales_invoice SET invoice_number = 9 WHERE invoice_number = 3",),
        "numbers",
        "invoice 3",
        "no invoice has this number",
    ),
    "numbers of invoices that begin far away": (
        ("UPDATE sales_invoice SET invoice_number = 202600000001 WHERE invoice_number = 3",),
        "numbers",
        "invoice 3 to 202600000000",
        "no invoice has this number",
    ),
    "a number of a document that is far from the others": (
        (f"UPDATE document SET number = '260402-900000000001' WHERE id = {ONE}",),
        "numbers",
        "to 900000000000",
        "none that had it was deleted",
    ),
    "entries of an open day, with all sums that are kept": (
        (f"UPDATE entry SET amount_cents = amount_cents * 3 WHERE document_id = {ONE}", *KEPT_AGAIN),
        "entries",
        "document 260402-1",
        "its entries are not what its blueprint posts",
    ),
    "VAT of an open day on another account, with all sums that are kept": (
        (
            f"""UPDATE entry SET account_id = (SELECT id FROM account WHERE number = '1763')
            WHERE {LATE} AND account_id = (SELECT id FROM account WHERE number = '2939')""",
            *KEPT_AGAIN,
        ),
        "entries",
        "document 260402-2",
        "its entries are not what its blueprint posts",
    ),
    "a VAT code of an open day": (
        (f"UPDATE entry SET vat_code = 13 WHERE document_id = {ONE} AND NOT is_debit",),
        "entries",
        "document 260402-1",
        "its entries are not what its blueprint posts",
    ),
    "a VAT rate of an open day": (
        (f"UPDATE entry SET vat_rate = 1000 WHERE document_id = {ONE} AND NOT is_debit",),
        "entries",
        "document 260402-1",
        "its entries are not what its blueprint posts",
    ),
    "the text of an entry of an open day": (
        (f"UPDATE entry SET description = 'Gift' WHERE document_id = {ONE} AND NOT is_debit",),
        "entries",
        "document 260402-1",
        "its entries are not what its blueprint posts",
    ),
    "a record of the trail": (
        ("UPDATE event SET data = replace(data, 'Aino', 'Eino') WHERE data LIKE '%Aino%'",),
        "audit trail",
        "record",
        "",
    ),
    "the end of the trail": (
        ("DELETE FROM event WHERE number > (SELECT max(number) - 2 FROM event)",),
        "audit trail",
        "record",
        "",
    ),
    "a fingerprint that is gone": (
        ("DELETE FROM fingerprint",),
        "fingerprints",
        "VAT period 2026-03-01",
        "it is closed and has no fingerprint, though one was recorded",
    ),
    "a fingerprint that is replaced": (
        (f"UPDATE fingerprint SET vat_report = '{'0' * 64}'",),
        "fingerprints",
        "VAT period 2026-03-01",
        "vat report: the fingerprint is not the one that the audit trail recorded",
    ),
    "a period opened, its fingerprint gone": (
        ("UPDATE vat_period SET is_locked = false, is_reported = false", "DELETE FROM fingerprint"),
        "fingerprints",
        "VAT period 2026-03-01",
        "the audit trail has not recorded that it was opened",
    ),
    "a fingerprint that is another": (
        ("UPDATE fingerprint SET ledger = journal",),
        "fingerprints",
        "VAT period 2026-03-01",
        "ledger: other figures",
    ),
    "a period opened behind the service": (
        ("UPDATE vat_period SET is_locked = false, is_reported = false",),
        "fingerprints",
        "VAT period 2026-03-01",
        "is open, without being opened",
    ),
    "a day outside of every period": (
        (
            f"UPDATE entry SET date = '2031-01-01' WHERE document_id = {ONE}",
            f"UPDATE document SET date = '2031-01-01' WHERE id = {ONE}",
        ),
        "periods",
        "document 260402-1",
        "no accounting period has its day, 2031-01-01",
    ),
    "another amount in what a document posts": (
        (f"UPDATE document SET blueprint = replace(blueprint, '10', '20') WHERE id = {ONE}",),
        "records",
        "document 260402-1",
        "blueprint: not what the trail recorded last",
    ),
    "another text": (
        (f"UPDATE document SET description = 'Gift' WHERE id = {ONE}",),
        "records",
        "document 260402-1",
        "description: not what the trail recorded last",
    ),
    "another contact": (
        (f"UPDATE document SET contact_id = 1 WHERE id = {ONE}",),
        "records",
        "document 260402-1",
        "contact_id: not what the trail recorded last",
    ),
    "another day in an open month": (
        (f"UPDATE document SET date = '2026-04-20' WHERE id = {ONE}",),
        "records",
        "document 260402-1",
        "date: not what the trail recorded last",
    ),
    "a receipt taken away": (
        (f"DELETE FROM document_attachment WHERE document_id = {ONE}",),
        "records",
        "document 260402-1",
        "attachment_ids: not what the trail recorded last",
    ),
    "an invoice that is said to be paid": (
        ("UPDATE sales_invoice SET status = 'PAID' WHERE invoice_number = 2",),
        "records",
        "sales invoice 2",
        "status: not what the trail recorded last",
    ),
    "an invoice that is due later": (
        ("UPDATE sales_invoice SET due_date = '2027-01-01' WHERE invoice_number = 1",),
        "records",
        "sales invoice 1",
        "due_date: not what the trail recorded last",
    ),
    "a debt that is another": (
        ("UPDATE purchase_invoice SET amount_cents = amount_cents + 1",),
        "records",
        "purchase invoice 1",
        "amount: not what the trail recorded last",
    ),
    "where a debt is paid to": (
        (
            """UPDATE purchase_invoice SET sender_bank_account = 'FI5810171000000122', sender_bank_bic = 'NDEAFIHH',
            reference = 'RF18539007547034'""",
        ),
        "records",
        "purchase invoice 1",
        "sender_bank_account, sender_bank_bic, reference: not what the trail recorded last",
    ),
    "a customer that is another": (
        ("UPDATE contact SET name = 'Toinen' WHERE id = 1",),
        "records",
        "contact 1",
        "name: not what the trail recorded last",
    ),
    "the tax that was filed": (
        ("UPDATE vat_period SET filing_tax_cents = 1",),
        "records",
        "vat period",
        "filing_tax_to_be_paid: not what the trail recorded last",
    ),
    "other days of a VAT period": (
        ("UPDATE vat_period SET end_date = '2026-04-30'",),
        "records",
        "vat period 2",
        "end_date: not what the trail recorded last",
    ),
    "an account in another role": (
        (
            "UPDATE system_account SET account_id = (SELECT id FROM account WHERE number = '1910') "
            "WHERE role = 'account_trade_receivables'",
        ),
        "records",
        "business 1",
        "account_trade_receivables: not what the trail recorded last",
    ),
    "a contact put in": (
        (
            """INSERT INTO contact (created_at, updated_at, business_id, type, name, sort_name, name_aliases,
            search_text, is_invoicing_enabled, invoicing_language)
            SELECT created_at, updated_at, business_id, type, 'In', 'in', name_aliases, 'in', is_invoicing_enabled,
            invoicing_language FROM contact LIMIT 1""",
        ),
        "records",
        "contact 2",
        "the audit trail has not recorded that it was made",
    ),
    "an account of the business that is another": (
        ("UPDATE business SET invoicing_iban = 'FI5810171000000122'",),
        "records",
        "business 1",
        "invoicing_iban: not what the trail recorded last",
    ),
    "an address of a contact that is another": (
        ("UPDATE contact SET invoicing_email = 'boss@example.com'",),
        "records",
        "contact 1",
        "invoicing_email: not what the trail recorded last",
    ),
    "a hash that is taken away": (
        ("UPDATE event SET hash = NULL WHERE business_id = 1 AND number = 1",),
        "audit trail",
        "record 1",
        "it is not what was recorded",
    ),
    "another text, with no hash left": (
        ("UPDATE event SET hash = NULL", f"UPDATE document SET description = 'Gift' WHERE id = {ONE}"),
        "records",
        "document 260402-1",
        "description: not what the trail recorded last",
    ),
    "the owner of the service": (
        (
            """INSERT INTO users (email, first_name, last_name, show_get_started_info, date_joined, created_at,
            updated_at) SELECT 'boss@example.com', '', '', false, date_joined, created_at, updated_at FROM users""",
            "UPDATE local_user SET user_id = (SELECT max(id) FROM users)",
        ),
        "audit trail",
        "the service",
        "the books name another one as their owner",
    ),
    "a person in the trail of the service": (
        ("UPDATE event SET data = replace(data, 'local@', 'boss@') WHERE business_id = 0 AND type = 'user.created'",),
        "audit trail",
        "record 2 of the service",
        "it is not what was recorded",
    ),
}
TOGETHER = {"database", "records"}
# what is no JSON is compared with nothing
APART = {"an amount of a print"}
LOOKED_AT = {"a number of an invoice", "a day outside of every period"}


def test_books_as_they_should_be_have_no_finding(place: Place) -> None:
    assert findings(place, 0) == []


def test_a_customer_who_moved_since_an_invoice_is_no_finding(place: Place) -> None:
    place.run("contact", "update", "1", "--street", "Uusi katu 2", "--json")
    assert findings(place, 0) == []


def test_books_that_were_restored_have_no_finding(place: Place) -> None:
    place.run("local", "backup", "backup")
    place.run("local", "restore", "backup", "--yes")
    assert findings(place, 0) == []


def test_a_backup_whose_first_record_has_no_hash_is_not_restored(place: Place) -> None:
    place.run("local", "backup", "backup")
    with closing(sqlite3.connect(place.folder / "backup")) as books, books:
        ((frozen,),) = books.execute("SELECT sql FROM sqlite_master WHERE name = 'event_frozen'").fetchall()
        books.execute("DROP TRIGGER event_frozen")
        books.execute("UPDATE event SET hash = NULL WHERE business_id = 1 AND number = 1")
        books.execute(frozen)
    refused = place.try_run("local", "restore", "backup", "--yes")
    assert (refused.code, "record 1: it is not what was recorded" in refused.err) == (10, True), refused


RELATIONS = {
    "gone": ("DELETE FROM relation", "it is gone, and the audit trail has not recorded that it was deleted"),
    "turned": ("UPDATE relation SET accrual_is_low = NOT accrual_is_low", "not what the trail recorded last"),
    "moved": (
        "UPDATE relation SET high_id = (SELECT max(id) FROM document WHERE id <> high_id)",
        "not what the trail recorded last",
    ),
    "put in": (
        """INSERT INTO relation (created_at, updated_at, business_id, low_id, high_id, accrual_is_low, type)
        SELECT created_at, updated_at, business_id, low_id - 1, high_id, accrual_is_low, type FROM relation""",
        "the audit trail has not recorded that it was made",
    ),
}


@pytest.mark.parametrize("how", RELATIONS)
def test_a_relation_that_nobody_changed_is_named(place: Place, how: str) -> None:
    place.run("invoice", "pay", "1", "--date", OPEN_DAY, "--json")
    assert [one for one in findings(place, 0) if one["part"] == "records"] == []
    statement, problem = RELATIONS[how]
    plant(place, statement)
    found = [one for one in findings(place, 10) if one["part"] == "records"]
    assert [(one["record"].split()[0], one["problem"]) for one in found] == [("relation", problem)]


def test_a_document_that_nobody_saw_and_that_counts_as_seen_is_named(place: Place) -> None:
    listed = place.json("document", "list", "--from", OPEN_DAY, "--all")
    numbers = {one["id"]: one["number"] for one in listed}
    sale, paid, tied, other = sorted(numbers)
    place.run("audit", "comment", str(sale), "Whose is it?", "--json")
    for document in (sale, paid, tied):
        place.run("audit", "seen", str(document), "--json")
    place.run("document", "flag", str(sale), "--json")
    place.run("invoice", "paid", "1", "--json")
    place.run("document", "relation", "create", str(tied), "--related", str(other), "--role", "ACCRUAL", "--json")
    place.run("document", "relation", "delete", str(tied), "2", "--yes")
    place.run("invoice", "paid", "3", "--json")
    place.run("audit", "seen", str(other), "--json")
    place.run("invoice", "unpaid", "3", "--json")  # which deletes what it was related to
    assert [one for one in findings(place, 0) if one["part"] == "records"] == []
    plant(
        place,
        f"UPDATE document SET is_seen = true, comment_at = NULL WHERE id IN ({sale}, {paid}, {tied}, {other})",
        f"UPDATE document SET seen_at = updated_at WHERE id = {other}",
    )
    found = [(one["record"], one["problem"]) for one in findings(place, 10) if one["part"] == "records"]
    for document, problem in (
        (sale, "audit_trail_last_comment_at: not what"),
        (sale, "it counts as seen, and the audit trail"),
        (paid, "it counts as seen, and the audit trail"),
        (tied, "it counts as seen, and the audit trail"),
        (other, "it counts as seen, and the audit trail"),
        (other, "audit_trail_last_seen_at: not what"),
    ):
        (one,) = [one for one in found if one[0] == f"document {numbers[document]}" and one[1].startswith(problem)]
        found.remove(one)
    assert found == []


# books of before there was a trail, which had forgotten what they had recorded
FORGOTTEN = (
    "DELETE FROM event",
    "DROP INDEX ix_event_business_id_record_id_number",
    *(f"ALTER TABLE event DROP COLUMN {name}" for name in
      ("record_id", "user_id", "author", "client", "via", "request_id", "operation", "hash")),
    *(f"DROP TABLE {name}" for name in
      ("trail_head", "trail_seal", "fingerprint", "document_mention", "invitation", "jwt_key")),
    "ALTER TABLE users DROP COLUMN email_changed_at",
    *(f"ALTER TABLE document DROP COLUMN {name}" for name in
      ("comment_at", "mention_at", "seen_at", "seen_by", "is_seen")),
    # what 0008 brings
    "DROP INDEX ix_token_grant_id",
    *(f"ALTER TABLE token DROP COLUMN {name}" for name in ("kind", "environment", "grant_id", "scopes")),
    *(f"DROP TABLE {name}" for name in
      ("refresh_token", "app_code", "app_grant", "app", "session", "guess", "password", "signing_key")),
    # what 0012 and 0011 bring
    "DROP INDEX ix_workflow_event_number",
    *(f"ALTER TABLE workflow DROP COLUMN {name}" for name in ("author_id", "event_number", "held_until")),
    "DROP TABLE workflow_run",
    "DROP TABLE workflow_version",
    *(text for text in statements("0001", "sqlite") if re.match(r"CREATE (TABLE|INDEX) \w*workflow_run", text)),
    # what 0015 brings
    "DROP INDEX ix_event_business_id_type_number",
    *(f"DROP TABLE {name}" for name in ("event_block", "webhook_tally", "webhook_tally_part")),
    # what 0010 brings
    *(f"DROP TABLE {name}" for name in ("webhook_delivery", "webhook_position")),
    # what 0016 and 0017 bring
    "ALTER TABLE business DROP COLUMN chart",
    *(f"DROP TABLE {name}" for name in ("business_logo", "sales_invoice_logo")),
    "UPDATE schema_revision SET number = '0004'",
)  # fmt: skip


def test_books_that_had_forgotten_what_they_recorded_have_no_fault(place: Place) -> None:
    plant(place, *FORGOTTEN, keeps=lambda name: name != "event_frozen")
    for noted in place.folder.rglob("local/trail*"):
        noted.unlink()
    assert {one["part"] for one in findings(place, 0)} == {"fingerprints"}
    assert [one["type"] for one in place.json("audit", "list", "--all")] == ["business.chained"]
    # what is changed from then on is compared
    place.run("document", "flag", "1", "--json")
    place.run("account", "update", "4000", "--set", "description=Goods", "--json")
    assert {one["part"] for one in findings(place, 0)} == {"fingerprints"}
    plant(place, "UPDATE account SET type = 'ASS' WHERE number = '4000'")
    assert [one["record"] for one in findings(place, 10) if one["part"] == "records"] == ["account 4000"]


# what came with the business, and what is said of each
CAME_WITH = {
    "UPDATE account SET opening_cents = 1000000 WHERE number = '2000'": ("account 2000", "opening_balance: not what"),
    "UPDATE account SET type = 'ASS' WHERE number = '4000'": ("account 4000", "type: not what"),
    "UPDATE account SET number = '3998' WHERE number = '3370'": ("account 3998", "number: not what"),
    "UPDATE account SET default_vat_code = 7 WHERE number = '3000'": ("account 3000", "default_vat_code: not what"),
    "DELETE FROM account WHERE number = '1920'": ("account 1920", "it is gone"),
    "UPDATE period SET end_date = '2026-10-31'": ("period 1", "end_date: not what"),
    """INSERT INTO period (created_at, updated_at, business_id, start_date, end_date, is_locked)
    SELECT created_at, updated_at, business_id, '2026-11-01', '2026-12-31', false FROM period""": (
        "period 2",
        "the audit trail has not recorded that it was made",
    ),
    """INSERT INTO account (created_at, updated_at, business_id, number, padded_number, name, search_name,
        name_translations, type, default_vat_code, default_vat_rate_label, opening_cents, is_shown)
    SELECT created_at, updated_at, business_id, '3999', 3999000, name, search_name, name_translations, type,
        default_vat_code, default_vat_rate_label, opening_cents, is_shown FROM account WHERE number = '3000'""": (
        "account 3999",
        "the audit trail has not recorded that it was made",
    ),
    "UPDATE header SET type = 'B' WHERE id = 1": ("header 1", "type: not what"),
}


def test_what_came_with_the_business_and_that_nobody_changed_is_named(place: Place) -> None:
    place.run("header", "create", "--type", "I", "--name", "Sales", "--json")
    place.run("account", "update", "3900", "--set", "header_id=1", "--json")
    assert findings(place, 0) == []
    place.run("local", "backup", "backup")
    place.run("local", "restore", "backup", "--yes")
    plant(place, *CAME_WITH)
    found = [(one["record"], one["problem"], one["remedy"]) for one in findings(place, 10) if one["part"] == "records"]
    for record, problem in CAME_WITH.values():
        (remedy,) = [remedy for named, said, remedy in found if named == record and said.startswith(problem)]
        shown = place.try_run(*remedy.split()[1:])
        assert shown.code == 0, shown
    assert len(found) == len(CAME_WITH), found


def test_a_file_that_does_not_hold_what_was_uploaded_is_named_and_not_given_out(place: Place) -> None:
    (place.folder / "other.txt").write_text("other")
    other = str(place.json("file", "upload", "other.txt")[0]["id"])
    for content in place.folder.rglob("files/*/*"):
        if content.read_bytes() == b"receipt":
            content.write_bytes(b"forgery")
    (found,) = findings(place, 10)
    assert (found["part"], found["record"]) == ("files", "file 1")
    assert "receipt.txt: " in found["problem"]
    assert "is not what was uploaded" in found["problem"]
    kept = place.try_run("file", "download", "1", other, "--to", "kept")
    assert (kept.code, "is not what was uploaded" in kept.err) == (10, True), kept
    assert [path.read_text() for path in (place.folder / "kept").iterdir()] == ["other"]


def test_a_file_that_also_the_database_says_otherwise_of_is_named(place: Place) -> None:
    for content in place.folder.rglob("files/*/*"):
        content.write_bytes(b"forgery")
    plant(place, f"UPDATE attachment SET sha256 = '{sha256(b'forgery').hexdigest()}' WHERE sha256 IS NOT NULL")
    (found,) = findings(place, 10)
    assert (found["part"], found["record"]) == ("files", "file 1")
    assert "does not hold what the audit trail says was uploaded" in found["problem"]
    assert place.run(*found["remedy"].split()[1:], "--json").out.count(sha256(b"receipt").hexdigest())


def test_a_file_that_cannot_be_fetched_from_here_is_no_fault_of_the_books(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fetch(*_: object) -> int:
        raise ServerFault("the file's address http://books.example is not fetched", code="unsafe_address")

    monkeypatch.setattr(Fetcher, "fetch", fetch)
    (found,) = findings(place, 0)
    assert (found["record"], "is not fetched" in found["problem"]) == ("file 1", True)


def test_a_file_that_is_gone_is_named(place: Place) -> None:
    (content,) = [path for path in place.folder.rglob("files/*/*") if path.read_bytes() == b"receipt"]
    content.unlink()
    (found,) = findings(place, 10)
    assert (found["record"], found["problem"]) == ("file 1", "receipt.txt: what it holds is gone")


def test_books_that_did_not_record_what_came_with_them_say_so_once(place: Place) -> None:
    plant(
        place,
        "UPDATE event SET data = json_remove(data, '$.came_with') WHERE type = 'business.created' AND business_id = 1",
        "UPDATE account SET type = 'ASS' WHERE number = '4000'",
    )
    done = place.try_run("check", "--json")
    assert done.err.count("before this was recorded: each is compared from its first change") == 1
    assert [one for one in json.loads(done.out) if one["part"] == "records"] == []


def test_a_relation_that_went_with_a_payment_is_no_finding(place: Place) -> None:
    place.run("invoice", "paid", "1", "--json")
    place.run("invoice", "unpaid", "1", "--json")
    assert [one for one in findings(place, 0) if one["part"] == "records"] == []


def test_a_year_has_no_finding(tmp_path: Path) -> None:
    place = found_company(tmp_path / "books")
    for month in range(4, 13 if is_full() else 7):
        post_month(place, month)
    place.run("period", "lock", "1", "--json")
    assert findings(place, 0) == []


def test_years_that_follow_have_no_finding(tmp_path: Path) -> None:
    place = fresh("years", tmp_path)
    place.run("business", "create", "--name", "Kahvila Oy", "--form", "FI_OY", "--slug", "kahvila")
    place.run("business", "use", "kahvila")
    this = int(place.json("period", "list")[-1]["start_date"][:4])
    for year in (this - 1, this - 2):
        place.run("period", "create", "--start", f"{year}-01-01", "--end", f"{year}-12-31")
        place.run(
            "document",
            "create",
            "--date",
            f"{year}-03-02",
            "--debit",
            "1910",
            "--credit",
            "3000:125.50@1/24",
            "--foreign-vat",
        )
        place.run("document", "create", "--date", f"{year}-04-02", "--debit", "4000:80", "--credit", "1910")
        # results of earlier years are carried to this account
        place.run("document", "create", "--date", f"{year}-05-02", "--debit", "2251:10", "--credit", "1910")
    assert findings(place, 0) == []


def are_one_finding(what: str, other: str) -> bool:
    """Whether two faults of a part may be told in one line; one of a record tells all fields that differ."""
    (_, part, record, problem), (*_, other_record, other_problem) = FAULTS[what], FAULTS[other]
    is_same = record.strip() in other_record or other_record.strip() in record
    return is_same and (part != "database" or problem == other_problem)


def planted_together() -> list[list[str]]:
    """Return the faults by the books they are planted in: each alone, or in a usual run with others of their part.

    Two that are named of one record are apart, and so are those of other parts: what a fault does to sums and
    fingerprints would hide what another one does.
    """
    groups: list[list[str]] = []
    # of what takes a check of its own, one for each sentence that names it, unless a run is full
    alone = covering([what for what in FAULTS if FAULTS[what][1] not in TOGETHER], lambda what: FAULTS[what][1::2])
    for what, (_, part, *_) in FAULTS.items():
        if part not in TOGETHER and what not in alone:
            continue
        for group in groups if part in TOGETHER and not is_full() and what not in APART else ():
            if all(part == FAULTS[one][1] and not are_one_finding(what, one) for one in group):
                group.append(what)
                break
        else:
            groups.append([what])
    return groups


@pytest.mark.parametrize("group", planted_together(), ids=lambda group: ", ".join(group)[:60])
def test_a_planted_fault_is_named(place: Place, group: list[str]) -> None:
    plant(place, *(statement for what in group for statement in FAULTS[what][0]))
    done = place.try_run("check", "--json")
    told = json.loads(done.out)
    for what in group:
        _, part, record, problem = FAULTS[what]
        found = [one for one in told if one["part"] == part and record in one["record"]]
        assert any(problem in one["problem"] and one["remedy"] for one in found), (what, done)
    # a number that is left out is no figure, but a document that is gone from closed days is
    is_figure = not {*group} <= LOOKED_AT | {"a document deleted from open days"}
    assert done.code == 10 or not is_figure, done


def test_what_the_service_cannot_show_hides_nothing_else(place: Place) -> None:
    """One record that cannot be read ends what reads it; the other parts go on, and the record is named."""
    plant(place, "UPDATE sales_invoice SET due_date = '2026-02-30' WHERE invoice_number = 2", *KEPT_AGAIN[:1])
    done = place.try_run("check", "--json")
    found = {(one["part"], one["record"]): one["problem"] for one in json.loads(done.out)}
    assert done.code == 10
    assert found["lists", "all"].startswith("it cannot be read: The service failed")
    assert found["database", "sales invoice 2"].startswith("due_date: ")
    assert ("database", "the database") in found
    assert "not looked at, because the books cannot be read: records, files, lists, totals" in done.err
    suite = ET.fromstring(place.try_run("check", "--output", "junit").out)
    assert {"totals", "records"} < {case.get("classname") for case in suite if case.find("skipped") is not None}


# what no total shows: SQL, and the record and the field that are named
QUIET = {
    "UPDATE sales_invoice SET settlement_date = '2026-10-20' WHERE invoice_number = 1": ("1", "settlement_date"),
    "UPDATE sales_invoice SET total_cents = total_cents + 100 WHERE invoice_number = 2": ("2", "total_amount"),
    "UPDATE document SET invoice_id = NULL, invoice_role = NULL WHERE invoice_id = 3": ("3", "document.id"),
    "UPDATE contact SET invoicing_tax_code = 'DE811569869' WHERE id = 1": ("contact 1", "invoicing_tax_code"),
    "UPDATE business SET name = 'Toinen' WHERE id = 1": ("business 1", "name"),
    f"UPDATE document SET balance_cents = 99900 WHERE {LATE} AND invoice_id IS NULL": ("document 260402-1", "balance"),
    f"UPDATE document SET is_locked = false WHERE id = {ONE}": ("document 260402-1", "is_locked"),
    f"INSERT INTO document_tag VALUES (1, {ONE}, 1)": ("document 260402-1", "tag_ids"),
    "INSERT INTO tag SELECT 1, created_at, updated_at, 1, 'x', 'x', '', '' FROM business": ("tag 1", "recorded"),
    "UPDATE identifier SET value = 'FI15728600'": ("identifier 1", "value"),
}


def test_whatever_is_shown_of_a_record_is_compared(place: Place) -> None:
    place.run("document", "lock", str(place.json("document", "list", "--number", "260402-1")[0]["id"]), "--json")
    plant(place, *QUIET)
    found = [one for one in findings(place, 10) if one["part"] == "records"]
    for statement, (record, field) in QUIET.items():
        assert any(one["record"].endswith(record) and field in one["problem"] for one in found), (statement, found)


def test_an_invoice_that_is_booked_twice_because_its_document_was_cut_off_is_named(place: Place) -> None:
    booked = place.json("invoice", "get", "1")["document"]["number"]
    plant(place, "UPDATE document SET invoice_id = NULL, invoice_role = NULL WHERE invoice_id = 1")
    place.run("invoice", "paid", "1", "--json")
    named = [one["record"] for one in findings(place, 10) if "books sales invoice 1 no more" in one["problem"]]
    assert named == [f"document {booked}"]


Done = Callable[[Place], None]
OPERATIONS: dict[str, tuple[tuple[tuple[str, ...], ...], str, str, str]] = {
    "a draft": (
        (("document", "create", "--draft", "--date", "2026-04-03"),),
        "drafts",
        "draft",
        "that is not posted",
    ),
    "a document without a receipt": (
        (("document", "create", "--date", "2026-04-03", "--description", "Pens", *SALE),),
        "receipts",
        "document 260403-1",
        "it has no receipt (Pens)",
    ),
    "a clearing account": (
        (
            ("account", "create", "--number", "1975", "--name", "Card clearing", "--type", "ASS"),
            ("document", "create", "--date", "2026-04-03", "--debit", "1975", "--credit", "3900:10"),
        ),
        "clearing",
        "account 1975",
        "Card clearing holds 10.00",
    ),
    "a claim without an invoice": (
        (("document", "create", "--date", "2026-04-03", "--debit", "1700", "--credit", "3900:10"),),
        "receivables",
        "account 1700",
        "the open invoices come to",
    ),
    "a prepayment": (
        (
            ("contact", "create", "--name", "Early Oy"),
            ("document", "create", "--date", "2026-04-03", "--debit", "1910", "--credit", "1700:50", *EARLY),
            ("document", "create", "--date", "2026-04-04", "--debit", "1700", "--credit", "3900:20", *EARLY),
        ),
        "unclaimed money",
        "document 260403-1",
        "no claim takes 30.00 of this money",
    ),
    "a prepayment beside a cent that nobody owes": (
        (
            ("contact", "create", "--name", "Early Oy"),
            ("document", "create", "--date", "2026-04-03", "--debit", "1910", "--credit", "1700:50", *EARLY),
            ("document", "create", "--date", "2026-04-04", "--debit", "1700", "--credit", "3900:0.01"),
        ),
        "unclaimed money",
        "document 260403-1",
        "no claim takes 49.99 of this money",
    ),
}


@pytest.mark.parametrize("what", OPERATIONS)
def test_what_somebody_should_look_at_is_named(place: Place, what: str) -> None:
    commands, part, record, problem = OPERATIONS[what]
    for command in commands:
        place.run(*command, "--json")
    found = [one for one in findings(place, 0) if one["part"] == part and record in one["record"]]
    assert any(problem in one["problem"] and one["remedy"] for one in found), found


def test_a_part_of_a_purchase_may_be_paid(place: Place) -> None:
    bill = ("--sender", "Paperi Oy", "--date", "2026-04-03", "--amount", "125.50", "--source", "upload")
    made = str(place.json("purchase", "create", *bill)["id"])
    file = ("--attachment", "1")
    place.run("purchase", "update", made, *file)
    place.run("purchase", "post", made, "--account", "4000", "--json")
    assert findings(place, 0) == []
    place.run("purchase", "pay", made, "--date", "2026-04-10", "--amount", "50", "--json")
    # what only pays needs no receipt
    assert findings(place, 0) == []


def test_a_purchase_that_says_it_is_paid_and_is_open_is_named(place: Place) -> None:
    bill = (
        "--sender",
        "Paperi Oy",
        "--number",
        "7",
        "--date",
        "2026-04-03",
        "--amount",
        "125.50",
        "--source",
        "upload",
    )
    made = str(place.json("purchase", "create", *bill)["id"])
    place.run("purchase", "update", made, "--attachment", "1")
    place.run("purchase", "post", made, "--account", "4000", "--json")
    place.run("purchase", "update", made, "--paid")
    (found,) = findings(place, 0)
    assert (found["part"], found["record"]) == ("payables", f"purchase invoice {made}")
    assert found["problem"] == "Paperi Oy 7 says that it is paid, and 125.50 of it is open by the books"
    place.run("purchase", "unpay", made)
    assert findings(place, 0) == []


def test_a_document_that_was_deleted_explains_its_number(place: Place) -> None:
    made = [
        place.json("document", "create", "--date", "2026-04-03", *SALE, "--set", "attachment_ids=[1]") for _ in "ab"
    ]
    place.run("document", "delete", str(made[0]["id"]), "--yes")
    assert findings(place, 0) == []


def test_junit_has_a_case_for_each_part_and_finding(place: Place) -> None:
    parts = ET.fromstring(place.run("check", "--output", "junit").out)
    assert (parts.get("failures"), parts.get("tests")) == ("0", "17")
    plant(place, "UPDATE account SET type = 'EXP' WHERE number = '3000'")
    done = place.try_run("check", "--output", "junit")
    suite = ET.fromstring(done.out)
    assert done.code == 10
    failed = [case for case in suite if case.find("failure") is not None]
    assert str(len(failed)) == suite.get("failures")
    assert ("fingerprints", "VAT period 2026-03-01 - 2026-03-31") in {
        (case.get("classname"), case.get("name")) for case in failed
    }


def test_the_tour_has_no_finding(tmp_path: Path) -> None:
    place = fresh("tour", tmp_path)
    place.run("business", "create", "--name", "Tour Oy", "--form", "FI_OY", "--slug", "tour")
    place.run("business", "use", "tour")
    month = str(files("acctcli.cli").joinpath("tour_month.jsonl"))
    place.run("document", "create", "--file", month, "--account-numbers", "--json")
    assert findings(place, 0) == []


def test_entries_stay_where_they_are_when_the_business_takes_other_accounts_for_vat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = fresh("roles", tmp_path)
    place.run("business", "create", "--name", "Roles Oy", "--form", "FI_OY", "--slug", "roles")
    place.run("business", "use", "roles")
    place.run("document", "create", "--debit", "1910", "--credit", "3000:125.50@1/25.5")
    other = place.json("account", "create", "--number", "2949", "--name", "VAT", "--type", "LIA_VAT")["id"]
    place.run("business", "update", "roles", "--set", f"account_vat_liabilities={other}")
    place.run("document", "create", "--debit", "1910", "--credit", "3000:125.50@1/25.5")
    accounts = place.json("account", "list", "--columns", "number,balance")
    taken = [one["number"] for one in accounts if str(one["balance"]) == "25.50"]
    assert taken == ["2939", "2949"]
    assert findings(place, 0) == []
    last = place.json("account", "create", "--number", "2959", "--name", "VAT", "--type", "LIA_VAT")["id"]
    meanwhile = (
        ("business", "update", "roles", "--set", f"account_vat_liabilities={last}"),
        ("document", "create", "--debit", "1910", "--credit", "3000:125.50@1/25.5"),
    )
    left = run_after(place, monkeypatch, totals, "_kept", meanwhile)
    assert findings(place, 0) == []
    assert left == []


def test_a_fingerprint_that_differs_ends_with_10(place: Place) -> None:
    one = place.json("period", "fingerprint", "list")[0]["id"]
    assert place.json("period", "fingerprint", "get", str(one))["differing"] == []
    plant(place, "UPDATE account SET type = 'EXP' WHERE number = '3000'", "UPDATE fingerprint SET journal = ledger")
    done = place.try_run("period", "fingerprint", "get", str(one))
    assert (done.code, done.err.count("VAT period 2026-03-01 - 2026-03-31: journal, ")) == (10, 1)
    assert "journal: the fingerprint is not the one that the audit trail recorded" in done.err


def test_amounts_that_were_edited_are_named_though_every_document_balances(tmp_path: Path) -> None:
    place = fresh("edited", tmp_path)
    place.run("business", "create", "--name", "Kahvila Oy", "--form", "FI_OY", "--slug", "kahvila")
    place.run("business", "use", "kahvila")
    period = place.json("period", "create", "--start", "2025-01-01", "--end", "2025-12-31")
    for day, debit, credit in (
        ("2025-01-02", "1910", "2000:5000"),
        ("2025-03-02", "1910", "3000:125.50@1/25.5"),
        ("2025-04-02", "4000:80", "1910"),
    ):
        place.run("document", "create", "--date", day, "--debit", debit, "--credit", credit)
    place.run("period", "lock", str(period["id"]))
    edit = "UPDATE entry SET amount_cents = amount_cents + 5000 WHERE document_id = 1"
    (path,) = place.folder.rglob("books.sqlite3")
    with closing(sqlite3.connect(path)) as books, books:
        for (name,) in books.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'entry'"):
            books.execute(f"DROP TRIGGER {name}")
        assert books.execute(edit).rowcount == 2
    found = findings(place, 10)
    assert any(one["part"] == "totals" and "balance sheet says" in one["problem"] for one in found), found
    assert any(one["part"] == "fingerprints" and "journal" in one["problem"] for one in found), found


@pytest.fixture
def writing(place: Place, monkeypatch: pytest.MonkeyPatch) -> Callable[[list[str]], None]:
    """Let another terminal post so much to an account of sales between journal and ledger, each time they are read."""

    def let(amounts: list[str]) -> None:
        def read_ledger(*asked: Any) -> Any:
            if amounts:
                sale = ("--debit", "1910", "--credit", f"3900:{amounts.pop(0)}")
                place.run("document", "create", "--date", OPEN_DAY, *sale, "--json")
            return as_it_is(*asked)

        as_it_is = totals._check_ledger
        monkeypatch.setattr(totals, "_check_ledger", read_ledger)

    return let


def test_who_posts_meanwhile_makes_no_fault(place: Place, writing: Callable[[list[str]], None]) -> None:
    writing(["7"])
    assert [one for one in findings(place, 0) if one["part"] == "totals"] == []


def test_who_posts_all_the_while_makes_no_fault_and_hides_none(
    place: Place, writing: Callable[[list[str]], None]
) -> None:
    writing(["1", "2", "3", "4", "5", "6"])
    unsure = [one for one in findings(place, 0) if one["part"] == "totals"]
    assert unsure
    assert all("run this again when nobody writes" in one["problem"] for one in unsure)
    plant(place, "UPDATE account_total SET credit_cents = credit_cents + 1 WHERE credit_cents > 0")
    writing(["1", "2", "3", "4", "5", "6"])
    found = [one for one in findings(place, 10) if one["is_fault"] and one["part"] == "totals"]
    assert any(one["record"] == "account 3000" and "the account itself says" in one["problem"] for one in found)


@pytest.mark.parametrize(
    ("times", "writes", "code", "said"), [(1, 1, 0, None), (9, 9, 0, "nobody writes"), (9, 0, 10, "page 1")]
)
def test_a_list_that_changes_under_a_check_is_read_again_if_somebody_writes(
    place: Place, monkeypatch: pytest.MonkeyPatch, times: int, writes: int, code: int, said: str | None
) -> None:
    left = {"times": times, "writes": writes}
    as_it_is = lists.documents

    def documents(here: Any, **query: str) -> Any:
        if left["writes"]:
            left["writes"] -= 1
            place.run("contact", "create", "--name", "Uusi", "--json")
        if left["times"]:
            left["times"] -= 1
            raise Incomplete(f"{CHANGED}: page 1 is not what it was")
        return as_it_is(here, **query)

    monkeypatch.setattr(lists, "documents", documents)
    found = [one for one in findings(place, code) if one["part"] == "lists"]
    assert [said in one["problem"] for one in found] == ([True] if said else [])


def test_money_in_no_return_is_named_where_vat_follows_payments(place: Place) -> None:
    place.run("business", "create", "--name", "Kassa Oy", "--form", "FI_OY", "--slug", "kassa")
    place.run("business", "use", "kassa")
    place.run("business", "update", "kassa", "--set", "vat_reporting_method=FI_CASH_BASIS")

    def post(debit: str, credit: str) -> str:
        entries = ("--debit", debit, "--credit", credit)
        return str(place.json("document", "create", "--date", "2026-04-03", *entries)["id"])

    def named() -> list[tuple[str, str]]:
        found = [one for one in findings(place, 0) if one["part"] == "unclaimed money"]
        return [(one["record"], one["problem"].split(":")[0]) for one in found]

    sold, paid = post("1700", "3000:100@1/25.5"), post("1910", "1700:150")
    place.run("document", "relation", "create", paid, "--related", sold, "--role", "settlement")
    assert named() == [("document 260403-2", "no claim takes 50.00 of this money")]
    post("1700", "1910:80")
    assert named() == [("document 260403-3", "nothing tells which sale 30.00 of this money is given back of")]


# what another terminal does after the first look, and at what: nothing of it is a fault of the books
MEANWHILE: dict[str, tuple[Any, str, tuple[tuple[str, ...], ...]]] = {
    "an account posted to, and one deleted": (
        lists,
        "read_chart",
        (
            ("account", "create", "--number", "1990", "--name", "New", "--type", "ASS_PAY"),
            ("document", "create", "--date", OPEN_DAY, "--debit", "1990", "--credit", "3900:10"),
            ("account", "delete", "1920", "--yes"),
        ),
    ),
    "a period closed": (closed, "read_periods", (("period", "lock", "1"),)),
    "a period opened": (closed, "_closed_then", (("vat", "period", "reopen", "2", "--reason", "Late", "--yes"),)),
}


@pytest.mark.parametrize("what", MEANWHILE)
def test_what_others_change_while_a_check_begins_is_no_fault(
    place: Place, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    module, name, commands = MEANWHILE[what]
    left = run_after(place, monkeypatch, module, name, commands)
    assert [one for one in findings(place, 0) if one["is_fault"]] == []
    assert left == []


def run_after(
    place: Place, monkeypatch: pytest.MonkeyPatch, module: Any, name: str, commands: Iterable[tuple[str, ...]]
) -> list[tuple[str, ...]]:
    """Run commands once a function of a module was called; return those that are left."""
    left, as_it_is = list(commands), getattr(module, name)

    def read(*asked: Any) -> Any:
        made = as_it_is(*asked)
        while left:
            place.run(*left.pop(0), "--json")
        return made

    monkeypatch.setattr(module, name, read)
    return left


@pytest.mark.parametrize(("times", "writes", "code"), [(1, 1, 0), (2, 2, 0), (1, 0, 10), (9, 9, 10)])
def test_a_list_that_a_check_cannot_do_without_is_read_again_if_somebody_writes(
    place: Place, monkeypatch: pytest.MonkeyPatch, times: int, writes: int, code: int
) -> None:
    left = {"times": times, "writes": writes}
    as_it_is = lists.read_periods

    def read_periods(here: Any) -> Any:
        if left["writes"]:
            left["writes"] -= 1
            place.run("contact", "create", "--name", "Uusi", "--json")
        if left["times"]:
            left["times"] -= 1
            raise Incomplete(f"{CHANGED}: page 1 is not what it was")
        return as_it_is(here)

    monkeypatch.setattr(lists, "read_periods", read_periods)
    done = place.try_run("check", "--json")
    assert (done.code, "page 1" in done.err) == (code, code == 10), done
