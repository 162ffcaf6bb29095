"""What a rehearsal shows is what would be posted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.bookkeeping import ACCOUNTS, UNEVEN, Service
from tests.cli.conftest import At, Cli, Outcome, succeed
from tests.cli.recorder import recorder


def rehearse(cli: Cli, at: At, *argv: str, service: Service | None = None) -> Outcome:
    with recorder(service or Service()) as server:
        at(server)
        outcome = cli("document", *argv, "--dry-run")
        assert server.writes == []
    return outcome


def entry(
    account: int, amount: float, is_debet: bool, code: int = 3, rate: str = "0.00", text: str = ""
) -> dict[str, Any]:
    named = ACCOUNTS[account - 1]
    return {
        "account": account,
        "account_name": named["name"],
        "account_number": named["number"],
        "amount": amount,
        "is_debet": is_debet,
        "description": text,
        "vat_code": code,
        "vat_rate": rate,
    }


def test_people_see_the_entries_of_each_line_of_a_file(cli: Cli, at: At) -> None:
    sold = {
        "debet_account_id": 2,
        "credit_entries": [{"account_id": 4, "vat_code": 1, "vat_rate": 25.5, "amount": 125.5}],
    }
    uneven = {"debet_entries": [{"account_id": 5, "amount": 7, "description": "Ink"}]}
    bodies = [
        {"date": "2026-03-01", "description": "Sale", "blueprint": sold},
        {"date": "2026-03-02", "is_draft": True},
        {"date": "2026-03-03", "blueprint": uneven},
    ]
    Path("three.jsonl").write_text("\n\n".join(map(json.dumps, bodies)))
    outcome = succeed(rehearse(cli, at, "create", "--file", "three.jsonl"))
    assert outcome.lines()[2:] == [
        "   1   2026-03-01   1910             Bank            125.50                          Sale",
        "   1   2026-03-01   3000             Sales                    100.00   1 at 25.5 %   Sale",
        "   1   2026-03-01   2939             VAT liability             25.50   1 at 25.5 %   Sale",
        "   3   2026-03-02",
        "   5   2026-03-03   4000             Purchases         7.00                          Ink",
    ]
    assert outcome.err == "note: the sides differ, which only a draft may, on lines: 5\n"
    chosen = succeed(rehearse(cli, at, "create", "--file", "three.jsonl", "--lines", "3"))
    assert len(chosen.lines()) == 3


@pytest.mark.parametrize("form", ["--json", "-ojsonl"])
def test_a_rehearsal_shows_the_entries_as_they_will_be(cli: Cli, at: At, form: str) -> None:
    argv = ("--debit", "1910", "--credit", "3000:125.50@1/25.5", "--expense", "8500:2.90=Fee", "--date", "2026-03-02")
    plan = succeed(rehearse(cli, at, "create", *argv, form, "--columns", "id")).json()
    assert plan["body"]["blueprint"]["debet_account_id"] == 2
    assert {name: plan[name] for name in ("method", "path", "entries", "totals", "balance")} == {
        "method": "POST",
        "path": "/v1/business/demo/document/",
        "entries": [
            entry(2, 122.6, True),
            entry(6, 2.9, True, text="Fee"),
            entry(4, 100, False, 1, "25.50"),
            entry(3, 25.5, False, 1, "25.50"),
        ],
        "totals": {"debet": 125.5, "credit": 125.5},
        "balance": 122.6,
    }


def test_people_see_two_tables(cli: Cli, at: At) -> None:
    lines = succeed(rehearse(cli, at, "create", "--credit", "1910", "--debit", "4000:62.75@8/25.5")).lines()
    assert [line.split()[0] for line in lines[2:7]] == ["method", "host", "path", "idempotency_key", "body"]
    assert [line.rstrip() for line in lines[8:]] == [
        "account number   account name      debit   credit   VAT           description",
        "─" * 77,
        "4000             Purchases         62.75            8 at 25.5 %",
        "1763             VAT receivables   16.00            8 at 25.5 %",
        "2939             VAT liability              16.00   8 at 25.5 %",
        "1910             Bank                       62.75",
        "                 Total             78.75    78.75",
    ]


def test_the_rehearsal_of_a_draft_says_what_is_missing(cli: Cli, at: At) -> None:
    outcome = succeed(rehearse(cli, at, "create", "--draft", *UNEVEN, "--json"))
    assert outcome.json()["totals"] == {"debet": 10, "credit": 9}
    assert outcome.err.splitlines() == [
        "note: the sides differ by 1.00; only a draft may",
        "note: a draft makes these entries once it is posted",
    ]


def test_vat_without_an_account_is_refused_unless_in_a_draft(cli: Cli, at: At) -> None:
    argv = ("create", "--debit", "1910", "--credit", "3000:1.25@1/25")
    none = Service(account_vat_liabilities=None)
    outcome = rehearse(cli, at, *argv, service=none)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("error: the business names no account for this VAT")
    draft = succeed(rehearse(cli, at, *argv, "--draft", "--json", service=none)).json()
    assert draft["entries"][-1] == {
        **entry(3, 0.25, False, 1, "25.00"), "account": None, "account_name": "", "account_number": "",
    }  # fmt: skip


def test_a_body_with_account_numbers_is_shown_with_its_entries_too(cli: Cli, at: At, home: Path) -> None:
    sold, fee = {"account_id": 3000, "amount": 10}, {"account_id": 8500, "amount": 1}
    blueprint = {"debet_account_id": 1910, "credit_entries": [sold], "expense_entries": [fee]}
    Path("body.json").write_text(json.dumps({"blueprint": blueprint}))
    plan = succeed(rehearse(cli, at, "create", "--file", "body.json", "--account-numbers", "--json")).json()
    assert plan["body"]["blueprint"] == {
        "debet_account_id": 2,
        "credit_entries": [{"account_id": 4, "amount": 10}],
        "expense_entries": [{"account_id": 6, "amount": 1}],
    }
    assert plan["entries"] == [entry(2, 9, True), entry(6, 1, True), entry(4, 10, False)]


def test_the_tables_go_to_a_file_together(cli: Cli, at: At, home: Path) -> None:
    argv = ("create", "--debit", "1910", "--credit", "3000:1@3", "--output-file", "plan.txt")
    assert succeed(rehearse(cli, at, *argv)).out == ""
    text = Path("plan.txt").read_text()
    assert "idempotency_key" in text
    assert "Total" in text
