"""A year of a German company in both charts, by the same commands: what is no number of an account is the same."""

from __future__ import annotations

from datetime import date

import pytest

from tests.banking.statements import generator as made
from tests.journeys.german import CHARTS, of_chart
from tests.journeys.places import Place, fresh

PAID = date(2025, 4, 1)
APRIL = made.Book(
    made.GERMAN, 4, date(2025, 4, 1), date(2025, 4, 30), 0,
    [made.Move(PAID, PAID, 11_900, "S1", "Kunde GmbH", "", "", "", "Invoice 1"),
     made.Move(PAID, PAID, -11_900, "S2", "Papier AG", "", "", "", "77")],
)  # fmt: skip
WORK = "name=Work,unit=h,count=1,amount=100,vat=19,code=1"
# numbers of SKR04
COMMANDS = f"""
business update --iban {made.GERMAN} --street Weg --postal-code 10115 --city Berlin --country DE --books-claims
account update 1800 --set description={made.GERMAN}
period create --start 2025-01-01 --end 2025-12-31
vat period create --start 2025-01-01
contact create --name Kunde --invoicing --email kunde@kunde.example --street Weg --postal-code 10117 --city Berlin \
    --country DE
document create --date 2025-01-02 --debit 1800:1000 --credit 2900
document create --date 2025-01-03 --debit 1800:5000 --credit 3150
invoice create --to id:1 --date 2025-03-10 --days 14 --row {WORK}
invoice accept 1
invoice create --to id:1 --date 2025-03-10 --days 14 --row {WORK}
invoice accept 2
invoice credit-loss 2 --date 2025-06-30
purchase create --sender Papier --number 77 --amount 119 --date 2025-03-11 --due 2025-04-11 --post --account 6600
bank import april.xml --yes
document create --date 2025-05-02 --debit 0440:595@2/19 --credit 1800
document create --date 2025-05-03 --credit 1800 --debit 6837:100@8/19
document create --date 2025-05-04 --credit 1800 --debit 5400:119@2/19
document create --date 2025-05-05 --debit 1800 --credit 4400:1190.50@1/19
document create --date 2025-05-06 --debit 6000:50 --credit 1800
document create --date 2025-05-07 --debit 7300:40 --credit 1800
account create --number 1460 --name Geldtransit --type ASS_PAY
invoice create --to id:1 --date 2025-05-08 --row name=Book,unit=x,count=1,amount=100,vat=7,code=1
invoice accept 3
invoice pay 3 --date 2025-05-09
accrual create --date 2025-12-31 --debit 6310:20 --credit 3720
document create --date 2025-12-31 --type depreciation --debit 6220:100 --credit 0440
close post --period 2025 --tax 30 --anyway --yes
"""
SHEETS = [
    (name, layout) for name in ("balance-sheet", "income-statement") for layout in ("statutory", "small", "micro")
]


@pytest.fixture(scope="module")
def years(tmp_path_factory: pytest.TempPathFactory) -> list[Place]:
    """The year in each chart."""
    found = []
    for chart in CHARTS:
        place = fresh("werk", tmp_path_factory.mktemp(chart), ACCTCLI_BUSINESS="werk")
        (place.folder / "april.xml").write_bytes(made.camt([APRIL]))
        create = f"business create --name Werk --form DE_UG --slug werk --business-id 181/815/08155 --chart {chart}"
        place.run(*create.split(), "--vat-period", "year")
        for line in COMMANDS.replace("\\\n", "").strip().splitlines():
            place.run(*(of_chart(chart, word) for word in line.split()), "--json")
        found.append(place)
    return found


@pytest.mark.parametrize(("sheet", "layout"), SHEETS)
def test_statements_are_the_same(years: list[Place], sheet: str, layout: str) -> None:
    days = ("--period", "2025") if sheet == "income-statement" else ("--date", "2025-12-31")
    usual, other = (place.json("report", sheet, *days, "--layout", layout)["rows"] for place in years)
    assert usual == other
    assert any(row["values"][0] for row in usual)


def test_the_return_is_the_same(years: list[Place]) -> None:
    usual, other = (place.json("vat", "return", "--period", "2025") for place in years)
    assert usual == other
    # sold 1200.42 at 19 %, of which 100 is lost, and 100 at 7 %; 19 % of 1100
    assert {one["box"]: f"{one['amount']:.2f}" for one in usual if one["amount"]} == {
        "81": "1100.00", "86": "100.00", "50": "100.00", "46": "100.00", "47": "19.00", "66": "133.00", "67": "19.00",
        "83": "83.00",
    }  # fmt: skip


def test_accounts_hold_the_same(years: list[Place]) -> None:
    held = [
        {one["number"]: one["balance"] for one in place.json("account", "balances", "--date", "2025-12-31")}
        for place in years
    ]
    usual, other = ({number: balance for number, balance in some.items() if balance} for some in held)
    assert {of_chart("SKR03", number): balance for number, balance in usual.items()} == other
    # what customers never paid, income tax, and what was sold at the reduced rate, which came to the bank
    assert {number: str(usual[number]) for number in ("6930", "7600", "3020", "4300")} == {
        "6930": "100.00", "7600": "30.00", "3020": "30.00", "4300": "100.00",
    }  # fmt: skip
    assert "1460" not in usual
