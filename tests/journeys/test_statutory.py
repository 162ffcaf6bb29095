"""Statements as the law lays them out, against statements made by hand: figures and words (docs/law.md 9)."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from tests.journeys.by_hand import (
    FINNISH_BALANCE_SV,
    FINNISH_GROSS_SV,
    FINNISH_INCOME,
    FINNISH_MICRO_EN,
    FINNISH_SMALL_BALANCE,
    GERMAN_BALANCE,
    GERMAN_DEFICIT,
    GERMAN_INCOME,
    GERMAN_MICRO_BALANCE,
    GERMAN_OVERDRAFT,
    GERMAN_SMALL,
)
from tests.journeys.german import CHARTS, of_chart
from tests.journeys.places import Place, fresh

D = Decimal
YEAR = ("--period", "2026")
DAY = ("--date", "2026-12-31")

# debit, credit, amount, without VAT
FINNISH = [
    ("1910", "2000", "2500.00"), ("1910", "3000", "9000.00"), ("1700", "3000", "1000.00"), ("1910", "3900", "50.00"),
    ("4000", "2871", "2000.00"), ("4450", "1910", "300.00"), ("1500", "4400", "150.00"), ("5000", "1910", "1500.00"),
    ("6100", "1910", "250.00"), ("6400", "2960", "60.00"), ("1160", "1910", "1200.00"), ("6800", "1160", "300.00"),
    ("7160", "1910", "700.00"), ("1910", "2620", "5000.00"), ("1910", "2820", "800.00"), ("9460", "1910", "120.00"),
    ("1910", "9160", "7.50"), ("9800", "2400", "100.00"), ("9900", "2970", "1015.00"), ("1600", "1910", "400.00"),
]  # fmt: skip
FINNISH_MORE = {
    "1600": ("ASS_DUE", "Pitkä saaminen"), "2400": ("LIA", "Poistoero"), "2820": ("LIA_DEB", "Lyhyt laina"),
    "4400": ("EXP", "Varaston muutos"), "6100": ("EXP", "TyEL"), "6400": ("EXP", "Sosiaalikulut"),
    "9160": ("REV", "Korot"), "9460": ("EXP", "Lainan korko"), "9800": ("EXP", "Poistoeron muutos"),
}  # fmt: skip
GERMAN = [
    ("1800", "2900", "1000.00"), ("1200", "4400", "5000.00"), ("5400", "3300", "1200.00"), ("5900", "1800", "400.00"),
    ("6000", "1800", "900.00"), ("6110", "1800", "200.00"), ("6140", "1800", "50.00"), ("0440", "1800", "600.00"),
    ("6220", "0440", "100.00"), ("6310", "1800", "300.00"), ("7300", "1800", "40.00"), ("1800", "7100", "10.00"),
    ("1800", "3151", "500.00"), ("1800", "3160", "2500.00"), ("7600", "3020", "450.00"), ("7685", "1800", "30.00"),
    ("1900", "1800", "25.00"), ("6600", "3740", "15.00"),
]  # fmt: skip
GERMAN_MORE = {
    "3151": ("LIA_DEB", "Kontokorrent"), "3160": ("LIA_DEB", "Darlehen"), "3740": ("LIA_ACC", "Krankenkasse"),
    "6140": ("EXP", "bAV"), "7685": ("EXP", "Kfz-Steuer"),
}  # fmt: skip


def post(
    place: Place, postings: list[tuple[str, str, str]], more: dict[str, tuple[str, str]], day: str = "2026-03-02"
) -> Place:
    """Post a year; accounts that the first chart has not got are added to it."""
    for number, (kind, name) in more.items():
        place.run("account", "create", "--number", number, "--type", kind, "--name", name)
    ids = {one["number"]: one["id"] for one in place.json("account", "list", "--all")}
    lines = [
        {
            "date": day,
            "blueprint": {
                "debet_entries": [{"account_id": ids[debit], "amount": D(amount)}],
                "credit_entries": [{"account_id": ids[credit], "amount": D(amount)}],
            },
        }
        for debit, credit, amount in postings
    ]
    path = place.write_lines("year.jsonl", lines)
    place.run("document", "create", "--file", path, "--quiet")
    return place


@pytest.fixture(scope="module")
def finnish(tmp_path_factory: pytest.TempPathFactory) -> Place:
    place = fresh("finnish", tmp_path_factory.mktemp("finnish"), ACCTCLI_BUSINESS="finnish")
    place.run("business", "create", "--name", "Kahvila Oy", "--form", "FI_OY", "--slug", "finnish")
    return post(place, FINNISH, FINNISH_MORE)


@pytest.fixture(scope="module", params=CHARTS)
def german(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Place:
    place = fresh("german", tmp_path_factory.mktemp("german"), ACCTCLI_BUSINESS="german")
    place.run(
        "business", "create", "--name", "Werk UG", "--form", "DE_UG", "--slug", "german", "--chart", request.param
    )
    year = [(of_chart(request.param, debit), of_chart(request.param, credit), euros) for debit, credit, euros in GERMAN]
    return post(place, year, {of_chart(request.param, number): told for number, told in GERMAN_MORE.items()})


def lines(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the lines of a statement: how far they are indented, what they are called, and the figure."""
    for line in text.replace("\xa0", "").splitlines():
        words = line.split()
        if words and not set(words) <= {"─" * len(word) for word in words}:
            *name, figure = words if words[-1][-1].isdigit() else [*words, ""]
            yield len(line) - len(line.lstrip()), " ".join(name), figure


def shown(
    place: Place, statement: str, days: tuple[str, str], layout: str, language: str
) -> list[tuple[int, str, str]]:
    options = ("--layout", layout, "--locale", language)
    between = {"de": ".", "en": ","}.get(language, "\xa0")
    text = place.run("report", statement, *days, *options).out
    return [(indent, name, figure.replace(between, "")) for indent, name, figure in lines(text)][1:]


@pytest.mark.parametrize(
    ("statement", "layout", "language", "by_hand"),
    [
        ("income-statement", "statutory", "fi", FINNISH_INCOME),
        ("income-statement", "small", "sv", FINNISH_GROSS_SV),
        ("income-statement", "micro", "en", FINNISH_MICRO_EN),
        ("balance-sheet", "statutory", "sv", FINNISH_BALANCE_SV),
        ("balance-sheet", "small", "fi", FINNISH_SMALL_BALANCE),
        ("balance-sheet", "micro", "fi", FINNISH_SMALL_BALANCE),
    ],
)
def test_a_finnish_company(finnish: Place, statement: str, layout: str, language: str, by_hand: str) -> None:
    days = YEAR if statement == "income-statement" else DAY
    assert shown(finnish, statement, days, layout, language) == list(lines(by_hand))


@pytest.mark.parametrize(
    ("statement", "layout", "by_hand"),
    [
        ("income-statement", "statutory", GERMAN_INCOME),
        ("income-statement", "small", GERMAN_SMALL),
        ("balance-sheet", "statutory", GERMAN_BALANCE),
        ("balance-sheet", "micro", GERMAN_MICRO_BALANCE),
    ],
)
def test_a_german_company(german: Place, statement: str, layout: str, by_hand: str) -> None:
    days = YEAR if statement == "income-statement" else DAY
    assert shown(german, statement, days, layout, "de") == list(lines(by_hand))


def test_paper_has_the_lines_of_the_law_and_the_days_as_the_country_writes_them(finnish: Place, german: Place) -> None:
    finnish.run("business", "update", "finnish", "--set", "business_id=0112038-9")
    german.run("business", "identifier", "create", "--type", "steuernummer", "--value", "18181508155")
    for place, options, told in (
        (
            finnish,
            ("income-statement", *YEAR, "--locale", "fi"),
            ("Liikevoitto (-tappio)", "1.1.2026 – 31.12.2026", "Y-tunnus 0112038-9"),
        ),
        (german, ("income-statement", *YEAR, "--locale", "de"), ("Ergebnis nach Steuern", "01.01.2026 – 31.12.2026")),
        (german, ("balance-sheet", *DAY, "--layout", "plain"), ("Accrued liabilities", "31.12.2026")),
        (finnish, ("balance-sheet", *DAY, "--short"), ("Total assets", "31.12.2026")),
        (finnish, ("journal", *YEAR), ("1.1.2026 – 31.12.2026", '<td class="code">2.3.2026</td>')),
        (german, ("vat", *YEAR), ("01.01.2026 – 31.12.2026", "Tax number 181/815/08155")),
    ):
        page = place.run("report", *options, "--output", "html").out
        assert [text for text in told if text not in page] == []


def test_a_workbook_has_above_its_columns_the_days_that_its_cover_has(german: Place) -> None:
    path = german.folder / "balance.xlsx"
    days = (*DAY, "--compare", "previous-year", "--locale", "de")
    german.run("report", "balance-sheet", *days, "--output", "xlsx", "--output-file", str(path))
    made = load_workbook(path)
    cover = {row[0]: row[1] for row in made["Deckblatt"].iter_rows(values_only=True)}
    head = next(made["Bilanz"].iter_rows(values_only=True))
    assert (cover["Zeitraum"], head[1:]) == ("31.12.2026 · 31.12.2025", ("31.12.2026", "31.12.2025"))


def test_the_year_after_carries_the_result_and_changes_are_shown(finnish: Place) -> None:
    days = ("--date", "2027-01-31", "--compare", "previous-year", "--change", "--layout", "statutory")
    rows = {
        row["name"]: row["values"] for row in finnish.json("report", "balance-sheet", *days, "--locale", "en")["rows"]
    }
    assert rows["Retained earnings (loss)"] == [D("3862.50"), D("0.00"), D("3862.50"), None]
    assert "Profit (loss) for the year" not in rows
    assert rows["Total assets"] == [D("15337.50"), D("0.00"), D("15337.50"), None]


@pytest.fixture
def place_of_its_own(tmp_path: Path) -> Place:
    place = fresh("odd", tmp_path, ACCTCLI_BUSINESS="odd")
    place.run("business", "create", "--name", "Odd Oy", "--form", "FI_OY", "--slug", "odd")
    return place


def test_what_has_no_place_is_named_until_a_header_gives_it_one(place_of_its_own: Place) -> None:
    place = place_of_its_own
    more = {"9750": ("EXP", "Outo kulu"), "2230": ("LIA", "Outo velka")}
    post(place, [("9750", "2230", "5.00"), ("1910", "3000", "100.00")], more)

    def read(statement: str, days: tuple[str, str]) -> tuple[dict[str, Any], str]:
        done = place.run("report", statement, *days, "--layout", "statutory", "--accounts", "--json", "--locale", "en")
        rows = {
            row["name"]: (row["values"], [one["number"] for one in row["accounts"]])
            for row in place.json("report", statement, *days, "--layout", "statutory", "--accounts", "--locale", "en")[
                "rows"
            ]
        }
        return rows, done.err

    rows, told = read("income-statement", YEAR)
    assert rows["Without a place"] == ([D("-5.00")], ["9750"])
    assert rows["Profit (loss) for the year"] == ([D("95.00")], [])
    assert "without a place in this layout: 9750 Outo kulu" in told
    rows, told = read("balance-sheet", DAY)
    assert rows["Without a place"] == ([D("5.00")], ["2230"])
    assert rows["Total equity and liabilities"] == rows["Total assets"] == ([D("100.00")], [])
    assert "2230 Outo velka" in told

    for number, name, kind in (("9750", "Liiketoiminnan muut kulut", "I"), ("2230", "Kortfristigt", "B")):
        names = f'[{{"key":"fi","value":"{name}"}}]'
        header = place.json("header", "create", "--type", kind, "--set", f"name_translations={names}")
        place.run("account", "update", number, "--set", f"header_id={header['id']}")
    rows, told = read("income-statement", YEAR)
    assert (rows["Other operating expenses"], told) == (([D("-5.00")], ["9750"]), "")
    rows, told = read("balance-sheet", DAY)
    assert (rows["Current"][0], told) == ([D("5.00")], "")


@pytest.mark.parametrize("option", [("--short",), ("--tag", "1")])
def test_a_part_of_a_statement_has_no_layout_of_the_law(finnish: Place, option: tuple[str, ...]) -> None:
    refused = finnish.try_run("report", "balance-sheet", "--layout", "small", *option)
    assert (refused.code, refused.out) == (2, "")
    assert "whole statements" in refused.err


def company(folder: Path, form: str, *options: str) -> Place:
    """A company without postings."""
    place = fresh("company", folder, ACCTCLI_BUSINESS="company")
    place.run("business", "create", "--name", "Company", "--form", form, "--slug", "company", *options)
    return place


@pytest.mark.parametrize("chart", CHARTS)
def test_an_overdrawn_bank_account_is_owed_to_the_bank_in_germany(tmp_path: Path, chart: str) -> None:
    """The other bank account is not set off against it; on a day on which it was not overdrawn, it is no debt."""
    place = company(tmp_path, "DE_UG", "--chart", chart)
    spent = [
        ("1800", "2900", "500.00"),
        ("0440", "1800", "400.00"),
        ("6310", "1800", "300.00"),
        ("1810", "1800", "30.00"),
    ]
    post(place, [(of_chart(chart, debit), of_chart(chart, credit), euros) for debit, credit, euros in spent], {})
    assert shown(place, "balance-sheet", DAY, "statutory", "de") == list(lines(GERMAN_OVERDRAFT))
    place.run(
        "document",
        "create",
        "--date",
        "2026-04-01",
        "--debit",
        f"{of_chart(chart, '1800')}:300",
        "--credit",
        of_chart(chart, "2900"),
    )
    days = ("--date", "2026-03-31", "--date", "2026-04-01", "--accounts", "--layout", "statutory", "--json")
    rows = place.json("report", "balance-sheet", *days)["rows"]
    bank = of_chart(chart, "1800")
    found = {row["name"]: account["values"] for row in rows for account in row["accounts"] if account["number"] == bank}
    assert found == {
        "Cash, bank balances and cheques": [D(0), D(70)], "Liabilities to banks": [D(230), D(0)],
    }  # fmt: skip


def test_equity_below_nothing_is_a_line_of_both_sides_in_germany(tmp_path: Path) -> None:
    place = company(tmp_path, "DE_UG")
    lost = [("1800", "2900", "1000.00"), ("1800", "3160", "2000.00"), ("6310", "1800", "2700.00")]
    post(place, lost, {"3160": ("LIA_DEB", "Darlehen")})
    assert shown(place, "balance-sheet", DAY, "statutory", "de") == list(lines(GERMAN_DEFICIT))
    micro = shown(place, "balance-sheet", DAY, "micro", "de")
    assert (2, "B. Nicht durch Eigenkapital gedeckter Fehlbetrag", "1700,00") in micro
    assert (2, "A. Eigenkapital", "0,00") in micro
    assert shown(place, "income-statement", YEAR, "statutory", "de")[-1] == (0, "3. Jahresfehlbetrag", "-2700,00")


def test_a_line_whose_accounts_make_up_nothing_is_shown_with_its_parts(tmp_path: Path) -> None:
    place = company(tmp_path, "FI_OY")
    post(place, [("2871", "2960", "70.00")], {})
    wanted = [(2, "D Vieras pääoma", "0,00"), (4, "Lyhytaikainen", "0,00"), (6, "6. Ostovelat", "-70,00")]
    assert [line for line in shown(place, "balance-sheet", DAY, "statutory", "fi") if line in wanted] == wanted


def test_the_year_before_stands_beside_a_year_however_long_it_was(tmp_path: Path) -> None:
    place = company(tmp_path, "FI_OY")
    first = str(place.json("period", "list")[0]["id"])
    place.run("period", "update", first, "--start", "2024-07-01", "--end", "2025-12-31")
    place.run("period", "create", "--next")
    ids = {one["number"]: one["id"] for one in place.json("account", "list", "--all")}
    made = [
        {
            "date": day,
            "blueprint": {
                "debet_entries": [{"account_id": ids["1910"], "amount": D(amount)}],
                "credit_entries": [{"account_id": ids["3000"], "amount": D(amount)}],
            },
        }
        for day, amount in (
            ("2024-07-01", "1.00"),
            ("2024-12-31", "20.00"),
            ("2025-12-31", "300.00"),
            ("2026-01-01", "4000.00"),
        )
    ]
    place.run("document", "create", "--file", place.write_lines("sales.jsonl", made), "--quiet")

    def read(statement: str, *options: str) -> tuple[list[str], list[Decimal]]:
        found = place.json("report", statement, *options, "--locale", "en")
        return found["labels"], next(row["values"] for row in found["rows"] if row["position"] in ("1.", "A VII"))

    year = ["2026", "2024-07-01 - 2025-12-31"]
    assert read("income-statement", *YEAR, "--layout", "micro") == (year, [D("4000.00"), D("321.00")])
    for compare in ("previous-year", "previous-period"):
        asked = ("--layout", "statutory", "--compare", compare)
        assert read("income-statement", *YEAR, *asked) == (year, [D("4000.00"), D("321.00")])
    days = ["2026-12-31", "2025-12-31"]
    assert read("balance-sheet", *DAY, "--layout", "small") == (days, [D("4000.00"), D("321.00")])
    change = read("income-statement", *YEAR, "--layout", "statutory", "--change")
    assert change == ([*year, "change", "change %"], [D("4000.00"), D("321.00"), D("3679.00"), D("1146.11")])
    # no other span is a year, and the first one has none before it
    assert read("income-statement", "--period", "2026-Q1", "--layout", "small")[0] == ["2026-Q1"]
    first_year = ("--from", "2024-07-01", "--to", "2025-12-31")
    assert read("income-statement", *first_year, "--layout", "small")[0] == ["2024-07-01 - 2025-12-31"]
    page = place.run("report", "income-statement", *YEAR, "--locale", "fi", "--output", "html").out
    assert '<th scope="col" class="amount">1.7.2024\N{NO-BREAK SPACE}– 31.12.2025</th>' in page


def test_programs_are_told_the_position_in_the_law(german: Place) -> None:
    options = (*DAY, "--layout", "statutory", "--accounts", "--locale", "de")
    rows = german.json("report", "balance-sheet", *options)["rows"]
    found = {row["name"]: row["position"] for row in rows}
    assert found["technische Anlagen und Maschinen"] == "A. I. 1."
    assert found["Verbindlichkeiten aus Lieferungen und Leistungen"] == "C. 2."
    assert found["Summe Aktiva"] == found["davon im Rahmen der sozialen Sicherheit"] == ""
    text = german.run("report", "balance-sheet", *options, "--output", "csv").out.splitlines()
    assert text[0] == "position,name,level,is_sum_row,number,2026-12-31"
    chart = german.json("business", "get")["country_config"]["chart"]
    assert text[3:5] == [
        "A. I. 1.,technische Anlagen und Maschinen,3,false,,500.00",
        f",Maschinen,4,false,{of_chart(chart, '0440')},500.00",
    ]


def test_accounts_of_a_line_stand_by_number_whatever_their_types(german: Place) -> None:
    rows = german.json("report", "income-statement", *YEAR, "--layout", "micro", "--accounts")["rows"]
    found = {row["position"]: [one["number"] for one in row["accounts"]] for row in rows}
    chart = german.json("business", "get")["country_config"]["chart"]
    expected = (["6310", "6600", "7300"], ["7600", "7685"])
    assert (sorted(found["6."]), sorted(found["7."])) == tuple(
        sorted(of_chart(chart, number) for number in some) for some in expected
    )


def test_a_result_of_two_years_is_named_for_both(tmp_path: Path) -> None:
    place = company(tmp_path, "DE_UG")
    place.run("period", "create", "--next")
    post(place, [("1800", "4400", "10.00")], {})
    post(place, [("6310", "1800", "30.00")], {}, "2027-01-04")
    options = ("--layout", "statutory", "--locale", "de")
    named = [
        place.json("report", "income-statement", "--period", year, *options)["rows"][-1] for year in ("2026", "2027")
    ]
    assert [row["name"] for row in named] == ["Jahresüberschuss", "Jahresüberschuss/Jahresfehlbetrag"]
    sheet = place.json("report", "balance-sheet", "--date", "2027-06-30", *options)["rows"]
    assert {"Gewinnvortrag", "Jahresfehlbetrag"} <= {row["name"] for row in sheet}
