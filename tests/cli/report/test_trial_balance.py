"""The trial balance: opening, both sides and closing of every account, from a ledger for each column."""

from __future__ import annotations

import json
from typing import Any

from tests.cli.conftest import At, Cli, succeed
from tests.cli.recorder import Answer, Sent, recorder, said
from tests.cli.report.replies import LEDGER, answers, bodies


def shown(cli: Cli, at: At, *argv: str) -> str:
    with recorder(answers()) as server:
        at(server)
        return succeed(cli("report", "trial-balance", "--period", "2026", *argv)).out


def test_people_see_every_account_and_the_sums(cli: Cli, at: At) -> None:
    lines = shown(cli, at, "--locale", "fi").replace("\xa0", "").splitlines()
    assert [line.split() for line in lines if "─" not in line] == [
        ["Tili", "Nimi", "Alkusaldo", "Debet", "Kredit", "Loppusaldo"],
        ["1910", "Pankki", "1000,00", "125,50", "2000,00", "-874,50"],
        ["3000", "Sales", "0,00", "0,00", "100,00", "-100,00"],
        ["Yhteensä", "1000,00", "125,50", "2100,00", "-974,50"],
    ]


def test_machines_get_a_row_an_account(cli: Cli, at: At) -> None:
    assert shown(cli, at, "-o", "csv") == (
        "number,name,opening,debit,credit,closing\n"
        "1910,Bank,1000.00,125.50,2000.00,-874.50\n"
        "3000,Sales,0.00,0.00,100.00,-100.00\n"
    )
    figures = {"opening": 1000, "debit": 125.5, "credit": 2100, "closing": -974.5}
    document = json.loads(shown(cli, at, "--json"))
    assert (document["labels"], document["totals"]) == (["2026"], [figures])
    assert [one["number"] for one in document["accounts"]] == ["1910", "3000"]
    assert shown(cli, at, "--json", "--jq", ".totals[0].credit") == "2100.00\n"


def ledger(*accounts: tuple[str, int, int]) -> dict[str, Any]:
    """A ledger of accounts with what they opened with and one entry, which is below zero on the credit side."""
    return {
        "accounts": [
            {
                "number": number,
                "name": f"Account {number}" if number else "Profit of previous periods",
                "opening_balance": opening,
                "entries": [
                    {"number": "1", "debet": max(cents, 0), "credit": max(-cents, 0), "balance_csum": opening + cents}
                ],
            }
            for number, opening, cents in accounts
        ]
    }


def test_columns_stand_side_by_side_with_the_accounts_of_all(cli: Cli, at: At) -> None:
    years = {
        "2025-01-01": ledger(("1910", 5, 2), ("999", 0, -2)),
        "2026-01-01": ledger(("191", 0, 4), ("1910", 7, -4), ("", -7, 0)),
    }

    def behave(sent: Sent) -> Answer:
        return said(years[json.loads(sent.body)["columns"][0]["date_from"]])

    with recorder(behave) as server:
        at(server)
        argv = ("report", "trial-balance", "--period", "2025", "--period", "2026")
        rows = succeed(cli(*argv, "-o", "csv")).out.splitlines()
        table = succeed(cli(*argv)).out.splitlines()
        asked = [[column["name"] for column in body["columns"]] for _, body in bodies(server.sent)]
    figures = ("opening", "debit", "credit", "closing")
    assert rows == [
        ",".join(("number", "name", *(f"{year} {figure}" for year in (2025, 2026) for figure in figures))),
        "191,Account 191,0.00,0.00,0.00,0.00,0.00,4.00,0.00,4.00",
        "1910,Account 1910,5.00,2.00,0.00,7.00,7.00,0.00,4.00,3.00",
        "999,Account 999,0.00,0.00,2.00,-2.00,0.00,0.00,0.00,0.00",
        ",Profit of previous periods,0.00,0.00,0.00,0.00,-7.00,0.00,0.00,-7.00",
    ]
    assert table[0].split("  ")[-1].strip() == "2026 · Closing balance"
    assert asked == [["2025"], ["2026"]] * 2


def test_a_ledger_that_does_not_add_up_makes_none(cli: Cli, at: At) -> None:
    with recorder(answers(ledger=LEDGER.replace(b"1125.50", b"1125.51"))) as server:
        at(server)
        outcome = cli("report", "trial-balance", "--period", "2026")
    assert (outcome.code, outcome.out) == (10, "")
