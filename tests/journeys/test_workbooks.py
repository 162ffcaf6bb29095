"""Every report as a workbook, read by another program: figures of its JSON, real days, sums worked out again."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from acctcli.banking.statements.workbooks import read_workbook
from tests.cli.report.pages import read_page
from tests.cli.report.sheets import Calculated, Value
from tests.journeys.places import Place, fresh
from tests.journeys.test_reports import HEADINGS, MARCH, REPORTS, each_report, leaves, post_month, row, sides

D = Decimal


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A place of its own with the month, in process."""
    place = fresh("workbooks", tmp_path_factory.mktemp("workbooks"), ACCTCLI_BUSINESS="books")
    argv = ("--name", "=Kahvila Ärjy Oy", "--form", "FI_OY", "--slug", "books", "--business-id", "0201256-6")
    place.run("business", "create", *argv)
    return post_month(place)


def workbook(place: Place, *argv: str) -> Calculated:
    path = place.folder / "report.xlsx"
    place.run(*argv, "--output", "xlsx", "--output-file", str(path))
    return Calculated(path.read_bytes())


def figures_of(report: str, body: Any) -> Iterator[Decimal]:
    """Yield the figures of the first worksheet, in their order; zeros of a side are blank."""
    match report:
        case "journal":
            for one in body["documents"]:
                yield from (value for entry in one["entries"] for value in sides(entry) if value)
            yield from sides(body["totals"])
        case "ledger":
            for one in body["accounts"]:
                yield one["opening_balance"]
                for entry in one["entries"]:
                    yield from (value for value in (*sides(entry), entry["balance_csum"]) if value)
            yield from sides(body["totals"])
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


@each_report
def test_figures_are_those_of_the_json_and_formulas_come_to_them(office: Place, report: str) -> None:
    found = workbook(office, "report", report, *REPORTS[report])
    wanted = list(figures_of(report, office.json("report", report, *REPORTS[report])))
    shown = [value for row in found.rows()[1:] for value in row if isinstance(value, Decimal)]
    # headings have no figures, in ledgers no balance that is 0
    assert [value for value in shown if value] == [value for value in wanted if value]
    formulas = list(found.formulas())
    assert [carried for _, carried, _ in formulas] == [value for _, _, value in formulas]
    assert len(formulas) >= 1


def test_an_entry_is_a_row_with_its_document_day_and_account(office: Place) -> None:
    body = office.json("report", "journal", *MARCH)
    wanted: list[list[Value]] = [
        [one["number"], date.fromisoformat(one["date"][:10]), entry["account_number"], entry["account_name"]]
        for one in body["documents"]
        for entry in one["entries"]
    ]
    assert [row[:4] for row in workbook(office, "report", "journal", *MARCH).rows()[1:-1]] == wanted


def test_the_ledger_has_its_accounts_on_a_page_of_their_own(office: Place) -> None:
    found = workbook(office, "report", "ledger", *MARCH)
    body = office.json("report", "ledger", *MARCH)
    entries = [
        [one["number"], one["name"], entry["number"], date.fromisoformat(entry["date"][:10])]
        for one in body["accounts"]
        for entry in one["entries"]
    ]
    assert [row[:4] for row in found.rows()[1:-1] if row[2]] == entries
    assert found.rows(2)[1:-1] == [
        [one["number"], one["name"], one["opening_balance"], *sides(one["totals"]), one["totals"]["balance_csum"]]
        for one in body["accounts"]
    ]
    sums = [text for text, _, _ in found.formulas() if "SUMIFS" in text]
    assert len(sums) == 2 * len(body["accounts"])


@pytest.mark.parametrize("report", ["balance-sheet", "income-statement"])
@pytest.mark.parametrize("layout", ["plain", "statutory", "small"])
def test_every_sum_of_a_statement_is_a_formula(office: Place, report: str, layout: str) -> None:
    options = ("--accounts", "--layout", layout, "--compare", "previous-year")
    found = workbook(office, "report", report, *REPORTS[report], *options)
    formulas = list(found.formulas())
    assert [carried for _, carried, _ in formulas] == [value for _, _, value in formulas]
    page = found.made.worksheets[1]
    sums = [line for line in page.iter_rows(min_row=2) if line[2].border.top.style and line[2].value is not None]
    assert len(sums) >= 2
    assert {line[2].data_type for line in sums} == {"f"}


def test_a_rate_of_the_vat_report_says_of_what(office: Place) -> None:
    rates = office.json("report", "vat", *MARCH)["summary"]["domestic_sales"]
    found = workbook(office, "report", "vat", *MARCH, "--locale", "en").rows()
    assert [line for line in found if str(line[0]).startswith("Domestic sales: ")] == [
        [f"Domestic sales: {Decimal(rate).normalize():f}%", figures["base"], figures["vat"]]
        for rate, figures in rates.items()
    ]


def test_accounts_stand_in_a_column_of_their_own(office: Place) -> None:
    body = office.json("report", "balance-sheet", "--date", "2026-03-31", "--accounts")
    found = workbook(office, "report", "balance-sheet", "--date", "2026-03-31", "--accounts")
    wanted = [[one["name"], one["number"], *one["values"]] for row in body["rows"] for one in row["accounts"] or ()]
    assert sorted(map(str, (line for line in found.rows()[1:] if line[1]))) == sorted(map(str, wanted))


def test_the_cover_tells_what_was_asked_for(office: Place) -> None:
    office.run("tag", "create", "--name", "=project")
    lines = workbook(office, "report", "journal", *MARCH, "--tag", "=project", "--locale", "fi").rows(0)
    assert lines[:1] + lines[2:9] == [
        ["Päiväkirja", None],
        ["Yritys", "=Kahvila Ärjy Oy"],
        ["Y-tunnus", "0201256-6"],
        ["Raportti", "Päiväkirja"],
        ["Kausi", "1.3.2026 – 31.3.2026"],
        ["Peruste", "Laskut kirjataan, kun ne lähetetään (suoriteperuste)"],
        ["Peruste", "ALV suoriteperusteella"],
        ["Rajaus", "--tag =project"],
    ]


def test_what_is_owed_by_age_is_a_workbook_and_a_page(office: Place) -> None:
    for sender, amount, day in (("=Tukku Oy", "100.00", "2026-03-01"), ("Sähkö Oy", "20.05", "2026-01-02")):
        office.run("purchase", "create", "--sender", sender, "--date", day, "--amount", amount, "--source", "upload")
    argv = ("purchase", "aging", "--date", "2026-03-31")
    body = office.json(*argv)
    found = workbook(office, *argv)
    assert found.rows()[1:-1] == [list(one.values()) for one in body["suppliers"]]
    assert [line[0] for line in found.rows()] == ["Name", "=Tukku Oy", "Sähkö Oy", "Total"]
    assert found.rows()[-1][1:] == list(body["totals"].values())
    assert [carried for _, carried, _ in found.formulas()] == [value for _, _, value in found.formulas()]
    page = office.run(*argv, "--output", "html").out
    assert [line[-1] for line in read_page(page)] == [("100.00", "100.00"), ("20.05", "20.05"), ("120.05", "120.05")]


def test_a_total_is_that_of_the_json(office: Place) -> None:
    total = row(office.json("report", "balance-sheet", "--date", "2026-03-31"), "Total assets")
    found = workbook(office, "report", "balance-sheet", "--date", "2026-03-31").rows()
    assert [line[1] for line in found if line[0] == "Total assets"] == total == [D("61862.58")]


def test_a_trial_balance_is_read_by_what_opens_books(office: Place) -> None:
    options = ("report", "trial-balance", *MARCH)
    workbook(office, *options)
    rows = [cells for _, cells in read_workbook((office.folder / "report.xlsx").read_bytes())]
    assert [[*cells[:2], *map(D, cells[2:])] for cells in rows[1:-1]] == [
        [one["number"], one["name"], *one["columns"][0].values()] for one in office.json(*options)["accounts"]
    ]
