"""Balance sheet, income statement and changes in equity over HTTP, on SQLite and on PostgreSQL."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import delete, update

from acctcli.models.report import AccountingReport
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.schema.books import period
from tests.replies import check_reply
from tests.service.actor import World
from tests.service.routes.books import Books
from tests.service.routes.reports import ask, at, names, read, span, values
from tests.sql import execute

D = Decimal
YEAR = span("2026-01-01", "2026-12-31")
STATEMENTS = ("income-statement", "income-statement-short", "balance-sheet", "balance-sheet-short", "equity-changes")


def column_of(report: str) -> dict[str, str]:
    return at("2026-12-31") if report.startswith("balance-sheet") else YEAR


@pytest.fixture
def year(books: Books) -> Books:
    """A company with two years: E1, E5 and E7 of docs/interface.md 5.5 in this one, sale and shares in the last."""
    books.keep_books(2025)
    books.document("2025-06-15", "40.00")
    books.create("document/", {"date": "2025-07-01", "blueprint": books.simple("2500.00", "1910", "2000")})
    books.create(
        "document/", {"date": "2026-02-10", "blueprint": books.sales("1910", [books.row("3000", "125.50", 1, "25.5")])}
    )
    rows = [books.row("4000", "62.75", 2, "25.5"), books.row("7800", "10.00", 2, "13.5"), books.row("8500", "5.00")]
    books.create("document/", {"date": "2026-03-31", "blueprint": books.purchase("1910", rows)})
    books.create(
        "document/", {"date": "2026-04-01", "blueprint": books.sales("1700", [books.row("3380", "500.00", 6)])}
    )
    return books


def test_the_balance_sheet_is_shown_whole(year: Books) -> None:
    reply = ask(year, "balance-sheet", at("2026-12-31"))
    plain = {"is_sum_row": False, "accounts": []}

    def row(name: str, level: int, value: str, **more: Any) -> dict[str, Any]:
        return {"name": name, "level": level, "values": [D(value)], **plain, **more}

    assert reply.body == {
        "report_type": "balance_sheet",
        "date_from": None,
        "date_to": "2026-12-31",
        "labels": ["2026-12-31"],
        "rows": [
            row("Assets", 0, "0.00"),
            row("Fixed assets", 1, "0.00"),
            row("Other assets", 1, "0.00"),
            row("Trade receivables", 1, "500.00"),
            row("Accrued receivables", 1, "0.00"),
            row("VAT receivables", 1, "13.94"),
            row("Cash and bank", 1, "2587.75"),
            row("Total assets", 0, "3101.69", is_sum_row=True),
            row("Equity and liabilities", 0, "0.00"),
            row("Equity", 1, "2500.00"),
            row("Profit of previous periods", 1, "40.00"),
            row("Profit of the period", 1, "536.19"),
            row("Loans", 1, "0.00"),
            row("Trade payables", 1, "0.00"),
            row("Accrued liabilities", 1, "0.00"),
            row("VAT liability", 1, "25.50"),
            row("Other liabilities", 1, "0.00"),
            row("Total equity and liabilities", 0, "3101.69", is_sum_row=True),
        ],
    }
    assert b'"values":[2587.75],"accounts":[]' in reply.raw
    check_reply(AccountingReport, reply.body)


def test_the_income_statement_is_shown_whole(year: Books) -> None:
    report = read(year, "income-statement", YEAR, span("2025-01-01", "2025-12-31", "last year"), extend_accounts=True)

    def row(name: str, *amounts: str, accounts: Any = (), is_sum_row: bool = False) -> dict[str, Any]:
        return {
            "name": name,
            "level": 0,
            "is_sum_row": is_sum_row,
            "values": [D(amount) for amount in amounts],
            "accounts": [
                {"number": number, "name": year.account(number)["name"], "values": [D(one), D(other)]}
                for number, one, other in accounts
            ],
        }

    sales = [("3000", "100.00", "0.00"), ("3380", "500.00", "0.00")]
    costs = [("4000", "-50.00", "0.00"), ("7800", "-8.81", "0.00"), ("8500", "-5.00", "0.00")]
    assert report == {
        "report_type": "income_statement",
        "date_from": "2026-01-01",
        "date_to": "2026-12-31",
        "labels": ["2026-01-01 - 2026-12-31", "last year"],
        "rows": [
            row("Revenue", "600.00", "0.00", accounts=sales),
            row("Other income", "0.00", "40.00", accounts=[("3900", "0.00", "40.00")]),
            row("Expenses", "-63.81", "0.00", accounts=costs),
            row("Depreciation", "0.00", "0.00"),
            row("Operating result", "536.19", "40.00", is_sum_row=True),
            row("Taxes", "0.00", "0.00"),
            row("Result of the period", "536.19", "40.00", is_sum_row=True),
        ],
    }
    check_reply(AccountingReport, report)


def test_short_forms(year: Books) -> None:
    income = read(year, "income-statement-short", YEAR)
    assert (income["report_type"], names(income)) == ("income_statement_short", ["Revenue", "Expenses", "Result*"])
    assert values(income) == {"Revenue": D("600.00"), "Expenses": D("-63.81"), "Result": D("536.19")}
    sheet = read(year, "balance-sheet-short", at("2026-12-31"), extend_accounts=True)
    assert sheet["report_type"] == "balance_sheet_short"
    assert names(sheet) == [
        "Assets",
        "Total assets*",
        "Equity and liabilities",
        "  Equity",
        "  Liabilities",
        "Total equity and liabilities*",
    ]
    assert values(sheet) == {
        "Total assets": D("3101.69"),
        "Equity": D("3076.19"),
        "Liabilities": D("25.50"),
        "Total equity and liabilities": D("3101.69"),
    }
    assert [account["number"] for account in sheet["rows"][1]["accounts"]] == ["1700", "1763", "1910"]


def test_changes_in_equity_are_shown_whole(year: Books) -> None:
    year.create("document/", {"date": "2026-05-05", "blueprint": year.simple("10.00", "1910", "2251")})
    report = read(year, "equity-changes", YEAR)
    capital, previous = (f"{number} {year.account(number)['name']}" for number in ("2000", "2251"))
    head = {"report_type": "equity_changes", "date_from": "2026-01-01", "date_to": "2026-12-31"}
    assert {name: report[name] for name in head} == head
    assert report["labels"] == ["2026-01-01 - 2026-12-31"]
    component = ["  Opening", "  Change", "  Closing*"]
    assert names(report) == [
        capital,
        *component,
        previous,
        *component,
        "Result of the period",
        "Total equity*",
    ]
    assert [str(row["values"][0]) for row in report["rows"]] == [
        "2500.00", "2500.00", "0.00", "2500.00",
        "50.00", "40.00", "10.00", "50.00",
        "536.19",
        "3086.19",
    ]  # fmt: skip
    check_reply(AccountingReport, report)


def test_equity_to_a_day_begins_with_its_accounting_period(year: Books) -> None:
    day, until_then = (
        read(year, "equity-changes", column) for column in (at("2026-03-31"), span("2026-01-01", "2026-03-31"))
    )
    assert (day["labels"], until_then["labels"]) == (["2026-03-31"], ["2026-01-01 - 2026-03-31"])
    assert day | {"labels": []} == until_then | {"labels": []}
    both = read(year, "equity-changes", at("2026-03-31"), YEAR)
    assert [row["values"][0] for row in both["rows"]] == [row["values"][0] for row in day["rows"]]


def test_a_column_is_called_as_it_is_named_else_by_its_days(year: Books) -> None:
    given = ("", None, "now")
    for report, column, days in (
        ("income-statement", YEAR, "2026-01-01 - 2026-12-31"),
        ("equity-changes", YEAR, "2026-01-01 - 2026-12-31"),
        ("balance-sheet", at("2026-12-31"), "2026-12-31"),
    ):
        reply = year.act(f"report/{report}/", {"columns": [{**column, "name": name} for name in given]})
        assert (report, reply["labels"]) == (report, [days, days, "now"])


def test_several_columns_each_stand_for_themselves(year: Books) -> None:
    days = ("2025-06-14", "2025-12-31", "2026-03-30", "2026-03-31")
    sheet = read(year, "balance-sheet", *map(at, days))
    assert (sheet["labels"], sheet["date_to"]) == (list(days), "2026-03-31")
    for place, day in enumerate(days):
        assert values(sheet, place) == values(read(year, "balance-sheet", at(day)))
    assert [str(row["values"]) for row in sheet["rows"] if row["name"] == "Profit of previous periods"] == [
        str([D("0.00"), D("0.00"), D("40.00"), D("40.00")])
    ]


@pytest.mark.parametrize("report", STATEMENTS)
def test_two_columns_may_be_compared(year: Books, report: str) -> None:
    last = at("2025-12-31") if report.startswith("balance-sheet") else span("2025-01-01", "2025-12-31")
    options = {"append_comparison_columns": True, "extend_accounts": True}
    compared = read(year, report, column_of(report), last, **options)
    assert compared["labels"][2:] == ["change", "change %"]
    for row in compared["rows"]:
        for one in (row, *row["accounts"]):
            now, then, change, percent = one["values"]
            assert change == now - then
            assert percent == (round(100 * (now - then) / abs(then), 2) if then else 0)
    for columns in ([column_of(report)], [column_of(report)] * 3):
        assert len(read(year, report, *columns, **options)["labels"]) == len(columns)


@pytest.mark.parametrize("report", STATEMENTS)
def test_nothing_posted_is_a_report_of_zeros(books: Books, other_books: Books, report: str) -> None:
    other_books.document("2026-04-02", "1.00")
    books.document("2026-04-02", "1.00", is_draft=True)
    assert values(read(books, report, column_of(report), extend_accounts=True)) == {}


@pytest.mark.parametrize("report", STATEMENTS)
def test_the_longest_range_there_is(year: Books, report: str) -> None:
    column = at("9999-12-31") if report.startswith("balance-sheet") else span("0001-01-01", "9999-12-31")
    amounts = values(read(year, report, column))
    expected = {
        "income-statement": ("Result of the period", "576.19"),
        "income-statement-short": ("Result", "576.19"),
        "balance-sheet": ("Profit of previous periods", "576.19"),
        "balance-sheet-short": ("Equity", "3076.19"),
        "equity-changes": ("Total equity", "3076.19"),
    }
    name, amount = expected[report]
    assert str(amounts[name]) == amount


@pytest.mark.parametrize("report", STATEMENTS)
def test_only_documents_with_a_tag(year: Books, other_books: Books, report: str) -> None:
    project, campaign, unused = (year.tag(name) for name in ("Project", "Campaign", "Unused"))
    year.change(f"account/{year.ids['1910']}/", opening_balance=D("77.00"))
    year.document("2026-05-01", "3.00", tag_ids=[project, campaign])
    year.document("2025-05-01", "0.30", tag_ids=[campaign])
    found = {
        tags: values(read(year, report, column_of(report), tag_ids=list(tags)))
        for tags in ((project,), (campaign,), (project, campaign, project), (unused,))
    }
    assert found[unused,] == {}
    assert found[project, campaign, project] == found[campaign,]
    if report == "balance-sheet":
        assert {name: str(amount) for name, amount in found[campaign,].items()} == {
            "Cash and bank": "3.30",
            "Total assets": "3.30",
            "Profit of previous periods": "0.30",
            "Profit of the period": "3.00",
            "Total equity and liabilities": "3.30",
        }
    foreign = other_books.tag("Theirs")
    for tag_id in (foreign, 10**15):
        reply = ask(year, report, column_of(report), tag_ids=[project, tag_id])
        assert (reply.status, reply.faults) == (400, ["tag_ids"])


def test_opening_balances_count_from_before_any_date(books: Books) -> None:
    books.change(f"account/{books.ids['1910']}/", opening_balance=D("1000.00"))
    books.change(f"account/{books.ids['2000']}/", opening_balance=D("250.00"))
    for day in ("0001-01-01", "2026-12-31"):
        assert values(read(books, "balance-sheet", at(day))) == {
            "Cash and bank": D("1000.00"),
            "Total assets": D("1000.00"),
            "Equity": D("250.00"),
            "Opening balance difference": D("750.00"),
            "Total equity and liabilities": D("1000.00"),
        }
    books.change(f"account/{books.ids['2620']}/", opening_balance=D("750.00"))
    report = read(books, "balance-sheet-short", at("2026-12-31"))
    assert "Opening balance difference" not in [row["name"] for row in report["rows"]]
    equity = read(books, "equity-changes", span("0001-01-01", "2026-12-31"))
    assert [row["values"] for row in equity["rows"][:4]] == [[D("250.00")], [D("250.00")], [D("0.00")], [D("250.00")]]


def test_a_year_without_a_successor_takes_no_more(books: Books) -> None:
    (year,) = books.get("period/").body["results"]
    books.change(f"period/{year['id']}/", start_date="2025-07-01", end_date="2026-06-30")
    books.document("2026-06-30", "1000.00")
    late = {"date": "2027-06-30", "blueprint": books.simple("300.00")}
    assert books.send("POST", "document/", late).error == (412, "precondition_failed")
    shown = values(read(books, "balance-sheet", at("2027-06-30")))
    assert (shown["Profit of previous periods"], shown["Total assets"]) == (D("1000.00"), D("1000.00"))
    books.create("period/")
    books.create("document/", late)
    shown = values(read(books, "balance-sheet", at("2027-06-30")))
    assert (shown["Profit of previous periods"], shown["Profit of the period"]) == (D("1000.00"), D("300.00"))


@pytest.mark.everywhere
def test_results_go_with_their_accounting_periods(books: Books, shared: World) -> None:
    books.keep_books(2024, 2027)
    for day in ("2024-12-31", "2025-06-30", "2025-07-01", "2026-06-30", "2026-07-01", "2027-01-01"):
        books.document(day, "1.00")

    def forget(conn: Connection) -> None:
        """Leave documents outside of every period, as books have them from the time when that could be."""
        mine = period.c.business_id == books.business_id
        execute(conn, delete(period).where(mine, period.c.start_date != date(2026, 1, 1)))
        execute(conn, update(period).where(mine).values(start_date=date(2025, 7, 1), end_date=date(2026, 7, 1)))

    shared.database.write(forget)

    def profits(day: str) -> tuple[int, int]:
        found = values(read(books, "balance-sheet", at(day)))
        assert found["Total assets"] == found["Total equity and liabilities"]
        return int(found.get("Profit of previous periods", 0)), int(found.get("Profit of the period", 0))

    assert profits("2024-12-31") == (0, 1)  # no period: the calendar year
    assert profits("2025-06-30") == (1, 1)
    assert profits("2025-07-01") == (2, 1)
    assert profits("2026-07-01") == (2, 3)
    assert profits("2026-12-31") == (5, 0)  # the calendar year, from where the period ended
    assert profits("2027-12-31") == (5, 1)


@pytest.mark.together
@pytest.mark.parametrize(
    ("report", "body", "field"),
    [
        ("balance-sheet", {}, "columns"),
        ("balance-sheet", {"columns": []}, "columns"),
        ("balance-sheet", {"columns": [YEAR]}, "columns"),
        ("balance-sheet", {"columns": [at("2026-02-30")]}, "columns"),
        ("balance-sheet-short", {"columns": [at("2026-12-31")] * 121}, "columns"),
        ("income-statement", {"columns": [at("2026-12-31")]}, "columns"),
        ("income-statement-short", {"columns": [span("2026-12-31", "2026-01-01")]}, "columns"),
        ("income-statement", {"columns": [YEAR], "tag_ids": ["x"]}, "tag_ids"),
        ("income-statement", {"columns": [YEAR], "tag_ids": [1] * 1001}, "tag_ids"),
        ("equity-changes", {"columns": [{}]}, "columns"),
        ("equity-changes", {"columns": [{"date_from": "2026-01-01"}]}, "columns"),
        ("equity-changes", {"columns": [YEAR | at("2026-12-31")]}, "columns"),
        ("equity-changes", {"columns": [span("2026-12-31", "2026-01-01")]}, "columns"),
    ],
)
def test_a_wrong_request_is_refused(books: Books, report: str, body: dict[str, Any], field: str) -> None:
    reply = books.send("POST", f"report/{report}/", body)
    assert (reply.status, reply.faults) == (400, [field])
