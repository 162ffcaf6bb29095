"""Every report on a month of a small company, in every place; and in a real browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from decimal import Decimal
from importlib.resources import files
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from tests.browser import open_page
from tests.cli.report.pages import read_page
from tests.journeys.conftest import found_business
from tests.journeys.places import Place, fresh

D = Decimal
MONTH = str(files("acctcli.cli").joinpath("tour_month.jsonl"))
MARCH = ("--period", "2026-03")
REPORTS = {
    "journal": MARCH,
    "ledger": MARCH,
    "trial-balance": MARCH,
    "vat": MARCH,
    "eu-vat": MARCH,
    "balance-sheet": ("--date", "2026-03-31"),
    "income-statement": MARCH,
    "equity-changes": MARCH,
}

each_report = pytest.mark.parametrize("report", REPORTS)


def post_month(place: Place) -> Place:
    place.run("document", "create", "--file", MONTH, "--account-numbers", "--quiet")
    return place


@pytest.fixture(scope="module")
def posted(house: Place, tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A business where the month is posted, for all who change nothing there."""
    return post_month(found_business(house, tmp_path_factory.mktemp("posted")))


def row(document: Any, name: str) -> list[Decimal]:
    return next(one["values"] for one in document["rows"] if one["name"] == name)


def test_the_reports_agree_with_each_other(posted: Place) -> None:
    found = {report: posted.json("report", report, *options) for report, options in REPORTS.items()}
    sheet, statement = found["balance-sheet"], found["income-statement"]
    assert row(sheet, "Total assets") == row(sheet, "Total equity and liabilities") == [D("61862.58")]
    assert row(sheet, "Profit of the period") == row(statement, "Result of the period") == [D("15704.55")]
    assert row(found["equity-changes"], "Total equity") == [D("20704.55")]
    accounts = {one["number"]: one["totals"] for one in found["ledger"]["accounts"]}
    assert row(sheet, "Cash and bank") == [accounts["1900"]["balance_csum"] + accounts["1910"]["balance_csum"]]
    assert found["journal"]["totals"] == {side: found["ledger"]["totals"][side] for side in ("debet", "credit")}
    trial = found["trial-balance"]
    assert {one["number"]: one["columns"][0]["closing"] for one in trial["accounts"]} == {
        number: totals["balance_csum"] for number, totals in accounts.items()
    }
    assert trial["totals"][0]["closing"] == 0
    natural = {one["number"]: abs(one["balance"]) for one in posted.json("account", "balances", "--date", "2026-03-31")}
    assert natural == {number: abs(totals["balance_csum"]) for number, totals in accounts.items()}
    vat = found["vat"]["summary"]
    assert vat["vat_payable"] == row(sheet, "VAT liability")[0] - row(sheet, "VAT receivables")[0]
    sold = sum(one["net_amount"] for one in found["eu-vat"]["rows"])
    assert sold == vat["eu_goods_sales"] + vat["eu_service_sales"]


@each_report
def test_every_report_is_there_in_every_format(posted: Place, report: str) -> None:
    for form in ("table", "csv", "tsv", "jsonl", "html", "pdf", "xlsx"):
        path = posted.folder / f"report.{form}"
        posted.run("report", report, *REPORTS[report], "--output", form, "--output-file", str(path))
        assert path.stat().st_size > 200


@pytest.mark.everywhere
def test_the_journal_streams_the_documents_of_its_json(posted: Place) -> None:
    whole = posted.json("report", "journal", *MARCH)
    lines = posted.run("report", "journal", *MARCH, "--output", "jsonl").lines()
    assert [json.loads(line, parse_float=Decimal) for line in lines] == whole["documents"]
    assert len(lines) == 80


def test_statements_have_columns_short_forms_accounts_and_changes(posted: Place) -> None:
    options = ("--period", "2026-Q1", "--compare", "previous-year", "--change", "--accounts", "--short")
    short = posted.json("report", "income-statement", *options)
    assert short["labels"] == ["2026-Q1", "2025-Q1", "change", "change %"]
    assert row(short, "Result") == [D("15704.55"), D("0.00"), D("15704.55"), D("0.00")]
    assert {one["number"] for one in short["rows"][0]["accounts"]} >= {"3000", "3100"}
    days = posted.json("report", "balance-sheet", "--period", "2026-02", "--period", "2026-03")
    assert row(days, "Total assets") == [D("0.00"), D("61862.58")]


def test_a_report_over_ten_years_or_on_nothing_works(posted: Place) -> None:
    years = [text for year in range(2020, 2030) for text in ("--period", str(year))]
    long = posted.json("report", "income-statement", *years)
    assert row(long, "Result of the period") == [
        D("15704.55") if year == 2026 else D("0.00") for year in range(2020, 2030)
    ]
    for report in REPORTS:
        nothing = ("--date", "2019-12-31") if report == "balance-sheet" else ("--period", "2019")
        assert "15,704.55" not in posted.run("report", report, *nothing, "--locale", "en").out


def test_only_tagged_documents_count(place: Place) -> None:
    posted = post_month(place)
    tag = str(posted.json("tag", "create", "--name", "project")["id"])
    first = posted.json("document", "list", "--limit", "1")[0]
    posted.run("document", "update", str(first["id"]), "--set", f"tag_ids=[{tag}]")
    tagged = posted.json("report", "journal", *MARCH, "--tag", tag)
    assert [one["document_id"] for one in tagged["documents"]] == [first["id"]]
    assert posted.try_run("report", "vat", *MARCH, "--tag", "999999").code == 7


# in a browser: one place is enough, the page is made by the client


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A place of its own with the month, in process."""
    place = fresh("browser", tmp_path_factory.mktemp("browser"), ACCTCLI_BUSINESS="browser")
    place.run("business", "create", "--name", "Kahvila <b>Ärjy</b> Oy", "--form", "FI_OY", "--slug", "browser")
    return post_month(place)


HEADINGS = {"Assets", "Equity and liabilities", "2000 Share capital", "2251 Profit of previous periods"}


def figures_of(report: str, body: Any) -> Iterator[Decimal]:
    """Yield the figures a page shall show, in their order, from the service's document; zeros of a side are blank."""
    match report:
        case "journal":
            for one in body["documents"]:
                yield from (value for entry in one["entries"] for value in sides(entry) if value)
            yield from sides(body["totals"])
        case "ledger":
            for one in body["accounts"]:
                yield one["opening_balance"]
                for entry in one["entries"]:
                    yield from (value for value in sides(entry) if value)
                    yield entry["balance_csum"]
                yield from (*sides(one["totals"]), one["totals"]["balance_csum"])
            yield from (*sides(body["totals"]), body["totals"]["balance_csum"])
        case "trial-balance":
            for figures in (*(one["columns"][0] for one in body["accounts"]), body["totals"][0]):
                yield from figures.values()
        case "vat":
            yield from leaves(body["summary"])
        case "eu-vat":
            yield from (one["net_amount"] for one in body["rows"])
            yield sum((one["net_amount"] for one in body["rows"]), D(0))
        case _:
            yield from (value for one in body["rows"] if one["name"] not in HEADINGS for value in one["values"])


def finnish(text: str) -> Decimal:
    """Read an amount as a person does."""
    return D(text.replace("\N{MINUS SIGN}", "-").replace("\xa0", "").replace(",", "."))


def sides(entry: Any) -> tuple[Decimal, Decimal]:
    return entry["debet"], entry["credit"]


def leaves(group: Any) -> Iterator[Decimal]:
    for value in group.values():
        yield from leaves(value) if isinstance(value, dict) else (value,)


@each_report
def test_a_browser_shows_the_figures_of_the_json_and_complains_about_nothing(
    office: Place, report: str, tmp_path: Path
) -> None:
    path = tmp_path / f"{report}.html"
    options = (*REPORTS[report], "--locale", "fi")
    office.run("report", report, *options, "--output", "html", "--output-file", str(path))
    view = open_page(path, tmp_path)
    assert view.console == []
    cells = [cell for line in read_page(view.dom) for cell in line]
    shown = [D(value) for _, value in cells if value is not None]
    assert [finnish(text) for text, value in cells if value is not None] == shown
    layout = ("--layout", "statutory") if report in {"balance-sheet", "income-statement"} else ()
    wanted = list(figures_of(report, office.json("report", report, *REPORTS[report], *layout)))
    assert shown == wanted
    assert len(wanted) > 2
    assert (tmp_path / "page.png").read_bytes().startswith(b"\x89PNG")


CASH, VAT = "43,517.92", "1,436.17"


def chart(place: Place, path: Path, *argv: str) -> list[tuple[str, str]]:
    """Return the months and figures of the one chart of a page."""
    place.run("report", *argv, "--output", "html", "--output-file", str(path))
    (svg,) = path.read_text().split("<svg ")[1:]
    return re.findall(r"<title>([\d-]+): (.*?)</title>", svg)


def test_the_chart_of_a_page_is_the_months_of_the_books(office: Place, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    months = [f"2025-{month:02}" for month in range(7, 13)] + [f"2026-{month:02}" for month in range(1, 7)]
    for report, figure in (("income-statement", "15,704.55"), ("vat", VAT)):
        found = chart(office, path, report, "--period", "2026-Q2")
        assert found == [(month, figure if month == "2026-03" else "0.00") for month in months]
    found = chart(office, path, "balance-sheet", "--date", "2026-06-30")
    assert found == [(month, CASH if month >= "2026-03" else "0.00") for month in months]


def test_a_line_of_cash_ends_today(office: Place, tmp_path: Path) -> None:
    today = datetime.now(ZoneInfo("Europe/Helsinki")).date()
    office.run("document", "create", "--date", str(today), "--debit", "1910:1.00", "--credit", "3200:1.00")
    tomorrow = str(today + timedelta(days=1))
    if tomorrow[:4] == str(today.year):
        office.run("document", "create", "--date", tomorrow, "--debit", "1910:7.00", "--credit", "3200:7.00")
    found = chart(office, tmp_path / "page.html", "balance-sheet", "--date", f"{today.year}-12-31")
    ended = [f"{today.year}-{month:02}" for month in range(1, today.month)]
    is_end = tomorrow[8:] == "01"
    assert [label for label, _ in found] == [*ended, str(today)[:7] if is_end else str(today)]
    assert found[-1][1] == "43,518.92"


def test_the_browsers_complaints_are_heard(office: Place, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    office.run("report", "vat", *MARCH, "--output", "html", "--output-file", str(path))
    text = path.read_text()
    path.write_text(text.replace("</body>", "<script>document.body.append('ran')</script></body>"))
    view = open_page(path, tmp_path)
    assert len(view.console) == 1
    assert "Content Security Policy" in view.console[0]
    assert "ran</body>" not in view.dom
