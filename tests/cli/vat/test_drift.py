"""What came after a filing is named: posted, changed and deleted documents, and no others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.check.company import found_company
from tests.journeys.places import Place, fresh

EDGES = ("2026-02-28", "2026-03-01", "2026-03-31", "2026-04-01")
SALE = ("--debit", "1910", "--credit", "3000:125.50@1")


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A company whose VAT of March was filed, and opened again."""
    place = found_company(tmp_path / "books")
    (period,) = place.json("vat", "period", "list")
    place.run("vat", "period", "reopen", str(period["id"]), "--reason", "a late bill", "--yes")
    return place


def test_what_was_filed_has_no_drift(place: Place) -> None:
    assert place.json("vat", "drift") == []
    assert "no VAT period" in place.run("vat", "drift", "2025").err


def test_a_late_entry_is_named(place: Place) -> None:
    late = place.json("document", "create", "--date", "2026-03-31", *SALE)
    place.run("document", "create", "--date", "2026-03-31", "--debit", "1910", "--credit", "3900:10", "--json")
    place.run("document", "create", "--date", "2026-04-30", *SALE, "--json")
    sold = place.json("document", "list", "--from", "2026-03-01", "--to", "2026-03-31", "--all")
    taken = next(one for one in sold if any(row["vat_code"] == 2 for row in one["entry_ui_rows"]))
    place.run("document", "delete", str(taken["id"]), "--yes")
    place.run("document", "update", str(sold[0]["id"]), "--description", "other words", "--json")
    posted, deleted = place.json("vat", "drift", "2026-03")
    assert (posted["document"], posted["done"]) == (late["number"], "posted")
    assert (posted["date"], posted["vat_codes"], posted["period"]) == ("2026-03-31", "1", "2026-03-01 - 2026-03-31")
    assert (deleted["document"], deleted["done"]) == (taken["number"], "deleted")
    assert "2" in deleted["vat_codes"]
    assert "report the period again" in place.run("vat", "drift").err


def test_a_line_of_a_statement_that_waits_hides_nothing(place: Place, tmp_path: Path) -> None:
    legs = {"debet_account_id": 9, "credit_entries": [{"account_id": None, "amount": 125.50}], "expense_entries": None}
    draft = tmp_path / "draft.json"
    draft.write_text(json.dumps({"date": "2026-03-30", "is_draft": True, "blueprint": legs}), "utf-8")
    place.json("document", "create", "--file", str(draft))
    late = place.json("document", "create", "--date", "2026-03-31", *SALE)
    assert [one["document"] for one in place.json("vat", "drift")] == [late["number"]]


def test_where_vat_follows_payments_they_and_what_is_related_to_them_are_named(tmp_path: Path) -> None:
    place = fresh("paid", tmp_path)
    for line in (
        "business create --name Paid --form FI_OY --slug paid --business-id 0112038-9",
        "business use paid",
        "business update paid --set vat_reporting_method=FI_CASH_BASIS",
        "vat period delete 1 --yes",
        "vat period create --start 2026-03-01 --period month",
        "document create --date 2026-02-15 --debit 1700 --credit 3000:1255@1/25.5",
        "document create --date 2026-02-16 --debit 1700 --credit 3000:1140@1/13.5",
        "document create --date 2026-03-03 --debit 1910 --credit 3000:125.50@1/25.5",
        "vat period report 2 --yes",
        "vat period reopen 2 --reason missing --yes",
    ):
        place.run(*line.split())
    payment = place.json("document", "create", "--date", "2026-03-20", "--debit", "1910", "--credit", "1700:1255")
    late = place.json("document", "create", "--date", "2026-04-20", "--debit", "1910", "--credit", "1700:5")
    relate = ("document", "relation", "create")
    first = place.json(*relate, str(payment["id"]), "--related", "1", "--role", "settlement")
    place.run(*relate, str(late["id"]), "--related", "2", "--role", "settlement")
    (found,) = place.json("vat", "drift", "2026-03")
    assert (found["document"], found["done"], found["vat_codes"]) == (payment["number"], "posted", "")
    for line in ("vat period report 2 --yes", "vat period reopen 2 --reason wrong --yes"):
        place.run(*line.split())
    (again,) = place.json("vat", "drift", "2026-03")
    assert again["done"] == "reported again: 280.50, was 25.50"
    place.run("document", "relation", "delete", str(payment["id"]), str(first["id"]), "--yes")
    place.run(*relate, str(payment["id"]), "--related", "2", "--role", "settlement")
    gone, made, _ = place.json("vat", "drift", "2026-03")
    assert (gone["done"], gone["date"], made["done"], made["document"]) == (
        "unrelated", "2026-02-15", "related", payment["number"],
    )  # fmt: skip


def test_what_was_related_after_a_filing_counts_to_the_last_day(tmp_path: Path) -> None:
    place = fresh("edges", tmp_path)
    for line in (
        "business create --name Paid --form FI_OY --slug paid --business-id 0112038-9",
        "business use paid",
        "business update paid --set vat_reporting_method=FI_CASH_BASIS",
        "vat period delete 1 --yes",
        "vat period create --start 2026-03-01 --period month",
        "document create --date 2026-02-15 --debit 1700 --credit 3000:1255@1/25.5",
        *(f"document create --date {day} --debit 1910 --credit 1700:10" for day in EDGES),
        "vat period report 2 --yes",
        "vat period reopen 2 --reason late --yes",
        *(f"document relation create {one} --related 1 --role settlement" for one in range(2, 2 + len(EDGES))),
    ):
        place.run(*line.split())
    found = place.json("vat", "drift", "2026-03")
    assert [(one["date"], one["done"]) for one in found] == [(day, "related") for day in EDGES[:3]]


def test_what_was_related_after_a_filing_counts_for_the_days_after_it_too(tmp_path: Path) -> None:
    """Which claim an earlier payment is of decides what later money, which nobody related, pays."""
    place = fresh("before", tmp_path)
    for line in (
        "business create --name Paid --form FI_OY --slug paid --business-id 0112038-9",
        "business use paid",
        "business update paid --set vat_reporting_method=FI_CASH_BASIS",
        "vat period delete 1 --yes",
        "vat period create --start 2026-03-01 --period month",
        "document create --date 2026-02-15 --debit 1700 --credit 3000:100@1/25.5",
        "document create --date 2026-02-16 --debit 1700 --credit 3000:100@1/13.5",
        "document create --date 2026-02-20 --debit 1910 --credit 1700:100",
        "document create --date 2026-03-20 --debit 1910 --credit 1700:100",
        "vat period report 2 --yes",
        "vat period reopen 2 --reason late --yes",
        "document relation create 3 --related 2 --role settlement",
    ):
        place.run(*line.split())
    (named,) = place.json("vat", "drift", "2026-03")
    assert (named["date"], named["done"]) == ("2026-02-20", "related")
    place.run("vat", "period", "report", "2", "--yes")
    (again,) = place.json("vat", "drift", "2026-03")
    # the money of March paid the first sale after all: 25.5 % in 100, and was 13.5
    assert again["done"] == "reported again: 20.32, was 11.89"


def test_whose_payment_it_is_and_claims_of_earlier_days_are_named_where_vat_follows_payments(tmp_path: Path) -> None:
    place = fresh("paid", tmp_path)
    for line in (
        "business create --name Paid --form FI_TMI --slug paid --business-id 0112038-9",
        "business use paid",
        "business update paid --set vat_reporting_method=FI_CASH_BASIS",
        "contact create --name One",
        "contact create --name Two",
        "vat period delete 1 --yes",
        "vat period create --start 2026-01-01 --period month",
        "vat period create --start 2026-02-01 --period month",
        "document create --date 2026-01-10 --contact 1 --debit 1700 --credit 3000:125.50@1/25.5",
        "document create --date 2026-01-11 --contact 2 --debit 1700 --credit 3100:113.50@1/13.5",
        "document create --date 2026-02-10 --contact 1 --debit 1910 --credit 1700:100",
        "document create --date 2026-02-11 --contact 1 --debit 1910 --credit 3000:10@1/25.5",
        "vat period report 2 --yes",
        "vat period report 3 --yes",
        "vat period reopen 3 --reason wrong --yes",
        "document update 4 --contact 2",
        "document update 3 --description paid",
    ):
        place.run(*line.split())
    assert place.json("vat", "drift") == []
    place.run("document", "update", "3", "--contact", "2")
    (named,) = place.json("vat", "drift")
    assert (named["date"], named["done"], named["period"]) == ("2026-02-10", "changed", "2026-02-01 - 2026-02-28")
    place.run("document", "update", "3", "--contact", "1")
    place.run("vat", "period", "reopen", "2", "--reason", "wrong", "--yes")
    place.run("document", "update", "1", "--debit", "1700", "--credit", "3000:125.50@1/13.5")
    found = place.json("vat", "drift")
    assert {(one["period"][:7], one["date"], one["done"]) for one in found} == {
        ("2026-01", "2026-01-10", "changed"), ("2026-02", "2026-01-10", "changed"),
    }  # fmt: skip


@pytest.fixture
def trader(tmp_path: Path) -> Place:
    """A trader whose sale on account of January was filed, and the period opened again."""
    place = fresh("trader", tmp_path)
    for line in (
        "business create --name Trader --form FI_TMI --slug k --business-id 0112038-9",
        "business use k",
        "vat period delete 1 --yes",
        "vat period create --start 2026-01-01 --period month",
        "account create --number 3005 --name Sales --type REV_SAL",
        "document create --date 2026-01-10 --debit 1700 --credit 3005:100@1/25.5",
        "document create --date 2026-01-11 --debit 4000:50@2/25.5 --credit 1910",
        "vat period report 2 --yes",
        "vat period reopen 2 --reason late --yes",
    ):
        place.run(*line.split())
    return place


def test_another_way_to_report_vat_is_named(trader: Place) -> None:
    assert trader.json("vat", "drift") == []
    trader.run("business", "update", "k", "--set", "invoicing_city=Espoo")
    trader.run("business", "update", "k", "--set", "vat_reporting_method=FI_CASH_BASIS")
    trader.run("business", "update", "k", "--set", "invoicing_city=Oulu")
    (changed,) = trader.json("vat", "drift")
    assert (changed["document"], changed["done"]) == (
        "business", "vat_reporting_method: FI_CASH_BASIS, was DEFAULT",
    )  # fmt: skip
    records = trader.json("audit", "list", "--type", "business.updated")
    assert changed["at"] == records[1]["created_at"]
    assert "report the period again" in trader.run("vat", "drift").err


def test_what_was_filed_first_is_told_after_it_was_reported_again(trader: Place) -> None:
    trader.run("business", "update", "k", "--set", "vat_reporting_method=FI_CASH_BASIS")
    trader.run("vat", "period", "report", "2", "--yes")
    (again,) = trader.json("vat", "drift")
    # 100 with 25.5 % of VAT in it, less 50 of the same; the sale is not paid
    assert (again["document"], again["done"]) == ("VAT return", "reported again: -10.16, was 10.16")
    assert "--corrects" in trader.run("vat", "drift").err


def test_a_return_of_the_same_tax_and_other_figures_was_reported_again(trader: Place) -> None:
    for line in (
        "document create --date 2026-01-12 --debit 1910 --credit 3005:50@1/25.5",
        "document create --date 2026-01-12 --debit 4000:50@2/25.5 --credit 1910",
        "vat period report 2 --yes",
    ):
        trader.run(*line.split())
    (again,) = trader.json("vat", "drift")
    assert again["done"] == "reported again: 10.16 of other figures"
    for line in ("vat period reopen 2 --reason none --yes", "vat period report 2 --yes"):
        trader.run(*line.split())
    assert trader.json("vat", "drift") == [again]


def test_the_type_of_an_account_that_a_return_reads_is_named(trader: Place) -> None:
    ids = {one["number"]: str(one["id"]) for one in trader.json("account", "list", "--all")}
    for number, field, value in (
        ("3005", "description", "Other sales"),
        ("3005", "type", "REV"),
        ("4000", "description", "Goods"),
        ("4000", "type", "REV"),
        ("1910", "type", "ASS"),
        ("3000", "type", "EXP"),
    ):
        trader.run("account", "update", f"id:{ids[number]}", "--set", f"{field}={value}")
    found = [(one["document"], one["done"]) for one in trader.json("vat", "drift")]
    # of money and of accounts without entries in these days the return reads nothing
    assert sorted(found) == [("account 3005", "type: REV, was REV_SAL"), ("account 4000", "type: REV, was EXP")]
