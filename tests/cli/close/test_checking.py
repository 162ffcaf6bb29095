"""`close check`: a month that is as it should be, each thing that can be open, and nothing of other months."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from acctcli.cli.session.state import State
from tests.banking.statements import generator as made
from tests.cli.close.company import MARCH, ROW, SALE, found_company
from tests.journeys.places import Place, fresh

PARTS = (
    "lists", "period", "bank", "receivables", "payables", "VAT", "VAT drift", "drafts", "receipts", "clearing",
    "suspense", "accruals", "depreciation", "next period",
)  # fmt: skip
CASH = ("bank", "note", "account 1900")
UNREPORTED = ("VAT", "open", "VAT period 2026-03-01 - 2026-03-31")


@pytest.fixture(scope="module")
def company(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return found_company(tmp_path_factory.mktemp("close") / "books").folder


@pytest.fixture
def place(company: Path, tmp_path: Path) -> Place:
    """A copy of the company."""
    shutil.copytree(company, tmp_path / "books")
    return fresh("close", tmp_path / "books")


def check(place: Place, *argv: str, period: str = "2026-03") -> tuple[int, list[dict[str, Any]]]:
    done = place.try_run("close", "check", *argv, "--period", period, "--json")
    assert done.out, done.err
    return done.code, json.loads(done.out)


def found(place: Place, *argv: str, period: str = "2026-03") -> list[tuple[str, str, str]]:
    """Return what is open or noted, and check that the exit code and the other parts go by that."""
    code, rows = check(place, *argv, period=period)
    told = [(row["part"], row["status"], row["record"]) for row in rows if row["problem"]]
    assert code == (10 if any(status == "open" for _, status, _ in told) else 0)
    assert all(row["remedy"] for row in rows if row["problem"])
    assert [row["part"] for row in rows if row["status"] == "done"] == [
        part for part in PARTS if part not in {part for part, *_ in told}
    ]
    return told


def problem(place: Place, part: str, *argv: str) -> list[str]:
    return [row["problem"] for row in check(place, *argv)[1] if row["part"] == part and row["problem"]]


def test_a_month_is_done_once_its_vat_is_reported(place: Place) -> None:
    assert found(place) == [CASH, UNREPORTED]
    place.run("vat", "period", "report", "2026-03", "--yes")
    assert found(place) == [CASH]
    assert "2026-03-01 - 2026-03-31: nothing is open" in place.run("close", "check", "--period", "2026-03").err


def test_each_thing_that_is_open_is_named_once_and_other_months_are_left_alone(place: Place) -> None:
    for line in (
        "document create --date 2026-03-12 --debit 1910:1 --credit 3900",  # no line, and no receipt
        "document create --date 2026-03-13 --debit 1900 --credit 3900:5 --draft",
        "document create --date 2026-04-13 --debit 1900 --credit 3900:5 --draft",
        f"invoice create --to id:1 --date 2026-03-14 --days 14 --row {ROW}",
        f"invoice create --to id:1 --date 2026-04-14 --days 14 --row {ROW}",
        "document create --date 2026-03-15 --debit 1700:7 --credit 2990",
        "document create --date 2026-03-16 --debit 2871:8 --credit 2991",
        "document create --date 2026-03-17 --debit 1900:9 --credit 1700",  # needs no receipt
        "purchase create --sender Tukku --number 78 --amount 20 --date 2026-03-18 --due 2026-04-18",
        "purchase create --sender Tukku --number 79 --amount 20 --date 2026-04-18 --due 2026-05-18",
        "account update 2000 --set opening_balance=10",
        "vat period delete 2026-04 --yes",
    ):
        place.run(*line.split())
    assert found(place) == [
        CASH,
        ("bank", "open", "account 1910"),
        ("bank", "open", "document 260312-1"),
        ("receivables", "open", "account 1700"),
        ("payables", "open", "account 2871"),
        ("payables", "open", "purchase invoice 2"),
        UNREPORTED,
        ("drafts", "open", "draft 6"),
        ("drafts", "open", "draft invoice 2"),
        ("receipts", "open", "document 260316-1"),
        ("receipts", "open", "document 260315-1"),
        ("receipts", "open", "document 260312-1"),
        ("clearing", "open", "account 2990"),
        ("suspense", "open", "account 2991"),
        ("suspense", "open", "opening balances"),
        ("next period", "open", "VAT period"),
    ]
    assert problem(place, "receivables") == ["on 2026-03-31 it holds 123.50, the open invoices come to 125.50"]
    assert problem(place, "payables") == [
        "on 2026-03-31 it holds 42.00, the open purchase invoices come to 50.00",
        "Tukku 78 is open, and not in the books",
    ]


def test_an_account_with_imported_lines_is_open_without_statements_and_proved_by_those_named(place: Place) -> None:
    (statement,) = [one["id"] for one in place.json("file", "list", "--all") if one["name"].startswith("bank ")]
    place.run("file", "delete", str(statement), "--yes")
    assert found(place)[1] == ("bank", "open", "account 1910")
    assert "without its statements nobody can say" in problem(place, "bank")[1]
    assert found(place, "march.xml") == [CASH, UNREPORTED]
    other = replace(MARCH, moves=[replace(SALE, cents=12_551)])
    (place.folder / "other.xml").write_bytes(made.camt([other]))
    assert "at the end of 2026-03-31 the bank holds 125.51, and the books 125.50: 0.01" in problem(
        place, "bank", "other.xml"
    )


def test_what_is_very_late_is_noted(place: Place) -> None:
    place.run("vat", "period", "create", "--start", "2026-05-01", "--period", "quarter")
    assert problem(place, "receivables") == problem(place, "payables") == []
    code, rows = check(place, period="2026-Q3")
    assert code == 10
    assert [
        (row["part"], row["status"], row["problem"]) for row in rows if row["part"] in {"receivables", "payables"}
    ] == [
        ("receivables", "note", "125.50 has been due for more than 90 days: what is lost of it is lost in this period"),
        ("payables", "note", "50.00 has been due for more than 90 days"),
    ]


def test_a_period_that_is_not_over_or_in_no_accounting_period_is_open(place: Place) -> None:
    ahead = str(date.today().year + 1)
    assert [one for one in found(place, period=ahead) if one[0] in {"period", "next period"}] == [
        ("period", "open", "all"),
        ("period", "open", "accounting period"),
        ("next period", "open", "accounting period"),
        ("next period", "open", "VAT period"),
    ]


def test_what_came_after_a_filing_is_open(place: Place) -> None:
    for line in (
        "vat period report 2026-03 --yes",
        "vat period reopen 2026-03 --reason late --yes",
        "document create --date 2026-03-20 --debit 1900 --credit 3000:12.55@1/25.5 --set attachment_ids=[1]",
    ):
        place.run(*line.split())
    assert found(place) == [CASH, UNREPORTED, ("VAT drift", "open", "260320-1")]
    place.run("vat", "period", "report", "2026-03", "--yes")
    assert found(place) == [CASH]


def test_an_accrual_that_nothing_takes_back_is_open(place: Place) -> None:
    accrued = ("--date", "2026-03-31", "--debit", "7160:400", "--credit", "2960", "--set", "attachment_ids=[1]")
    made_one = place.json("accrual", "create", *accrued, "--reverse-on", "2026-04-01")
    assert found(place) == [CASH, UNREPORTED]
    # the accrual has the receipt
    assert [row["status"] for row in check(place, period="2026-04")[1] if row["part"] == "receipts"] == ["done"]
    ((pair, mirror),) = [
        (one["id"], one["related_document"]) for one in place.json("document", "relation", "list", str(made_one["id"]))
    ]
    place.run("document", "relation", "delete", str(made_one["id"]), str(pair), "--yes")
    assert found(place) == [CASH, UNREPORTED]  # what it moved is moved back all the same
    place.run("document", "update", str(mirror), "--credit", "7160:399.99", "--debit", "2960")
    left = ("accruals", "open", f"document {made_one['number']}")
    assert found(place) == [CASH, UNREPORTED, left]
    place.run("document", "delete", str(mirror), "--yes")
    assert found(place) == [CASH, UNREPORTED, left]
    held = "Accrued expenses has held 400.00 since before 2026-04-01: was something not taken back?"
    assert [row["problem"] for row in check(place, period="2026-04")[1] if row["part"] == "accruals"][1:] == [held]


def test_depreciation_is_open_until_it_is_posted_as_planned(place: Place) -> None:
    asset = ('[[assets]]', 'id = "van"', 'account = "1160"', 'expense = "6800"', 'price = "3600"', "start = 2026-03-01",
             'method = "straight-line"', "months = 36", 'every = "month"')  # fmt: skip
    (place.folder / "assets.toml").write_text("\n".join(asset))
    left = ("depreciation", "open", "van, 2026-03")
    assert found(place) == [CASH, UNREPORTED, left]
    place.run("depreciation", "post", "--period", "2026-03")
    assert found(place) == [CASH, UNREPORTED]
    (place.folder / "assets.toml").write_text("\n".join(asset).replace("3600", "7200"))
    assert found(place) == [CASH, UNREPORTED, left]
    assert problem(place, "depreciation") == ["it takes 100.00 off, the plan 200.00"]
    (place.folder / "assets.toml").write_text("\n".join(asset).replace('"month"', '"year"'))
    assert [status for part, status, _ in found(place) if part == "depreciation"] == ["open"]
    assert problem(place, "depreciation") == ["it is in no plan"]
    (place.folder / "assets.toml").write_text("\n".join(asset).replace("36\n", "none\n"))
    assert found(place) == [CASH, UNREPORTED, ("depreciation", "open", "assets.toml")]


def test_assets_without_a_plan_are_noted_at_the_end_of_a_year(place: Place) -> None:
    asset = ("--debit", "1160:1000@3", "--credit", "1910", "--set", "attachment_ids=[1]")
    place.run("document", "create", "--date", "2026-03-20", *asset)
    assert problem(place, "depreciation") == []
    rows = check(place, period="2026")[1]
    told = "Machinery and equipment holds 1000.00, and there is no file of assets with a plan"
    assert [row["problem"] for row in rows if row["part"] == "depreciation"] == [told]


def test_what_accounts_of_assets_hold_beside_the_plans_is_noted_at_the_end_of_a_year(place: Place) -> None:
    """Bought in books and in no plan, or sold in books and in a plan still."""
    van = ('[[assets]]', 'id = "van"', 'account = "1160"', 'expense = "6800"', 'price = "3600"', "start = 2026-03-01",
           'method = "straight-line"', "months = 36")  # fmt: skip
    (place.folder / "assets.toml").write_text("\n".join(van))
    place.run("depreciation", "post", "--period", "2026")

    def noted() -> list[tuple[str, str | None]]:
        rows = check(place, period="2026")[1]
        return [(row["status"], row["problem"]) for row in rows if row["part"] == "depreciation"]

    assert noted() == [("note", "Machinery and equipment holds -1000.00, and plans leave 2600.00 there")]
    place.run("document", "create", "--date", "2026-03-20", "--debit", "1160:3600@3", "--credit", "1910")
    assert noted() == [("done", None)]


def test_junit_has_a_case_for_each_part(place: Place) -> None:
    done = place.try_run("close", "check", "--period", "2026-03", "--output", "junit")
    suite = ET.fromstring(done.out)
    assert suite.get("name") == "acctcli close check close"
    assert [case.get("classname") for case in suite] == list(PARTS)
    assert [case.get("classname") for case in suite if case.find("failure") is not None] == ["VAT"]
    assert done.code == 10


@pytest.mark.together
@pytest.mark.parametrize("period", ["2026-13", "march", "2026-03-01"])
def test_what_is_no_period_is_refused(place: Place, period: str) -> None:
    done = place.try_run("close", "check", "--period", period)
    assert (done.code, done.out) == (2, "")
    assert f"--period '{period}': not a period; write a year 2026, a quarter 2026-Q1 or a month 2026-03" in done.err


@pytest.mark.together
@pytest.mark.parametrize(
    ("year", "lacks"),
    [
        ("9999", "9999-01-01 - 9999-12-31: the calendar has no day after"),
        ("0001", "0001-01-01 - 0001-12-31: the calendar has no day before"),
    ],
)
def test_a_period_at_an_end_of_the_calendar_is_refused(place: Place, year: str, lacks: str) -> None:
    done = place.try_run("close", "check", "--period", year)
    assert (done.code, done.out, done.err) == (2, "", f"error: {lacks}\n")


def test_an_account_without_files_is_refused(place: Place) -> None:
    done = place.try_run("close", "check", "--period", "2026-03", "--account", "1910")
    assert (done.code, done.out) == (2, "")
    assert "--account says of which account statements are: name their files" in done.err


def test_what_another_service_has_no_operation_for_is_left_out(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(State, "is_local_service", property(lambda here: False))
    rows = check(place)[1]
    assert [row["part"] for row in rows if row["status"] == "left out"] == ["VAT drift"]
    suite = ET.fromstring(place.try_run("close", "check", "--period", "2026-03", "--output", "junit").out)
    assert [case.get("classname") for case in suite if case.find("skipped") is not None] == ["VAT drift"]


def test_what_is_between_own_accounts_at_the_end_is_open_unless_it_came_soon(place: Place) -> None:
    place.run("account", "create", "--number", "1990", "--type", "ASS_PAY", "--name", "Rahaa matkalla")
    made_of = ("document", "create", "--description", "Transfer bank-aaaaaaaaaaaa")
    place.run(*made_of, "--date", "2026-03-31", "--debit", "1990:50", "--credit", "1900:50")
    before = [("clearing", "open", "account 1990")]
    assert [one for one in found(place) if one[2] == "account 1990"] == before
    assert problem(place, "clearing") == ["Rahaa matkalla holds 50.00 on 2026-03-31: it did not come within 5 days"]
    place.run(*made_of, "--date", "2026-04-02", "--debit", "1900:50", "--credit", "1990:50")
    assert [one for one in found(place) if one[2] == "account 1990"] == []
    place.run("account", "update", "1990", "--name", "Durchlaufende Posten", "--type", "ASS_REC")
    assert [one for one in found(place) if one[2] == "account 1990"] == before
