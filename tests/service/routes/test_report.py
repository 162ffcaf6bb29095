"""The journal over HTTP, on SQLite and on PostgreSQL."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from acctcli.models.report import JournalReport
from tests.service.routes.books import Books, Reply

D = Decimal


def journal(books: Books, date_from: str, date_to: str, **more: Any) -> Reply:
    columns = [{"date_from": date_from, "date_to": date_to}]
    return books.send("POST", "report/journal/", {"columns": columns, **more})


def numbers(reply: Reply) -> list[str]:
    assert reply.status == 200, reply
    return [document["number"] for document in reply.body["documents"]]


def test_the_journal_is_shown_whole(books: Books) -> None:
    row = books.row("3000", "125.50", 1, "25.5") | {"description": "Boots"}
    document = books.create("document/", {"date": "2026-04-02", "blueprint": books.sales("1910", [row])})
    other = books.document("2026-04-03", "10.10")
    reply = journal(books, "2026-04-01", "2026-04-30")
    names = {number: books.account(number)["name"] for number in ("1910", "3000", "2939", "3900")}

    def entry(number: str, debit: str, credit: str, description: str = "") -> dict[str, Any]:
        return {
            "account_number": number,
            "account_name": names[number],
            "debet": D(debit),
            "credit": D(credit),
            "description": description,
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
                "entries": [
                    entry("1910", "125.50", "0.00"),
                    entry("3000", "0.00", "100.00", "Boots"),
                    entry("2939", "0.00", "25.50", "Boots"),
                ],
                "totals": {"debet": D("125.50"), "credit": D("125.50")},
            },
            {
                "number": "260403-1",
                "date": "2026-04-03",
                "document_id": other["id"],
                "entries": [entry("1910", "10.10", "0.00"), entry("3900", "0.00", "10.10")],
                "totals": {"debet": D("10.10"), "credit": D("10.10")},
            },
        ],
        "totals": {"debet": D("135.60"), "credit": D("135.60")},
    }
    assert b'"debet":10.10,"credit":0.00' in reply.raw
    JournalReport.model_validate(reply.body)


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


def test_a_document_without_entries_is_listed(books: Books) -> None:
    books.create("document/")
    document = journal(books, "2026-04-02", "2026-04-02").body["documents"][0]
    assert (document["number"], document["entries"]) == ("260402-1", [])
    assert document["totals"] == {"debet": D("0.00"), "credit": D("0.00")}


def test_an_empty_journal(books: Books, other_books: Books) -> None:
    other_books.document("2026-04-02", "1.00")
    reply = journal(books, "2026-01-01", "2026-12-31")
    assert reply.raw.endswith(b'"documents":[],"totals":{"debet":0.00,"credit":0.00}}')


def test_only_the_first_column_counts(books: Books) -> None:
    books.document("2026-04-02", "1.00")
    columns = [
        {"date_from": "2026-04-02", "date_to": "2026-04-02", "name": "April"},
        {"date_from": "2025-04-02", "date_to": "2025-04-02"},
    ]
    reply = books.send("POST", "report/journal/", {"columns": columns, "extend_accounts": True})
    assert (numbers(reply), reply.body["date_from"]) == (["260402-1"], "2026-04-02")


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
def test_a_wrong_request_is_refused(books: Books, body: dict[str, Any], field: str) -> None:
    reply = books.send("POST", "report/journal/", body)
    assert (reply.status, reply.faults) == (400, [field])


def test_totals_may_exceed_what_one_account_can_hold(books: Books) -> None:
    largest = "92233720368547758.07"
    books.document("2026-04-02", largest)
    books.create("document/", {"blueprint": books.simple(largest, "1900", "3990")})
    assert b'"totals":{"debet":184467440737095516.14,"credit":184467440737095516.14}}' in (
        journal(books, "2026-04-02", "2026-04-02").raw
    )
