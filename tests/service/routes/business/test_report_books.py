"""Journal and ledger over HTTP, on SQLite and on PostgreSQL."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from acctcli.law.closed_days import Span
from acctcli.models.report import JournalReport, LedgerReport
from acctcli.service.store.reports.ledger import AccountEntries
from tests.replies import check_reply
from tests.service.actor import Reply, World
from tests.service.routes.books import Books
from tests.service.routes.reports import ask, read, span

D = Decimal
YEAR = span("2026-01-01", "2026-12-31")
# what makes a database find rows in another order than that of an index
UNORDERED = {
    "sqlite": ("PRAGMA reverse_unordered_selects = ON",),
    "postgresql": tuple(f"SET LOCAL enable_{way}scan = off" for way in ("index", "indexonly", "bitmap")),
}


def journal(books: Books, date_from: str, date_to: str, **more: Any) -> Reply:
    columns = [{"date_from": date_from, "date_to": date_to}]
    return books.send("POST", "report/journal/", {"columns": columns, **more})


def numbers(reply: Reply) -> list[str]:
    assert reply.status == 200, reply
    return [document["number"] for document in reply.body["documents"]]


def test_the_journal_is_shown_whole(books: Books) -> None:
    row = books.row("3000", "125.50", 1, "25.5") | {"description": "Boots"}
    more = {"description": "Order 7", "contact_id": books.contact("Birch Oy"), "blueprint": books.sales("1910", [row])}
    document = books.create("document/", {"date": "2026-04-02", **more})
    other = books.document("2026-04-03", "10.10")
    reply = journal(books, "2026-04-01", "2026-04-30")
    names = {number: books.account(number)["name"] for number in ("1910", "3000", "2939", "3900")}

    def entry(
        number: str, debit: str, credit: str, description: str = "", vat_code: int = 3, rate: str = "0.00"
    ) -> dict[str, Any]:
        return {
            "account_number": number,
            "account_name": names[number],
            "debet": D(debit),
            "credit": D(credit),
            "description": description,
            "vat_code": vat_code,
            "vat_rate": rate,
        }

    assert reply.body == {
        "report_type": "journal",
        "date_from": "2026-04-01",
        "date_to": "2026-04-30",
        "documents": [
            {
                "number": "260402-1",
                "date": "2026-04-02",
                "document_id": document["id"],
                "contact_name": "Birch Oy",
                "entries": [
                    entry("1910", "125.50", "0.00", "Order 7"),
                    entry("3000", "0.00", "100.00", "Order 7 · Boots", 1, "25.50"),
                    entry("2939", "0.00", "25.50", "Order 7 · Boots", 1, "25.50"),
                ],
                "totals": {"debet": D("125.50"), "credit": D("125.50")},
            },
            {
                "number": "260403-1",
                "date": "2026-04-03",
                "document_id": other["id"],
                "contact_name": None,
                "entries": [entry("1910", "10.10", "0.00"), entry("3900", "0.00", "10.10")],
                "totals": {"debet": D("10.10"), "credit": D("10.10")},
            },
        ],
        "totals": {"debet": D("135.60"), "credit": D("135.60")},
    }
    assert b'"debet":10.10,"credit":0.00' in reply.raw
    check_reply(JournalReport, reply.body)


def test_an_entry_that_says_what_its_document_says_says_it_once(books: Books) -> None:
    texts = ("Rent", "", "rent", 'Rent "May"')
    rows = [books.row("3900", "10.00") | {"description": text} for text in texts]
    books.create("document/", {"date": "2026-04-02", "description": "Rent", "blueprint": books.sales("1910", rows)})
    (document,) = journal(books, "2026-04-01", "2026-04-30").body["documents"]
    sold = [entry["description"] for entry in document["entries"] if entry["account_number"] == "3900"]
    assert sold == ["Rent", "Rent", "Rent · rent", 'Rent · Rent "May"']


def test_both_days_are_included_and_drafts_are_not(books: Books) -> None:
    for day in ("2026-03-31", "2026-04-01", "2026-04-30", "2026-05-01"):
        books.document(day, "1.00")
    books.document("2026-04-15", "1.00", is_draft=True)
    assert numbers(journal(books, "2026-04-01", "2026-04-30")) == ["260401-1", "260430-1"]


def test_documents_stand_by_date_then_by_number(books: Books) -> None:
    drafted = books.document("2026-04-02", "1.00", is_draft=True)
    for _ in range(10):
        books.document("2026-04-02", "1.00")
    books.document("2026-04-01", "1.00")
    moved = books.document("2026-04-03", "1.00")
    books.change(f"document/{moved['id']}/", date="2026-04-02")
    books.change(f"document/{drafted['id']}/", is_draft=False)
    of_day = [*(f"260402-{n}" for n in range(1, 12)), "260403-1"]
    assert numbers(journal(books, "2026-01-01", "2026-12-31")) == ["260401-1", *of_day]


@pytest.mark.everywhere
def test_a_document_without_entries_is_listed(books: Books) -> None:
    books.create("document/")
    document = journal(books, "2026-04-02", "2026-04-02").body["documents"][0]
    assert (document["number"], document["entries"]) == ("260402-1", [])
    assert document["totals"] == {"debet": D("0.00"), "credit": D("0.00")}


def test_an_empty_journal(books: Books, other_books: Books) -> None:
    other_books.document("2026-04-02", "1.00")
    reply = journal(books, "2026-01-01", "2026-12-31")
    assert reply.raw.endswith(b'"documents":[],"totals":{"debet":0.00,"credit":0.00}}')


def test_documents_stand_on_lines_of_their_own(books: Books) -> None:
    for day in ("2026-04-02", "2026-04-02", "2026-04-03"):
        books.document(day, "1.00", description="a\nb")
    lines = journal(books, "2026-01-01", "2026-12-31").raw.split(b",\n")
    assert [line.count(b'"document_id"') for line in lines] == [1, 1, 1]


@pytest.mark.everywhere
def test_texts_are_kept_letter_for_letter(books: Books) -> None:
    text = 'Kahvi "ja" pulla \\ \t\n\x01 \u2028 \U0001f600 </script> %s {0}'
    row = books.row("3900", "1.00") | {"description": text}
    books.create("document/", {"date": "2026-04-02", "blueprint": books.sales("1910", [row])})
    found = journal(books, "2026-01-01", "2026-12-31").body["documents"][0]["entries"][1]["description"]
    of_account = read(books, "ledger", YEAR)["accounts"][1]["entries"][0]["description"]
    assert (found, of_account) == (text, text)


@pytest.mark.everywhere
@pytest.mark.parametrize("report", ["journal", "ledger"])
def test_only_documents_with_a_tag(books: Books, other_books: Books, report: str) -> None:
    project, campaign = books.tag("Project"), books.tag("Campaign")
    books.change(f"account/{books.ids['1910']}/", opening_balance=D("77.00"))
    for cents, tags in ((1, []), (2, [project]), (4, [campaign]), (8, [project, campaign])):
        books.document("2026-04-02", str(D(cents).scaleb(-2)), tag_ids=tags)
    sums = {
        tags: str(read(books, report, YEAR, tag_ids=list(tags))["totals"]["debet"])
        for tags in ((project,), (campaign,), (project, campaign))
    }
    assert sums == {(project,): "0.10", (campaign,): "0.12", (project, campaign): "0.14"}
    if report == "ledger":  # opening balances carry no tag
        assert read(books, report, YEAR, tag_ids=[project])["accounts"][0]["opening_balance"] == 0
    foreign = ask(books, report, YEAR, tag_ids=[other_books.tag("Theirs")])
    assert (foreign.status, foreign.faults) == (400, ["tag_ids"])


def test_only_the_first_column_counts(books: Books) -> None:
    books.document("2026-04-02", "1.00")
    columns = [
        {"date_from": "2026-04-02", "date_to": "2026-04-02", "name": "April"},
        {"date_from": "2025-04-02", "date_to": "2025-04-02"},
    ]
    reply = books.send("POST", "report/journal/", {"columns": columns, "extend_accounts": True})
    assert (numbers(reply), reply.body["date_from"]) == (["260402-1"], "2026-04-02")


@pytest.mark.together
@pytest.mark.parametrize("report", ["journal", "ledger"])
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "columns"),
        ({"columns": []}, "columns"),
        ({"columns": [{"date_from": "2026-04-02"}]}, "columns"),
        ({"columns": [{"date_from": "2026-04-02", "date_to": "2026-04-01"}]}, "columns"),
        ({"columns": [{"date_from": "2026-04-02", "date_to": "2026-04-02"}], "tag_ids": [1]}, "tag_ids"),
    ],
)
def test_a_wrong_request_is_refused(books: Books, report: str, body: dict[str, Any], field: str) -> None:
    reply = books.send("POST", f"report/{report}/", body)
    assert (reply.status, reply.faults) == (400, [field])


@pytest.mark.everywhere
def test_totals_may_exceed_what_one_account_can_hold(books: Books) -> None:
    largest = "92233720368547758.07"
    books.document("2026-04-02", largest)
    books.create("document/", {"blueprint": books.simple(largest, "1900", "3990")})
    assert b'"totals":{"debet":184467440737095516.14,"credit":184467440737095516.14}}' in (
        journal(books, "2026-04-02", "2026-04-02").raw
    )


def test_the_ledger_is_shown_whole(books: Books) -> None:
    books.change(f"account/{books.ids['1910']}/", opening_balance=D("100.00"))
    books.change(f"account/{books.ids['2000']}/", opening_balance=D("100.00"))
    books.document("2026-03-31", "0.50")
    row = books.row("3000", "125.50", 1, "25.5") | {"description": "Boots"}
    more = {"description": "Order 7", "contact_id": books.contact("Birch Oy"), "blueprint": books.sales("1910", [row])}
    books.create("document/", {"date": "2026-04-02", **more})
    books.create("document/", {"date": "2026-04-03", "blueprint": books.purchase("1910", [books.row("8500", "5.00")])})
    reply = ask(books, "ledger", span("2026-04-01", "2026-04-30"))

    def entry(place: tuple[str, str, Any], balance: str, counters: str, *texts: Any) -> dict[str, Any]:
        number, day, contact = place
        debit, credit, description, vat_code = texts
        sides = {"debet": D(debit), "credit": D(credit), "balance_csum": D(balance)}
        about = {"description": description, "contact_name": contact, "vat_code": vat_code}
        return {"number": number, "date": day, **sides, **about, "counter_accounts": counters.split()}

    def account(number: str, opening: str, *entries: dict[str, Any]) -> dict[str, Any]:
        totals = {side: sum((one[side] for one in entries), D("0.00")) for side in ("debet", "credit")}
        balance = D(opening) + totals["debet"] - totals["credit"]
        return {
            "number": number,
            "name": books.account(number)["name"],
            "opening_balance": D(opening),
            "entries": list(entries),
            "totals": {**totals, "balance_csum": balance},
        }

    sale, fee = ("260402-1", "2026-04-02", "Birch Oy"), ("260403-1", "2026-04-03", None)
    sold = "Order 7 · Boots"
    assert reply.body == {
        "report_type": "ledger",
        "date_from": "2026-04-01",
        "date_to": "2026-04-30",
        "accounts": [
            account(
                "1910",
                "100.50",
                entry(sale, "226.00", "2939 3000", "125.50", "0.00", "Order 7", 3),
                entry(fee, "221.00", "8500", "0.00", "5.00", "", 3),
            ),
            account("2000", "-100.00"),
            account("2939", "0.00", entry(sale, "-25.50", "1910", "0.00", "25.50", sold, 1)),
            account("3000", "0.00", entry(sale, "-100.00", "1910", "0.00", "100.00", sold, 1)),
            account("3900", "-0.50"),
            account("8500", "0.00", entry(fee, "5.00", "1910", "5.00", "0.00", "", 3)),
        ],
        "totals": {"debet": D("130.50"), "credit": D("130.50"), "balance_csum": D("0.00")},
    }
    assert b'"debet":125.50,"credit":0.00,"balance_csum":226.00' in reply.raw
    check_reply(LedgerReport, reply.body)


def test_counter_accounts_are_told_of_documents_of_up_to_200_entries(books: Books) -> None:
    for most in (199, 200):
        rows = [books.row("3900", "1.00") for _ in range(most)]
        books.create("document/", {"date": "2026-04-02", "blueprint": books.sales("1910", rows)})
    bank = read(books, "ledger", YEAR)["accounts"][0]
    assert [one["counter_accounts"] for one in bank["entries"]] == [["3900"], []]


@pytest.mark.everywhere
def test_a_ledger_too_long_to_be_read_at_once_is_the_same(books: Books, monkeypatch: pytest.MonkeyPatch) -> None:
    project = books.tag("Project")
    for day in ("2026-04-03", "2026-04-02", "2026-04-02"):
        books.document(day, "1.00", tag_ids=[project])
    books.document("2026-04-01", "2.00")

    def ledgers() -> list[bytes]:
        return [ask(books, "ledger", YEAR, **tags).raw for tags in ({}, {"tag_ids": [project]})]

    at_once = ledgers()
    assert [text.count(b'"balance_csum":') for text in at_once] == [8 + 3, 6 + 3]  # entries, accounts, and all
    for most in (8, 7, 6, 5, 0):
        monkeypatch.setattr("acctcli.service.store.reports.ledger.FEW", most)
        assert ledgers() == at_once


@pytest.mark.everywhere
def test_entries_of_an_account_stand_by_date_then_by_number(books: Books) -> None:
    moved = books.document("2026-04-03", "0.01")
    for _ in range(10):
        books.document("2026-04-02", "1.00")
    books.change(f"document/{moved['id']}/", date="2026-04-01")
    bank = read(books, "ledger", YEAR)["accounts"][0]
    assert [(entry["date"], entry["number"]) for entry in bank["entries"]] == [
        ("2026-04-01", "260403-1"),
        *(("2026-04-02", f"260402-{number}") for number in range(1, 11)),
    ]


@pytest.mark.everywhere
def test_entries_stand_by_date_in_whatever_order_the_database_finds_them(shared: World, books: Books) -> None:
    days = ["2026-04-03", "2026-04-01", "2026-04-02"]
    for day in days:
        books.document(day, "1.00")
    year = Span(date(2026, 1, 1), date(2026, 12, 31))
    with shared.database.exclusive() as conn:
        for setting in UNORDERED[conn.dialect]:
            conn.run(setting)
        found = [row[0] for row in AccountEntries(conn, books.business_id, year)(books.ids["1910"])]
    assert found == sorted(days)


def test_results_open_with_what_their_accounting_period_moved(books: Books) -> None:
    books.keep_books(2025)
    for day, amount in (("2025-12-31", "1.00"), ("2026-01-01", "2.00"), ("2026-04-01", "4.00")):
        books.document(day, amount)

    def opening(first: str) -> dict[str, str]:
        report = read(books, "ledger", span(first, "2026-12-31"))
        return {account["number"]: str(account["opening_balance"]) for account in report["accounts"]}

    assert opening("0001-01-01") == {"1910": "0.00", "2251": "0.00", "3900": "0.00"}
    assert opening("2026-01-01") == {"1910": "1.00", "2251": "-1.00", "3900": "0.00"}
    assert opening("2026-03-15") == {"1910": "3.00", "2251": "-1.00", "3900": "-2.00"}
    assert opening("2026-04-02") == {"1910": "7.00", "2251": "-1.00", "3900": "-6.00"}


def test_a_result_is_carried_where_an_accounting_period_begins(books: Books) -> None:
    books.keep_books(2025)
    books.document("2025-11-30", "1.00")
    books.document("2026-01-05", "2.00")
    accounts = {
        account["number"]: account for account in read(books, "ledger", span("2025-01-01", "2026-12-31"))["accounts"]
    }
    lines = {
        number: [
            (one["date"], one["number"], one["counter_accounts"], str(one["balance_csum"]))
            for one in account["entries"]
        ]
        for number, account in accounts.items()
    }
    assert lines == {
        "1910": [("2025-11-30", "251130-1", ["3900"], "1.00"), ("2026-01-05", "260105-1", ["3900"], "3.00")],
        "2251": [("2026-01-01", "", [], "-1.00")],
        "3900": [
            ("2025-11-30", "251130-1", ["1910"], "-1.00"),
            ("2026-01-01", "", ["2251"], "0.00"),
            ("2026-01-05", "260105-1", ["1910"], "-2.00"),
        ],
    }
    assert accounts["2251"]["entries"][0]["description"] == "Result carried to profit of previous periods"


def test_opening_balances_that_do_not_balance_are_named_in_the_ledger(books: Books) -> None:
    books.change(f"account/{books.ids['1910']}/", opening_balance=D("100.00"))
    report = read(books, "ledger", YEAR)
    assert [(one["number"], one["name"], str(one["opening_balance"])) for one in report["accounts"]] == [
        ("1910", books.account("1910")["name"], "100.00"),
        ("", "Opening balance difference", "-100.00"),
    ]
    assert report["totals"]["balance_csum"] == 0


def test_a_chart_without_an_account_for_earlier_results_carries_them_by_name(books: Books) -> None:
    books.keep_books(2025)
    books.document("2025-11-30", "1.00")
    settings = books.send("PATCH", "", {"account_previous_profit": None})
    assert settings.status == 200, settings
    deleted = books.send("DELETE", f"account/{books.ids['2251']}/", None)
    assert deleted.status == 204, deleted
    accounts = read(books, "ledger", YEAR)["accounts"]
    assert [(one["number"], one["name"], str(one["opening_balance"])) for one in accounts] == [
        ("1910", books.account("1910")["name"], "1.00"),
        ("", "Profit of previous periods", "-1.00"),
    ]
    equity = read(books, "equity-changes", YEAR)
    assert [row["name"] for row in equity["rows"] if not row["level"]][1:] == [
        "Profit of previous periods",
        "Result of the period",
        "Total equity",
    ]


def test_an_empty_ledger(books: Books, other_books: Books) -> None:
    other_books.document("2026-04-02", "1.00")
    books.document("2026-04-02", "1.00", is_draft=True)
    reply = ask(books, "ledger", span("2016-01-01", "2025-12-31"))
    assert reply.raw.endswith(b'"accounts":[],"totals":{"debet":0.00,"credit":0.00,"balance_csum":0.00}}')
