"""Statements of random books: the lines of every layout against sums of what was posted, made here."""

from __future__ import annotations

import csv
import io
import random
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from acctcli.law.statements import Size
from acctcli.models.enums import AccountType
from tests.cli.report.pages import read_page
from tests.journeys.places import Place, fresh, kept_open
from tests.sizes import is_full

pytestmark = pytest.mark.usefixtures("books_stay_open")

D = Decimal
SEEDS = range(1, 31) if is_full() else range(1, 4)
LANGUAGES = ("fi", "sv", "en", "de")
DEFICIT = "Deficit not covered by equity"
UNPLACED = "Without a place"
# accounting periods: a first one of part of a year, years of other lengths
YEARS: dict[str, list[list[tuple[str, str]]]] = {
    "FI_OY": [
        [("2023-07-01", "2024-12-31"), ("2025-01-01", "2025-12-31"), ("2026-01-01", "2026-12-31")],
        [("2024-02-10", "2024-12-31"), ("2025-01-01", "2026-06-30"), ("2026-07-01", "2027-06-30")],
    ],
    "DE_UG": [
        [("2024-02-29", "2024-12-31"), ("2025-01-01", "2025-12-31"), ("2026-01-01", "2026-12-31")],
        [("2024-01-01", "2024-12-31"), ("2025-01-01", "2025-06-30"), ("2025-07-01", "2026-06-30")],
    ],
}
VAT = ("ASS_VAT", "LIA_VAT")
# of each chart
CAPITAL = ("2000", "2900", "0800")
# where German charts have banks, which an overdraft is owed to
BANKS = {"SKR04": ("1700", "1899"), "SKR03": ("1100", "1299")}


@dataclass
class Book:
    """A random book: its accounts by number with their types, what they opened with, and its postings."""

    place: Place
    years: list[tuple[date, date]]
    types: dict[str, str]
    opened: dict[str, Decimal]
    posted: list[tuple[date, str, str, Decimal]]
    chart: str = ""

    def net(self, first: date, last: date) -> dict[str, Decimal]:
        """Debit less credit by account."""
        found: defaultdict[str, Decimal] = defaultdict(D)
        for day, debit, credit, amount in self.posted:
            if first <= day <= last:
                found[debit] += amount
                found[credit] -= amount
        return found

    def stands_at(self, day: date, kinds: Iterable[str]) -> Decimal:
        """What accounts of these types stand at, debit less credit, with their opening balances."""
        net = self.net(date.min, day)
        of_kinds = [number for number, kind in self.types.items() if kind.startswith(tuple(kinds))]
        signs = {number: 1 if self.types[number].startswith("ASS") else -1 for number in of_kinds}
        return sum((net[one] + signs[one] * self.opened.get(one, D(0)) for one in of_kinds), D(0))

    def overdrawn(self, day: date) -> Decimal:
        """What is owed to banks for their accounts, none of which is set off against another."""
        net, (first, last) = self.net(date.min, day), BANKS.get(self.chart, ("", ""))
        banks = [
            one for one, kind in self.types.items() if kind == "ASS_PAY" and first <= one.ljust(4, "0")[:4] <= last
        ]
        return sum((max(D(0), -net[one] - self.opened.get(one, D(0))) for one in banks), D(0))

    def result(self, first: date, last: date) -> Decimal:
        """What revenue is above expenses."""
        net = self.net(first, last)
        return -sum((net[one] for one, kind in self.types.items() if kind.startswith(("REV", "EXP"))), D(0))


@kept_open()
def draw(seed: int, folder: Path) -> Book:
    dice = random.Random(seed)
    form, *chart = (("FI_OY",), ("DE_UG", "SKR04"), ("DE_UG", "SKR03"))[seed % 3]
    create = ["business", "create", "--name", "Figures", "--form", form, "--slug", "figures"]
    place = fresh("figures", folder, ACCTCLI_BUSINESS="figures")
    # with no other year than that of today, which the first of its own replaces
    assert place.try_run(*create, *(word for name in chart for word in ("--chart", name))).code == 0
    (start, end), *later = years = dice.choice(YEARS[form])
    place.run("period", "update", str(place.json("period", "list")[0]["id"]), "--start", start, "--end", end)
    for start, end in later:
        place.run("period", "create", "--start", start, "--end", end, "--change-of-year")
    for _ in range(12):
        number, kind = str(dice.randrange(100, 9999)), dice.choice([*AccountType])
        place.try_run("account", "create", "--number", number, "--type", kind, "--name", f"{kind} {number}")
    accounts = {one["number"]: one for one in place.json("account", "list", "--all")}
    kinds = {number: one["type"] for number, one in accounts.items()}
    opened = {}
    for number in dice.sample([one for one, kind in kinds.items() if kind.startswith("ASS") and kind not in VAT], 2):
        opened[number] = D(dice.randrange(-(10**7), 10**7)) / 100
        place.run("account", "update", number, "--set", f"opening_balance={opened[number]}")
    capital = next(number for number, kind in kinds.items() if kind == "LIA_EQU" and number in CAPITAL)
    opened[capital] = sum(opened.values(), D(0))
    place.run("account", "update", capital, "--set", f"opening_balance={opened[capital]}")

    spans = [(date.fromisoformat(one), date.fromisoformat(other)) for one, other in years]
    first, last = spans[0][0], spans[-1][1]
    edges = [day for span in spans for day in span] + [max(first, date(2024, 2, 29))]
    posted = []
    for _ in range(40):
        day = dice.choice([dice.choice(edges), first + timedelta(days=dice.randrange((last - first).days + 1))])
        posted.append((day, *dice.sample(list(accounts), 2), D(dice.randrange(1, 10 ** dice.randrange(2, 10))) / 100))
    lines = [
        {
            "date": day.isoformat(),
            "blueprint": {
                "debet_entries": [{"account_id": accounts[debit]["id"], "amount": amount, "vat_code": 3}],
                "credit_entries": [{"account_id": accounts[credit]["id"], "amount": amount, "vat_code": 3}],
            },
        }
        for day, debit, credit, amount in posted
    ]
    place.run("document", "create", "--file", place.write_lines("book.jsonl", lines), "--quiet")
    return Book(place, spans, kinds, opened, posted, *chart)


@pytest.fixture(scope="module", params=SEEDS)
def book(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Book:
    return draw(request.param, tmp_path_factory.mktemp("figures"))


def parts(rows: list[dict[str, Any]], level: int, column: int) -> list[tuple[Decimal, Decimal]]:
    """Each sum of a statement, and what the lines above it add up to."""
    found, above = [], D(0)
    for row in rows:
        if row["is_sum_row"]:
            found.append((row["values"][column], above))
            above = above if level == 0 else D(0)
        elif row["level"] == level or row["name"] == UNPLACED:
            above += row["values"][column]
    return found


@pytest.mark.parametrize("size", Size)
def test_both_sides_of_every_layout_are_what_the_accounts_stand_at(book: Book, size: Size) -> None:
    first, last = book.years[0][0], book.years[-1][1]
    days = [
        *(end for _, end in book.years),
        first - timedelta(days=1),
        first,
        date(2024, 2, 29),
        last.replace(year=2030),
    ]
    for day in days:
        asked = ("balance-sheet", "--date", day.isoformat(), "--layout", size.value)
        document = book.place.json("report", *asked, "--locale", "en", "--accounts")
        rows = document["rows"]
        for column, label in enumerate(document["labels"]):
            # an account that changed sides stands on both, on each with what it is there
            numbers = [one["number"] for row in rows for one in row["accounts"] if one["values"][column]]
            assert len(numbers) == len(set(numbers)), (day, size)
            assets = book.stands_at(date.fromisoformat(label), ["ASS"]) + book.overdrawn(date.fromisoformat(label))
            short = [row["values"][column] for row in rows if row["name"] == DEFICIT and row["level"] == 1]
            assert parts(rows, 1, column) == [(assets + sum(short),) * 2] * 2, (day, size, label)


@pytest.mark.parametrize("size", Size)
def test_every_layout_ends_with_the_result_and_adds_up_to_it(book: Book, size: Size) -> None:
    spans = [*book.years, (date(2024, 2, 29), date(2024, 2, 29)), (date(2024, 12, 1), date(2025, 1, 31))]
    for first, last in spans:
        days = ("--from", first.isoformat(), "--to", last.isoformat())
        asked = ("income-statement", *days, "--layout", size.value, "--locale", "en")
        rows = book.place.json("report", *asked)["rows"]
        wanted = [book.result(first, last)]
        if (first, last) in book.years[1:]:
            wanted.append(book.result(*book.years[book.years.index((first, last)) - 1]))
        assert rows[-1]["values"] == wanted, (first, size)
        for column in range(len(wanted)):
            assert [one for one, other in parts(rows, 0, column) if one != other] == [], (first, size)


def test_every_format_shows_the_same_figures_and_every_language_too(book: Book) -> None:
    end = book.years[-1][1].isoformat()
    for asked in (("balance-sheet", "--date", end), ("income-statement", "--period", "2025")):
        ways = ("report", *asked, "--layout", "statutory")
        plain = book.place.json(*ways, "--locale", "en")
        wanted = [row["values"] for row in plain["rows"]]
        for language in LANGUAGES:
            told = book.place.json(*ways, "--locale", language)["rows"]
            assert [(row["position"], row["values"]) for row in told] == [
                (row["position"], row["values"]) for row in plain["rows"]
            ]
        for form in ("csv", "tsv"):
            text = book.place.run(*ways, "--locale", "en", "--output", form).out
            rows = csv.DictReader(io.StringIO(text), delimiter="," if form == "csv" else "\t")
            assert [[D(row[label]) for label in plain["labels"]] for row in rows] == wanted
        page = read_page(book.place.run(*ways, "--locale", "en", "--output", "html").out)
        figures = [figure for values in wanted for figure in values]
        assert [D(figure) for line in page for _, figure in line if figure is not None] == figures
        table = book.place.run(*ways, "--locale", "en").out.split("─\n", 1)[1]
        shown = re.findall(r"(?<= )-?[0-9][0-9,]*\.[0-9]{2}(?= |\n)", table)
        assert [D(figure.replace(",", "")) for figure in shown] == figures


def test_trial_balances_and_balances_of_a_day_are_those_of_the_postings(book: Book) -> None:
    for first, last in [*book.years, (date(2025, 1, 1), date(2025, 3, 31)), (date(2020, 1, 1), date(2020, 12, 31))]:
        balance = book.place.json("report", "trial-balance", "--from", first.isoformat(), "--to", last.isoformat())
        (total,) = balance["totals"]
        assert (total["opening"], total["closing"], total["debit"] - total["credit"]) == (0, 0, 0)
        closing = {one["number"]: one["columns"][0] for one in balance["accounts"]}
        for figures in closing.values():
            assert figures["opening"] + figures["debit"] - figures["credit"] == figures["closing"]
        listed = book.place.json("account", "balances", "--date", last.isoformat())
        balances = {one["number"]: one["balance"] for one in listed}
        for number, kind in book.types.items():
            if kind.startswith(("ASS", "LIA")) and kind != "LIA_PRE":
                stands = book.net(date.min, last)[number]
                sign = 1 if kind.startswith("ASS") else -1
                stands += sign * book.opened.get(number, D(0))
                assert closing.get(number, {"closing": 0})["closing"] == stands, (number, last)
                assert balances.get(number, 0) == sign * stands, (number, last)


def test_months_make_up_quarters_and_quarters_years(book: Book) -> None:
    def read(*periods: str) -> list[list[Decimal]]:
        asked = [word for period in periods for word in ("--period", period)]
        return [row["values"] for row in book.place.json("report", "income-statement", *asked)["rows"]]

    years = read("2024", "2025")
    quarters = read(*(f"{year}-Q{quarter}" for year in (2024, 2025) for quarter in range(1, 5)))
    months = read(*(f"{year}-{month:02}" for year in (2024, 2025) for month in range(1, 13)))
    for finer, width in ((quarters, 4), (months, 12)):
        assert [[sum(row[:width]), sum(row[width:])] for row in finer] == years
